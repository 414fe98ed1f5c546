"""Marksheets: what stands in them, what does not when redacted, and marks made from them alone."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import readmark
from made import asked, comprehension, passage, sat
from readmark.core.errors import DataError
from readmark.core.marksheet import (
    MarkedRecord,
    MarkedUnit,
    MarksRow,
    read_marksheet_header,
    read_marksheet_rows,
)
from readmark.core.problems import ReportProblem
from readmark.core.records import Answer, QuestionKey, RecordKey
from readmark.core.test import Header, Placed, Test
from readmark.marking.marks import make_marks
from readmark.marking.metrics import METRICS, build_metrics
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=100)
TEST = comprehension(
    passage(
        "p1",
        asked(
            "a",
            ("ann", "the verdigris kettle"),
            ("ben", "a kettle of copper"),
            ("ann", "green kettle"),
            level=3,
            type="what-thing",
            key_fields={"remark": "tinsmith's note"},
        ),
        asked("b", "crimson", published=["scarlet-ish", "cerise"], difficulty="moderate"),
        text="The kettle hung by the door. Nobody wore the red coat.",
        title="By the door",
        genre="tale",
        key=RecordKey(fields={"source": "ledger-77"}),
    ),
    passage(
        "p2",
        asked("c", unanswerable=True, plausible=(Answer(text="moored at dusk"),)),
        asked("d", "seven boats", options=("seven boats", "eight oars"), level=1),
        text="Seven boats lay in the harbour.",
        split="dev",
    ),
    licence="CC0",
    language="en",
)
SITTING = sat(
    {"a": ("kettle", "copper"), "b": None, "d": "seven boats"},
    signature={"model": "lead", "version": 2},
)
PANEL = [
    sat({"a": "green kettle", "b": "cerise"}, candidate="ann", limit=2),
    sat({"d": "boats"}, candidate="ben"),
]


def written(path: Path, **options: Any) -> tuple[Any, list[Any]]:
    chosen = {"settings": FEW, "by": ["level"], **options}
    result = readmark.mark(TEST, SITTING, marksheet=path, **chosen)
    return result, list(read_marksheet_rows(str(path)))


def test_round_trip(tmp_path: Path) -> None:
    file = tmp_path / "marks.jsonl"
    result, rows = written(file)
    header = read_marksheet_header(str(file))
    assert header.test == result.test
    assert (header.test.paper, header.test.key) == (TEST.facts.paper, TEST.facts.key)
    assert (header.test.language, header.test.licence) == ("en", "CC0")
    assert (header.candidate, header.signature) == ("reader", {"model": "lead", "version": 2})
    assert header.metrics == {name: mark.signature for name, mark in result.marks.items()}
    assert header.settings["draws"] == 100
    assert [type(row) for row in rows] == [
        MarkedRecord,
        MarkedUnit,
        MarkedUnit,
        MarkedRecord,
        MarkedUnit,
        MarkedUnit,
        MarksRow,
    ]
    units = {row.id: row for row in rows if isinstance(row, MarkedUnit)}
    assert list(units) == list(result.unit_vectors.ids)
    for at, id in enumerate(result.unit_vectors.ids):
        for name, matrix in result.unit_vectors.by_metric.items():
            assert units[id].vectors[name] == tuple(matrix[at])
    assert rows[-1].marks == msgspec.to_builtins(result.as_json(units=False))


def test_a_unit_row_tells_everything(tmp_path: Path) -> None:
    _, rows = written(tmp_path / "marks.jsonl")
    record, unit = rows[0], rows[1]
    assert [(one.label, one.text) for one in record.shown] == [
        ("title", "By the door"),
        ("passage", "The kettle hung by the door. Nobody wore the red coat."),
    ]
    assert (unit.id, unit.group) == ("a", "p1")
    assert [(one.label, one.text) for one in unit.shown] == [("question", "What is a?")]
    # every scalar field: the key's, the question's and the passage's
    assert unit.fields["level"] == 3
    assert unit.fields["type"] == "what-thing"
    assert unit.fields["remark"] == "tinsmith's note"
    assert unit.fields["genre"] == "tale"
    assert unit.fields["source"] == "ledger-77"
    assert [row.text for row in unit.answers] == ["kettle", "copper"]
    assert rows[2].answers[0].error == "timed out"
    assert [[one["text"] for one in person] for person in unit.gold] == [
        ["the verdigris kettle", "green kettle"],
        ["a kettle of copper"],
    ]
    assert unit.alone.keys() == {"em", "f1"}
    # each person's own: "the verdigris kettle" and "a kettle of copper" share 1 word of 2 and 3
    assert unit.annotators == ("ann", "ben")
    assert unit.alone["em"].each == ((0, 1), (0, 1))
    assert unit.alone["f1"].each == ((pytest.approx(2 / 5), 1), (pytest.approx(2 / 5), 1))
    assert rows[4].answers == ()  # not answered


def test_marks_can_be_made_from_the_rows_alone(tmp_path: Path) -> None:
    """Scores, intervals, slices and people's figures, to the bit, without test or sitting."""
    file = tmp_path / "marks.jsonl"
    result, rows = written(file)
    units = [row for row in rows if isinstance(row, MarkedUnit)]
    metrics = {name: METRICS.build(name)[1] for name in read_marksheet_header(str(file)).metrics}
    built = build_metrics(list(metrics), TEST)

    def marks(chosen: list[MarkedUnit]) -> dict[str, tuple[float | None, ...]]:
        groups = np.unique([row.group for row in chosen], return_inverse=True)[1]
        vectors = {name: np.array([row.vectors[name] for row in chosen]) for name in built}
        found = make_marks(built, vectors, groups, TEST.kind, FEW)
        return {name: (one.score, one.low, one.high) for name, one in found.items()}

    assert marks(units) == {
        name: (mark.score, mark.low, mark.high) for name, mark in result.marks.items()
    }
    for label, part in result.by["level"].items():
        chosen = [row for row in units if str(row.fields.get("level", "-")) == label]
        assert len(chosen) == part.units
        assert marks(chosen) == {
            name: (mark.score, mark.low, mark.high) for name, mark in part.marks.items()
        }
    beside = [row.alone["f1"] for row in units if row.alone]
    assert result.people.units == len(beside) == 2
    for side in ("machine", "people"):
        pairs = np.array([getattr(one, side) for one in beside]).sum(axis=0)
        assert getattr(result.people.marks["f1"], side) == 100 * pairs[0] / pairs[1]


