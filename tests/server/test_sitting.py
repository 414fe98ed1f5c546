"""People sit tests in the hall: all four kinds, in time, marked as the command line marks them."""

from __future__ import annotations

import io
import json
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from halls import add_member, add_person, hall_in, signed_in
from made import asked, comprehension, passage
from organised import send, town_test, work_on
from pump_task import QUERIES, STATEMENTS, TEXT, TYPED, write_pump_task
from readmark.core.records import Answer
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_sitting, open_test, save_test
from readmark.marking import mark
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey
from readmark.server.assignment import reopen
from readmark.server.clock import GRACE
from readmark.server.handing_out import hand_out
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import Assignment, Event, Project
from readmark.tasks.records import Document, Query, QueryKey
from readmark.tasks.typed.answers import read_answer
from work_pages import browser_of, serving

DONE = {"type": "status", "done": True}
FOX = "The old mill of Leeds burnt down in 1901. The new mill of Leeds has no roof."


def sitting_project(app: Any, file: Path, *, options: str = "", slug: str = "sat") -> Project:
    """A stored project in which people sit the test in a file."""
    text = shipped_configuration("sitting").replace("shuffle = false", options, 1)
    new = prepare_project(text, [ItemSource(file)])
    with hall_in(app).database.writing() as session:
        return store_project(session, new, slug=slug)


def add_sitters(app: Any, project: Project, *logins: str) -> dict[str, str]:
    """New participants, who have everything to sit."""
    people = {login: add_person(app, login) for login in logins}
    for person in people.values():
        add_member(app, project.id, person, "participant")
    with hall_in(app).database.writing() as session:
        hand_out(session, project)
    return people


def shown_event(owner: Any, person: str) -> str:
    """The last event that the form for typing says it shows of a person."""
    page = owner.get("/projects/sat/typing", params={"person": person}).text
    return page.partition('name="seen" value="')[2].partition('"')[0]


def organiser(app: Any, project: Project) -> Any:
    person = add_person(app, "olga")
    add_member(app, project.id, person, "organiser")
    return signed_in(app, person)


def fill(app: Any, person: str, assignment: str, **fields: Any) -> None:
    """Fill in forms of an item as its page does: the entry as it is shown, with its fields."""
    page = signed_in(app, person).get(f"/api/assignments/{assignment}").json()
    objects = {}
    for name, own in fields.items():
        id = name.replace("_", "-").replace("-more", ".")
        shown = page["objects"][id.partition(".")[0]]["value"]
        objects[id] = {**shown, "fields": own}
    send(app, person, assignment, objects)


def findings_on(client: Any, assignment: str) -> list[Any]:
    """What the page is told of the work that is stored."""
    page = client.get(f"/api/assignments/{assignment}").json()
    objects = {id: entry["value"] for id, entry in page["objects"].items()}
    reply = client.post(f"/api/assignments/{assignment}/check", json={"objects": objects})
    found: list[Any] = reply.json()["findings"]
    return found


def span_of(text: str, quote: str) -> dict[str, Any]:
    start = text.index(quote)
    return {"text": "passage", "start": start, "end": start + len(quote), "quote": quote}


def town_answers(app: Any, person: str, quotes: dict[str, tuple[str, ...]]) -> None:
    for name, assignment in work_on(app, person).items():
        page = signed_in(app, person).get(f"/api/assignments/{assignment}").json()
        text = page["texts"][0]["text"]
        answers = {
            f"q_{number}": {"answer": span_of(text, quote)}
            for number, quote in enumerate(quotes[name], 1)
        }
        fill(app, person, assignment, **answers)


# All four kinds of test.


def mixed_questions() -> Test:
    """A span, an option, and a question that has no answer."""
    return comprehension(
        passage(
            "mill",
            asked("when", text="When did it burn down?", level=1),
            asked("roof", "none", text="Which roof has it?", options=("tin", "none", "slate")),
            asked("who", text="Who burnt it down?", unanswerable=True),
            text=FOX,
        ),
        language="en",
    )


def with_span(test: Test) -> Test:
    def change(record: Any) -> Any:
        import msgspec

        first, *others = record.questions
        answer = Answer(text="1901", start=FOX.index("1901"), annotator="r1")
        key = msgspec.structs.replace(first.key, answers=(answer,))
        own = msgspec.structs.replace(first, key=key)
        return msgspec.structs.replace(record, questions=(own, *others))

    return in_memory(test.header, map(change, test.records()))


