"""BM25 against the formula written out, and what it makes of texts without words."""

import math
from collections import Counter

import numpy as np
import pytest

from readmark.core.errors import UsageError
from readmark.series.retrieval.bm25 import Bm25

TEXTS = ["Kettles sing. A kettle boils!", "The coat hangs behind a boat.", "Boats, boats and coats"]
STEMS = [
    ["kettle", "sing", "kettle", "boil"],
    ["coat", "hang", "behind", "boat"],
    ["boat", "boat", "coat"],
]


def direct(question: list[str], k1: float, b: float) -> list[float]:
    """Lucene's: ln(1 + (N - n + .5) / (n + .5)) times tf / (tf + k1 (1 - b + b length / mean))."""
    mean = sum(map(len, STEMS)) / len(STEMS)
    scores = []
    for words in STEMS:
        counts = Counter(words)
        score = 0.0
        for word in question:
            holding = sum(word in stems for stems in STEMS)
            weight = math.log(1 + (len(STEMS) - holding + 0.5) / (holding + 0.5))
            score += weight * counts[word] / (counts[word] + k1 * (1 - b + b * len(words) / mean))
        scores.append(score)
    return scores


@pytest.mark.parametrize(("k1", "b"), [(1.2, 0.75), (0.9, 0.4), (2.0, 0.0), (1.0, 1.0)])
@pytest.mark.parametrize(
    ("question", "stems"),
    [
        ("Which boats?", ["boat"]),
        ("the coats of a kettle", ["coat", "kettle"]),
        ("boat boat", ["boat", "boat"]),
    ],
)
def test_the_formula(question: str, stems: list[str], k1: float, b: float) -> None:
    scores = Bm25(TEXTS, "en", k1=k1, b=b).scores(question)
    assert scores.tolist() == pytest.approx(direct(stems, k1, b), abs=1e-8)


def test_the_order_of_words_and_texts_decides_nothing() -> None:
    index, turned = Bm25(TEXTS, "en"), Bm25(TEXTS[::-1], "en")
    scores = index.scores("coat kettle boat hang")
    assert (index.scores("hang boat kettle coat") == scores).all()
    assert (turned.scores("coat kettle boat hang")[::-1] == scores).all()


def test_what_shares_no_word_has_no_score() -> None:
    index = Bm25([*TEXTS, "", "…"], "en")
    assert not index.scores("zebra").any()
    assert not index.scores("").any()
    assert not index.scores("the of a").any()
    assert not Bm25(["", "?"], "en").scores("coat").any()
    assert not Bm25([], "en").scores("coat").size


def test_chinese_words() -> None:
    pytest.importorskip("rjieba", reason="rjieba is not installed")
    index = Bm25(["坎儿井是地下水渠", "葡萄在阴凉处晾干"], "zh")
    scores = index.scores("葡萄怎么晾干？")
    assert np.argmax(scores) == 1
    assert scores[0] == 0
    assert "rjieba" in index.signature()


def test_bad_parameters() -> None:
    for k1, b in ((-1.0, 0.5), (1.2, 1.5), (math.nan, 0.5), (1.2, math.nan), (math.inf, 0.5)):
        with pytest.raises(UsageError, match="BM25 takes a finite k1"):
            Bm25(TEXTS, "en", k1=k1, b=b)
    with pytest.raises(UsageError, match="'de'"):
        Bm25(TEXTS, "de")


def test_the_signature_says_what_decides() -> None:
    signature = Bm25(TEXTS, "en", k1=0.9, b=0.4).signature()
    assert signature.startswith("bm25s-")
    assert "method=lucene,k1=0.9,b=0.4" in signature
