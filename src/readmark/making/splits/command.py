"""``readmark set split``: a test split and written, or its splits checked for leakage."""

from __future__ import annotations

from typing import Any

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core.errors import UsageError
from readmark.formats.registry import open_test
from readmark.making.splits.leakage import leakage
from readmark.making.splits.split import SplitOptions, split_test


@click.command("split")
@click.argument("test")
@click.argument("others", nargs=-1, metavar="[OTHER]...")
@click.option(
    "-o", "--output", metavar="OUT", help="Test to write, with the splits.", type=OUTPUT_FILE
)
@click.option(
    "--proportions",
    default="80/10/10",
    metavar="P",
    help="Share of questions per split, as train/dev/test or as train=80,dev=10,test=10; dev=100 "
    "puts the whole test into one split",
)
@options.seed_option
@options.list_option(
    "--by",
    metavar="FIELD,...",
    help="Fields to balance across splits; '' for none  [default: level,type, or "
    "genre,topic for readability]",
)
@options.list_option(
    "--article",
    default="article,title",
    metavar="FIELD,...",
    help="Fields that identify a passage's article; the first one present is used",
)
@click.option(
    "--alike/--no-alike",
    default=True,
    help="Keep articles in the same split if they share a text or a question",
)
@click.option(
    "--threshold",
    type=float,
    default=0.8,
    help="Similarity from which two texts count as near-duplicates",
)
@click.option("--like", metavar="TEST2", help="Copy the splits of a parallel test.")
@options.list_option(
    "--hidden", metavar="SPLIT,...", help="Splits whose keys must not be published."
)
@click.option("--force", is_flag=True, help="Replace existing splits, except those to keep.")
@options.list_option(
    "--keep",
    metavar="SPLIT,...",
    help="Existing splits that stay as they are; '' for none  [default: challenge sets]",
)
@click.option(
    "--check",
    is_flag=True,
    help="Check existing splits for leakage instead of writing; exit with status 1 if "
    "there is any.",
)
@options.split_option
@options.from_option
@click.option(
    "--to",
    "format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix]",
)
@options.json_option
@click.pass_context
def split_command(
    ctx: click.Context,
    /,
    test: str,
    others: tuple[str, ...],
    output: str | None,
    by: str | None,
    article: str,
    hidden: str | None,
    keep: str | None,
    check: bool,
    split: str | None,
    from_format: str | None,
    as_json: bool,
    **settings: Any,
) -> None:
    """Split a TEST by article, never by question; proportions are measured in questions.

    Levels and types (for readability, genres and topics) are balanced as evenly as the articles
    allow. The same TEST and seed give the same splits, whatever the order of its passages. Text
    and key stay the same, so existing sittings can still be marked. With --like, both
    languages of a parallel corpus get the same splits. A challenge set that is a split already is
    kept.

    With --check, the existing splits of TEST are compared with each other and with OTHER tests,
    to find identical or nearly identical passages, articles in two splits, and repeated
    questions with the same answers.
    """
    if check and output is not None:
        raise UsageError("--check writes nothing: leave -o out")
    if not check and output is None:
        raise UsageError("name the file to write with -o OUT, or look for leaks with --check")
    if not check and others:
        raise UsageError("one test is split at a time; OTHER tests are for --check")
    fields = options.fields(article)
    if output is None:
        tests = [open_test(path, format=from_format, split=split) for path in (test, *others)]
        with Ticker() as ticker:
            leaks = leakage(
                tests, threshold=settings["threshold"], article=fields, progress=ticker.count
            )
        options.print_result(leaks, as_json=as_json)
        ctx.exit(1 if leaks.links else 0)
    source = open_test(test, format=from_format, split=split)
    split_options = SplitOptions(
        by=None if by is None else options.fields(by),
        article=fields,
        hidden=options.fields(hidden),
        keep=None if keep is None else options.fields(keep),
        **settings,
    )
    with Ticker() as ticker:
        result = split_test(source, output, split_options, progress=ticker.count)
    options.notify(result.warnings)
    options.print_result(result, as_json=as_json)
    if not as_json:
        options.notify(result.notes)