def a_series() -> Test:
    gold = SeriesQuestionKey(rewrites=(Answer(text="Who built the mill of Leeds?"),))
    question = SeriesQuestion(id="s-1", text="Who built it?", key=gold)
    series = Series(id="s", target="the mill of Leeds", questions=(question,))
    return in_memory(Header(kind="series", name="made", language="en"), [series])


def passages_to_rate() -> Test:
    records = [
        RatedPassage(
            id=f"r{number}",
            text=f"Text {number}.",
            key=RatingKey(ratings=(Rating(rating=float(number), annotator="expert"),)),
        )
        for number in (1, 2, 3)
    ]
    return in_memory(Header(kind="readability", name="made", language="en"), records)


def a_task() -> Test:
    burnt = Query(id="", graph="((?mill burnt ?year))")
    gold = (read_answer(burnt, ("mill", "year"), ("old mill", "1901")).solution,)
    query = Query(
        id="d:burnt",
        graph="((?mill burnt ?year))",
        text="Which mill burnt down, and when?",
        fields={"variables": ["mill", "year"]},
        key=QueryKey(solutions=gold),
    )
    other = Query(id="d:roof", graph="((?mill roof ?roof))", text="Which roofs are there?")
    document = Document(id="d", text=FOX, queries=(query, other))
    return in_memory(Header(kind="task", name="made", language="en"), [document])


KINDS: dict[str, tuple[Callable[[], Test], dict[str, Any], dict[str, dict[str, Any]]]] = {
    "comprehension": (
        lambda: with_span(mixed_questions()),
        {
            "q_1": {"answer": span_of(FOX, "1901")},
            "q_2": {"option": "B"},
            "q_3": {"unanswerable": True},
        },
        {
            "when": {"text": "1901", "start": 36, "end": 40},
            "roof": {"text": "none"},
            "who": {"text": ""},
        },
    ),
    "series": (
        a_series,
        {"q_1": {"rewrite": "Who built the mill of Leeds? "}},
        {"s-1": {"rewrite": "Who built the mill of Leeds?"}},
    ),
    "readability": (
        passages_to_rate,
        {"q_1": {"rating": "1"}, "q_2": {"rating": "2"}, "q_3": {"rating": "4"}},
        {"r1": {"rating": 1.0}, "r2": {"rating": 2.0}, "r3": {"rating": 4.0}},
    ),
    "task": (
        a_task,
        {
            "q_1": {
                "value_1": "old mill",
                "value_2": "1901",
                "excerpts": [span_of(FOX, "burnt down")],
            },
            "q_1_more2": {"value_1": "new mill", "value_2": "1902"},
        },
        {
            "d:burnt": {
                "bindings": [
                    {
                        "values": {"mill": "old-mill", "year": "1901"},
                        "mentions": {"old-mill": ["old mill"]},
                        "excerpts": [
                            {"document": "d", "start": 22, "end": 32, "quote": "burnt down"}
                        ],
                    },
                    {
                        "values": {"mill": "new-mill", "year": "1902"},
                        "mentions": {"new-mill": ["new mill"]},
                    },
                ]
            },
            "d:roof": {"bindings": []},
        },
    ),
}


def test_answers_to_queries_are_typed_in_words(hall_app: Any, tmp_path: Path) -> None:
    """By hand: 5 right of 6 that were typed and 7 that there are, 2·5 / 13."""
    project = sitting_project(hall_app, write_pump_task(tmp_path / "pumps"))
    ann = add_sitters(hall_app, project, "ann")["ann"]
    ((_, assignment),) = work_on(hall_app, ann).items()
    entries = {
        f"q_{number}": {f"value_{place}": text for place, text in enumerate(TYPED[id], 1)}
        for number, id in enumerate(QUERIES, 1)
    }
    fill(hall_app, ann, assignment, **entries)
    client = signed_in(hall_app, ann)
    assert findings_on(client, assignment) == []
    client.post(f"/assignments/{assignment}/sitting/hand-in")
    owner, folder = organiser(hall_app, project), tmp_path / "out"
    zipfile.ZipFile(io.BytesIO(owner.get("/projects/sat/export.zip").content)).extractall(folder)
    test = open_test(folder / "test.jsonl")
    sitting = open_sitting(folder / "people/Ann.jsonl", test.kind)
    marks = mark(test, sitting, metrics=["answers"]).as_json(units=False)["marks"]
    assert marks["answers"]["score"] == pytest.approx(100 * 10 / 13)


