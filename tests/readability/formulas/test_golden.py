"""Formulas against public data: teachers' easiness, another implementation, graded articles."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from readmark.readability.formulas.english import EnglishReadability, english_readability

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
CLEAR = DATA / "clear" / "clear.csv.gz"
ONESTOP = DATA / "onestop_english"
LEVELS = ("Ele", "Int", "Adv")
HEADINGS = frozenset({"elementary", "intermediate", "advanced"})

pytestmark = pytest.mark.golden

Rows = list[tuple[dict[str, str], EnglishReadability]]


@pytest.fixture(scope="module")
def clear() -> Rows:
    """Every third excerpt of CLEAR with our measures."""
    if not CLEAR.is_file():
        pytest.skip("the CLEAR corpus is not in ../shared/data/clear")
    with gzip.open(CLEAR, "rt", encoding="utf-8-sig") as file:
        rows = list(csv.DictReader(file))[::3]
    measured = [(row, english_readability(row["Excerpt"])) for row in rows]
    return [(row, found) for row, found in measured if found is not None]


def correlation(rows: Rows, field: str, column: str) -> float:
    ours = [getattr(found, field) for _, found in rows]
    theirs = [float(row[column]) for row, _ in rows]
    return float(np.corrcoef(ours, theirs)[0, 1])


@pytest.mark.parametrize(
    ("field", "least"),
    [
        ("dale_chall", 0.55),
        ("flesch", 0.53),
        ("flesch_kincaid", 0.5),
        ("fog", 0.5),
        ("smog", 0.54),
        ("ari", 0.46),
        ("coleman_liau", 0.44),
    ],
)
def test_teachers_easiness(clear: Rows, field: str, least: float) -> None:
    """Flesch rises with easiness, the grades fall."""
    sign = 1 if field == "flesch" else -1
    assert sign * correlation(clear, field, "BT_easiness") >= least


@pytest.mark.parametrize(
    ("field", "column", "least", "furthest"),
    [
        # They count inflections and names as unfamiliar: about five percent more words.
        ("dale_chall", "New Dale-Chall Readability Formula", 0.84, 0.9),
        ("flesch", "Flesch-Reading-Ease", 0.975, 3.5),
        ("flesch_kincaid", "Flesch-Kincaid-Grade-Level", 0.96, 0.8),
        ("smog", "SMOG Readability", 0.95, 1.2),  # theirs in whole grades
        ("ari", "Automated Readability Index", 0.96, 0.5),
    ],
)
def test_another_implementation(
    clear: Rows, field: str, column: str, least: float, furthest: float
) -> None:
    differences = [getattr(found, field) - float(row[column]) for row, found in clear]
    assert correlation(clear, field, column) >= least
    assert abs(float(np.mean(differences))) <= furthest


@pytest.fixture(scope="module")
def articles() -> list[dict[str, EnglishReadability]]:
    """Articles of OneStopEnglish by level, those that have all three."""
    if not ONESTOP.is_dir():
        pytest.skip("OneStopEnglish is not in ../shared/data/onestop_english")
    found: dict[str, dict[str, EnglishReadability]] = {}
    for level in LEVELS:
        for file in sorted((ONESTOP / f"{level}-Txt").glob("*.txt")):
            first, _, rest = file.read_bytes().decode("utf-8-sig", "replace").partition("\n")
            text = rest if first.strip().lower() in HEADINGS else f"{first}\n{rest}"
            measured = english_readability(text)
            assert measured is not None
            found.setdefault(file.name.rpartition("-")[0].lower(), {})[level] = measured
    return [levels for levels in found.values() if len(levels) == len(LEVELS)]


@pytest.mark.parametrize(
    "field", ["dale_chall", "flesch", "flesch_kincaid", "fog", "smog", "ari", "coleman_liau"]
)
def test_levels_are_in_order(articles: list[dict[str, EnglishReadability]], field: str) -> None:
    sign = -1 if field == "flesch" else 1
    rising = [
        sign * getattr(article[lower], field) < sign * getattr(article[higher], field)
        for article in articles
        for lower, higher in (("Ele", "Int"), ("Int", "Adv"), ("Ele", "Adv"))
    ]
    assert len(articles) >= 100
    assert sum(rising) >= 0.92 * len(rising)
