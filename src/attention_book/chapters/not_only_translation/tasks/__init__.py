"""What chapter 13 trains: a parser, and one translator for three languages."""
