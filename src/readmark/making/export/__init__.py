"""Publishing a test: a folder with its data, data card, metadata, licence and reports."""
