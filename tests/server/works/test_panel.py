"""Readability panels in the hall: rounds, orders, sheets, and what the library makes of them."""

from __future__ import annotations

import io
import json
import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from command_line import in_process
from halls import add_member, add_person, assign, hall_in, signed_in
from panel_files import passage, write_lines, write_machine, write_test
from panel_hall import PanelScene, add_panel
from panel_judges import GENRES, panel_test
from readmark.core.errors import DataError
from readmark.formats.registry import open_test
from readmark.readability.hall.judgements import order_words, panel_of, ranks_in
from readmark.readability.hall.panel import PANEL_WORK
from readmark.readability.panels.judge_sheets import sheet, texts_by_code
from readmark.readability.panels.rounds import make_plan, plan_rounds
from readmark.readability.panels.synthetic_judges import JudgeTraits, observed_traits
from readmark.server.project_work import work_of_project
from readmark.server.tables import Project
from readmark.server.work_import import read_work, store_work
from readmark.works import WorkItem, read_project
from shipped_projects import PROJECTS, entry, shipped

JUDGES = {
    "ann": "expert",
    "ben": "expert",
    "cy": "novice",
    "dee": "novice",
    "eli": "novice",
}
CODES = [f"p{number:02}" for number in range(1, 13)]
MACHINE = {
    passage.id: 1.0 + int(passage.code[1:]) % 5
    for passage in plan_rounds(panel_test(12), size=6).passages
}


def stars(login: str, code: str) -> int:
    """Judges who agree on most passages: each is off by one on every fourth."""
    level, who = int(code[1:]) % 5, list(JUDGES).index(login)
    off = 1 if (int(code[1:]) + who) % 4 == 0 else 0
    return 1 + (level + off) % 5


def rated_panel(app: Any, folder: Path, judges: dict[str, str] = JUDGES) -> PanelScene:
    scene = add_panel(app, folder, judges, test=panel_test(12), round=6)
    for login in judges:
        scene.rate(login, stars, criteria="short sentences\nclear order")
    return scene


def unzipped(app: Any, scene: PanelScene, folder: Path) -> Path:
    content = signed_in(app, scene.organiser).get(f"/projects/{scene.slug}/export.zip").content
    zipfile.ZipFile(io.BytesIO(content)).extractall(folder)
    return folder


def run(*arguments: object) -> Any:
    """The document that a command prints."""
    done = in_process("panel", *map(str, arguments), "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_the_rounds_are_those_of_the_library_and_everybody_has_an_own_order(
    hall_app: Any, tmp_path: Path
) -> None:
    scene = add_panel(hall_app, tmp_path, JUDGES, round=6)
    plan = make_plan(panel_test(), experts=["ann", "ben"], novices=["cy", "dee", "eli"], size=6)
    orders = set()
    for login, person in scene.judges.items():
        client, judge = signed_in(hall_app, person), plan.judge(login)
        assert judge is not None
        shown = [
            client.get(f"/api/assignments/{id}").json() for id in scene.assignments(login).values()
        ]
        seen = [tuple(text["id"] for text in page["texts"]) for page in shown]
        assert seen == [round_.passages for round_ in judge.rounds]
        orders.add(tuple(seen))
        assert ("criteria" in shown[0]["objects"]) == (JUDGES[login] == "expert")
        places = [shown[0]["objects"][code]["value"]["order"] for code in seen[0]]
        assert places == sorted(places)
        # Nobody sees what an id tells of a passage's genre.
        assert not any(genre in json.dumps(shown) for genre in GENRES)
    assert len(orders) == len(JUDGES)


