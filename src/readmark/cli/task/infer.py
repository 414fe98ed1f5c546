"""``readmark task infer``."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.cli.task.grounds import ground_options, seconds_option


@click.command("infer")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@ground_options
@click.option(
    "-o", "--output", metavar="FILE", help="Write what was derived: .graph, .nq, .ttl, .rdf, ..."
)
@click.option(
    "--show",
    type=int,
    default=20,
    show_default=True,
    help="How many statements and how many contradictions to print.",
)
@seconds_option(600.0, "Time limit for the rules; of a large .nq file, for each 64 MB.")
@options.json_option
@click.pass_context
def infer_command(
    ctx: click.Context,
    inputs: tuple[str, ...],
    rules: tuple[str, ...],
    ontology: str | None,
    domain: str | None,
    memory: int | None,
    output: str | None,
    show: int,
    seconds: float,
    as_json: bool,
) -> None:
    """Run rules over the statements of TASKs or FILEs (.graph, .ttl, .rdf, .nt, .nq, .trig).

    Prints what follows and what contradicts the rules or the ontology, each contradiction with a
    minimal set of statements to repair. Exit 1 when anything contradicts.
    """
    from readmark.corpus.errors import UsageError
    from readmark.corpus.outputs import require_apart
    from readmark.reasoning.contradictions import MOST
    from readmark.workflows import task_answers
    from readmark.workflows.task_inference import grounds

    if show < 0:
        raise UsageError(f"--show {show} is negative, expected 0 or more")
    require_apart([output], [*inputs, *rules, ontology])
    found = task_answers.run_rules(
        grounds(
            inputs, rules=rules, ontology=ontology, domain=domain, seconds=seconds, memory=memory
        ),
        output=output,
        show=None if as_json else show,
        most=max(show, MOST) if as_json else show,
    )
    if output is not None:
        options.say([f"{output}: {found.counts['derived']} statements"])
    if as_json:
        options.print_json(task_answers.inferred_json(found))
    else:
        from readmark.reporting.task_inference import print_inference

        print_inference(found.counts, found.derived, found.broken, show=show)
    if found.counts["contradictions"]:
        ctx.exit(1)
