"""Strategies side by side, the worst rewrites, and tuned weights, on series worked by hand."""

import csv
from pathlib import Path

import pytest

import readmark
from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.test import Header, Test, in_memory
from readmark.corpus.values import Answer, Series, SeriesQuestion, SeriesQuestionKey
from readmark.marking.series.judged import BINS, distribution
from readmark.marking.series.tables import TABLE_1, WEIGHTED, WEIGHTINGS
from readmark.measures.similarity.words import cutter
from readmark.workflows.series import first_golds, strategy_tables
from readmark.workflows.series_fit import fit_judgements
from readmark.workflows.series_parts import halves_of
from readmark.workflows.series_tune import search_weights
from readmark.workflows.series_worst import judge

BORN = "When was Marta Quill born?"
MOVED = "钟楼的价格减到了多少？"
NONE_BORN, APPEND_BORN = (2 * 3 / 6 + 1 / 6) / 3, (2 * 5 / 6 + 2 / 7) / 3
APPEND_PRESS = (2 * 5 / 6 + 4 / 6) / 3


def question(id: str, text: str, *golds: str, category: str = "FACTOID") -> SeriesQuestion:
    rewrites = tuple(Answer(text=one) for one in golds)
    key = SeriesQuestionKey(rewrites=rewrites) if golds else None
    return SeriesQuestion(id=id, text=text, category=category, key=key)


QUILL = Series(
    id="quill",
    target="Marta Quill",
    questions=(
        question("k1", "When was she born?", BORN),
        question("k2", "Who founded the Quill Press?", "Who founded the Quill Press?"),
        question("k3", "Other", category="OTHER"),
    ),
)
FERRY = Series(
    id="ferry",
    target="Lindow ferry",
    questions=(
        question("f1", "How long is it?", "How long is the Lindow ferry?"),
        question("f2", "Who steers it?", "Who steers the Lindow ferry?", "Who steers the ferry?"),
    ),
)
MILL = Series(
    id="mill",
    target="Orrin mill",
    questions=(
        question("m1", "Who built it?", "Who built the Orrin mill?"),
        question("m2", "When did it burn down?", "When did the Orrin mill burn down?"),
    ),
)
HARP = Series(
    id="harp",
    target="Dunmore harp",
    questions=(
        question("h1", "Who carved it?", "Who carved the Dunmore harp?"),
        question("h2", "How many strings has it?", "How many strings has the Dunmore harp?"),
    ),
)


def made(*records: Series) -> Test:
    return in_memory(Header(kind="series", name="made", language="en"), records)


@pytest.fixture
def four() -> Test:
    return made(QUILL, FERRY, MILL, HARP)


def test_gaps_are_the_differences_of_the_columns() -> None:
    found = strategy_tables(made(QUILL), metrics=["jaccard", "exact"])
    assert found.strategies == ["none", "append", "gold"]
    assert (found.questions, found.unkeyed) == (2, 1)
    [table] = found.tables
    jaccard, exact = table.lines
    assert jaccard.marks["none"] == pytest.approx((NONE_BORN + 1) / 2, abs=1e-6)
    assert jaccard.marks["append"] == pytest.approx((APPEND_BORN + APPEND_PRESS) / 2, abs=1e-6)
    assert jaccard.gap == jaccard.marks["append"] - jaccard.marks["none"]
    assert dict(exact.marks) == {"none": 0.5, "append": 0.0, "gold": 1.0}


def test_the_documents_tables(tmp_path: Path) -> None:
    (tmp_path / "gold.json").write_text('{"k1": "When was Marta Quill born?"}', encoding="utf-8")
    found = strategy_tables(made(QUILL), rewriters=["none"], sittings=[tmp_path / "gold.json"])
    assert found.strategies == ["none", "append", "gold (2)", "gold"]
    assert found.rewriters == ["gold (2)"]
    first, *weighted = found.tables
    assert [line.label for line in first.lines] == list(TABLE_1)
    assert [table.weights for table in weighted] == list(WEIGHTINGS)
    words = {line.label: line for line in weighted[0].lines}
    assert list(words) == list(WEIGHTED)
    for table in found.tables:
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
    found = strategy_tables(made(QUILL), sittings=[tmp_path / "a.jsonl"], metrics=["exact"])
    assert found.failed == {"a": ["k1"]}
    assert any(said.startswith("a: ") and "k1" in said for said in found.notes)


