"""``readmark report``."""

from __future__ import annotations

from dataclasses import asdict

import click

from readmark import console as options


@click.command("report")
@click.argument("marksheets", nargs=-1, required=True, metavar="MARKSHEET...")
@click.option("-o", "--output", required=True, metavar="HTML", help="HTML page to write.")
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    help="Language in which the page opens  [default: zh if every test is Chinese, otherwise en]",
)
@click.option(
    "--title", metavar="TITLE", help="Title of the page  [default: the names of the tests]"
)
@options.json_option
def report_command(
    marksheets: tuple[str, ...],
    output: str,
    language: str | None,
    title: str | None,
    as_json: bool,
) -> None:
    """Write one self-contained HTML page from MARKSHEETs, without marking again.

    Marksheets of the same test are shown side by side, each compared with the first; every
    other test has its own section. The reader can switch the page between English and Chinese.
    """
    from readmark.reporting.report import write_report

    written = write_report(marksheets, output, language=language, title=title)
    if as_json:
        options.print_json(asdict(written))
    else:
        tests = ", ".join(written.tests)
        options.notify([f"report of {tests} written to {written.path}"])
