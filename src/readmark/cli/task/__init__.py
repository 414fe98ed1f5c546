"""``readmark task``: formal reading tasks. Each verb is imported only when it is called."""

from __future__ import annotations

import click

from readmark.cli.verbs import Verbs

VERBS = {
    "pack": "Put a task's files into a folder or zip with a manifest of roles and hashes.",
    "check": "Name every inconsistency of a task; run its rules over the annotated graphs.",
    "infer": "Run a domain's rules over statements: what follows, and what contradicts.",
    "query": "Answer queries over what is stated and inferred.",
    "explain": "Why a statement holds: the derivation down to the words of the text.",
    "decompose": "List what can have made up a score, the likeliest first.",
    "queries": "Make a query for every property of an ontology, with its question.",
    "gold": "Answer a task's queries from its annotated graphs and rules.",
    "pool": "Pool what nobody has judged in sittings, for adjudicators.",
    "mark": "Mark a sitting of a task: facts and inferences apart.",
}
"""Every verb with its one line; ``readmark.cli.task.NAME`` has it as ``NAME_command``."""


@click.group("task", cls=Verbs, verbs=VERBS, package=__name__)
def task_command() -> None:
    """Formal reading tasks: ontology, rules, queries and answers with their provenance."""
