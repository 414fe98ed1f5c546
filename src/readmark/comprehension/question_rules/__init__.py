"""The documents' rules for questions on passages: how many, a span, a key, no copied wording."""
