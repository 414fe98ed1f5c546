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
from judged import panel_test
from readmark.formats.registry import open_test, save_test

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
        rate_passages(experiment)
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
        for question in judge.page.locator(".card-title").all_inner_texts():
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


def rate_passages(experiment: Experiment) -> None:
    """Two experts and four novices rate and order ten passages."""
    save_test(panel_test(10), experiment.folder / "ten.jsonl")
    experiment.project("rate", "panel", experiment.folder / "ten.jsonl")
    experts = experiment.invite("rate", "expert", *EXPERTS)
    novices = experiment.invite("rate", "novice", *NOVICES)
    experiment.hand_out("rate")
    for number, person in enumerate((*experts, *novices)):
        person.rate(
            lambda code, number=number: stars(code, number),
            criteria="short sentences" if person in experts else "",
        )
    export = experiment.export("rate")
    sheets = sorted((export / "people").iterdir())
    shown = experiment.get("rate/panel")["panel"]
    collected = experiment.json("panel", "collect", export / "test.jsonl", export / "plan.json", *sheets)
    collected.pop("unfinished", None)
    assert {name: shown.get(name) for name in collected} == collected


def stars(code: str, number: int) -> int:
    """The stars of a judge by number: the later ones are further off."""
    passage = int(code[1:])
    off = (passage * (number + 1)) % 7 == 0
    return min(5, max(1, 1 + passage % 5 + off * (1 if number % 2 else -1)))


def sit_and_report(experiment: Experiment, gold: Path) -> None:
    """Novices and a machine sit the adjudicated test."""
    experiment.project(
        "exam", "sitting", gold, lambda text: text.replace("# minutes = 40", "minutes = 30")
    )
    people = experiment.invite("exam", "novice", *NOVICES)
    experiment.hand_out("exam")
    for login, person in zip(NOVICES, people, strict=True):
        person.sit(
            lambda item, slips=SLIPS[login]: [
                slips.get(answer, answer) for _, answer, _ in QUESTIONS[item]
            ]
        )
    export = experiment.export("exam")
    test, files = export / "test.jsonl", sorted((export / "people").iterdir())
    machine = experiment.folder / "bow.jsonl"
    experiment.readmark("sit", test, "-r", "bow", "-o", machine)
    page = experiment.show("exam", "results")
    page.set_input_files("input[name=file]", machine)
    page.click("form:has(input[name=file]) button")
    page.wait_for_selector("#results .machine")
    print(table_rows(page.locator("#results")))
    with page.expect_download() as started:
        page.click("a[href$='report.html']")
    report = experiment.folder / "report.html"
    started.value.save_as(report)
    own = experiment.folder / "own.html"
    experiment.readmark(
        "report", test, machine, *(word for file in files for word in ("--people", file)), "-o", own
    )
    print(len(own.read_bytes()), len(report.read_bytes()), own.read_bytes() == report.read_bytes())
    page.goto(report.as_uri())
    print([table_rows(table) for table in page.locator("table").all()][:6])
    import shutil; shutil.copytree(experiment.folder, "/tmp/exp/out", dirs_exist_ok=True)
