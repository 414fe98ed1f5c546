"""store.js in a real browser with a real server: closed tabs, no network, a killed server."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import delete, select

from halls import hall_in, session_of
from readmark.server.changes import Change
from readmark.server.log import append
from readmark.server.tables import Assignment, Event, LoginSession
from running_hall import RunningHall
from stub_work import add_stub_project

pytestmark = pytest.mark.browser

OPEN = """async (assignment) => {
  const { Store } = await import("/static/store.js");
  const view = await (await fetch(`/api/assignments/${assignment}`)).json();
  window.statuses = [];
  window.store = new Store({ assignment, view });
  store.addEventListener("status", () => statuses.push(store.status));
}"""


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, RunningHall]]:
    """An app to fill and look into, and the server of the same database."""
    from readmark.server.start import open_hall

    folder = tmp_path_factory.mktemp("hall")
    app = open_hall(f"sqlite:///{folder}/hall.db", folder=folder)
    running = RunningHall(f"sqlite:///{folder}/hall.db", folder)
    running.start()
    yield app, running
    running.kill()
    app.state.hall.database.close()


class Person:
    """Somebody with an assignment and a browser of their own."""

    def __init__(self, hall: tuple[Any, RunningHall], chromium: Any) -> None:
        self.app, self.server = hall
        _, self.id, (self.assignment, _) = add_stub_project(self.app, login=secrets.token_hex(6))
        self.context = chromium.new_context()
        self.sign_in()

    def sign_in(self) -> None:
        name = hall_in(self.app).settings.cookie
        secret = session_of(self.app, self.id)
        self.context.add_cookies([{"name": name, "value": secret, "url": self.server.address}])

    def open(self) -> Any:
        page = self.context.new_page()
        page.goto(f"{self.server.address}/login")
        page.evaluate(OPEN, self.assignment)
        return page

    def events(self) -> list[tuple[str, Any]]:
        with hall_in(self.app).database.reading() as session:
            rows = session.scalars(
                select(Event).where(Event.assignment_id == self.assignment).order_by(Event.number)
            )
            return [(row.object, json.loads(row.value)) for row in rows]

    def left(self, page: Any) -> int:
        """How many changes are in the browser's storage."""
        keys = page.evaluate("() => Object.keys(localStorage)")
        return sum(key.startswith("readmark:queue:") for key in keys)


@pytest.fixture
def person(hall: tuple[Any, RunningHall], chromium: Any) -> Iterator[Person]:
    made = Person(hall, chromium)
    yield made
    made.context.close()


def put(page: Any, id: str, text: str) -> None:
    value = {"type": "note", "value": text}
    page.evaluate("([id, value]) => store.put(id, value)", [id, value])


def note(text: str) -> dict[str, str]:
    return {"type": "note", "value": text}


def wait(page: Any, status: str) -> None:
    page.wait_for_function("(status) => store.status === status", arg=status, timeout=30_000)


def shown(page: Any) -> Any:
    return page.evaluate("() => Object.fromEntries(store.objects)")


def test_changes_are_saved_by_themselves_and_undone_in_steps(person: Person) -> None:
    page = person.open()
    for text in ("W", "Wh", "Who"):
        put(page, "n-1", text)
    put(page, "n-2", "other")
    assert page.evaluate("() => store.status") == "saving"
    wait(page, "saved")
    # Versions that were never sent are replaced by the last one.
    assert person.events() == [("n-1", note("Who")), ("n-2", note("other"))]
    assert person.left(page) == 0
    page.evaluate("""() => store.change(() => {
      store.put("a", {type: "note", value: "1"});
      store.put("b", {type: "note", value: "2"});
      store.remove("n-2");
    }, "three at once")""")
    assert shown(page) == {"n-1": note("Who"), "a": note("1"), "b": note("2")}
    page.evaluate("() => store.undo()")
    assert shown(page) == {"n-1": note("Who"), "n-2": note("other")}
    page.evaluate("() => { store.undo(); store.undo(); }")
    assert shown(page) == {"n-1": note("W")}  # typing on in a text is one step
    page.evaluate("() => { store.redo(); store.redo(); store.redo(); }")
    assert page.evaluate("() => [store.canUndo, store.canRedo]") == [True, False]
    page.evaluate("() => store.flush()")
    expected = {"n-1": note("Who"), "a": note("1"), "b": note("2")}
    assert shown(page) == expected
    assert shown(person.open()) == expected


def test_a_closed_tab_loses_nothing(person: Person) -> None:
    page = person.open()
    put(page, "n-1", "sent while the page closes")
    page.close(run_before_unload=True)
    deadline = time.monotonic() + 30
    while not person.events() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert person.events() == [("n-1", note("sent while the page closes"))]
    # A tab that ends without a chance to send leaves its changes in the browser.
    page = person.open()
    person.context.route("**/events", lambda route: route.abort())
    put(page, "n-2", "left behind")
    wait(page, "offline")
    page.close()
    person.context.unroute("**/events")
    page = person.open()
    assert shown(page)["n-2"] == note("left behind")  # before anything was sent
    put(page, "n-2", "left behind, and continued")
    page.evaluate("() => store.flush()")
    assert person.left(page) == 0
    assert dict(person.events()) == {
        "n-1": note("sent while the page closes"),
        "n-2": note("left behind, and continued"),
    }
    assert page.evaluate("() => store.conflicts") == []


