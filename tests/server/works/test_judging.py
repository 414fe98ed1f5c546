"""Pooled answers of systems: items from sittings, verdicts of judges, gold, marks."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from command_line import in_process
from halls import add_member, add_person, hall_in, signed_in
from pump_task import twice_annotated
from readmark.core.binding import paper_members
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Test
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test
from readmark.server.assignment_plan import plan_assignments
from readmark.server.projects import project_named
from readmark.server.shipped import shipped_configuration
from readmark.server.tables import AuditEntry
from readmark.tasks.packer import pack
from readmark.tasks.task_folder import gather
from task_files import OTTERS, write_task
from work_pages import browser_of, open_work, serving, stored, wait_saved

pytestmark = [pytest.mark.usefixtures("quick_passwords"), pytest.mark.reasoning]

SCRIPT = "<script>alert(1)</script>"


def answer(values: Mapping[str, Any], *quotes: str, **more: Any) -> dict[str, Any]:
    """An answer on the first document, read from some words of it."""
    found = [(OTTERS.index(quote), quote) for quote in quotes]
    excerpts = [
        {"document": "otters", "start": start, "end": start + len(quote), "quote": quote}
        for start, quote in found
    ]
    return {"values": dict(values), "excerpts": excerpts, **more}


HERONS = answer({"G": "Game-1", "T": "Herons"}, "the Herons", derivation="asserted “the Herons”")
FOUR = answer({"G": "Game-1", "N": 4}, "20-17", "on Sunday")
SIX = answer({"G": "Game-1", "N": 6}, "in overtime")
ODD = answer({"G": f'"{SCRIPT}"', "T": "x" * 90_000}, "Sunday", derivation="y\0" * 90_000)
HALF = {"values": {"G": "Game-2", "N": 2}}


@pytest.fixture
def task(tmp_path: Path) -> Path:
    path = tmp_path / "league.zip"
    pack(gather(write_task(tmp_path / "made")), path)
    return path


def sitting(path: Path, test: Test | str | None, **answers: Any) -> Path:
    """The sitting of a system, of a test or of the paper of a fingerprint; without, of any."""
    ids = {"periods": "otters:periods", "winner": "otters:winner", "gulls": "gulls:periods"}
    rows = {ids[name]: Row(id=ids[name], answer=given) for name, given in answers.items()}
    members = paper_members(test) if isinstance(test, Test) else {"paper": test}
    header = SittingHeader(kind="task", candidate=path.stem, **members)
    NATIVE_SITTING.write_sitting(Sitting(header, rows), path)
    return path


class JudgingHall:
    """A project of the League task with two judges, set up as an organiser does it."""

    def __init__(
        self,
        app: Any,
        task: Path,
        double: float,
        slug: str = "league",
        people: Any = None,
        splits: str = "train,test",
    ) -> None:
        self.app, self.slug = app, slug
        self.people = people or {
            name: add_person(app, name, is_owner=name == "olga") for name in ("olga", "ada", "ben")
        }
        self.owner = signed_in(app, self.people["olga"])
        text = shipped_configuration("judging").replace("double = 0.2", f"double = {double}")
        made = self.owner.post(
            "/projects",
            data={"text": text, "slug": slug, "splits": splits},
            files={"test": ("league.zip", task.read_bytes())},
        )
        assert made.status_code == 303, made.text
        with hall_in(app).database.reading() as session:
            self.project = project_named(session, slug).id
        for name in ("ada", "ben"):
            add_member(app, self.project, self.people[name], "annotator")

    def add(self, path: Path) -> Any:
        files = {"file": (path.name, path.read_bytes())}
        return self.owner.post(f"/api/projects/{self.slug}/sittings", files=files)

    def hand_out(self) -> None:
        done = self.owner.post(f"/projects/{self.slug}/hand-out", data={})
        assert done.status_code == 303

    def assignments(self, name: str) -> dict[str, str]:
        """A judge's items that are not handed in."""
        rows = self.owner.get(f"/api/projects/{self.slug}/assignments").json()
        own = [row for row in rows if row["person"] == self.people[name] and not row["done"]]
        return {row["item"]: row["id"] for row in own}

    def page(self, name: str, assignment: str) -> Any:
        found = signed_in(self.app, self.people[name]).get(f"/api/assignments/{assignment}")
        assert not {"alpha", "beta"} & {*re.findall(r"\w+", found.text)}  # no system is named
        return found.json()

    def judge(self, name: str, verdicts: Mapping[str, str], reason: str = "") -> None:
        """Judge everything by a word of the answer, and hand it in."""
        for assignment in self.assignments(name).values():
            made = {}
            for id, kept in self.page(name, assignment)["objects"].items():
                said = kept["value"]["prompt"].partition("→")[2]
                [verdict] = [word for part, word in verdicts.items() if part in said]
                fields = {"verdict": verdict, **({"reason": reason} if reason else {})}
                made[id] = {**kept["value"], "fields": fields}
            self.save(name, assignment, made)

    def save(self, name: str, assignment: str, made: Mapping[str, Any]) -> None:
        """Save objects as the page does, and hand them in."""
        changes = {**made, "status": {"type": "status", "done": True}}
        events = [
            {"sequence": number, "object": id, "value": value, "base": None}
            for number, (id, value) in enumerate(changes.items(), 1)
        ]
        saved = signed_in(self.app, self.people[name]).post(
            f"/api/assignments/{assignment}/events",
            json={"client": "test-client", "events": events},
        )
        assert saved.status_code == 200, saved.text

    def summary(self) -> Any:
        return self.owner.get(f"/api/projects/{self.slug}/sittings").json()

    def complete(self) -> int:
        """Items that enough people have handed in."""
        found: int = self.owner.get(f"/api/projects/{self.slug}/progress").json()["complete"]
        return found

    def export(self, folder: Path) -> Path:
        answer = self.owner.get(f"/projects/{self.slug}/export.zip")
        zipfile.ZipFile(io.BytesIO(answer.content)).extractall(folder)
        return folder


