"""``readmark rate``."""

from __future__ import annotations

import click

from readmark.cli import options


@click.command("rate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-r", "--rater", metavar="RATER", help="Who rates; features in English, formula in Chinese."
)
@options.from_option
@click.option(
    "--language", metavar="en|zh", help="Of the passages; what files or letters tell if absent."
)
@click.option("--explain", is_flag=True, help="Say what moved each rating.")
@click.option("-o", "out", metavar="FILE", help="With --explain: a page (.html) or picture (.svg).")
@options.json_option
def rate_command(
    files: tuple[str, ...],
    rater: str | None,
    from_format: str | None,
    language: str | None,
    explain: bool,
    out: str | None,
    as_json: bool,
) -> None:
    """Rate each passage in FILEs from 1 (hardest) to 5 (easiest to read)."""
    from readmark.corpus.decoding import UTF_8
    from readmark.corpus.errors import DataError
    from readmark.workflows import rate

    if out is not None:
        if not explain:
            raise click.UsageError("-o is for the picture of --explain")
        if not out.endswith((".html", ".svg")):
            raise click.UsageError(f"{out} ends in neither .html nor .svg")
        rate.check_explanation(out, files)
    done = rate.rate(
        files,
        rater=rater,
        format=from_format,
        language=language,
        tell=lambda line: options.say([line]),
    )
    options.say(
        f"{one.file}: read as {one.encoding}, it is not UTF-8"
        for one in done.passages
        if one.encoding != UTF_8
    )
    if as_json:
        options.print_json(rate.as_json(done, explain=explain))
    else:
        from readmark.reporting.rating import print_ratings
        from readmark.workflows.readability import named

        print_ratings(done.rater, named(done.passages), explain=explain)
    if out is not None:
        rate.write_explanation(done, out)
        options.say([f"{out} written"])
    if done.passages and all(one.rating is None for one in done.passages):
        raise DataError("no passage could be rated")
