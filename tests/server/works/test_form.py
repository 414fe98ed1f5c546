"""Two projects without Python, from creation to gold; every figure is worked by hand."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra serve")

from sqlalchemy import select

from disputed import DisputedHall
from halls import add_member, add_person, hall_in, signed_in
from made import comprehension, passage
from organised import town_test, work_on
from readmark.core.errors import DataError
from readmark.core.records import RecordKey
from readmark.formats.registry import open_test, save_test
from readmark.server.tables import Project
from readmark.settling import read_adjudication
from readmark.works import PersonsWork, ProjectWork, WorkItem, read_project
from readmark.works.form import FORM
from readmark.works.form_decisions import FORM_DECISIONS
from shipped_projects import PROJECTS, shipped, work_of
from work_pages import browser_of, open_work, serving, wait_saved

PEOPLE = ("ann", "bob", "judge")


def created(app: Any, name: str, file: Path, text: str = "") -> DisputedHall:
    """A project that an owner creates over HTTP, of a shipped file or a text, for two people."""
    owner = signed_in(app, add_person(app, "owner", is_owner=True))
    with file.open("rb") as stream:
        sent = {"test": stream, **({"configuration": text.encode()} if text else {})}
        answer = owner.post("/api/projects", data={"shipped": name}, files=sent)
    assert answer.status_code == 201, answer.text
    slug = answer.json()["project"]
    with hall_in(app).database.reading() as session:
        project = session.scalars(select(Project).where(Project.slug == slug)).one()
    people = {login: add_person(app, login) for login in PEOPLE}
    for login, person in people.items():
        add_member(app, project.id, person, "adjudicator" if login == "judge" else "annotator")
    assert owner.post(f"/api/projects/{slug}/hand-out").status_code == 200
    return DisputedHall(app, project, {**people, "owner": owner_of(app)})


def owner_of(app: Any) -> str:
    from readmark.server.tables import Person

    with hall_in(app).database.reading() as session:
        return session.scalars(select(Person.id).where(Person.login == "owner")).one()


def kappas(hall: DisputedHall) -> dict[str, float]:
    """Kappa of each field, as the hall's API has it."""
    client = signed_in(hall.app, hall.people["owner"])
    [report] = client.get(f"/api/projects/{hall.project.slug}/agreement").json()["reports"]
    return {
        name: compared["pairs"][0]["figures"]["kappa"]["value"]
        for name, compared in report["what"].items()
    }


