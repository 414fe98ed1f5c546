"""Finding the texts that a question may be answered from."""
