"""Answers to reading tasks: scores, the log that feeds the pool, what stays hidden, the viewer."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from command_line import in_process
from halls import add_member, add_person, routes_of, signed_in
from readmark.core.binding import paper_members
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.formats.native_sitting import NATIVE_SITTING
from readmark.formats.registry import open_test
from readmark.server.reading_tasks.graph_formats import GRAPH_TYPES
from readmark.works.heavy_calls import CallLimit
from served_tasks import CANARIES, Services, league_zip, open_zip
from task_files import OTTERS
from work_pages import browser_of, serving

pytestmark = [
    pytest.mark.usefixtures("quick_passwords", "calls_in_process"),
    pytest.mark.reasoning,
]

ROWS = {
    "otters:winner": [{"G": "Game-1", "T": "Otters"}],
    "otters:periods": [{"G": "Game-1", "N": 5}, {"G": "Game-1", "N": 4}],
}


@pytest.fixture
def services(hall_app: Any) -> Services:
    return Services(hall_app)


def marked(services: Services, task: str, entry: str, folder: Path, *options: str) -> Any:
    """What the command line says of a task and a submission, as both are retrieved."""
    package, sitting = folder / "package.zip", folder / "sitting.jsonl"
    package.write_bytes(services.get(f"{task}/package").content)
    sitting.write_bytes(services.get(f"{task}/submissions/{entry}/sitting").content)
    shown = in_process("mark", package, sitting, "--json", "--no-units", *options)
    return json.loads(shown.stdout)


# Scores.


def test_a_score_is_what_task_mark_prints(services: Services, tmp_path: Path) -> None:
    task = services.upload(open_zip())
    rows = {**ROWS, "gulls:periods": []}
    entry = services.post(f"{task}/submissions", candidate="alpha", answers=rows).json()
    assert (entry["candidate"], entry["gold"]) == ("alpha", 0)
    result = entry["result"]
    shown = marked(services, task, entry["id"], tmp_path)
    own, theirs = (
        [note.partition(": ")[2] for note in each.pop("notes")]
        for each in (result["public"], shown)
    )
    assert own == theirs
    assert result["public"] == shown
    # Stated are the winner, which is given, and four periods of the other game, which are not:
    # P = 1, R = 1/2. The one inferred answer is given, and a wrong one beside it: P = 1/2, R = 1.
    marks = result["public"]["marks"]
    assert marks["facts"]["score"] == pytest.approx(200 / 3)
    assert marks["inferences"]["score"] == pytest.approx(200 / 3)
    assert result["hidden"] == []
    [logged] = services.get(f"{task}/submissions").json()
    assert logged == services.get(f"{task}/submissions/{entry['id']}").json()
    assert logged["result"]["public"]["notes"][0].startswith("answers.json: provisional")


def test_an_answer_to_a_variable_that_its_query_lacks_is_a_finding(services: Services) -> None:
    task = services.upload(open_zip())
    rows = {"otters:winner": [{"G": "Game-1", "Team": "Otters"}], "gulls:periods": []}
    result = services.post(f"{task}/submissions", candidate="alpha", answers=rows).json()["result"]
    assert result["findings"] == [
        "answers without a value of each variable are wrong: otters:winner has no ?T",
        "unknown variables in answers are ignored: "
        "otters:winner binds ?Team, and its query has ?G, ?T",
    ]


def test_a_part_is_scored_as_its_own_package(services: Services, tmp_path: Path) -> None:
    part = services.post("", source="task.en", splits=["train"], number=2).json()
    (tmp_path / "part.zip").write_bytes(services.get(f"{part['id']}/package").content)
    test = open_test(tmp_path / "part.zip")
    every = [unit for unit in test.units() if unit.key.solutions]
    rows = {unit.id: Row(id=unit.id, answer=[unit.key.solutions[0]]) for unit in every}
    header = SittingHeader(kind="task", candidate="first answers", **paper_members(test))
    NATIVE_SITTING.write_sitting(Sitting(header, rows), tmp_path / "sat.jsonl")
    files = {"file": ("sat.jsonl", (tmp_path / "sat.jsonl").read_bytes())}
    made = services.reader.post(
        f"/api/reading-tasks/{part['id']}/submissions/file", files=files
    ).json()
    shown = in_process(
        "mark", tmp_path / "part.zip", tmp_path / "sat.jsonl", "--json", "--no-units"
    )
    public, alone = made["result"]["public"], json.loads(shown.stdout)
    assert public["marks"] == alone["marks"]
    assert public["units"] == alone["units"] == part["splits"][0]["units"]
    assert made["gold"] == part["gold"] == 1


@pytest.mark.parametrize("name", ["task.zip", "sitting.jsonl", "answers.json"])
def test_answers_replace_no_file_that_they_are_scored_by(services: Services, name: str) -> None:
    """A package whose gold is the sender's own answers, sent under the name of the task's file."""
    task = services.upload(open_zip())
    sent = {"file": (name, open_zip())}
    reply = services.reader.post(f"/api/reading-tasks/{task}/submissions/file", files=sent)
    assert reply.status_code == 422, reply.text
    assert reply.json()["detail"].startswith(f"{name}: ")
    assert services.get(f"{task}/submissions").json() == []


def test_of_a_hidden_split_there_are_totals_with_people_and_no_more(services: Services) -> None:
    answers = {"crane-entry:birthYear": [{"person": "Nobody", "value": 1900}]}
    entry = services.post("task.en/submissions", answers=answers).json()
    assert entry["result"]["public"] is None
    [hidden] = entry["result"]["hidden"]
    assert set(hidden) == {"split", "units", "marks", "people"}
    assert hidden["units"] == 546
    assert set(hidden["marks"]["facts"]) == {
        "score",
        "low",
        "high",
        "scale",
        "signature",
        "clusters",
    }
    people = hidden["people"]["marks"]["facts"]
    # benchmarks/lives: what the three synthetic people reach on the test split.
    assert people["people"] == pytest.approx(92.54, abs=100 / 546)  # rounded to one of 546 units
    assert people["people"] * 546 / 100 == pytest.approx(round(people["people"] * 546 / 100))
    assert people["ratio"] == hidden["marks"]["facts"]["score"] == 0


def test_a_sitting_cannot_choose_single_hidden_questions(
    services: Services, tmp_path: Path
) -> None:
    task = services.upload(league_zip())
    answer = [{"values": {"G": "CanaryWinner", "N": 77}}]
    totals = []
    for covers in (None, ("gulls:periods",), ("otters:winner",)):
        header = SittingHeader(kind="task", candidate="x", covers=covers, limit=None)
        rows = {"gulls:periods": Row(id="gulls:periods", answer=answer)}
        NATIVE_SITTING.write_sitting(Sitting(header, rows), tmp_path / "sat.jsonl")
        files = {"file": ("sat.jsonl", (tmp_path / "sat.jsonl").read_bytes())}
        made = services.reader.post(f"/api/reading-tasks/{task}/submissions/file", files=files)
        totals.append(made.json()["result"]["hidden"][0]["marks"]["facts"]["score"])
    assert totals == [100.0, 100.0, 100.0]  # of the whole split, whatever the file covers


def test_answers_to_hidden_questions_are_short_and_others_as_long_as_they_are(
    services: Services,
) -> None:
    task = services.upload(league_zip())
    long = "x" * 2001
    hidden = services.post(f"{task}/submissions", answers={"gulls:periods": [{"G": long, "N": 1}]})
    assert hidden.status_code == 422
    assert "the answer to gulls:periods has 2,001 characters" in hidden.json()["detail"]
    assert services.get(f"{task}/submissions").json() == []
    shown = services.post(f"{task}/submissions", answers={"otters:winner": [{"G": long, "T": "a"}]})
    assert shown.status_code in (200, 201), shown.text


def test_submissions_to_hidden_splits_are_few(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    from readmark.server.reading_tasks import submissions

    monkeypatch.setattr(submissions, "MOST_HIDDEN_A_DAY", 2)
    task = services.upload(league_zip())
    part = services.post("", source=task, documents=["gulls"]).json()["id"]
    rows = {"gulls:periods": [{"G": "a", "N": 1}]}
    answers = [services.post(f"{id}/submissions", answers=rows) for id in (task, part, task)]
    assert [answer.status_code for answer in answers] == [201, 201, 422]
    assert "2 times within a day" in answers[2].json()["detail"]


def test_of_submissions_to_hidden_splits_at_once_no_more_are_scored(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    from readmark.server.reading_tasks import submissions

    monkeypatch.setattr(submissions, "MOST_HIDDEN_A_DAY", 1)
    address = f"{services.upload(league_zip())}/submissions"
    answers = {"gulls:periods": [{"G": "a", "N": 1}]}
    scored = submissions.score_answers
    meanwhile: list[int] = []

    def score_answers(*call: Any, **names: Any) -> Any:
        if not meanwhile:
            meanwhile.append(0)
            # Another process of the hall counts its own calls.
            monkeypatch.setattr(submissions, "HEAVY_CALLS", CallLimit(1))
            other = services.post(address, answers=answers)
            meanwhile.append(other.status_code)
        return scored(*call, **names)

    monkeypatch.setattr(submissions, "score_answers", score_answers)
    late = services.post(address, answers=answers)
    assert meanwhile == [0, 201]
    assert (late.status_code, "result" in late.json()) == (422, False)


def test_what_cannot_be_scored_leaves_no_entry(services: Services) -> None:
    task = services.upload(league_zip())
    faults: list[tuple[Any, str]] = [
        ({"nothing:here": [{"G": "x"}]}, "no answer is to a unit of task.zip"),
        ({"otters:winner": []}, "has 0 answers"),
    ]
    for rows, message in faults:
        refused = services.post(f"{task}/submissions", answers=rows)
        assert refused.status_code == 422
        assert message in refused.json()["detail"]
    assert services.get(f"{task}/submissions").json() == []


# The pool.


def test_the_log_feeds_the_pool(either_app: Any, tmp_path: Path) -> None:
    services = Services(either_app)
    content = league_zip()
    fed, direct = services.project("fed", content), services.project("direct", content)
    task = services.offer("fed")
    assert task in {row["id"] for row in services.get("").json()}
    odd = {**ROWS, "gulls:periods": [{"G": "Game-2", "N": 2}]}
    entries = [
        services.post(f"{task}/submissions", candidate=name, answers=rows).json()
        for name, rows in (("alpha", ROWS), ("beta", odd))
    ]
    part = services.post("", source=task, queries=["winner"]).json()["id"]
    rows = {"otters:winner": [{"G": "Game-1", "T": "Herons"}]}
    entries.append(services.post(f"{part}/submissions", candidate="gamma", answers=rows).json())
    log = services.owner.get("/api/projects/fed/reading-task").json()
    assert (log["submissions"], log["waiting"]) == (3, 3)
    pulled = services.owner.post("/api/projects/fed/reading-task/pull").json()
    assert [row["sitting"] for row in pulled] == ["alpha.jsonl", "beta.jsonl", "gamma.jsonl"]
    # The same files, added by hand, make the same items.
    for name, entry, of in zip("abc", entries, (task, task, part), strict=True):
        data = services.get(f"{of}/submissions/{entry['id']}/sitting").content
        files = {"file": (f"{name}.jsonl", data)}
        added = services.owner.post("/api/projects/direct/sittings", files=files)
        assert added.status_code == 201, added.text
    assert services.items(fed) == services.items(direct) != []
    assert services.owner.post("/api/projects/fed/reading-task/pull").json() == []
    # From now on without a call; what the pool has already is not added again.
    services.offer("fed", feeds_pool=True)
    more = {"otters:winner": [{"G": "Game-1", "T": "Gulls"}]}
    before = len(services.owner.get("/api/projects/fed/sittings").json()["sittings"])
    for _ in range(2):
        made = services.post(f"{task}/submissions", candidate="delta", answers=more).json()
        assert set(made["result"]) == {
            "candidate",
            "answers",
            "gold",
            "paper",
            "public",
            "hidden",
            "unjudged",
        }
    after = services.owner.get("/api/projects/fed/sittings").json()["sittings"]
    assert len(after) == before + 1


def test_scores_are_by_the_newest_gold(services: Services, tmp_path: Path) -> None:
    """A verdict of a judge becomes gold, and the same answers score otherwise from then on."""
    project = services.project("league", league_zip(annotation="incomplete"))
    task = services.offer("league", feeds_pool=True)
    rows = {"otters:winner": [{"G": "Game-1", "T": "Herons"}]}
    first = services.post(f"{task}/submissions", candidate="alpha", answers=rows).json()
    ada = add_person(services.app, "ada")
    add_member(services.app, project, ada, "annotator")
    services.owner.post("/projects/league/hand-out", data={})
    [assignment] = services.owner.get("/api/projects/league/assignments").json()
    judge = signed_in(services.app, ada)
    objects = judge.get(f"/api/assignments/{assignment['id']}").json()["objects"]
    [(id, kept)] = [item for item in objects.items() if item[1]["value"]["type"] == "entry"]
    judged = {**kept["value"], "fields": {"verdict": "explicit"}}
    values = {id: judged, "status": {"type": "status", "done": True}}
    events = [
        {"sequence": number, "object": name, "value": value, "base": None}
        for number, (name, value) in enumerate(values.items(), 1)
    ]
    sent = {"client": "test-client", "events": events}
    saved = judge.post(f"/api/assignments/{assignment['id']}/events", json=sent)
    assert saved.status_code == 200, saved.text
    assert services.owner.post("/api/projects/league/sittings/gold").status_code == 201
    second = services.post(f"{task}/submissions", candidate="alpha", answers=rows).json()
    assert (first["gold"], second["gold"]) == (0, 1)
    assert services.get(task).json()["gold"] == 1
    scores = [entry["result"]["public"]["marks"]["facts"]["score"] for entry in (first, second)]
    # First the one stated answer is missing and the other unjudged; then one of two is given.
    assert scores == [0.0, pytest.approx(100 * 2 / 3)]
    again = marked(services, task, second["id"], tmp_path, "--split", "train")
    assert again["marks"] == second["result"]["public"]["marks"]


# What is hidden.


def _texts(answer: Any) -> str:
    """What a response holds, the members of a zip included."""
    if answer.content[:2] != b"PK":
        return str(answer.text)
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        return "\n".join(packed.read(name).decode("utf-8", "replace") for name in packed.namelist())


def test_no_route_gives_hidden_gold(services: Services) -> None:
    """Everything that the services answer to somebody who does not organise the task."""
    project = services.project("league", league_zip())
    judge = add_person(services.app, "judge")
    add_member(services.app, project, judge, "annotator")
    task = services.offer("league")
    rows = {**ROWS, "gulls:periods": [{"G": "Game-2", "N": 77}]}
    entry = services.post(f"{task}/submissions", candidate="alpha", answers=rows).json()["id"]
    names = {"reading_task": task, "task_submission": entry, "project": "league"}
    statement = {"with_task": True, "statement": "(?a winner ?b)"}
    everything = "SELECT * WHERE { ?s ?p ?o }"
    bodies: dict[str, list[dict[str, Any]]] = {
        "consistency": [{"with_task": True}],
        "consequences": [{"with_task": True}],
        "explanations": [statement, {"with_task": True, "documents": ["gulls"]}],
        "query": [
            *({"with_task": True, "id": id} for id in ("periods", "winner")),
            {"with_task": True, "sparql": everything},
            {"with_task": True, "query": "(?a type ?b)", "documents": ["gulls"]},
        ],
        "decompositions": [{"with_task": True}],
        "submissions": [{"answers": {"gulls:periods": [{"G": "x", "N": 77}]}}],
        "": [{"source": task, "documents": ["gulls"]}, {"source": task, "splits": ["test"]}],
    }
    queries = {
        "graph": [f"?format={each.name}" for each in GRAPH_TYPES],
        "document": ["?id=gulls"],
        "gold": ["", "?unit=gulls:periods&answer=1"],
        "{task_submission}": ["", "?unit=gulls:periods&answer=1"],
        "answers": ["", "?unit=gulls:periods&answer=1"],
    }
    asked = set()
    for person in (services.rita, judge):
        client = signed_in(services.app, person)
        for method, path, _ in routes_of(services.app):
            last = path.rpartition("/")[2]
            is_served = "reading-task" in path or path == "/projects/{project}/answers"
            if not is_served or method == "DELETE" or last == "delete":
                continue
            if method == "POST" and person == judge:  # what it may, the reader has tried
                continue
            name = "" if last == "reading-tasks" else last
            for body in bodies.get(name, [{}]) if method == "POST" else [None]:
                for query in queries.get(last, [""]) if method == "GET" else [""]:
                    answer = client.request(method, path.format(**names) + query, json=body)
                    asked.add((method, path))
                    text = _texts(answer)
                    for canary in CANARIES:
                        assert canary not in text, f"{method} {path}{query}: {canary}"
                    assert answer.status_code < 500
    assert len(asked) > 25
    # The organiser sees it: the canaries are in the task.
    shown = services.owner.get("/projects/league/answers?unit=gulls:periods&answer=1")
    assert "CanaryWinner" in shown.text


# The viewer.

READ = {
    "values": {"G": "Game-1", "N": 5},
    "derivation": "(Game-1 numberOfPeriods 5)  by overtime\n"
    "  (Game-1 hasOvertimePlay true)  asserted by a reader\n"
    f"    statement “in overtime” otters:{OTTERS.index('in overtime')}-44\n"
    "  no (Game-1 numberOfPeriods ?n)\n",
    "excerpts": [{"document": "otters", "start": 0, "end": 10, "quote": "The Otters"}],
}


@pytest.mark.browser
def test_an_answer_is_shown_with_what_it_rests_on(services: Services, chromium: Any) -> None:
    task = services.upload(league_zip())
    rows = {"otters:periods": [READ], "gulls:periods": [{"values": {"G": "<b>x</b>", "N": 1}}]}
    entry = services.post(f"{task}/submissions", answers=rows).json()["id"]
    address = f"/reading-tasks/{task}/submissions/{entry}?unit=otters:periods&answer=1"
    with serving(services.app) as hall:
        # Without JavaScript: both ways between a line and its words.
        plain = browser_of(
            *(chromium, services.app, hall, services.rita),
            java_script_enabled=False,
            viewport={"width": 390, "height": 844},
            language="zh",
        )
        page = plain.new_page()
        page.goto(f"{hall}{address}")
        assert page.locator("mark").all_inner_texts() == ["The Otters", "in overtime"]
        assert page.locator(".tree > ul > li").count() == 2
        page.click("#n3 > .quote")
        assert page.url.endswith("#e2")
        page.click("#e2 a")
        assert page.url.endswith("#n3")
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        # With it: the keyboard folds, a link unfolds what it leads to.
        full = browser_of(chromium, services.app, hall, services.rita)
        page = full.new_page()
        page.goto(f"{hall}{address}")
        page.focus("#n1 > details > summary")
        page.keyboard.press("Space")
        assert not page.locator("#n3").is_visible()
        page.click("#e2 a")
        page.wait_for_selector("#n3:visible")
        page.click("[data-fold=close]")
        assert page.locator(".tree details[open]").count() == 0
        page.goto(f"{hall}/reading-tasks/{task}/submissions/{entry}")
        page.click("text=?G = <b>x</b>")
        assert page.locator(".tree").count() == 0
        assert [*plain.complaints, *full.complaints] == []
        plain.close()
        full.close()


def test_the_viewer_shows_gold_to_organisers_and_names_no_system_to_judges(
    services: Services, tmp_path: Path
) -> None:
    project = services.project("league", league_zip())
    task = services.offer("league", feeds_pool=True)
    services.post(f"{task}/submissions", candidate="alpha", answers=ROWS)
    judge = add_person(services.app, "judge")
    add_member(services.app, project, judge, "annotator")
    tab = services.owner.get("/projects/league/sittings").text
    assert "/projects/league/answers?sitting=alpha.jsonl" in tab
    of_sitting = services.owner.get("/projects/league/answers?sitting=alpha.jsonl")
    assert "?unit=" not in of_sitting.text.partition("?sitting=alpha.jsonl&amp;unit=")[0]
    answer = services.owner.get(
        "/projects/league/answers?sitting=alpha.jsonl&unit=otters:winner&answer=1"
    )
    assert "?G = Game-1, ?T = Otters" in answer.text  # the gold of the unit, with a link to it
    missing = services.owner.get("/projects/league/answers?sitting=none.jsonl")
    assert missing.status_code == 404
    for path in ("/projects/league/answers", "/projects/league/answers?sitting=alpha.jsonl"):
        assert signed_in(services.app, judge).get(path).status_code == 404
    gold = services.reader.get(f"/reading-tasks/{task}/gold")
    assert "Otters" in gold.text
    assert "gulls" not in gold.text  # its only document is hidden
