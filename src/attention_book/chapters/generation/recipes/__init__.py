"""What is trained and recorded for chapter 15, a module for each subject."""
