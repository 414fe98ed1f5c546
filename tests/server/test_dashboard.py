"""The overview: pace and speed by hand, figures by the command line, and a page that stays open."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import event

from halls import add_person, hall_in, signed_in
from organised import add_annotators, answered, answers_project, send, town_test, work_on
from readmark.server import dashboard
from readmark.server.assignment import set_due
from readmark.server.dashboard import count_work, project_dashboard
from readmark.server.pace import DayCount, Speed, by_day, pace_of, speed_of
from readmark.server.projects import project_named
from readmark.server.result_cache import ByState, state_of
from readmark.server.work_export import export_project
from work_pages import browser_of, serving

DAY = 86_400.0
NOW = 1_000 * DAY + 3600


def handed_in(*counts: int) -> list[float]:
    """Times of items, so many in each of the last days of 24 hours, the last one first."""
    return [NOW - age * DAY - 60 for age, count in enumerate(counts) for _ in range(count)]


@pytest.mark.parametrize(
    ("counts", "left", "figures"),
    [
        # Per day, its range, the days; then how many days from now to the end, and the range.
        ((), 5, None),
        ((4,), 8, (4.0, None, None, 1, None, None, None)),
        ((4, 4, 4, 4, 4), 8, (4.0, 4.0, 4.0, 5, 2.0, 2.0, 2.0)),
        ((4, 4, 4, 4, 4), 0, (4.0, 4.0, 4.0, 5, None, None, None)),
        # Too few days for an end.
        ((3, 3, 3), 6, (3.0, 3.0, 3.0, 3, None, None, None)),
        # One day of five has all ten: of five days drawn none to three are that day in 95%
        # (0.8**5 = 0.33 of the draws have none), so the end is open.
        ((0, 0, 0, 0, 10), 12, (2.0, 0.0, 6.0, 5, 6.0, 2.0, None)),
        # Older days than the last fourteen do not count.
        ((*[2] * 14, 100), 4, (2.0, 2.0, 2.0, 14, 2.0, 2.0, 2.0)),
    ],
)
def test_pace(counts: tuple[int, ...], left: int, figures: Any) -> None:
    pace = pace_of(handed_in(*counts), left, NOW)
    if figures is None:
        assert pace is None
        return
    assert pace is not None
    ends = [
        None if each is None else (each - NOW) / DAY
        for each in (pace.end, pace.earliest, pace.latest)
    ]
    assert (pace.per_day, pace.low, pace.high, pace.days, *ends) == pytest.approx(figures)


def test_speed_is_the_median_and_the_middle_half() -> None:
    assert speed_of([]) is None
    assert speed_of([9.0]) == Speed(9.0, 9.0, 9.0, 1)
    assert speed_of([40.0, 10.0, 100.0, 20.0, 30.0]) == Speed(30.0, 20.0, 40.0, 5)


def test_days_without_any_item_are_there_too() -> None:
    assert by_day([], NOW) == ()
    days = by_day([NOW - 2 * DAY, NOW - 2 * DAY, NOW], NOW)
    assert [day.count for day in days] == [2, 0, 1]
    assert days[0] == DayCount("1972-09-25", 2)
    assert len(by_day([NOW - 90 * DAY, NOW], NOW)) == 30


def a_project(app: Any, folder: Path, *, count: int = 4) -> dict[str, str]:
    """Two people who have answered three passages each, and differ on one answer."""
    project = answers_project(app, town_test(folder / "towns.jsonl", count=count))
    people = add_annotators(app, project, "ann", "bob")
    for login, person in people.items():
        items = work_on(app, person)
        for number, town in enumerate(("Oxford", "Leeds", "Dover")):
            said = "mill" if login == "bob" and number == 2 else town
            seconds = 10.0 * (number + 1)
            made = answered(number, said, str(1800 + number))
            send(app, person, items[f"p{number}"], made, seconds=seconds)
    return people


def _timeless(figure: dict[str, Any]) -> dict[str, Any]:
    return figure | {"signature": re.sub(r"\|at:[^|]*", "", figure["signature"])}


def test_figures_are_those_of_the_command_line(
    either_app: Any, tmp_path: Path, readmark_cli: Any
) -> None:
    people = a_project(either_app, tmp_path)
    owner = signed_in(either_app, add_person(either_app, "olga", is_owner=True))
    document = owner.get("/api/projects/answers/dashboard").json()
    figures = {(each["figure"], each["about"]): each for each in document["figures"]}
    counts = {name: figures[name, ""]["value"] for name in ("items", "complete", "done", "left")}
    assert counts == {"items": 4, "complete": 3, "done": 6, "left": 2}
    # Three changes an item (two answers, handing in), each of 10, 20 or 30 seconds.
    speed = figures["speed", "Ann"]
    assert (speed["value"], speed["low"], speed["high"], speed["n"]) == (60.0, 45.0, 75.0, 3)
    assert figures["pace", ""]["value"] == 6.0
    # Agreement is that of `set agree` on the exported files.
    with hall_in(either_app).database.reading() as session:
        export_project(session, project_named(session, "answers"), tmp_path / "out")
    files = sorted((tmp_path / "out" / "people").glob("*"))
    printed = json.loads(readmark_cli("set", "agree", *files, "--json").stdout)
    answers = printed["what"]["answers"]
    own = figures["agreement", "answers"]
    # Sittings do not say which passage a question is of, so alpha is undefined, and F1 is first.
    assert (answers["figures"]["alpha(unitizing)"]["value"], own["unit"]) == (None, "exact")
    expected = answers["pairs"][0]["figures"]["exact"]
    assert [own[name] for name in ("value", "low", "high", "n")] == [
        expected[name] for name in ("value", "low", "high", "n")
    ]
    # Every figure has a signature with the event and the configuration.
    about = f"event:{document['event']}|configuration:{document['configuration']}|"
    assert all(about in each["signature"] for each in document["figures"])
    # The files have the same, made within another minute perhaps.
    table = owner.get("/projects/answers/figures.csv")
    rows = list(csv.DictReader(io.StringIO(table.content.decode("utf-8-sig"))))
    assert [row["figure"] for row in rows] == [each["figure"] for each in document["figures"]]
    assert rows[3]["value"] == "6"
    again = owner.get("/projects/answers/figures.json").json()["figures"]
    assert [_timeless(each) for each in again] == [_timeless(each) for each in document["figures"]]
    # The page has them, and the old page leads to it.
    page = owner.get("/projects/answers").text
    assert '<dd data-figure="done">6 / 8</dd>' in page
    assert "<rect " in page
    moved = owner.get("/projects/answers/progress")
    assert (moved.status_code, moved.headers["location"]) == (303, "/projects/answers")
    # One that is handed in is counted at once.
    last = work_on(either_app, people["ann"])["p3"]
    send(either_app, people["ann"], last, answered(3, "Bath", "1803"))
    fresh = owner.get("/projects/answers/figures").text
    assert '<dd data-figure="done">7 / 8</dd>' in fresh


def test_the_number_of_queries_does_not_grow_with_the_items(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dashboard, "FRESH", 1e12)  # no half minute ends meanwhile
    a_project(hall_app, tmp_path, count=40)
    database = hall_in(hall_app).database
    counts: list[int] = []
    with database.reading() as session:
        project = project_named(session, "answers").id
        statements: list[str] = []
        engine = session.get_bind()
        event.listen(
            engine, "before_cursor_execute", lambda *given: statements.append(given[2]), named=False
        )
        count_work(session, project, state_of(session, project))
        counts.append(len(statements))
        statements.clear()
        project_dashboard(session, project)
        statements.clear()
        project_dashboard(session, project)
        counts.append(len(statements))
    # State, assignments, times and states, people, items; and again only the state, twice.
    assert counts[0] <= 14
    assert counts[1] <= 8


def test_results_are_made_once_for_a_state_and_patient_callers_take_older_ones(
    hall_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = a_project(hall_app, tmp_path)
    made: list[int] = []

    def make(session: Any, project_id: str, state: Any) -> int:
        made.append(state.event)
        return int(state.event)

    results = ByState(make, most=1)
    database = hall_in(hall_app).database
    with database.reading() as session:
        project = project_named(session, "answers").id
        first = results.find(session, project)
        assert (results.find(session, project), made) == (first, [first])
    items = work_on(hall_app, people["ann"])
    send(hall_app, people["ann"], items["p3"], answered(3, "Bath", "1803"))
    with database.reading() as session:
        monkeypatch.setattr("readmark.server.result_cache.PATIENCE", 1e9)
        assert results.find(session, project, is_patient=True) == first
        second = results.find(session, project)
        assert second > first
        assert results.find(session, project, is_patient=True) == second
        monkeypatch.setattr("readmark.server.result_cache.PATIENCE", 0.0)
        assert results.find(session, project, is_patient=True) == second
        assert made == [first, second]
        # Other assignments and deadlines are another state, without any event.
        set_due(session, project, 1.0)
        session.flush()
        assert (results.find(session, project), made) == (second, [first, second, second])
        session.rollback()


@pytest.mark.browser
def test_an_open_overview_keeps_up(hall_app: Any, chromium: Any, tmp_path: Path) -> None:
    people = a_project(hall_app, tmp_path)
    owner = add_person(hall_app, "olga", is_owner=True)
    with serving(hall_app) as address:
        context = browser_of(chromium, hall_app, address, owner)
        page = context.new_page()
        page.clock.install()
        page.goto(f"{address}/projects/answers")
        done = page.locator("[data-figure=done]")
        assert done.inner_text() == "6 / 8"
        # Agreement is fetched after the page, as it can take long.
        page.wait_for_selector("#figures strong")
        page.locator(".chart summary").focus()
        page.keyboard.press("Enter")
        items = work_on(hall_app, people["ann"])
        send(hall_app, people["ann"], items["p3"], answered(3, "Bath", "1803"))
        page.evaluate("window.stays = true")
        page.clock.run_for(31_000)
        page.wait_for_selector("[data-figure=done]:has-text('7 / 8')")
        assert page.evaluate("window.stays")
        # What somebody has opened stays open, and where they are stays where it is.
        assert page.locator(".chart details[open]").count() == 1
        assert page.evaluate("document.activeElement.tagName") == "SUMMARY"
        assert context.complaints == []
        context.close()
