"""The journal: cut off at any byte it resumes, and no other file is ever changed."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from made import asked, chinese, comprehension, passage
from misbehaving_candidates import standing, timeless
from readmark.core.errors import DataError
from readmark.core.sitting import Row, SittingHeader
from readmark.core.test import Test
from readmark.formats.registry import open_sitting
from readmark.marking.settings import MarkSettings
from readmark.sitting.journal import first_line, open_journal

Sit = Callable[..., Any]
FEW = MarkSettings(draws=20, trials=20)
HEADER = SittingHeader(kind="comprehension", paper="f" * 32, candidate="reader")


def marks(test: Test, journal: Path) -> bytes:
    marked = readmark.mark(test, journal, metrics=["f1(profile=zh)"], settings=FEW)
    return msgspec.json.encode(marked.as_json())


@pytest.mark.slow
def test_cut_off_at_any_byte_it_gives_the_same_marks(journal: Path) -> None:
    test = chinese()
    readmark.sit(test, "lead", journal)
    whole = journal.read_bytes()
    marks_of_whole, rows = marks(test, journal), timeless(journal)
    lines = whole.splitlines(keepends=True)
    header, last_three = len(lines[0]), len(b"".join(lines[-3:]))
    cuts = [*range(header + 2), *range(len(whole) - last_three, len(whole))]
    inside = 0
    for cut in cuts:
        journal.write_bytes(whole[:cut])
        inside += _mid_character(whole[:cut])
        done = readmark.sit(test, "lead", journal)
        torn = cut > 0 and not whole[:cut].endswith(b"\n")
        message = f"{journal}: the last line was incomplete and has been removed"
        assert done.repaired == (message if torn else None)
        assert timeless(journal) == rows
        assert marks(test, journal) == marks_of_whole
    assert inside > 100  # many of the cuts were inside a Chinese character


def _mid_character(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return True
    return False


def test_cut_off_at_any_byte_it_can_be_marked(journal: Path) -> None:
    test = chinese()
    readmark.sit(test, "lead", journal)
    whole = journal.read_bytes()
    last = len(whole.splitlines(keepends=True)[-1])
    for cut in range(len(whole) - last, len(whole)):
        journal.write_bytes(whole[:cut])
        marked = readmark.mark(test, journal, settings=FEW)
        # A row that lacks nothing but its line feed is whole.
        lost = cut < len(whole) - 1
        assert list(marked.coverage.unanswered) == (["蜂房二"] if lost else [])
        assert bool(marked.notes) == (lost and cut > len(whole) - last)


@given(cuts=st.lists(st.integers(0, 4000), min_size=1, max_size=6))
def test_cut_off_again_and_again(tmp_path_factory: pytest.TempPathFactory, cuts: list[int]) -> None:
    journal = tmp_path_factory.mktemp("cut") / "s.jsonl"
    test = chinese()
    readmark.sit(test, "longest_overlap", journal, repeats=2)
    marks_of_whole = marks(test, journal)
    for cut in cuts:
        journal.write_bytes(journal.read_bytes()[:cut])
        readmark.sit(test, "longest_overlap", journal, repeats=2)
        assert marks(test, journal) == marks_of_whole


CHANGES: dict[str, tuple[str, dict[str, Any], str]] = {
    "a candidate": ("slow(ms=0)", {}, r"another candidate \(lead, now slow\(ms=0\)\)"),
    "repeats": ("lead", {"repeats": 2}, r"another `repeats` \(1, now 2\)"),
    "a limit": ("lead", {"limit": 2}, r"another `limit` \(none, now 2\)"),
    "a part": ("lead", {"without": "passage"}, r"another `without` \(none, now passage\)"),
}


@pytest.mark.parametrize("torn", [b"", b'{"id":"q9","te'])
@pytest.mark.parametrize("change", CHANGES)
def test_another_sitting_is_refused_and_nothing_changes(
    sit: Sit, journal: Path, change: str, torn: bytes
) -> None:
    candidate, options, difference = CHANGES[change]
    sit("lead")
    journal.write_bytes(journal.read_bytes() + torn)
    before = journal.read_bytes()
    with pytest.raises(
        DataError, match=f"^{journal}: was begun with {difference}; choose another file$"
    ):
        sit(candidate, **options)
    assert journal.read_bytes() == before


def test_options_that_are_left_out_later_are_refused(sit: Sit, journal: Path) -> None:
    sit("lead", repeats=2, limit=3, without="question")
    before = journal.read_bytes()
    for less in ("repeats", "without"):
        options = {"repeats": 2, "limit": 3, "without": "question"}
        del options[less]
        with pytest.raises(DataError, match=f"was begun with another `{less}` "):
            sit("lead", **options)
    assert journal.read_bytes() == before


def test_another_paper_is_refused(six: Test, journal: Path) -> None:
    readmark.sit(six, "lead", journal)
    before = journal.read_bytes()
    other = comprehension(
        *(msgspec.structs.replace(record, text="New.") for record in six.records())
    )
    with pytest.raises(DataError, match=rf"another paper \({six.facts.paper}, now "):
        readmark.sit(other, "lead", journal)
    assert journal.read_bytes() == before


def test_another_signature_is_refused_and_only_the_difference_is_named(
    sit: Sit, journal: Path, tmp_path: Path
) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text('{"q1": "x"}')
    candidate = f'keyed(file="{answers}")'
    sit(candidate)
    before = journal.read_bytes()
    assert sit(candidate).progress.before == 1
    answers.write_text('{"q1": "y"}')
    with pytest.raises(DataError) as caught:
        sit(candidate)
    message = str(caught.value)
    assert "was begun with another candidate's signature (sha256 " in message
    assert ", now sha256 " in message
    assert "file" not in message.split("signature")[1].replace("choose another file", "")
    assert journal.read_bytes() == before


def test_a_signature_with_tuples_is_the_same_when_it_is_read_back(sit: Sit) -> None:
    sit("slow(ms=0)")
    assert sit("slow(ms=0)").progress.before == 6


OTHER_FILES: dict[str, tuple[bytes, str]] = {
    "predictions in one line": (
        b'{"q1": "an answer"}',
        "cannot be resumed: not an unfinished sitting",
    ),
    "predictions": (b'{"q1": "an answer"}\n', "is not a sitting: it looks like a JSON object"),
    "a text": (b"Dear diary", "cannot be resumed: not an unfinished sitting"),
    "a text of lines": (
        b"Dear diary,\nnothing.",
        "is not a sitting: it looks like text that begins",
    ),
    "a test": (
        b'{"readmark":1,"kind":"comprehension"}\n{"id":"p","text":"x"}',
        "is not a sitting: it looks like a Readmark test",
    ),
    "a marksheet": (
        b'{"readmark":1,"file":"marksheet","candidate":"x"}\n{"row":"mar',
        "is not a sitting: it looks like a Readmark marksheet",
    ),
    "a newer schema": (
        b'{"readmark":9,"file":"sitting","candidate":"lead","new":1}\n{"id"',
        "newer_schema: made for schema 9",
    ),
    "a sitting of no paper": (
        b'{"readmark":1,"file":"sitting","candidate":"lead"}\n{"id":"q1","text":"x"}\n{"id":',
        "was begun with another kind of test (none, now comprehension)",
    ),
    "half a header of another": (
        b'{"readmark":1,"file":"sitting","candidate":"lon',
        "cannot be resumed: not an unfinished sitting",
    ),
    "a binary": (bytes(range(256)), "is not a sitting"),
    "not UTF-8": (b'{"q1": "caf\xe9"}\n', "not valid UTF-8"),
}


@pytest.mark.parametrize("what", OTHER_FILES)
def test_a_file_that_is_not_this_journal_is_not_changed(sit: Sit, journal: Path, what: str) -> None:
    data, message = OTHER_FILES[what]
    journal.write_bytes(data)
    with pytest.raises(DataError) as caught:
        sit("lead")
    assert str(caught.value).startswith(str(journal))
    assert message in str(caught.value)
    assert journal.read_bytes() == data


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (b'{"id":"q1","te\n', "json: not valid JSON"),
        (b'{"id":"q1","words":"x"}\n', "schema: object contains unknown field words"),
        (b'{"text":"x"}\n', "schema: object missing required field id"),
    ],
)
def test_a_bad_line_in_the_middle_is_refused(
    sit: Sit, journal: Path, bad: bytes, message: str
) -> None:
    sit("lead")
    first, *rows = journal.read_bytes().splitlines(keepends=True)
    data = first + rows[0] + bad + b"".join(rows[1:])[:-5]
    journal.write_bytes(data)
    with pytest.raises(DataError, match=f"^{journal}:3: {message}"):
        sit("lead")
    assert journal.read_bytes() == data


def test_rows_that_occur_twice_count_once(sit: Sit, journal: Path) -> None:
    sit("lead")
    data = journal.read_bytes()
    journal.write_bytes(data + b"".join(data.splitlines(keepends=True)[1:3]) + b"\n\n")
    done = sit("lead")
    assert (done.progress.before, done.progress.answered, done.unanswered) == (6, 0, 0)


def test_an_empty_file_is_begun(sit: Sit, journal: Path) -> None:
    journal.touch()
    assert sit("lead").repaired is None
    assert len(standing(journal)[1]) == 6


@pytest.mark.parametrize("suffix", [".gz", ".ZST"])
def test_a_journal_cannot_be_compressed(six: Test, tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"s.jsonl{suffix}"
    with pytest.raises(DataError, match="cannot be compressed"):
        readmark.sit(six, "lead", path)
    assert not path.exists()


def test_paths_that_cannot_be_written(six: Test, tmp_path: Path) -> None:
    for path, message in (
        (tmp_path / "none" / "s.jsonl", r"cannot be written \(No such file or directory\)"),
        (tmp_path, "is a folder, which needs a test in parts; .*"),
        (Path("/dev/full"), "is a device, expected a file to append to"),
    ):
        with pytest.raises(DataError, match=f"^{path}: {message}$"):
            readmark.sit(six, "lead", path)


def test_two_processes_at_once_are_refused(sit: Sit, six: Test, journal: Path) -> None:
    messages: list[str] = []

    def second(_: object) -> None:
        if not messages:
            before = journal.read_bytes()
            with pytest.raises(DataError) as caught:
                readmark.sit(six, "lead", journal)
            messages.append(str(caught.value))
            assert journal.read_bytes() == before

    sit("lead", watch=second)
    assert messages == [f"{journal}: another process is sitting into this file"]
    assert sit("lead").progress.before == 6  # the lock is gone


@contextmanager
def room(size: int) -> Iterator[None]:
    """No file can grow beyond a size, as if the disk were full."""
    resource = pytest.importorskip("resource")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_disk_that_is_full_at_any_byte(journal: Path) -> None:
    test = comprehension(passage("p", *next(iter(chinese().records())).questions, text="好。坏。"))
    readmark.sit(test, "lead", journal)
    header, first, second = journal.read_bytes().splitlines(keepends=True)
    for size in range(1, len(header) + len(first) + len(second) - 10):
        journal.unlink()
        with room(size), pytest.raises(DataError) as caught:
            readmark.sit(test, "lead", journal)
        content = journal.read_bytes()
        if size < len(header):
            assert str(caught.value) == f"{journal}: cannot be written (File too large)"
            assert content == b""
        else:
            assert "cannot be written (File too large); earlier answers are kept" in str(
                caught.value
            )
            assert content[: len(header)] == header
            rows = standing(journal)[1]
            assert len(rows) == len(open_sitting(journal, test.kind).rows) < 2
        done = readmark.sit(test, "lead", journal)
        assert done.repaired is None
        assert [row["id"] for row in standing(journal)[1]] == ["码头一", "码头二"]


def test_a_torn_line_is_reported_before_the_first_answer(sit: Sit, journal: Path) -> None:
    sit("lead")
    whole = timeless(journal)
    os.truncate(journal, journal.stat().st_size - 3)
    messages: list[tuple[str, int]] = []
    done = sit("lead", tell=lambda line: messages.append((line, len(standing(journal)[1]))))
    message = f"{journal}: the last line was incomplete and has been removed"
    assert messages == [(message, 5)]
    assert done.repaired == message
    assert timeless(journal) == whole
    assert sit("lead", tell=lambda line: messages.append((line, 0))).repaired is None
    assert len(messages) == 1


@pytest.mark.parametrize("workers", [1, 2])
def test_resumed_anywhere_it_is_the_same_sitting(tmp_path: Path, workers: int) -> None:
    """Many units, with errors among the rows: what is asked again is what was not answered."""
    test = comprehension(
        *(passage(f"p{n}", asked(f"q{n}", "x"), asked(f"r {n}", "x")) for n in range(300))
    )
    whole, parts = tmp_path / "whole.jsonl", tmp_path / "parts.jsonl"
    readmark.sit(test, "lead", whole, repeats=2)
    lines = whole.read_bytes().splitlines(keepends=True)
    rows = [json.loads(line) for line in lines[1:]]
    failed = [
        json.dumps({"id": row["id"], "repeat": row.get("repeat", 0), "error": "x"}) for row in rows
    ]
    # Every third row is missing, every fifth failed after it was answered, every seventh before.
    damaged = lines[:1]
    for index, (line, failure) in enumerate(zip(lines[1:], failed, strict=True)):
        if index % 7 == 0:
            damaged.append(failure.encode() + b"\n")
        if index % 3:
            damaged.append(line)
        if index % 5 == 0:
            damaged.append(failure.encode() + b"\n")
    parts.write_bytes(b"".join(damaged) + b'{"id":"q1","te')
    before = sum(bool(index % 3 and index % 5) for index in range(1200))
    done = readmark.sit(test, "lead", parts, repeats=2, workers=workers)
    assert (done.progress.before, done.progress.answered) == (before, 1200 - before)
    assert (done.errors, done.unanswered) == (0, 0)
    assert marks(test, parts) == marks(test, whole)
    again = readmark.sit(test, "lead", parts, repeats=2, workers=workers)
    assert (again.progress.before, again.progress.answered) == (1200, 0)


def test_the_header_is_the_first_line_with_what_readers_look_for() -> None:
    header = json.loads(first_line(SittingHeader(candidate="")))
    assert header == {"readmark": 1, "file": "sitting", "candidate": ""}
    assert first_line(HEADER).count(b"\n") == 1


def test_a_row_is_in_the_file_when_write_returns(journal: Path) -> None:
    with open_journal(journal, HEADER) as opened:
        assert standing(journal)[1] == []
        opened.write(Row(id="a", answer="x"))
        assert len(standing(journal)[1]) == 1
        opened.write(Row(id="b", error="timed out", attempt=2))
        assert opened.state.failed == {("b", 0): 2}
        opened.write(Row(id="b", answer="", attempt=3))
        assert opened.state.failed == {}
    with open_journal(journal, HEADER) as opened:
        assert opened.state.answered == {("a", 0), ("b", 0)}


def test_the_file_stays_the_same_file(sit: Sit, journal: Path) -> None:
    """Appended to, never replaced: who follows it with tail sees every row."""
    sit("lead", limit=2)
    inode = journal.stat().st_ino
    os.truncate(journal, journal.stat().st_size - 3)
    sit("lead", limit=2)
    assert journal.stat().st_ino == inode
