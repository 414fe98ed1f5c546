"""Corpus tables: the tables of the documents, for any test."""
