"""Items given and taken back by hand."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from halls import hall_in
from readmark.core.errors import UsageError
from readmark.server.assignment import assign_item, reassign, set_due, withdraw
from readmark.server.handing_out import hand_out
from readmark.server.progress import project_progress
from readmark.server.tables import Event, Item, Person
from six_items import assignments_of, finish, new_hall


def test_withdrawn_work_stays_in_the_log_and_never_comes_back_by_itself(
    either_app: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, people = new_hall(either_app, monkeypatch, "ann", "bob", settings="overlap = 1")
    with hall_in(either_app).database.writing() as session:
        hand_out(session, project)
        anns = assignments_of(session, people["ann"])[0]
        finish(session, anns)
        bob = session.get_one(Person, people["bob"])
        bobs = reassign(session, anns, bob)
        assert (bobs.item_id, bobs.person_id) == (anns.item_id, bob.id)
        assert anns.withdrawn is not None
        with pytest.raises(UsageError, match="already"):
            reassign(session, anns, bob)
        assert session.scalar(select(Event.object)) == "status"
        withdraw(session, bobs)
        # Both have had it, so a new plan gives it to nobody.
        assert hand_out(session, project).missing == 1
        ann = session.get_one(Person, people["ann"])
        item = session.get_one(Item, anns.item_id)
        assert assign_item(session, project, item, ann).id == anns.id
        assert set_due(session, project.id, 5.0, person_id=ann.id) == 3
        progress = project_progress(session, project.id, now=10.0)
        assert [(row.name, row.done, row.left, row.late) for row in progress.people] == [
            ("Ann", 1, 2, 2),
            ("Bob", 0, 3, 0),
        ]
        assert (progress.items, progress.complete, progress.seconds_per_item) == (6, 1, 60.0)
