"""Right solutions in several styles, a module for each subject."""
