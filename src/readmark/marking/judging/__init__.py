"""A language model as a judge of answers in free words, and how far people agree with it."""
