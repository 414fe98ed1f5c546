"""`readmark set wiki`: passages from Wikipedia, HTML and plain text."""
