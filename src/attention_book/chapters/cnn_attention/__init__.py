"""Chapter 9, *Attention inside a CNN*."""
