"""Rules that take a passage's formatting away, so that judges do not see its genre by it."""
