"""``readmark task``: formal reading tasks. Each verb is imported only when it is called."""

from __future__ import annotations

import click

from readmark.console import CommandGroup
from readmark.core.registry import Entry, Registry

VERBS = Registry(
    "verb",
    "readmark.task_commands",
    {
        "pack": Entry(
            "readmark.tasks.commands.check:pack_command",
            "Pack a task into a folder or zip with a manifest of roles and hashes.",
        ),
        "check": Entry(
            "readmark.tasks.commands.check:check_command",
            "Report inconsistencies of a task; run its rules over the annotations.",
        ),
        "infer": Entry(
            "readmark.tasks.commands.infer:infer_command",
            "Run rules over statements; print what follows and what contradicts.",
        ),
        "query": Entry(
            "readmark.tasks.commands.infer:query_command",
            "Answer queries over stated and inferred facts.",
        ),
        "explain": Entry(
            "readmark.tasks.commands.infer:explain_command",
            "Show the derivation of a statement, down to the words of the text.",
        ),
        "decompose": Entry(
            "readmark.tasks.commands.decompose:decompose_command",
            "List the possible compositions of a score, most likely first.",
        ),
        "queries": Entry(
            "readmark.tasks.commands.queries:queries_command",
            "Make a query for every property of an ontology, with its question.",
        ),
        "gold": Entry(
            "readmark.tasks.commands.gold:gold_command",
            "Answer a task's queries from its annotated graphs and rules.",
        ),
        "pool": Entry(
            "readmark.tasks.commands.gold:pool_command",
            "Pool the unjudged answers of sittings for adjudication.",
        ),
        "mark": Entry(
            "readmark.cli.mark:mark_command",
            "Mark a sitting of a task, facts and inferences separately.",
        ),
    },
)


@click.group("task", cls=CommandGroup, registry=VERBS)
def task_command() -> None:
    """Work with formal reading tasks: ontology, rules, queries, and answers with provenance."""
