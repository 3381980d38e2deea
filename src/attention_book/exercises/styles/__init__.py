"""Right solutions in different styles, by the name of the check that must accept them: loops, NumPy, torch, batches."""
