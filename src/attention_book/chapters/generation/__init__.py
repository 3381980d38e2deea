"""Chapter 15, *Generate, and learn from the prompt*."""
