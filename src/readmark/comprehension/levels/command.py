"""``readmark set levels``: the reasoning that each question needs, 1 to 4, with reasons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from readmark import console as options
from readmark.comprehension.levels.cues import LEVELS, REASONS
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

    from readmark.comprehension.levels.labels import JudgedQuestion, Judgements, LevelAgreement
    from readmark.core.test import Test
    from readmark.statistics.agreement.value import Agreement

SHOWN = 3
"""How many levels of another scale a line names."""


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
    asked = open_test(test, format=from_format, split=split)
    with Ticker() as ticker:
        result = label_levels(
            asked,
            labels=labels,
            output=output,
            format=to_format,
            why=why,
            watch=lambda done: ticker.count(done, asked.facts.units),
        )
    options.print_result(result, as_json=as_json)
    options.notify(result.notes if as_json else (*result.notes, *result.closing))


NEEDS = {
    1: "string match",
    2: "wording or word order differs",
    3: "one type of reasoning",
    4: "several types of reasoning",
}


@dataclass(frozen=True)
class LevelledTest(Result):
    """The levels of a test's questions, and how the rules agree with people."""

    name: str
    judgements: Judgements
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
        judgements = self.judgements
        split = sum(
            len({person.level for person in each.people}) > 1 for each in judgements.values()
        )
        foreign = {
            id: str(judged_question.given)
            for id, judged_question in judgements.items()
            if judged_question.given is not None and judged_question.level is not None
        }
        notes = []
        if foreign:
            scale = first_ids(list(dict.fromkeys(foreign.values())), SHOWN)
            kept = (
                "kept as the field level_given" if self.output else "-o keeps them as level_given"
            )
            notes.append(f"levels of another scale ({scale}), {kept}: {listed_ids(list(foreign))}")
        if split:
            notes.append(
                f"{counted(split, 'question')} whose people disagree: most labels decide, else the "
                "first"
            )
        return tuple(notes)

    @property
    def closing(self) -> tuple[str, ...]:
        """What was written, for people."""
        if self.output is None:
            return ()
        without = any(line.startswith("levels cannot be stored") for line in self.lost)
        how = f"out levels: {self.format} has no place for them" if without else " levels"
        lost = (f"{self.format}: {line}" for line in self.lost)
        return (*lost, f"{self.output}: written with{how}")

    def as_json(self) -> dict[str, Any]:
        from readmark.comprehension.levels.labels import RULES

        return {
            "test": self.name,
            "rules": RULES,
            "levels": {
                id: _document(judged_question) for id, judged_question in self.judgements.items()
            },
            "agreement": None if self.agreement is None else _agreement(self.agreement),
            "output": self.output,
            "format": self.format,
            "lost": self.lost,
        }

    def show(self, console: Console) -> None:
        """The levels of a test, then how the rules compare with people."""
        from readmark.comprehension.levels.labels import RULES

        judgements = self.judgements
        if self.why:
            self._show_reasons(console)
        levels = Counter(judgement.level for judgement in judgements.values())
        people = sum(judgement.person is not None for judgement in judgements.values())
        size = f": {counted(len(judgements), 'question')}"
        console.print(headline("levels", " of ", self.name, size))
        rules = f"{people:,} by people, {len(judgements) - people:,} by rules"
        console.print(f"{rules if people else 'by rules'} ({RULES})")
        total = len(judgements) or 1
        table = plain_table("level", "questions", "share")
        table.add_column("needs", overflow="fold")
        rows = [(str(level), level, NEEDS[level]) for level in LEVELS]
        for label, level, needs in (*rows, *([(ABSENT, None, "no level")] if levels[None] else [])):
            share = numbers.percent(levels[level] / total)
            table.add_row(label, f"{levels[level]:,}", share, needs)
        console.print(table)
        reasons = Counter(
            reason for judgement in judgements.values() for reason in judgement.reasons
        )
        table = plain_table("reason", "questions")
        for reason in REASONS:
            if reasons[reason]:
                table.add_row(reason, f"{reasons[reason]:,}")
        if table.row_count:
            console.print(table)
        unlevelled: dict[str, list[str]] = {}
        for id, judged_question in judgements.items():
            if judged_question.level is None:
                unlevelled.setdefault(judged_question.machine.why, []).append(id)
        for why, ids in unlevelled.items():
            console.print(f"no level, {why}: {listed_ids(ids)}")
        if self.agreement is not None:
            show_level_agreement(console, self.agreement, people="people")

    def _show_reasons(self, console: Console) -> None:
        """Every question with its level by the rules and what they found, and people's level."""
        table = plain_table("id", "level", "people")
        for column in ("reasons", "why"):
            table.add_column(column, overflow="fold")
        for id, judged_question in self.judgements.items():
            machine = judged_question.machine
            people = "" if judged_question.person is None else str(judged_question.person.level)
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
    from readmark.comprehension.levels.labels import (
        agreement_with_people,
        judge_levels,
        read_labels,
        with_levels,
    )
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


def _document(one: JudgedQuestion) -> dict[str, Any]:
    document: dict[str, Any] = {
        "level": one.level,
        "reasons": one.reasons,
        "sentences": one.machine.sentences,
        "why": one.machine.why,
        "mentions": [mention.as_json() for mention in one.machine.mentions],
        "by": one.by,
    }
    if one.given is not None:
        document["given"] = one.given
    if one.person is not None:
        document["machine"] = {"level": one.machine.level, "reasons": one.machine.reasons}
        document["people"] = [
            {"person": label.person, "level": label.level, "reasons": label.reasons}
            for label in one.people
        ]
    return document


def _agreement(agreement: LevelAgreement) -> dict[str, Any]:
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
        table.add_row(label, _percent(share), _interval(share), _kappa(kappa))
    console.print(table)
    matrix = plain_table(people, *(f"rules {level}" for level in LEVELS))
    for level, row in zip(LEVELS, agreement.confusion, strict=True):
        matrix.add_row(str(level), *(str(count) if count else "·" for count in row))
    console.print(matrix)


def _percent(one: Agreement) -> str:
    return numbers.percent(one.value)


def _interval(one: Agreement) -> str:
    return numbers.percent_interval(one.low, one.high)


def _kappa(one: Agreement) -> str:
    return numbers.mark(one.value, 1)
