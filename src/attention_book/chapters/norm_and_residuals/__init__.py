"""Chapter 10, *Layer norm and residuals*."""
