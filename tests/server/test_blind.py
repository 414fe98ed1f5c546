"""Blind work: nothing that one annotator is sent holds another's work or anything of the key.

Everything that must stay hidden contains a canary: a word that is nowhere else. A second annotator
then asks for every address of the hall that the application knows, and every byte is searched.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from disputed import disputed_hall
from halls import add_member, add_person, client_of, every_path, hall_in, signed_in
from made import comprehension
from organised import add_annotators, answered, answers_project, send, town_passage, work_on
from readmark.core.records import Answer, QuestionKey, RecordKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import save_test
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey
from readmark.server.access import Scope
from readmark.server.api_tokens import create_token
from readmark.server.gold import freeze_gold
from readmark.server.handing_out import hand_out
from readmark.server.items import ItemSource
from readmark.server.projects import prepare_project, store_project
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import Assignment, Item, Person
from readmark.server.views import adjudication_of
from readmark.server.workers import roles_for
from readmark.works import read_project

CANARIES = (
    "canarykeyfield",
    "canarykeyreason",
    "canaryreference",
    "canarypassagekey",
    "canaryheader",
    "canarynote",
    "canaryquestion",
    "canaryqualifying",
    "canaryfirst",
    "canarylogin",
    "金丝雀批注",
)


def keyed_test(path: Path, word: str, numbers: range) -> Path:
    """Passages whose keys and headers are full of canaries."""
    passages = []
    for number in numbers:
        plain = town_passage(number)
        questions = []
        for question in plain.questions:
            assert question.key is not None
            (answer,) = question.key.answers
            key = QuestionKey(
                answers=(
                    Answer(text=answer.text, start=answer.start, annotator="canaryreference"),
                ),
                level=2,
                fields={word: word, "reasons": ["canarykeyreason"]},
            )
            questions.append(type(question)(id=question.id, text=question.text, key=key))
        passages.append(
            type(plain)(
                id=plain.id,
                text=plain.text,
                questions=tuple(questions),
                key=RecordKey(fields={"note": "canarypassagekey"}),
            )
        )
    test = comprehension(*passages, language="en", fields={"people": "canaryheader"})
    save_test(test, path)
    return path


@pytest.fixture
def blind_hall(either_app: Any, tmp_path: Path) -> tuple[Any, str, dict[str, list[str]]]:
    """A hall in which the first annotator has worked; the second's id, and values for paths."""
    app = either_app
    answers = answers_project(
        app,
        keyed_test(tmp_path / "towns.jsonl", "canarykeyfield", range(3)),
        settings="overlap = 2\nqualify = 0.1",
        qualifying=keyed_test(tmp_path / "qualifying.jsonl", "canaryqualifying", range(3)),
    )
    new = prepare_project(
        shipped_configuration("questions").replace("overlap = 1", "overlap = 2"),
        [ItemSource(keyed_test(tmp_path / "more.jsonl", "canarykeyfield", range(3, 5)))],
    )
    sat = prepare_project(
        shipped_configuration("sitting"),
        [ItemSource(keyed_test(tmp_path / "sat.jsonl", "canarykeyfield", range(5, 7)))],
    )
    with hall_in(app).database.writing() as session:
        writing = store_project(session, new, slug="writing")
        sitting = store_project(session, sat, slug="sitting")
    people = add_annotators(app, answers, "canarylogin", "second")
    first, second = people["canarylogin"], people["second"]
    for person in people.values():
        add_member(app, writing.id, person, "annotator")
        add_member(app, sitting.id, person, "participant")
        for number in range(3):  # both qualify
            item = work_on(app, person, "qualifying")[f"p{number}"]
            town = ("Oxford", "Leeds", "Dover")[number]
            send(app, person, item, answered(number, town, str(1800 + number)))
    with hall_in(app).database.writing() as session:
        found = session.get(Person, first)
        assert found is not None
        found.name = "Canaryfirst"
        hand_out(session, answers)
        hand_out(session, writing)
        hand_out(session, sitting)
    note = {"type": "note", "value": "canarynote 金丝雀批注"}
    for name, item in work_on(app, first).items():
        done = answered(int(name[1:]), "mill") if name < "p3" else _question()
        send(app, first, item, {**done, "note": note})
    with hall_in(app).database.reading() as session:
        items = list(session.scalars(select(Item.id)))
        assignments = list(session.scalars(select(Assignment.id)))
    values = {
        "project": ["answers", "writing", "sitting", "elsewhere"],
        "assignment": [*assignments, "nothing"],
        "item": items[:3],
        "person": [first, second],
        "language": ["en", "zh"],
    }
    return app, second, values


def _question() -> dict[str, dict[str, Any]]:
    fields = {"question": "Who wrote canaryquestion?", "level": "1"}
    return {
        "m-1": {"type": "entry", "entry": "question", "order": 1.0, "fields": fields},
        "status": {"type": "status", "done": True},
    }


