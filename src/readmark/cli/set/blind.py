"""``readmark set blind``."""

from __future__ import annotations

from dataclasses import asdict

import click

from readmark.cli import options


@click.command("blind")
@click.argument("test")
@click.option("-o", "--output", required=True, metavar="DIR", help="The folder to write.")
@click.option(
    "--annotator", "annotators", multiple=True, metavar="NAME", help="Who answers; once a person."
)
@click.option(
    "--each",
    type=click.IntRange(min=1),
    default=2,
    show_default=True,
    help="How many people answer a question.",
)
@options.seed_option
@options.from_option
@options.json_option
def blind_command(
    test: str,
    output: str,
    annotators: tuple[str, ...],
    each: int,
    seed: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Plan second and third answers to a TEST and write what the annotators get.

    Each has a page to read (HTML, without any key), a sheet to fill in (CSV) and instructions;
    the paper beside them is for programs. Passages are dealt out so that every question is
    answered by as many people as --each says and loads are even; nobody gets a passage of which
    they proposed or answered a question. The filled sheets go to set merge.
    """
    from readmark.corpus.formats import open_test
    from readmark.setting.blind.handing_out import hand_out
    from readmark.setting.blind.planning import planned

    source = open_test(test, format=from_format)
    plan = planned(source, annotators, each=each, seed=seed)
    written = hand_out(source, plan, output)
    if as_json:
        options.print_json({"output": output, "files": written, **asdict(plan)})
        return
    for name, ids in plan.passages.items():
        click.echo(f"{name}: {plan.questions[name]} questions on {len(ids)} passages")
    options.say([f"{output}: {len(written)} files written; when filled in: readmark set merge"])
