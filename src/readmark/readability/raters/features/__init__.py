"""The features of a passage, by family."""