def test_a_value_that_cannot_be_read_is_a_finding_beside_its_field(
    hall_app: Any, tmp_path: Path
) -> None:
    project = sitting_project(hall_app, write_pump_task(tmp_path / "pumps"))
    ann = add_sitters(hall_app, project, "ann")["ann"]
    ((_, assignment),) = work_on(hall_app, ann).items()
    fill(hall_app, ann, assignment, q_2={"value_1": "the repair", "value_2": "in summer"})
    client = signed_in(hall_app, ann)
    (finding,) = findings_on(client, assignment)
    assert (finding["object"], finding["severity"]) == ("q-2", "error")
    assert finding["message"] == (
        "Question 2, value: “in summer” is not a date such as 10 August 2021 or 2021-08-10"
    )
    overview = client.get(f"/assignments/{assignment}/sitting").text
    assert "no answer: 1, 3, 4, 5, 6 · cannot be read: 2<" in overview


@pytest.mark.parametrize("options", ["choices = true", "choices = false"])
def test_what_a_question_can_be_about_is_offered(
    options: str, hall_app: Any, tmp_path: Path
) -> None:
    task = write_pump_task(tmp_path / "pumps")
    text = shipped_configuration("sitting").replace("choices = true", options, 1)
    new = prepare_project(text, [ItemSource(task)])
    with hall_in(hall_app).database.writing() as session:
        project = store_project(session, new, slug="sat")
    ann = add_sitters(hall_app, project, "ann")["ann"]
    ((_, assignment),) = work_on(hall_app, ann).items()
    page = signed_in(hall_app, ann).get(f"/api/assignments/{assignment}").json()
    offers = [entry["value"].get("offers") for entry in page["objects"].values()]
    about_the_repair = {"value_1": ["repair"]}
    shown = [about_the_repair] * 4 + [None, about_the_repair]  # not for "Which pumps?"
    assert offers == (shown if options == "choices = true" else [None] * 6)


def test_words_that_the_document_does_not_have_are_a_finding(hall_app: Any, tmp_path: Path) -> None:
    """Whether they are right is not said: the finding depends on the document alone."""
    project = sitting_project(hall_app, write_pump_task(tmp_path / "pumps"))
    ann = add_sitters(hall_app, project, "ann")["ann"]
    ((_, assignment),) = work_on(hall_app, ann).items()
    places = {id: number for number, id in enumerate(QUERIES, 1)}
    typed = {
        "afterHours": ("the repair", "many"),
        "replaced": ("the repair", "impeller, shaft seal"),
        "repairOf": ("last repair", "the Pump P-7"),
        "Pump": ("the pump",),
    }
    fields = {
        f"q_{places[id]}": {f"value_{place}": text for place, text in enumerate(texts, 1)}
        for id, texts in typed.items()
    }
    wrong_but_there = {"value_1": "the repair", "value_2": "Lindow waterworks"}
    fill(hall_app, ann, assignment, **fields, **{f"q_{places['replaced']}_more2": wrong_but_there})
    client = signed_in(hall_app, ann)
    shown = {(one["object"], one["code"]): one for one in findings_on(client, assignment)}
    assert set(shown) == {(f"q-{places['afterHours']}", "unread"), ("q-3", "absent")}
    assert shown["q-3", "absent"]["severity"] == "warning"
    assert shown["q-3", "absent"]["message"] == (
        "Question 3, part: “impeller, shaft seal” is not in the document. Use its words, and a "
        "further answer for each thing"
    )
    overview = client.get(f"/assignments/{assignment}/sitting").text
    assert "no answer: 2, 6 · cannot be read: 1<" in overview
    assert "Questions without an answer that can be read: 3." in overview


