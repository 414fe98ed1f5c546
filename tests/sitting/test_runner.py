"""The runner: rows as they come, error rows, resuming, limits and repeats."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import readmark
from made import asked, comprehension, passage
from misbehaving_candidates import standing, timeless
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.records import Answer, QuestionKey
from readmark.core.test import Test, in_memory
from readmark.marking.settings import MarkSettings
from readmark.sitting.results import RunProgress

Sit = Callable[..., Any]
FEW = MarkSettings(draws=20, trials=20)
SIX = [f"q{number}" for number in range(1, 7)]


def test_every_answer_is_a_row_with_its_seconds(sit: Sit, six: Test, journal: Path) -> None:
    done = sit("slow(ms=2)")
    header, rows = standing(journal)
    assert header == {
        "readmark": 1,
        "file": "sitting",
        "candidate": "slow(ms=2)",
        "kind": "comprehension",
        "paper": six.facts.paper,
        "signature": {"understudy": "Slow", "seen": [1, 2], "readmark": readmark.__version__},
    }
    assert [(row["id"], row["text"]) for row in rows] == [
        (f"q{number}", f"q{number}!") for number in range(1, 7)
    ]
    assert all(0.002 <= row["seconds"] < 5 for row in rows)
    assert (done.progress.answered, done.progress.total) == (6, 6)
    assert (done.errors, done.unanswered) == (0, 0)
    assert done.candidate == "slow(ms=2)"


def test_every_row_is_in_the_journal_when_progress_is_reported(six: Test, journal: Path) -> None:
    counts: list[tuple[int, int]] = []

    def watch(progress: RunProgress) -> None:
        counts.append((progress.answered + progress.errors, len(standing(journal)[1])))

    readmark.sit(six, "moody(on=q3)", journal, watch=watch)
    assert counts == [(rows, rows) for rows in range(1, 7)]


def test_an_exception_is_an_error_row_and_tried_again(
    sit: Sit, journal: Path, tmp_path: Path
) -> None:
    cure = tmp_path / "cure"
    candidate = f'moody(on="q2 q5",until="{cure}")'
    failed = {"id": "q2", "error": "ValueError: no idea ?"}
    for attempt in (1, 2, 3):
        done = sit(candidate)
        assert (done.errors, done.unanswered) == (2, 0)
        assert (done.progress.answered, done.progress.before) == (
            (4, 0) if attempt == 1 else (0, 4)
        )
        attempts = [{}, *({"attempt": number} for number in range(2, attempt + 1))]
        rows = [row for row in timeless(journal) if row["id"] == "q2"]
        assert rows == [failed | number for number in attempts]
    cure.touch()
    done = sit(candidate)
    assert (done.errors, done.progress.answered) == (0, 2)
    assert timeless(journal)[4] == {"id": "q2", "text": "q2!", "attempt": 4}
    assert sit(candidate).progress.answered == 0


def test_errors_on_the_way_leave_the_marks_as_they_would_be(
    sit: Sit, six: Test, journal: Path, tmp_path: Path
) -> None:
    cure = tmp_path / "cure"
    candidate = f'moody(on="q1 q3 q5",until="{cure}")'
    sit(candidate)
    cure.touch()
    sit(candidate)
    straight = tmp_path / "straight.jsonl"
    readmark.sit(six, candidate, straight)
    assert marks(six, journal) == marks(six, straight)


def marks(test: Test, journal: Path) -> bytes:
    return msgspec.json.encode(readmark.mark(test, journal, settings=FEW).as_json())


def test_an_error_row_stays_until_it_is_answered(sit: Sit, journal: Path, tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    rows = [{"id": "q1", "text": "x"}, {"id": "q2", "error": "timed out"}]
    header = {"readmark": 1, "file": "sitting", "candidate": "ann"}
    answers.write_text("".join(json.dumps(line) + "\n" for line in [header, *rows]))
    candidate = f'keyed(file="{answers}")'
    assert (sit(candidate).errors, sit(candidate).errors) == (1, 1)
    assert standing(journal)[1][-1]["attempt"] == 2


@pytest.mark.parametrize(
    ("on", "size", "failed"),
    [
        # q3 comes first of (q1, q2, q3), which is said backwards: all three fail
        ("q3", 3, ["q1", "q2", "q3"]),
        ("q2", 3, ["q1", "q2"]),
        ("q1", 3, ["q1"]),
        # what failed with one batch does not fail again with the next
        ("q2 q4 q6", 2, ["q1", "q2", "q3", "q4", "q5", "q6"]),
        # the last batch is a part of one
        ("q6", 4, ["q5", "q6"]),
        ("q5", 4, ["q5"]),
    ],
)
def test_an_exception_in_a_batch_fails_the_units_that_are_held(
    sit: Sit, journal: Path, on: str, size: int, failed: list[str]
) -> None:
    done = sit(f'batcher(size={size},on="{on}")')
    rows = timeless(journal)
    assert [row["id"] for row in rows] == SIX
    assert {row["id"]: row["error"] for row in rows if "error" in row} == dict.fromkeys(
        failed, "RuntimeError: out of memory"
    )
    assert done.errors == len(failed)


@pytest.mark.parametrize(
    ("how", "message", "rows"),
    [
        ("early", "the candidate failed: OSError: no model here", 0),
        ("late", "the candidate failed: OSError: the model went away", 6),
        ("twice", "the candidate answered 'q2', which it was not asked or had already answered", 2),
        (
            "strange",
            "the candidate answered 'nobody', which it was not asked or had already answered",
            2,
        ),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_candidate_that_answers_other_units_is_stopped(
    sit: Sit, journal: Path, how: str, message: str, rows: int, workers: int
) -> None:
    with pytest.raises(ReadmarkError) as caught:
        sit(f"wilful(how={how})", workers=workers)
    if workers == 1:
        assert str(caught.value) == message
        assert len(standing(journal)[1]) == rows
    else:
        assert str(caught.value).startswith(message.split("'")[0])
        assert len(standing(journal)[1]) <= 6


def test_units_that_are_never_answered_are_counted(sit: Sit, journal: Path, six: Test) -> None:
    done = sit("wilful(how=stops)")
    assert (done.progress.answered, done.unanswered, done.errors) == (2, 4, 0)
    marked = readmark.mark(six, journal, settings=FEW)
    assert list(marked.coverage.unanswered) == ["q3", "q4", "q5", "q6"]
    done = sit("wilful(how=stops)")
    assert (done.progress.before, done.progress.answered, done.unanswered) == (2, 2, 2)


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("empty", "the candidate gave a row without 'text'"),
        ("number", "the answer cannot be journalled: ValidationError: Expected `str | null`"),
        ("object", "the answer cannot be journalled: TypeError: Encoding objects of type object"),
        ("surrogate", "the answer cannot be journalled: UnicodeEncodeError: "),
        (
            "offsets",
            "the answer cannot be journalled: ValidationError: Expected `array` of length 2",
        ),
        ("tuple", "TypeError: the candidate gave a tuple, expected a Row"),
        ("nothing", "TypeError: the candidate gave a NoneType, expected a Row"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_rows_that_no_journal_can_hold_are_error_rows(
    sit: Sit, journal: Path, six: Test, how: str, message: str, workers: int
) -> None:
    candidate = f"clumsy(on=q2,how={how})"
    done = sit(candidate, workers=workers)
    assert done.errors == 1
    rows = timeless(journal)
    assert [row["id"] for row in rows] == SIX
    assert message.replace("`str | null`", "`str`") in rows[1]["error"]
    assert list(readmark.mark(six, journal, settings=FEW).coverage.errors) == ["q2"]
    assert sit(candidate).progress.before == 5


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("prepare", "candidate unready(how=prepare) cannot sit: RuntimeError: no CUDA device"),
        ("signature", "candidate unready(how=signature) cannot sit: TypeError: "),
        ("data", "weights.bin: is no model"),
    ],
)
@pytest.mark.parametrize("workers", [1, 2])
def test_a_candidate_that_cannot_be_prepared_is_refused(
    sit: Sit, journal: Path, how: str, message: str, workers: int
) -> None:
    with pytest.raises(ReadmarkError) as caught:
        sit(f"unready(how={how})", workers=workers)
    assert str(caught.value).startswith(message)
    assert not journal.exists()


@pytest.mark.parametrize(
    ("how", "message"), [("cancel", "CancelledError: "), ("close", "GeneratorExit: ")]
)
def test_whatever_a_candidate_raises_is_a_row(
    sit: Sit, journal: Path, how: str, message: str
) -> None:
    assert sit(f'moody(on="q1 q4",how={how})').errors == 2
    errors = {row["id"]: row["error"] for row in timeless(journal) if "error" in row}
    assert errors == {"q1": message.strip(), "q4": message.strip()}


@pytest.mark.parametrize("repeats", [1, 2])
def test_an_interrupt_ends_the_sitting_wherever_the_candidate_is(
    sit: Sit, journal: Path, repeats: int
) -> None:
    with pytest.raises(KeyboardInterrupt):
        sit("moody(on=q4,how=interrupt)", repeats=repeats)
    assert [row["id"] for row in standing(journal)[1]] == ["q1", "q2", "q3"]


def test_a_library_that_exits_does_not_end_the_sitting(sit: Sit, journal: Path) -> None:
    assert sit('moody(on="q1 q4",how=exit)').errors == 2
    errors = {row["id"]: row["error"] for row in timeless(journal) if "error" in row}
    assert errors == {"q1": "SystemExit: 0", "q4": "SystemExit: 0"}


@pytest.mark.parametrize(
    ("limit", "covers", "workers"),
    [
        (1, ["q1"], 1),
        (3, ["q1", "q2", "q3"], 1),
        (4, ["q1", "q2", "q3", "q4"], 2),
        (6, None, 1),
        (99, None, 1),
    ],
)
def test_a_limit_is_in_the_header_and_in_the_marks(
    sit: Sit, six: Test, journal: Path, limit: int, covers: list[str] | None, workers: int
) -> None:
    done = sit("slow(ms=0)", limit=limit, workers=workers)
    header, rows = standing(journal)
    assert header.get("covers") == covers
    assert header.get("limit") == (limit if covers else None)
    assert len(rows) == done.progress.total == min(limit, 6)
    marked = readmark.mark(six, journal, settings=FEW)
    assert list(marked.unit_vectors.ids) == (covers or SIX)
    assert not marked.coverage.unanswered
    assert marked.coverage.covers == (
        f"the first {limit} {'unit' if limit == 1 else 'units'}" if covers else None
    )
    if covers is None:
        assert sit("slow(ms=0)").progress.before == 6


def test_a_limit_of_a_test_in_another_order_is_refused(six: Test, journal: Path) -> None:
    records = list(six.records())
    turned = in_memory(six.header, reversed(records))
    assert turned.facts.paper == six.facts.paper
    readmark.sit(six, "slow(ms=0)", journal, limit=2)
    before = journal.read_bytes()
    with pytest.raises(DataError, match=r"another order of units \(q1, q2, now q6, q4\)"):
        readmark.sit(turned, "slow(ms=0)", journal, limit=2)
    assert journal.read_bytes() == before
    whole = journal.with_name("whole.jsonl")
    readmark.sit(six, "slow(ms=0)", whole)
    assert readmark.sit(turned, "slow(ms=0)", whole).progress.before == 6


def test_repeats_are_averaged_and_have_a_deviation(
    six: Test, journal: Path, tmp_path: Path
) -> None:
    # kettle is right for q6 alone, q5! for q5, boats for q4: 1 of 6 each time but for the last
    readmark.sit(six, 'changing(words="kettle q5! boats nothing")', journal, repeats=4)
    header, rows = standing(journal)
    assert header["repeats"] == 4
    assert [row.get("repeat", 0) for row in rows] == [0] * 6 + [1] * 6 + [2] * 6 + [3] * 6
    marked = readmark.mark(six, journal, metrics=["em"], settings=FEW)
    assert marked["em"].score == pytest.approx(100 * 3 / 24)
    assert marked.per_unit()["q6"]["em"] == pytest.approx(0.25)
    repeats = marked.as_json()["repeats"]["em"]
    assert repeats["scores"] == pytest.approx([100 / 6, 100 / 6, 100 / 6, 0])
    # three times 16.67 and 0 have mean 12.5: sqrt((3 * 4.1667² + 12.5²) / 3) = 8.3333
    assert repeats["deviation"] == pytest.approx(8.3333, abs=1e-4)


def test_a_missing_repeat_counts_as_unanswered(six: Test, journal: Path) -> None:
    candidate = 'changing(words="q1! q1! q1!")'
    readmark.sit(six, candidate, journal, repeats=3)
    lines = journal.read_bytes().splitlines(keepends=True)
    others = [line for line in lines if not (b'"q1"' in line and b'"repeat":1' in line)]
    assert len(others) == len(lines) - 1
    journal.write_bytes(b"".join(others))
    marked = readmark.mark(six, journal, metrics=["em"], settings=FEW)
    assert marked.per_unit()["q1"]["em"] == pytest.approx(2 / 3, abs=1e-8)
    assert (list(marked.coverage.unanswered), marked.answered) == (["q1"], 5)
    assert (marked.coverage.missing, marked.coverage.not_sat) == ({1: ["q1"]}, [])
    assert marked.as_json()["repeats"]["em"]["scores"][1] == 0
    done = readmark.sit(six, candidate, journal, repeats=3)
    assert (done.progress.before, done.progress.answered) == (17, 1)
    assert readmark.mark(six, journal, metrics=["em"], settings=FEW).per_unit()["q1"]["em"] == 1


def test_one_repeat_has_no_deviation(six: Test, journal: Path) -> None:
    readmark.sit(six, "slow(ms=0)", journal)
    assert "repeats" not in readmark.mark(six, journal, settings=FEW).as_json()


@pytest.mark.parametrize("option", ["workers", "limit", "repeats"])
@pytest.mark.parametrize("value", [0, -3])
def test_numbers_below_one_are_refused(sit: Sit, journal: Path, option: str, value: int) -> None:
    with pytest.raises(UsageError, match=f"`{option}` {value} is less than 1"):
        sit("lead", **{option: value})
    assert not journal.exists()


@pytest.mark.parametrize(("option", "most"), [("workers", 1024), ("repeats", 1000)])
def test_numbers_that_are_too_large_are_refused(
    sit: Sit, journal: Path, option: str, most: int
) -> None:
    with pytest.raises(UsageError, match=f"`{option}` {most + 1} is more than {most:,}"):
        sit("lead", **{option: most + 1})
    assert not journal.exists()


def test_a_test_without_a_key_can_be_sat(journal: Path) -> None:
    public = comprehension(passage("p", asked("q1", key=False), asked("q2", key=False)))
    assert readmark.sit(public, "lead", journal).progress.answered == 2


def test_a_sitting_outlives_a_corrected_key(six: Test, journal: Path) -> None:
    readmark.sit(six, "slow(ms=0)", journal, limit=2)
    key = QuestionKey(answers=(Answer(text="new"),))
    corrected = comprehension(
        *(
            msgspec.structs.replace(
                record,
                questions=tuple(
                    msgspec.structs.replace(question, key=key) for question in record.questions
                ),
            )
            for record in six.records()
        )
    )
    assert corrected.facts.key != six.facts.key
    assert readmark.sit(corrected, "slow(ms=0)", journal, limit=2).progress.before == 2


def test_a_candidate_is_called_by_its_given_name_in_tables(tmp_path: Path) -> None:
    """The name is in the headers, the command that sits again has both, and it cannot change."""
    test = comprehension(passage("p", asked("a", "Ann"), asked("b", "boat"), asked("c", "coat")))
    path, sheet = tmp_path / "s.jsonl", tmp_path / "m.jsonl"
    readmark.sit(test, "lead", path, name="First sentence")
    header = json.loads(path.read_text("utf-8").splitlines()[0])
    assert (header["candidate"], header["name"]) == ("lead", "First sentence")
    marks = readmark.mark(test, path, marksheet=sheet, draws=10)
    assert marks.candidate == marks.as_json()["candidate"] == "First sentence"
    assert "First sentence" in str(readmark.table(sheet))
    readmark.report(sheet, path=tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "readmark sit TEST -r lead --name &#39;First sentence&#39;" in page
    assert readmark.sit(test, "lead", path).progress.before == 3  # the name stays
    with pytest.raises(readmark.DataError, match=r"another `name` \(First sentence, now other\)"):
        readmark.sit(test, "lead", path, name="other")
