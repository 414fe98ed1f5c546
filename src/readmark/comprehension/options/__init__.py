"""Choosing one of a question's options by the stretches of text that are likely answers."""
