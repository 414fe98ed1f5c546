"""What a question asks for decides what its answer may be called."""

import pytest

from readmark.series.guided.answers import Expected, expected
from readmark.series.guided.parses import parse_all


def of(question: str) -> Expected:
    [parsed] = parse_all([question])
    return expected(parsed)


@pytest.mark.parametrize(
    ("question", "kind", "referent"),
    [
        ("Who wrote it?", "person", True),
        ("Where is her tomb?", "place", True),
        ("When did he die?", "time", False),
        ("What year did he die?", "time", False),
        ("How many people came?", "number", False),
        ("Why did it fail?", "reason", False),
        ("What company bought it?", "organisation", True),
        ("Which novelist won?", "person", True),
        ("What dam broke?", "thing", True),
        ("What kind of singer is she?", "reason", False),
    ],
)
def test_the_kind_of_answer(question: str, kind: str, referent: bool) -> None:
    asked = of(question)
    assert (asked.kind, asked.is_referent) == (kind, referent)


@pytest.mark.parametrize(
    ("question", "noun"),
    [
        ("Who won the race?", "winner"),
        ("Who manufactures the engine?", "company"),
        ("What film made her famous?", "movie"),
        ("Who was the prosecutor?", "prosecutor"),
    ],
)
def test_what_the_answer_may_be_called(question: str, noun: str) -> None:
    assert noun in of(question).calls


@pytest.mark.parametrize(
    ("question", "gender"),
    [("Who was her father?", "male"), ("Whom did he marry?", "female"), ("Who won?", None)],
)
def test_kinship_tells_the_gender(question: str, gender: str | None) -> None:
    assert of(question).gender == gender


def test_several_are_asked_for() -> None:
    assert of("Name her pupils.").plural
    assert not of("Who was her pupil?").plural
