"""``readmark check``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from readmark import console as options
from readmark.console import problems
from readmark.core.display import ABSENT, counted, make_console, plain_table
from readmark.making.rules.examination import Examination
from readmark.making.rules.profiles import RULES, Profile

if TYPE_CHECKING:
    from readmark.core.problems import Problem
    from readmark.making.rules.examination import Examiner


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
        options.print_json(document | (_profiled(examiner) if examiner is not None else {}))
    else:
        if examiner is not None:
            _summarise(examiner)
        for path, count in counts.items():
            options.notify([f"{path}: {problems(count, warnings[path])}"])
    ctx.exit(1 if any(counts.values()) else 0)


def _examiner(profile: str | None, config: str | None) -> Examiner | None:
    if profile is None:
        if config is not None:
            raise click.UsageError("--profile-config changes a profile: name it with --profile")
        return None
    from readmark.making.rules.examination import Examiner
    from readmark.making.rules.profiles import profile_named

    return Examiner(profile_named(profile, config=config))


def _profiled(examiner: Examiner) -> dict[str, Any]:
    from collections import Counter

    from readmark.making.rules.examination import Types

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

    print_examinations(examiner.examinations, examiner.profile)
    for one in examiner.examinations:
        if one.unruled:
            said = f"{', '.join(one.unruled)} know English and Chinese, this is {one.language!r}"
            options.notify([f"{one.file}: not checked: {said}"])
    if examiner.alone:
        options.notify(["parallel questions were not checked: give the tests of both languages"])


# What the rules of a profile found, in a terminal: a table a test, and its question types.


SERIES = "series"
"""A noun whose plural is itself."""


def print_examinations(examinations: Sequence[Examination], profile: Profile) -> None:
    """A table a test on stderr: stdout has the problems themselves."""
    console = make_console(stderr=True)
    for one in examinations:
        records = (
            counted(one.passages, one.noun) if one.noun != SERIES else f"{one.passages:,} series"
        )
        size = f"{records}, {counted(one.questions, 'question')}"
        console.print(f"{one.file} ({one.language}), rules of {profile.name}: {size}")
        console.print(_codes(one, profile))
        console.print(_types(one), soft_wrap=False)


def _codes(one: Examination, profile: Profile) -> Table:
    table = plain_table("rule", "severity", "found", "of questions")
    for code, applied in profile.rules.items():
        count = one.codes.get(code, 0)
        of_passage = RULES[code].of_questions
        share = f"{count / one.questions:.1%}" if one.questions and of_passage else ABSENT
        found = ABSENT if code in one.unruled else f"{count:,}"
        table.add_row(code, applied.severity, found, ABSENT if found == ABSENT else share)
    return table


def _types(one: Examination) -> str:
    """The types in one paragraph, the most frequent first."""
    told = one.types.summary()
    share = told["largest_share"]
    if not isinstance(share, float):
        return "types: none given"
    found = sorted(one.types.counts.items(), key=lambda each: -each[1])
    named = ", ".join(f"{type} {count:,}" for type, count in found if count)
    return (
        f"types: {named}; entropy {told['entropy']:.2f} bits "
        f"(evenness {told['evenness']:.2f}), largest {told['largest']} {share:.1%}\n"
    )
