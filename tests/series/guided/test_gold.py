"""The gold series: the figures that guided must keep, by a direct implementation of the metric."""

import json
from pathlib import Path
from typing import Any

import pytest

from readmark.series.guided.rewriter import rewrite_series

GOLD = Path(__file__).resolve().parents[3].parent / "shared" / "golden" / "series_gold.json"
PUNCTUATION = '?.,;:!"()[]'


def grams(text: str, size: int) -> set[tuple[str, ...]]:
    words = [word for one in text.lower().split() if (word := one.strip(PUNCTUATION))]
    return {tuple(words[at : at + size]) for at in range(len(words) - size + 1)}


def likeness(one: str, other: str) -> float:
    first, second = (
        len(grams(one, size) & grams(other, size)) / len(grams(one, size) | grams(other, size))
        for size in (1, 2)
    )
    return (2 * first + second) / 3


def test_the_printed_pair_of_the_document() -> None:
    ours = "How many of Hindenburg disaster were killed"
    gold = "How many people were killed during the Hindenburg disaster"
    assert likeness(ours, gold) == pytest.approx((2 * 0.6 + 3 / 11) / 3)


@pytest.mark.golden
def test_guided_keeps_its_figures() -> None:
    if not GOLD.exists():
        pytest.skip("../shared/golden/series_gold.json is not there")
    series: list[dict[str, Any]] = json.loads(GOLD.read_text(encoding="utf-8"))["series"]
    scores, equal = [], []
    for one in series:
        made = rewrite_series(one["target"], [asked["question"] for asked in one["questions"]])
        for rewrite, asked in zip(made, one["questions"], strict=True):
            scores.append(max(likeness(rewrite.text, gold) for gold in asked["gold"]))
            equal.append(rewrite.text in asked["gold"])
    assert len(scores) == 141
    assert sum(scores) / len(scores) >= 0.90
    assert sum(equal) / len(equal) >= 0.60
