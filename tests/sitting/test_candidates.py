"""Candidates by name: their parameters, signatures, what is refused, and errors as rows."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.error_rows import error_line, failure, one_by_one
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.kinds import KINDS, kind_named
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.core.test import Test
from readmark.sitting.candidates import CANDIDATES, build_candidate
from understudies import standing

Sit = Callable[..., Any]


def test_the_rules_are_in_the_signature(sit: Sit, journal: Path) -> None:
    sit("longest_overlap")
    signature = standing(journal)[0]["signature"]
    assert signature == {
        "sentences": "rules-4",
        "words": "rules-1",
        "readmark": readmark.__version__,
    }


@pytest.mark.parametrize(
    ("candidate", "without", "said"),
    [
        ("none", None, ["When?", "Who?"]),
        ("append", None, ["When? Lunokhod 1", "Who? Lunokhod 1"]),
        ("append", "target", ["When?", "Who?"]),
        ("append", "question", [" Lunokhod 1", " Lunokhod 1"]),
        ("none", "question", ["", ""]),
    ],
)
def test_rewriters(
    rover: Test, journal: Path, candidate: str, without: str | None, said: list[str]
) -> None:
    readmark.sit(rover, candidate, journal, without=without)
    assert [row["rewrite"] for row in standing(journal)[1]] == said


@pytest.mark.parametrize(
    ("candidate", "error", "said"),
    [
        ("keyed", UsageError, r"candidate keyed needs a file: keyed\(file=answers.json\)"),
        ('keyed(file="")', UsageError, "candidate keyed needs a file"),
        ("keyed(file=none.json)", DataError, "none.json: no such file"),
        ("keyed(fiel=a.json)", UsageError, r"has no parameter 'fiel'; did you mean file\?"),
        ("keyed(file=a.json,b=1)", UsageError, "has no parameter 'b'; known: file"),
        ("lead(n=2)", UsageError, "candidate lead has no parameter 'n'; it takes none"),
        ("lead(language=zh)", UsageError, "candidate lead has no parameter 'language'"),
        ("leed", UsageError, r"unknown candidate 'leed'; did you mean lead\?"),
        ("longestoverlap", UsageError, r"did you mean longest_overlap\?"),
        ("slow(ms=fast)", UsageError, "candidate slow: ms=fast is not a number"),
        ("slow(ms=true)", UsageError, "candidate slow: ms=true is not a number"),
        ("none", UsageError, "candidate none sits series tests, this one is comprehension"),
        ("guess", UsageError, "candidate guess sits readability tests, this one is compr"),
        ("lead(", UsageError, "cannot read the parameters of 'lead\\('"),
        ("Lead", UsageError, "not a name: 'Lead'"),
        ("", UsageError, "not a name: ''"),
    ],
)
def test_what_is_refused(
    sit: Sit, journal: Path, candidate: str, error: type[ReadmarkError], said: str
) -> None:
    with pytest.raises(error, match=said):
        sit(candidate)
    assert not journal.exists()


@pytest.mark.parametrize(
    ("asked_for", "canonical"),
    [
        ("slow( ms = 0 )", "slow(ms=0)"),
        ("slow(ms=0.50)", "slow(ms=0.5)"),
        ("slow()", "slow"),
        ('moody(how="raise",on=q1)', "moody(on=q1,how=raise)"),
        ('moody(on="q1 q2")', 'moody(on="q1 q2")'),
    ],
)
def test_names_are_spelt_canonically(
    sit: Sit, journal: Path, asked_for: str, canonical: str
) -> None:
    sit(asked_for)
    assert standing(journal)[0]["candidate"] == canonical
    assert sit(canonical).progress.before >= 4  # and the journal is gone on with by that name


def test_every_candidate_says_what_it_is() -> None:
    for name, entry in CANDIDATES.entries.items():
        if entry.package == "readmark":
            assert entry.summary
            assert set(entry.kinds) <= set(KINDS)
            _, built = CANDIDATES.build(name)
            assert (built.__doc__ or "").strip()


def test_one_by_one_goes_on_after_an_exception() -> None:
    record = next(iter(comprehension(passage("p", asked("a"), asked("b"), asked("c"))).records()))
    units = list(kind_named("comprehension").units(record))

    def reply(unit: Unit) -> Row:
        if unit.id == "b":
            raise KeyError("b")
        return Row(id=unit.id, answer="x")

    found = list(one_by_one(units, reply))
    assert [row.error for row in found] == [None, "KeyError: 'b'", None]


def test_errors_are_told_in_one_line() -> None:
    assert failure("q", ValueError("a\n  b\u2028c")) == Row(id="q", error="ValueError: a b c")
    assert error_line(ValueError("x" * 900)) == "ValueError: " + "x" * 488
    assert error_line(OSError("\udcff")) == "OSError: ?"


def test_answers_in_a_file_are_sat_whatever_the_kind_of_test() -> None:
    dictation = SimpleNamespace(kind=SimpleNamespace(name="dictation"))
    assert build_candidate("keyed(file=answers.json)", dictation)[0] == "keyed(file=answers.json)"
    with pytest.raises(UsageError, match="lead sits comprehension tests, this one is dictation"):
        build_candidate("lead", dictation)
