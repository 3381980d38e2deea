"""What chapter 15 finds out about its networks, a module for each subject."""
