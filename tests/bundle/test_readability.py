"""The bundled readability test: its passages, and the made-up panel that comes with it."""

from collections import Counter
from fractions import Fraction
from importlib.resources import as_file, files
from pathlib import Path

import pytest

from readmark.core.test import Test
from readmark.formats.registry import open_sitting, open_test
from readmark.readability.panels.rounds import make_plan
from readmark.readability.panels.selection import deviation
from readmark.readability.panels.topics import topics
from readmark.readability.panels.vetting import PassageLimits, doubts
from readmark.statistics.agreement.judges import correlation
from reproductions.synthetic_panel import synthesise

GENRES = (
    "newswire",
    "weblog",
    "forum",
    "encyclopaedia",
    "transcript",
    "caption",
    "machine_translation",
)
NOVICES = 6
SEED = 1


@pytest.fixture(scope="module")
def bundle() -> Path:
    with as_file(files("readmark.bundle")) as folder:
        return Path(folder)


@pytest.fixture(scope="module")
def shipped(bundle: Path) -> Test:
    return open_test(bundle / "readability.en.jsonl")


def test_the_panel_is_labelled_as_made_up(shipped: Test) -> None:
    assert shipped.header.licence == "Apache-2.0"
    assert shipped.header.source == "written for Readmark"
    assert shipped.header.fields["synthetic"] is True
    assert "made up by a program" in shipped.header.fields["note"]
    assert "synthetic panel" in shipped.header.name
    for record in shipped.records():
        assert all(one.annotator.startswith("synthetic-") for one in record.key.ratings)


def test_passages_of_seven_genres_and_all_qualities(shipped: Test) -> None:
    records = list(shipped.records())
    assert len(records) == 50
    genres = Counter(one.genre for one in records)
    assert set(genres) == set(GENRES)
    assert min(genres.values()) == 7
    assert {one.topic for one in records} <= set(topics("en"))
    assert len({one.topic for one in records}) == 9
    for one in records:
        assert 80 <= len(one.text.split()) <= 160, one.id
        assert not doubts(one.text, PassageLimits()) or one.key.fields["quality"] < 1.5, one.id
        assert 1 <= one.key.fields["quality"] <= 5
    for genre in GENRES:
        qualities = [one.key.fields["quality"] for one in records if one.genre == genre]
        assert min(qualities) < 2.5, genre
        assert max(qualities) >= 3.5, genre
    assert sum(one.key.fields["quality"] < 2 for one in records) >= 10


def test_there_are_no_findings_and_the_halves_are_balanced(shipped: Test) -> None:
    records = list(shipped.records())
    assert [found for one in records for found in shipped.kind.findings(one)] == []
    cells = {one.id: (one.genre or "", one.topic or "") for one in records}
    testing = {one.id for one in records if one.split == "test"}
    assert len(testing) == 25
    assert all(value < 1 for value in deviation(cells, testing, Fraction(1, 2)).values())


def test_rounds_of_ten_can_be_dealt(shipped: Test) -> None:
    plan = make_plan(shipped, experts=["e1"], novices=["n1"])
    assert [len(one) for one in plan.rounds] == [10] * 5
    assert max(plan.balance.genre, plan.balance.topic) < 1


def test_the_ratings_are_those_that_the_generator_makes(
    shipped: Test, bundle: Path, tmp_path: Path
) -> None:
    synthesise(shipped, tmp_path / "again", experts=3, novices=NOVICES, seed=SEED)
    again = open_test(tmp_path / "again" / "test.jsonl")
    assert list(again.records()) == list(shipped.records())
    sittings = sorted((bundle / "readability.en.people").glob("*.jsonl"))
    assert len(sittings) == NOVICES
    for path in sittings:
        assert path.read_bytes() == (tmp_path / "again" / "novices" / path.name).read_bytes()
        sitting = open_sitting(path, shipped.kind)
        assert sitting.header.paper == shipped.facts.paper
        assert sitting.header.fields == {"synthetic": True}
        assert set(sitting) == {one.id for one in shipped.records()}


def test_the_gold_follows_the_quality(shipped: Test) -> None:
    records = list(shipped.records())
    gold = [sum(each.rating for each in one.key.ratings) / 3 for one in records]
    assert {len(one.key.ratings) for one in records} == {3}
    found = correlation([one.key.fields["quality"] for one in records], gold).value
    assert found is not None
    assert found > 0.9
