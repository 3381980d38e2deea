"""Chapter 1, *The bottleneck*."""