def canaries_in(response: Any) -> list[str]:
    """The canaries that a response holds, in its body or headers, also as escapes of JSON."""
    heads = json.dumps(dict(response.headers)).encode()
    seen = (response.content + heads).lower()
    escaped = {word: json.dumps(word).strip('"').lower().encode() for word in CANARIES}
    return [word for word in CANARIES if word.encode() in seen or escaped[word] in seen]


def test_no_response_to_a_second_annotator_has_the_firsts_work_or_the_key(
    blind_hall: tuple[Any, str, dict[str, list[str]]],
) -> None:
    app, second, values = blind_hall
    hall = hall_in(app)
    with hall.database.writing() as session:
        _, secret = create_token(session, hall, second, name="all", scopes=Scope, days=1)
    program = client_of(app)
    program.headers["authorization"] = f"Bearer {secret}"
    browser = signed_in(app, second)
    paths = every_path(app, values)
    handed_in = {*work_on(app, second, "qualifying").values()}  # for good
    own = {*work_on(app, second).values(), *handed_in}
    opened = set()
    for path in paths:
        for client in (browser, program):
            response = client.get(path)
            assert response.status_code < 500, path
            assert not canaries_in(response), (path, response.status_code)
            if response.status_code == 200:
                opened |= {id for id in own if path == f"/api/assignments/{id}"}
    assert opened == own  # the search has seen every item that the second annotator has
    assert len(paths) > 50
    for id in values["assignment"]:
        for objects in ({}, answered(0, "mill"), _question()):
            checked = browser.post(f"/api/assignments/{id}/check", json={"objects": objects})
            assert not canaries_in(checked), id
            assert checked.status_code in ((200, 422) if id in own else (404,))
        removal = {"sequence": 1, "object": "note", "value": None}
        saved = browser.post(
            f"/api/assignments/{id}/events",
            json={"client": "second-client", "events": [removal]},
        )
        assert not canaries_in(saved), id
        assert saved.status_code == (409 if id in handed_in else 200 if id in own else 404)


def test_the_canaries_are_there_for_those_who_may_see_them(
    blind_hall: tuple[Any, str, dict[str, list[str]]],
) -> None:
    """Else the search would find nothing because there is nothing."""
    app, _, values = blind_hall
    owner = signed_in(app, add_person(app, "olga", is_owner=True))
    seen: set[str] = set()
    for path in every_path(app, values):
        if path.endswith("export.zip"):
            continue
        seen |= {*canaries_in(owner.get(path))}
    assert {"canaryfirst", "canarylogin"} <= seen
    for slug in ("answers", "writing"):
        packed = zipfile.ZipFile(io.BytesIO(owner.get(f"/api/projects/{slug}/export").content))
        content = b"".join(packed.read(name) for name in packed.namelist()).lower()
        seen |= {word for word in CANARIES if word.encode() in content}
    # The key of the qualifying set is in no file: it is only in the database.
    assert {*CANARIES} - seen == {"canaryqualifying"}


def test_adjudicators_know_no_names_and_annotators_nothing_of_disputes(
    hall_app: Any, tmp_path: Path
) -> None:
    app = hall_app
    file = keyed_test(tmp_path / "towns.jsonl", "canarykeyfield", range(1))
    hall = disputed_hall(app, "second_answers", file, "canarylogin", "second")
    with hall_in(app).database.writing() as session:
        found = session.get(Person, hall.people["canarylogin"])
        assert found is not None
        found.name = "Canaryfirst"
    note = {"type": "note", "value": "canarynote 金丝雀批注"}
    hall.hand_in("canarylogin", "p0", _fields(answered(0, "Oxford", "1800")), note=note)
    hall.hand_in("second", "p0", _fields(answered(0, "mill", "1800")))
    hall.open()
    with hall_in(app).database.reading() as session:
        assignments = list(session.scalars(select(Assignment.id)))
    values = {
        "project": ["second-answers"],
        "assignment": assignments,
        "person": [*hall.people.values()],
        "language": ["en"],
    }
    judge = signed_in(app, hall.people["judge"])
    own = work_on(app, hall.people["judge"], "adjudication")["p0"]
    for path in every_path(app, values):
        response = judge.get(path)
        assert not canaries_in(response), path
        if path == f"/api/assignments/{own}":
            assert "Oxford" in response.text  # a version of somebody, without the name
    form = hall.page("judge", "p0", "adjudication")["objects"]["d-1"]["value"]
    letter = next(each for each in "abc" if "mill" in form["choices"]["decision"][each])
    hall.decide("p0", {"decision": letter, "reason": "canaryquestion"})
    with hall_in(app).database.writing() as session:
        gold = freeze_gold(session, hall.project).id
    second = signed_in(app, hall.people["second"])
    for path in every_path(app, {**values, "gold": [gold]}):
        response = second.get(path)
        assert not canaries_in(response), path
        assert path != f"/api/assignments/{own}" or response.status_code == 404


