"""The pages of reproductions follow from the printed tables and from what Readmark computes."""

from pathlib import Path

import pytest

from command_line import in_process
from reproductions import pages, reproduce
from reproductions.checks import findings
from reproductions.tables import FOLDERS, Document, Table, documents

TABLE = """
number = "Table 1"
title = "marks"
note = "A table made up for this test."
[printed]
columns = ["before", "after", "gain"]
rows = [["a", 41.2, 51.3, 10.1], ["b", 41.2, 51.3, 12.3], ["c", 41.2, 51.3, 10.2], ["n", 3, 4, "-"]]
[[check]]
what = "after less before"
cell = ["*", "gain"]
equals = "cell(row, 'after') - cell(row, 'before')"
[[check]]
what = "questions before and after"
stated = 8
equals = "sum(across('n'))"
[[check]]
claim = "c gains most"
holds = "cell('c', 'gain') == max(down('gain', without=['b']))"
[runs.score]
command = "readmark score f1 'p q' 'p q r s' --json"
[runs.chinese]
function = "readmark:score"
arguments = { metric = "f1", answer = "北京市", references = ["北京"], language = "zh" }
[[readmark]]
name = "Chinese"
[readmark.cells]
c = "chinese('score')"
[[readmark]]
name = "f1"
compare = "gain"
tolerance = "5%"
decimals = 2
[readmark.cells]
a = '15.15 * score("score")'
b = '18.45 * score("score")'
"""


def run(arguments: list[str], folder: Path, status: int) -> str:
    done = in_process(*arguments, cwd=folder)
    assert done.returncode == status, done.stderr
    return done.stdout


@pytest.fixture
def document(tmp_path: Path) -> Document:
    about = 'title = "Marks"\nshort = "M"\nyear = 2000\nnote = "Made up."\n'
    (tmp_path / "document.toml").write_text(about, encoding="utf-8")
    (tmp_path / "table-1.toml").write_text(TABLE, encoding="utf-8")
    return Document(tmp_path)


@pytest.mark.command
def test_nothing_is_stale() -> None:
    results = reproduce.Results(run)
    assert reproduce.stale(documents(), results) == [], "run make reproduce"


def test_values_that_rounding_cannot_explain_are_found(document: Document) -> None:
    """51.3 − 41.2 is 10.1 ± 0.1, and the printed difference itself is ± 0.05."""
    (table,) = document.tables.values()
    found = list(findings(table, document))
    follows = {finding.cell: finding.follows for finding in found[:3]}
    assert follows == {("a", "gain"): True, ("b", "gain"): False, ("c", "gain"): True}
    assert found[1].computed == pytest.approx(10.1)
    assert found[1].slack == pytest.approx(0.15)
    assert [finding.follows for finding in found[3:]] == [False, True]  # 3 + 4 is 7, exactly


@pytest.mark.command
def test_a_page_shows_both_sides_and_what_is_wrong(document: Document) -> None:
    """F1 of "p q" against four words: precision 1, recall 1/2, so 2/3; 2/3 × 15.15 is 10.1.

    北京市 against 北京: precision 2/3, recall 1, so 4/5.
    """
    assert reproduce.update(document, "table-1", reproduce.Results(run))
    page = pages.page(document)
    assert "| a | 41.2 | 51.3 | 10.1 | 10.10 |   |" in page
    assert "| b | 41.2 | 51.3 | 12.3 ‡ | 12.30 |   |" in page
    wrong = "- after less before: b, gain: printed 12.3, computed 10.1 ± 0.15 by rounding.\n"
    assert wrong in page
    assert "- questions before and after: printed 8, computed 7." in page
    assert "| c | 41.2 | 51.3 | 10.2 |   | 0.8 |" in page
    assert "3 of 5 agree" in page
    assert not reproduce.update(document, "table-1", reproduce.Results(run))
    document.results["table-1"]["cells"]["f1"]["a"] = 10.61  # more than 5% from 10.1
    assert "| 10.1 | 10.61 ≠ |" in pages.page(document)


@pytest.mark.command
def test_a_changed_result_a_changed_command_and_a_changed_page_are_stale(
    document: Document, tmp_path: Path
) -> None:
    results = reproduce.Results(run)
    reproduce.update(document, "table-1", results)

    def stale() -> list[str]:
        """What a fresh look at the files finds."""
        return reproduce.stale([Document(tmp_path)], results, tmp_path)

    for name, text in pages.pages([document]).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    assert stale() == []
    printed = tmp_path / "table-1.toml"
    printed.write_text(TABLE.replace("12.3", "10.1"), encoding="utf-8")
    assert [line.split(": ")[-1] for line in stale()] == ["stale", "stale"]
    printed.write_text(TABLE.replace("15.15", "15.5"), encoding="utf-8")
    assert "changed since it was last computed" in stale()[0]
    printed.write_text(TABLE, encoding="utf-8")
    stored = document.results_path.read_text(encoding="utf-8")
    document.results_path.write_text(stored.replace("10.1", "10.2"), encoding="utf-8")
    assert "computes other figures" in stale()[0]


def test_tables_whose_data_is_absent_are_named(
    document: Document, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(FOLDERS, "data", document.folder)
    path = document.folder / "table-1.toml"
    text = TABLE.replace("readmark score f1 'p q'", "readmark stats {data}/no/test.json")
    path.write_text(text, encoding="utf-8")
    table = Table(path)
    assert table.cheap.keys() == {"chinese"}
    assert table.missing() == ["../shared/data/no/test.json"]


def test_sizes_are_found_from_percentages(document: Document) -> None:
    """12.5, 37.5 and 66.7 are shares of 8, 16 and 3, 6, 9, …: the least common size is 24."""
    path = document.folder / "table-1.toml"
    rows = '["a", 12.5], ["b", 37.5], ["c", 66.7]'
    checks = """
    [[check]]
    what = "size"
    stated = 8
    equals = "size('table-1', 'share')"
    [[check]]
    what = "shares of eight"
    cell = ["*", "share"]
    share_of = "8"
    """
    head = 'number = "Table 1"\ntitle = "shares"\nnote = ""\n'
    text = f'{head}[printed]\ncolumns = ["share"]\nrows = [{rows}]\n{checks}'
    path.write_text(text, encoding="utf-8")
    size, *shares = findings(Table(path), document)
    assert (size.follows, size.computed) == (False, 24)
    assert [finding.follows for finding in shares] == [True, True, False]
    assert shares[2].computed == 62.5


def test_every_file_names_its_data_and_uses_its_runs() -> None:
    for document in documents():
        for table in document.tables.values():
            content = table.content
            outside = any(run.needs for run in content.runs.values())
            assert bool(content.data) == outside, f"{table.name} does not say what to fetch"
            text = table.path.read_text(encoding="utf-8")
            assert all(f"{name}(" in text for name in content.runs), table.name
            assert bool(content.runs) == bool(content.readmark), table.name
