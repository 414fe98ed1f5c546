"""Takes pictures of the exam hall's pages for people to look at: wide and narrow, in both languages.

The halls are those of the tests. Needs Playwright and a Chromium. Run, in the folder of the project:
PYTHONPATH=src python docs/hall_pages.py FOLDER
"""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TESTS = Path(__file__).resolve().parents[1] / "tests"
WIDTHS = {1280: 800, 390: 844}
Page = tuple[str, str, str]
"""A name, the id of the person who looks at it, and its path."""


def adjudication(app: Any, folder: Path, owner: str) -> Iterator[Page]:
    """Two people answered; an adjudicator decides."""
    from disputed import disputed_hall
    from organised import answered, town_test, work_on
    from readmark.server.adjudication import freeze_gold

    from halls import hall_in

    folder.mkdir()
    hall = disputed_hall(app, "second_answers", town_test(folder / "towns.jsonl"), "ann", "bob")
    for number in range(4):
        for login, town in (("ann", "Oxford Leeds Dover Bath".split()[number]), ("bob", "mill")):
            given = answered(number, town, str(1800 + number))
            fields = {id: value["fields"] for id, value in given.items() if "fields" in value}
            hall.hand_in(login, f"p{number}", fields)
    hall.open()
    hall.decide("p0", "Oxford")
    with hall_in(app).database.writing() as session:
        freeze_gold(session, hall.project)
    judge = hall.people["judge"]
    page = work_on(app, judge, "adjudication")["p1"]
    yield "adjudication-page", judge, f"/assignments/{page}"
    yield "adjudication-tab", owner, "/projects/second-answers/adjudication"
    yield "overview", owner, "/projects/second-answers"
    yield "agreement", owner, "/projects/second-answers/agreement"


def panel(app: Any, folder: Path, owner: str) -> Iterator[Page]:
    """A readability panel, half of it done."""
    from judged import panel_test
    from panel_hall import add_panel

    folder.mkdir()
    judges = {"eva": "expert", "emil": "expert", "nils": "novice", "nora": "novice", "noel": "novice"}
    scene = add_panel(app, folder, judges, test=panel_test(10))
    for login in ("eva", "emil", "nils", "nora"):
        scene.rate(login, lambda login, code: 1 + (int(code[1:]) + len(login)) % 5, criteria="short")
    [begun] = scene.assignments("noel").values()
    [done] = scene.assignments("eva").values()
    yield "panel-page", scene.judges["noel"], f"/assignments/{begun}"
    yield "panel-done", scene.judges["eva"], f"/assignments/{done}"
    yield "panel-tab", owner, "/projects/panel/panel?power=true"


def sitting(app: Any, folder: Path, owner: str) -> Iterator[Page]:
    """A timed test that three people sit, with a machine."""
    from organised import town_test, work_on
    from test_sitting import DONE, add_sitters, sitting_project, town_answers

    from halls import hall_in, signed_in
    from organised import send
    from readmark.server.results import add_machine, sat_by_machine

    folder.mkdir()
    project = sitting_project(
        app, town_test(folder / "towns.jsonl", count=3), options="minutes = 30"
    )
    people = add_sitters(app, project, "sam", "sue", "sid")
    right = {"p0": ("Oxford", "1800"), "p1": ("Leeds", "1801"), "p2": ("Dover", "1802")}
    for login, given in (("sam", right), ("sue", {**right, "p1": ("brothers", "1801")})):
        assignments = work_on(app, people[login])
        first = next(iter(assignments.values()))
        signed_in(app, people[login]).post(f"/assignments/{first}/sitting/start")
        town_answers(app, people[login], given)
        for assignment in assignments.values() if login == "sam" else ():
            send(app, people[login], assignment, {"status": DONE})
    with hall_in(app).database.writing() as session:
        add_machine(session, project, sat_by_machine(session, project, "bow"))
    first, second, _ = work_on(app, people["sid"]).values()
    begun = work_on(app, people["sue"])["p1"]
    yield "sitting-start", people["sid"], f"/assignments/{first}"
    yield "sitting-page", people["sue"], f"/assignments/{begun}"
    yield "sitting-end", people["sue"], f"/assignments/{begun}/sitting"
    yield "results-tab", owner, "/projects/sat/results"
    yield "typing-tab", owner, "/projects/sat/typing"
    yield "paper", owner, "/projects/sat/paper"
    yield "paper-key", owner, "/projects/sat/paper/key"