def test_strategies_are_marked_on_the_questions_that_all_were_asked(tmp_path: Path) -> None:
    path = tmp_path / "lim.jsonl"
    readmark.sit(made(QUILL, MILL), "append", path, limit=1)
    found = strategy_tables(made(QUILL, MILL), sittings=[path], metrics=["jaccard"])
    assert (found.questions, found.rewriters) == (1, ["append (lim)"])
    [line] = found.tables[0].lines
    assert line.marks["none"] == pytest.approx(NONE_BORN, abs=1e-6)
    assert line.marks["append"] == pytest.approx(APPEND_BORN, abs=1e-6)
    assert line.gains == {"append (lim)": 0}
    assert "append (lim): was asked 1 questions of 4" in found.notes
    assert "every strategy is marked on the 1 questions that all were asked" in found.notes
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
    found = strategy_tables(made(QUILL), sittings=[tmp_path / "a.json"], metrics=["exact"])
    assert found.unanswered == {"a": ["k2"]}
    assert "a: unanswered, counted as wrong: 1 (k2)" in found.notes
    judged = judge(made(QUILL), tmp_path / "a.json")
    assert (judged.as_json()["unanswered"], judged.as_json()["errors"]) == (["k2"], [])


def test_a_sitting_is_called_by_its_candidate(tmp_path: Path) -> None:
    path = tmp_path / "topics.jsonl"
    path.write_text(
        '{"readmark":1,"file":"sitting","kind":"series","candidate":"topics automatic"}\n'
        '{"id":"k1","rewrite":"Who?"}\n',
        encoding="utf-8",
    )
    found = strategy_tables(made(QUILL), sittings=[path], metrics=["exact"])
    assert found.rewriters == ["topics automatic"]


def test_every_line_has_the_name_of_its_signature() -> None:
    for variant in ("standard", "simmetrics"):
        found = strategy_tables(made(QUILL), variant=variant)
        lines = [line for table in found.tables for line in table.lines]
        assert {line.metric for line in lines} == set(found.signatures)
        assert all(("simmetrics" in line.metric) is (variant != "standard") for line in lines)
        titled = ["simmetrics" in table.title for table in found.tables]
        assert set(titled) == {variant != "standard"}
    with pytest.raises(UsageError, match=r"name it as in jaro\(variant=simmetrics\)"):
        strategy_tables(made(QUILL), metrics=["jaro"], variant="simmetrics")


def test_golds_leave_out_what_has_none() -> None:
    assert first_golds(made(QUILL)) == {"k1": BORN, "k2": "Who founded the Quill Press?"}


def test_another_kind_of_test_has_no_rewriters() -> None:
    other = in_memory(Header(kind="comprehension", language="en"), [readmark_passage()])
    with pytest.raises(UsageError, match="comprehension test, expected a series"):
        strategy_tables(other)
    with pytest.raises(UsageError, match="expected a series"):
        judge(other, {})
    with pytest.raises(UsageError, match="expected a series"):
        search_weights(other)


def readmark_passage() -> object:
    from readmark.corpus.values import Passage

    return Passage(id="p", text="A mill stood here.")


def test_the_worst_come_first_with_every_metric() -> None:
    found = judge(made(QUILL), {"k1": "When was Ned Quill born?", "k2": "Who founded the Press?"})
    assert [one.id for one in found.worst()] == ["k1", "k2"]
    first, second = found.worst()
    assert (first.failure.name, second.failure.name) == ("wrong antecedent", "other words")
    assert (first.gold, first.target, first.score) == (BORN, "Marta Quill", first.marks["jaccard"])
    assert {"dice", "levenshtein", "jaro", "bleu", "chrf", "exact"} <= set(first.marks)
    assert sum(found.distribution()) == 2
    assert found.groups()["wrong antecedent"] == (1, first.score)