def secret_series() -> Test:
    """A series whose golds, and whose writers, nobody who rewrites may see."""
    golds = (Answer(text="Who built the canaryreference mill?", annotator="canaryheader"),)
    question = SeriesQuestion(
        id="s-1",
        text="Who built it?",
        key=SeriesQuestionKey(rewrites=golds, fields={"canarykeyfield": 1}),
    )
    series = Series(id="s", target="the mill of Leeds", questions=(question,))
    return in_memory(Header(kind="series", name="made", language="en"), [series])


def secret_ratings() -> Test:
    """Passages with ratings of experts."""
    key = RatingKey(ratings=(Rating(rating=4.0, annotator="canaryreference"),))
    records = [
        RatedPassage(id=f"r{number}", text=f"Text number {number} on a mill.", key=key)
        for number in range(10)
    ]
    header = Header(kind="readability", name="made", language="en", fields={"who": "canaryheader"})
    return in_memory(header, records)


@pytest.mark.parametrize(
    "name",
    ["rewriting", "panel", "sitting-series", "sitting-ratings", "levels", "vetting", "translation"],
)
def test_whatever_the_work_is_it_is_blind_and_adjudicators_know_no_names(
    hall_app: Any, tmp_path: Path, name: str
) -> None:
    """Two people fill in whatever the page has; the second and the adjudicator see no canary."""
    app, file = hall_app, tmp_path / "test.jsonl"
    shipped, _, kind = name.partition("-")
    if kind == "series" or name == "rewriting":
        save_test(secret_series(), file)
    elif kind == "ratings" or name == "panel":
        save_test(secret_ratings(), file)
    else:
        keyed_test(file, "canarykeyfield", range(1))
    text = shipped_configuration(shipped).replace("overlap = 1", "overlap = 2")
    new = prepare_project(text, [ItemSource(file)])
    with hall_in(app).database.writing() as session:
        project = store_project(session, new, slug="blind")
    configuration = read_project(new.configuration)[0]
    people = {login: add_person(app, login) for login in ("canarylogin", "second", "judge")}
    add_member(app, project.id, people["judge"], "adjudicator")
    for login in ("canarylogin", "second"):
        add_member(app, project.id, people[login], roles_for(configuration)[-1])
    with hall_in(app).database.writing() as session:
        found = session.get(Person, people["canarylogin"])
        assert found is not None
        found.name = "Canaryfirst"
        hand_out(session, project)
    fill_in(app, people["canarylogin"], "canaryquestion", "canarynote 金丝雀批注")
    seen = read_all(app, people["second"])
    assert seen == len(work_on(app, people["second"])) > 0
    fill_in(app, people["second"], "Leeds", "")
    if adjudication_of(shipped) is None:
        return
    owner = signed_in(app, add_person(app, "olga", is_owner=True))
    assert owner.post("/api/projects/blind/adjudication").json()["handed_out"] >= 1
    version = {"canaryquestion"}  # what the first person wrote, without the name
    seen = read_all(app, people["judge"], "adjudication", version)
    assert seen == len(work_on(app, people["judge"], "adjudication")) > 0
    if name in ("rewriting", "translation"):
        [own] = work_on(app, people["judge"], "adjudication").values()
        page = signed_in(app, people["judge"]).get(f"/api/assignments/{own}")
        assert canaries_in(page) == [*version]  # else there was nothing to find


def fill_in(app: Any, person: str, word: str, note: str) -> None:
    """Write a word into every field of text, choose what is the person's, and hand in."""
    client = signed_in(app, person)
    for assignment in work_on(app, person).values():
        page = client.get(f"/api/assignments/{assignment}").json()
        objects: dict[str, Any] = {}
        for id, kept in page["objects"].items():
            fields = {}
            for field, declared in page["entries"][kept["value"]["entry"]]["fields"].items():
                own = kept["value"].get("choices", {}).get(field)
                values = [*own] if own else [choice["value"] for choice in declared["choices"]]
                if declared["widget"] in ("text", "long_text"):
                    fields[field] = f"Who built the mill of {word}?"
                elif declared["widget"] == "choice" and values:
                    fields[field] = values[0 if note else -1]
            objects[id] = {**kept["value"], "fields": fields}
        objects |= {"note": {"type": "note", "value": note}} if note else {}
        send(app, person, assignment, {**objects, "status": {"type": "status", "done": True}})


def read_all(app: Any, person: str, purpose: str = "work", allowed: Collection[str] = ()) -> int:
    """Search what a person's own items send, also when they are checked; how many those are."""
    client, count = signed_in(app, person), 0
    for assignment in work_on(app, person, purpose).values():
        address = f"/api/assignments/{assignment}"
        page = client.get(address)
        objects = {id: kept["value"] for id, kept in page.json()["objects"].items()}
        answers = [
            page,
            client.get(f"/assignments/{assignment}"),
            client.get(f"{address}/events"),
            client.post(f"{address}/check", json={"objects": objects}),
        ]
        for answer in answers:
            assert answer.status_code in (200, 303)
            assert {*canaries_in(answer)} <= {*allowed}, answer.url
        count += 1
    return count


def _fields(objects: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {id: value["fields"] for id, value in objects.items() if "fields" in value}
