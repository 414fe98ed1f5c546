"""The evidence model: which sentence of a passage answers a question, by a small learned ranker."""
