"""The routes of reading tasks: a module for each noun, with its pages and its API."""

from __future__ import annotations

from readmark.server.reading_tasks.routes import (
    answers,
    content,
    offer,
    reasoner,
    submission,
    task,
)

ROUTERS = (
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
