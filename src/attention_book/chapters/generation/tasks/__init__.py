"""What chapter 15's networks learn."""
