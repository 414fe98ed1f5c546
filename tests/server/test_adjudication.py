"""Adjudication: what differs is decided by somebody who knows no names, and becomes gold."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="needs the extra serve")

from command_line import in_process
from disputed import DisputedHall, disputed_hall
from halls import hall_in, signed_in
from made import comprehension, passage
from organised import answered, town_test, work_on
from readmark.core.records import Passage, Phrase, Question, QuestionKey
from readmark.formats.registry import open_languages, open_test, save_test
from readmark.making.hall.layer_decisions import LAYERS
from readmark.making.hall.layers import WORK as LAYER_WORK
from readmark.server.assignment import withdraw
from readmark.server.disputes import dispute_states
from readmark.server.gold import freeze_gold
from readmark.server.project_work import work_of_project
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import Assignment
from readmark.settling import Disagreement, read_adjudication
from readmark.works import PersonsWork, ProjectWork, read_configuration
from readmark.works.decisions import carried_forms
from readmark.works.disputed_places import DisputedPlace, dispute_item
from work_pages import browser_of, open_work, serving, wait_saved


def spans_of(number: int, *quotes: str) -> dict[str, dict[str, Any]]:
    """Answers to the questions of a passage by form."""
    return {
        id: value["fields"]
        for id, value in answered(number, *quotes).items()
        if value["type"] == "entry"
    }


def town_answers(app: Any, tmp_path: Path) -> DisputedHall:
    """Two passages: one with a disputed answer, one with none."""
    file = town_test(tmp_path / "towns.jsonl", count=2)
    hall = disputed_hall(app, "second_answers", file, "ann", "bob")
    hall.hand_in("ann", "p0", spans_of(0, "Oxford", "1800"))
    hall.hand_in("bob", "p0", spans_of(0, "mill of Oxford", "1800"))
    for login in ("ann", "bob"):
        hall.hand_in(login, "p1", spans_of(1, "Leeds", "1801"))
    return hall


@pytest.fixture
def answers(hall_app: Any, tmp_path: Path) -> DisputedHall:
    return town_answers(hall_app, tmp_path)


def test_disputes_are_handed_out_blind_and_become_gold(either_app: Any, tmp_path: Path) -> None:
    answers = town_answers(either_app, tmp_path)
    assert vars(answers.open()) == {"added": 1, "superseded": 0, "handed_out": 1, "missing": 0}
    assert vars(answers.open()) == {"added": 0, "superseded": 0, "handed_out": 0, "missing": 0}
    page = answers.page("judge", "p0", "adjudication")
    assert "Ann" not in json.dumps(page)
    assert "Bob" not in json.dumps(page)
    [form] = [object["value"] for object in page["objects"].values()]
    assert form["prompt"] == "Where does the mill stand?"
    words = {text.partition(" · ")[2] for text in form["choices"]["decision"].values()}
    assert words >= {"Oxford", "mill of Oxford"}
    # Three answers, the key's among them: two of them are "Oxford".
    suggested = form["choices"]["decision"][form["suggestion"]["value"]]
    assert suggested.endswith(" · Oxford")
    marks = page["texts"][0]["marks"]
    assert {(mark["start"], mark["end"]) for mark in marks} == {(12, 18), (4, 18)}
    assert not (answers.export(tmp_path / "before") / "decisions.jsonl").exists()
    answers.decide("p0", "mill of Oxford")
    gold = answers.export(tmp_path / "after")
    header, [line] = read_adjudication(gold / "decisions.jsonl")
    assert header.work == "answers"
    assert line.adopted == {"text": "mill of Oxford", "start": 4}
    assert line.by == "Judge"
    first, second = open_test(gold / "gold.jsonl").records()
    key = first.questions[0].key
    assert [(answer.annotator, answer.text) for answer in key.answers] == [
        ("Bob", "mill of Oxford"),
        ("r1", "Oxford"),
        ("Ann", "Oxford"),
    ]
    assert key.fields["adjudication"] == {"from": ["Bob"], "by": "Judge"}
    assert second.id == "p1"
    # Everybody's answers are as the command merges them.
    out = tmp_path / "merged.jsonl"
    people = [gold / "people" / f"{name}.jsonl" for name in ("Ann", "Bob")]
    done = in_process("set", "merge", tmp_path / "towns.jsonl", *people, "-o", out)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == (gold / "answers.jsonl").read_bytes()


def test_annotators_cannot_take_back_what_is_disputed(answers: DisputedHall) -> None:
    answers.open()
    ann = answers.people["ann"]
    assignment = work_on(answers.app, ann)["p0"]
    change = {"sequence": 1, "object": "status", "value": {"type": "status", "done": False}}
    body = {"client": "0123456789", "events": [change]}
    client = signed_in(answers.app, ann)
    response = client.post(f"/api/assignments/{assignment}/events", json=body)
    assert response.status_code == 409
    assert response.json()["reason"] == "disputed"
    other = work_on(answers.app, ann)["p1"]  # both agree on this one
    assert client.post(f"/api/assignments/{other}/events", json=body).status_code == 200


def test_a_changed_version_is_a_new_item_with_the_decisions_that_still_hold(
    answers: DisputedHall,
) -> None:
    hall = answers
    hall.reopen("bob", "p0")
    hall.hand_in("bob", "p0", spans_of(0, "mill of Oxford", "in 1800"))
    hall.open()
    hall.decide("p0", "mill of Oxford", "in 1800", done=False)
    hall.reopen("bob", "p0")
    hall.hand_in("bob", "p0", spans_of(0, "mill of Oxford", "1800 by two brothers"))
    owner = signed_in(hall.app, _owner(hall.app))
    opened = owner.post("/api/projects/second-answers/adjudication").json()
    assert opened == {"added": 1, "superseded": 1, "handed_out": 0, "missing": 0}
    objects = hall.page("judge", "p0 (2)", "adjudication")["objects"]
    first, second = (objects[id]["value"] for id in ("d-1", "d-2"))
    chosen = first["choices"]["decision"][first["fields"]["decision"]]
    assert chosen.endswith("mill of Oxford")
    assert second["fields"] == {}
    old = work_on(hall.app, hall.people["judge"], "adjudication")["p0"]
    client = signed_in(hall.app, hall.people["judge"])
    assert client.get(f"/api/assignments/{old}").status_code == 410


def test_who_has_done_an_item_does_not_adjudicate_it(hall_app: Any, tmp_path: Path) -> None:
    from halls import add_member

    file = town_test(tmp_path / "towns.jsonl", count=1)
    hall = disputed_hall(hall_app, "second_answers", file, "ann", "bob")
    add_member(hall_app, hall.project.id, hall.people["ann"], "adjudicator")
    hall.hand_in("ann", "p0", spans_of(0, "Oxford", "1800"))
    hall.hand_in("bob", "p0", spans_of(0, "mill", "1800"))
    assert hall.open().handed_out == 1
    assert work_on(hall_app, hall.people["ann"], "adjudication") == {}
    assert list(work_on(hall_app, hall.people["judge"], "adjudication")) == ["p0"]


def test_versions_are_frozen_with_agreement_before_and_after(
    answers: DisputedHall, tmp_path: Path
) -> None:
    owner = signed_in(answers.app, _owner(answers.app))
    opened = owner.post("/projects/second-answers/adjudication")
    assert opened.headers["location"].endswith("?added=1&superseded=0&handed_out=1&missing=0")
    assert owner.post("/api/projects/second-answers/gold").status_code == 201
    answers.decide("p0", "mill of Oxford")
    page = owner.get("/projects/second-answers/adjudication")
    assert page.status_code == 200
    assert "Version 1" in page.text
    assert owner.post("/projects/second-answers/gold").status_code == 303
    second, first = owner.get("/api/projects/second-answers/gold").json()
    assert (first["number"], first["items"], second["items"]) == (1, 1, 2)
    content = owner.get(f"/projects/second-answers/gold/{second['id']}").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        archive.extractall(tmp_path / "gold")
    gold = tmp_path / "gold"
    names = [gold / "people" / f"{name}.jsonl" for name in ("Ann", "Bob")]
    done = in_process("set", "agree", *names, "--json")
    assert json.loads(done.stdout)["what"] == second["before"][0]["what"]
    for path, after in zip(names, second["after"], strict=True):
        done = in_process("set", "agree", path, gold / "adjudicated.jsonl", "--json")
        assert json.loads(done.stdout)["what"] == after["what"]
    # Of four questions Ann gave another answer to one, Bob to none.
    exact = [
        after["what"]["answers"]["pairs"][0]["figures"]["percent"]["value"]
        for after in second["after"]
    ]
    assert exact == [0.75, 1.0]
    for tab in ("adjudication", "assignments", "items", "agreement", "export"):
        page = owner.get(f"/projects/second-answers/{tab}")
        assert page.status_code == 200, tab
        assert ("0.750" in page.text) == (tab in ("adjudication", "agreement"))


def _owner(app: Any) -> str:
    from halls import add_person

    return add_person(app, "owner", is_owner=True)


def labelled(**levels: str) -> dict[str, dict[str, Any]]:
    return {form.replace("_", "-"): {"level": level} for form, level in levels.items()}


def test_levels_of_three_people(hall_app: Any, tmp_path: Path) -> None:
    file = town_test(tmp_path / "towns.jsonl", count=1)
    hall = disputed_hall(
        hall_app, "levels", file, "ann", "bob", "cy", **{"overlap = 2": "overlap = 3"}
    )
    hall.hand_in("ann", "p0", labelled(q_1="1", q_2="2"))
    hall.hand_in("bob", "p0", labelled(q_1="1", q_2="3"))
    assert hall.open().added == 0  # Cy has not handed in yet
    hall.hand_in("cy", "p0", labelled(q_1="1", q_2="4"))
    hall.open()
    view = hall.decide("p0", "3")
    assert list(view["objects"]) == ["d-1"]
    assert "The rules give" in view["objects"]["d-1"]["value"]["suggestion"]["why"]["en"]
    gold = hall.export(tmp_path / "out")
    out = tmp_path / "levels.jsonl"
    done = in_process("set", "levels", file, "--labels", gold / "adjudicated.csv", "-o", out)
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == (gold / "gold.jsonl").read_bytes()
    with (gold / "adjudicated.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = {row["id"]: (row["level"], row["person"]) for row in csv.DictReader(stream)}
    assert rows == {"p0-where": ("1", "adjudicated"), "p0-when": ("3", "adjudicated")}
    with hall_in(hall_app).database.writing() as session:
        summary = json.loads(freeze_gold(session, hall.project).summary)
    shares = [
        document["what"]["level"]["figures"]["percent"]["value"] for document in summary["after"]
    ]
    assert shares == [0.5, 1.0, 0.5]  # of two questions each


def test_passages_that_people_would_keep_and_discard(hall_app: Any, tmp_path: Path) -> None:
    file = town_test(tmp_path / "towns.jsonl", count=2)
    hall = disputed_hall(hall_app, "vetting", file, "ann", "bob", **{"overlap = 3": "overlap = 2"})
    for login, first in (("ann", "keep"), ("bob", "discard")):
        hall.hand_in(login, "p0", {"decision": {"decision": first}})
        hall.hand_in(login, "p1", {"decision": {"decision": "keep"}})
    hall.open()
    hall.decide("p0", {"decision": _letter(hall, "discard"), "reason": "too short"})
    gold = hall.export(tmp_path / "out")
    assert [record.id for record in open_test(gold / "gold.jsonl").records()] == ["p1"]
    _, [line] = read_adjudication(gold / "decisions.jsonl")
    assert (line.adopted, line.reason, line.by) == ("discard", "too short", "Judge")
    out = tmp_path / "screened.jsonl"
    done = in_process(
        "set", "screen", file, "--decisions", gold / "adjudicated.csv", "-o", out, "--json"
    )
    assert done.returncode == 0, done.stderr
    assert "p0" not in [record.id for record in open_test(out).records()]


def _letter(hall: DisputedHall, word: str) -> str:
    form = hall.page("judge", "p0", "adjudication")["objects"]["d-1"]["value"]
    return next(letter for letter in "ab" if word in form["choices"]["decision"][letter])


MILL = Passage(
    id="mill",
    text="The old mill was built in 1820. Its wheel turned until 1902.",
    questions=(
        Question(
            id="built",
            text="When was the old mill built?",
            key=QuestionKey(published=(Phrase(text="in 1820"),), level=1),
        ),
    ),
)


def test_two_translations_with_causes(hall_app: Any, tmp_path: Path) -> None:
    file = tmp_path / "mill.jsonl"
    save_test(comprehension(MILL, language="en"), file)
    hall = disputed_hall(hall_app, "translation", file, "ann", "bob")
    hall.hand_in(
        "ann",
        "mill",
        {
            "s-1": {"translation": "老磨坊建于1820年。"},
            "s-2": {"translation": "水轮一直转到1902年。"},
            "q-1": {"question": "老磨坊是什么时候建成的？", "key": "1820年"},
        },
    )
    hall.hand_in(
        "bob",
        "mill",
        {
            "s-1": {"translation": "旧磨坊建于1820年。"},
            "s-2": {"translation": "水轮一直转到1902年。"},
            "q-1": {"question": "旧磨坊是何时建成的？", "key": "1820年"},
        },
    )
    hall.open()
    own = {"decision": "other", "other": "老磨坊是哪年建成的？", "cause": "synonym"}
    view = hall.decide("mill", "老磨坊", own)
    drafts = {draft["text"] for draft in view["drafts"]["d-2"]}
    assert drafts == {"老磨坊是什么时候建成的？", "旧磨坊是何时建成的？"}
    whats = [object["value"]["what"] for object in view["objects"].values()]
    assert whats == ["sentence", "question"]
    why = view["objects"]["d-2"]["value"]["suggestion"]["why"]
    assert why["en"].startswith("synonyms – ")
    assert why["en"].endswith(" Either will do.")
    assert "Ann" not in json.dumps(view)
    gold = hall.export(tmp_path / "out")
    out = tmp_path / "chinese.jsonl"
    done = in_process(
        *("set", "translate", gold / "source.jsonl"),
        *(gold / "people" / "Ann.csv", gold / "people" / "Bob.csv"),
        *("--decisions", gold / "decisions.jsonl", "--passages", gold / "passages.jsonl"),
        *("-o", out),
    )
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == (gold / "gold.jsonl").read_bytes()
    [record] = open_test(out).records()
    assert record.text == "老磨坊建于1820年。水轮一直转到1902年。"
    assert record.questions[0].text == "老磨坊是哪年建成的？"
    _, [line] = read_adjudication(gold / "decisions.jsonl")
    assert (line.decision, line.decided_cause) == ("other", "synonym")


def words(*spans: tuple[int, int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Words as an annotator's marks."""
    text = "林波在河边放风筝。"
    for start, end in spans:
        mark = {"type": "mark", "text": "zh", "category": "word", "start": start, "end": end}
        more = {"quote": text[start:end], "attributes": {}, "relations": {}}
        yield f"w-{start}-{end}", {**mark, **more}