def json_of(*args: str | Path) -> Any:
    done = in_process(*args, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_sittings_become_items_verdicts_and_gold(
    either_app: Any, task: Path, tmp_path: Path
) -> None:
    test = open_test(task)
    hall = JudgingHall(either_app, task, double=1.0)
    alpha = sitting(tmp_path / "alpha.jsonl", test, winner=[HERONS], periods=[FOUR], gulls=[HALF])
    assert hall.add(alpha).json() == {"name": "alpha.jsonl", "answers": 3, "items": 2}
    hall.hand_out()
    first = hall.assignments("ada")
    assert set(first) == set(hall.assignments("ben")) == {"otters", "gulls"}

    # What a judge sees: the answer and where it was read, and not who gave it.
    shown = hall.page("ada", first["otters"])
    texts = [text["text"] for text in shown["texts"]]
    entries = {
        kept["value"]["prompt"].partition("→")[2].strip(): kept["value"]
        for kept in shown["objects"].values()
    }
    assert set(entries) == {"G: Game-1, T: Herons", "G: Game-1, N: 4"}
    herons = entries["G: Game-1, T: Herons"]
    [place] = herons["places"]
    assert texts[0][place["start"] : place["end"]] == "the Herons"
    assert herons["context"] == "“the Herons”"
    assert herons["detail"] == "asserted “the Herons”"
    assert "alpha" not in json.dumps(shown)

    # One judge has handed in: nothing is settled. The second differs on one answer.
    hall.judge("ada", {"Herons": "wrong", "N: 4": "inferred", "N: 2": "explicit"}, reason="no")
    assert hall.summary()["waiting"] == 3
    assert hall.complete() == 0
    hall.judge("ben", {"Herons": "wrong", "N: 4": "out_of_bounds", "N: 2": "explicit"})
    summary = hall.summary()
    assert [summary[name] for name in ("settled", "waiting", "disputed")] == [2, 0, 1]
    assert hall.complete() == 2

    # A second system: what was asked is not asked again; what is new goes to both judges.
    beta = sitting(tmp_path / "beta.jsonl", None, winner=[HERONS], periods=[SIX, FOUR])
    assert hall.add(beta).json() == {"name": "beta.jsonl", "answers": 1, "items": 1}
    assert set(hall.assignments("ada")) == {"otters (2)"}
    for name in ("ada", "ben"):
        hall.judge(name, {"N: 6": "inferred"})

    # The pool is the library's, with the verdicts that are settled.
    folder = hall.export(tmp_path / "export")
    sittings = sorted((folder / "sittings").iterdir())
    in_process("task", "pool", folder / "task.zip", *sittings, "-o", tmp_path / "pool.jsonl")
    pooled, exported = (
        {json.dumps([row["document"], row["values"]]): row for row in map(json.loads, lines)}
        for lines in (
            (tmp_path / "pool.jsonl").read_text("utf-8").splitlines(),
            (folder / "pool.jsonl").read_text("utf-8").splitlines(),
        )
    )
    assert set(pooled) == set(exported)
    judged = ("verdict", "by", "why", "inferred")
    for name, row in pooled.items():
        rest = {member: value for member, value in exported[name].items() if member not in judged}
        assert rest == {member: value for member, value in row.items() if member not in judged}
    found = {
        (row["values"].get("T") or row["values"]["N"]): [row.get(name) for name in judged]
        for row in exported.values()
    }
    assert found == {
        "Herons": ["wrong", "Ada, Ben", "no", None],
        4: ["", "", "", None],
        2: ["right", "Ada, Ben", "no", False],
        6: ["right", "Ada, Ben", "", True],
    }
    assert pooled['["otters", {"G": "Game-1", "T": "Herons"}]']["candidates"] == ["alpha", "beta"]

    # Agreement is that of `set agree` on people's files: 3 of 4 verdicts are equal.
    live = hall.owner.get(f"/api/projects/{hall.slug}/agreement").json()["reports"][0]
    people = sorted((folder / "people").iterdir())
    agreed = json_of("set", "agree", *people)
    assert live["what"] == agreed["what"]
    figures = live["what"]["verdict"]
    assert figures["figures"]["percent"]["value"] == 0.75
    kappa = figures["pairs"][0]["figures"]["kappa"]  # by hand: (0.75 - 0.25) / (1 - 0.25)
    assert kappa["value"] == pytest.approx(2 / 3)
    assert kappa["low"] is not None

    # Gold and marks are those of the commands on the exported files.
    before = {row["name"]: row["marks"] for row in hall.summary()["sittings"]}
    made = hall.owner.post(f"/api/projects/{hall.slug}/sittings/gold", json={}).json()
    assert (made["recorded"], made["rejected"]) == (3, 1)
    version = str(made["gold"])
    done = in_process(
        *("task", "gold", folder / "task.zip", "--adjudicated", folder / "pool.jsonl"),
        *("-o", tmp_path / "gold.jsonl"),
    )
    assert done.returncode == 0, done.stderr
    judged_task = tmp_path / "judged.zip"
    done = in_process("task", "pack", folder / "task.zip", "-o", judged_task, "--gold", version)
    assert done.returncode == 0, done.stdout + done.stderr
    after = {row["name"]: row for row in hall.summary()["sittings"]}
    for name in ("alpha.jsonl", "beta.jsonl"):
        marks = json_of("mark", judged_task, folder / "sittings" / name)["marks"]
        assert after[name]["marks"] == marks
        assert before[name] != marks
    assert [row["unjudged"] for row in after.values()] == [1, 1]  # judges differ on it
    kept = hall.owner.get(f"/projects/{hall.slug}/sittings/gold/{version}").content
    (tmp_path / "kept.zip").write_bytes(kept)
    assert (
        json_of("task", "gold", tmp_path / "kept.zip", "--history")["versions"][-1]["rows"]
        == (json_of("task", "gold", judged_task, "--history")["versions"][-1]["rows"])
    )

    # An adjudicator decides where judges differ; the next version has that too.
    again = hall.owner.post(f"/api/projects/{hall.slug}/sittings/gold", json={})
    assert (again.status_code, "every verdict" in again.text) == (422, True)
    hall.people["cyd"] = add_person(either_app, "cyd")
    add_member(either_app, hall.project, hall.people["cyd"], "adjudicator")
    opened = hall.owner.post(f"/api/projects/{hall.slug}/adjudication", json={}).json()
    assert (opened["added"], opened["handed_out"]) == (1, 1)
    [assignment] = hall.assignments("cyd").values()
    shown = hall.page("cyd", assignment)
    assert not {"Ada", "Ben", "alpha"} & set(json.dumps(shown).replace('"', " ").split())
    [(id, kept)] = shown["objects"].items()
    choices = kept["value"]["choices"]["decision"]
    [letter] = [letter for letter, label in choices.items() if "Out of bounds" in label]
    hall.save("cyd", assignment, {id: {**kept["value"], "fields": {"decision": letter}}})
    assert hall.summary()["disputed"] == 0
    made = hall.owner.post(f"/api/projects/{hall.slug}/sittings/gold", json={}).json()
    assert (made["gold"], made["recorded"], made["out_of_bounds"]) == (int(version) + 1, 1, 1)
    frozen = hall.owner.post(f"/api/projects/{hall.slug}/gold", json={})
    assert frozen.status_code == 201, frozen.text
    gold = hall.export(tmp_path / "decided") / "gold"
    rows = [json.loads(line) for line in (gold / "pool.jsonl").read_text("utf-8").splitlines()]
    assert {row["by"] for row in rows} == {"Ada, Ben", "Cyd"}
    assert {row["verdict"] for row in rows} == {"right", "wrong", "out_of_bounds"}

    # A third system with judged answers brings no work.
    gamma = sitting(tmp_path / "gamma.jsonl", test, winner=[HERONS], periods=[SIX, FOUR])
    assert hall.add(gamma).json()["answers"] == 0
    assert [row["unjudged"] for row in hall.summary()["sittings"]] == [0, 0, 0]
    page = hall.owner.get(f"/projects/{hall.slug}/sittings").text
    assert "gamma" in page
    assert f"Marks by gold {made['gold']}" in page


def pump_hall(app: Any, folder: Path, answers: list[dict[str, Any]]) -> JudgingHall:
    """A project on a task of two annotators whose gold is one's, with a system's hours."""
    pack(gather(twice_annotated(folder / "pumps")), folder / "pumps.zip")
    hall = JudgingHall(app, folder / "pumps.zip", double=0.0, slug="pumps", splits="")
    test = open_test(folder / "pumps.zip")
    row = Row(id="p7:afterHours", answer=answers)
    header = SittingHeader(kind="task", candidate="alpha", **paper_members(test))
    NATIVE_SITTING.write_sitting(Sitting(header, {row.id: row}), folder / "alpha.jsonl")
    assert hall.add(folder / "alpha.jsonl").status_code == 201
    hall.hand_out()
    return hall


def test_a_version_keeps_the_gold_that_was_uploaded(hall_app: Any, tmp_path: Path) -> None:
    """One annotator's gold has 7 answers, and the annotators share 5."""
    hours = [{"values": {"repair": "Repair-1", "value": value}} for value in (2900, 3000)]
    hall = pump_hall(hall_app, tmp_path, hours)
    (before,) = hall.summary()["sittings"]
    for name in ("ada", "ben"):
        hall.judge(name, {"3000": "wrong"})
    # It is judged, though no version of the gold has it yet.
    summary = hall.summary()
    assert (summary["settled"], summary["waiting"]) == (1, 0)
    assert [row["unjudged"] for row in (before, *summary["sittings"])] == [1, 0]
    made = hall.owner.post(f"/api/projects/{hall.slug}/sittings/gold", json={}).json()
    assert (made["explicit"], made["rejected"], made["dropped"]) == (7, 1, 0)
    summary = hall.summary()
    assert [row["unjudged"] for row in summary["sittings"]] == [0]


def test_answers_are_dropped_from_a_gold_when_that_is_confirmed(
    hall_app: Any, tmp_path: Path
) -> None:
    """The gold has an answer that no annotation gives: it is listed, then asked again."""
    task = twice_annotated(tmp_path / "pumps")
    row = {"document": "p7", "query": "afterHours", "values": {"repair": "Repair-1", "value": 12}}
    with (task / "answers.jsonl").open("a", encoding="utf-8") as stream:
        stream.write(json.dumps({**row, "inferred": False}) + "\n")
    pack(gather(task), tmp_path / "pumps.zip")
    hall = JudgingHall(hall_app, tmp_path / "pumps.zip", double=0.0, slug="pumps", splits="")
    test = open_test(tmp_path / "pumps.zip")
    bindings = [{"values": {"repair": "Repair-1", "value": value}} for value in (12, 3000)]
    header = SittingHeader(kind="task", candidate="alpha", **paper_members(test))
    answers = {"p7:afterHours": Row(id="p7:afterHours", answer=bindings)}
    NATIVE_SITTING.write_sitting(Sitting(header, answers), tmp_path / "alpha.jsonl")
    hall.add(tmp_path / "alpha.jsonl")
    hall.hand_out()
    for name in ("ada", "ben"):
        hall.judge(name, {"3000": "wrong"})
    address = f"/projects/{hall.slug}/sittings/gold"
    refused = hall.owner.post(address, data={})
    assert refused.status_code == 422
    assert "?repair = Repair-1, ?value = 12</li>" in refused.text
    assert hall.summary()["golds"] == []
    assert hall.owner.post(address, data={"drop": "yes"}).status_code == 303
    summary = hall.summary()
    assert [(gold["explicit"], gold["dropped"]) for gold in summary["golds"]] == [(7, 1)]
    # The system's answer is now in no gold: it counts as unjudged, and judges are asked.
    assert [row["unjudged"] for row in summary["sittings"]] == [summary["waiting"]] == [1]


def test_hostile_sittings_are_refused_in_a_line_or_stay_text(
    hall_app: Any, task: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hall = JudgingHall(hall_app, task, double=0)
    wrong_paper = sitting(tmp_path / "stray.jsonl", "0123456789abcdef", gulls=[HALF])
    unknown = tmp_path / "unknown.json"
    unknown.write_text('{"who": "nobody"}', "utf-8")
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(sitting(tmp_path / "s.jsonl", None, winner=[HERONS]).read_bytes()[:-30])
    deep = tmp_path / "deep.json"
    deep.write_text("[" * 100_000, "utf-8")
    monkeypatch.setattr("readmark.server.pooled_sittings.MOST_POOLED", 1)
    flood = sitting(tmp_path / "flood.jsonl", None, winner=[HERONS], periods=[FOUR])
    for path in (wrong_paper, unknown, broken, deep, flood):
        for reply in (
            hall.add(path),
            hall.owner.post(
                f"/projects/{hall.slug}/sittings", files={"file": (path.name, path.read_bytes())}
            ),
        ):
            assert reply.status_code == 422, path.name
        detail = hall.add(path).json()["detail"]
        assert path.name in detail or path is wrong_paper
        assert "\n" not in detail
        assert "/tmp" not in detail
    assert hall.summary()["sittings"] == []
    more = hall.owner.post(
        f"/projects/{hall.slug}/items", files={"test": ("league.zip", task.read_bytes())}
    )
    assert (more.status_code, "upload sittings" in more.text) == (422, True)

    odd = sitting(tmp_path / "odd.jsonl", None, winner=[ODD])
    assert hall.add(odd).json()["answers"] == 1
    assert hall.add(odd).status_code == 422  # it is there already
    hall.hand_out()
    [judge] = [name for name in ("ada", "ben") if hall.assignments(name)]
    [assignment] = hall.assignments(judge).values()
    [kept] = hall.page(judge, assignment)["objects"].values()
    assert SCRIPT in kept["value"]["prompt"]
    assert len(json.dumps(kept["value"])) < 20_000
    hall.judge(judge, {SCRIPT: "wrong"})  # small enough to be saved
    assert hall.summary()["settled"] == 1
    assert SCRIPT not in hall.owner.get(f"/projects/{hall.slug}/sittings").text
    with hall_in(hall_app).database.reading() as session:
        actions = session.scalars(select(AuditEntry.action)).all()
    assert actions.count("sitting_added") == 1


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({"answers.train.jsonl": None, "answers.test.jsonl": None}, "has no answers yet"),
        (None, "is a comprehension test, expected task"),
    ],
)
def test_a_project_needs_a_task_with_answers(
    hall_app: Any, tmp_path: Path, changed: Any, problem: str
) -> None:
    owner = signed_in(hall_app, add_person(hall_app, "olga", is_owner=True))
    path = tmp_path / "task.zip"
    if changed is None:
        path = tmp_path / "test.jsonl"
        path.write_text('{"readmark":1,"kind":"comprehension","language":"en"}\n', "utf-8")
    else:
        pack(gather(write_task(tmp_path / "made", changed)), path)
    made = owner.post(
        "/projects",
        data={"shipped": "judging"},
        files={"test": (path.name, path.read_bytes())},
    )
    assert made.status_code == 422
    assert problem in made.text


