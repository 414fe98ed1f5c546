"""A whole shared experiment in real browsers, from passages to a report.

Every number that a page shows is what the command line prints for the exported files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra serve")

from experiment_hall import (
    QUESTIONS,
    Experiment,
    experiment_in,
    table_rows,
    write_passages,
)
from panel_judges import panel_test
from readmark.formats.registry import open_test, save_test
from readmark.server.routes.adjudicate import agreement_rows

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ANNOTATORS = ("ann", "bo", "chen")
EXPERTS = ("dora", "emil")
NOVICES = ("finn", "gao", "hanna", "ivo")
SHORTER = {"the Marsh brothers": "Marsh brothers", "the winter of 1788": "1788"}
"""What one of the two people who answer marks instead; the expert adopts the first of them."""
ADOPTED = {"Who built the ferry at Alder Point?": "Marsh brothers"}
SLIPS = {
    "finn": {},
    "gao": {"Jan Vos": "Ghent"},
    "hanna": {"a bridge opened in 1962": "1962", "Tarn": "1931"},
    "ivo": {"beech wood": "ash", "Jan Vos": "Ghent", "Tarn": "1931"},
}
"""What novices mark in the place of the right answer."""


JUDGEMENTS = {"adjudicate": 2, "rate": 60, "order": 6, "criteria": 2, "answer": 12, "sit": 24}
"""How often somebody judges in each task."""
KEYS = {
    "adjudicate": 1.0,
    "rate": 1.0,
    "order": 2.0,
    "criteria": 1.0,
    "answer": 2.0,
    "sit": 1.0,
}
"""Keys for a judgement; the mouse marks the answers of ``answer`` and ``sit``."""


def test_from_passages_to_a_report(
    chromium: Any, either_app: Any, tmp_path: Path, quick_passwords: None
) -> None:
    with experiment_in(chromium, either_app, tmp_path) as experiment:
        questions = write_questions(experiment)
        answer_blind(experiment, questions)
        gold = adjudicate(experiment, questions)
        rate_passages(experiment)
        sit_and_report(experiment, gold)
        keys = {task: experiment.keys(task, count) for task, count in JUDGEMENTS.items()}
    print("keys per judgement, and further keys to move and hand in:", keys)
    assert {task: pressed for task, (pressed, _) in keys.items()} == KEYS


def write_questions(experiment: Experiment) -> Path:
    """Three annotators write questions on a passage each; the test of all of them."""
    texts = write_passages(experiment.folder / "texts.jsonl")
    experiment.project("write", "questions_smart", texts)
    people = experiment.invite("write", "annotator", *ANNOTATORS)
    experiment.hand_out("write")
    for person in people:
        for item in person.work("write"):
            for question, answer, level in QUESTIONS[item]:
                person.ask(question, answer, level)
    test = experiment.export("write") / "questions.jsonl"
    asked = {
        record.id: tuple(
            (question.text, question.key.answers[0].text, question.key.level)
            for question in record.questions
        )
        for record in open_test(test).records()
    }
    assert asked == QUESTIONS
    return test


def answer_blind(experiment: Experiment, questions: Path) -> None:
    """Everybody answers the questions of the two others; two answers are shorter."""
    experiment.project("answer", "second_answers", questions)
    people = experiment.invite("answer", "annotator", *ANNOTATORS)
    experiment.hand_out("answer")
    shorter = dict(SHORTER)
    for person in people:
        for item in person.work("answer"):
            for _, answer, _ in QUESTIONS[item]:
                person.answer(shorter.pop(answer, answer))
                person.press("Alt+ArrowDown")
    export = experiment.export("answer")
    files = sorted((export / "people").iterdir())
    agreement = experiment.json("set", "agree", *files, "--what", "answers")["what"]["answers"]
    exact, *_ = agreement["figures"].values()
    # Two people answered each of six questions, four times equally.
    assert experiment.owner.agreement("answer") == [("answers", f"{exact['value']:.3f}", "6")]
    assert exact["value"] == pytest.approx(4 / 6)


def adjudicate(experiment: Experiment, questions: Path) -> Path:
    """An expert decides where two people differ; the frozen gold."""
    [judge] = experiment.invite("answer", "adjudicator", "dora")
    page = experiment.show("answer", "adjudication")
    page.click("form[action$=adjudication] button")
    page.wait_for_selector(".notice.good")
    wanted = {text: answer for each in QUESTIONS.values() for text, answer, _ in each} | ADOPTED
    for _ in judge.work("adjudicate"):
        for question in judge.page.locator(".card-title").all_inner_texts():
            judge.choose(wanted[question])
    page = experiment.show("answer", "adjudication")
    page.click("form[action$=gold] button")
    page.wait_for_selector(".notice.good")
    [version] = experiment.get("answer/gold")
    gold = experiment.unpack(f"/api/projects/answer/gold/{version['id']}", "gold")
    (gold / "version.json").unlink()
    assert contents(gold) == contents(experiment.export("answer") / "gold")
    adopted = {
        question.text: question.key.answers[0].text
        for record in open_test(gold / "gold.jsonl").records()
        for question in record.questions
    }
    assert adopted == wanted
    files = sorted((gold / "people").iterdir())
    experiment.readmark("set", "merge", questions, *files, "-o", "merged.jsonl")
    merged = experiment.folder / "merged.jsonl"
    assert merged.read_bytes() == (gold / "answers.jsonl").read_bytes()
    compared = [files, *([file, gold / "adjudicated.jsonl"] for file in files)]
    measured = [experiment.json("set", "agree", *pair)["what"] for pair in compared]
    assert [each["what"] for each in (*version["before"], *version["after"])] == measured
    tables = page.locator("details[open] > .scroll table").all()
    values = sorted(row[3] for table in tables for row in table_rows(table))
    assert values == sorted(f"{value:.3f}" for each in measured for value in figures_of(each))
    return gold / "gold.jsonl"


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def figures_of(what: Any) -> list[float]:
    """The figures of a document of `set agree` that the page shows."""
    return [row[3] for row in agreement_rows({"what": what})]


def rate_passages(experiment: Experiment) -> None:
    """Two experts and four novices rate and order ten passages."""
    save_test(panel_test(10), experiment.folder / "ten.jsonl")
    experiment.project("rate", "panel", experiment.folder / "ten.jsonl")
    experts = experiment.invite("rate", "expert", *EXPERTS)
    novices = experiment.invite("rate", "novice", *NOVICES)
    experiment.hand_out("rate")
    for number, person in enumerate((*experts, *novices)):
        criteria = "short sentences" if person in experts else ""
        person.rate(lambda code, number=number: stars(code, number), criteria=criteria)
    export = experiment.export("rate")
    sheets = [path.relative_to(export) for path in sorted((export / "people").iterdir())]
    shown = experiment.get("rate/panel?rater=formula")
    collected = experiment.json(
        "panel", "collect", "test.jsonl", "plan.json", *sheets, folder=export
    )
    del collected["unfinished"]
    assert {name: shown["panel"][name] for name in collected} == collected
    experiment.readmark("sit", export / "test.jsonl", "-r", "formula", "-o", "formula.jsonl")
    novices_sat = sorted((export / "novices").iterdir())
    novice = [word for path in novices_sat for word in ("--novice", path)]
    marked = experiment.json("panel", "mark", export / "rated.jsonl", "formula.jsonl", *novice)
    assert shown["machines"]["mark"] == marked
    page = experiment.show("rate", "panel")
    page.check("input[name=rater][value=formula]")
    page.click("form:has(input[name=rater]) button >> nth=0")
    words = page.inner_text("main")
    assert marked["claims"]
    assert all(claim in words for claim in marked["claims"])


def stars(code: str, number: int) -> int:
    """The stars of a judge by number: the order of the codes, with a star off here and there."""
    passage = int(code[1:])
    off = 0 if (passage * (number + 1)) % 7 else 1 if number % 2 else -1
    return min(5, max(1, 1 + passage % 5 + off))


def sit_and_report(experiment: Experiment, gold: Path) -> None:
    """Novices and a machine sit the adjudicated test; the report has everybody's figures."""
    experiment.project(
        "exam", "sitting", gold, lambda text: text.replace("# minutes = 40", "minutes = 30")
    )
    people = experiment.invite("exam", "novice", *NOVICES)
    experiment.hand_out("exam")
    for login, person in zip(NOVICES, people, strict=True):
        slips = SLIPS[login]
        person.sit(
            lambda item, slips=slips: [slips.get(right, right) for _, right, _ in QUESTIONS[item]]
        )
    export = experiment.export("exam")
    test, files = export / "test.jsonl", sorted((export / "people").iterdir())
    bow, by = experiment.folder / "bow.jsonl", ("--by", "level")
    members = [word for file in files for word in ("--people", file)]
    experiment.readmark("sit", test, "-r", "bow", "-o", bow)
    page = experiment.show("exam", "results")
    page.set_input_files("input[name=file]", bow)
    page.click("form:has(input[name=file]) button")
    page.wait_for_selector("#results .machine")

    # The page has what the commands print.
    results = experiment.get("exam/results")
    person = experiment.json("people", test, *files, *by)
    machine = experiment.json("mark", test, bow, *by, *members)
    assert results["people"] == person
    for part in ("marks", "by", "people"):
        assert results["machines"]["bow"][part] == machine[part]
    exact = {name: own["em"]["score"] for name, own in person["each"].items()}
    wrong = {login: len(slips) for login, slips in SLIPS.items()}
    assert exact == {
        login.title(): pytest.approx(100 * (6 - wrong[login]) / 6) for login in NOVICES
    }
    everybody = [person["marks"], machine["marks"], *person["each"].values()]
    assert marks_shown(page.locator("#results")) == [marks_in_words(own) for own in everybody]
    parts = [
        marks_in_words(part)
        for level in person["by"]["level"]
        for part in (person["by"]["level"][level], machine["by"]["level"][level])
    ]
    assert (
        marks_shown(
            page.locator("#results ~ .scroll table, .scroll:has(#results) ~ .scroll table").first
        )
        == parts
    )

    # So has the report, which is the command's to the byte.
    with page.expect_download() as download:
        page.click("a[href$='report.html']")
    shown, own = experiment.folder / "shown", experiment.folder / "own"
    own.mkdir()
    download.value.save_as(shown / "report.html")
    experiment.readmark("report", test, bow, *members, "-o", "own/report.html")
    assert (shown / "report.html").read_bytes() == (own / "report.html").read_bytes()
    page.goto((shown / "report.html").as_uri())
    everybodys = table_rows(page.locator("table:has-text('Finn')").first)
    assert {row[0].strip("○"): row[1] for row in everybodys} == {
        name: f"{own['f1']['score']:.2f}" for name, own in person["each"].items()
    }
    by_level = table_rows(page.locator("table:has-text('people (panel)')").first)
    expected = [
        [
            f"{own[metric]['score']:.2f}"
            for own in (*levels["by"]["level"].values(), levels["marks"])
        ]
        for levels in (machine, person)
        for metric in ("em", "f1")
    ]
    assert [row[2:] for row in by_level] == expected


def marks_in_words(marks: Any) -> list[str]:
    """Marks as the tab *Results* writes them; a single question has no interval."""
    words = []
    for own in (marks[metric] for metric in ("em", "f1")):
        interval = "" if own["low"] is None else f" [{own['low']:.2f}, {own['high']:.2f}]"
        words.append(f"{own['score']:.2f}{interval}")
    return words


def marks_shown(table: Any) -> list[list[str]]:
    """The marks in the rows of a table: EM and F1 come last."""
    return [row[-2:] for row in table_rows(table)]