def test_the_documents_worst_rewrite() -> None:
    gold = "How many people were killed during the Hindenburg disaster"
    airship = Series(
        id="airship",
        target="Hindenburg disaster",
        questions=(
            question("a1", "How many people were on board?"),
            question("a2", "How many of them were killed", gold),
        ),
    )
    found = judge(made(airship), {"a2": "How many of Hindenburg disaster were killed"})
    [one] = found.worst()
    assert one.score == pytest.approx((2 * 0.6 + 3 / 11) / 3, abs=1e-6)
    assert (one.failure.name, one.failure.missing) == ("wrong antecedent", ("people",))
    assert found.distribution()[9] == 1


LIGHT = Series(
    id="light",
    target="Skerry lighthouse",
    questions=(
        question("l1", "Who built it?", "Who built the Skerry lighthouse?"),
        SeriesQuestion(
            id="l2",
            text="Where did he die?",
            previous=("Ned Ames",),
            key=SeriesQuestionKey(
                rewrites=(
                    Answer(text="Where did PREVIOUS_ANSWER die?"),
                    Answer(text="Where did the man who built the Skerry lighthouse die?"),
                )
            ),
        ),
    ),
)


def test_a_known_answer_in_a_rewrite_is_right() -> None:
    for metric in (None, "exact", "jaccard(u=1,b=0,t=0)"):
        said = {"l1": "Who built the Skerry lighthouse?", "l2": "Where did Ned Ames die?"}
        found = judge(made(LIGHT), said, metric=metric)
        assert found.worst() == []
        assert found.groups() == {"perfect": (2, 1.0)}


def test_a_known_answer_is_in_the_gold_that_is_shown() -> None:
    [_, one] = judge(made(LIGHT), {"l2": "Where did the old Ned Ames die?"}).worst()
    assert one.gold == "Where did Ned Ames die?"
    assert (one.failure.name, one.failure.extra) == ("over-expansion", ("old",))


def test_the_same_words_are_nearest_whatever_the_metric() -> None:
    golds = ("Was Ames known to Pell?", "Was Pell known to Ames?")
    two = Series(id="t", target="Pell", questions=(question("t1", "Who?", *golds),))
    for said in golds:
        assert judge(made(two), {"t1": said}, metric="jaccard(u=1,b=0,t=0)").worst() == []


def test_an_unanswered_question_has_no_rewrite() -> None:
    found = judge(made(QUILL), {"k1": BORN})
    assert [(one.id, one.failure.name, one.score) for one in found.worst()] == [
        ("k2", "no rewrite", 0.0)
    ]


def test_the_nearest_gold_is_shown(four: Test) -> None:
    said = first_golds(four) | {"f2": "Who steers the old ferry?"}
    [one] = judge(four, said).worst()
    assert one.gold == "Who steers the ferry?"
    assert (one.failure.name, one.failure.extra) == ("over-expansion", ("old",))


def test_everything_that_got_worse_is_listed() -> None:
    before = {"k1": BORN, "k2": "Who founded the Press?"}
    after = {"k1": "When was she born?", "k2": "Who founded the Quill Press?"}
    found = judge(made(QUILL), after, baseline=before)
    [worse] = found.worse
    assert (worse.id, worse.before, worse.rewrite_before) == ("k1", 1.0, BORN)
    assert worse.after == pytest.approx(NONE_BORN, abs=1e-6)
    assert found.better == 1
    assert found.as_json()["baseline"]["worse"][0]["id"] == "k1"
    assert not judge(made(QUILL), after, baseline=after).worse


