"""Chapter 8, *Three ways to process a sequence*."""
