"""Chapter 2, *Attention*."""
