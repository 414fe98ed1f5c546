"""``readmark task infer``."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.cli.task.grounds import ground_options


@click.command("infer")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@ground_options
@click.option(
    "-o", "--output", metavar="FILE", help="Write what was derived: .graph, .nq, .ttl, .rdf, ..."
)
@click.option("--show", type=int, default=20, show_default=True, help="How many to print.")
@options.json_option
@click.pass_context
def infer_command(
    ctx: click.Context,
    inputs: tuple[str, ...],
    rules: tuple[str, ...],
    ontology: str | None,
    domain: str | None,
    output: str | None,
    show: int,
    as_json: bool,
) -> None:
    """Run rules over the statements of TASKs or FILEs (.graph, .ttl, .rdf, .nt, .nq, .trig).

    Prints what follows and what contradicts the rules or the ontology, each contradiction with a
    minimal set of statements to repair. Exit 1 when anything contradicts.
    """
    from itertools import islice

    from readmark.corpus.errors import UsageError
    from readmark.corpus.outputs import require_apart
    from readmark.workflows import task_answers
    from readmark.workflows.task_inference import ground

    if show < 0:
        raise UsageError(f"--show {show} is negative, expected 0 or more")
    require_apart([output], [*inputs, *rules, ontology])
    with ground(inputs, rules=rules, ontology=ontology, domain=domain) as found:
        counts = found.inference.counts()
        broken = task_answers.broken(found)
        if output is not None:
            task_answers.write_derived(found, found.inference.derived(), output)
            options.say([f"{output}: {counts['derived']} statements"])
        if as_json:
            options.print_json(
                {
                    **counts,
                    "statements": [
                        task_answers.derived_json(one) for one in found.inference.derived()
                    ],
                    "contradicting": [task_answers.contradiction_json(one) for one in broken],
                }
            )
        else:
            from readmark.reporting.task_inference import print_inference

            derived = list(islice(found.inference.derived(), show))
            print_inference(counts, derived, broken, show=show)
    if counts["contradictions"]:
        ctx.exit(1)
