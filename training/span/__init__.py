"""Questions written by a network, for span readers to learn from."""
