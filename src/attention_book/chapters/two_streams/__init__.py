"""Chapter 17, *Two streams*."""
