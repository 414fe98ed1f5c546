"""``readmark train``."""

from __future__ import annotations

from dataclasses import asdict

import click

from readmark.cli import options


@click.group("train")
def train_command() -> None:
    """Train a candidate on tests with known answers."""


@train_command.command("evidence")
@click.argument("tests", metavar="TEST...", nargs=-1, required=True)
@click.option("-o", "out", metavar="FILE", required=True, help="Where the model goes.")
@click.option(
    "--also",
    nargs=2,
    type=(float, str),
    multiple=True,
    metavar="WEIGHT TEST",
    help="A test whose questions weigh less; 0 teaches only what answers look like.",
)
@click.option(
    "--apart-from",
    multiple=True,
    metavar="TEST",
    help="A test whose passages must not be learnt from; may be repeated.",
)
@click.option("--seeds", type=click.IntRange(min=1), metavar="N", help="Networks to average; 5.")
@click.option("--epochs", type=click.IntRange(min=1), metavar="N", help="Rounds a network; 6.")
@options.json_option
def evidence_command(
    tests: tuple[str, ...],
    out: str,
    also: tuple[tuple[float, str], ...],
    apart_from: tuple[str, ...],
    seeds: int | None,
    epochs: int | None,
    as_json: bool,
) -> None:
    """Train the evidence reader; sit with evidence(model=FILE)."""
    from readmark.workflows.train_evidence import train_evidence

    done = train_evidence(
        tests,
        out,
        also=also,
        apart_from=apart_from,
        seeds=seeds,
        epochs=epochs,
        tell=lambda line: click.echo(line, err=True),
    )
    if as_json:
        options.print_json(asdict(done))
    else:
        options.say([f"{done.model} written"])