NOTHING = {'start = "analyser"': 'start = "nothing"'}


def word_hall(app: Any, tmp_path: Path) -> DisputedHall:
    """Two annotators who segment a sentence differently at two places."""
    file = tmp_path / "kites.jsonl"
    save_test(comprehension(passage("kite", text="林波在河边放风筝。"), language="zh"), file)
    hall = disputed_hall(app, "segmentation", file, "ann", "bob", **NOTHING)
    same = ((2, 3), (8, 9))
    hall.hand_in("ann", "kite", {}, **dict(words((0, 2), (3, 5), (5, 6), (6, 8), *same)))
    hall.hand_in("bob", "kite", {}, **dict(words((0, 1), (1, 2), (3, 5), (5, 8), *same)))
    hall.open()
    return hall


def test_two_annotators_of_words(hall_app: Any, tmp_path: Path) -> None:
    hall = word_hall(hall_app, tmp_path)
    page = hall.page("judge", "kite", "adjudication")
    assert set(page["given"]) == {f"version_{letter}" for letter in "abcd"}
    assert page["categories"] == {}
    other = [
        {"text": "zh", "start": start, "end": end, "quote": "放风筝"[start - 5 : end - 5]}
        for start, end in ((5, 7), (7, 8))
    ]
    hall.decide("kite", "林波", {"decision": "other", "other": other})
    gold = hall.export(tmp_path / "out")
    out = tmp_path / "gold.jsonl"
    done = in_process(
        *("set", "adjudicate", gold / "people" / "Ann.jsonl", gold / "people" / "Bob.jsonl"),
        *("--decisions", gold / "decisions.jsonl", "-o", out),
    )
    assert done.returncode == 0, done.stderr
    assert out.read_bytes() == (gold / "gold.jsonl").read_bytes()
    [made] = open_test(out).records()
    assert made.layers["token"].spans == ((0, 2), (2, 3), (3, 5), (5, 7), (7, 8), (8, 9))


