"""``readmark check``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from readmark import console as options
from readmark.console import problems

if TYPE_CHECKING:
    from readmark.core.problems import Problem
    from readmark.making.question_rules import Examiner


@click.command("check")
@click.argument("tests", nargs=-1, required=True, metavar="TEST...")
@click.option(
    "--profile",
    metavar="NAME",
    help="Also check the questions against a profile's rules: cmrc, smart, brcc or series.",
)
@click.option(
    "--profile-config",
    metavar="FILE",
    help="TOML file that overrides the profile's severities and thresholds.",
)
@options.from_option
@options.json_option
@click.pass_context
def check_command(
    ctx: click.Context,
    tests: tuple[str, ...],
    profile: str | None,
    profile_config: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Validate TESTs and print one line per problem: file:line (or file:id), code, message.

    Exits with status 1 if there are problems. Warnings begin with "warning:" and do not count.
    Tests with equal parallel ids, such as the two sides of a bilingual corpus, are also checked
    against each other. With --profile, the questions are checked against the rules of a
    guideline as well, and a summary goes to stderr.
    """
    from dataclasses import asdict

    from readmark.formats.checks import check, check_together

    examiner = _examiner(profile, profile_config)
    found = []
    counts = dict.fromkeys(tests, 0)
    warnings = dict.fromkeys(tests, 0)

    def checked() -> Iterator[tuple[str, Problem]]:
        for path in counts:
            yield from ((path, problem) for problem in check(path, format=from_format))
            if examiner is not None:
                broken = examiner.examine(path, format=from_format)
                yield from ((path, problem) for problem in broken)
        for problem in check_together(tests, format=from_format):
            yield problem.file, problem
        for problem in examiner.between() if examiner is not None else ():
            yield problem.file, problem

    for path, problem in checked():
        kind = warnings if problem.severity == "warning" else counts
        kind[path] = kind.get(path, 0) + 1
        if as_json:
            found.append(asdict(problem))
        else:
            click.echo(str(problem))
    if as_json:
        document: dict[str, Any] = {"problems": found, "counts": counts, "warnings": warnings}
        options.print_json(document | (examiner.as_json() if examiner is not None else {}))
    else:
        if examiner is not None:
            from readmark.core.display import make_console

            examiner.show(make_console(stderr=True))  # stdout has the problems themselves
            options.notify(examiner.notes)
        for path, count in counts.items():
            options.notify([f"{path}: {problems(count, warnings[path])}"])
    ctx.exit(1 if any(counts.values()) else 0)


def _examiner(profile: str | None, config: str | None) -> Examiner | None:
    if profile is None:
        if config is not None:
            raise click.UsageError("--profile-config changes a profile: name it with --profile")
        return None
    from readmark.making.question_rules import Examiner, profile_named

    return Examiner(profile_named(profile, config=config))
