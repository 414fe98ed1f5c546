"""``readmark set adjudicate``: one gold test from two annotators' files and the decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from readmark import console as options
from readmark.console import OUTPUT_FILE
from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError
from readmark.core.numbers import and_more
from readmark.core.problems import ReportProblem
from readmark.core.test import Header, Placed, Test
from readmark.formats.registry import format_for, open_test, save_test
from readmark.making.crosscheck.adoption import AdoptedItems, Otherwise, adopt
from readmark.making.crosscheck.compared_layers import ComparedLayers, stated_layers
from readmark.making.crosscheck.comparison import WORK, compare, cross_check
from readmark.making.crosscheck.gold import gold_passage
from readmark.making.crosscheck.gold_faults import GoldFault, new_faults
from readmark.making.crosscheck.packed_passages import PackedPassages
from readmark.making.crosscheck.pairing import not_compared, pair_passages
from readmark.settling import (
    AdjudicationHeader,
    Disagreement,
    read_adjudication,
    read_decisions,
    require_work,
)

SHOWN = 20
"""How many undecided ids or contradictions are printed: enough to start with, on one screen."""
FIELD = "adjudication"
"""Field of the gold's header with who decided what. It is in the header because marks depend on
what is in a key, and not on who decided it."""


@click.command("adjudicate")
@click.argument("a")
@click.argument("b")
@click.option(
    "--decisions",
    required=True,
    metavar="ADJUDICATION",
    help="Adjudication file of `set crosscheck`, with its decisions filled in.",
)
@click.option(
    "-o", "--output", required=True, metavar="GOLD", help="Gold test to write.", type=OUTPUT_FILE
)
@click.option(
    "--undecided",
    type=click.Choice(["a", "b", "drop"]),
    help="Version to use for undecided disagreements: A's, B's or neither  [default: "
    "refuse to write while any is undecided]",
)
@options.split_option
@options.from_option
@click.option(
    "--to",
    "to_format",
    metavar="FORMAT",
    help="Format to write  [default: detected from GOLD's suffix]",
)
@options.json_option
def adjudicate_command(
    a: str,
    b: str,
    decisions: str,
    output: str,
    undecided: Otherwise | None,
    split: str | None,
    from_format: str | None,
    to_format: str | None,
    as_json: bool,
) -> None:
    """Make one gold annotation from two annotators' files A and B.

    GOLD has what both agree on and, where they differ, the decided version. Everything else
    comes from A, or from B if A lacks it. Nothing is written while disagreements are undecided
    (unless --undecided is given) or decisions contradict each other; both are reported. The
    header's field adjudication records who decided what.
    """
    require_distinct_files([output], [a, b, decisions])
    first = open_test(a, format=from_format, split=split)
    second = open_test(b, format=from_format, split=split)
    if Path(decisions).exists():
        header, lines = read_adjudication(decisions)
    else:  # crosscheck writes none where there is nothing to adjudicate
        check = cross_check(first, second)
        header, lines = read_decisions(decisions, check.header, check.rows)
    gold = adjudicate(first, second, header, lines, file=decisions, otherwise=undecided)
    gold = gold.saved(output, to_format)
    options.print_result(gold, as_json=as_json)
    options.notify(gold.notes)
    gold.require_written()


@dataclass(frozen=True)
class AdjudicatedTest(Result):
    """The merged test, or the problems that prevent it."""

    test: Test
    names: tuple[str, str]
    file: str
    """The adjudication file."""
    passages: int
    adopted: Sequence[AdoptedItems]
    undecided: Sequence[str]
    conflicts: Sequence[GoldFault]
    remarks: Sequence[str]
    """What was not compared."""
    output: str | None = None
    """The file that was written; None while disagreements are undecided or decisions conflict."""
    format: str = ""
    lost: Sequence[str] = ()
    """What the format cannot hold."""
    notes: tuple[str, ...] = field(default=(), repr=False)

    @property
    def decisions(self) -> dict[str, int]:
        """How many disagreements were decided each way."""
        return dict(Counter(items.decision for items in self.adopted))

    @property
    def people(self) -> dict[str, int]:
        """How many each person decided."""
        return dict(Counter(items.by for items in self.adopted if items.by))

    def saved(self, output: str, to_format: str | None = None) -> AdjudicatedTest:
        """Write the gold, unless problems prevent it."""
        format = to_format or format_for(Path(output), self.test)
        if self.undecided or self.conflicts:
            return replace(self, format=format, notes=tuple(self.remarks))
        lost = save_test(self.test, output, format=format)
        notes = (*self.remarks, *(f"{format}: {line}" for line in lost))
        return replace(self, output=output, format=format, lost=lost, notes=notes)

    def require_written(self) -> None:
        """Raise the problems that prevent the gold."""
        if self.undecided:
            count = len(self.undecided)
            which = counted(
                count,
                "disagreement is undecided; decide it",
                "disagreements are undecided; decide them",
            )
            raise DataError(
                f"{which}, or choose a version "
                "with --undecided a|b|drop (words and sentences are never dropped)",
                file=self.file,
            )
        if self.conflicts:
            first, *others = [
                f"{fault.part}: {fault.message}: "
                f"see {' and '.join(fault.decisions) or 'what both agree on'}"
                for fault in self.conflicts[:SHOWN]
            ]
            if len(self.conflicts) > SHOWN:
                others.append(and_more(len(self.conflicts) - SHOWN))
            options.notify(f"{self.file}: {line}" for line in others)
            raise DataError(first, file=self.file)

    def as_json(self) -> dict[str, Any]:
        return {
            "output": self.output,
            "format": self.format,
            "a": self.names[0],
            "b": self.names[1],
            "passages": self.passages,
            "decisions": self.decisions,
            "by": self.people,
            "undecided": self.undecided,
            "conflicts": self.conflicts,
            "lost": self.lost,
            "notes": self.remarks,
        }

    def show(self, console: Console) -> None:
        """What the gold was made of, or the ids that nobody decided."""
        for id in self.undecided[:SHOWN]:
            console.print(id, soft_wrap=True)
        if len(self.undecided) > SHOWN:
            console.print(and_more(len(self.undecided) - SHOWN))
        if self.undecided or self.conflicts:
            return
        console.print(
            f"{self.output}: {counted(self.passages, 'passage')}, "
            f"{counted(len(self.adopted), 'disagreement')} decided"
        )
        for title, counts in (("decision", self.decisions), ("decided by", self.people)):
            if counts:
                table = plain_table(title, "disagreements")
                for name, number in sorted(counts.items()):
                    table.add_row(name, f"{number:,}")
                console.print(table)


def adjudicate(
    a: Test,
    b: Test,
    header: AdjudicationHeader,
    decisions: Sequence[Disagreement],
    *,
    file: str,
    otherwise: Otherwise | None = None,
) -> AdjudicatedTest:
    """One gold test from two annotators' files and the decisions about where they differ.

    ``file`` is where the decisions were read; ``otherwise`` is what undecided places get.
    """
    a.require_kind("comprehension")
    layers = _compared_layers(header, a, file)
    names = header.a, header.b
    pairs = pair_passages(a, b, common=bool(header.fields.get("common")))
    lines = {line.id: line for line in decisions}
    differences: set[str] = set()
    gold_passages = PackedPassages()
    adopted: list[AdoptedItems] = []
    undecided: list[str] = []
    conflicts: list[GoldFault] = []
    for first, second in pairs:
        compared = compare(first, second, layers)
        differences.update(difference.id for difference in compared.differences)
        adopted_here, undecided_here = adopt(compared, lines, file=file, otherwise=otherwise)
        adopted += adopted_here
        undecided += undecided_here
        if not undecided_here:
            source = f"adjudicated({names[0]},{names[1]})"
            passage = gold_passage(first, second, layers, adopted_here, source=source)
            conflicts += new_faults(passage, first, second, adopted_here)
            gold_passages.add(passage)
    stale = [
        id for id, line in lines.items() if id not in differences and line.decision is not None
    ]
    if stale:
        raise DataError(
            f"is not a disagreement of these files ({len(stale)} such); run set crosscheck again",
            file=file,
            where=stale[0],
        )

    def stream(_: ReportProblem) -> Iterator[Placed]:
        for passage in gold_passages.passages():
            yield passage.id, passage

    gold = AdjudicatedTest(
        a,
        names,
        file,
        passages=len(gold_passages),
        adopted=adopted,
        undecided=undecided,
        conflicts=conflicts,
        remarks=not_compared(pairs, names),
    )
    return replace(gold, test=Test(_gold_header(a.header, b.header, gold), stream, a.file))


def _compared_layers(header: AdjudicationHeader, a: Test, file: str) -> ComparedLayers:
    """The layers that the file is about; a file of other work or another test is refused."""
    require_work(header, WORK, file)
    if header.paper is not None and header.paper != a.facts.paper:
        raise DataError(f"is about another test than {a.file}", file=file)
    layers = stated_layers(header)
    if layers is None:
        message = "does not state in fields.layers what was compared"
        raise DataError(message, file=file, where=1)
    return layers


def _gold_header(a: Header, b: Header, gold: AdjudicatedTest) -> Header:
    """A's header with what only B's says, and who decided what; formats of layers say little."""
    about: dict[str, Any] = {
        "a": gold.names[0],
        "b": gold.names[1],
        "decisions": gold.decisions,
        **({"by": gold.people} if gold.people else {}),
    }
    fields = {**b.fields, **a.fields}
    if FIELD in fields:  # a third annotator in addition to the gold of two
        about["before"] = fields[FIELD]
    about["decided"] = {
        items.difference.id: items.record()
        for items in gold.adopted
        if items.decision in ("a", "b", "other")
    }
    common = {
        name: getattr(a, name) or getattr(b, name)
        for name in ("name", "language", "licence", "source", "profile")
    }
    hidden = tuple(dict.fromkeys((*a.hidden, *b.hidden)))
    return msgspec.structs.replace(a, **common, hidden=hidden, fields={**fields, FIELD: about})
