"""The best no-answer threshold, against an independent search like that of SQuAD 2.0's script."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import readmark
from made import asked, comprehension, passage
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader, keep
from readmark.core.test import Test
from readmark.marking.settings import MarkSettings

QUICK = MarkSettings(draws=10)
WORDS = ("a kettle", "the red kettle", "kettle", "boat", "two boats", "")


def drawn(seed: int, *, ties: bool) -> tuple[Test, dict[str, str], dict[str, float]]:
    """A test of 60 questions, a third without an answer; answers, and how likely none is."""
    random = Random(seed)
    questions = [
        asked(f"q{index}", unanswerable=True)
        if random.random() < 0.4
        else asked(f"q{index}", random.choice(WORDS[:-1]), random.choice(WORDS[:-1]))
        for index in range(60)
    ]
    questions += [asked("with", "boat"), asked("without", unanswerable=True)]
    answers = {question.id: random.choice(WORDS) for question in questions}
    doubts = {id: random.randrange(6) / 6 if ties else random.random() + 0.001 for id in answers}
    return comprehension(passage("p", *questions), language="en"), answers, doubts


def marked(
    test: Test, answers: dict[str, str], doubts: dict[str, float], scored: str, **more: Any
) -> readmark.Marks:
    """The marks of a sitting whose rows have a no-answer score, or a score of their own."""
    rows: Rows = {}
    for id, text in answers.items():
        if scored == "none":
            keep(rows, Row(id=id, answer=text, score=0.5, evidence={"none": doubts[id]}))
        else:
            keep(rows, Row(id=id, answer=text, score=-doubts[id]))
    sitting = Sitting(SittingHeader(candidate="reader"), rows)
    return readmark.mark(test, sitting, settings=QUICK, **more)


def script_threshold(
    predictions: dict[str, str],
    scores: dict[str, float],
    doubts: dict[str, float],
    has_answer: dict[str, bool],
) -> tuple[float, float]:
    """The best mark and its threshold, found question by question as the official script does."""
    current = best = float(sum(not answerable for answerable in has_answer.values()))
    threshold = 0.0
    for id in sorted(doubts, key=lambda id: doubts[id]):
        if has_answer[id]:
            current += scores[id]
        elif predictions[id]:
            current -= 1
        if current > best:
            best, threshold = current, doubts[id]
    return 100 * best / len(scores), threshold


@pytest.mark.parametrize("by", ["none", "score"])
@pytest.mark.parametrize("seed", range(12))
def test_as_the_script_of_squad_2_finds_it(seed: int, by: str) -> None:
    test, answers, doubts = drawn(seed, ties=False)
    marks = marked(test, answers, doubts, by)
    document = marks.as_json()["no_answer"]
    has_answer = {unit.id: not unit.key.unanswerable for unit in test.units()}
    per_unit = marks.per_unit()
    assert (document["by"], document["units"]) == (by, 62)
    assert document["answers"] == sum(bool(text) for text in answers.values())
    for name in ("em", "f1"):
        scores = {id: values[name] or 0.0 for id, values in per_unit.items()}
        score, threshold = script_threshold(answers, scores, doubts, has_answer)
        assert document["marks"][name]["score"] == pytest.approx(score, abs=1e-6)
        if threshold:
            expected = threshold if by == "none" else -threshold
            assert document["marks"][name]["threshold"] == expected


@given(st.integers(0, 10_000))
def test_equal_scores_are_withheld_alike(seed: int) -> None:
    test, answers, doubts = drawn(seed, ties=True)
    figures = marked(test, answers, doubts, "none").as_json()["no_answer"]["marks"]
    marks = {}
    for threshold in (-1.0, *sorted(set(doubts.values()))):
        not_withheld = {id: text if doubts[id] <= threshold else "" for id, text in answers.items()}
        marks[threshold] = readmark.mark(test, not_withheld, metrics=["em", "f1"], settings=QUICK)
    for name in ("em", "f1"):
        tried = {threshold: mark[name].score for threshold, mark in marks.items()}
        best = max(score or 0.0 for score in tried.values())
        assert figures[name]["score"] == pytest.approx(best, abs=1e-6)
        threshold = figures[name]["threshold"]
        assert tried[-1.0 if threshold is None else threshold] == pytest.approx(best, abs=1e-6)


def test_slices_and_what_is_printed(tmp_path: Path) -> None:
    questions = (asked("a", "boat"), asked("b", "coat"), asked("c", unanswerable=True))
    test = comprehension(passage("p", *questions), language="en")
    answers = {"a": "boat", "b": "mist", "c": "fog"}
    sheet = tmp_path / "marks.jsonl"
    marks = marked(
        test, answers, {"a": 0.1, "b": 0.3, "c": 0.9}, "none", by="answerable", marksheet=sheet
    )
    slices = {label: part.marks["em"].score for label, part in marks.by["answerable"].items()}
    assert slices == {"HasAns": 50.0, "NoAns": 0.0}
    assert marks["em"].score == pytest.approx(100 / 3)
    # b earns nothing, so the lowest of the best thresholds withholds it with c
    printed = marks.as_text(full=True)
    assert "em 66.67: answers with a no-answer score above 0.1 withheld (2)" in printed
    last = json.loads(sheet.read_text(encoding="utf-8").splitlines()[-1])
    assert last["marks"]["no_answer"]["marks"]["em"]["withheld"] == 2
    readmark.report(sheet, path=tmp_path / "report.html")


@pytest.mark.parametrize(
    "rows",
    [
        [Row(id="a", answer="boat"), Row(id="c", answer="fog", score=0.5)],  # one without a score
        [Row(id="a", answer="", score=0.5), Row(id="c", answer="")],  # nothing to withhold
        [Row(id="a", answer="boat", score=0.5, repeat=at) for at in (0, 1)],
        [],
    ],
)
def test_no_threshold_without_scores(rows: list[Row]) -> None:
    test = comprehension(passage("p", asked("a", "boat"), asked("c", unanswerable=True)))
    rows_by_id: Rows = {}
    for row in rows:
        keep(rows_by_id, row)
    sitting = Sitting(SittingHeader(candidate="reader"), rows_by_id)
    assert "no_answer" not in readmark.mark(test, sitting, settings=QUICK).as_json()


def test_withholding_everything_can_be_best() -> None:
    test = comprehension(
        passage("p", asked("a", unanswerable=True), asked("b", "boat")), language="en"
    )
    marks = marked(test, {"a": "fog", "b": "mist"}, {"a": 0.2, "b": 0.4}, "score")
    assert marks.as_json()["no_answer"]["marks"]["f1"] == {
        "score": 50.0,
        "threshold": None,
        "withheld": 2,
    }
    assert "f1 50.00: all answers withheld" in marks.as_text(full=True)


def test_chinese_answers_are_withheld_by_rules_that_accept_it() -> None:
    test = comprehension(
        passage("a", asked("q1", "茶壶"), text="桌上有茶壶。"),
        passage("b", asked("q2", unanswerable=True), text="桌上有书。"),
        language="zh",
    )
    rows = {
        "q1": Row(id="q1", answer="茶壶", evidence={"none": -5.0}),
        "q2": Row(id="q2", answer="书", evidence={"none": 5.0}),
    }
    marks = readmark.mark(test, Sitting(SittingHeader(candidate="reader"), rows))
    figures = marks.tables["no_answer"].as_json()["marks"]["f1(profile=zh)"]
    assert (figures["score"], figures["threshold"], figures["withheld"]) == (100.0, -5.0, 1)
