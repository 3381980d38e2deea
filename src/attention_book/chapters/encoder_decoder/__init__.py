"""Chapter 12, *Encoder-decoder*."""
