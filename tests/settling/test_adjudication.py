"""The file of disagreements: written, decided in, read back; what is amiss is placed."""

import json
from pathlib import Path

import pytest

from readmark.core.errors import DataError
from readmark.settling import (
    AdjudicationHeader,
    Disagreement,
    read_adjudication,
    read_decisions,
    write_adjudication,
)

HEADER = AdjudicationHeader(work="translation", a="ann", b="bo")
ROWS = [
    Disagreement(id="1", what="question", record="p", unit="q", a="喝", b="饮", decision="b"),
    Disagreement(id="2", what="np", record="p", place=(0, 2), a=[0, 2], b=None, by="di"),
]


def test_it_reads_back_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    write_adjudication(path, HEADER, ROWS)
    assert read_adjudication(path) == (HEADER, ROWS)


def test_without_a_disagreement_there_is_no_file(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    note = write_adjudication(path, HEADER, [])
    assert note == f"nothing to adjudicate: {path} not written"
    assert not path.exists()
    assert read_decisions(path, HEADER, []) == (HEADER, [])
    with pytest.raises(DataError, match="no such file"):
        read_decisions(path, HEADER, ROWS)


def test_a_file_of_an_earlier_comparison_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    for name in (f"{path}.earlier", f"{path}.earlier2"):  # nothing that was decided is lost
        assert write_adjudication(path, HEADER, ROWS) == ""
        assert name in write_adjudication(path, HEADER, [])
        assert not path.exists()
        assert read_adjudication(name) == (HEADER, ROWS)


def test_what_is_adopted() -> None:
    row = Disagreement(id="1", what="key", record="p", a="x", b="y", decision="other", other="z")
    assert row.adopted == "z"
    assert ROWS[0].adopted == "饮"
    with pytest.raises(ValueError, match="undecided"):
        _ = ROWS[1].adopted


@pytest.mark.parametrize(
    ("said", "touched"),
    [({}, False), ({"by": ""}, False), ({"other": "z"}, True), ({"decided_cause": "x"}, True)],
)
def test_what_a_person_wrote_is_work(said: dict[str, str], touched: bool) -> None:
    assert Disagreement(id="1", what="key", record="p", **said).touched is touched  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id":"1","what":"np","record":"p","decision":"c"}', "3: is not a line"),
        ('{"id":"1","what":"np","record":"p"', "3: is not a line"),
        ('{"id":"1","what":"np","record":"p","a":' + "[" * 100_000, "3: is not a line .* too deep"),
        ('{"id":"1","what":"np","record":"p","a":"喝"}', "3: '1' occurs twice"),
    ],
)
def test_faulty_lines_are_placed(tmp_path: Path, line: str, said: str) -> None:
    path = tmp_path / "a.jsonl"
    write_adjudication(path, HEADER, ROWS[:1])
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    with pytest.raises(DataError, match=said):
        read_adjudication(path)


def test_another_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"readmark": 1, "file": "sitting"}) + "\n", encoding="utf-8")
    with pytest.raises(DataError, match="is a sitting file, expected an adjudication file"):
        read_adjudication(path)
