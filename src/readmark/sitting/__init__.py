"""Taking a test: the runner that hands out papers and journals answers, and the candidates."""
