"""Formulas of passages in files: numbers by hand, reasons for no measure, and the tables."""

import io
import json
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from readmark.core.errors import UsageError
from readmark.readability.measure import measure
from text_folder import CHINESE, EASY


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with files in both languages."""
    rows = [
        {"id": "a", "text": "Hello there, my friend."},
        {"id": "b", "text": ""},
        {"id": 3, "text": CHINESE},
        {"id": "f", "text": "Le chat dort.", "language": "fr"},
    ]
    (tmp_path / "easy.txt").write_text(EASY, encoding="utf-8")
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "rows.jsonl").write_text(lines, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_plain_text_by_hand(folder: Path) -> None:
    """0.0496 x 9 + 3.6365, and 206.835 - 9.135 - 84.6."""
    document = measure(["easy.txt"]).as_json()
    passage = document["formulas"]["easy.txt"]
    assert (passage["words"], passage["sentences"], passage["language"]) == (18, 2, "en")
    assert passage["dale_chall"] == 4.0829
    assert passage["grades"] == "4 and below"
    assert passage["flesch"] == 113.1
    assert passage["reason"] is None
    assert set(document["signature"]) == {"en"}


def test_each_language_has_its_measures_and_no_measure_is_null_with_a_reason(folder: Path) -> None:
    passages = measure(["rows.jsonl"]).as_json()["formulas"]
    assert list(passages) == ["a", "b", "3", "f"]
    assert passages["b"]["dale_chall"] is None
    assert passages["b"]["reason"] == "the text is empty"
    assert passages["3"]["characters_per_sentence"] == 5.5
    assert "flesch" not in passages["3"]
    assert passages["f"]["reason"] == "there is no formula for fr"
    assert passages["f"]["flesch"] is None


def test_the_language_can_be_given(folder: Path) -> None:
    passages = measure(["easy.txt"], language="zh").as_json()["formulas"]
    assert passages["easy.txt"]["reason"] == "the text has no Chinese word"
    with pytest.raises(UsageError, match="no formula for 'fr'"):
        measure(["easy.txt"], language="fr")


def test_an_encoding_other_than_utf_8_is_in_the_document(folder: Path) -> None:
    (folder / "gb.txt").write_bytes(CHINESE.encode("gb18030"))
    (folder / "utf.txt").write_text(CHINESE, encoding="utf-8")
    in_gb, in_utf = measure(["gb.txt", "utf.txt"]).as_json()["formulas"].values()
    assert in_gb.pop("encoding") == "gb18030"
    assert in_gb | {"file": ""} == in_utf | {"file": ""}


def test_tables_fit_80_columns(folder: Path) -> None:
    console = Console(file=io.StringIO(), width=80)
    measure(["rows.jsonl", "easy.txt"]).show(console)
    assert isinstance(console.file, io.StringIO)
    lines = console.file.getvalue().splitlines()
    assert max(cell_len(line) for line in lines if not line.startswith("signature ")) <= 80
    assert "rows.jsonl: b: no measure, the text is empty" in lines
    row = next(line for line in lines if line.startswith("easy.txt "))
    assert row.split()[:7] == ["easy.txt", "18", "2", "4.08", "4", "and", "below"]