def classes(app: Any, folder: Path, owner: str) -> Iterator[Page]:
    """A class of four pupils."""
    from organised import answered, send, work_on
    from test_classes import class_of, project_of, pupil_of

    folder.mkdir()
    project = project_of(app, folder)
    room, codes = class_of(app, project)
    given = {"Amber Fox": ("Oxford", "1800"), "Blue Owl": ("mill of Oxford", "1800")}
    given |= {"Calm Seal": ("two brothers", "1800"), "Eager Bee": ("Oxford", "two brothers")}
    for name, quotes in given.items():
        pupil, _ = pupil_of(app, codes, name)
        send(app, pupil, work_on(app, pupil)["p0"], answered(0, *quotes), seconds=10.0)
    yield "class-join", "", f"/join/{codes.link}"
    yield "class-pupil", pupil, "/assignments"
    yield "class-tab", owner, "/projects/answers/class"
    yield "class-teacher", owner, f"/projects/answers/class/{room}?machine=bow"


def quality(app: Any, folder: Path, owner: str) -> Iterator[Page]:
    """Two people with known-answer and repeated items, one of them careless."""
    from test_quality import checked_project, work_through

    folder.mkdir()
    work_through(app, checked_project(app, folder))
    yield "quality-tab", owner, "/projects/answers/quality"
    yield "overview-careless", owner, "/projects/answers"


def judging(app: Any, folder: Path, owner: str) -> Iterator[Page]:
    """Pooled answers of two systems."""
    import test_judging as league

    from readmark.tasks.packer import pack
    from readmark.tasks.task_folder import gather
    from task_files import write_task

    folder.mkdir()
    pack(gather(write_task(folder / "made")), folder / "league.zip")
    from halls import add_person

    people = {"olga": owner, **{name: add_person(app, name) for name in ("ada", "ben")}}
    hall = league.JudgingHall(app, folder / "league.zip", double=1.0, people=people)
    answers = {"winner": [league.HERONS], "periods": [league.FOUR, league.SIX]}
    hall.add(league.sitting(folder / "alpha.jsonl", None, **answers))
    hall.hand_out()
    page = hall.assignments("ada")["otters"]
    yield "judging-page", people["ada"], f"/assignments/{page}"
    yield "sittings-tab", owner, "/projects/league/sittings"


HALLS = (adjudication, panel, sitting, classes, quality, judging)


def main(folder: str) -> int:
    """Take every picture."""
    for path in (TESTS, TESTS / "server", TESTS / "server" / "works"):
        sys.path.insert(0, str(path))
    from playwright.sync_api import sync_playwright

    from halls import add_person
    from readmark.server.access import COOKIE
    from readmark.server.start import open_hall
    from work_pages import browser_of, serving

    out = Path(folder)
    out.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as made:
        path = shutil.which("chromium") or shutil.which("google-chrome")
        chromium = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for build in HALLS:
            root = Path(made) / build.__name__
            root.mkdir()
            app = open_hall(f"sqlite:///{root}/hall.db", folder=root)
            owner = add_person(app, "olga", is_owner=True)
            with serving(app) as address:
                for name, person, path in build(app, root / "files", owner):
                    for language in ("en", "zh"):
                        context = browser_of(
                            chromium, app, address, person or owner, language=language
                        )
                        if not person:
                            context.clear_cookies(name=COOKIE)
                        page = context.new_page()
                        for width, height in WIDTHS.items():
                            page.set_viewport_size({"width": width, "height": height})
                            page.goto(f"{address}{path}")
                            page.wait_for_load_state("networkidle")
                            page.screenshot(
                                path=out / f"{name}-{language}-{width}.png", full_page=True
                            )
                            wide = page.evaluate("document.documentElement.scrollWidth")
                            if wide > width:
                                print(f"{name} {language}: {wide} pixels wide in {width}")
                        if context.complaints:
                            print(f"{name} {language}: {context.complaints}")
                        context.close()
            app.state.hall.database.close()
        chromium.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1]))
