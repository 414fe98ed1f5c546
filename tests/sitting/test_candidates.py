"""Candidates by their names: parameters, spelling, kinds of test, and what is refused."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import readmark
from misbehaving_candidates import standing
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.kinds import KINDS
from readmark.sitting.candidates import CANDIDATES, build_candidate

Sit = Callable[..., Any]


def test_the_rules_are_in_the_signature(sit: Sit, journal: Path) -> None:
    sit("longest_overlap")
    assert standing(journal)[0]["signature"] == {
        "sentences": "rules-4",
        "words": "rules-1",
        "readmark": readmark.__version__,
    }


@pytest.mark.parametrize(
    ("candidate", "error", "message"),
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
def test_wrong_names_and_parameters_are_refused(
    sit: Sit, journal: Path, candidate: str, error: type[ReadmarkError], message: str
) -> None:
    with pytest.raises(error, match=message):
        sit(candidate)
    assert not journal.exists()


@pytest.mark.parametrize(
    ("name", "canonical"),
    [
        ("slow( ms = 0 )", "slow(ms=0)"),
        ("slow(ms=0.50)", "slow(ms=0.5)"),
        ("slow()", "slow"),
        ('moody(how="raise",on=q1)', "moody(on=q1,how=raise)"),
        ('moody(on="q1 q2")', 'moody(on="q1 q2")'),
    ],
)
def test_names_are_spelt_canonically(sit: Sit, journal: Path, name: str, canonical: str) -> None:
    sit(name)
    assert standing(journal)[0]["candidate"] == canonical
    assert sit(canonical).progress.before >= 4  # the journal is resumed under that name


def test_every_candidate_has_a_summary_and_a_docstring() -> None:
    for name, entry in CANDIDATES.entries.items():
        if entry.package == "readmark":
            assert entry.summary
            assert set(entry.kinds) <= set(KINDS)
            _, built = CANDIDATES.build(name)
            assert (built.__doc__ or "").strip()


def test_answers_in_a_file_are_sat_whatever_the_kind_of_test() -> None:
    dictation = SimpleNamespace(kind=SimpleNamespace(name="dictation"))
    assert build_candidate("keyed(file=answers.json)", dictation)[0] == "keyed(file=answers.json)"
    with pytest.raises(UsageError, match="lead sits comprehension tests, this one is dictation"):
        build_candidate("lead", dictation)