def test_a_left_change_that_was_replaced_since_does_not_come_back(person: Person) -> None:
    """The answer was lost, the tab was closed, and the work went on elsewhere."""
    page = person.open()

    def lose(route: Any) -> None:
        route.fetch()
        route.abort()

    person.context.route("**/events", lose)
    put(page, "n-1", "first")
    wait(page, "offline")
    page.close()
    person.context.unroute("**/events")
    with hall_in(person.app).database.writing() as session:
        assignment = session.get_one(Assignment, person.assignment)
        base = session.scalars(
            select(Event.place).where(Event.assignment_id == person.assignment)
        ).one()
        append(session, assignment, "elsewhere", [Change(1, "n-1", note("newer"), base)])
    page = person.open()
    page.evaluate("() => store.flush()")
    assert shown(page) == {"n-1": note("newer")}
    assert page.evaluate("() => store.conflicts") == []
    assert [value["value"] for _, value in person.events()] == ["first", "newer"]


def test_without_a_network_changes_wait(person: Person) -> None:
    page = person.open()
    person.context.set_offline(True)
    for index in range(5):
        put(page, f"n-{index}", f"offline {index}")
    wait(page, "offline")
    assert person.events() == []
    assert person.left(page) == 5
    person.context.set_offline(False)
    wait(page, "saved")
    assert [object for object, _ in person.events()] == [f"n-{index}" for index in range(5)]


def test_an_answer_that_is_lost_saves_once(person: Person) -> None:
    page = person.open()
    lost = []

    def lose(route: Any) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().json())
            route.abort()

    person.context.route("**/events", lose)
    put(page, "n-1", "once")
    page.evaluate("() => store.flush()")
    assert [result["status"] for result in lost[0]["results"]] == ["saved"]
    assert person.events() == [("n-1", note("once"))]


def test_a_killed_server_loses_nothing(person: Person) -> None:
    page = person.open()
    put(page, "n-1", "before")
    page.evaluate("() => store.flush()")
    person.server.kill()
    put(page, "n-2", "while it is down")
    wait(page, "offline")
    person.server.start()
    put(page, "n-3", "after")
    page.evaluate("() => store.flush()")
    assert dict(person.events()) == {
        "n-1": note("before"),
        "n-2": note("while it is down"),
        "n-3": note("after"),
    }


def test_two_tabs_show_both_versions_of_a_conflict(person: Person) -> None:
    first, second = person.open(), person.open()
    put(first, "n-1", "shared")
    first.evaluate("() => store.flush()")
    second.wait_for_function("() => store.objects.get('n-1')?.value === 'shared'")
    # The second tab changes it while it cannot hear of what the first does.
    second.route("**/events*", lambda route: route.abort())
    put(second, "n-1", "of the second tab")
    wait(second, "offline")
    put(first, "n-1", "of the first tab")
    first.evaluate("() => store.flush()")
    second.unroute("**/events*")
    second.evaluate("() => store.flush()")
    (conflict,) = second.evaluate("() => store.conflicts")
    assert conflict["value"] == note("of the second tab")
    assert conflict["current_value"] == note("of the first tab")
    assert shown(second) == {"n-1": note("of the first tab")}
    # The other tab hears of it too, and settles it there.
    first.wait_for_function("() => store.conflicts.length === 1")
    first.evaluate(
        "([event, value]) => store.resolve(event, value)",
        [conflict["event"], note("of both tabs")],
    )
    first.evaluate("() => store.flush()")
    second.wait_for_function("() => store.conflicts.length === 0")
    assert shown(first) == shown(second) == {"n-1": note("of both tabs")}
    assert [value["value"] for _, value in person.events()] == [
        "shared",
        "of the first tab",
        "of the second tab",
        "of both tabs",
    ]


def test_a_hall_that_cannot_save_and_a_session_that_has_ended_keep_the_work(
    person: Person,
) -> None:
    page = person.open()
    message = "The hall cannot save at the moment."
    person.context.route(
        "**/events", lambda route: route.fulfill(status=503, json={"detail": message})
    )
    put(page, "n-1", "kept")
    wait(page, "read_only")
    assert page.evaluate("() => store.message") == message
    person.context.unroute("**/events")
    page.evaluate("() => store.flush()")
    with hall_in(person.app).database.writing() as session:
        session.execute(delete(LoginSession).where(LoginSession.person_id == person.id))
    put(page, "n-2", "kept too")
    wait(page, "signed_out")
    assert person.left(page) == 1
    person.sign_in()
    page.evaluate("() => store.retry()")
    wait(page, "saved")
    assert dict(person.events()) == {"n-1": note("kept"), "n-2": note("kept too")}
    assert page.evaluate("() => statuses").count("read_only") == 1


def test_a_change_that_is_refused_stays_and_does_not_stop_the_others(person: Person) -> None:
    page = person.open()
    mark = {"type": "mark", "text": "passage", "category": "NP", "start": 0, "end": 2, "quote": "?"}
    page.evaluate("(mark) => store.put('m-1', mark)", mark)
    put(page, "n-1", "fine")
    wait(page, "refused")
    (refused,) = page.evaluate("() => store.refused")
    assert refused["message"] == "m-1: the quote is not the text from 0 to 2"
    assert person.events() == [("n-1", note("fine"))]
    assert person.left(page) == 1
    page.evaluate("(mark) => store.put('m-1', mark)", {**mark, "quote": "北京"})
    wait(page, "saved")
    assert person.left(page) == 0