def test_panel_vectors_stand_in_the_order_of_the_members(tmp_path: Path) -> None:
    file = tmp_path / "marks.jsonl"
    result, rows = written(file, people=PANEL)
    assert read_marksheet_header(str(file)).panel == ("ann", "ben")
    units = {row.id: row for row in rows if isinstance(row, MarkedUnit)}
    assert units["a"].panel["em"] == ((1, 1), (0, 1))
    assert units["d"].panel["em"] == (None, (0, 1))  # ann was to sit the first two alone
    assert units["d"].panel["f1"] == (None, (pytest.approx(2 / 3), 1))
    assert result.people.marks["em"].people == pytest.approx((100 + 0) / 2)


def test_people_have_a_marksheet(tmp_path: Path) -> None:
    file = tmp_path / "people.jsonl"
    result = readmark.people(TEST, marksheet=file, by=["level"], settings=FEW)
    header = read_marksheet_header(str(file))
    rows = list(read_marksheet_rows(str(file)))
    assert header.candidate == "people"
    units = [row for row in rows if isinstance(row, MarkedUnit)]
    assert [row.id for row in units if row.alone] == ["a", "b"]
    assert all(row.vectors == {} and row.answers == () for row in units)  # nobody sat
    assert rows[-1].marks["marks"]["f1"]["score"] == result.marks["f1"].score
    assert rows[-1].marks["method"] == "leave-one-out"