def frozen(hall: DisputedHall) -> dict[str, bytes]:
    """The files of a gold that the owner freezes and fetches."""
    owner = signed_in(hall.app, hall.people["owner"])
    path = f"/api/projects/{hall.project.slug}/gold"
    export = owner.post(path)
    assert export.status_code == 201, export.text
    content = owner.get(f"{path}/{export.json()['id']}").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def rows_of(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig"))))


def passages_test(path: Path) -> Path:
    texts = ("The ferry is fast.", "The ferry is loud.", "The ferry is late.", "A ferry it is.")
    records = [passage(f"p{number}", text=text) for number, text in enumerate(texts)]
    save_test(comprehension(*records, language="en"), path)
    return path


def test_sentiment_of_passages_from_creation_to_gold(hall_app: Any, tmp_path: Path) -> None:
    hall = created(hall_app, "sentiment", passages_test(tmp_path / "ferries.jsonl"))
    ann = ("positive", "positive", "negative", "mixed")
    bob = ("positive", "negative", "negative", "neutral")
    for login, labels in (("ann", ann), ("bob", bob)):
        for number, label in enumerate(labels):
            hall.hand_in(login, f"p{number}", {"q-1": {"sentiment": label}})
    # Two of four agree: 1/2. By chance 2/4 · 1/4 + 1/4 · 2/4 = 1/4. Kappa is (1/2 - 1/4) / (3/4).
    assert kappas(hall) == {"sentiment": pytest.approx(1 / 3)}
    assert vars(hall.open()) == {"added": 2, "superseded": 0, "handed_out": 2, "missing": 0}
    page = hall.decide("p1", "positive")
    [form] = [value["value"] for value in page["objects"].values()]
    assert form["prompt"] == "Sentiment"
    assert "other" not in form["choices"]  # the page has the field's own, in their order
    other = page["entries"]["decision"]["fields"]["other"]
    assert [choice["value"] for choice in other["choices"]] == [
        "positive",
        "negative",
        "mixed",
        "neutral",
    ]
    hall.decide("p3", {"decision": "other", "other": "negative", "reason": "it sighs"})
    files = frozen(hall)
    assert [(row["id"], row["sentiment"]) for row in rows_of(files["adjudicated.csv"])] == [
        ("p0", "positive"),
        ("p1", "positive"),
        ("p2", "negative"),
        ("p3", "negative"),
    ]
    (tmp_path / "gold.jsonl").write_bytes(files["gold.jsonl"])
    records = list(open_test(tmp_path / "gold.jsonl").records())
    labels = [record.key.fields["sentiment"] for record in records if record.key is not None]
    assert labels == ["positive", "positive", "negative", "negative"]
    (tmp_path / "decisions.jsonl").write_bytes(files["decisions.jsonl"])
    header, lines = read_adjudication(tmp_path / "decisions.jsonl")
    assert header.work == "form"
    assert [(line.id, line.adopted, line.by) for line in lines] == [
        ("p1/sentiment", "positive", "Judge"),
        ("p3/sentiment", "negative", "Judge"),
    ]


def test_quality_of_questions_by_criteria_from_creation_to_gold(
    hall_app: Any, tmp_path: Path
) -> None:
    hall = created(hall_app, "question_quality", town_test(tmp_path / "towns.jsonl", count=2))

    def judged(clear: str, worth: str) -> dict[str, str]:
        return {"clear": clear, "answerable": "yes", "worth": worth}

    ann = {
        "p0": {"q-1": judged("yes", "3"), "q-2": judged("yes", "1")},
        "p1": {"q-1": judged("no", "3") | {"why": "which mill?"}, "q-2": judged("yes", "1")},
    }
    bob = {
        "p0": {"q-1": judged("yes", "3"), "q-2": judged("no", "1")},
        "p1": {"q-1": judged("no", "2"), "q-2": judged("no", "1")},
    }
    for login, work in (("ann", ann), ("bob", bob)):
        for item, fields in work.items():
            hall.hand_in(login, item, fields)
    # clear: agree on 2 of 4; chance 3/4 · 1/4 + 1/4 · 3/4 = 3/8; (1/2 - 3/8) / (5/8) = 1/5.
    # worth: agree on 3 of 4; chance 2/4 · 1/4 (3) + 2/4 · 2/4 (1) = 3/8; (3/4 - 3/8) / (5/8) = 3/5.
    kappa_of = kappas(hall)
    assert kappa_of["clear"] == pytest.approx(1 / 5)
    assert kappa_of["worth"] == pytest.approx(3 / 5)
    assert hall.open().added == 2
    hall.decide("p0", "yes")
    view = hall.page("judge", "p1", "adjudication")
    prompts = [view["objects"][f"d-{number}"]["value"]["prompt"] for number in (1, 2)]
    assert prompts == ["Worth asking: Where does the mill stand?", "Clear: When was it built?"]
    choices = [view["objects"][f"d-{number}"]["value"]["choices"]["other"] for number in (1, 2)]
    assert [sorted(each) for each in choices] == [["1", "2", "3"], ["no", "yes"]]
    hall.decide("p1", "2", "no")
    files = frozen(hall)
    rows = {row["id"]: row for row in rows_of(files["adjudicated.csv"])}
    assert {id: (row["clear"], row["worth"]) for id, row in rows.items()} == {
        "p0-where": ("yes", "3"),
        "p0-when": ("yes", "1"),
        "p1-where": ("no", "2"),
        "p1-when": ("no", "1"),
    }
    assert rows["p1-where"]["why"] == "which mill?"
    (tmp_path / "gold.jsonl").write_bytes(files["gold.jsonl"])
    [_, last] = open_test(tmp_path / "gold.jsonl").records()
    key = last.questions[0].key
    assert key.fields["worth_asking"] == "2"
    assert key.level == 1  # what the key had stays


QUESTIONS_ON_ANYTHING = """
[project]
name = "What a question rests on"
work = "form"
overlap = 2
[options]
about = "question"
checks = [{ check = "between", field = "seconds", least = 1, most = 60 }]
[entry.question.fields]
rests = { widget = "choice", choices = ["text", "question", "nothing"] }
seconds = { widget = "number", optional = true }
"""


@pytest.mark.parametrize("bundled", ["series.en.jsonl", "readability.en.jsonl", "task.en.zip"])
def test_a_form_is_about_tests_of_any_kind(hall_app: Any, tmp_path: Path, bundled: str) -> None:
    file = Path(str(files("readmark.bundle") / bundled))
    hall = created(hall_app, "", file, QUESTIONS_ON_ANYTHING)
    test, handed_out = open_test(file), work_on(hall.app, hall.people["ann"])
    record = next(record for record in test.records() if record.id in handed_out)
    units = list(test.kind.units(record))
    view = hall.page("ann", record.id)
    [text] = view["texts"]
    assert text["text"]
    assert len(view["objects"]) == len(units)
    asked = {id: {"rests": "text", "seconds": 9} for id in view["objects"]}
    hall.hand_in("ann", record.id, asked)
    hall.hand_in("bob", record.id, {**asked, "q-1": {"rests": "nothing"}})
    assert hall.open().added == 1
    hall.decide(record.id, {"decision": "other", "other": "question"})
    gold = tmp_path / "gold.jsonl"
    gold.write_bytes(frozen(hall)["gold.jsonl"])
    first = open_test(gold)
    keys = [unit.key for each in first.records() for unit in first.kind.units(each)]
    labels = [key.fields["rests"] for key in keys if key and "rests" in key.fields]
    assert labels == ["question", *["text"] * (len(units) - 1)]


def test_everybodys_labels_are_in_the_test_and_the_sheets_are_read_back(tmp_path: Path) -> None:
    configuration = shipped("sentiment")
    test = open_test(passages_test(tmp_path / "ferries.jsonl"))
    items = list(FORM.divide([test], configuration))
    forms = [dict(FORM.view(item, configuration).objects) for item in items]

    def filled(*labels: str) -> Mapping[str, Any]:
        return {
            item.name: {"q-1": {**form["q-1"], "fields": {"sentiment": label}}}
            for item, form, label in zip(items, forms, labels, strict=False)
        }

    work = {"Ann": filled("mixed", "neutral"), "Bob": filled("mixed", "positive")}
    FORM.write(work_of(configuration, test.header, items, **work), tmp_path / "out")
    first, second, *_ = open_test(tmp_path / "out/labelled.jsonl").records()
    assert first.key.fields["sentiment"] == "mixed"
    assert second.key.fields == {
        "sentiment_labels": [
            {"person": "Ann", "sentiment": "neutral"},
            {"person": "Bob", "sentiment": "positive"},
        ]
    }
    by_name = {item.name: item for item in items}
    read = list(FORM.read(tmp_path / "out/people/Ann.csv", by_name, configuration))
    assert [(person, name) for person, name, _ in read] == [("Ann", "p0"), ("Ann", "p1")]
    assert read[1][2]["q-1"]["fields"] == {"sentiment": "neutral"}


def test_labels_become_the_members_of_a_key_that_the_file_names(tmp_path: Path) -> None:
    text = """
    [project]
    name = "Levels"
    work = "form"
    [options]
    about = "question"
    output = { grade = "level", hard = "difficulty", sort = "type" }
    [entry.question.fields]
    grade = { widget = "choice", choices = { 1 = "match", 3 = "reasoning" } }
    hard = "number"
    sort = { widget = "choices", choices = ["who", "where"] }
    sure = "flag"
    """
    configuration, _ = read_project(text)
    test = open_test(town_test(tmp_path / "towns.jsonl", count=1))
    items = list(FORM.divide([test], configuration))
    form = FORM.view(items[0], configuration).objects["q-1"]
    fields = {"grade": "3", "hard": 0, "sort": ["where", "who"], "sure": True}
    work = {"p0": {"q-1": {**form, "fields": fields}}}
    FORM.write(work_of(configuration, test.header, items, Ann=work), tmp_path / "out")
    [record] = open_test(tmp_path / "out/labelled.jsonl").records()
    key = record.questions[0].key
    assert (key.level, key.difficulty, key.type) == (3, "0", "where + who")
    assert key.fields["sure"] is True
    [(person, name, objects)] = FORM.read(
        tmp_path / "out/people/Ann.csv", {item.name: item for item in items}, configuration
    )
    assert (person, name) == ("Ann", "p0")
    assert objects["q-1"]["fields"] == fields


@pytest.mark.parametrize("number", ["many", "nan", "1.0e999", "7" * 310, "7" * 5_000])
def test_a_sheet_with_a_number_that_is_none_is_refused(tmp_path: Path, number: str) -> None:
    text = '[project]\nname = "N"\nwork = "form"\n[entry.count.fields]\nn = "number"'
    configuration, _ = read_project(text)
    [item, *_] = FORM.divide([open_test(passages_test(tmp_path / "p.jsonl"))], configuration)
    sheet = tmp_path / "Ann.csv"
    sheet.write_text(f"id,n\np0,{number}\n")
    with pytest.raises(DataError, match=r"Ann\.csv:p0: .* is not a number"):
        list(FORM.read(sheet, {"p0": item}, configuration))


def findings(fields: Mapping[str, Any]) -> list[tuple[str, str]]:
    configuration = shipped("sentiment")
    item = WorkItem("p", {"record": {"id": "p", "text": "A ferry."}, "language": "en"})
    form = FORM.view(item, configuration).objects["q-1"]
    objects = {"q-1": {**form, "fields": fields}}
    return [
        (finding.code, finding.severity) for finding in FORM.check(item, objects, configuration)
    ]


def test_checks_are_named_in_the_file() -> None:
    assert findings({"sentiment": "positive"}) == []
    assert findings({}) == [("missing", "hint")]
    assert findings({"sentiment": "mixed"}) == [("needed", "warning")]
    assert findings({"sentiment": "mixed", "words": "fast, dear"}) == []
    assert findings({"sentiment": "mixed", "words": "x" * 81}) == [("characters", "hint")]


@pytest.mark.parametrize(
    ("check", "value", "message"),
    [
        ('"needed", field = "n"', None, "How many: needed here"),
        ('"needed", field = "n"', 0, None),
        ('"between", field = "n", least = 1, most = 5', 5, None),
        ('"between", field = "n", least = 1, most = 5', 6, "How many: 1–5"),
        ('"between", field = "n", least = 1', 0.5, "How many: ≥ 1"),
        ('"characters", field = "why", most = 3', "four", "why: ≤ 3 characters"),
        ('"characters", field = "why", least = 5', "", None),
        ('"between", field = "n", most = 1, message = "too many"', 2, "too many"),
    ],
)
def test_each_check_says_what_it_expects(check: str, value: Any, message: str | None) -> None:
    text = f"""
    [project]
    name = "Counts"
    work = "form"
    [options]
    checks = [{{ check = {check} }}]
    [entry.count.fields]
    n = {{ widget = "number", label = "How many", optional = true }}
    why = {{ widget = "text", optional = true }}
    """
    configuration, _ = read_project(text)
    item = WorkItem("p", {"record": {"id": "p", "text": "A ferry."}, "language": "en"})
    form = FORM.view(item, configuration).objects["q-1"]
    objects = {"q-1": {**form, "fields": {"n": value, "why": value}}}
    messages = [
        finding.as_json("en")["message"] for finding in FORM.check(item, objects, configuration)
    ]
    assert messages == ([] if message is None else [message])


RECIPES = """
[project]
name = "Recipes"
work = "form"
[options]
checks = [{ check = "needed", field = "meat", when = { vegetarian = [false] } }]
[entry.recipe.fields]
contains = { widget = "choices", choices = ["egg", "milk", "nuts"] }
serves = "number"
vegetarian = "flag"
meat = { widget = "text", optional = true }
"""


def recipe(**people: Mapping[str, Any]) -> tuple[ProjectWork, WorkItem]:
    """A project with one recipe, and what people filled in and handed in."""
    configuration, _ = read_project(RECIPES)
    test = comprehension(passage("r", text="Boil an egg."), language="en")
    [item] = FORM.divide([test], configuration)
    form = FORM.view(item, configuration).objects["q-1"]
    work = {name: {"r": {"q-1": {**form, "fields": fields}}} for name, fields in people.items()}
    project = work_of(configuration, test.header, [item], **work)
    done = [replace(person, finished=frozenset({"r"})) for person in project.people]
    return replace(project, people=done), item


def test_a_flag_that_nobody_ticked_is_no(tmp_path: Path) -> None:
    project, item = recipe(Ann={"serves": 2}, Bob={"serves": 2, "vegetarian": True}, Cy={})
    FORM.write(project, tmp_path)
    rows = rows_of((tmp_path / "labels.csv").read_bytes())
    assert [(row["person"], row["vegetarian"]) for row in rows] == [
        ("Ann", "no"),
        ("Bob", "yes"),
        ("Cy", "no"),
    ]
    objects = project.people[0].objects["r"]
    codes = [finding.code for finding in FORM.check(item, objects, project.configuration)]
    assert "needed" in codes


@pytest.mark.parametrize(
    ("place", "typed", "label"),
    [
        ("serves", "seven", None),
        ("serves", " 7 ", "7"),
        ("serves", "7" * 310, None),
        ("contains", "milk, nuts", None),
        ("contains", "nuts+milk", "milk + nuts"),
        ("vegetarian", "maybe", None),
        ("vegetarian", "no", "no"),
    ],
)
def test_another_version_is_a_value_of_the_field(
    tmp_path: Path, place: str, typed: str, label: str | None
) -> None:
    full = {"contains": ["egg"], "serves": 2, "vegetarian": True}
    other = {"contains": ["nuts"], "serves": 4, "vegetarian": False}
    project, _ = recipe(Ann=full, Bob={**full, place: other[place]})
    [dispute] = FORM_DECISIONS.disputes(project)
    [(id, form)] = dispute.paper["objects"].items()
    objects = {id: {**form, "fields": {"decision": "other", "other": typed}}}
    faults = list(FORM_DECISIONS.check(dispute, objects, project.configuration))
    assert [fault.code for fault in faults] == (["no_other"] if label is None else [])
    judge = PersonsWork("Judge", {dispute.name: objects}, finished=frozenset({dispute.name}))
    decided = replace(project, items=[dispute], people=[judge])
    FORM_DECISIONS.write(project, decided, tmp_path)
    [row] = rows_of((tmp_path / "adjudicated.csv").read_bytes())
    assert row[place] == (label or "")


def test_another_version_of_choices_is_chosen() -> None:
    text = RECIPES.replace("[options]", '[options]\ncompared = ["contains"]')
    configuration, _ = read_project(text)
    other = FORM_DECISIONS.other_field(configuration)
    assert other.widget == "choices"
    assert list(other.choices) == ["egg", "milk", "nuts"]


def test_practice_compares_with_the_key() -> None:
    configuration = shipped("sentiment")
    record = passage("p", text="A ferry.", key=RecordKey(fields={"sentiment": "neutral"}))
    [item] = FORM.divide([comprehension(record, language="en")], configuration)
    form = FORM.view(item, configuration).objects["q-1"]

    def graded(label: str) -> list[str]:
        objects = {"q-1": {**form, "fields": {"sentiment": label}}}
        return [
            finding.as_json("en")["detail"] for finding in FORM.grade(item, objects, configuration)
        ]

    assert graded("neutral") == []
    assert graded("mixed") == ["The key has neutral."]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('check = "needed"', 'check = "neded"', "no check 'neded'; did you mean needed?"),
        ('field = "words", when', 'field = "wrds", when', "no field 'wrds'; did you mean words?"),
        ('about = "passage"', 'about = "page"', "invalid enum value 'page'"),
        ("most = 80, ", "", "the check characters needs least or most"),
        ('shortcut = "w"', 'widget = "span"', "words is a span, expected a label"),
        ("fields.words]", "fields.note]", "note is a column of the sheet of labels"),
        (
            'agree = ["sentiment"]',
            'agree = ["sentimnt"]',
            "no field 'sentimnt'; did you mean sentiment?",
        ),
        ("[options]", '[options]\noutput.words = "sentiment"', "two fields have the name"),
    ],
)
def test_a_file_that_means_nothing_is_refused(old: str, new: str, message: str) -> None:
    text = (PROJECTS / "sentiment.toml").read_text("utf-8")
    assert old in text
    with pytest.raises(DataError, match=r"project\.toml") as error:
        read_project(text.replace(old, new))
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["sentiment", "question_quality"])
def test_the_files_are_short(name: str) -> None:
    assert len((PROJECTS / f"{name}.toml").read_text("utf-8").splitlines()) < 40
    assert json.dumps(shipped(name).project.name["zh"])  # type: ignore[index]