def test_an_item_of_three_annotators_does_not_stop_the_others(
    hall_app: Any, tmp_path: Path
) -> None:
    file, text = tmp_path / "kites.jsonl", "林波在河边放风筝。"
    passages = [passage(name, text=text) for name in ("kite", "wind")]
    save_test(comprehension(*passages, language="zh"), file)
    three = {**NOTHING, "overlap = 2": "overlap = 3"}
    hall = disputed_hall(hall_app, "segmentation", file, "ann", "bob", "cleo", **three)
    versions = {"ann": ((0, 2), (2, 9)), "bob": ((0, 3), (3, 9)), "cleo": ((0, 9),)}
    for login, spans in versions.items():
        hall.hand_in(login, "kite", {}, **dict(words(*spans)))
        if login != "cleo":
            hall.hand_in(login, "wind", {}, **dict(words(*spans)))
    with hall_in(hall_app).database.writing() as session:
        row = session.get(Assignment, work_on(hall_app, hall.people["cleo"])["wind"])
        assert row is not None
        withdraw(session, row)
    assert hall.open().added == 1
    with hall_in(hall_app).database.reading() as session:
        states = {state.name: state.state for state in dispute_states(session, hall.project)}
    assert states == {"wind": "open", "kite": "crowded"}


def test_a_decision_stays_with_its_version_when_the_letters_are_drawn_anew() -> None:
    line = Disagreement(id="x", what="answer", record="p", a="one", b="two")
    place = DisputedPlace(line, "Which?", ["one", "two"])
    items = [dispute_item("p", (), [place], seed) for seed in range(8)]
    old = next(item for item in items if item.key["orders"] == [[0, 1]])
    new = next(item for item in items if item.key["orders"] == [[1, 0]])
    form = old.paper["objects"]["d-1"]
    done = {"d-1": {**form, "fields": {"decision": "b", "reason": "clear"}}}
    assert carried_forms(old, new, done)["d-1"]["fields"] == {"decision": "a", "reason": "clear"}
    other = Disagreement(id="x", what="answer", record="p", a="one", b="three")
    changed = dispute_item("p", (), [DisputedPlace(other, "Which?", ["one", "three"])], 1)
    assert carried_forms(old, changed, done) == {}


