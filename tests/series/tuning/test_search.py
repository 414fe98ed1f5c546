"""Weights searched on one half of the series, on series worked by hand."""

from pathlib import Path

import pytest

import readmark
from readmark.core.errors import DataError, UsageError
from readmark.core.test import Header, Test, in_memory
from readmark.series.records import Series
from readmark.series.tables.strategy_tables import strategy_tables
from readmark.series.tuning.halves import halves_of
from readmark.series.tuning.search import search_weights
from readmark.series.words import cutter
from rewritten_series import FERRY, HARP, LIGHT, MILL, MOVED, QUILL, made, question


def test_halves_have_whole_series_and_the_seed_decides(four: Test) -> None:
    halves = halves_of(four, 1)
    assert len(halves.train) == len(halves.held) == 2
    assert {*halves.train, *halves.held} == {"quill", "ferry", "mill", "harp"}
    assert len({tuple(halves_of(four, seed).train) for seed in range(20)}) > 1
    with pytest.raises(DataError, match="1 series with golds, tuning needs two or more"):
        halves_of(made(QUILL), 1)
    without_golds = Series(id="bare", target="Ned", questions=(question("b1", "Who is he?"),))
    with pytest.raises(DataError, match="0 series with golds"):
        halves_of(made(without_golds), 1)


@pytest.mark.parametrize("real", [False, True])
def test_the_weights_found_meet_the_requirements(four: Test, real: bool) -> None:
    search = search_weights(four, real=real, order_cost=0.02, seed=1)
    assert (search.low, search.high) == ("none", "append")
    assert search.found
    for candidate in search.found:
        assert candidate.meets
        assert candidate.train.identical == pytest.approx(1)
        assert candidate.train.gap > 0
        assert 0.02 <= candidate.train.moving < candidate.train.losing
    gaps = [candidate.train.gap for candidate in search.found]
    assert gaps == sorted(gaps, reverse=True)
    words = search.beside[1]
    assert words.train.moving == pytest.approx(0)
    assert not words.meets  # no order counts
    assert search_weights(four, real=real, order_cost=0.02, seed=1) == search


def test_tuned_marks_are_those_of_the_metric(four: Test) -> None:
    search = search_weights(four, order_cost=0.02)
    ids = frozenset(search.halves.train)
    half = made(*(record for record in (QUILL, FERRY, MILL, HARP) if record.id in ids))
    best = search.found[0]
    [table] = strategy_tables(half, metrics=[best.metric]).tables
    [line] = table.lines
    assert line.marks["none"] == pytest.approx(best.train.low, abs=1e-6)
    assert line.marks["append"] == pytest.approx(best.train.high, abs=1e-6)


def test_tuned_marks_of_short_questions_are_those_of_the_metric() -> None:
    short = [
        Series(
            id=id,
            target="harp",
            questions=(
                question(f"{id}1", "Why?", "Harps?"),
                question(f"{id}2", *["Who played?"] * 2),
            ),
        )
        for id in "abcd"
    ]
    search = search_weights(made(*short, QUILL, FERRY, MILL, HARP), order_cost=0.02)
    ids = frozenset(search.halves.train)
    half = made(*(record for record in (*short, QUILL, FERRY, MILL, HARP) if record.id in ids))
    assert ids & set("abcd")
    for weighting in search.beside:
        [table] = strategy_tables(half, metrics=[weighting.metric]).tables
        [line] = table.lines
        assert line.marks["none"] == pytest.approx(weighting.train.low, abs=1e-6)
        assert line.marks["append"] == pytest.approx(weighting.train.high, abs=1e-6)


def test_bad_usage_of_tuning(four: Test, tmp_path: Path) -> None:
    for bad in ("exact", "levenshtein"):
        with pytest.raises(UsageError, match="no weights to tune"):
            search_weights(four, metric=bad)
    with pytest.raises(UsageError, match="leave u out"):
        search_weights(four, metric="dice(u=2)")
    with pytest.raises(UsageError, match="two, the worse first"):
        search_weights(four, [tmp_path / "one.json"])


def test_moving_chinese_words_costs_nothing_where_order_does_not_count() -> None:
    pytest.importorskip("rjieba", reason="rjieba is not installed")
    records = [
        Series(
            id=f"s{at}",
            target=target,
            questions=(question(f"s{at}-1", "它有多高？", f"{target}有多高？"),),
        )
        for at, target in enumerate(("云集山", "白塔", "钟楼", "北门"))
    ]
    # Words that the dictionary cuts otherwise when they stand apart.
    cut = cutter("zh")
    assert cut(" ".join(cut(MOVED))) != cut(MOVED)
    records += [
        Series(id=f"m{at}", target="钟楼", questions=(question(f"m{at}-1", "后来呢？", MOVED),))
        for at in range(4)
    ]
    test = in_memory(Header(kind="series", name="made", language="zh"), records)
    words = search_weights(test, order_cost=0.02).beside[1]
    assert (words.train.moving, words.held.moving) == pytest.approx((0, 0))
    assert words.train.losing > 0


def test_only_what_both_were_asked_is_tuned_on(four: Test, tmp_path: Path) -> None:
    for name in ("none", "append"):
        readmark.sit(four, name, tmp_path / f"{name}.jsonl", limit=6 if name == "none" else None)
    search = search_weights(four, [tmp_path / "none.jsonl", tmp_path / "append.jsonl"], seed=2)
    whole = search_weights(four, seed=2)
    halves = {*search.halves.train, *search.halves.held}
    assert halves == {"quill", "ferry", "mill"}
    assert set(search.halves.train) <= set(whole.halves.train)
    assert (search.halves.train_questions, search.halves.held_questions) in ((2, 3), (3, 2), (4, 1))
    assert "asked of one of the two only, so not compared: 3 questions" in search.notes
    assert search.beside[0].train.low > 0
    assert search.beside[0] != whole.beside[0]


def test_what_tuning_was_not_given_is_told(four: Test, tmp_path: Path) -> None:
    readmark.sit(four, "append", tmp_path / "append.jsonl")
    torn = tmp_path / "torn.jsonl"
    torn.write_text(
        '{"readmark":1,"file":"sitting","kind":"series","candidate":"torn"}\n'
        '{"id":"k1","error":"Gone: no more"}\n{"id":"m1","rewrite":"Who built it?"}\n',
        encoding="utf-8",
    )
    search = search_weights(four, [torn, tmp_path / "append.jsonl"])
    assert search.errors == {"torn": ["k1"]}
    assert any("torn: error rows, counted as wrong: 1 (k1)" in note for note in search.notes)
    assert any("torn: unanswered, counted as wrong: 6" in note for note in search.notes)
    assert (search.halves.train_questions, search.halves.held_questions) == (4, 4)


def test_a_lost_word_is_measured_by_the_gold_that_lost_it() -> None:
    # Without "Lindow" the first gold is the second one, and yet the word is lost.
    golds = ("Who steers the Lindow ferry?", "Who steers the ferry?")
    records = [
        Series(
            id=id, target="Lindow ferry", questions=(question(f"{id}1", "Who steers it?", *golds),)
        )
        for id in "ab"
    ]
    words = search_weights(made(*records)).beside[1]
    # Three content words of five, and the set of words is four of five without each.
    assert words.train.losing == pytest.approx(1 / 5)


def test_the_order_of_the_series_does_not_count() -> None:
    records = [QUILL, FERRY, MILL, HARP, LIGHT]
    search = search_weights(made(*records), order_cost=0.02)
    assert search_weights(made(*records[::-1]), order_cost=0.02) == search