def test_a_small_loss_is_a_loss() -> None:
    # 5 of 6 words and 4 of 6 pairs, then 5 of 7 and 4 of 7.
    before, after = "Who founded the Quill Press then?", "Who founded the Quill Press then once?"
    found = judge(made(QUILL), {"k1": BORN, "k2": after}, baseline={"k1": BORN, "k2": before})
    [worse] = found.worse
    assert worse.before - worse.after == pytest.approx(
        (2 * (5 / 6 - 5 / 7) + (4 / 5 - 4 / 6)) / 3, abs=1e-6
    )
    assert worse.before - worse.after < 0.2


def test_another_metric_may_decide() -> None:
    found = judge(made(QUILL), {"k1": "born Quill Marta was When", "k2": "Who?"}, metric="exact")
    assert found.metric == "exact"
    assert [one.score for one in found.rewrites] == [0.0, 0.0]


@pytest.mark.parametrize(
    ("score", "bin"), [(0.0, 0), (0.04, 0), (0.05, 1), (0.15, 3), (0.999, 19), (1.0, 19)]
)
def test_a_score_lies_in_one_bin(score: float, bin: int) -> None:
    assert [at for at in range(BINS) if distribution([score])[at]] == [bin]


def test_halves_have_whole_series_and_the_seed_decides(four: Test) -> None:
    halves = halves_of(four, 1)
    assert len(halves.train) == len(halves.held) == 2
    assert {*halves.train, *halves.held} == {"quill", "ferry", "mill", "harp"}
    assert len({tuple(halves_of(four, seed).train) for seed in range(20)}) > 1
    with pytest.raises(DataError, match="two or more"):
        halves_of(made(QUILL), 1)


@pytest.mark.parametrize("real", [False, True])
def test_the_weights_found_meet_the_requirements(four: Test, real: bool) -> None:
    found = search_weights(four, real=real, order_cost=0.02, seed=1)
    assert (found.low, found.high) == ("none", "append")
    assert found.found
    for one in found.found:
        assert one.meets
        assert one.train.identical == pytest.approx(1)
        assert one.train.gap > 0
        assert 0.02 <= one.train.moving < one.train.losing
    gaps = [one.train.gap for one in found.found]
    assert gaps == sorted(gaps, reverse=True)
    words = found.beside[1]
    assert words.train.moving == pytest.approx(0)
    assert not words.meets  # no order counts
    assert search_weights(four, real=real, order_cost=0.02, seed=1) == found


def test_tuned_marks_are_those_of_the_metric(four: Test) -> None:
    found = search_weights(four, order_cost=0.02)
    ids = frozenset(found.halves.train)
    half = made(*(one for one in (QUILL, FERRY, MILL, HARP) if one.id in ids))
    best = found.found[0]
    [table] = strategy_tables(half, metrics=[best.metric]).tables
    [line] = table.lines
    assert line.marks["none"] == pytest.approx(best.train.low, abs=1e-6)
    assert line.marks["append"] == pytest.approx(best.train.high, abs=1e-6)


def test_bad_usage_of_tuning(four: Test, tmp_path: Path) -> None:
    for bad in ("exact", "levenshtein"):
        with pytest.raises(UsageError, match="no weights to tune"):
            search_weights(four, metric=bad)
    with pytest.raises(UsageError, match="leave u out"):
        search_weights(four, metric="dice(u=2)")
    with pytest.raises(UsageError, match="two, the worse first"):
        search_weights(four, [tmp_path / "one.json"])
    with pytest.raises(UsageError, match="the one sitting"):
        fit_judgements(four, [], tmp_path / "j.csv")


@pytest.fixture
def judged(four: Test, tmp_path: Path) -> tuple[Path, Path]:
    """A sitting of append, and judgements that are 1 + 4 times its words' Jaccard."""
    sitting, table = tmp_path / "append.jsonl", tmp_path / "j.csv"
    readmark.sit(four, "append", sitting)
    marks = readmark.mark(four, sitting, metrics=["jaccard(u=1,b=0,t=0)"])
    with table.open("w", encoding="utf-8", newline="") as stream:
        rows = csv.writer(stream)
        rows.writerow(["id", "score"])
        for id, row in marks.per_unit().items():
            rows.writerow([id, 1 + 4 * (row["jaccard(u=1,b=0,t=0)"] or 0)])
    return sitting, table


