"""Takes the pictures of docs/hall-tutorials.md, and puts what its commands print in place.

The tutorials' own test does both while it follows them in a browser. Needs Playwright, a Chromium
and Pillow. Run: python docs/hall_screenshots.py

With `--pages FOLDER` it takes pictures of the pages of judges, raters, sitters, pupils and their
organisers instead, for people to look at: wide and narrow, in both languages. The halls are those
of the tests.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parent
PICTURES = DOCS / "images" / "hall"
TESTS = DOCS.parent / "tests"
TUTORIALS = TESTS / "server" / "test_tutorials.py"
LARGEST = 90_000
"""Bytes of a picture."""


def shrink(path: Path) -> None:
    """Reduce the colours of a picture until it is small enough."""
    from PIL import Image

    with Image.open(path) as picture:
        whole = picture.convert("RGB")
    for colours in (128, 64, 32, 16):
        whole.quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
        if path.stat().st_size <= LARGEST:
            return
    raise SystemExit(f"{path.name} is still larger than {LARGEST:,} bytes")


def tutorials() -> int:
    """Follow the tutorials, and keep the pictures."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(TUTORIALS)],
        env={**os.environ, "READMARK_PICTURES": str(PICTURES)},
        check=False,
    )
    for path in sorted(PICTURES.glob("*.png")):
        shrink(path)
        print(f"{path.relative_to(DOCS)}: {path.stat().st_size:,} bytes")
    return done.returncode


# Pages to look at.

WIDTHS = {1280: 800, 390: 844}
ShownPage = tuple[str, str, str]
"""A name, the id of the person who looks at it, and its path."""


def adjudication(app: Any, folder: Path, owner: str) -> Iterator[ShownPage]:
    """Two people answered; an adjudicator decides."""
    from disputed import disputed_hall
    from halls import hall_in
    from organised import answered, town_test, work_on
    from readmark.server.gold import freeze_gold

    folder.mkdir()
    hall = disputed_hall(app, "second_answers", town_test(folder / "towns.jsonl"), "ann", "bob")
    for number in range(4):
        for login, town in (("ann", ["Oxford", "Leeds", "Dover", "Bath"][number]), ("bob", "mill")):
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


def panel(app: Any, folder: Path, owner: str) -> Iterator[ShownPage]:
    """A readability panel, half of it done."""
    from panel_hall import add_panel
    from panel_judges import panel_test

    folder.mkdir()
    judges = {
        "eva": "expert",
        "emil": "expert",
        "nils": "novice",
        "nora": "novice",
        "noel": "novice",
    }
    scene = add_panel(app, folder, judges, test=panel_test(10))
    for login in ("eva", "emil", "nils", "nora"):
        scene.rate(
            login, lambda login, code: 1 + (int(code[1:]) + len(login)) % 5, criteria="short"
        )
    [begun] = scene.assignments("noel").values()
    [done] = scene.assignments("eva").values()
    yield "panel-page", scene.judges["noel"], f"/assignments/{begun}"
    yield "panel-done", scene.judges["eva"], f"/assignments/{done}"
    yield "panel-tab", owner, "/projects/panel/panel?power=true"


def sitting(app: Any, folder: Path, owner: str) -> Iterator[ShownPage]:
    """A timed test that three people sit, with a machine."""
    from test_sitting import DONE, add_sitters, sitting_project, town_answers

    from halls import hall_in, signed_in
    from organised import send, town_test, work_on
    from readmark.server.machine_sittings import add_machine, sat_by_machine

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
    first, *_ = work_on(app, people["sid"]).values()
    begun = work_on(app, people["sue"])["p1"]
    yield "sitting-start", people["sid"], f"/assignments/{first}"
    yield "sitting-page", people["sue"], f"/assignments/{begun}"
    yield "sitting-end", people["sue"], f"/assignments/{begun}/sitting"
    yield "results-tab", owner, "/projects/sat/results"
    yield "typing-tab", owner, "/projects/sat/typing"
    yield "paper", owner, "/projects/sat/paper"
    yield "paper-key", owner, "/projects/sat/paper/key"


def classes(app: Any, folder: Path, owner: str) -> Iterator[ShownPage]:
    """A class of four pupils."""
    from test_classes import class_of, project_of, pupil_of

    from organised import answered, send, work_on

    folder.mkdir()
    project = project_of(app, folder)
    room, codes = class_of(app, project)
    given = {"Amber Fox": ("Oxford", "1800"), "Blue Owl": ("mill of Oxford", "1800")}
    given |= {"Calm Seal": ("two brothers", "1800"), "Eager Bee": ("Oxford", "two brothers")}
    for name, quotes in given.items():
        pupil, _ = pupil_of(app, codes, name)
        send(app, pupil, work_on(app, pupil)["p0"], answered(0, *quotes), seconds=10.0)
    yield "class-join", pupil, f"/join/{codes.link}"
    yield "class-pupil", pupil, "/assignments"
    yield "class-tab", owner, "/projects/answers/class"
    yield "class-teacher", owner, f"/projects/answers/class/{room}?machine=bow"


def quality(app: Any, folder: Path, owner: str) -> Iterator[ShownPage]:
    """Two people with known-answer and repeated items, one of them careless."""
    from test_quality import checked_project, work_through

    folder.mkdir()
    work_through(app, checked_project(app, folder))
    yield "quality-tab", owner, "/projects/answers/quality"
    yield "overview-careless", owner, "/projects/answers"


def judging(app: Any, folder: Path, owner: str) -> Iterator[ShownPage]:
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


def take_pages(folder: Path) -> int:
    """Take every page, and name those that are wider than their window or complain."""
    for path in (TESTS, TESTS / "server", TESTS / "server" / "works"):
        sys.path.insert(0, str(path))
    from playwright.sync_api import sync_playwright

    from halls import add_person
    from readmark.server.start import open_hall
    from work_pages import serving

    folder.mkdir(parents=True, exist_ok=True)
    program = shutil.which("chromium") or shutil.which("google-chrome")
    problems: list[str] = []
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as made:
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for build in HALLS:
            root = Path(made) / build.__name__
            root.mkdir()
            app = open_hall(f"sqlite:///{root}/hall.db", folder=root)
            owner = add_person(app, "olga", is_owner=True)
            with serving(app) as address:
                for page in build(app, root / "files", owner):
                    problems += take_page(chromium, app, address, page, folder)
            app.state.hall.database.close()
        chromium.close()
    print("\n".join(problems) or "every page fits its window")
    return bool(problems)


def take_page(
    chromium: Any, app: Any, address: str, shown: ShownPage, folder: Path
) -> Iterator[str]:
    """Take a page in both languages and widths; what is wrong with it."""
    from readmark.server.access import COOKIE
    from work_pages import browser_of

    name, person, path = shown
    for language in ("en", "zh"):
        context = browser_of(chromium, app, address, person, language=language)
        if name == "class-join":
            context.clear_cookies(name=COOKIE)
        page = context.new_page()
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(f"{address}{path}")
            page.wait_for_load_state("networkidle")
            page.screenshot(path=folder / f"{name}-{language}-{width}.png", full_page=True)
            needed = page.evaluate("document.documentElement.scrollWidth")
            if needed > width:
                yield f"{name}-{language}: {needed} pixels in a window of {width}"
        yield from (f"{name}-{language}: {complaint}" for complaint in context.complaints)
        context.close()


def main(*arguments: str) -> int:
    """Follow the tutorials and keep their pictures, or take all pages."""
    if arguments[:1] == ("--pages",):
        return take_pages(Path(arguments[1]))
    return tutorials()


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:]))
