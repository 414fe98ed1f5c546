"""``readmark check``."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from readmark import console as options
from readmark.core.display import Result
from readmark.core.errors import DataError, UsageError
from readmark.core.notebook import html_line

if TYPE_CHECKING:
    from rich.console import Console

    from readmark.core.problems import Problem
    from readmark.formats.inputs import TestInput
    from readmark.making import Examiner
    from readmark.tasks import TaskFindings


@click.command("check")
@click.argument("tests", nargs=-1, required=True, metavar="TEST...")
@click.option(
    "--profile",
    metavar="NAME|FILE",
    help="Also check the questions against a profile's rules: cmrc, smart, brcc, series, or a "
    "TOML file that changes one of them.",
)
@click.option(
    "--seen",
    multiple=True,
    metavar="FILE",
    help="Also report passages that occur in FILE: a training record, a trained model, a test, or "
    "a .txt file with one text per line (repeatable).",
)
@click.option(
    "--pairs",
    metavar="FILE",
    help="Also write the annotated statements of a reading task to FILE, as JSON Lines of "
    "(assertion, text) pairs.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    help="Time limit for weighing contradictory statements of a reading task",
)
@options.split_option
@options.from_option
@options.json_option
@click.pass_context
def check_command(
    ctx: click.Context,
    tests: tuple[str, ...],
    profile: str | None,
    seen: tuple[str, ...],
    pairs: str | None,
    seconds: float,
    split: str | None,
    from_format: str | None,
    as_json: bool,
) -> None:
    """Validate TESTs and print one line per problem: file:line (or file:id), code, message.

    Exits with status 1 if there are problems. Warnings begin with "warning:" and do not count.
    Tests with equal parallel ids, such as the two languages of a bilingual corpus, are also
    checked against each other; one BRCC file may have both languages. With --profile, the
    questions are checked against the rules of a guideline as well, and a summary goes to stderr.

    With --seen, a passage is a problem (code seen) if at least half of it occurs in FILE.
    Differences in case, width, script, white space and punctuation are ignored.

    In a reading task, the hashes, ontology, rules, annotated graphs with their excerpts, queries
    and answers are checked against each other, and contradictory annotations are listed with
    their derivations. If annotations have probabilities, the most probable consistent ones are
    named. With --split, only the documents and queries of the split are checked.
    """
    findings = check(
        *tests,
        profile=profile,
        seen=seen,
        pairs=pairs,
        seconds=seconds,
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
    seen: Sequence[str | Path] = (),
    pairs: str | Path | None = None,
    seconds: float = 30.0,
    format: str | None = None,
    split: str | None = None,
) -> Findings:
    """Validate tests; those with equal parallel ids are also checked against each other.

    ``profile`` names the question rules of a guideline (cmrc, smart, brcc, series) that the
    files are checked against as well, or a TOML file that changes one.
    ``seen`` are files with texts that somebody may have learnt from: passages that they have are
    problems too. ``split`` selects a split of each test. Of a reading task, ``pairs`` is a file to
    write its annotated statements to, with their texts, and ``seconds`` limits the time for
    contradictory statements.
    """
    from readmark.core.test import Test
    from readmark.formats.checks import check as check_structure
    from readmark.formats.checks import check_together
    from readmark.formats.registry import open_languages
    from readmark.formats.seen_texts import seen_problems, training_record

    examiner = _examiner(profile)
    record = training_record(*seen)
    by_name = {test.file if isinstance(test, Test) else str(test): test for test in tests}
    paths = [name for name, test in by_name.items() if not isinstance(test, Test)]
    tasks = [name for name in paths if split is None and _is_task(name, format)]
    if pairs is not None and len(by_name) > 1:
        raise UsageError("`pairs` takes one task")
    package = None
    if pairs is not None:
        from readmark.tasks import open_task

        package = open_task(next(iter(by_name)))
    all_problems: list[Problem] = []
    contexts: dict[str, TaskFindings] = {}
    counts, warnings = dict.fromkeys(by_name, 0), dict.fromkeys(by_name, 0)

    def add(problems: Iterable[Problem], name: str | None = None) -> None:
        """A problem inside a folder counts for the folder."""
        for problem in problems:
            all_problems.append(problem)
            tally = warnings if problem.severity == "warning" else counts
            file = name or problem.file
            tally[file] = tally.get(file, 0) + 1

    for name, test in by_name.items():
        part = test.split(split) if isinstance(test, Test) and split is not None else test
        if name in tasks:
            from readmark.tasks import task_findings

            contexts[name] = task_findings(name, seconds=seconds)
            add(contexts[name].problems, name)
        else:
            whole = part if isinstance(part, Test) else name
            add(check_structure(whole, format=format, split=split), name)
        if record.sources:
            if isinstance(part, Test):
                languages = [part]
            else:
                languages = list(open_languages(name, format=format, split=split))
            for language in languages:
                add(seen_problems(language, record), name)
        if examiner is not None:
            add(examiner.examine(name, format=format, split=split), name)
    add(check_together(paths, format=format, split=split))
    add(examiner.between() if examiner is not None else ())
    written = None
    if package is not None and pairs is not None:
        from readmark.tasks import write_pairs

        written = (str(pairs), write_pairs(package, pairs))
    return Findings(tuple(all_problems), counts, warnings, examiner, contexts, written)


def _is_task(path: str, format: str | None) -> bool:
    """Whether the path is a reading task; one that cannot be read is none."""
    from readmark.core.source import Source
    from readmark.formats.registry import FORMATS

    with suppress(DataError, OSError):
        return format in (None, "task") and FORMATS.load("task").recognises(Source(path))
    return False


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
    tasks: Mapping[str, TaskFindings] = field(default_factory=dict)
    """By reading task, what can be right together of what contradicts itself."""
    pairs: tuple[str, int] | None = None
    """The file of pairs that was written, and how many it has."""

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
        contexts = {
            path: {name: groups.as_json() for name, groups in findings.contexts.items()}
            for path, findings in self.tasks.items()
            if findings.contexts
        }
        if contexts:
            document["contexts"] = contexts
        if self.pairs is not None:
            document["pairs"] = self.pairs[1]
        return document | (self.examiner.as_json() if self.examiner is not None else {})

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per problem or warning."""
        return [asdict(problem) for problem in self.problems]

    def show(self, console: Console) -> None:
        """Print one line per problem: place, code, message; a contradiction has a derivation."""
        for problem in self.problems:
            for line in (str(problem), *problem.details):
                console.out(options.in_options(line), highlight=False)
        for path, findings in self.tasks.items():
            for decision in findings.decisions():
                console.out(f"{path}: {decision}", highlight=False)

    def summary(self) -> Iterator[str]:
        """How many problems each test has, one per line."""
        for path, count in self.counts.items():
            yield f"{path}: {options.problems(count, self.warnings.get(path, 0))}"
        if self.pairs is not None:
            yield "{}: {} pairs".format(*self.pairs)

    def __str__(self) -> str:
        return "\n".join([*map(str, self.problems), *self.summary()])

    def __repr__(self) -> str:
        return "\n".join(self.summary())

    def _repr_html_(self) -> str:
        return html_line(str(self), is_dim=False)


def _examiner(profile: str | None) -> Examiner | None:
    if profile is None:
        return None
    from readmark.making import examiner_for

    return examiner_for(profile)
