"""Passages parsed by hand, for features that need no pipeline."""

import numpy as np

from readmark.readability.raters.parses import ParsedPassage

Word = tuple[str, str, str, str, int, str]
"""Form, lemma, universal tag, Penn tag, head (an index in the sentence), relation."""


def by_hand(*sentences: list[Word]) -> ParsedPassage:
    """A passage of sentences of words."""
    rows: list[Word] = []
    owners: list[int] = []
    for number, sentence in enumerate(sentences):
        begin = len(rows)
        for form, lemma, pos, tag, head, dep in sentence:
            rows.append((form, lemma, pos, tag, begin + head, dep))
            owners.append(number)
    columns = list(zip(*rows, strict=True)) if rows else [()] * 6
    return ParsedPassage(
        text=" ".join(row[0] for row in rows),
        raw=tuple(columns[0]),
        lemmas=tuple(columns[1]),
        pos=tuple(columns[2]),
        tags=tuple(columns[3]),
        heads=tuple(columns[4]),
        deps=tuple(columns[5]),
        sentences=np.array(owners, np.intp),
    )


DOG: list[Word] = [
    ("The", "the", "DET", "DT", 1, "det"),
    ("dog", "dog", "NOUN", "NN", 2, "nsubj"),
    ("bit", "bite", "VERB", "VBD", 2, "ROOT"),
    ("the", "the", "DET", "DT", 4, "det"),
    ("man", "man", "NOUN", "NN", 2, "dobj"),
    (".", ".", "PUNCT", ".", 2, "punct"),
]
MAN: list[Word] = [
    ("Then", "then", "ADV", "RB", 3, "advmod"),
    ("the", "the", "DET", "DT", 2, "det"),
    ("man", "man", "NOUN", "NN", 3, "nsubj"),
    ("ran", "run", "VERB", "VBD", 3, "ROOT"),
    ("and", "and", "CCONJ", "CC", 3, "cc"),
    ("shouted", "shout", "VERB", "VBD", 3, "conj"),
    (".", ".", "PUNCT", ".", 3, "punct"),
]
