"""Strategies side by side, on series worked by hand."""

from pathlib import Path

import pytest

import readmark
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Header, in_memory
from readmark.series.strategies import first_golds
from readmark.series.tables.document_metrics import TABLE_1, WEIGHTED, WEIGHTINGS
from readmark.series.tables.strategy_tables import strategy_tables
from readmark.series.tuning.search import search_weights
from readmark.series.worst.worst_rewrites import worst_rewrites
from rewritten_series import APPEND_BORN, APPEND_PRESS, BORN, MILL, NONE_BORN, QUILL, made


def test_gaps_are_the_differences_of_the_columns() -> None:
    tables = strategy_tables(made(QUILL), metrics=["jaccard", "exact"])
    assert tables.strategies == ["none", "append", "gold"]
    assert (tables.questions, tables.unkeyed) == (2, 1)
    [table] = tables.tables
    jaccard, exact = table.lines
    assert jaccard.marks["none"] == pytest.approx((NONE_BORN + 1) / 2, abs=1e-6)
    assert jaccard.marks["append"] == pytest.approx((APPEND_BORN + APPEND_PRESS) / 2, abs=1e-6)
    assert jaccard.gap == jaccard.marks["append"] - jaccard.marks["none"]
    assert dict(exact.marks) == {"none": 0.5, "append": 0.0, "gold": 1.0}


def test_the_documents_tables(tmp_path: Path) -> None:
    (tmp_path / "gold.json").write_text('{"k1": "When was Marta Quill born?"}', encoding="utf-8")
    tables = strategy_tables(made(QUILL), rewriters=["none"], sittings=[tmp_path / "gold.json"])
    assert tables.strategies == ["none", "append", "gold (2)", "gold"]
    assert tables.rewriters == ["gold (2)"]
    first, *weighted = tables.tables
    assert [line.label for line in first.lines] == list(TABLE_1)
    assert [table.weights for table in weighted] == list(WEIGHTINGS)
    words = {line.label: line for line in weighted[0].lines}
    assert list(words) == list(WEIGHTED)
    for table in tables.tables:
        for line in table.lines:
            assert line.marks["gold"] == pytest.approx(1)
            gain = line.marks["gold (2)"] - line.marks["append"]
            assert line.gains == {"gold (2)": pytest.approx(gain)}
    for table in weighted[1:]:
        for line in table.lines:
            assert line.change == pytest.approx(line.gap - words[line.label].gap)
    assert all(line.change is None for line in weighted[0].lines)


def test_the_documents_library_marks_identical_jaro_below_one() -> None:
    first = strategy_tables(made(QUILL), variant="simmetrics").tables[0]
    marks = {line.label: line.marks["gold"] for line in first.lines}
    assert marks["jaro"] < 1
    assert marks["jaccard"] == 1


