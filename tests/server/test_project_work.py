"""Everybody's work on a project, as works take it."""

from __future__ import annotations

from typing import Any

import pytest

from halls import add_member, add_person, assign, hall_in
from readmark.server.changes import LONGEST_PAUSE
from readmark.server.handing_in import done_in
from readmark.server.object_states import objects_of
from readmark.server.project_work import last_event, work_of_project
from saving_browser import MARK, NOTE, SavingBrowser, change, note
from stub_work import add_stub, add_stub_project


@pytest.fixture(autouse=True)
def stub(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tiny work of the tests."""
    add_stub(monkeypatch)


def test_a_projects_work_has_everybodys_state_time_and_what_is_finished(either_app: Any) -> None:
    papers = {"one": {"text": "北京 🙂", "proposals": {"m-0": MARK}}, "two": {"text": "B."}}
    project, ann, (first, second) = add_stub_project(either_app, papers=papers)
    bob = add_person(either_app, "bob")
    add_member(either_app, project, bob, "annotator")
    (bobs,) = assign(either_app, project, bob, ["two"])
    done = {"type": "status", "done": True}
    SavingBrowser(either_app, ann, first).results(
        "client-a", change(1, "n1", NOTE, seconds=2.5), change(2, "status", done, seconds=4)
    )
    SavingBrowser(either_app, bob, bobs).results(
        "client-b", change(1, "n1", note("b"), seconds=9e8)
    )
    with hall_in(either_app).database.reading() as session:
        work = work_of_project(session, project)
        assert objects_of(session, first) == {"m-0": MARK, "n1": NOTE, "status": done}
        assert objects_of(session, second) == {}
        assert last_event(session, project) == 3
        assert done_in(session, project).keys() == {first}
    assert [item.name for item in work.items] == ["one", "two"]
    anns, bobs_work = work.people
    assert anns.person == "Ann"
    assert anns.objects == {"one": {"m-0": MARK, "n1": NOTE, "status": done}}
    assert anns.seconds == {"one": 6.5}
    assert anns.finished == {"one"}
    assert bobs_work.objects == {"two": {"n1": note("b")}}
    assert bobs_work.seconds == {"two": LONGEST_PAUSE}
    assert bobs_work.finished == frozenset()
