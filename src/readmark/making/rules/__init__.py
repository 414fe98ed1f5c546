"""Question rules: the profiles of documents, and what breaks their rules in a test."""
