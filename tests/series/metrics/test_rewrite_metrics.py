"""The metrics of rewritten questions: what the document asks of them, golds, names, examples."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest

import readmark
from made import sat
from readmark.core.errors import UsageError
from readmark.core.records import Answer, Unit
from readmark.core.test import Header, Test, in_memory
from readmark.marking.metrics import METRICS, build_metrics
from readmark.marking.settings import MarkSettings
from readmark.series.metrics.golds import golds
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

ROOT = Path(__file__).resolve().parents[3]
SERIES_GOLD = ROOT.parent / "shared" / "golden" / "series_gold.json"
FEW = MarkSettings(draws=100, trials=100)
WEIGHTED = ("jaccard", "dice", "cosine", "block")
BY_VARIANT = (
    *WEIGHTED,
    "euclidean",
    "monge_elkan",
    "levenshtein",
    "needleman_wunsch",
    "smith_waterman",
    "qgrams",
    "jaro",
    "jaro_winkler",
)
ALL = (*BY_VARIANT, "bleu", "chrf", "exact")
TABLE_1 = [f"{name}(variant=simmetrics)" for name in BY_VARIANT]


def question(id: str, text: str, *golds: str, previous: Sequence[str] = ()) -> SeriesQuestion:
    key = SeriesQuestionKey(rewrites=tuple(Answer(text=gold) for gold in golds))
    return SeriesQuestion(id=id, text=text, previous=tuple(previous), key=key)


def series(*questions: SeriesQuestion, target: str = "Jay-Z", language: str = "en") -> Test:
    record = Series(id="s", target=target, questions=questions)
    return in_memory(Header(kind="series", name="made", language=language), [record])


def score(metric: str, gold: str | Sequence[str], rewrite: str, language: str = "en") -> float:
    several = [gold] if isinstance(gold, str) else gold
    test = series(question("q", "it?", *several), language=language)
    marks = readmark.mark(test, sat({"q": rewrite}), metrics=[metric])
    assert marks[metric].scale == 1
    return float(marks[metric].score or 0)


def mean(metric: str, test: Test, strategy: str) -> float:
    """The mark of leaving questions alone, or of appending the target."""
    (built,) = build_metrics([metric], test).values()
    values = []
    for unit in test.units():
        references = test.kind.references(unit)
        if not references:
            continue
        words = unit.item.text
        if strategy == "append":
            words = f"{words} {unit.record.target}"
        if strategy == "gold":
            words = references[0][0].text
        values.append(built.statistics(unit, references, Answer(text=words))[0])
    return sum(values) / len(values)


def test_the_default_metrics_of_series() -> None:
    test = series(question("q", "When was he born?", "When was Jay-Z born?"))
    marks = readmark.mark(test, sat({"q": "When was Jay-Z born?"}), settings=FEW)
    assert list(marks.marks) == ["jaccard", "exact"]
    assert test.kind.main_metric == "jaccard"


def test_the_documents_pair() -> None:
    gold = "How many people were killed during the Hindenburg disaster"
    system = "How many of Hindenburg disaster were killed"
    assert score("jaccard(u=1,b=0)", gold, system) == pytest.approx(0.6)
    assert score("jaccard(u=0,b=1)", gold, system) == pytest.approx(3 / 11)
    assert round(score("jaccard", gold, system), 4) == 0.4909
    # Table 9 of the document: pairs that do not overlap, the last one short.
    printed = {"jaccard": 0.4417, "dice": 0.5741, "cosine": 0.5785, "block": 0.5741}
    for name, value in printed.items():
        assert round(score(f"{name}(pairs=disjoint)", gold, system), 4) == value
    # The second example of the text, 0.61: (2 × 6/8 + 2/6) / 3.
    craft = ("What type of craft was the Hindenburg", "What type of craft was Hindenburg disaster")
    assert round(score("jaccard(pairs=disjoint)", *craft), 4) == 0.6111
    assert score("jaccard(u=2,b=1,t=0)", gold, system) == score("jaccard", gold, system)


@pytest.mark.parametrize("metric", ALL)
@pytest.mark.parametrize("text", ["When was Jay-Z born?", "Why?", "Who founded the Mormons?"])
def test_identical_is_one(metric: str, text: str) -> None:
    assert score(metric, text, text) == 1


@pytest.mark.parametrize("metric", [*ALL, *(f"{name}(pairs=disjoint)" for name in WEIGHTED)])
def test_unrelated_words_share_nothing(metric: str) -> None:
    assert score(metric, "cat", "dog") == 0


@pytest.mark.parametrize("name", WEIGHTED)
def test_the_signature_says_which_orders_count(name: str) -> None:
    test = series(question("q", "it?", "cat"))
    marks = readmark.mark(test, sat({"q": "dog"}), metrics=[name])
    assert "|orders:present|" in marks[name].signature


@pytest.mark.parametrize("metric", TABLE_1)
def test_identical_by_simmetrics(metric: str) -> None:
    text = "What year was the first book of Jasper Fforde written?"
    n = len(text) - 1  # the question mark is dropped, the last character never matched
    lacking = {"jaro": 2 / (3 * n), "jaro_winkler": 0.4 * 2 / (3 * n)}
    expected = 1 - lacking.get(metric.partition("(")[0], 0)
    assert score(metric, text, text) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("metric", [*ALL, *TABLE_1])
def test_unanswered_is_zero_and_the_best_gold_counts(metric: str) -> None:
    test = series(question("q1", "?", "Who is Jay-Z?"), question("q2", "?", "Who is Jay-Z?"))
    marks = readmark.mark(test, sat({"q1": "Who is Jay-Z?"}), metrics=[metric], settings=FEW)
    assert marks.unit_vectors.by_metric[metric].tolist()[1] == [0, 1]
    alone = score(metric, "Who is Jay-Z?", "Who was Jay-Z?")
    several = ["Where do whales sleep?", "Who is Jay-Z?"]
    assert score(metric, several, "Who was Jay-Z?") == pytest.approx(alone)
    assert score(metric, several[::-1], "Who was Jay-Z?") == pytest.approx(alone)


@pytest.mark.parametrize("metric", WEIGHTED)
def test_order_costs_less_than_content(metric: str) -> None:
    gold = "How many people were killed in the 1991 eruption of Mount Pinatubo?"
    moved = "In the 1991 eruption of Mount Pinatubo how many people were killed?"
    lost = "How many people were killed in the eruption of?"
    assert score(metric, gold, lost) < score(metric, gold, moved) < 1


@pytest.mark.parametrize("metric", [*WEIGHTED, *(f"{name}(u=1,b=0)" for name in WEIGHTED)])
def test_appending_the_target_is_better_than_nothing(metric: str) -> None:
    test = readmark.load(Path(str(files("readmark.bundle") / "series.en.jsonl")))
    assert mean(metric, test, "none") < mean(metric, test, "append") < mean(metric, test, "gold")
    assert mean(metric, test, "gold") == 1


def unit_of(item: SeriesQuestion) -> tuple[Unit, Sequence[Sequence[Answer]]]:
    test = series(item)
    (unit,) = test.units()
    return unit, test.kind.references(unit)


def test_golds_with_the_known_answer() -> None:
    gold = "What criterion did PREVIOUS_ANSWER cite in PREVIOUS_ANSWER's speech?"
    with_answer = question("q", "it?", gold, "What did this person say?", previous=["George Bush"])
    assert list(golds(*unit_of(with_answer))) == [
        gold,
        "What criterion did George Bush cite in George Bush's speech?",
        "What did this person say?",
    ]
    unknown = question("q", "it?", gold)
    assert list(golds(*unit_of(unknown))) == [gold]
    blank = question("q", "it?", gold, previous=["", " "])
    assert list(golds(*unit_of(blank))) == [gold]
    several = question("q", "it?", "Which of PREVIOUS_ANSWER stayed?", previous=["A", "B", "C"])
    assert list(golds(*unit_of(several)))[1:] == [
        "Which of A, B and C stayed?",
        "Which of A stayed?",
        "Which of B stayed?",
        "Which of C stayed?",
    ]
    chinese = question("q", "其中谁留下了？", "PREVIOUS_ANSWER中谁留下了？", previous=["甲", "乙"])
    assert list(golds(*unit_of(chinese)))[1] == "甲和乙中谁留下了？"


def test_an_answer_to_another_question_stands_for_nothing() -> None:
    won = question("w1", "Who won the cup?", "Who won the Ely cup?")
    following = msgspec.structs.replace(
        question(
            "w2",
            "Which town did the winner come from?",
            "Which town did PREVIOUS_ANSWER come from?",
            "Which town did the winner of the Ely cup come from?",
        ),
        previous=("Ada Pell",),
        previous_of="w1",
    )
    asked = "How many rivals did PREVIOUS_ANSWER have?"
    rivals = msgspec.structs.replace(
        question(
            "w3",
            "How many rivals did the winner have?",
            asked,
            "How many rivals did the winner of the Ely cup have?",
        ),
        previous=("Lindow",),
        previous_of="w2",
    )
    test = series(won, following, rivals)
    answers = {"w3": "How many rivals did Lindow have?"}
    assert readmark.mark(test, answers, metrics=["exact"]).per_unit()["w3"] == {"exact": 0.0}
    answers = {"w3": "How many rivals did Ada Pell have?"}
    assert readmark.mark(test, answers, metrics=["exact"]).per_unit()["w3"] == {"exact": 1.0}


@pytest.mark.parametrize("metric", ["jaccard", "levenshtein", "exact", "bleu"])
def test_either_form_of_a_previous_answer_is_right(metric: str) -> None:
    asked_question = question(
        "q", "Where did he die?", "Where did PREVIOUS_ANSWER die?", previous=["Byron"]
    )
    for rewrite in ("Where did PREVIOUS_ANSWER die?", "Where did Byron die?"):
        marks = readmark.mark(
            series(asked_question), sat({"q": rewrite}), metrics=[metric], settings=FEW
        )
        assert marks[metric].score == 1


@pytest.mark.parametrize("metric", ALL)
def test_chinese(metric: str) -> None:
    gold = "兴登堡号是什么时候建成的？"
    assert score(metric, gold, gold, "zh") == 1
    assert score(metric, gold, "它在哪里？", "zh") < 0.75


def test_chinese_words_decide() -> None:
    # 谁 发明 了 蒸汽机, 它: the segmenter's words, not characters.
    assert score("jaccard(u=1,b=0)", "谁发明了蒸汽机？", "谁发明了它？", "zh") == pytest.approx(
        3 / 5
    )


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("jaccard(u=0,b=0)", "metric jaccard: weights u, b and t must be 0 or more, and not all 0"),
        ("dice(b=-1)", "metric dice: weights"),
        ("cosine(variant=other)", "variant=other is not one of standard|simmetrics"),
        ("chrf(words=-1)", "metric chrf: words=-1 is less than 0"),
        ("jaro(u=1)", "has no parameter 'u'"),
    ],
)
def test_bad_parameters(name: str, message: str) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        METRICS.build(name)


def test_signatures_say_what_decides() -> None:
    test = series(question("q", "?", "?"), language="zh")
    for name in [*ALL, *TABLE_1]:
        (metric,) = build_metrics([name], test).values()
        signature = metric.signature()
        assert signature["references"] == "best"
        assert signature["previous"] == "instantiated"
        assert not any(set("|:") & set(part) for part in (*signature, *signature.values()))
    (jaccard,) = build_metrics(["jaccard(b=0.5)"], test).values()
    assert jaccard.signature()["weights"] == "2/0.5/0"
    assert "rjieba" in jaccard.signature()["words"]
    (bleu,) = build_metrics(["bleu(smooth=floor)"], test).values()
    assert (bleu.signature()["tok"], bleu.signature()["smooth"]) == ("zh", "floor")


def rows() -> list[list[str]]:
    page = (ROOT / "docs" / "metrics.md").read_text(encoding="utf-8")
    cells, inside = [], False
    for line in page.splitlines():
        if line.startswith("| metric | gold | rewrite |"):
            inside = True
        elif not line.startswith("|"):
            inside = False
        elif inside and not line.startswith("| ---"):
            cells.append([cell.strip() for cell in line.strip("|").split(" | ")])
    return cells


ROWS = rows()
SHIP = "What is the name of the owner of the ship?"
OWNER = "What is the name of the owner?"
JAY, HE = "When was Jay-Z born?", "When was he born?"
DISASTER = "How many people were killed during the Hindenburg disaster"
WORKED_BY_HAND = [
    # 6 words of 10; case and punctuation do not count; 6 / √(7 × 6); 1 − √2 / √(16 + 16)
    ("jaccard(u=1,b=0)", DISASTER, "How many of Hindenburg disaster were killed", 0.6),
    ("jaccard", JAY, "when was jay-z born", 1),
    ("cosine(u=1,b=0,variant=simmetrics)", SHIP, OWNER, 0.926),
    ("euclidean(variant=simmetrics)", JAY, HE, 0.75),
    # every word of the gold is there; 1 − (2 × 1 + 3 × 2) / 38; (14 − 7 × ½) / 16
    ("monge_elkan(variant=simmetrics)", JAY, "When was he born? Jay-Z", 1),
    ("needleman_wunsch(variant=simmetrics)", JAY, HE, 0.789),
    ("smith_waterman(variant=simmetrics)", JAY, HE, 0.656),
    # 14 of 21 and 18 pair off: 28/39; 0.965 + 0.6 × 0.035
    ("qgrams(variant=simmetrics)", JAY, HE, 0.718),
    ("jaro_winkler(variant=simmetrics)", JAY, JAY, 0.986),
]


@pytest.mark.parametrize(("metric", "gold", "rewrite", "expected"), WORKED_BY_HAND)
def test_scores_worked_by_hand(metric: str, gold: str, rewrite: str, expected: float) -> None:
    assert score(metric, [gold], rewrite) == pytest.approx(expected, abs=0.0005)


@pytest.mark.parametrize("row", ROWS, ids=[f"{row[0]} {row[2]}" for row in ROWS])
def test_worked_examples_of_the_page(row: list[str]) -> None:
    metric, gold_cells, rewrite, expected, _ = row
    several = re.findall(r"`([^`]+)`", gold_cells)
    value = score(metric.strip("`"), several, rewrite.strip("`"))
    assert value == pytest.approx(float(expected), abs=0.0005)


def test_every_metric_of_rewrites_has_an_example() -> None:
    names = {row[0].strip("`").partition("(")[0] for row in ROWS}
    assert names >= {*BY_VARIANT, "bleu", "chrf"}


@pytest.mark.golden
@pytest.mark.skipif(not SERIES_GOLD.exists(), reason="the reference files are not there")
def test_the_known_figures() -> None:
    series_of_golds = json.loads(SERIES_GOLD.read_text(encoding="utf-8"))["series"]
    records = [
        Series(
            id=f"{entry['year']}-{entry['target_id']}",
            target=entry["target"],
            questions=tuple(
                question(f"{entry['year']}-{q['id']}", q["question"], *q["gold"])
                for q in entry["questions"]
            ),
        )
        for entry in series_of_golds
    ]
    test = in_memory(Header(kind="series", name="gold", language="en"), records)
    assert round(mean("jaccard", test, "none"), 2) == 0.67
    assert round(mean("jaccard", test, "append"), 2) == 0.77
    assert round(mean("exact", test, "none"), 2) == 0.32
    # The document's Table 1 has 0.984 and 0.993 for identical texts.
    assert mean("jaro(variant=simmetrics)", test, "gold") == pytest.approx(0.984, abs=0.002)
    assert mean("jaro_winkler(variant=simmetrics)", test, "gold") == pytest.approx(0.993, abs=0.002)
    for metric in WEIGHTED:
        assert mean(metric, test, "none") < mean(metric, test, "append")
