"""Makes the tables of the rating features: the model of word order, and the words of stories.

    python benchmarks/rating_tables.py ../shared/data src/readmark/readability/raters/data

Word order is counted in 12,000 paragraphs of raw Wikipedia and 3,000 sections of stories
(FairytaleQA, train and validation), as the English analyser tags them. Story words are log odds,
stories against Wikipedia, smoothed. No rating or reading level is looked at.
"""

from __future__ import annotations

import gzip
import json
import lzma
import math
import random
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from readmark.readability.raters.features.word_order import BREAK, OTHER, WordOrder
from readmark.readability.raters.parses import ParsedPassage, parse_all
from training.rater import learn, odds_lines, packed

PARAGRAPHS, SECTIONS, SHORTEST, LONGEST, SEED = 12_000, 3_000, 60, 250, 1
WORDS, LEAST_RUN = 250, 3
PRIOR, LEAST_WORD, MOST_ODDS = 0.1, 8, 3.0
_CLOSED = frozenset({"NN", "NNS", "NNP", "NNPS", "JJ", "CD", "FW", "LS", "SYM", "ADD", "XX"})


def main(data: Path, out: Path) -> None:
    encyclopaedia = list(parse_all(wikipedia(data / "wiki" / "en.more.txt.xz")))
    stories = list(parse_all(tales(data / "span_training")))
    write(encyclopaedia, stories, out)


def write(
    encyclopaedia: Sequence[ParsedPassage], stories: Sequence[ParsedPassage], out: Path
) -> None:
    """Both tables from passages that are parsed already."""
    model = count_order([*encyclopaedia, *stories])
    (out / "word_order.npz").write_bytes(packed(model))
    odds = story_odds(_words(stories), _words(encyclopaedia))
    head = "Log odds of a word in stories (FairytaleQA) against Wikipedia; one line a value."
    (out / "story_words.tsv").write_text(odds_lines(odds, head), encoding="utf-8")
    print(
        len(model.symbols), "symbols", len(model.triple_keys), "runs of three", len(odds), "words"
    )


def wikipedia(path: Path) -> list[str]:
    """A sample of paragraphs of ordinary length."""
    with lzma.open(path, "rt", encoding="utf-8") as text:
        found = [
            line.strip()
            for line in text
            if not line.startswith("<") and SHORTEST <= line.count(" ") <= LONGEST
        ]
    random.Random(SEED).shuffle(found)
    return found[:PARAGRAPHS]


def tales(folder: Path) -> list[str]:
    """A sample of the sections of the stories."""
    found: set[str] = set()
    for path in sorted(folder.glob("fairytaleqa*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found.update(json.loads(line)["context"] for line in lines)
    some = sorted(found)
    random.Random(SEED).shuffle(some)
    return some[:SECTIONS]


def count_order(passages: Sequence[ParsedPassage]) -> WordOrder:
    """The model of word order of some passages."""
    forms: Counter[str] = Counter()
    tags: set[str] = set()
    for passage in passages:
        tags.update(passage.tags)
        pairs = zip(passage.forms, passage.tags, strict=True)
        forms.update(form for form, tag in pairs if tag not in _CLOSED and form.isalpha())
    frequent = [form for form, _ in sorted(forms.items(), key=lambda one: (-one[1], one[0]))]
    names = [BREAK, OTHER, *sorted(tags), *frequent[:WORDS]]
    symbols = {name: at for at, name in enumerate(names)}
    empty = np.zeros(0, np.int64)
    blank = WordOrder(symbols, empty, empty, empty, empty, empty)
    breaks = np.full(2, symbols[BREAK], np.int64)
    runs = []
    for passage in passages:
        codes = blank.codes(passage)
        for first, last in passage.spans:
            runs += [breaks, codes[first:last]]
    return learn(symbols, runs, least=LEAST_RUN)


def story_odds(stories: Counter[str], encyclopaedia: Counter[str]) -> dict[str, float]:
    """Log odds by word, in steps of a tenth; what is neither here nor there is left out."""
    told, noted = stories.total(), encyclopaedia.total()
    prior = PRIOR * (told + noted)
    found = {}
    for word in sorted(stories.keys() | encyclopaedia.keys()):
        both = stories[word] + encyclopaedia[word]
        if both < LEAST_WORD:
            continue
        expected = prior * both / (told + noted)
        here = (stories[word] + expected) / (told + prior)
        there = (encyclopaedia[word] + expected) / (noted + prior)
        value = round(max(-MOST_ODDS, min(MOST_ODDS, math.log(here / there))), 1)
        if value:
            found[word] = value
    return found


def _words(passages: Iterable[ParsedPassage]) -> Counter[str]:
    """Small-letter words but names and figures."""
    return Counter(
        passage.forms[at]
        for passage in passages
        for at in passage.words
        if passage.pos[at] not in ("PROPN", "NUM") and passage.forms[at].isascii()
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
