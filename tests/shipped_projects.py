"""Shipped configurations, and people's work on their items, built by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from readmark.core.records import Passage
from readmark.core.test import Header
from readmark.works import Configuration, Objects, PersonsWork, ProjectWork, WorkItem, read_project

PROJECTS = files("readmark.server") / "assets/projects"


def shipped(name: str) -> Configuration:
    """A configuration that ships, checked by its work."""
    text = (PROJECTS / f"{name}.toml").read_text(encoding="utf-8")
    return read_project(text, f"{name}.toml")[0]


def entry(form: str, order: int, **fields: Any) -> dict[str, Any]:
    """A filled-in form."""
    return {"type": "entry", "entry": form, "order": float(order), "fields": fields}


def span(record: Passage, quote: str) -> dict[str, Any]:
    """The first place of a passage that reads so, as a field holds it."""
    start = record.text.index(quote)
    return {"text": "passage", "start": start, "end": start + len(quote), "quote": quote}


def work_of(
    configuration: Configuration,
    header: Header,
    items: Sequence[WorkItem],
    **people: Mapping[str, Objects],
) -> ProjectWork:
    """A project with what each person made of each item."""
    return ProjectWork(
        configuration,
        [header],
        items,
        [PersonsWork(person, objects) for person, objects in people.items()],
    )