def test_judges_labels_and_pool_files_are_read_back(
    hall_app: Any, task: Path, tmp_path: Path
) -> None:
    hall = JudgingHall(hall_app, task, double=0.5)
    hall.add(sitting(tmp_path / "alpha.jsonl", None, winner=[HERONS], periods=[FOUR], gulls=[HALF]))
    hall.hand_out()
    doubly = sorted(len(hall.assignments(name)) for name in ("ada", "ben"))
    assert sum(doubly) == 3  # one of the two items is for two people
    verdicts = {"Herons": "wrong", "N: 4": "inferred", "N: 2": "explicit"}
    for name in ("ada", "ben"):
        hall.judge(name, verdicts, reason="why")
    folder = hall.export(tmp_path / "export")
    second = JudgingHall(hall_app, task, double=0, slug="second", people=hall.people)
    second.add(tmp_path / "alpha.jsonl")
    for path in (folder / "people" / "Ada.csv", folder / "pool.jsonl"):
        sent = {"file": (path.name, path.read_bytes())}
        answer = second.owner.post("/projects/second/import", files=sent)
        assert answer.status_code == 200, answer.text
    again = second.export(tmp_path / "again")
    rows = [json.loads(line) for line in (again / "pool.jsonl").read_text("utf-8").splitlines()]
    assert all(row["verdict"] for row in rows)


