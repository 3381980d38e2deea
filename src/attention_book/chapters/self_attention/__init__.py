"""Chapter 5, *Self-attention*."""
