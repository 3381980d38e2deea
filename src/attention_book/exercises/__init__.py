"""Worked solutions of the exercises, one module a chapter, tested like any other code."""
