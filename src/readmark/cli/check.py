"""``readmark check``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from readmark.cli import options

if TYPE_CHECKING:
    from readmark.corpus.problems import Problem
    from readmark.setting.question_rules import Examiner


def problems(count: int, warnings: int = 0) -> str:
    """How many, in words."""
    said = "1 problem" if count == 1 else f"{count or 'no'} problems"
    if not warnings:
        return said
    return f"{said}, {warnings} warning{'s' if warnings > 1 else ''}"


@click.command("check")
@click.argument("tests", nargs=-1, required=True, metavar="TEST...")
@click.option("--profile", metavar="NAME", help="Rules for questions: cmrc, smart, brcc, series.")
@click.option(
    "--profile-config", metavar="FILE", help="TOML that changes severities and thresholds."
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
    """Validate TESTs: a line a problem, file:line (or file:id), code, message; exit 1 if any.

    Warnings begin with "warning:" and do not make it fail. Tests with equal parallel ids, such as
    the two sides of a bilingual corpus, are also checked beside each other. With a profile the
    questions are checked by the rules of a document as well, and a summary goes to stderr.
    """
    from dataclasses import asdict

    from readmark.corpus.checks import check, check_together

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
        options.print_json(document | (_profiled(examiner) if examiner is not None else {}))
    else:
        if examiner is not None:
            _summarise(examiner)
        for path, count in counts.items():
            options.say([f"{path}: {problems(count, warnings[path])}"])
    ctx.exit(1 if any(counts.values()) else 0)


def _examiner(profile: str | None, config: str | None) -> Examiner | None:
    if profile is None:
        if config is not None:
            raise click.UsageError("--profile-config changes a profile: name it with --profile")
        return None
    from readmark.setting.question_rules import Examiner, profile_named

    return Examiner(profile_named(profile, config=config))


def _profiled(examiner: Examiner) -> dict[str, Any]:
    from collections import Counter

    from readmark.setting.question_rules.diversity import Types

    codes: Counter[str] = Counter(dict.fromkeys(examiner.profile.rules, 0))
    types = Types()
    for one in examiner.examinations:
        codes.update(one.codes)
        for type, count in one.types.counts.items():
            types.add(type, count)
    return {
        "profile": examiner.profile.name,
        "rules": examiner.profile.rules,
        "codes": codes,
        "types": types.summary(),
        "examinations": [one.summary() for one in examiner.examinations],
    }


def _summarise(examiner: Examiner) -> None:
    from readmark.reporting.question_rules import print_examinations

    print_examinations(examiner.examinations, examiner.profile)
    for one in examiner.examinations:
        if one.unruled:
            said = f"{', '.join(one.unruled)} know English and Chinese, this is {one.language!r}"
            options.say([f"{one.file}: not checked: {said}"])
    if examiner.alone:
        options.say(["parallel questions were not checked: give the tests of both languages"])