def test_words_that_may_mean_several_choices_are_a_finding(hall_app: Any, tmp_path: Path) -> None:
    again = '"again" -> (Repair-2 type Repair) (Repair-2 afterHours 3100) (Repair-2 repairOf P-7)\n'
    text, statements = f"{TEXT} They came again after 3,100 hours.", STATEMENTS + again
    task = write_pump_task(tmp_path / "pumps", text=text, statements=statements)
    project = sitting_project(hall_app, task)
    ann = add_sitters(hall_app, project, "ann")["ann"]
    ((_, assignment),) = work_on(hall_app, ann).items()
    number = list(QUERIES).index("afterHours") + 1
    fill(hall_app, ann, assignment, **{f"q_{number}": {"value_1": "it", "value_2": "2,900"}})
    [shown] = findings_on(signed_in(hall_app, ann), assignment)
    assert (shown["object"], shown["code"]) == (f"q-{number}", "unclear")
    assert shown["message"] == (
        f"Question {number}, repair: “it” does not say which is meant. Use one of the choices"
    )


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_test_is_sat_and_marked(
    hall_app: Any, tmp_path: Path, kind: str, readmark_cli: Callable[..., Any]
) -> None:
    make, fields, rows = KINDS[kind]
    save_test(make(), tmp_path / "test.jsonl")
    project = sitting_project(hall_app, tmp_path / "test.jsonl")
    ann = add_sitters(hall_app, project, "ann")["ann"]
    ((_, assignment),) = work_on(hall_app, ann).items()
    fill(hall_app, ann, assignment, **fields)
    client = signed_in(hall_app, ann)
    overview = client.get(f"/assignments/{assignment}/sitting").text
    unanswered = {"task": "no answer: 2"}.get(kind, "all answered")
    assert unanswered in overview
    handed_in = client.post(f"/assignments/{assignment}/sitting/hand-in")
    assert handed_in.status_code == 303
    late = client.post(
        f"/api/assignments/{assignment}/events",
        json={
            "client": "another-client",
            "events": [{"sequence": 1, "object": "q-1", "value": None}],
        },
    )
    assert (late.status_code, late.json()["reason"]) == (409, "handed_in")
    owner = organiser(hall_app, project)
    folder = tmp_path / "out"
    zipfile.ZipFile(io.BytesIO(owner.get("/projects/sat/export.zip").content)).extractall(folder)
    sitting = open_sitting(folder / "people/Ann.jsonl", open_test(folder / "test.jsonl").kind)
    written = [json.loads(line) for line in (folder / "people/Ann.jsonl").read_text().splitlines()]
    assert {row["id"]: {**row, "id": 0, "seconds": 0} for row in written[1:]} == {
        id: {"id": 0, **row, "seconds": 0} for id, row in rows.items()
    }
    # 30 seconds for each entry that was saved; nobody touched the query about roofs.
    entries = {"d:burnt": 2, "d:roof": 0}
    spent = {row["id"]: row.get("seconds", 0.0) for row in written[1:]}
    assert spent == {id: 30.0 * entries.get(id, 1) for id in rows}
    assert sitting.header.covers is None
    # The same figures as the command line's on the exported files.
    printed = readmark_cli(
        "people",
        folder / "test.jsonl",
        folder / "people/Ann.jsonl",
        "--json",
        *(["--by", "level"] if kind == "comprehension" else []),
    )
    shown = owner.get("/api/projects/sat/results").json()
    assert shown["people"] == json.loads(printed.stdout)
    assert shown["people"]["each"].keys() == {"Ann"}
    page = owner.get("/projects/sat/results").text
    assert page.count("Ann") >= 1
    assert shown["people"]["marks"].keys() <= set(page.replace("<", ">").split(">"))


# Results.


