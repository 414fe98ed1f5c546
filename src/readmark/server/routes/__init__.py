"""The hall's routes; those of a feature with a folder of its own are in that folder."""

from __future__ import annotations

from readmark.server.boards import routes as board
from readmark.server.operations import routes as operations
from readmark.server.reading_tasks import pages as reading_task_pages
from readmark.server.reading_tasks import routes as reading_tasks
from readmark.server.routes import (
    account,
    adjudicate,
    agreement,
    assignment,
    classes,
    configuration,
    dashboard,
    export,
    item,
    member,
    panel,
    people,
    people_api,
    project,
    results,
    sit,
    sittings,
    work_api,
    work_pages,
)
from readmark.server.shared_tasks.routes import ROUTERS as SHARED_TASK_ROUTERS

ROUTERS = (
    operations.router,
    account.router,
    people.router,
    people_api.router,
    project.pages,
    project.api,
    configuration.pages,
    configuration.api,
    item.pages,
    item.api,
    member.pages,
    member.api,
    assignment.pages,
    assignment.api,
    agreement.pages,
    agreement.api,
    export.pages,
    export.api,
    panel.router,
    panel.api,
    sittings.router,
    sittings.api,
    reading_task_pages.router,
    reading_tasks.api,
    reading_tasks.projects,
    adjudicate.pages,
    adjudicate.api,
    dashboard.router,
    dashboard.api,
    work_api.router,
    sit.router,
    results.router,
    work_pages.router,
    classes.pages,
    classes.api,
    *SHARED_TASK_ROUTERS,
    board.pages,
    board.api,
)
