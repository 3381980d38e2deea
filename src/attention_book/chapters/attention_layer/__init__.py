"""Chapter 4, *From alignment to a layer*."""
