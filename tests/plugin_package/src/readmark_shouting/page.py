"""A command and a section of the report, as a package of its own adds them."""

from __future__ import annotations

import click

from readmark import load
from readmark.hooks import Part, SectionData, Table


@click.command("loudness")
@click.argument("test", metavar="TEST")
def loudness_command(test: str) -> None:
    """Count the capital letters of a test."""
    texts = [unit.record.text for unit in load(test).units()]
    click.echo(f"capitals: {sum(letter.isupper() for text in texts for letter in text)}")


def loudness_section(data: SectionData) -> Part | None:
    """Who is on the page, loudly."""
    metric = data.metrics[0]
    rows: list[list[str | float | None]] = []
    for candidate in data.candidates:
        mark = candidate.mark(metric)
        score = None if mark is None else mark.score
        rows.append([candidate.name.upper(), len(candidate.values(metric)), score])
    table = Table.of(f"{data.test} BY {metric}", ["WHO", "UNITS", "MARK"], rows)
    return Part("loudness", f"{len(rows)} CANDIDATES", tables=[table])