def test_results_of_people_and_machines_are_those_of_the_command_line(
    either_app: Any, tmp_path: Path, readmark_cli: Callable[..., Any]
) -> None:
    project = sitting_project(either_app, town_test(tmp_path / "towns.jsonl", count=3))
    people = add_sitters(either_app, project, "ann", "bob")
    right: dict[str, tuple[str, ...]] = {
        "p0": ("Oxford", "1800"),
        "p1": ("Leeds", "1801"),
        "p2": ("Dover", "1802"),
    }
    town_answers(either_app, people["ann"], right)
    town_answers(either_app, people["bob"], {**right, "p0": ("brothers", "1800"), "p1": ("Leeds",)})
    owner = organiser(either_app, project)
    for assignment in work_on(either_app, people["ann"]).values():
        send(either_app, people["ann"], assignment, {"status": DONE})
    (tmp_path / "bow.json").write_text(json.dumps({"p0-where": "Oxford", "p0-when": "1800"}))
    with (tmp_path / "bow.json").open("rb") as stream:
        sent = owner.post("/projects/sat/results/machines", files={"file": ("bow.json", stream)})
    assert sent.status_code == 303, sent.text
    again = owner.post("/projects/sat/results/machines", data={"candidate": "lead"})
    assert again.status_code == 303, again.text
    folder = tmp_path / "out"
    zipfile.ZipFile(io.BytesIO(owner.get("/projects/sat/export.zip").content)).extractall(folder)
    test, files = folder / "test.jsonl", sorted(map(str, (folder / "people").iterdir()))
    shown = owner.get("/api/projects/sat/results").json()
    printed = readmark_cli("people", test, *files, "--by", "level", "--json")
    assert shown["people"] == json.loads(printed.stdout)
    # Ann: all six. Bob has handed in nothing: four of the five that he answered.
    each = {
        name: (own["units"], own["em"]["score"]) for name, own in shown["people"]["each"].items()
    }
    assert each == {"Ann": (6, 100.0), "Bob": (5, 80.0)}
    marked = readmark_cli(
        "mark",
        test,
        tmp_path / "bow.json",
        "--by",
        "level",
        "--json",
        *(word for file in files for word in ("--people", file)),
    )
    expected = json.loads(marked.stdout)
    assert list(shown["machines"]) == ["bow", "lead"]
    lead = folder / "machines" / "lead.jsonl"  # the export alone repeats the figures
    alone = json.loads(readmark_cli("mark", test, lead, "--json").stdout)
    assert shown["machines"]["lead"]["marks"] == alone["marks"]
    own = shown["machines"].pop("bow")
    assert own["marks"] == expected["marks"]
    assert own["people"] == expected["people"]
    assert own["by"] == expected["by"]
    page = owner.get("/projects/sat/results").text
    for words in ("People (mean)", "Ann", "Bob", "bow", "level", "0 of 3 pages handed in"):
        assert words in page
    table = owner.get("/projects/sat/results.csv").content.decode("utf-8-sig")
    assert "person,Bob,,,5,em,80.0," in table
    assert json.loads(owner.get("/projects/sat/results.json").content)["people"] == shown["people"]
    report = owner.get("/projects/sat/report.html")
    assert report.headers["content-disposition"].startswith("attachment")
    assert all(name in report.content for name in (b"bow", b"lead"))


def test_a_sitting_of_another_test_is_refused(hall_app: Any, tmp_path: Path) -> None:
    project = sitting_project(hall_app, town_test(tmp_path / "towns.jsonl", count=1))
    owner = organiser(hall_app, project)
    content = b'{"nothing-1": "Oxford"}'
    refused = owner.post("/projects/sat/results/machines", files={"file": ("x.json", content)})
    assert refused.status_code == 422
    assert "/tmp" not in refused.text
    assert "x.json" not in owner.get("/projects/sat/results").text


def test_hidden_splits_and_keys_stay_with_the_organiser(hall_app: Any, tmp_path: Path) -> None:
    project = sitting_project(hall_app, town_test(tmp_path / "towns.jsonl", count=3, hidden=1))
    ann = add_sitters(hall_app, project, "ann")["ann"]
    assert {*work_on(hall_app, ann)} == {"p0", "p1"}  # p2 is hidden
    client = signed_in(hall_app, ann)
    for assignment in work_on(hall_app, ann).values():
        sent = client.get(f"/api/assignments/{assignment}").text
        assert '"level"' not in sent
        assert '"key"' not in sent
        for page in ("paper", "paper/key", "results", "results.json", "report.html", "typing"):
            assert client.get(f"/projects/sat/{page}").status_code == 404
    owner = organiser(hall_app, project)
    assert "Dover" not in owner.get("/projects/sat/paper/key").text
    assert "Leeds" in owner.get("/projects/sat/paper/key").text


# Time.


