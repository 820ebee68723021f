"""Published experiments run again (`reproduce`), and attacks on small tables shown to people (`demonstrate`)."""
