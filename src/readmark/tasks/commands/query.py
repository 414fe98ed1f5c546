"""``readmark task query``: answers to a query graph or to SPARQL."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.tasks.commands.shared_options import reasoning_options, search_options


@click.command("query")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@click.option(
    "-q",
    "--query",
    "text",
    metavar="GRAPH",
    help="Query graph, such as '((?G type NFLGame) (?G numberOfPeriods ?N))'.",
)
@click.option(
    "--sparql",
    metavar="QUERY",
    help="SPARQL 1.1 query to run instead: SELECT, ASK, CONSTRUCT or DESCRIBE.",
)
@click.option("--explain", is_flag=True, help="Show how each answer is derived.")
@reasoning_options
@search_options
@options.json_option
def query_command(
    inputs: tuple[str, ...],
    text: str | None,
    sparql: str | None,
    explain: bool,
    graphs: tuple[str, ...],
    as_json: bool,
    **reasoning: Any,
) -> None:
    """Answer a query graph over the statements of TASKs or FILEs and everything derived from them.

    An answer gives every variable a value within one document; --explain shows the rules and
    excerpts behind it. In SPARQL, every document is a named graph, and the default graph has
    every statement once. Queries are read-only and cannot reach other servers.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.knowledge_base import Reasoning
    from readmark.tasks.querying import answer_query, answer_sparql

    if (text is None) == (sparql is None):
        raise UsageError("give one of -q and --sparql")
    if sparql is not None and explain:
        raise UsageError("--explain explains the answers of -q, not those of --sparql")
    settings = Reasoning(**reasoning)
    if graphs and settings.across:
        raise UsageError("--graph chooses documents, which --across makes one graph")
    if text is not None:
        answers = answer_query(inputs, text, settings, graphs=graphs, explained=explain)
        options.print_result(answers, as_json=as_json)
        return
    result = answer_sparql(inputs, sparql or "", settings, graphs=graphs)
    options.print_result(result, as_json=as_json)
    options.notify(result.notes)