KITE = Path(__file__).parents[2] / "docs" / "examples" / "kite.brcc"


def test_both_sides_of_a_bilingual_passage(hall_app: Any, tmp_path: Path) -> None:
    hall = disputed_hall(hall_app, "brcc", KITE, "ann", "bob", **NOTHING)
    with hall_in(hall_app).database.reading() as session:
        work = work_of_project(session, hall.project.id)
    item = work.items[0]
    [(_, _, objects)] = LAYER_WORK.read(KITE, {item.name: item}, work.configuration)
    marks = dict(objects)
    hall.hand_in("ann", "kite", {}, **marks)
    # Bob does not mark the first person's name: no phrase, and so no entity.
    other = dict(marks)
    for side in ("en", "zh"):
        other.pop(
            next(
                id
                for id, mark in marks.items()
                if mark["text"] == side
                and mark["attributes"] == {"entity": "PERSON"}
                and not any(id in str(each["relations"]) for each in marks.values())
            )
        )
    hall.hand_in("bob", "kite", {}, **other)
    hall.open()
    view = hall.page("judge", "kite", "adjudication")
    forms = {id: object["value"] for id, object in view["objects"].items()}
    assert [(form["what"], form["places"][0]["text"]) for form in forms.values()] == [
        *(("np", "en"), ("ne", "en")),
        *(("np", "zh"), ("ne", "zh")),
    ]
    assert [form.get("follows") for form in forms.values()] == [None, "d-1", None, "d-3"]
    # The entity follows from the phrase: it needs no decision of its own.
    own = [{"decision": _marked(form)} for form in forms.values() if "follows" not in form]
    hall.decide("kite", own[0], {}, own[1], {})
    gold = hall.export(tmp_path / "out")
    for name in ("Ann", "Bob"):
        done = in_process("convert", gold / "people" / f"{name}.brcc", f"{tmp_path / name}/")
        assert done.returncode == 0, done.stderr
    for golden in open_languages(gold / "gold.brcc"):
        language = golden.language
        out = tmp_path / f"gold.{language}.jsonl"
        people = [tmp_path / name / f"{language}.jsonl" for name in ("Ann", "Bob")]
        done = in_process(
            *("set", "adjudicate", *people),
            *("--decisions", gold / f"decisions.{language}.jsonl", "-o", out),
        )
        assert done.returncode == 0, done.stderr
        assert [record.layers["np"].spans for record in open_test(out).records()] == [
            record.layers["np"].spans for record in golden.records()
        ]
    # Ann's version was adopted everywhere.
    assert (gold / "gold.brcc").read_text("utf-8") == (gold / "people" / "Ann.brcc").read_text(
        "utf-8"
    )


