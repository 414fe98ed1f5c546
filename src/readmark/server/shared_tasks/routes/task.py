"""A shared task: what it asks, when, under which rules and with which data; page and API."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from readmark.core.labels import ABSENT
from readmark.making import Licence, licence_named
from readmark.server.access import Reading
from readmark.server.bodies import HallRoute
from readmark.server.pages import language_of, moment, words
from readmark.server.routes.links import origin_of
from readmark.server.shared_tasks.access import TaskPermitted, Visitor
from readmark.server.shared_tasks.data_card import DataCard
from readmark.server.shared_tasks.description import TaskDescription, description_of
from readmark.server.shared_tasks.paragraphs import Paragraph, paragraphs
from readmark.server.shared_tasks.people_row import PeopleOrigin, people_row
from readmark.server.shared_tasks.routes.task_page import show_task_page
from readmark.server.shared_tasks.task_test import stored_card, task_test

pages = APIRouter(route_class=HallRoute, prefix="/tasks/{task}", include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/tasks/{task}", tags=["shared tasks"])


@dataclass(frozen=True, kw_only=True)
class TaskPage:
    """The description of a task that programs get, and what its page has besides."""

    task: TaskDescription
    situation: list[str]
    """What is open now and what comes next, in sentences."""
    introduction: list[Paragraph]
    rules: list[Paragraph]
    card: DataCard
    people: PeopleOrigin
    licence: Licence
    suffix: str
    """How the native file ends."""
    has_squad: bool
    """Whether the data can be had as SQuAD's JSON."""
    is_anything_out: bool
    """Whether there is anything to download."""
    origin: str
    """The hall's own address, for commands that are to be copied."""
    absent: str = ABSENT
    """How the card names records without a value."""


@pages.get("")
def show_task(request: Request, session: Reading, permitted: Visitor) -> Response:
    """What is asked, when, under which rules, with which data."""
    test = task_test(session, permitted.project.id, permitted.options, time.time())
    language = language_of(request)
    task = description_of(session, permitted, language)
    view = TaskPage(
        task=task,
        introduction=paragraphs(task.description),
        rules=paragraphs(task.rules),
        situation=_situation(permitted, words(language), bool(test.hidden)),
        card=stored_card(session, test),
        people=people_row(session, permitted.project.id).origin,
        licence=licence_named(test.licence),
        suffix=test.suffix,
        has_squad=test.has_squad,
        is_anything_out=bool(test.out),
        origin=origin_of(request),
    )
    return show_task_page(request, permitted, "task", "task.html", view=view)


@api.get("")
def get_task(request: Request, session: Reading, permitted: Visitor) -> TaskDescription:
    """A shared task: what is asked, when, how often, and what the board is ordered by."""
    return description_of(session, permitted, language_of(request))


def _situation(permitted: TaskPermitted, t: Mapping[str, str], has_hidden: bool) -> list[str]:
    """What is open now and what comes next, in sentences."""
    options, now = permitted.options, time.time()
    if not permitted.project.is_open:
        return [t["task_now_closed"]]
    phases = options.phases
    if not phases:
        return [t["task_now_always"]]
    coming = sorted((phase.first, name) for name, phase in phases.items() if phase.first > now)
    current = options.phase(now)
    if current is None:
        sentences = [t["task_now_before"] if coming else t["task_now_over"]]
    else:
        sentences = [t[f"task_now_{current}"]]
        if current in phases and math.isfinite(phases[current].last):
            sentences.append(t["task_ends"].format(moment(phases[current].last)))
    for first, name in coming:
        sentences.append(t[f"task_next_{name}"].format(moment(first)))
        if name == "formal" and has_hidden:
            sentences.append(t["task_papers_wait"])
    return sentences
