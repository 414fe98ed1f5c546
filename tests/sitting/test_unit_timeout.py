"""Candidates that hang, crash or attack their own process: every other unit is still answered."""

from pathlib import Path

import pytest

import attacking_candidate
import readmark
from made import asked, comprehension, passage
from misbehaving_candidates import standing, timeless
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.test import Test
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=20, trials=20)
LIMIT = 0.7
SILENT = "no answer within 0.7 s"
DAMAGED = "the candidate wrote into the pipe of its worker process"
CLOSED = "the candidate closed the pipe of its worker process"
CRASHES: dict[str, str | None] = {
    "write_everywhere": DAMAGED,
    "write_a_byte": DAMAGED,
    "close_everything": CLOSED,
    "close_and_wait": CLOSED,
    "leave_a_child": "the worker process died (status 5)",
    "segfault": "the worker process died (signal 11)",
    "exit": "the worker process died (status 3)",
    "killed": "the worker process died (signal 9)",
    "print": None,
}
HANGS = dict.fromkeys(
    ("sleep", "ignore_sigterm", "stop", "hold_the_interpreter", "keep_a_child"), SILENT
)


def test_every_attack_is_tried() -> None:
    assert {*CRASHES, *HANGS} == {*attacking_candidate.ATTACKS}


def paper(count: int) -> Test:
    """A test of so many units, two a passage."""
    return comprehension(
        *(
            passage(f"p{number}", asked(f"q{number}", "x"), asked(f"q{number + 1}", "x"))
            for number in range(0, count, 2)
        )
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("workers", "limit", "attacks"),
    [(1, LIMIT, CRASHES | HANGS), (2, LIMIT, CRASHES | HANGS), (2, None, CRASHES)],
)
def test_every_other_unit_is_answered(
    journal: Path,
    workers: int,
    limit: float | None,
    attacks: dict[str, str | None],
    capfd: pytest.CaptureFixture[str],
) -> None:
    test = paper(2 * len(attacks) + 2)
    on = {f"q{2 * index + index % 2}": attack for index, attack in enumerate(attacks)}
    candidate = f'hostile(on="{" ".join(f"{id}:{attack}" for id, attack in on.items())}")'
    done = readmark.sit(test, candidate, journal, workers=workers, unit_timeout=limit)
    rows = {row["id"]: row for row in timeless(journal)}
    assert len(rows) == len(standing(journal)[1]) == test.facts.units
    errors = {on[id]: row["error"] for id, row in rows.items() if "error" in row}
    assert errors == {attack: error for attack, error in attacks.items() if error is not None}
    assert {row["text"] for id, row in rows.items() if id not in on} == {
        f"{id}!" for id in rows if id not in on
    }
    assert (done.errors, done.unanswered) == (len(errors), 0)
    printed = capfd.readouterr()
    assert printed.out == ""
    for words in ("by Python", "past sys.stdout", "by C", "by a child"):
        assert f"printed {words}" in printed.err


@pytest.mark.slow
@pytest.mark.parametrize(("workers", "limit"), [(1, None), (1, 60.0), (2, None)])
def test_an_answer_of_a_gigabyte_is_an_error(
    journal: Path, workers: int, limit: float | None
) -> None:
    candidate = 'hostile(on="q1:huge")'
    done = readmark.sit(paper(4), candidate, journal, workers=workers, unit_timeout=limit)
    assert (done.errors, done.progress.answered) == (1, 3)
    assert timeless(journal)[1]["error"] == "the answer is larger than 32 MiB as JSON"


@pytest.mark.slow
def test_a_limit_changes_nothing_in_the_journal(six: Test, tmp_path: Path) -> None:
    sittings = []
    for name, limit in (("plain", None), ("limited", 60.0)):
        journal = tmp_path / f"{name}.jsonl"
        done = readmark.sit(six, "longest_overlap", journal, unit_timeout=limit)
        sittings.append((standing(journal)[0], timeless(journal), done.errors, done.unanswered))
        assert [row["id"] for row in standing(journal)[1]] == [
            f"q{number}" for number in range(1, 7)
        ]
    assert sittings[0] == sittings[1]


