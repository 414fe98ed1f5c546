"""``readmark stats``."""

from __future__ import annotations

from dataclasses import asdict

import click

from readmark.cli import options


@click.command("stats")
@click.argument("tests", nargs=-1, required=True, metavar="TEST...")
@click.option(
    "--unit",
    type=click.Choice(["characters", "words", "tokens"]),
    help="What lengths are counted in; characters for Chinese, else words, if absent.",
)
@click.option("--plot", metavar="FILE", help="Draw types and levels into FILE, .svg or .png.")
@options.from_option
@options.json_option
def stats_command(
    tests: tuple[str, ...],
    unit: str | None,
    plot: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Corpus tables of TESTs, side by side: sizes, lengths, questions by level, type, split.

    A test that has splits gets a table of them too, with levels and types by split. A token is a
    run of Latin letters and digits or any other single character.
    """
    from readmark.corpus.formats import sides_of
    from readmark.setting.tables.corpus import corpus_table
    from readmark.setting.tables.reading import english_questions
    from readmark.workflows import api

    if plot is not None:
        from readmark.corpus.outputs import require_apart
        from readmark.reporting.corpus_plot import require_picture

        require_picture(plot)
        require_apart([plot], tests)
    loaded = [
        api.load(path, format=side) for path in tests for side in sides_of(path, format=from_format)
    ]
    english = english_questions(loaded)
    tables = [corpus_table(test, english, unit=unit) for test in loaded]
    if plot is not None:
        from readmark.reporting.corpus_plot import write_plot

        write_plot(tables, plot)
        options.say([f"{plot} written"])
    if as_json:
        options.print_json({"tests": [asdict(table) for table in tables]})
        return
    from readmark.reporting.corpora import print_tables

    print_tables(tables)
