"""Two clients on any network, with requests lost, repeated and out of order."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select

from halls import hall_in
from readmark.server.changes import Change, ChangeResult
from readmark.server.conflicts import conflicts_of
from readmark.server.log import save_changes
from readmark.server.object_states import object_states
from readmark.server.tables import Assignment, Event
from saving_browser import note
from stub_work import add_stub, add_stub_project


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


def open_conflicts(events: Sequence[Event]) -> Iterator[int]:
    """The definition, event by event: not settled, not replaced and not overtaken on its way."""
    settled = {event.resolves for event in events}
    for event in events:
        later = [
            other
            for other in events
            if (other.object, other.client) == (event.object, event.client)
            and other.sequence > event.sequence
            and (other.is_conflict or other.number < event.number)
        ]
        if event.is_conflict and event.place not in settled and not later:
            yield event.place


class Tab:
    """What store.js does, in a few lines: it knows what it has seen, and sends until it hears."""

    def __init__(self, client: str) -> None:
        self.client = client
        self.sequence = 0
        self.seen: dict[str, tuple[int | None, Any]] = {}
        self.unsent: list[Change] = []

    def edit(self, object: str, value: Any) -> None:
        self.sequence += 1
        earlier = [change.base for change in self.unsent if change.object == object]
        base = earlier[0] if earlier else self.seen.get(object, (None, None))[0]
        self.unsent.append(Change(self.sequence, object, value, base))

    def hear(self, results: list[ChangeResult]) -> None:
        for result in results:
            for change in [sent for sent in self.unsent if sent.sequence == result.sequence]:
                self.unsent.remove(change)
                number, value = result.event, change.value
                if result.status == "conflict":
                    assert result.current is not None
                    number, value = result.current, result.current_value
                if number >= (self.seen.get(change.object, (0, None))[0] or 0):
                    self.seen[change.object] = (number, value)


ACTION = st.one_of(
    st.tuples(st.just("edit"), st.integers(0, 1), st.sampled_from("xy"), st.integers(0, 3)),
    st.tuples(st.just("send"), st.integers(0, 1), st.sampled_from(["heard", "lost", "newest"])),
    st.tuples(st.just("repeat"), st.integers(0, 20)),
    st.tuples(st.just("look"), st.integers(0, 1)),
    st.tuples(st.just("hold"), st.integers(0, 1)),
)


@given(actions=st.lists(ACTION, max_size=40))
def test_no_network_loses_or_overwrites_what_was_acknowledged(
    stub_hall: Any, actions: list[Any]
) -> None:
    """Each edit carries a text of its own; the log says which state it has replaced."""
    database = hall_in(stub_hall).database
    with pytest.MonkeyPatch.context() as patch:
        add_stub(patch)
        _, _, (assignment, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    with database.reading() as session:
        row = session.get_one(Assignment, assignment)
    tabs = [Tab("client-a"), Tab("client-b")]
    requests: list[tuple[Tab, list[Change]]] = []
    acknowledged: dict[tuple[str, int], ChangeResult] = {}

    def arrive(tab: Tab, changes: list[Change], is_heard: bool) -> None:
        with database.reading() as session:
            results, _ = save_changes(
                database, session, row, tab.client, changes, is_final=False, most_bytes=1 << 20
            )
        if is_heard:
            for result in results:
                acknowledged[tab.client, result.sequence] = result
            tab.hear(results)

    edits: dict[tuple[str, int], tuple[str, Any, Any]] = {}
    for number, action in enumerate(actions):
        kind = action[0]
        if kind == "edit":
            tab = tabs[action[1]]
            value = None if action[3] == 0 else note(f"{tab.client} {number}")
            shown = [change.value for change in tab.unsent if change.object == action[2]]
            before = shown[-1] if shown else tab.seen.get(action[2], (None, None))[1]
            tab.edit(action[2], value)
            edits[tab.client, tab.sequence] = (action[2], before, value)
        elif kind in ("send", "hold") and tabs[action[1]].unsent:
            tab = tabs[action[1]]
            changes = tab.unsent[-1:] if action[-1] == "newest" else list(tab.unsent)
            requests.append((tab, changes))
            if kind == "send":  # one that is held arrives later, as a repetition
                arrive(tab, changes, action[2] != "lost")
        elif kind == "repeat" and requests:
            tab, changes = requests[action[1] % len(requests)]
            arrive(tab, changes, False)
        elif kind == "look":
            tab = tabs[action[1]]
            with database.reading() as session:
                for id, state in object_states(session, assignment).items():
                    if not any(change.object == id for change in tab.unsent):
                        tab.seen[id] = (state.event, state.value)
    for tab in tabs:
        if tab.unsent:
            arrive(tab, list(tab.unsent), True)

    with database.reading() as session:
        events = session.scalars(
            select(Event).where(Event.assignment_id == assignment).order_by(Event.number)
        ).all()
        states = object_states(session, assignment)
        conflicts = {conflict.event for conflict in conflicts_of(session, assignment)}
    assert conflicts == set(open_conflicts(events))
    stored = {(event.client, event.sequence): event for event in events}
    # Every edit is stored once, as it was sent, and acknowledged under its number.
    assert stored.keys() == edits.keys()
    assert len(events) == len(edits)
    for name, (object, _, value) in edits.items():
        assert (stored[name].object, json.loads(stored[name].value)) == (object, value)
    for name, result in acknowledged.items():
        assert stored[name].place == result.event
    # A state is replaced only by its own client, or by one that was shown that very value.
    current: dict[str, Event] = {}
    for event in events:
        object, before, value = edits[event.client, event.sequence]
        if event.is_conflict:
            continue
        replaced = current.get(object)
        if replaced is not None and replaced.client != event.client:
            old = json.loads(replaced.value)
            seen = old in (value, before) or any(
                old == edits[event.client, sequence][1]
                for sequence in range(1, event.sequence + 1)
                if edits[event.client, sequence][0] == object
            )
            assert seen, f"{value} has silently replaced {old}"
        elif replaced is not None:
            assert replaced.sequence < event.sequence
        current[object] = event
    assert {id: state.event for id, state in states.items()} == {
        id: event.place for id, event in current.items()
    }
    # The last version of each client is the state, was replaced by somebody who saw it, or is an
    # open conflict: it is never stored and out of sight.
    for tab in tabs:
        for object in "xy":
            own = [
                event for event in events if (event.client, event.object) == (tab.client, object)
            ]
            if own:
                newest = max(own, key=lambda event: event.sequence)
                assert not newest.is_conflict or newest.place in conflicts