def _marked(form: dict[str, Any]) -> str:
    """The version that has something at the place."""
    choices = form["choices"]["decision"]
    return next(letter for letter in "ab" if not choices[letter].endswith("· –"))


@pytest.mark.browser
def test_one_key_decides_and_enter_leads_on(hall_app: Any, tmp_path: Path, chromium: Any) -> None:
    hall = word_hall(hall_app, tmp_path)
    judge = hall.people["judge"]
    keys = []
    with serving(hall_app) as address:
        context = browser_of(chromium, hall_app, address, judge)
        assignment = work_on(hall_app, judge, "adjudication")["kite"]
        page = open_work(context, address, assignment)

        def press(key: str) -> None:
            keys.append(key)
            page.keyboard.press(key)

        press("1")
        press("Enter")
        assert page.locator(".card.active").get_attribute("data-id") == "d-2"
        press("e")  # a version of one's own: the text has the focus
        page.keyboard.press("Control+Home")
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        for _ in range(2):
            page.keyboard.press("Shift+ArrowRight")
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        wait_saved(page)
        assert context.complaints == []
        context.close()
    forms = {
        id: object["value"]["fields"]
        for id, object in hall.page("judge", "kite", "adjudication")["objects"].items()
        if id.startswith("d-")
    }
    assert keys == ["1", "Enter", "e"]
    print("adjudication: 1 key decides, Enter opens the next form")
    assert forms["d-1"] == {"decision": "a"}
    assert forms["d-2"]["decision"] == "other"
    assert [span["quote"] for span in forms["d-2"]["other"]] == ["放风"]


