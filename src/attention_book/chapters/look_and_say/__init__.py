"""Chapter 3, *Look and say*."""
