"""One package a chapter, with the stem of its notebook: all that only it needs."""