def test_a_page_is_made_of_the_file_alone(hall_app: Any, tmp_path: Path, chromium: Any) -> None:
    hall = created(hall_app, "question_quality", town_test(tmp_path / "towns.jsonl", count=1))
    ann = hall.people["ann"]
    with serving(hall_app) as address:
        context = browser_of(chromium, hall_app, address, ann)
        page = open_work(context, address, work_on(hall_app, ann)["p0"])
        assert page.locator(".card").count() == 2
        for key in ("c", "2", "p", "1", "w", "3"):  # a field's key, then the number of a choice
            page.keyboard.press(key)
        wait_saved(page)
        page.get_by_text("What is unclear: needed here").wait_for()
        assert context.complaints == []
        context.close()
    view = hall.page("ann", "p0")
    fields = {"clear": "no", "answerable": "yes", "worth": "3"}
    assert view["objects"]["q-1"]["value"]["fields"] == fields
    # Somebody else thinks otherwise: an adjudicator writes a version that neither has.
    hall.hand_in("ann", "p0", {"q-1": fields, "q-2": fields})
    hall.hand_in("bob", "p0", {"q-1": {**fields, "worth": "1"}, "q-2": fields})
    hall.open()
    judge = hall.people["judge"]
    with serving(hall_app) as address:
        context = browser_of(chromium, hall_app, address, judge)
        page = open_work(context, address, work_on(hall_app, judge, "adjudication")["p0"])
        page.keyboard.press("3")  # A, B, another version
        page.keyboard.press("e")
        page.keyboard.press("2")
        wait_saved(page)
        assert context.complaints == []
        context.close()
    [form] = [
        object["value"]["fields"]
        for id, object in hall.page("judge", "p0", "adjudication")["objects"].items()
        if id.startswith("d-")
    ]
    assert form == {"decision": "other", "other": "2"}
