"""Question-answering models of the transformers library, from a folder or from the hub."""
