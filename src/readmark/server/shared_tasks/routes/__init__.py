"""The routes of shared tasks: a module for each noun, with its pages and its API."""

from __future__ import annotations

from readmark.server.shared_tasks.routes import (
    all_submissions,
    baseline,
    data,
    people_sittings,
    registration,
    sitting,
    submission,
    task,
    team,
)

ROUTERS = (
    task.pages,
    task.api,
    data.pages,
    data.api,
    registration.pages,
    registration.passwords,
    team.pages,
    team.api,
    baseline.pages,
    baseline.api,
    people_sittings.pages,
    people_sittings.api,
    submission.pages,
    submission.api,
    all_submissions.pages,
    sitting.api,
)
