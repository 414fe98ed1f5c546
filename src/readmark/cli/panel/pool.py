"""``readmark panel pool``."""

from __future__ import annotations

import click

from readmark.cli import options
from readmark.corpus.errors import UsageError


@click.command("pool")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "-o", "--output", metavar="TEST", help="The passages to be rated, a readability test."
)
@click.option(
    "--genre",
    "genres",
    multiple=True,
    metavar="NAME=FILE",
    help="A file or folder of candidates of one genre; may be repeated.",
)
@click.option(
    "--per-genre",
    metavar="N",
    help="How many passages a genre, or forum=20,caption=10 by name; all if absent.",
)
@click.option("--sheet", metavar="FILE", help="A CSV file for people to vet the candidates.")
@click.option(
    "--vetted",
    multiple=True,
    metavar="FILE",
    help="A sheet that was filled in, CSV, TSV or JSON Lines; may be repeated.",
)
@click.option(
    "--report",
    metavar="FILE",
    help="A line for every candidate; TEST with the suffix .pool.jsonl if absent.",
)
@click.option("--language", metavar="en|zh", help="Of the panel; what the letters tell if absent.")
@click.option("--least", type=int, metavar="N", help="Words that a passage has; 50 if absent.")
@click.option("--most", type=int, metavar="N", help="Words at most; 400 if absent.")
@click.option(
    "--test-share",
    type=float,
    default=0.5,
    show_default=True,
    help="Of passages that go into the split test; the others are train.",
)
@click.option(
    "--format/--no-format",
    "format_texts",
    default=True,
    show_default=True,
    help="Standardise formatting by the rules for the genre.",
)
@options.seed_option
@options.from_option
@options.json_option
def pool_command(
    files: tuple[str, ...],
    output: str | None,
    genres: tuple[str, ...],
    per_genre: str | None,
    sheet: str | None,
    vetted: tuple[str, ...],
    report: str | None,
    language: str | None,
    least: int | None,
    most: int | None,
    test_share: float,
    format_texts: bool,
    seed: int,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Make the pool of a readability panel from FILEs of candidates.

    FILE is a test, a table or JSON Lines with text and genre; with --genre also plain text, or a
    folder of it. --sheet writes a table in which people keep or discard; --vetted takes it back.
    What only a rule doubts (language, length, near-duplicates) is left out until somebody keeps it.
    Every candidate stands in the report with its reasons.
    """
    from readmark.setting.panels.candidates import Given
    from readmark.workflows import panel_pool

    given = [Given(one) for one in files]
    for one in genres:
        name, equals, path = one.partition("=")
        if not equals or not name.strip() or not path:
            raise UsageError(f"--genre {one!r}: expected NAME=FILE, such as forum=posts.jsonl")
        given.append(Given(path, name.strip()))
    if not given:
        raise UsageError("no candidates: name files, or --genre NAME=FILE")
    if report is None and output is not None:
        report = panel_pool.report_beside(output)
    done = panel_pool.pool(
        given,
        output=output,
        sheet=sheet,
        report=report,
        vetted=vetted,
        per_genre=per_genre,
        language=language,
        least=least,
        most=most,
        test_share=test_share,
        format_texts=format_texts,
        format=from_format,
        seed=seed,
    )
    if as_json:
        written = {"output": output, "sheet": sheet, "report": report}
        options.print_json({**written, **panel_pool.as_json(done)})
        return
    from readmark.reporting.panel_pool import print_pool

    print_pool(done)
    options.say(
        f"{name}: {one.selected} of the {one.wanted} wanted"
        for name, one in done.genres.items()
        if one.short
    )
    if sheet is not None:
        options.say([f"{sheet}: fill in keep or discard, then --vetted {sheet}"])
    options.say([f"{report}: every candidate with its reasons"] if report else [])
