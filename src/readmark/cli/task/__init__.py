"""``readmark task``: formal reading tasks. Each verb is imported only when it is called."""

from __future__ import annotations

import click

from readmark.cli.verbs import CommandGroup
from readmark.corpus.registry import Entry, Registry

VERBS = Registry(
    "verb",
    "readmark.task_commands",
    {
        "pack": Entry(
            "readmark.cli.task.pack:pack_command",
            "Put a task's files into a folder or zip with a manifest of roles and hashes.",
        ),
        "check": Entry(
            "readmark.cli.task.check:check_command",
            "Name every inconsistency of a task; run its rules over the annotated graphs.",
        ),
        "infer": Entry(
            "readmark.cli.task.infer:infer_command",
            "Run a domain's rules over statements: what follows, and what contradicts.",
        ),
        "query": Entry(
            "readmark.cli.task.query:query_command",
            "Answer queries over what is stated and inferred.",
        ),
        "explain": Entry(
            "readmark.cli.task.explain:explain_command",
            "Why a statement holds: the derivation down to the words of the text.",
        ),
        "decompose": Entry(
            "readmark.cli.task.decompose:decompose_command",
            "List what can have made up a score, the likeliest first.",
        ),
        "queries": Entry(
            "readmark.cli.task.queries:queries_command",
            "Make a query for every property of an ontology, with its question.",
        ),
        "gold": Entry(
            "readmark.cli.task.gold:gold_command",
            "Answer a task's queries from its annotated graphs and rules.",
        ),
        "pool": Entry(
            "readmark.cli.task.pool:pool_command",
            "Pool what nobody has judged in sittings, for adjudicators.",
        ),
        "mark": Entry(
            "readmark.cli.task.mark:mark_command",
            "Mark a sitting of a task: facts and inferences apart.",
        ),
    },
)


@click.group("task", cls=CommandGroup, registry=VERBS)
def task_command() -> None:
    """Formal reading tasks: ontology, rules, queries and answers with their provenance."""
