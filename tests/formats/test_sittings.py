"""Sittings: journals with repeats, errors and torn lines, and dictionaries of predictions."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError
from readmark.core.kinds import kind_named
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader, keep
from readmark.formats.registry import FORMATS, open_sitting

COMPREHENSION, SERIES = kind_named("comprehension"), kind_named("series")
HEADER = {"readmark": 1, "file": "sitting", "candidate": "reader"}

Write = Callable[..., Path]


@pytest.fixture
def journal(tmp_path: Path) -> Write:
    """Writes a sitting: rows as objects or as they stand, ended by a line break or not."""

    def write(*rows: Any, header: dict[str, Any] | None = None, end: str = "\n") -> Path:
        lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
        path = tmp_path / "s.jsonl"
        path.write_text("\n".join([json.dumps(HEADER | (header or {})), *lines]) + end)
        return path

    return write


@pytest.fixture
def predictions(tmp_path: Path) -> Write:
    """Writes predictions as they stand."""

    def write(text: str, name: str = "reader.json") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


def said(sitting: Sitting) -> dict[str, list[Any]]:
    return {id: [row.error or row.text for row in sitting.of(id)] for id in sitting}


def test_the_last_row_wins(journal: Write) -> None:
    path = journal(
        {"id": "a", "error": "timed out"},
        {"id": "b", "text": "early"},
        {"id": "a", "text": "late", "attempt": 2},
        {"id": "b", "error": "timed out"},
    )
    sitting = open_sitting(path, COMPREHENSION)
    assert said(sitting) == {"a": ["late"], "b": ["timed out"]}
    assert sitting.of("a")[0].attempt == 2
    assert sitting.of("absent") == ()


def test_repeats_stand_side_by_side_in_their_order(journal: Write) -> None:
    path = journal(
        {"id": "a", "error": "timed out", "repeat": 0},
        {"id": "a", "text": "one", "repeat": 1},
        {"id": "a", "text": "two", "repeat": 2},
        {"id": "a", "text": "zero", "repeat": 0, "attempt": 2},
        {"id": "a", "text": "another one", "repeat": 1},
    )
    assert said(open_sitting(path, COMPREHENSION)) == {"a": ["zero", "another one", "two"]}


@given(st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 3)), max_size=30))
def test_one_row_for_an_id_and_repeat(journalled: list[tuple[str, int]]) -> None:
    rows: Rows = {}
    last: dict[tuple[str, int], str] = {}
    for at, (id, repeat) in enumerate(journalled):
        keep(rows, Row(id=id, repeat=repeat, answer=str(at)))
        last[id, repeat] = str(at)
    sitting = Sitting(SittingHeader(), rows)
    kept = {(id, row.repeat): row.text for id in sitting for row in sitting.of(id)}
    assert kept == last
    for id in sitting:
        repeats = [row.repeat for row in sitting.of(id)]
        assert repeats == sorted(set(repeats))


@pytest.mark.parametrize(
    "torn",
    [
        '{"id": "b", "te',
        '{"id": "b", "text": "wor',
        "{",
        '{"id": "b", "text": "words"',
        '{"id": "北',
    ],
)
@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_a_torn_last_line_is_noted(journal: Write, torn: str, end: str) -> None:
    path = journal({"id": "a", "text": "x"}, torn, end=end)
    sitting = open_sitting(path, COMPREHENSION)
    assert said(sitting) == {"a": ["x"]}
    assert sitting.notes == (f"{path}:3: the last line is cut off and was left out",)


def test_a_line_torn_inside_a_character_is_noted(journal: Write) -> None:
    path = journal({"id": "a", "text": "x"}, end="\n")
    with path.open("ab") as stream:
        stream.write('{"id": "b", "text": "北'.encode()[:-1])
    assert open_sitting(path, COMPREHENSION).notes


def test_a_torn_line_in_the_middle_is_an_error(journal: Write) -> None:
    path = journal({"id": "a", "text": "x"}, '{"id": "b", "te', {"id": "c", "text": "y"})
    with pytest.raises(DataError) as caught:
        open_sitting(path, COMPREHENSION)
    assert str(caught.value).startswith(f"{path}:3: json: not valid JSON")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "a"}, "the row of 'a' has neither 'text' nor 'error'"),
        ({"id": "a", "rewrite": "x"}, "schema: object contains unknown field rewrite"),
        ({"text": "x"}, "schema: object missing required field id"),
        ({"id": 1, "text": "x"}, "schema: expected text, got int - at $.id"),
        ({"id": "a", "text": None}, "schema: expected text, got null - at $.text"),
        ({"id": "a", "text": 5}, "schema: expected text, got int - at $.text"),
        ({"id": "a", "answer": "x"}, "schema: object contains unknown field answer"),
        ({"id": "a", "text": "x", "sentence": [1]}, "schema: expected array of length 2"),
        (["a", "x"], "schema: expected object, got array"),
        ('{"id": "a", "text": "x", "score": NaN}\n{"id": "b", "text": ""}', "json: not valid JSON"),
    ],
)
def test_bad_rows(journal: Write, row: Any, message: str) -> None:
    path = journal(row)
    with pytest.raises(DataError) as caught:
        open_sitting(path, COMPREHENSION)
    assert str(caught.value).startswith(f"{path}:2: {message}")


def test_empty_text_is_an_answer(journal: Write) -> None:
    sitting = open_sitting(journal({"id": "a", "text": ""}), COMPREHENSION)
    assert said(sitting) == {"a": [""]}


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"kind": "series"}, "1: is a sitting of a series test, expected comprehension"),
        ({"readmark": 2}, "1: newer_schema: made for schema 2, this Readmark reads up to 1"),
        ({"readmark": 2, "new": 1}, "1: newer_schema: made for schema 2"),
        ({"own": 1}, "1: schema: object contains unknown field own; fields of your own go under"),
        ({"candidate": 5}, "1: schema: expected text, got int - at $.candidate"),
    ],
)
def test_bad_headers(journal: Write, header: dict[str, Any], message: str) -> None:
    path = journal({"id": "a", "text": "x"}, header=header)
    with pytest.raises(DataError) as caught:
        open_sitting(path, COMPREHENSION)
    assert str(caught.value).startswith(f"{path}:{message}")


def test_a_header_that_lists_many_units(journal: Write) -> None:
    covers = [f"unit-{at:08}" for at in range(20_000)]
    path = journal({"id": "unit-00000000", "text": "x"}, header={"covers": covers})
    assert path.stat().st_size > 1 << 17
    sitting = open_sitting(path, COMPREHENSION)
    assert sitting.header.covers == tuple(covers)
    assert said(sitting) == {"unit-00000000": ["x"]}


def test_a_header_alone(journal: Write) -> None:
    assert said(open_sitting(journal(), COMPREHENSION)) == {}


def test_a_sitting_of_series(journal: Write) -> None:
    path = journal({"id": "a", "rewrite": "Who made the kettle?"}, header={"kind": "series"})
    assert open_sitting(path, SERIES).of("a")[0].answer == "Who made the kettle?"
    with pytest.raises(DataError, match="is a sitting of a series test, expected comprehension"):
        open_sitting(path, COMPREHENSION)


def test_who_sat(journal: Write, predictions: Write) -> None:
    assert open_sitting(journal(), COMPREHENSION).candidate == "reader"
    assert open_sitting(journal(header={"candidate": ""}), COMPREHENSION).candidate == "s.jsonl"
    for name in ("my.model.v2.json", "my.model.v2"):
        found = open_sitting(predictions("{}", name), COMPREHENSION)
        assert found.candidate == "my.model.v2"
        assert found.header.paper is None


def test_predictions(predictions: Write) -> None:
    path = predictions('\ufeff{\r\n"q1": "北京",\r\n"q2": "",\r\n"q3": "\\ud83d\\ude00"\r\n}')
    sitting = open_sitting(path, COMPREHENSION)
    assert said(sitting) == {"q1": ["北京"], "q2": [""], "q3": ["😀"]}
    assert said(open_sitting(predictions("{}"), COMPREHENSION)) == {}
    rewritten = open_sitting(predictions('{"q1": "Who?"}'), SERIES)
    assert rewritten.of("q1")[0].answer == "Who?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"q1": "a", "q2": "b", "q1": "c"}', ":q1: the id occurs twice among the predictions"),
        ('{"q1": "a", "q1": "a"}', ":q1: the id occurs twice among the predictions"),
        ('{"q1": "a", "q2": null}', ":q2: the prediction is null, expected text"),
        ('{"q1": 5}', ":q1: the prediction is 5, expected text"),
        ('{"q1": true}', ":q1: the prediction is true, expected text"),
        ('{"q1": 1.5e3}', ":q1: the prediction is 1500.0, expected text"),
        ('{"q1": ["a", "b"]}', ':q1: the prediction is ["a", "b"], expected text'),
        ('{"q1": {"text": "北京"}}', ':q1: the prediction is {"text": "北京"}, expected text'),
        ('{"q1": NaN}', ":1:8: not valid JSON: invalid character (found 'N')"),
        ('{"q1": "a"', ":1:11: not valid JSON: it ends too early"),
        ('{"q1": "a",}', ":1:12: not valid JSON"),
        ("{'q1': 'a'}", ":1:2: not valid JSON"),
        ('{"q1": "\\ud800"}', ":1:17: not valid JSON: it ends too early, or holds half a surrog"),
        ('["a", "b"]', ": not a sitting of a format that is known: it looks like a JSON array"),
        ('[{"id": "q1"}]', ": not a sitting of a format that is known: it looks like a JSON array"),
        ('"q1"', ": not a sitting of a format that is known: it looks like text that begins"),
        ("q1\ta\n", ": not a sitting of a format that is known: it looks like text that begins"),
        ("", ": not a sitting of a format that is known: it looks like an empty file; known: "),
        ('{"q1": "a"}\n{"q2": "b"}\n', ":1: JSON Lines without a header: a test begins"),
        ('{"data": []}', ": not a sitting of a format that is known: it looks like a JSON object"),
    ],
)
def test_bad_predictions(predictions: Write, text: str, message: str) -> None:
    path = predictions(text)
    with pytest.raises(DataError) as caught:
        open_sitting(path, COMPREHENSION)
    assert str(caught.value).startswith(f"{path}{message}")


@pytest.mark.parametrize("encoding", ["utf-8", "gbk"])
def test_a_table_with_other_columns(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "answers.csv"
    path.write_bytes("题号,我的回答\r\n一,北京\r\n".encode(encoding))
    with pytest.raises(DataError) as caught:
        open_sitting(path, COMPREHENSION)
    assert "it looks like text that begins '题号,我的回答'; known: " in str(caught.value)
    assert str(caught.value).endswith("; a table has the columns id and text")


def test_a_long_prediction_is_clipped_in_the_message(predictions: Write) -> None:
    path = predictions(json.dumps({"q1": ["word"] * 1000}))
    with pytest.raises(DataError) as caught:
        open_sitting(path, COMPREHENSION)
    assert len(str(caught.value)) < len(str(path)) + 150


texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)


@given(st.dictionaries(texts, texts, max_size=5).filter(lambda one: "data" not in one))
def test_predictions_and_journals_hold_the_same(
    tmp_path_factory: pytest.TempPathFactory, answers: dict[str, str]
) -> None:
    folder = tmp_path_factory.mktemp("sittings")
    rows: Rows = {id: Row(id=id, answer=text) for id, text in answers.items()}
    sitting = Sitting(SittingHeader(candidate="reader"), rows)
    assert FORMATS.load("sitting").write_sitting(sitting, folder / "s.jsonl") == []
    journalled = open_sitting(folder / "s.jsonl", COMPREHENSION)
    assert journalled.rows == rows
    assert FORMATS.load("predictions").write_sitting(journalled, folder / "reader.json") == []
    assert json.loads((folder / "reader.json").read_bytes()) == answers
    if "readmark" not in answers:
        again = open_sitting(folder / "reader.json", COMPREHENSION)
        assert again.rows == rows
        assert again.candidate == "reader"


def test_what_predictions_cannot_store_is_counted(tmp_path: Path, journal: Write) -> None:
    path = journal(
        {"id": "a", "text": "x", "start": 0, "end": 1},
        {"id": "b", "text": "y", "repeat": 0},
        {"id": "b", "text": "z", "repeat": 1},
        {"id": "c", "error": "timed out"},
        {"id": "d", "text": "plain"},
        {"id": "e", "text": "", "evidence": {"reason": "refused"}},
    )
    sitting = open_sitting(path, COMPREHENSION)
    lost = FORMATS.load("predictions").write_sitting(sitting, tmp_path / "out.json")
    assert json.loads((tmp_path / "out.json").read_bytes()) == {"a": "x", "b": "y", "d": "plain"}
    assert lost == [
        "left out, error rows: 1",
        "left out, replies in which nothing was said: 1",
        "ids with repeats, of which the first was taken: 1",
        "answers with offsets, scores or evidence that predictions cannot store: 1",
    ]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (Row(id="a", answer="", evidence={"reason": "empty"}), "empty"),
        (Row(id="a", answer=" ", evidence={"reason": "refused"}), "refused"),
        (Row(id="a", answer="", evidence={"reason": "reasoning only"}), "reasoning only"),
        (Row(id="a", answer="x", evidence={"reason": "cut off"}), None),
        (Row(id="a", answer="", evidence={"reason": "the passage does not tell"}), None),
        (Row(id="a", answer="", evidence={"reason": ["empty"]}), None),
        (Row(id="a", answer=""), None),
        (Row(id="a", answer=3.0, evidence={"reason": "empty"}), None),
        (Row(id="a", answer=[], evidence={"reason": "empty"}), None),
    ],
)
def test_nothing_said_is_no_answer(row: Row, reason: str | None) -> None:
    assert row.no_answer_reason == reason
    assert row.answered == (reason is None)
    assert not Row(id="a", error="timed out").answered
