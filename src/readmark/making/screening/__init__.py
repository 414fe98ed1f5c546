"""`readmark set screen`: keeps the passages that are fit for a test."""