def test_the_organiser_sees_what_the_library_says_of_the_exported_files(
    either_app: Any, tmp_path: Path
) -> None:
    scene = rated_panel(either_app, tmp_path)
    late = add_person(either_app, "late")
    add_member(either_app, scene.project, late, "novice")
    assign(either_app, scene.project, late)
    folder = unzipped(either_app, scene, tmp_path / "out")
    client = signed_in(either_app, scene.organiser)
    sheets = sorted((folder / "people").glob("*.csv"))
    answer = client.get("/api/projects/panel/panel?power=true").json()
    collected = run("collect", folder / "test.jsonl", folder / "plan.json", *sheets)
    for own in answer["panel"]["findings"]:
        own["file"] = own["file"] and str(folder / own["file"])
    shared = set(collected) - {"unfinished"}
    assert {name: answer["panel"].get(name) for name in shared} == {
        name: collected[name] for name in shared
    }
    assert answer["panel"]["judges"]["Cy"] == {
        "panel": "novice",
        "handed_in": 2,
        "rounds": 2,
        "rated": 12,
        "passages": 12,
        "seconds": 30.5,
    }
    assert (answer["panel"]["judges"]["Late"]["rounds"], "Late" in collected["novices"]) == (
        2,
        False,
    )
    command = answer["power"].pop("command").split()[2:]
    assert answer["power"] == run(*command)


def test_machines_are_compared_as_the_library_does_on_the_exported_files(
    hall_app: Any, tmp_path: Path
) -> None:
    scene = rated_panel(hall_app, tmp_path)
    folder = unzipped(hall_app, scene, tmp_path / "out")
    machine = write_machine(tmp_path / "machine.json", MACHINE)
    client = signed_in(hall_app, scene.organiser)
    with machine.open("rb") as file:
        sent = client.post(
            "/projects/panel/panel", data={"as_json": "true"}, files={"sitting": file}
        )
    machines = json.loads(sent.content)
    novices = sorted((folder / "novices").glob("*.jsonl"))
    by_novice = [part for path in novices for part in ("--novice", path)]
    assert machines["mark"] == run("mark", folder / "rated.jsonl", machine, *by_novice)
    raters = run("mark", folder / "rated.jsonl", machine, *by_novice, "--no-experts")
    assert machines["raters"] == raters
    with machine.open("rb") as file:
        page = client.post("/projects/panel/panel", files={"sitting": file}).text
    for claim in (*machines["mark"]["claims"], *raters["claims"]):
        assert claim.replace("'", "&#39;") in page
    assert f"<code>{raters['signatures']['pearson']}</code>" in page.replace("&#39;", "'")
    assert "/readmark-" not in page
    assert str(tmp_path) not in page


def test_without_experts_a_class_gets_an_answer(hall_app: Any, tmp_path: Path) -> None:
    judges = dict.fromkeys(JUDGES, "novice")
    scene = rated_panel(hall_app, tmp_path, judges)
    client = signed_in(hall_app, scene.organiser)
    client.cookies.set("readmark_language", "zh")
    page = client.post("/projects/panel/panel", data={"rater": ["formula"]}).text
    assert "以专家评分为准" not in page
    answer = client.get("/api/projects/panel/panel?rater=formula").json()["machines"]
    assert answer["mark"] is None
    [verdict] = {
        line["metrics"]["score_difference"]["verdict"]
        for line in answer["raters"]["machines"].values()
    }
    words = {
        "worse": "不如任何一位评分者",
        "below average": "并非不如每一位",
        "cannot tell": "还不足以判断",
    }
    assert words[verdict] in page
    refused = client.get("/projects/panel/panel?power=true")
    assert "the power takes two passages that experts and novices have rated" in refused.text
    answer = client.post("/projects/panel/panel", data={"rater": ["nobody"]})
    assert (answer.status_code, "no rater" in answer.text) == (422, True)


