"""CoNLL-U: documents of sentences, tokens, lemmas, tags and dependencies; no questions.

Base noun phrases and entities stand in the last column, as ``NP=B`` and ``NE=I-PERSON``.
"""
