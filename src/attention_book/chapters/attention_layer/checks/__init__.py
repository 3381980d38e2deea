"""Checks, a module for each subject."""
