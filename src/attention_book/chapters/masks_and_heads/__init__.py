"""Chapter 7, *Masks and heads*."""
