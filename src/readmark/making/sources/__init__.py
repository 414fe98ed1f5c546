"""`readmark set text`: passages from plain text, HTML and Wikipedia."""
