"""Chapter 14, *Pretrain, then fine-tune*."""
