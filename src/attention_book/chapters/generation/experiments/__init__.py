"""Chapter 15's experiments."""