def test_weights_are_fitted_to_judgements(four: Test, judged: tuple[Path, Path]) -> None:
    found = fit_judgements(four, [judged[0]], judged[1])
    assert found.regression.weights[0] == pytest.approx(1, abs=1e-3)
    assert found.held.pearson == pytest.approx(1, abs=1e-3)
    assert found.train.questions + found.held.questions == 8
    assert found.default_metric == "jaccard(u=2,b=1,t=0)"


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("k1,high", r"j.csv:2: score 'high' is not a number"),
        ("k1,nan", r"j.csv:2: score 'nan' is not a number"),
        ("zz,3", r"j.csv:2: the series have no question 'zz'"),
        ("k1,3", r"judges \d rewrites of the \w+ half of the series"),
    ],
)
def test_bad_judgements_are_placed(
    four: Test, judged: tuple[Path, Path], row: str, said: str
) -> None:
    judged[1].write_text(f"id,score\n{row}\n", encoding="utf-8")
    with pytest.raises(DataError, match=said):
        fit_judgements(four, [judged[0]], judged[1])


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
    found = search_weights(four, [tmp_path / "none.jsonl", tmp_path / "append.jsonl"], seed=2)
    whole = search_weights(four, seed=2)
    halves = {*found.halves.train, *found.halves.held}
    assert halves == {"quill", "ferry", "mill"}
    assert set(found.halves.train) <= set(whole.halves.train)
    assert (found.halves.train_questions, found.halves.held_questions) in ((2, 3), (3, 2), (4, 1))
    assert "3 questions were asked of one of the two only, and not compared" in found.notes
    assert found.beside[0].train.low > 0
    assert found.beside[0] != whole.beside[0]


def test_what_tuning_was_not_given_is_told(four: Test, tmp_path: Path) -> None:
    readmark.sit(four, "append", tmp_path / "append.jsonl")
    torn = tmp_path / "torn.jsonl"
    torn.write_text(
        '{"readmark":1,"file":"sitting","kind":"series","candidate":"torn"}\n'
        '{"id":"k1","error":"Gone: no more"}\n{"id":"m1","rewrite":"Who built it?"}\n',
        encoding="utf-8",
    )
    found = search_weights(four, [torn, tmp_path / "append.jsonl"])
    assert found.errors == {"torn": ["k1"]}
    assert any("torn: error rows, counted as wrong: 1 (k1)" in said for said in found.notes)
    assert any("torn: unanswered, counted as wrong: 6" in said for said in found.notes)
    assert (found.halves.train_questions, found.halves.held_questions) == (4, 4)


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
    found = search_weights(made(*records), order_cost=0.02)
    assert search_weights(made(*records[::-1]), order_cost=0.02) == found


def test_errors_and_repeats_are_told(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    readmark.sit(made(QUILL), "none", path, repeats=2)
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"id":"k2","error":"Gone: no more","repeat":1}\n')
    found = judge(made(QUILL), path)
    assert any("means over repeats" in said for said in found.notes)
    assert any("k2" in said for said in found.notes)


def test_strategies_on_the_trec_series_score_as_documented(shared: Path) -> None:
    path = shared / "golden" / "series_gold.json"
    if not path.exists():
        pytest.skip("needs series_gold.json in ../shared")
    found = strategy_tables(readmark.load(path), metrics=["jaccard", "exact"])
    jaccard, exact = found.tables[0].lines
    assert found.questions == 141
    assert jaccard.marks["none"] == pytest.approx(0.67, abs=0.005)
    assert jaccard.marks["append"] == pytest.approx(0.77, abs=0.005)
    assert exact.marks["none"] == pytest.approx(0.32, abs=0.005)
    assert jaccard.marks["gold"] == exact.marks["gold"] == 1
