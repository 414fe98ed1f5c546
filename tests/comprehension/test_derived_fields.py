"""Derived fields of comprehension tests: worked by hand, and equal to what ``stats`` counts."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.comprehension.derived_fields import derived_fields
from readmark.core.test import Test
from readmark.making.corpus import corpus_table

TEXT = "Many sports which nowadays are played all over the world grew up in Britain. Owls sleep."
SPORTS = "Where did many sports played all over the world grow up to their present-day form?"
ENGLISH = comprehension(
    passage(
        "p",
        # 11 words, 8 of them in the first sentence: not where, present-day, form
        asked(
            "sports",
            "Britain",
            text=SPORTS,
        ),
        # {who, sleep} against {owl, sleep}
        asked("owls", "Owls", "Owls do", "the two owls do", text="Who sleeps?"),
        # {sleep, Britain}: one in the second sentence, where the answer is, both in the passage
        asked("both", "Owls", text="In Britain, which are the ones that sleep?", type="Bird"),
        asked("none", text="Whose cat is it?", unanswerable=True),
        asked("open", text="Is it cold?", key=False),
        text=TEXT,
    ),
    language="en",
)
CHINESE = comprehension(
    passage(
        "篇",
        asked("一", "成都", text="都江堰在哪里？"),
        asked("二", "李冰", "李冰父子", text="谁修建了都江堰？"),
        text="都江堰在成都。李冰修建了它。",
    ),
    language="zh",
)


def values(test: Test, name: str) -> dict[str, Any]:
    """A field's value of every unit, before any binning."""
    field = derived_fields(test)[name]
    return {unit.id: field.value(unit) for unit in test.units()}


@pytest.mark.parametrize(
    ("test", "name", "expected"),
    [
        (ENGLISH, "type", ["Where", "Who", "Bird", "Who", "Yes/No"]),
        (ENGLISH, "question_word", ["where", "who", "which", "whose", None]),
        (ENGLISH, "answerable", ["HasAns", "HasAns", "HasAns", "NoAns", None]),
        (ENGLISH, "answer_length", [1, (1 + 2 + 4) / 3, 1, None, None]),
        (ENGLISH, "passage_length", [16] * 5),
        (ENGLISH, "overlap", [8 / 11, 1 / 2, 1 / 3, None, None]),
        (CHINESE, "type", ["Where", "Who"]),
        (CHINESE, "question_word", ["哪里", "谁"]),
        (CHINESE, "answer_length", [2, 3]),
        (CHINESE, "passage_length", [14, 14]),
    ],
)
def test_values_worked_by_hand(test: Test, name: str, expected: list[Any]) -> None:
    assert list(values(test, name).values()) == expected


def test_a_passage_has_at_least_the_words_of_its_sentences() -> None:
    for test in (ENGLISH, CHINESE):
        near, far = values(test, "overlap"), values(test, "passage_overlap")
        assert all(share is None or share <= far[id] for id, share in near.items())


def test_other_languages_have_only_what_needs_no_rules() -> None:
    french = comprehension(passage("p", asked("q", "oui"), text="Bonjour."), language="fr")
    lengths = {"answer_length", "question_length", "passage_length"}
    assert derived_fields(french).keys() == {"answerable", *lengths}


def equal_to_stats(test: Test) -> None:
    """Means, maxima and counts of the fields are those that ``stats`` prints."""
    table = corpus_table(test)
    assert table.reading is not None
    shares = [share for share in values(test, "overlap").values() if share is not None]
    assert table.reading.overlap is not None
    assert len(shares) == table.reading.overlap.units
    assert sum(shares) / len(shares) == pytest.approx(table.reading.overlap.ratio, abs=1e-12)
    assert Counter(values(test, "type").values()) == table.types
    assert max(values(test, "passage_length").values()) == table.lengths["passage"].longest
    sizes = values(test, "answer_length")
    total = sum(
        sizes[unit.id] * sum(map(len, test.kind.references(unit)))
        for unit in test.units()
        if sizes[unit.id] is not None
    )
    assert round(total) == table.lengths["answer"].total


@pytest.mark.parametrize("test", [ENGLISH, CHINESE])
def test_the_rules_are_those_of_stats(test: Test) -> None:
    equal_to_stats(test)


@pytest.mark.parametrize("file", ["xquad/en.json", "xquad/zh.json"])
def test_the_rules_are_those_of_stats_on_public_data(shared: Path, file: str) -> None:
    path = shared / "data" / file
    if not path.exists():
        pytest.skip(f"needs {file} in ../shared/data")
    equal_to_stats(readmark.load(path))
