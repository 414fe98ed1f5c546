"""``readmark task query``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from readmark.cli import options
from readmark.cli.task.grounds import ground_options, within_options

if TYPE_CHECKING:
    from readmark.workflows.task_inference import Ground


@click.command("query")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@click.option(
    "-q", "--query", "text", metavar="GRAPH", help="'((?G type NFLGame) (?G numberOfPeriods ?N))'."
)
@click.option(
    "--sparql",
    metavar="QUERY",
    help="A SPARQL 1.1 query instead: SELECT, ASK, CONSTRUCT or DESCRIBE.",
)
@click.option("--explain", is_flag=True, help="Show how each answer is derived.")
@ground_options
@within_options
@options.json_option
def query_command(
    inputs: tuple[str, ...],
    text: str | None,
    sparql: str | None,
    explain: bool,
    rules: tuple[str, ...],
    ontology: str | None,
    domain: str | None,
    memory: int | None,
    graphs: tuple[str, ...],
    seconds: float,
    as_json: bool,
) -> None:
    """Answer a query graph over the statements of TASKs or FILEs and all that follows from them.

    An answer gives every variable a value within one document; --explain shows the rules and the
    excerpts behind it. SPARQL sees every document as a named graph, and every statement once in
    the default graph; it is read-only and cannot reach other servers.
    """
    from readmark.corpus.errors import UsageError
    from readmark.workflows import task_answers
    from readmark.workflows.task_inference import ground

    if (text is None) == (sparql is None):
        raise UsageError("give one of -q and --sparql")
    if sparql is not None and explain:
        raise UsageError("--explain explains the answers of -q, not those of --sparql")
    with ground(
        inputs, rules=rules, ontology=ontology, domain=domain, seconds=seconds, memory=memory
    ) as found:
        if sparql is not None:
            _sparql(found, sparql, graphs, seconds, memory, as_json)
            return
        answers = task_answers.query(
            found, text or "", graphs=graphs, seconds=seconds, explained=explain
        )
    if as_json:
        options.print_json({"query": text, **task_answers.answers_json(answers)})
    else:
        from readmark.reporting.task_inference import print_answers

        print_answers([(one.answer, one.derivations) for one in answers])


def _sparql(
    found: Ground,
    query: str,
    graphs: tuple[str, ...],
    seconds: float,
    memory: int | None,
    as_json: bool,
) -> None:
    from readmark.workflows.task_sparql import result_json, run

    result = run(found, query, graphs=graphs, seconds=seconds, memory=memory)
    if as_json:
        options.print_json({"query": query, **result_json(result)})
    else:
        from readmark.reporting.task_inference import print_result

        print_result(result)
