"""Chapter 11, *The block and the encoder*."""
