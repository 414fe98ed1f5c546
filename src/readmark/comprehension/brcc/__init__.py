"""The BRCC corpus's inline notation in files of passages, questions and keys."""
