"""Tasks, a module for each: its data, and what is measured."""
