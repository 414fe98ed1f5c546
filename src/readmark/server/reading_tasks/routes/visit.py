"""What the routes of a reading task share: its visitor, form fields, and turns for heavy calls."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Form, HTTPException, Request
from pydantic import Field

from readmark.server.access import (
    AccessRule,
    Hall,
    Permitted,
    Reading,
    Scope,
    SignedIn,
    hall_of,
)
from readmark.server.full_disk import noticing_full_disk
from readmark.server.reading_tasks.catalogue import ServedTask, served_task
from readmark.works import HEAVY_CALLS

SUBMITS = AccessRule("signed in, to submit", Scope.SUBMIT)
Submitting = Annotated[Permitted, Depends(SUBMITS)]

Text = Annotated[str, Form(max_length=20_000)]
"""A field of a form."""
Name = Annotated[str, Field(max_length=200)]
Names = Annotated[list[Annotated[str, Field(max_length=300)]], Field(max_length=5000)]


@dataclass(frozen=True)
class TaskVisit:
    """Who asks for which task, in which hall."""

    hall: Hall
    permitted: Permitted
    task: ServedTask


def _visit(request: Request, session: Reading, permitted: Permitted) -> TaskVisit:
    hall = hall_of(request)
    with hall.database.glancing(session):
        task = served_task(session, permitted.person, request.path_params["reading_task"])
    if task is None:
        raise HTTPException(404, "Not found.")
    return TaskVisit(hall, permitted, task)


def visible_task(request: Request, session: Reading, permitted: SignedIn) -> TaskVisit:
    """The task that the path names, if the person may see it."""
    return _visit(request, session, permitted)


def used_task(request: Request, session: Reading, permitted: Submitting) -> TaskVisit:
    """The same for calls that compute or store something: programs need the scope to submit."""
    return _visit(request, session, permitted)


Visible = Annotated[TaskVisit, Depends(visible_task)]
Used = Annotated[TaskVisit, Depends(used_task)]


@contextmanager
def heavy_call(person_id: str) -> Iterator[None]:
    """A person's turn for a call with a process of its own; a full disk is nobody's fault."""
    with HEAVY_CALLS.turn(person_id), noticing_full_disk():
        yield
