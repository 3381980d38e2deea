"""What chapter 15 trains its networks on, a module for each subject."""