def test_gold_of_people_who_shared_different_items(tmp_path: Path) -> None:
    names = ("Ann", "Bob", "Cy")
    file = tmp_path / "kites.jsonl"
    texts = [passage(id, text="林波在河边放风筝。") for id in ("k1", "k2", "k3")]
    save_test(comprehension(*texts, language="zh"), file)
    configuration = read_configuration(
        shipped_configuration("segmentation").replace('"analyser"', '"nothing"')
    )
    test = open_test(file)
    items = list(LAYER_WORK.divide([test], configuration))
    whole, parts = dict(words((0, 2), (2, 9))), dict(words((0, 1), (1, 2), (2, 9)))
    held = {"Ann": ("k1", "k2"), "Bob": ("k1", "k3"), "Cy": ("k2", "k3")}
    people = [
        PersonsWork(
            name,
            dict.fromkeys(held[name], parts if name == "Bob" else whole),
            finished=frozenset(held[name]),
        )
        for name in names
    ]
    project = ProjectWork(configuration, [test.header], items, people)
    disputes = {item.name: item for item in LAYERS.disputes(project)}
    assert list(disputes) == ["k1", "k3"]  # Ann and Cy agree on k2
    objects = {}
    for name, item in disputes.items():
        form = item.paper["objects"]["d-1"]
        letter = next(each for each in "ab" if "林波" in form["choices"]["decision"][each])
        objects[name] = {"d-1": {**form, "fields": {"decision": letter}}}
    judge = PersonsWork("Judge", objects, finished=frozenset(objects))
    decided = ProjectWork(configuration, [], list(disputes.values()), [judge])
    LAYER_WORK.write(project, tmp_path)
    LAYERS.write(project, decided, tmp_path)
    gold = open_test(tmp_path / "gold.jsonl")
    assert {record.id: record.layers["token"].spans for record in gold.records()} == dict.fromkeys(
        ("k1", "k2", "k3"), ((0, 2), (2, 9))
    )
    assert [about["by"] for about in gold.header.fields["adjudication"] if "by" in about] == [
        {"Judge": 1},
        {"Judge": 1},
    ]
    out = tmp_path / "again.jsonl"
    people_files = (tmp_path / "people" / "Ann.jsonl", tmp_path / "people" / "Bob.jsonl")
    decisions = tmp_path / "decisions.Ann+Bob.jsonl"
    done = in_process("set", "adjudicate", *people_files, "--decisions", decisions, "-o", out)
    assert done.returncode == 0, done.stderr
    assert [record.id for record in open_test(out).records()] == ["k1"]