def test_a_rewriter_that_fails_is_told(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(
        '{"readmark":1,"file":"sitting","kind":"series","candidate":"a"}\n'
        '{"id":"k1","error":"Gone: no more"}\n{"id":"k2","rewrite":"Who?"}\n',
        encoding="utf-8",
    )
    tables = strategy_tables(made(QUILL), sittings=[tmp_path / "a.jsonl"], metrics=["exact"])
    assert tables.failed == {"a": ["k1"]}
    assert any(note.startswith("a: ") and "k1" in note for note in tables.notes)


def test_strategies_are_marked_on_the_questions_that_all_were_asked(tmp_path: Path) -> None:
    path = tmp_path / "lim.jsonl"
    readmark.sit(made(QUILL, MILL), "append", path, limit=1)
    tables = strategy_tables(made(QUILL, MILL), sittings=[path], metrics=["jaccard"])
    assert (tables.questions, tables.rewriters) == (1, ["append (lim)"])
    [line] = tables.tables[0].lines
    assert line.marks["none"] == pytest.approx(NONE_BORN, abs=1e-6)
    assert line.marks["append"] == pytest.approx(APPEND_BORN, abs=1e-6)
    assert line.gains == {"append (lim)": 0}
    assert "append (lim): was asked 1 question of 4" in tables.notes
    assert "every strategy is marked on the 1 question that all were asked" in tables.notes
    assert strategy_tables(made(QUILL, MILL), metrics=["jaccard"]).questions == 4


def test_sittings_without_a_question_in_common_have_no_table(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    readmark.sit(made(QUILL), "none", first, limit=1)
    lines = first.read_text("utf-8").replace('"k1"', '"k2"')
    second.write_text(lines, encoding="utf-8")
    with pytest.raises(DataError, match="no question in common"):
        strategy_tables(made(QUILL), sittings=[first, second], metrics=["exact"])


def test_unanswered_questions_are_told(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('{"k1": "Who?"}', encoding="utf-8")
    tables = strategy_tables(made(QUILL), sittings=[tmp_path / "a.json"], metrics=["exact"])
    assert tables.unanswered == {"a": ["k2"]}
    assert "a: unanswered, counted as wrong: 1 (k2)" in tables.notes
    judged = worst_rewrites(made(QUILL), tmp_path / "a.json")
    assert (judged.as_json()["unanswered"], judged.as_json()["errors"]) == (["k2"], [])


def test_a_sitting_is_called_by_its_candidate(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text(
        '{"readmark":1,"file":"sitting","kind":"series","candidate":"topics automatic"}\n'
        '{"id":"k1","rewrite":"Who?"}\n',
        encoding="utf-8",
    )
    tables = strategy_tables(made(QUILL), sittings=[path], metrics=["exact"])
    assert tables.rewriters == ["topics automatic"]


def test_every_line_has_the_name_of_its_signature() -> None:
    for variant in ("standard", "simmetrics"):
        tables = strategy_tables(made(QUILL), variant=variant)
        lines = [line for table in tables.tables for line in table.lines]
        assert {line.metric for line in lines} == set(tables.signatures)
        assert all(("simmetrics" in line.metric) is (variant != "standard") for line in lines)
        titled = ["simmetrics" in table.title for table in tables.tables]
        assert set(titled) == {variant != "standard"}
    with pytest.raises(UsageError, match=r"name it as in jaro\(variant=simmetrics\)"):
        strategy_tables(made(QUILL), metrics=["jaro"], variant="simmetrics")


def test_tables_with_pairs_that_do_not_overlap() -> None:
    # Of k1 and its gold 3 of 6 words are shared, and 1 of 4 pairs: (1/2 + 1/4) / 2. k2 is its gold.
    tables = strategy_tables(made(QUILL), pairs="disjoint")
    assert ["disjoint" in table.title for table in tables.tables] == [False] + [True] * 5
    jaccard = {line.metric: line for line in tables.tables[2].lines}
    line = jaccard["jaccard(u=1,b=1,t=0,pairs=disjoint)"]
    assert line.marks["none"] == pytest.approx((0.375 + 1) / 2, abs=1e-6)
    with pytest.raises(UsageError, match=r"name it as in dice\(pairs=disjoint\)"):
        strategy_tables(made(QUILL), metrics=["dice"], pairs="disjoint")


def test_golds_leave_out_what_has_none() -> None:
    assert first_golds(made(QUILL)) == {"k1": BORN, "k2": "Who founded the Quill Press?"}


def test_another_kind_of_test_has_no_rewriters() -> None:
    other = in_memory(Header(kind="comprehension", language="en"), [readmark_passage()])
    with pytest.raises(UsageError, match="comprehension test, expected series"):
        strategy_tables(other)
    with pytest.raises(UsageError, match="expected series"):
        worst_rewrites(other, {})
    with pytest.raises(UsageError, match="expected series"):
        search_weights(other)


def readmark_passage() -> object:
    from readmark.core.records import Passage

    return Passage(id="p", text="A mill stood here.")


def test_errors_and_repeats_are_told(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    readmark.sit(made(QUILL), "none", path, repeats=2)
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"id":"k2","error":"Gone: no more","repeat":1}\n')
    result = worst_rewrites(made(QUILL), path)
    assert any("means over repeats" in note for note in result.notes)
    assert any("k2" in note for note in result.notes)


def test_strategies_on_the_trec_series_score_as_documented(shared: Path) -> None:
    path = shared / "golden" / "series_gold.json"
    if not path.exists():
        pytest.skip("needs series_gold.json in ../shared")
    tables = strategy_tables(readmark.load(path), metrics=["jaccard", "exact"])
    jaccard, exact = tables.tables[0].lines
    assert tables.questions == 141
    assert jaccard.marks["none"] == pytest.approx(0.67, abs=0.005)
    assert jaccard.marks["append"] == pytest.approx(0.77, abs=0.005)
    assert exact.marks["none"] == pytest.approx(0.32, abs=0.005)
    assert jaccard.marks["gold"] == exact.marks["gold"] == 1