def test_the_clock_is_the_servers(either_app: Any, tmp_path: Path) -> None:
    project = sitting_project(
        either_app, town_test(tmp_path / "towns.jsonl", count=2), options="minutes = 40"
    )
    ann = add_sitters(either_app, project, "ann")["ann"]
    first, second = work_on(either_app, ann).values()
    client = signed_in(either_app, ann)
    # Nothing of the questions is to be seen before the start.
    assert (
        client.get(f"/assignments/{first}").headers["location"] == f"/assignments/{first}/sitting"
    )
    assert client.get(f"/api/assignments/{first}").status_code == 409
    page = client.get(f"/assignments/{first}/sitting").text
    assert "40 minutes" in page
    assert "mill" not in page
    started = client.post(f"/assignments/{first}/sitting/start")
    assert started.headers["location"] == f"/assignments/{first}"

    def ends() -> list[float | None]:
        with hall_in(either_app).database.reading() as session:
            return [session.get_one(Assignment, id).ends for id in (first, second)]

    before = ends()
    assert before[0] == before[1]
    assert before[0] is not None
    assert 0 <= before[0] - GRACE - time.time() <= 2400
    client.post(f"/assignments/{second}/sitting/start")  # a second start gives no more time
    assert ends() == before
    left = client.get(f"/api/assignments/{first}").json()["assignment"]["left"]
    assert 2390 < left <= 2400
    fill(either_app, ann, first, q_1={"answer": span_of("The mill of", "mill")})

    def move(seconds: float) -> None:
        with hall_in(either_app).database.writing() as session:
            for id in (first, second):
                session.get_one(Assignment, id).ends = time.time() + seconds

    move(GRACE / 2)  # the time is over, and what is on its way still counts
    send(either_app, ann, first, {"note": {"type": "note", "value": "in time"}})
    move(-1)
    late = client.post(
        f"/api/assignments/{second}/events",
        json={
            "client": "late-client",
            "events": [{"sequence": 1, "object": "note", "value": None}],
        },
    )
    assert (late.status_code, late.json()["reason"]) == (409, "time_over")
    # What was answered in time is handed in, and what was not counts as wrong.
    owner = organiser(either_app, project)
    shown = owner.get("/api/projects/sat/results").json()["people"]
    assert shown["units"] == 4
    assert shown["each"]["Ann"]["units"] == 4
    assert "Time is up" in client.get(f"/assignments/{first}/sitting").text
    with hall_in(either_app).database.reading() as session:
        handed_in = session.scalars(select(Event.client).where(Event.object == "status")).all()
    assert handed_in == ["sitting-time-over"] * 2
    # An item that the organiser opens again has no clock, and the others stay closed.
    with hall_in(either_app).database.writing() as session:
        reopen(session, session.get_one(Assignment, first), by=ann)
    assert client.get(f"/api/assignments/{first}").json()["assignment"]["lock"] is None
    assert client.get(f"/api/assignments/{second}").json()["assignment"]["lock"] == "time_over"


def test_options_are_mixed_for_each_person_and_marked_alike(hall_app: Any, tmp_path: Path) -> None:
    options = tuple(f"option {letter}" for letter in "abcdef")
    question = asked("which", "option c", text="Which?", options=options)
    save_test(comprehension(passage("one", question), language="en"), tmp_path / "test.jsonl")
    project = sitting_project(hall_app, tmp_path / "test.jsonl", options="shuffle = true")
    people = add_sitters(hall_app, project, "ann", "bob", "cem")
    orders = set()
    for person in people.values():
        ((_, assignment),) = work_on(hall_app, person).items()
        page = signed_in(hall_app, person).get(f"/api/assignments/{assignment}").json()
        shown = page["objects"]["q-1"]["value"]["choices"]["option"]
        assert {*shown.values()} == {*options}
        orders.add(tuple(shown))
        letter = next(letter for letter, text in shown.items() if text == "option c")
        fill(hall_app, person, assignment, q_1={"option": letter})
        send(hall_app, person, assignment, {"status": DONE})
    assert len(orders) > 1
    owner = organiser(hall_app, project)
    shown = owner.get("/api/projects/sat/results").json()["people"]
    assert [own["accuracy"]["score"] for own in shown["each"].values()] == [100.0] * 3
    packed = zipfile.ZipFile(io.BytesIO(owner.get("/projects/sat/export.zip").content))
    rows = [
        json.loads(packed.read(f"people/{name}.jsonl").splitlines()[1])
        for name in ("Ann", "Bob", "Cem")
    ]
    assert {row["text"] for row in rows} == {"option c"}
    assert {tuple(row.get("order", range(6))) for row in rows} == {
        tuple("ABCDEF".index(letter) for letter in order) for order in orders
    }


