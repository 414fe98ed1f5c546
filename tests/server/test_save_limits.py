"""What one assignment may store, and that whoever has no room left can still hand in."""

from __future__ import annotations

import json
import secrets
from dataclasses import replace
from importlib import import_module
from typing import Any

import pytest
from sqlalchemy import select, text

from halls import hall_in
from readmark.server import log
from readmark.server.app import create_app
from readmark.server.save_limits import EVENT_BYTES, SaveLimits
from readmark.server.tables import Assignment
from saving_browser import DONE, NOTE, SavingBrowser, change, note
from stub_work import add_stub, add_stub_project


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


def test_an_assignment_holds_only_so_much(either_app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _, person, (first, second) = add_stub_project(either_app)
    browser = SavingBrowser(either_app, person, first)
    long = note("字" * 10_000)
    size = len(json.dumps(long, ensure_ascii=False, separators=(",", ":")).encode())
    assert browser.results("client-a", change(1, "n1", long), change(2, "n2", NOTE))
    assert browser.results("client-a", change(1, "n1", long))  # sent again, it takes nothing
    assert browser.results("client-a", change(3, "n1", None, base=1))  # nor does removing give back
    with hall_in(either_app).database.reading() as session:
        row = session.get_one(Assignment, first)
        small = len(json.dumps(NOTE, separators=(",", ":"))) + len("null")
        assert row.stored_bytes == size + small + 3 * EVENT_BYTES
        assert row.stored_objects == 2
    limited = replace(hall_in(either_app).settings, largest_assignment=row.stored_bytes + size)
    app = create_app(limited, hall_in(either_app).database)
    browser = SavingBrowser(app, person, first)
    refused = browser.post("client-a", change(4, "n3", NOTE), change(5, "n4", long))
    assert (refused.status_code, refused.json()["sequence"]) == (422, 5)
    assert "the item's changes take more than 0 MB" in refused.json()["detail"]
    assert browser.objects() == {"n2": NOTE}  # all or nothing
    assert SavingBrowser(app, person, second).results("client-a", change(1, "n1", long))


def test_an_assignment_has_only_so_many_objects(
    stub_hall: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = SaveLimits(0, 1 << 20, objects=2)
    monkeypatch.setattr(log, "SaveLimits", lambda *_: few)
    _, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    browser = SavingBrowser(stub_hall, person, first)
    browser.results("client-a", change(1, "a", NOTE), change(2, "b", NOTE), change(3, "a", None))
    refused = browser.post("client-a", change(4, "c", NOTE))
    assert (refused.status_code, refused.json()["sequence"]) == (422, 4)
    assert "at most 2 objects, removed ones included" in refused.json()["detail"]
    ((status, _),) = browser.results("client-a", change(5, "a", NOTE))
    assert status == "saved"


@pytest.mark.parametrize(
    "full",
    [
        SaveLimits(0, 1 << 20, objects=1),
        SaveLimits(0, 300),
        SaveLimits(0, 1 << 20, state=20),
    ],
)
def test_a_full_assignment_is_handed_in_once(
    stub_hall: Any, monkeypatch: pytest.MonkeyPatch, full: SaveLimits
) -> None:
    monkeypatch.setattr(log, "SaveLimits", lambda *_: replace(full, bytes=1 << 20, state=1 << 20))
    _, person, (first, _) = add_stub_project(stub_hall, login=secrets.token_hex(8))
    browser = SavingBrowser(stub_hall, person, first)
    browser.results("client-a", change(1, "a", NOTE))
    monkeypatch.setattr(log, "SaveLimits", lambda *_: full)
    assert browser.results("client-a", change(2, "status", DONE)) == [("saved", 2)]
    refused = browser.post("client-a", change(3, "b", NOTE))  # nothing else is new
    assert (refused.status_code, refused.json()["sequence"]) == (422, 3)
    again = browser.post("client-a", change(4, "status", DONE | {"note": "x" * 20}))
    assert again.status_code == (200 if full.objects == 1 else 422)
    assert browser.objects()["a"] == NOTE


def test_the_objects_of_an_assignment_together_are_only_so_large(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = SaveLimits(9, 1 << 20, state=100)
    monkeypatch.setattr(log, "SaveLimits", lambda *_: few)
    _, person, (first, _) = add_stub_project(either_app)
    browser = SavingBrowser(either_app, person, first)
    browser.results("client-a", change(1, "a", note("a" * 10)), change(2, "b", note("b" * 20)))
    refused = browser.post("client-a", change(3, "a", note("a" * 40)))
    assert (refused.status_code, refused.json()["sequence"]) == (422, 3)
    assert "the item's objects take more than 0 MB: remove some first" in refused.json()["detail"]
    # What is replaced or removed no longer counts, nor do versions that never were the state.
    assert browser.results("client-a", change(4, "b", None, base=2)) == [("saved", 3)]
    assert browser.results("client-b", change(1, "a", note("late"))) == [("conflict", 4)]
    assert browser.results("client-a", change(5, "a", note("a" * 40))) == [("saved", 5)]
    database = hall_in(either_app).database
    with database.reading() as session:
        newest = [json.dumps(note("a" * 40), separators=(",", ":")), "null"]
        assert session.get_one(Assignment, first).object_bytes == len("".join(newest))
    # A hall of before counts what it has, and changes that add nothing to it are still stored.
    migration = import_module("readmark.server.migrations.versions.0011_object_bytes")
    with database.writing() as session:
        session.get_one(Assignment, first).object_bytes = 0
        session.flush()
        session.execute(text(migration.AMOUNTS))
        assert session.scalar(select(Assignment.object_bytes).where(Assignment.id == first)) == len(
            "".join(newest)
        )
        session.get_one(Assignment, first).object_bytes = 1000
    assert browser.results("client-a", change(6, "a", note("a" * 39))) == [("saved", 6)]
    assert browser.post("client-a", change(7, "a", note("a" * 40))).status_code == 422
