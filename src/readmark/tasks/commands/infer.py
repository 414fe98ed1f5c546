"""``readmark task infer``: what follows from statements, and what contradicts."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.tasks.commands.shared_options import reasoning_options, seconds_option


@click.command("infer")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@reasoning_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Write the derived statements to this file: .graph, .nq, .ttl, .rdf, ...",
    type=OUTPUT_FILE,
)
@click.option(
    "--show",
    type=int,
    default=20,
    help="Maximum number of statements and of contradictions to print",
)
@click.option(
    "--contexts",
    is_flag=True,
    help="List the most probable consistent groups of statements that contradict each other.",
)
@seconds_option(
    600.0, "Time limit for the rules in seconds; a large .nq file has this much for each 64 MB"
)
@options.json_option
@click.pass_context
def infer_command(
    ctx: click.Context,
    /,
    inputs: tuple[str, ...],
    output: str | None,
    show: int,
    contexts: bool,
    as_json: bool,
    **reasoning: Any,
) -> None:
    """Run rules over the statements of TASKs or FILEs (.graph, .ttl, .rdf, .nt, .nq, .trig).

    Prints the derived statements and everything that contradicts the rules or the ontology,
    each contradiction with a minimal set of statements to repair, and properties and classes that
    the ontology does not have. Exits with status 1 if there is any of these.
    """
    from readmark.core.errors import UsageError
    from readmark.tasks.inferring import run_rules
    from readmark.tasks.knowledge_base import Reasoning
    from readmark.tasks.reasoning.contradictions import MOST

    if show < 0:
        raise UsageError(f"--show {show} is negative, expected 0 or more")
    result = run_rules(
        inputs,
        Reasoning(**reasoning),
        output=output,
        show=None if as_json else show,
        most=max(show, MOST) if as_json else show,
        contexts=contexts,
    )
    options.print_result(result, as_json=as_json)
    options.notify(result.notes)
    ctx.exit(result.failed)