def test_nothing_that_a_person_sends_stops_the_results(hall_app: Any, tmp_path: Path) -> None:
    save_test(with_span(mixed_questions()), tmp_path / "test.jsonl")
    save_test(passages_to_rate(), tmp_path / "rate.jsonl")
    hostile = {
        "q-1": {"answer": None, "written": ["a"], "rating": "nan"},
        "q-2": {"option": "Z", "rating": "1e999"},
        "q-3": {"unanswerable": "yes", "rating": [9]},
        "q-3.2": {"rating": "5"},
    }
    for slug, file in (("mixed", "test.jsonl"), ("rate", "rate.jsonl")):
        project = sitting_project(hall_app, tmp_path / file, slug=slug)
        people = add_sitters(hall_app, project, f"{slug}a", f"{slug}b")
        owner = signed_in(hall_app, add_person(hall_app, f"owner{slug}", is_owner=True))
        for number, person in enumerate(people.values()):
            ((_, assignment),) = work_on(hall_app, person).items()
            if number:  # the other hands in a blank paper
                entry: dict[str, Any] = {"type": "entry", "entry": "question", "only": "x"}
                entry |= {"choices": {"option": 1}}
                sent = {id: {**entry, "fields": fields} for id, fields in hostile.items()}
                send(hall_app, person, assignment, sent)
            signed_in(hall_app, person).post(f"/assignments/{assignment}/sitting/hand-in")
        shown = owner.get(f"/api/projects/{slug}/results").json()
        assert shown["problem"] is None, shown
        assert shown["people"]["units"] == 3
        assert owner.get(f"/projects/{slug}/results").status_code == 200
        if slug == "mixed":
            assert [own["em"]["score"] for own in shown["people"]["each"].values()] == [0.0, 0.0]


# Paper.


def test_answers_on_paper_are_typed_in_by_number(either_app: Any, tmp_path: Path) -> None:
    save_test(with_span(mixed_questions()), tmp_path / "test.jsonl")
    project = sitting_project(either_app, tmp_path / "test.jsonl")
    ann = add_sitters(either_app, project, "ann")["ann"]
    owner = organiser(either_app, project)
    paper, key = (owner.get(f"/projects/sat/{page}").text for page in ("paper", "paper/key"))
    for words in (
        "When did it burn down?",
        "tin",
        "slate",
        "Answer sheet",
        "The old mill of Leeds",
    ):
        assert words in paper
    assert "B. none" in key
    assert "B. none" not in paper
    form = {"name": "Pupil 7", "q1": "1901", "q2": "b", "q3": "-"}
    saved = owner.post("/projects/sat/typing", data=form)
    assert "Saved answers of Pupil 7: 3." in saved.text
    twice = owner.post("/projects/sat/typing", data=form)
    assert (twice.status_code, "already" in twice.text) == (422, True)
    # Words that the text has twice, words that it does not have, and no answer at all.
    cases = {
        "mill of Leeds": ({"answer": span_of(FOX, "mill of Leeds")}, "several times"),
        "mill of Leeds #2": (
            {"answer": {**span_of(FOX, "mill of Leeds"), "start": 50, "end": 63}},
            "",
        ),
        "in the war": ({"written": "in the war"}, "are not in the text"),
        "": ({}, ""),
    }
    with hall_in(either_app).database.reading() as session:
        pupil = session.scalar(
            select(Assignment).where(
                Assignment.person_id != ann, Assignment.project_id == project.id
            )
        )
        assert pupil is not None
    for typed, (fields, words) in cases.items():
        form = {"person": pupil.person_id, "q1": typed, "q2": "D" if typed == "" else "A", "q3": ""}
        kept = owner.post("/projects/sat/typing", data=form)  # the form has not shown what there is
        assert (kept.status_code, "already" in kept.text) == (422, True)
        form["seen"] = shown_event(owner, pupil.person_id)
        page = owner.post("/projects/sat/typing", data=form).text
        assert words in page, typed
        assert ("cannot be an answer" in page) == (typed == "")
        with hall_in(either_app).database.reading() as session:
            events = session.scalars(
                select(Event)
                .where(Event.assignment_id == pupil.id, Event.object == "q-1")
                .order_by(Event.number)
            ).all()
        assert json.loads(events[-1].value)["fields"] == fields, typed
        assert events[-1].client.startswith("typed-")
        assert not events[-1].is_conflict
    # Nobody types in the place of somebody who has begun.
    fill(either_app, ann, work_on(either_app, ann)["mill"], q_2={"option": "A"})
    refused = owner.post("/projects/sat/typing", data={"person": ann, "q1": "1901"})
    assert refused.status_code == 422
    assert "Ann" not in owner.get("/projects/sat/typing").text
    shown = owner.get("/api/projects/sat/results").json()["people"]
    assert shown["each"].keys() == {"Ann", "Pupil 7"}


