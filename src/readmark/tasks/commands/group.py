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
            "Put a task's files into a folder or zip with a manifest of roles and hashes.",
        ),
        "check": Entry(
            "readmark.tasks.commands.check:check_command",
            "Name every inconsistency of a task; run its rules over the annotated graphs.",
        ),
        "infer": Entry(
            "readmark.tasks.commands.infer:infer_command",
            "Run a domain's rules over statements: what follows, and what contradicts.",
        ),
        "query": Entry(
            "readmark.tasks.commands.infer:query_command",
            "Answer queries over what is stated and inferred.",
        ),
        "explain": Entry(
            "readmark.tasks.commands.infer:explain_command",
            "Why a statement holds: the derivation down to the words of the text.",
        ),
        "decompose": Entry(
            "readmark.tasks.commands.decompose:decompose_command",
            "List what can have made up a score, the likeliest first.",
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
            "Pool what nobody has judged in sittings, for adjudicators.",
        ),
        "mark": Entry(
            "readmark.cli.mark:mark_command",
            "Mark a sitting of a task: facts and inferences apart.",
        ),
    },
)


@click.group("task", cls=CommandGroup, registry=VERBS)
def task_command() -> None:
    """Formal reading tasks: ontology, rules, queries and answers with their provenance."""
