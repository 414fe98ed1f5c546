"""What the page of an item is made of: texts, forms and work, in the person's language."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import msgspec
from sqlalchemy import select
from sqlalchemy.orm import Session

from readmark.server.access import Permitted
from readmark.server.clock import GRACE
from readmark.server.conflicts import conflicts_of
from readmark.server.handing_in import is_done, is_final, lock_of
from readmark.server.object_states import last_of, object_states
from readmark.server.tables import Assignment, Item
from readmark.server.views import SHOWN_AS_WORK, OpenItem, newest_configuration, open_item, view_for
from readmark.server.workers import roles_for
from readmark.works import (
    EntryField,
    FormEntry,
    MarkAttribute,
    MarkRelation,
    ProjectCategory,
    TextView,
    Viewer,
    in_language,
)

PREVIEW = "preview"
"""The id of an assignment that is not stored: an organiser looks at an item."""


def page_data(session: Session, permitted: Permitted, language: str) -> dict[str, Any]:
    """Everything that the page of an assignment is made of."""
    assignment, project, now = permitted.assignment, permitted.project, time.time()
    opened = open_item(session, project.id, assignment.item_id)
    states = object_states(session, assignment.id)
    view = view_for(opened, Viewer(permitted.person.login, permitted.roles))
    objects: dict[str, Any] = {
        id: {"value": value, "event": None} for id, value in view.objects.items()
    }
    for id, state in states.items():
        objects.pop(id, None)  # a changed proposal comes where its last change is
        if state.value is not None:
            objects[id] = {"value": state.value, "event": state.event}
    has_handed_in = is_done({id: object["value"] for id, object in objects.items()})
    lock = lock_of(assignment, is_final=is_final(opened), is_done=has_handed_in, now=now)
    return {
        "assignment": {
            **_place(session, assignment, opened.purpose),
            "item": opened.item.name,
            "due": assignment.due,
            "done": has_handed_in,
            "lock": lock,
            "ends": assignment.ends,
            # The browser's clock may be wrong: it counts these seconds.
            "left": None if assignment.ends is None else max(0, assignment.ends - GRACE - now),
        },
        "project": _project(project.slug, opened, language),
        "entries": {
            name: _entry(_with_used_fields(name, entry, objects), language)
            for name, entry in opened.configuration.entry.items()
        },
        "categories": {
            name: _category(category, language)
            for name, category in opened.configuration.category.items()
            if not category.given
        },
        "given": {
            name: _category(category, language)
            for name, category in opened.configuration.category.items()
            if category.given
        },
        "texts": [_text(text) for text in view.texts],
        "objects": objects,
        "drafts": {
            id: [
                {"label": in_language(draft.label, language), "text": draft.text}
                for draft in drafts
            ]
            for id, drafts in view.drafts.items()
        },
        "conflicts": [
            msgspec.to_builtins(conflict)
            for conflict in conflicts_of(session, assignment.id, states)
        ],
        "last": last_of(session, assignment.id),
    }


def preview_data(
    session: Session, permitted: Permitted, item: Item, language: str
) -> dict[str, Any]:
    """An item as somebody sees it who gets it now; nothing can be changed or stored."""
    assignment = Assignment(
        id=PREVIEW,
        project_id=permitted.project.id,
        item_id=item.id,
        person_id=permitted.person.id,
        position=0,
        locked=PREVIEW,
    )
    configuration = newest_configuration(session, permitted.project.id)
    roles = frozenset(roles_for(configuration, item.purpose))
    viewer = Permitted(permitted.person, permitted.project, assignment, roles)
    return page_data(session, viewer, language)


def _place(session: Session, assignment: Assignment, purpose: str) -> dict[str, Any]:
    """Where an assignment is in the person's own order of them; the first has position 1."""
    ids = [PREVIEW]
    if assignment.id != PREVIEW:
        query = (
            select(Assignment.id)
            .join(Item, Item.id == Assignment.item_id)
            .where(
                Assignment.person_id == assignment.person_id,
                Assignment.project_id == assignment.project_id,
                Assignment.withdrawn.is_(None),
                Item.purpose.in_(SHOWN_AS_WORK if purpose == "work" else [purpose]),
            )
            .order_by(Assignment.position, Assignment.id)
        )
        ids = list(session.scalars(query))
    index = ids.index(assignment.id)
    return {
        "id": assignment.id,
        "position": index + 1,
        "count": len(ids),
        "previous": ids[index - 1] if index else None,
        "next": ids[index + 1] if index + 1 < len(ids) else None,
    }


