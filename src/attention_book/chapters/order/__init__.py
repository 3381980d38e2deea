"""Chapter 6, *Sets, order, position*."""
