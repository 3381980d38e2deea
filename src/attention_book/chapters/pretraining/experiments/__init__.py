"""What chapter 14 finds out about its networks, a module for each subject."""