def _project(slug: str, opened: OpenItem, language: str) -> dict[str, Any]:
    project = opened.configuration.project
    return {
        "slug": slug,
        "name": in_language(project.name, language),
        "description": in_language(project.description, language),
        "guidelines": in_language(project.guidelines, language),
        "examples": [
            {
                "title": in_language(example.title, language),
                "text": example.text,
                "comment": in_language(example.comment, language),
            }
            for example in opened.configuration.example
        ],
        "purpose": opened.purpose,
        "is_final": is_final(opened),
        "version": opened.version,
    }


def _choices(choices: Any, language: str) -> list[dict[str, Any]]:
    labels = choices if isinstance(choices, dict) else {value: str(value) for value in choices}
    return [
        {"value": value, "label": in_language(label, language) or str(value)}
        for value, label in labels.items()
    ]


def _with_used_fields(name: str, entry: FormEntry, objects: Mapping[str, Any]) -> FormEntry:
    """A form without the fields that none of the item's own entries has."""
    values = [object["value"] for object in objects.values()]
    entries = [value for value in values if value.get("entry") == name]
    if not entry.fixed or not entries:
        return entry
    if not all(isinstance(value.get("only"), list) for value in entries):
        return entry  # one of them has every field
    used = {field for value in entries for field in value["only"] if isinstance(field, str)}
    fields = {name: field for name, field in entry.fields.items() if name in used}
    return msgspec.structs.replace(entry, fields=fields)


def _entry(entry: FormEntry, language: str) -> dict[str, Any]:
    return {
        "label": in_language(entry.label, language),
        "guideline": in_language(entry.guideline, language),
        "shortcut": entry.shortcut,
        "single": entry.single,
        "fixed": entry.fixed,
        "advance": entry.advance,
        "fields": {
            name: _field(EntryField(widget=field) if isinstance(field, str) else field, language)
            for name, field in entry.fields.items()
        },
    }


def _field(field: EntryField, language: str) -> dict[str, Any]:
    return {
        "widget": field.widget,
        "label": in_language(field.label, language),
        "guideline": in_language(field.guideline, language),
        "choices": _choices(field.choices, language),
        "shortcut": field.shortcut,
        "optional": field.optional,
        "default": field.default,
    }


def _category(category: ProjectCategory, language: str) -> dict[str, Any]:
    return {
        "label": in_language(category.label, language),
        "shortcut": category.shortcut,
        "colour": category.colour,
        "guideline": in_language(category.guideline, language),
        "tiles": category.tiles,
        "attributes": {
            name: _attribute(
                MarkAttribute(type=attribute) if isinstance(attribute, str) else attribute,  # type: ignore[arg-type]
                language,
            )
            for name, attribute in category.attributes.items()
        },
        "relations": {
            name: _relation(
                MarkRelation(to=relation) if isinstance(relation, str) else relation, language
            )
            for name, relation in category.relations.items()
        },
    }


def _attribute(attribute: MarkAttribute, language: str) -> dict[str, Any]:
    return {
        "type": attribute.type,
        "label": in_language(attribute.label, language),
        "guideline": in_language(attribute.guideline, language),
        "words": attribute.words,
        "choices": _choices(attribute.choices, language),
        "default": attribute.default,
        "optional": attribute.optional,
    }


def _relation(relation: MarkRelation, language: str) -> dict[str, Any]:
    return {
        "to": list(relation.targets),
        "label": in_language(relation.label, language),
        "guideline": in_language(relation.guideline, language),
        "optional": relation.optional,
    }


def _text(text: TextView) -> dict[str, Any]:
    return {
        "id": text.id,
        "text": text.text,
        "language": text.language,
        "title": text.title,
        "marks": [dict(mark) for mark in text.marks],
        "is_editable": text.is_editable,
    }
