"""``readmark set levels``: label questions by the reasoning that they need, 1 to 4."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from readmark import console as options
from readmark.comprehension.levels.scale import LEVELS, REASONS
from readmark.console import OUTPUT_FILE, Ticker
from readmark.core import numbers
from readmark.core.display import (
    ABSENT,
    Result,
    counted,
    headline,
    plain_table,
)
from readmark.core.numbers import first_ids, listed_ids

if TYPE_CHECKING:
    from rich.console import Console

    from readmark.comprehension.levels.agreement import LevelAgreement
    from readmark.comprehension.levels.judging import JudgedQuestion
    from readmark.core.test import Test
    from readmark.statistics.agreement.value import Agreement

SHOWN = 3
"""How many levels of another scale a line names."""
NEEDS = {
    1: "string match",
    2: "wording or word order differs",
    3: "one type of reasoning",
    4: "several types of reasoning",
}


@click.command("levels")
@click.argument("test")
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    help="Test to write, with the levels in its key.",
    type=OUTPUT_FILE,
)
@click.option(
    "--labels",
    metavar="FILE",
    help="People's labels as JSON Lines or CSV (id, level, reasons, person); they take "
    "precedence over the rules.",
)
@click.option("--why", is_flag=True, help="Print each question with the reasons for its level.")
@options.split_option
@options.from_option
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from OUT's suffix; .json is smart]",
)
@options.json_option
def levels_command(
    test: str,
    output: str | None,
    labels: str | None,
    why: bool,
    split: str | None,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    """Label each question of a TEST by the reasoning that it needs.

    Level 1 is a string match; level 2 differs in wording or order; level 3 takes one type of
    reasoning (reference, time, cause, several sentences, comparison); level 4 takes several. A
    person's level, in the test or in --labels, takes precedence; the level by rules is stored
    too, and both are compared. A level on another scale is kept as the field level_given.
    """
    from readmark.core.distinct_files import require_distinct_files
    from readmark.formats.registry import open_test

    require_distinct_files([output], [test, labels])
    opened = open_test(test, format=from_format, split=split)
    with Ticker() as ticker:
        result = label_levels(
            opened,
            labels=labels,
            output=output,
            format=to_format,
            why=why,
            watch=lambda done: ticker.count(done, opened.facts.units),
        )
    options.print_result(result, as_json=as_json)
    options.notify(result.notes if as_json else (*result.notes, *result.closing))


@dataclass(frozen=True)
class LevelledTest(Result):
    """The levels of a test's questions, and how the rules agree with people."""

    name: str
    judgements: dict[str, JudgedQuestion]
    agreement: LevelAgreement | None
    output: str | None = None
    format: str | None = None
    lost: tuple[str, ...] = ()
    """What the format cannot hold."""
    why: bool = False
    """Whether each question is printed with its reasons."""

    @property
    def notes(self) -> tuple[str, ...]:
        """Levels of another scale, and questions whose people disagree."""
        foreign = {
            id: str(judged.given)
            for id, judged in self.judgements.items()
            if judged.given is not None and judged.level is not None
        }
        notes = []
        if foreign:
            levels = first_ids(list(dict.fromkeys(foreign.values())), SHOWN)
            place = (
                "kept as the field level_given" if self.output else "-o keeps them as level_given"
            )
            ids = listed_ids(list(foreign))
            notes.append(f"levels of another scale ({levels}), {place}: {ids}")
        disputed = sum(
            len({label.level for label in judged.people}) > 1 for judged in self.judgements.values()
        )
        if disputed:
            notes.append(
                f"{counted(disputed, 'question')} whose people disagree: most labels decide, else "
                "the first"
            )
        return tuple(notes)

    @property
    def closing(self) -> tuple[str, ...]:
        """What was written, for people."""
        if self.output is None:
            return ()
        lost = (f"{self.format}: {line}" for line in self.lost)
        if any(line.startswith("levels cannot be stored") for line in self.lost):
            return (
                *lost,
                f"{self.output}: written without levels: {self.format} has no place for them",
            )
        return (*lost, f"{self.output}: written with levels")

    def as_json(self) -> dict[str, Any]:
        from readmark.comprehension.levels.judging import RULES

        agreement = self.agreement
        return {
            "test": self.name,
            "rules": RULES,
            "levels": {id: _judged_json(judged) for id, judged in self.judgements.items()},
            "agreement": None if agreement is None else _agreement_json(agreement),
            "output": self.output,
            "format": self.format,
            "lost": self.lost,
        }

    def show(self, console: Console) -> None:
        """The levels of a test, then how the rules compare with people."""
        from readmark.comprehension.levels.judging import RULES

        judgements = self.judgements
        if self.why:
            self._show_reasons(console)
        size = f": {counted(len(judgements), 'question')}"
        console.print(headline("levels", " of ", self.name, size))
        people = sum(judged.person is not None for judged in judgements.values())
        rules = f"{people:,} by people, {len(judgements) - people:,} by rules"
        console.print(f"{rules if people else 'by rules'} ({RULES})")
        levels = Counter(judged.level for judged in judgements.values())
        table = plain_table("level", "questions", "share")
        table.add_column("needs", overflow="fold")
        rows: list[tuple[str, int | None, str]] = [
            (str(level), level, NEEDS[level]) for level in LEVELS
        ]
        if levels[None]:
            rows.append((ABSENT, None, "no level"))
        for label, level, needs in rows:
            share = numbers.percent(levels[level] / (len(judgements) or 1))
            table.add_row(label, f"{levels[level]:,}", share, needs)
        console.print(table)
        reasons = Counter(reason for judged in judgements.values() for reason in judged.reasons)
        table = plain_table("reason", "questions")
        for reason in REASONS:
            if reasons[reason]:
                table.add_row(reason, f"{reasons[reason]:,}")
        if table.row_count:
            console.print(table)
        unlevelled: dict[str, list[str]] = {}
        for id, judged in judgements.items():
            if judged.level is None:
                unlevelled.setdefault(judged.machine.why, []).append(id)
        for why, ids in unlevelled.items():
            console.print(f"no level, {why}: {listed_ids(ids)}")
        if self.agreement is not None:
            show_level_agreement(console, self.agreement, people="people")

    def _show_reasons(self, console: Console) -> None:
        """Every question with its level by the rules and what they found, and people's level."""
        table = plain_table("id", "level", "people")
        for column in ("reasons", "why"):
            table.add_column(column, overflow="fold")
        for id, judged in self.judgements.items():
            machine = judged.machine
            people = "" if judged.person is None else str(judged.person.level)
            level = ABSENT if machine.level is None else str(machine.level)
            table.add_row(id, level, people, "\n".join(machine.reasons), machine.why)
        console.print(table)


