"""``readmark task explain``: why statements hold, or contradict."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.tasks.commands.shared_options import reasoning_options, search_options


@click.command("explain")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@click.option(
    "-s",
    "--statement",
    "text",
    metavar="GRAPH",
    help="Statement to explain, such as '(Game-1 numberOfPeriods 5)'. With variables, "
    "every matching statement is explained.",
)
@click.option(
    "--contradictions",
    is_flag=True,
    help="Explain everything that contradicts the rules or the ontology instead.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the derivations to this file: .html, .rdf, .ttl or .nt.",
    type=OUTPUT_FILE,
)
@reasoning_options
@search_options
@options.json_option
@click.pass_context
def explain_command(
    ctx: click.Context,
    /,
    inputs: tuple[str, ...],
    text: str | None,
    contradictions: bool,
    output: str | None,
    graphs: tuple[str, ...],
    as_json: bool,
    **reasoning: Any,
) -> None:
    """Show why statements hold: rules, antecedents and denials, down to the excerpts.

    An .html file shows the passages side by side with the derivations. Exits with status 1 if
    no statement matches, or with --contradictions if there is one.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.explaining import explain_contradictions, explain_statements
    from readmark.tasks.knowledge_base import Reasoning

    if (text is None) == (not contradictions):
        raise UsageError("give one of -s and --contradictions")
    settings = Reasoning(**reasoning)
    if graphs and settings.across:
        raise UsageError("--graph chooses documents, which --across makes one graph")
    if text is not None:
        result = explain_statements(inputs, text, settings, graphs=graphs, output=output)
    else:
        result = explain_contradictions(inputs, settings, graphs=graphs, output=output)
    options.print_result(result, as_json=as_json)
    options.notify(result.notes)
    ctx.exit(bool(result.derivations) == contradictions)