def test_some_items_go_to_more_people() -> None:
    people = ["a", "b", "c"]
    plan = plan_assignments(["x", "y", "z"], people, overlaps={"y": 2})
    holders: dict[str, int] = {}
    for item, _ in plan.added:
        holders[item] = holders.get(item, 0) + 1
    assert holders == {"x": 1, "y": 2, "z": 1}


@pytest.mark.browser
def test_a_judgement_takes_one_key(
    hall_app: Any, chromium: Any, task: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hall = JudgingHall(hall_app, task, double=1.0)
    hall.add(
        sitting(
            *(tmp_path / "alpha.jsonl", None), winner=[HERONS], periods=[FOUR, SIX], gulls=[HALF]
        )
    )
    hall.hand_out()
    assignments = hall.assignments("ada")
    with serving(hall_app) as address:
        context = browser_of(chromium, hall_app, address, hall.people["ada"])
        page = open_work(context, address, assignments["otters"])
        page.evaluate(
            "addEventListener('keydown', () => { window.keys = (window.keys ?? 0) + 1; })"
        )
        assert page.locator(".tt-current").count() > 0
        for key in "321":
            page.keyboard.press(key)
        page.wait_for_function("document.activeElement.id === 'hand-in'")
        keys = page.evaluate("keys")
        page.keyboard.press("Enter")
        page.wait_for_selector("#go-on:focus")
        wait_saved(page)
        verdicts = [
            value["fields"].get("verdict")
            for id, value in sorted(stored(hall_app, assignments["otters"]).items())
            if value["type"] == "entry"
        ]
        assert verdicts == ["wrong", "inferred", "explicit"]
        with capsys.disabled():
            print(f"\njudging: {keys} keys for {len(verdicts)} judgements, Enter hands in")
        assert keys == len(verdicts)
        # On a phone, a tap judges and opens the next answer.
        narrow = browser_of(
            *(chromium, hall_app, address, hall.people["ben"]),
            viewport={"width": 390, "height": 844},
            has_touch=True,
        )
        page = open_work(narrow, address, hall.assignments("ben")["otters"])
        page.tap(".hints button")
        first = page.locator(".card.active .card-number").inner_text()
        page.tap(".card.active .option:has-text('Wrong')")
        page.wait_for_function(
            "before => document.querySelector('.card.active .card-number').textContent !== before",
            arg=first,
        )
        page.keyboard.press("d")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        assert [*context.complaints, *narrow.complaints] == []
        context.close()
        narrow.close()