def label_levels(
    test: Test,
    *,
    labels: str | None = None,
    output: str | None = None,
    format: str | None = None,
    why: bool = False,
    watch: Callable[[int], None] | None = None,
) -> LevelledTest:
    """Label each question by the reasoning that it needs, and write the test with the levels.

    ``labels`` is a file of people's labels; ``watch`` is called with the number of questions done.
    """
    from readmark.comprehension.levels.agreement import agreement_with_people
    from readmark.comprehension.levels.judging import judge_levels, with_levels
    from readmark.comprehension.levels.labels import read_labels
    from readmark.formats.registry import format_for, save_test

    if output is not None and format is None:
        format = format_for(Path(output), test)
        if format.startswith("squad"):
            format = "smart"  # the JSON of that shape that holds levels
    judgements = judge_levels(test, read_labels(labels) if labels else {}, watch=watch)
    lost: list[str] = []
    if output is not None:
        lost = save_test(with_levels(test, judgements), output, format=format)
    agreement = agreement_with_people(judgements.values())
    name = test.header.name or test.file
    return LevelledTest(name, judgements, agreement, output, format, tuple(lost), why)


def _judged_json(judged: JudgedQuestion) -> dict[str, Any]:
    machine = judged.machine
    document: dict[str, Any] = {
        "level": judged.level,
        "reasons": judged.reasons,
        "sentences": machine.sentences,
        "why": machine.why,
        "mentions": [mention.as_json() for mention in machine.mentions],
        "by": judged.by,
    }
    if judged.given is not None:
        document["given"] = judged.given
    if judged.person is not None:
        document["machine"] = {"level": machine.level, "reasons": machine.reasons}
        document["people"] = [
            {"person": label.person, "level": label.level, "reasons": label.reasons}
            for label in judged.people
        ]
    return document


def _agreement_json(agreement: LevelAgreement) -> dict[str, Any]:
    def figure(estimate: Agreement) -> dict[str, Any]:
        value = {"value": estimate.value, "low": estimate.low, "high": estimate.high}
        return {**value, "reason": estimate.reason} if estimate.value is None else value

    return {
        "questions": agreement.questions,
        "exact": figure(agreement.exact),
        "easy_hard": figure(agreement.hard),
        "kappa": figure(agreement.kappa),
        "easy_hard_kappa": figure(agreement.hard_kappa),
        "confusion": agreement.confusion,
    }


def show_level_agreement(console: Console, agreement: LevelAgreement, *, people: str) -> None:
    """Agreement of the rules with people, and where they differ."""
    console.print(f"the rules compared with {people}: {counted(agreement.questions, 'question')}")
    table = plain_table("", "agree", "interval", "kappa")
    rows = (
        ("exact", agreement.exact, agreement.kappa),
        ("1-2 / 3-4", agreement.hard, agreement.hard_kappa),
    )
    for label, share, kappa in rows:
        percent = numbers.percent(share.value)
        interval = numbers.percent_interval(share.low, share.high)
        table.add_row(label, percent, interval, numbers.mark(kappa.value, 1))
    console.print(table)
    matrix = plain_table(people, *(f"rules {level}" for level in LEVELS))
    for level, row in zip(LEVELS, agreement.confusion, strict=True):
        matrix.add_row(str(level), *(str(count) if count else "·" for count in row))
    console.print(matrix)
