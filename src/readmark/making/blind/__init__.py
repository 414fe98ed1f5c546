"""Second and third answers: people answer without seeing the key, and their answers come back."""
