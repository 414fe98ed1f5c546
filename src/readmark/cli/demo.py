"""``readmark demo``."""

from __future__ import annotations

from pathlib import Path

import click

from readmark.cli import options


@click.command("demo")
@click.option(
    "-o", "--output", default="out/demo", show_default=True, metavar="DIR", help="Where files go."
)
@options.json_option
@click.pass_context
def demo_command(ctx: click.Context, output: str, as_json: bool) -> None:
    """Sit the bundled tests with every embedded candidate, mark, compare, write the report.

    The shipped marking cases are marked as well; exit 1 when one does not get the marks it
    should.
    """
    from readmark.workflows.demo import run_demo
    from readmark.workflows.reporting import write_report

    done = run_demo(output, say=lambda line: options.say([line]))
    report = Path(output) / "report.html"
    sheets = [str(sheet) for one in done.tests for sheet in one.marksheets]
    write_report(sheets, report)
    if as_json:
        options.print_json(
            {
                "report": str(report),
                "marksheets": sheets,
                "tests": {
                    one.test.header.name: [marks.as_json(units=False) for marks in one.marks]
                    for one in done.tests
                },
                "cases": {"marked": done.cases, "wrong": done.wrong},
            }
        )
    else:
        from readmark.reporting.demo import print_demo, print_paths

        print_demo(done.tests, cases=done.cases, wrong=done.wrong)
        print_paths(done.folder, report)
    ctx.exit(1 if done.wrong else 0)
