"""Chapter 16, *Scale*."""
