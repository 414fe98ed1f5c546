"""CoNLL-U: sentences and words, a line each."""
