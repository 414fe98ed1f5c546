"""Flat JSON Lines: a question a line, as the Hugging Face hub has SQuAD and `set export` writes."""
