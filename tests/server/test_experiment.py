"""A whole shared experiment in real browsers, from passages to a report.

Every number that a page shows is what the command line prints for the exported files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra serve")

from experiment_hall import (
    PASSAGES,
    QUESTIONS,
    Experiment,
    experiment_in,
    table_rows,
    write_passages,
)
from readmark.formats.registry import open_test

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ANNOTATORS = ("ann", "bo", "chen")
EXPERTS = ("dora", "emil")
NOVICES = ("finn", "gao", "hanna", "ivo")
SHORTER = {"the Marsh brothers": "Marsh brothers", "the winter of 1788": "1788"}
"""What the last of the people who answer marks instead; the expert adopts the first of them."""
ADOPTED = {"Who built the ferry at Alder Point?": "Marsh brothers"}
SLIPS = {
    "finn": {},
    "gao": {"Jan Vos": "Ghent"},
    "hanna": {"a bridge opened in 1962": "1962", "Tarn": "1931"},
    "ivo": {"beech wood": "ash", "Jan Vos": "Ghent", "Tarn": "1931"},
}
"""What novices mark in the place of the right answer."""


def test_from_passages_to_a_report(
    chromium: Any, either_app: Any, tmp_path: Path, quick_passwords: None
) -> None:
    with experiment_in(chromium, either_app, tmp_path) as experiment:
        questions = write_questions(experiment)
        answers = answer_blind(experiment, questions)
        gold = adjudicate(experiment, questions, answers)
        sit_and_report(experiment, gold)
        shown = {
            task: (experiment.per_judgement(task, count))
            for task, count in JUDGEMENTS.items()
        }
        print(shown)


JUDGEMENTS = {"adjudicate": 2}


def write_questions(experiment: Experiment) -> Path:
    """Three annotators write questions on a passage each; the test of all of them."""
    experiment.project("write", "questions_smart", write_passages(experiment.folder / "texts.jsonl"))
    people = experiment.invite("write", "annotator", *ANNOTATORS)
    experiment.hand_out("write")
    for person in people:
        for item in person.work("write"):
            for question, answer, level in QUESTIONS[item]:
                person.ask(question, answer, level)
    export = experiment.export("write")
    test = open_test(export / "questions.jsonl")
    asked = {
        record.id: [(each.text, each.key.answers[0].text, each.key.level) for each in record.questions]
        for record in test.records()
    }
    assert asked == {id: list(each) for id, each in QUESTIONS.items()}
    return export / "questions.jsonl"


def answer_blind(experiment: Experiment, questions: Path) -> Path:
    """Everybody answers the questions of the two others; one of them marks shorter answers."""
    experiment.project("answer", "second_answers", questions)
    people = experiment.invite("answer", "annotator", *ANNOTATORS)
    experiment.hand_out("answer")
    shorter = dict(SHORTER)
    for person in people:
        for item in person.work("answer"):
            for _, answer, _ in QUESTIONS[item]:
                person.answer(shorter.pop(answer, answer))
                person.press("Alt+ArrowDown")
    assert not shorter
    export = experiment.export("answer")
    files = [export / "people" / f"{login.title()}.jsonl" for login in ANNOTATORS]
    expected = experiment.json("set", "agree", *files, "--what", "answers")["what"]["answers"]
    [(what, value, n)] = experiment.owner.agreement("answer")
    assert (what, n) == ("answers", "6")
    first = next(iter(expected["figures"].values()))
    assert value == f"{first['value']:.3f}"
    return export


def adjudicate(experiment: Experiment, questions: Path, answers: Path) -> Path:
    """An expert decides where two people differ; the frozen gold."""
    [judge] = experiment.invite("answer", "adjudicator", "dora")
    page = experiment.show("answer", "adjudication")
    page.click("form[action$=adjudication] button")
    page.wait_for_selector(".notice.good")
    decided = 0
    for _ in judge.work("adjudicate"):
        for question in judge.page.locator(".card .prompt").all_inner_texts():
            [right] = [
                answer
                for each in QUESTIONS.values()
                for text, answer, _ in each
                if text == question
            ]
            judge.choose(ADOPTED.get(question, right))
            decided += 1
    assert decided == len(SHORTER)
    page = experiment.show("answer", "adjudication")
    page.click("form[action$=gold] button")
    page.wait_for_selector(".notice.good")
    [version] = experiment.get("answer/gold")
    gold = experiment.unpack(f"/api/projects/answer/gold/{version['id']}", "gold")
    return gold / "gold.jsonl"


def sit_and_report(experiment: Experiment, gold: Path) -> None:
    """Novices and a machine sit the adjudicated test."""
