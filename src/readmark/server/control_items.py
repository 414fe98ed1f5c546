"""Controls and repeats: handed out among the work, and to people like any other item.

A control has a known answer, and a repeat is an item of somebody's own once more.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.server.items import items_of
from readmark.server.tables import Assignment, Item, Person
from readmark.server.views import CONTROL, REPEAT
from readmark.works import Configuration


def hand_out_checks(
    session: Session,
    project_id: str,
    configuration: Configuration,
    people: Sequence[Person],
    *,
    controls: Sequence[Item],
    barred: Collection[tuple[str, str]],
    due: float | None,
    now: float,
) -> int:
    """Give people the controls, and the share of their items that they get again; how many.

    Controls come anywhere among somebody's items, repeats of the first half in the second half.
    ``barred`` are pairs of a control and the login of somebody who knows its key.
    """
    share = configuration.project.repeat
    if not controls and not share:
        return 0
    query = (
        select(Assignment, Item.name, Item.purpose)
        .join(Item, Item.id == Assignment.item_id)
        .where(Assignment.project_id == project_id, Item.purpose.in_(("work", CONTROL, REPEAT)))
        .order_by(Assignment.position, Assignment.id)
    )
    assignments: dict[tuple[str, str], dict[str, Assignment]] = {}
    """By person and purpose, then by the item's name."""
    for assignment, name, purpose in session.execute(query):
        assignments.setdefault((assignment.person_id, purpose), {})[name] = assignment
    repeats = {item.name: item for item in items_of(session, project_id, REPEAT)}
    added = 0
    for person in people:
        work = {
            name: assignment
            for name, assignment in assignments.get((person.id, "work"), {}).items()
            if assignment.withdrawn is None
        }
        if not work:
            continue
        # As in the plan: every machine draws the same.
        draw = random.Random(f"{configuration.project.seed}:{person.login}:checks")
        places = list(work.values())
        second_half = places[len(work) // 2 :]
        persons_controls = assignments.get((person.id, CONTROL), {})
        new_items = [
            (item, draw.choice(places))
            for item in controls
            if item.name not in persons_controls and (item.name, person.login) not in barred
        ]
        persons_repeats = assignments.get((person.id, REPEAT), {})
        for name, assignment in persons_repeats.items():
            if name not in work and assignment.withdrawn is None:
                assignment.withdrawn = now  # the first time went to somebody else
        for name in _drawn_repeats(list(work), persons_repeats, share, draw):
            if name not in repeats:
                repeats[name] = _repeat_of(session, work[name])
            new_items.append((repeats[name], draw.choice(second_half)))
        for item, place in new_items:
            session.add(
                Assignment(
                    project_id=project_id,
                    item_id=item.id,
                    person_id=person.id,
                    position=place.position,  # of equal positions the ids decide
                    due=due,
                    created=now,
                )
            )
        added += len(new_items)
    session.flush()
    return added


def _drawn_repeats(
    work: Sequence[str], repeated: Collection[str], share: float, draw: random.Random
) -> list[str]:
    """The items of the first half that somebody gets again, besides those ``repeated`` already."""
    candidates = [name for name in work[: len(work) // 2] if name not in repeated]
    # 0.29 of 100 items are 29, though the product is 28.999….
    count = int(share * len(work) + 1e-9) - len({*repeated} & {*work})
    return draw.sample(candidates, min(max(count, 0), len(candidates)))


def _repeat_of(session: Session, assignment: Assignment) -> Item:
    """The item of an assignment once more, for those who get it a second time."""
    first = session.get_one(Item, assignment.item_id)
    item = Item(
        project_id=first.project_id,
        position=first.position,
        name=first.name,
        purpose=REPEAT,
        paper=first.paper,
        key=first.key,
    )
    session.add(item)
    session.flush()
    return item
