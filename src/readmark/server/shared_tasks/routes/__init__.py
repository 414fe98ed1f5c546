"""The routes of shared tasks: a module for each noun, with its pages and its API."""

from __future__ import annotations

from readmark.server.shared_tasks.routes import (
    all_submissions,
    all_teams,
    baseline,
    data,
    people_sittings,
    registration,
    sitting,
    submission,
    task,
    task_list,
    team,
    team_submissions,
)

ROUTERS = (
    task_list.pages,
    task_list.api,
    task.pages,
    task.api,
    data.pages,
    data.api,
    registration.pages,
    registration.passwords,
    team.pages,
    all_teams.pages,
    all_teams.api,
    baseline.pages,
    baseline.api,
    people_sittings.pages,
    people_sittings.api,
    team_submissions.pages,
    team_submissions.api,
    submission.pages,
    submission.api,
    all_submissions.pages,
    sitting.api,
)