# In the browser.


@pytest.mark.browser
def test_a_timed_sitting_by_keyboard_and_its_paper(
    chromium: Any, hall_app: Any, tmp_path: Path
) -> None:
    """Start, an answer marked in the text, an option, one without answer; hand in; print."""
    save_test(with_span(mixed_questions()), tmp_path / "test.jsonl")
    project = sitting_project(hall_app, tmp_path / "test.jsonl", options="minutes = 4")
    ann = add_sitters(hall_app, project, "ann")["ann"]
    olga = add_person(hall_app, "olga")
    add_member(hall_app, project.id, olga, "organiser")
    ((_, assignment),) = work_on(hall_app, ann).items()
    with serving(hall_app) as address:
        context = browser_of(chromium, hall_app, address, ann)
        page = context.new_page()
        page.goto(f"{address}/assignments/{assignment}")
        page.wait_for_selector(".sit-start button:focus")
        page.keyboard.press("Enter")
        page.wait_for_selector("body.ready #clock")
        assert page.inner_text("#clock span:last-child")[:2] in ("4:", "3:")
        page.locator("button", has_text="Got it").click()
        page.goto(f"{address}/assignments/{assignment}/sitting")
        page.click("#hand-in-everything")  # by mistake: three questions have no answer
        assert page.evaluate("document.activeElement.id") == "hand-in-unanswered"
        assert page.locator(".notice.good").count() == 0
        page.goto(f"{address}/assignments/{assignment}")
        page.wait_for_selector("body.ready #clock")
        page.evaluate("desk.texts.tool('passage').select(36, 40)")
        page.keyboard.press("Enter")
        page.wait_for_selector(".card.active .options")  # the next question, with its options
        assert page.locator(".card.active .option span").all_inner_texts() == [
            "tin",
            "none",
            "slate",
        ]
        page.keyboard.press("2")  # and the one after it
        page.wait_for_selector(".card.active[data-id=q-3]")
        page.keyboard.press("Escape")
        page.keyboard.press("x")
        page.keyboard.press("Control+Enter")  # goes on to the overview: nothing is handed in yet
        page.wait_for_selector("#hand-in-everything")
        assert page.locator("#hand-in-unanswered").count() == 0
        assert "all answered" in page.inner_text(".assignments")
        page.locator("#hand-in-everything").focus()
        page.keyboard.press("Enter")
        page.wait_for_selector(".notice.good")
        assert context.complaints == []
        owner = browser_of(chromium, hall_app, address, olga)
        figures = owner.request.get(f"{address}/api/projects/sat/results").json()["people"]
        assert figures["each"]["Ann"]["em"]["score"] == 100.0
        printing = owner.new_page()
        printing.goto(f"{address}/projects/sat/paper")
        pages = printing.pdf(prefer_css_page_size=True)
        assert pages.count(b"/Type /Page\n") + pages.count(b"/Type /Page ") == 2  # paper, sheet
        whole = "(questions) => questions.map((each) => getComputedStyle(each).breakInside)"
        assert printing.eval_on_selector_all(".question", whole) == ["avoid"] * 3
        sheet = printing.locator("#answer-sheet .box")
        assert [box.inner_text() for box in sheet.all()] == ["1", "2", "3"]
        assert owner.complaints == []
        context.close()
        owner.close()
