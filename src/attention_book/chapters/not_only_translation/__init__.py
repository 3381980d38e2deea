"""Chapter 13: what else a transformer can write than translations."""
