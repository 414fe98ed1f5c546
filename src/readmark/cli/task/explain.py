"""``readmark task explain``."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.cli.task.grounds import ground_options, within_options


@click.command("explain")
@click.argument("inputs", nargs=-1, required=True, metavar="TASK|FILE...")
@click.option(
    "-s",
    "--statement",
    "text",
    required=True,
    metavar="GRAPH",
    help="'(Game-1 numberOfPeriods 5)'; variables ask for every statement that fits.",
)
@click.option("-o", "--output", metavar="FILE", help="Write them: .html, .rdf, .ttl or .nt.")
@ground_options
@within_options
@options.json_option
@click.pass_context
def explain_command(
    ctx: click.Context,
    inputs: tuple[str, ...],
    text: str,
    output: str | None,
    rules: tuple[str, ...],
    ontology: str | None,
    domain: str | None,
    memory: int | None,
    graphs: tuple[str, ...],
    seconds: float,
    as_json: bool,
) -> None:
    """Show why statements hold: rules, antecedents, what was denied, down to the excerpts.

    An .html file shows the passages beside the derivations. Exit 1 when no statement fits.
    """
    from readmark.corpus.outputs import require_apart
    from readmark.workflows import task_answers
    from readmark.workflows.task_inference import ground

    require_apart([output], [*inputs, *rules, ontology])
    with ground(
        inputs, rules=rules, ontology=ontology, domain=domain, seconds=seconds, memory=memory
    ) as found:
        trees = task_answers.why(found, text, graphs=graphs, seconds=seconds)
        if output is not None:
            if output.lower().endswith((".html", ".htm")):
                from readmark.reporting.task_page import write_page

                write_page(trees, found.documents, output)
            else:
                task_answers.write_why(found, trees, output)
            options.say([f"{output}: {len(trees)} derivations"])
    if as_json:
        options.print_json(task_answers.why_json(trees))
    else:
        from readmark.reporting.task_inference import print_derivations

        print_derivations(trees)
    if not trees:
        options.say([f"{text} does not hold"])
        ctx.exit(1)
