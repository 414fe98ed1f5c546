"""A command and a section of the report, as a package of its own adds them."""

from __future__ import annotations

from typing import Any

import click

from readmark import Part, load


@click.command("loudness")
@click.argument("test", metavar="TEST")
def loudness_command(test: str) -> None:
    """Count the capital letters of a test."""
    texts = [unit.record.text for unit in load(test).units()]
    click.echo(f"capitals: {sum(letter.isupper() for text in texts for letter in text)}")


def loudness_section(shown: Any) -> Part | None:
    """How many candidates the page shows, loudly."""
    return Part("loudness", f"{len(shown.section.candidates)} CANDIDATES")
