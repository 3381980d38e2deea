"""What chapter 15 trains."""