def test_a_sheet_comes_back_as_the_same_work(hall_app: Any, tmp_path: Path) -> None:
    scene = rated_panel(hall_app, tmp_path)
    folder = unzipped(hall_app, scene, tmp_path / "out")
    with hall_in(hall_app).database.reading() as session:
        before = work_of_project(session, scene.project)
    items = {item.name: item for item in before.items}
    back = list(PANEL_WORK.read(folder / "people" / "Ann.csv", items, before.configuration))
    ann = next(person for person in before.people if person.person == "Ann")
    assert {name for _, name, _ in back} == set(ann.objects)
    for person, name, objects in back:
        assert person == "Ann"
        for id, value in objects.items():
            expected = dict(ann.objects[name][id]["fields"])
            if id == "order":
                ranks = [ranks_in(words["order"], CODES) for words in (value["fields"], expected)]
                assert ranks[0] == ranks[1] != {}
            else:
                assert value["fields"] == expected
    other = tmp_path / "Ann.csv"
    other.write_text("id,stars\nnowhere,3\n")
    with pytest.raises(DataError, match="no passage 'nowhere'"):
        list(PANEL_WORK.read(other, items, before.configuration))
    # A sheet of the library's plan, filled in on paper, is work of somebody whom the hall lacks.
    test = panel_test(12)
    plan = make_plan(test, experts=[], novices=["Zoe"], size=6)
    judge = plan.judges[0]
    filled = {
        code: {"stars": "4", "rank": str(place)}
        for place, code in enumerate(judge.rounds[0].passages, 1)
    }
    path = tmp_path / "Zoe.csv"
    path.write_bytes(sheet(plan, judge, texts_by_code(test, plan), filled=filled))
    with hall_in(hall_app).database.writing() as session:
        project = session.get_one(Project, scene.project)
        assert store_work(session, project, read_work(session, project, path)).created == ("Zoe",)
        zoe = next(
            one for one in work_of_project(session, scene.project).people if one.person == "Zoe"
        )
    assert panel_of(zoe) == "novice"
    # And so is a table of a class.
    codes = {passage.id: passage.code for passage in plan.passages}
    one, two = list(codes)[:2]
    table = tmp_path / "class.csv"
    table.write_text(f"passage,Kim,Lee\n{one},4,5\n{two},2,\n")
    read = {
        (person, id): value["fields"]
        for person, _, objects in PANEL_WORK.read(table, items, before.configuration)
        for id, value in objects.items()
    }
    assert read == {
        ("Kim", codes[one]): {"stars": 4},
        ("Kim", codes[two]): {"stars": 2},
        ("Lee", codes[one]): {"stars": 5},
    }


def test_ratings_that_the_test_came_with_count_as_long_as_no_expert_has_rated(
    hall_app: Any, tmp_path: Path
) -> None:
    header = {"readmark": 1, "kind": "readability", "name": "boats", "language": "en"}
    write_lines(tmp_path / "given.jsonl", [header, *(passage(at) for at in range(6))])
    given = open_test(str(tmp_path / "given.jsonl"))
    scene = add_panel(hall_app, tmp_path, {"dee": "novice", "zed": "expert"}, test=given)
    scene.rate("dee", lambda login, code: 3)
    folder = unzipped(hall_app, scene, tmp_path / "novice")
    assert (folder / "rated.jsonl").read_text().count('"annotator":"ann"') == 6
    scene.rate("zed", lambda login, code: 4)
    folder = unzipped(hall_app, scene, tmp_path / "both")
    text = (folder / "rated.jsonl").read_text()
    assert (text.count('"annotator":"ann"'), text.count('"annotator":"Zed"')) == (0, 6)
    # Those who rated them before are not asked again.
    ann = add_person(hall_app, "ann")
    add_member(hall_app, scene.project, ann, "novice")
    signed_in(hall_app, scene.organiser).post("/projects/panel/hand-out")
    scene.judges["ann"] = ann
    assert scene.assignments("ann") == {}


@pytest.mark.parametrize(
    ("words", "ranks"),
    [
        ("p03 < p01 = p02 < p05", {"p03": 1, "p01": 2, "p02": 2, "p05": 4}),
        ("p01=p03<p01<p09< <p02", {"p01": 1, "p03": 1, "p02": 3}),
        ("", {}),
        (None, {}),
    ],
)
def test_an_order_in_words(words: str | None, ranks: dict[str, int]) -> None:
    assert ranks_in(words, ["p01", "p02", "p03", "p05"]) == ranks
    again = order_words({code: float(rank) for code, rank in ranks.items()})
    assert ranks_in(again, ["p01", "p02", "p03", "p05"]) == ranks


