"""The routes of reading tasks: a module for each noun, with its pages and its API."""

from __future__ import annotations

from readmark.server.reading_tasks.routes import (
    answers,
    content,
    offer,
    part,
    reasoner,
    submission,
    task,
    task_list,
)

ROUTERS = (
    task_list.pages,
    task_list.api,
    part.pages,
    part.api,
    task.pages,
    task.api,
    content.api,
    reasoner.api,
    submission.pages,
    submission.api,
    answers.pages,
    offer.pages,
    offer.api,
)
