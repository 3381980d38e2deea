"""Chapter 13, *Not only translation*."""
