"""The shipped rater on public sets: pairs of versions in order, correlation with teachers.

The articles have trained it, so their order only shows that the file does what its fit did; the
figure on unseen articles is in the model card, made by ``benchmarks/rating_shipped.py``.
"""

import csv
import gzip
from pathlib import Path

import numpy as np
import pytest

from readmark.readability.raters.parses import parse_all
from readmark.readability.raters.rater_files import load_rater

DATA = Path(__file__).resolve().parents[3].parent / "shared" / "data"
CLEAR = DATA / "clear" / "clear.csv.gz"
ONESTOP = DATA / "onestop_english"

pytestmark = [pytest.mark.golden, pytest.mark.slow]


@pytest.mark.skipif(not ONESTOP.is_dir(), reason="needs ../shared/data/onestop_english")
def test_versions_of_an_article_are_in_order() -> None:
    names = sorted(path.stem[:-4] for path in (ONESTOP / "Ele-Txt").glob("*.txt"))[::10]
    texts = []
    for name in names:
        for level in ("ele", "int", "adv"):
            path = ONESTOP / f"{level.title()}-Txt" / f"{name}-{level}.txt"
            text = path.read_text(encoding="utf-8", errors="replace").removeprefix("\ufeff")
            first, _, rest = text.partition("\n")
            texts.append(rest if len(first.split()) == 1 else text)
    ratings = np.array([load_rater().rate(passage).rating for passage in parse_all(texts)]).reshape(
        -1, 3
    )
    gaps = np.stack([ratings[:, 0] - ratings[:, 1], ratings[:, 1] - ratings[:, 2]])
    assert (gaps > 0).mean() >= 0.9
    assert (ratings[:, 0] > ratings[:, 2]).mean() >= 0.9
    assert load_rater().note["pairs_in_order"] >= 0.85


@pytest.mark.skipif(not CLEAR.is_file(), reason="needs ../shared/data/clear")
def test_ratings_go_with_those_of_teachers() -> None:
    with gzip.open(CLEAR, "rt", encoding="utf-8", newline="") as text:
        rows = list(csv.DictReader(text))[::8]
    easiness = np.array([float(row["BT_easiness"]) for row in rows])
    parsed = parse_all([row["Excerpt"] for row in rows])
    ratings = np.array([load_rater().rate(passage).rating for passage in parsed])
    assert np.corrcoef(ratings, easiness)[0, 1] >= 0.69