def test_redacted_marksheets_of_people_hold_no_answers(tmp_path: Path) -> None:
    open_file, redacted = tmp_path / "open.jsonl", tmp_path / "redacted.jsonl"
    readmark.people(TEST, marksheet=open_file, settings=FEW)
    found = readmark.people(TEST, marksheet=redacted, settings=FEW, redact=True)
    said = "verdigris", "crimson", "scarlet-ish", '"ann"'
    assert all(text in open_file.read_text(encoding="utf-8") for text in said)
    assert not any(text in redacted.read_text(encoding="utf-8") for text in said)
    each = list(read_marksheet_rows(str(redacted)))[-1].marks["each"]
    assert list(found.each)[:2] == ["ann", "ben"]
    assert list(each)[:2] == ["annotator 1", "annotator 2"]
    assert each["annotator 1"]["f1"]["score"] == found.each["ann"].marks["f1"].score


def gold_strings(test: Test) -> Iterator[str]:
    """Every text that stands in a key, wherever it stands."""

    def texts(value: Any) -> Iterator[str]:
        if isinstance(value, str):
            yield value
        elif isinstance(value, dict):
            for one in value.values():
                yield from texts(one)
        elif isinstance(value, list | tuple):
            for one in value:
                yield from texts(one)

    for record in test.records():
        if record.key is not None:
            yield from texts(msgspec.to_builtins(record.key))
        for question in record.questions:
            yield from texts(msgspec.to_builtins(question.key or QuestionKey()))


@pytest.mark.parametrize("people", [[], PANEL])
def test_redacted_marksheets_hold_no_gold(tmp_path: Path, people: list[Any]) -> None:
    open_file, redacted = tmp_path / "open.jsonl", tmp_path / "redacted.jsonl"
    written(open_file, people=people, by=[])
    result, rows = written(redacted, people=people, by=[], redact=True)
    seen = [record.text for record in TEST.records()]
    seen += [text for unit in TEST.units() for text in (unit.item.text, *unit.item.options)]
    seen += [row.text for id in SITTING for row in SITTING.of(id) if isinstance(row.text, str)]
    secret = {text for text in gold_strings(TEST) if not any(text in one for one in seen)}
    assert {"the verdigris kettle", "scarlet-ish", "crimson", "tinsmith's note"} <= secret
    assert {"what-thing", "moderate", "ledger-77", "moored at dusk"} <= secret

    def words(file: Path) -> str:
        lines = file.read_text(encoding="utf-8").splitlines()
        return json.dumps([json.loads(line) for line in lines], ensure_ascii=False)

    names = {"ann", "ben"}
    assert [text for text in sorted(secret - names) if text in words(redacted)] == []
    named = [name for name in sorted(names) if f'"{name}"' in words(redacted)]
    assert named == (["ann", "ben"] if people else [])  # the panel's names are no gold
    assert "the verdigris kettle" in words(open_file)  # the search can find what is there
    units = [row for row in rows if isinstance(row, MarkedUnit)]
    assert all(row.gold == () for row in units)
    assert units[0].fields == {"genre": "tale", "title": "By the door"}
    if not people:  # everybody's figures stay, under numbers
        assert units[0].annotators == ("annotator 1", "annotator 2")
        assert len(units[0].alone["em"].each) == 2
    # and yet the marks are the same
    plain = readmark.mark(TEST, SITTING, people=people, settings=FEW)
    assert rows[-1].marks["marks"] == msgspec.to_builtins(plain.as_json())["marks"]
    assert result.marks == plain.marks


def test_redacted_marksheets_keep_the_fields_asked_for(tmp_path: Path) -> None:
    _, rows = written(tmp_path / "redacted.jsonl", redact=True, by=["level"])
    assert rows[1].fields["level"] == 3
    assert "type" not in rows[1].fields


def test_redacted_marksheets_can_be_compared(tmp_path: Path) -> None:
    file = tmp_path / "redacted.jsonl"
    written(file, redact=True)
    other = sat({"a": "green kettle"}, candidate="other")
    told = {"settings": FEW, "errors_as_wrong": True}
    assert readmark.compare(TEST, file, other, **told) == readmark.compare(
        TEST, SITTING, other, **told
    )


