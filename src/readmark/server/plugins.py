"""What the exam hall adds: its commands, and the work of shared tasks."""

from __future__ import annotations

from readmark.core.registry import Entry

PLUGINS: dict[str, dict[str, Entry]] = {
    "readmark.commands": {
        "serve": Entry(
            "readmark.server.commands:serve_command",
            "Start the exam hall, where people work in the browser.",
        ),
        "hall": Entry(
            "readmark.server.commands:hall_command",
            "Move work in and out of an exam hall; back it up.",
        ),
    },
    "readmark.hall_commands": {
        "backup": Entry(
            "readmark.server.operations.commands:backup_command",
            "Write the whole hall to one file.",
        ),
        "restore": Entry(
            "readmark.server.operations.commands:restore_command",
            "Fill an empty database with a backup.",
        ),
        "prune": Entry(
            "readmark.server.operations.commands:prune_command",
            "Delete what has expired.",
        ),
        "owner": Entry(
            "readmark.server.operations.commands:owner_command",
            "Create an owner's account.",
        ),
        "export": Entry(
            "readmark.server.commands:export_command",
            "Write the work of a project as files.",
        ),
        "import": Entry(
            "readmark.server.commands:import_command",
            "Add work in files to a project.",
        ),
        "erase": Entry(
            "readmark.server.commands:erase_command",
            "Erase everything of the pupils of a class.",
        ),
        "worker": Entry(
            "readmark.server.commands:worker_command",
            "Mark submissions of shared tasks until it is interrupted.",
        ),
    },
    "readmark.works": {
        "shared_task": Entry(
            "readmark.server.shared_tasks.work:SHARED_TASK",
            "publish a test that systems sit, with a board",
        ),
    },
}
