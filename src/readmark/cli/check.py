"""``readmark check``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from readmark import console as options
from readmark.core.display import Result
from readmark.core.errors import UsageError

if TYPE_CHECKING:
    from rich.console import Console

    from readmark.core.problems import Problem
    from readmark.formats.registry import TestInput
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
@click.option(
    "--seen",
    multiple=True,
    metavar="FILE",
    help="Also report passages that FILE has: a training record, a trained model, a test, or a "
    ".txt file with a text per line (repeatable).",
)
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def check_command(
    ctx: click.Context,
    tests: tuple[str, ...],
    profile: str | None,
    profile_config: str | None,
    seen: tuple[str, ...],
    split: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Validate TESTs and print one line per problem: file:line (or file:id), code, message.

    Exits with status 1 if there are problems. Warnings begin with "warning:" and do not count.
    Tests with equal parallel ids, such as the two languages of a bilingual corpus, are also
    checked against each other; a BRCC file may have both. With --profile, the questions are
    checked against the rules of a guideline as well, and a summary goes to stderr.

    With --seen, a passage of which half or more is in FILE is a problem with the code seen. Case,
    width, script, white space and punctuation do not count.
    """
    findings = check(
        *tests,
        profile=profile,
        profile_config=profile_config,
        seen=seen,
        format=from_format,
        split=split,
    )
    options.print_result(findings, as_json=as_json)
    if not as_json:
        if findings.examiner is not None:
            from readmark.core.display import make_console

            findings.examiner.show(make_console(stderr=True))  # stdout has the problems themselves
            options.notify(findings.examiner.notes)
        options.notify(findings.summary())
    ctx.exit(0 if findings.is_sound else 1)


def check(
    *tests: TestInput,
    profile: str | None = None,
    profile_config: str | Path | None = None,
    seen: Sequence[str | Path] = (),
    format: str | None = None,
    split: str | None = None,
) -> Findings:
    """Validate tests; those with equal parallel ids are also checked against each other.

    ``profile`` names the question rules of a guideline (cmrc, smart, brcc, series) that the
    files are checked against as well; ``profile_config`` is a TOML file that changes them.
    ``seen`` are files with texts that somebody may have learnt from: passages that they have are
    problems too. ``split`` selects a split of each test.
    """
    from readmark.core.test import Test
    from readmark.formats.checks import check as check_structure
    from readmark.formats.checks import check_together
    from readmark.formats.registry import open_languages
    from readmark.formats.seen_texts import seen_problems, training_record

    examiner = _examiner(profile, profile_config)
    record = training_record(*seen)
    given = {test.file if isinstance(test, Test) else str(test): test for test in tests}
    paths = [name for name, one in given.items() if not isinstance(one, Test)]
    found: list[Problem] = []
    counts, warnings = dict.fromkeys(given, 0), dict.fromkeys(given, 0)

    def add(problems: Iterable[Problem], name: str | None = None) -> None:
        """A problem inside a folder counts for the folder."""
        for problem in problems:
            found.append(problem)
            tally = warnings if problem.severity == "warning" else counts
            file = name or problem.file
            tally[file] = tally.get(file, 0) + 1

    for name, one in given.items():
        part = one.split(split) if isinstance(one, Test) and split is not None else one
        add(
            check_structure(part if isinstance(part, Test) else name, format=format, split=split),
            name,
        )
        if record.sources:
            opened = (
                [part]
                if isinstance(part, Test)
                else open_languages(name, format=format, split=split)
            )
            for each in opened:
                add(seen_problems(each, record), name)
        if examiner is not None:
            add(examiner.examine(name, format=format, split=split), name)
    add(check_together(paths, format=format, split=split))
    add(examiner.between() if examiner is not None else ())
    return Findings(tuple(found), counts, warnings, examiner)


@dataclass(frozen=True, repr=False)
class Findings(Result):
    """The problems and warnings of tests; true to ``if`` when there are problems."""

    problems: tuple[Problem, ...]
    """Problems and warnings, in the order of the files."""
    counts: Mapping[str, int]
    """How many problems each test has."""
    warnings: Mapping[str, int]
    examiner: Examiner | None = None
    """What the rules of a profile found."""

    @property
    def is_sound(self) -> bool:
        """Whether there is no problem; warnings do not count."""
        return not any(self.counts.values())

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    def __len__(self) -> int:
        return len(self.problems)

    def as_json(self) -> dict[str, Any]:
        """The document that ``check --json`` prints."""
        document: dict[str, Any] = {
            "problems": self.table_rows(),
            "counts": dict(self.counts),
            "warnings": dict(self.warnings),
        }
        return document | (self.examiner.as_json() if self.examiner is not None else {})

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per problem or warning."""
        return [asdict(problem) for problem in self.problems]

    def show(self, console: Console) -> None:
        """Print one line per problem: place, code, message."""
        for problem in self.problems:
            console.out(str(problem), highlight=False)

    def summary(self) -> Iterator[str]:
        """How many problems each test has, one per line."""
        for path, count in self.counts.items():
            yield f"{path}: {options.problems(count, self.warnings.get(path, 0))}"

    def __str__(self) -> str:
        return "\n".join([*map(str, self.problems), *self.summary()])

    def __repr__(self) -> str:
        return "\n".join(self.summary())


def _examiner(profile: str | None, config: str | Path | None) -> Examiner | None:
    if profile is None:
        if config is not None:
            raise UsageError("`profile_config` changes a profile: name it with `profile`")
        return None
    from readmark.making.question_rules import Examiner, profile_named

    return Examiner(profile_named(profile, config=None if config is None else str(config)))
