"""``readmark report``."""

from __future__ import annotations

from dataclasses import asdict

import click

from readmark import console as options


@click.command("report")
@click.argument("marksheets", nargs=-1, required=True, metavar="MARKSHEET...")
@click.option("-o", "--output", required=True, metavar="HTML", help="The page to write.")
@click.option(
    "--language",
    type=click.Choice(["en", "zh"]),
    help="The page's first language; by default zh when every test is Chinese, else en.",
)
@click.option("--title", metavar="TITLE", help="The page's title; by default the tests' names.")
@options.json_option
def report_command(
    marksheets: tuple[str, ...],
    output: str,
    language: str | None,
    title: str | None,
    as_json: bool,
) -> None:
    """Write one self-contained HTML page from MARKSHEETs, without marking anything again.

    Marksheets of one test stand side by side, each against the first; every other test has a
    section of its own. The page can be switched between English and Chinese.
    """
    from readmark.reporting.report import write_report

    written = write_report(marksheets, output, language=language, title=title)
    if as_json:
        options.print_json(asdict(written))
    else:
        tests = ", ".join(written.tests)
        options.notify([f"report of {tests} written to {written.path}"])
