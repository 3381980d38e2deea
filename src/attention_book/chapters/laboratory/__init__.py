"""The laboratory: every recorded network that reads sentences, on a page of its own."""
