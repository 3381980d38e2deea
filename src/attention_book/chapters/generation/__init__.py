"""Chapter 15: GPT, and what it learns from the prompt."""
