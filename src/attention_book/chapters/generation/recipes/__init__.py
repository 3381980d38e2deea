"""What is trained and recorded for chapter 15."""