@pytest.mark.parametrize("suffix", ["", ".gz", ".zst"])
def test_compression_by_suffix(tmp_path: Path, suffix: str) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / f"b.jsonl{suffix}"
    _, expected = written(plain)
    _, rows = written(packed)
    assert rows == expected


def test_rows_are_streamed(tmp_path: Path) -> None:
    """While the test is still being read, earlier units have left memory for the disk.

    A few hundred KB are written at a time: nothing is lost by that, since a marksheet that is not
    whole is never kept.
    """
    sizes: list[int] = []
    long = "The kettle sang beside the coat. " * 200
    records = [
        passage(f"p{at:03}", *(asked(f"q{at}.{n}", "kettle") for n in range(10)), text=long)
        for at in range(200)
    ]

    def stream(_: ReportProblem) -> Iterator[Placed]:
        for record in records:
            parts = list(tmp_path.glob(".marks.jsonl.*"))
            sizes.append(sum(part.stat().st_size for part in parts))
            yield record.id, record

    test = Test(Header(name="long", language="en"), stream)
    assert test.facts.units == 2000
    sizes.clear()
    file = tmp_path / "marks.jsonl"
    readmark.mark(test, sat({}), marksheet=file, settings=FEW)
    assert 0 < sizes[100] < sizes[-1] < file.stat().st_size
    kinds = [json.loads(line).get("row") for line in file.read_bytes().splitlines()]
    assert kinds[0] is None
    assert kinds[-1] == "marks"
    assert kinds.count("marks") == 1
    assert kinds.count("record") == 200


def test_a_failure_leaves_nothing_half_written(tmp_path: Path) -> None:
    file = tmp_path / "marks.jsonl"
    file.write_bytes(b"what was there before\n")

    def stream(_: ReportProblem) -> Iterator[Placed]:
        yield "p1", passage("p1", asked("a", "kettle"))
        if started:
            raise DataError("the disk is gone")

    started = False
    test = Test(Header(name="broken", language="en"), stream)
    assert test.facts.units == 1
    started = True
    with pytest.raises(DataError, match="the disk is gone"):
        readmark.mark(test, sat({"a": "kettle"}), marksheet=file, settings=FEW)
    with pytest.raises(DataError, match="does not have"):
        readmark.mark(TEST, sat({"a": "x", "zz": "x"}), marksheet=file, strict=True, settings=FEW)
    assert file.read_bytes() == b"what was there before\n"
    assert [one.name for one in tmp_path.iterdir()] == ["marks.jsonl"]


def test_truncated_marksheets_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "marks.jsonl"
    written(file)
    whole = file.read_bytes()
    lines = whole.splitlines(keepends=True)
    other = sat({"a": "kettle"}, candidate="other")
    told = {"errors_as_wrong": True, "settings": FEW}
    assert readmark.compare(TEST, file, other, **told)[0].units == 4
    for kept, message in (
        (b"".join(lines[:-1]), "ends before its marks; mark again"),
        (lines[0], "ends before its marks; mark again"),
        (whole[: -len(lines[-1]) // 2], "not valid JSON"),
        (b"".join(lines[:3])[:-9], "not valid JSON"),
    ):
        file.write_bytes(kept)
        with pytest.raises(DataError) as caught:
            readmark.compare(TEST, file, other, **told)
        assert message in str(caught.value)
        assert str(caught.value).startswith(f"{file}:")


def test_a_newer_marksheet_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "marks.jsonl"
    written(file)
    file.write_bytes(file.read_bytes().replace(b'"readmark":1', b'"readmark":9', 1))
    with pytest.raises(DataError, match="schema 9"):
        readmark.compare(TEST, file, SITTING)


def test_covers_is_said(tmp_path: Path) -> None:
    file = tmp_path / "marks.jsonl"
    part = sat({"a": "kettle"}, limit=2, without="passage")
    readmark.mark(TEST, part, marksheet=file, settings=FEW)
    header = read_marksheet_header(str(file))
    assert header.covers == "the first 2 units, without the passage"
    rows = list(read_marksheet_rows(str(file)))
    assert [row.id for row in rows if isinstance(row, MarkedUnit)] == ["a", "b"]
    assert rows[-1].marks["covers"] == header.covers