def objects_of_round(
    item: WorkItem, given: dict[str, dict[str, Any]], order: str
) -> dict[str, Any]:
    view = PANEL_WORK.view(item, shipped("panel"))
    filled = {id: {**value, "fields": given.get(id, {})} for id, value in view.objects.items()}
    return {**filled, "order": {**filled["order"], "fields": {"order": order}}}


def test_a_judge_is_shown_contradictions_and_gaps_and_nothing_that_sways() -> None:
    configuration = shipped("panel")
    [item] = PANEL_WORK.divide([panel_test(6)], configuration)
    codes = [one["code"] for one in item.paper["passages"]]
    # All the same stars, in no time: that is for the organiser.
    same = {code: {"stars": 3, "seconds": 0.1} for code in codes}
    objects = objects_of_round(item, same, " < ".join(codes))
    assert list(PANEL_WORK.check(item, objects, configuration)) == []
    given = {code: {"stars": number} for number, code in enumerate(codes[:4], 1)}
    given[codes[4]] = {"stars": None, "skip": "no English"}
    objects = objects_of_round(item, given, f"{codes[0]} < {codes[1]}")
    found = list(PANEL_WORK.check(item, objects, configuration))
    assert [(one.code, one.severity, one.object) for one in found] == [
        ("missing", "hint", codes[5]),
        ("rank_missing", "hint", "order"),
        ("rank_contradicts", "warning", "order"),
    ]
    assert found[2].as_json("zh")["message"] == "第 1 篇（1 星）排在第 2 篇（2 星）之前。"
    stray = {"p99": entry("passage", 1, stars=5)}  # a form of no passage, which no page sends
    assert [*PANEL_WORK.check(item, objects | stray, configuration)] == found


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("round = 10", "round = 1"), "round is a number of passages from 2 to 100"),
        (("even = false", "even = 3"), "even is true or false"),
        (("[entry.criteria", "[entry.reasons"), "needs a table"),
        (("[1, 2, 3, 4, 5]", "[1, 2, 3]"), "the choices of stars are the numbers from 1 to 5"),
        (("skip = {", "left_out = {"), "the entry passage needs a field skip"),
    ],
)
def test_a_configuration_that_no_panel_can_have(change: tuple[str, str], message: str) -> None:
    text = (PROJECTS / "panel.toml").read_text(encoding="utf-8").replace(*change)
    text = (
        text.replace("[entry.criteria.fields", "[entry.reasons.fields")
        if "reasons" in text
        else text
    )
    with pytest.raises(DataError, match=message):
        read_project(text)


def test_practice_compares_stars_with_the_experts_mean(tmp_path: Path) -> None:
    [item] = PANEL_WORK.divide([open_test(str(write_test(tmp_path / "t.jsonl")))], shipped("panel"))
    codes = {one["id"]: one["code"] for one in item.paper["passages"]}
    # The experts' means: p0 4.0, p1 1.33, p2 4.0, p3 3.33, p4 4.33, p5 1.0
    given = {"p0": 3, "p1": 3, "p2": 5, "p3": 2, "p4": 5, "p5": 2}
    objects = objects_of_round(item, {codes[id]: {"stars": one} for id, one in given.items()}, "")
    found = list(PANEL_WORK.grade(item, objects, shipped("panel")))
    assert {one.object for one in found} == {codes["p1"], codes["p3"]}


def test_the_traits_of_judges_are_recovered_from_a_table() -> None:
    # Two judges, two apart, who swap half a star on four passages: by hand, residuals of ±0.25.
    levels = np.array([2.0, 3.0, 4.0, 5.0])
    swap = np.array([0.5, -0.5, 0.5, -0.5]) / 2
    table = np.stack([levels - 1 + swap, levels + 1 - swap], axis=1)
    traits = observed_traits(table, stars=False)
    noise = 8 * 0.25**2 / 3
    assert traits.noise == pytest.approx(math.sqrt(noise))
    assert traits.bias == pytest.approx(math.sqrt(2.0 - noise / 4))
    assert traits.missing == 0
    table[0, 0] = np.nan
    assert observed_traits(table, stars=False).missing == pytest.approx(1 / 8)
    assert isinstance(traits, JudgeTraits)
