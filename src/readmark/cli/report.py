"""``readmark report``."""

from __future__ import annotations

import click

from readmark import console as options
from readmark.console import OUTPUT_FILE


@click.command("report")
@click.argument("sources", nargs=-1, required=True, metavar="MARKSHEET... | TEST SITTING...")
@click.option(
    "-o", "--output", required=True, metavar="HTML", help="HTML page to write.", type=OUTPUT_FILE
)
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    help="Language in which the page opens  [default: zh if every test is Chinese, otherwise en]",
)
@click.option(
    "--title", metavar="TITLE", help="Title of the page  [default: the names of the tests]"
)
@options.metrics_option
@options.by_option
@click.option(
    "--people",
    multiple=True,
    metavar="SITTING",
    help="Sitting of a panel member, for comparison with people (repeatable).",
)
@options.split_option
@options.json_option
def report_command(
    sources: tuple[str, ...],
    output: str,
    language: str | None,
    title: str | None,
    metrics: tuple[str, ...],
    by: str | None,
    people: tuple[str, ...],
    split: str | None,
    as_json: bool,
) -> None:
    """Write one self-contained HTML page from MARKSHEETs, or from SITTINGs of a TEST.

    MARKSHEETs are shown as they are, without marking again. SITTINGs are marked first; --metric,
    --by, --people and --split apply only to them.

    Marksheets of the same test are shown side by side, each compared with the first; each test
    has its own section. The page can be switched between English and Chinese.
    """
    from readmark.reporting import report

    first, *others = sources
    written = report(
        first,
        *others,
        path=output,
        language=language,
        title=title,
        metrics=metrics,
        by=options.fields(by) or (),
        people=people,
        split=split,
    )
    options.notify(written.notes)
    options.print_written(written, as_json=as_json)
