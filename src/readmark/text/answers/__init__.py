"""Where an answer is in a text, and what a reply says."""
