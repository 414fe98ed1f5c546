"""``readmark stats``."""

from __future__ import annotations

from dataclasses import asdict

import click

from readmark.cli import options


@click.command("stats")
@click.argument("tests", nargs=-1, required=True, metavar="TEST...")
@options.from_option
@options.json_option
def stats_command(tests: tuple[str, ...], from_format: str | None, as_json: bool) -> None:
    """Corpus tables of TESTs, side by side: sizes, lengths, questions by level, type, split."""
    from readmark.corpus.formats import sides_of
    from readmark.setting.reading_tables import english_questions
    from readmark.setting.tables import corpus_table
    from readmark.workflows import api

    loaded = [
        api.load(path, format=side) for path in tests for side in sides_of(path, format=from_format)
    ]
    english = english_questions(loaded)
    tables = [corpus_table(test, english) for test in loaded]
    if as_json:
        options.print_json({"tests": [asdict(table) for table in tables]})
        return
    from readmark.reporting.corpora import print_tables

    print_tables(tables)
