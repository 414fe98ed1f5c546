"""Fetching a public test: the only part of Readmark that goes out to get a data set."""