@pytest.mark.slow
def test_error_rows_are_tried_again(six: Test, journal: Path, tmp_path: Path) -> None:
    cure = tmp_path / "cure"
    candidate = f'moody(on="q2",how=swallow,until="{cure}")'
    for attempt in (1, 2):
        done = readmark.sit(six, candidate, journal, unit_timeout=LIMIT)
        assert (done.errors, done.progress.before) == (1, 5 * (attempt - 1))
        last = standing(journal)[1][-1] if attempt == 2 else timeless(journal)[1]
        assert last == {"id": "q2", "error": SILENT} | ({"attempt": 2} if attempt == 2 else {})
    cure.touch()
    # Neither the limit nor the number of workers is a part of what was sat.
    done = readmark.sit(six, candidate, journal)
    assert (done.progress.answered, done.errors) == (1, 0)
    assert not readmark.mark(six, journal, settings=FEW).coverage.errors


@pytest.mark.slow
@pytest.mark.parametrize("attack", ["sleep", "segfault", "write_everywhere"])
def test_units_in_hand_together_are_asked_alone(journal: Path, attack: str) -> None:
    """Of a batch only the unit that fails by itself is an error; units passed over stay so."""
    candidate = f'hostile(on="q4:{attack} q5:{attack}",held=4,skips="q1 q6")'
    done = readmark.sit(paper(12), candidate, journal, unit_timeout=LIMIT)
    rows = timeless(journal)
    assert [row["id"] for row in rows if "error" in row] == ["q4", "q5"]
    answered = {row["id"] for row in rows if "text" in row}
    assert answered == {"q0", "q2", "q3", "q7", "q8", "q9", "q10", "q11"}
    assert (done.errors, done.unanswered) == (2, 2)


@pytest.mark.slow
def test_a_candidate_that_never_ends_has_answered(six: Test, journal: Path) -> None:
    done = readmark.sit(six, "hostile(never=ends)", journal, unit_timeout=LIMIT)
    assert (done.progress.answered, done.errors, done.unanswered) == (6, 0, 0)


@pytest.mark.slow
def test_a_candidate_that_never_begins_is_given_up(six: Test, journal: Path) -> None:
    with pytest.raises(ReadmarkError, match=r"one after another: no unit taken within 0.3 s"):
        readmark.sit(six, "hostile(never=begins)", journal, unit_timeout=0.3)
    assert standing(journal)[1] == []


@pytest.mark.slow
def test_with_a_limit_no_number_of_crashes_ends_a_sitting(journal: Path) -> None:
    on = " ".join(f"q{number}:segfault" for number in range(5))
    done = readmark.sit(paper(6), f'hostile(on="{on}")', journal, unit_timeout=60)
    assert (done.errors, done.progress.answered) == (5, 1)


@pytest.mark.slow
def test_an_answer_to_an_unknown_unit_ends_the_sitting(journal: Path) -> None:
    """As in one process: its other answers cannot be trusted; what was journalled stays."""
    with pytest.raises(ReadmarkError, match=r"answered 'x{200}', which it was not asked"):
        readmark.sit(paper(6), 'hostile(on="q3:stranger")', journal, unit_timeout=60)
    assert {row["id"] for row in standing(journal)[1]} <= {"q0", "q1", "q2"}


@pytest.mark.parametrize("limit", [0, -1.0, float("nan"), float("inf")])
def test_a_limit_is_a_number_of_seconds(six: Test, journal: Path, limit: float) -> None:
    with pytest.raises(UsageError, match=r"`unit_timeout` \S+ is not a number of seconds above 0"):
        readmark.sit(six, "lead", journal, unit_timeout=limit)
    assert not journal.exists()


def test_a_candidate_with_its_own_limits_is_refused(six: Test, journal: Path) -> None:
    endpoint = "http://127.0.0.1:9/v1"
    with pytest.raises(UsageError, match="limits its requests itself: use `timeout`, not `unit_ti"):
        readmark.sit(six, f'llm(model=m,base_url="{endpoint}")', journal, unit_timeout=5)
    assert not journal.exists()
