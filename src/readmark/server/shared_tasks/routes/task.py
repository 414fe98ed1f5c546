"""Shared tasks: those that a visitor may see, and what one asks; pages and API."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass

from fastapi import APIRouter, Request
from starlette.responses import Response

from readmark.core.labels import ABSENT
from readmark.making import Licence, licence_named
from readmark.server.access import Asking, Reading
from readmark.server.bodies import HallRoute
from readmark.server.pages import language_of, moment, render, words
from readmark.server.routes.links import origin_of
from readmark.server.routes.paging import Listed, ListPart, PageQuery
from readmark.server.shared_tasks.access import TaskPermitted, Visitor
from readmark.server.shared_tasks.data_card import DataCard
from readmark.server.shared_tasks.description import (
    TaskDescription,
    TaskSummary,
    description_of,
    summaries_of,
    visible_tasks,
)
from readmark.server.shared_tasks.paragraphs import Paragraph, paragraphs
from readmark.server.shared_tasks.people_row import PeopleOrigin, people_row
from readmark.server.shared_tasks.routes.task_page import show_task_page
from readmark.server.shared_tasks.task_test import stored_card, task_test

pages = APIRouter(route_class=HallRoute, prefix="/tasks", include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api/tasks", tags=["shared tasks"])

TASKS_PAGE = 50
"""Tasks of a page."""


# The list.


@dataclass(frozen=True)
class TaskList:
    """Shared tasks that the caller may see."""

    tasks: list[TaskSummary]


@dataclass(frozen=True)
class TasksPage:
    """A part of the shared tasks that the visitor may see."""

    tasks: Listed[TaskSummary]


@pages.get("")
def list_tasks(request: Request, session: Reading, caller: Asking, page: PageQuery = 1) -> Response:
    """The shared tasks that the visitor may see."""
    tasks = visible_tasks(session, caller)
    part = ListPart((page - 1) * TASKS_PAGE, TASKS_PAGE)
    shown = tasks[part.offset : part.offset + part.limit]
    rows = summaries_of(session, shown, language_of(request))
    view = TasksPage(Listed(rows, len(tasks), part))
    return render(request, "tasks.html", person=caller.person, view=view)


@api.get("")
def get_tasks(request: Request, session: Reading, caller: Asking) -> TaskList:
    """The shared tasks that the caller may see: public ones, and those they take part in."""
    return TaskList(summaries_of(session, visible_tasks(session, caller), language_of(request)))


# One of them.


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


@pages.get("/{task}")
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


@api.get("/{task}")
def get_task(request: Request, session: Reading, permitted: Visitor) -> TaskDescription:
    """A shared task: what is asked, when, how often, and what the board is ordered by."""
    return description_of(session, permitted, language_of(request))


def _situation(permitted: TaskPermitted, t: Mapping[str, str], has_hidden: bool) -> list[str]:
    """What is open now and what comes next, in sentences."""
    options, now = permitted.options, time.time()
    phase = options.phase(now)
    if not permitted.project.is_open:
        return [t["task_now_closed"]]
    if options.practice is None and options.formal is None:
        return [t["task_now_always"]]
    coming = [
        (each.first, name)
        for name, each in (("practice", options.practice), ("formal", options.formal))
        if each is not None and each.first > now
    ]
    if phase is None:
        sentences = [t["task_now_before"] if coming else t["task_now_over"]]
    else:
        sentences = [t[f"task_now_{phase}"]]
        ending = {"practice": options.practice, "formal": options.formal}.get(phase)
        if ending is not None and math.isfinite(ending.last):
            sentences.append(t["task_ends"].format(moment(ending.last)))
    for first, name in sorted(coming):
        sentences.append(t[f"task_next_{name}"].format(moment(first)))
        if name == "formal" and has_hidden:
            sentences.append(t["task_papers_wait"])
    return sentences
