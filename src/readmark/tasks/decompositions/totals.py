"""Scores and stated totals taken apart by the quantities of a domain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.text import Text

from readmark.core import numbers
from readmark.core.display import Result, counted, plain_table
from readmark.core.errors import DataError
from readmark.tasks.decompositions.open_totals import WITHIN
from readmark.tasks.decompositions.posterior import Combination, Explanation, explain, last_event
from readmark.tasks.decompositions.scheme import Scheme, read_scheme
from readmark.tasks.decompositions.score_readings import read_reading
from readmark.tasks.decompositions.stated_totals import ExplainedTotal, explain_totals
from readmark.tasks.domain_folders import domain_folder
from readmark.tasks.knowledge_base import Reasoning, knowledge_base
from readmark.tasks.reasoning.graphs import Statement

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

QUANTITIES = "decomposition.toml"
MOST = 10  # combinations that are shown, unless somebody asks for more


@dataclass(frozen=True, repr=False)
class Decomposed(Result):
    """What explains scores, and for each that names its last event, what made it."""

    scheme: Scheme
    explanation: Explanation
    lasts: Mapping[int, Mapping[str, Fraction]]
    most: int = MOST
    """How many combinations are printed."""

    def as_json(self) -> dict[str, Any]:
        """Combinations, hypotheses and what made the scores; chances are floats."""
        explanation = self.explanation
        return {
            "possible": explanation.possible,
            "sides": list(explanation.sides),
            "count": len(explanation.combinations),
            "combinations": self._combinations(explanation.combinations),
            "hypotheses": [
                {
                    "probability": float(hypothesis.probability),
                    "scores": [dict(scores) for scores in hypothesis.scores],
                    "leader": hypothesis.leader(),
                    "combinations": self._combinations(hypothesis.combinations),
                }
                for hypothesis in explanation.hypotheses
            ],
            "open": [
                {
                    "side": total.side,
                    "score": total.reading + 1,
                    "from": total.low,
                    "to": total.high,
                }
                for total in explanation.open
            ],
            "last": [
                {
                    "score": index + 1,
                    "events": {name: float(chance) for name, chance in chances.items()},
                }
                for index, chances in self.lasts.items()
            ],
        }

    def _combinations(self, combinations: Sequence[Combination]) -> list[dict[str, Any]]:
        return [
            {
                "probability": float(combination.probability),
                "counts": {side: dict(counts) for side, counts in combination.counts.items()},
                "told": {
                    side: self.scheme.words(counts) for side, counts in combination.counts.items()
                },
            }
            for combination in combinations[: self.most]
        ]

    def show(self, console: Console) -> None:
        """The hypotheses where there are several, what made scores, the likeliest combinations."""
        scheme, explanation = self.scheme, self.explanation
        if not explanation.possible:
            console.print("impossible: nothing explains it")
            return
        for total in explanation.open:
            line = (
                f"{total.side} is open from score {total.reading + 1} on: "
                f"{total.low} to {total.high}, "
                f"which {numbers.percent(WITHIN)} of sides stay within"
            )
            console.print(Text(line))
        for index, chances in self.lasts.items():
            words = ", ".join(
                f"{scheme.quantities[name].one or name} {_chance(chance)}"
                for name, chance in chances.items()
            )
            console.print(Text(f"score {index + 1} was made by: {words}"))
        if len(explanation.hypotheses) > 1:
            table = _table("probability", "scores", "ahead at last")
            for hypothesis in explanation.hypotheses[: self.most]:
                scores = "; ".join(
                    ", ".join(f"{side} {total}" for side, total in totals.items())
                    for totals in hypothesis.scores
                )
                leader = hypothesis.leader() or "none"
                table.add_row(_chance(hypothesis.probability), scores, leader)
            console.print(table)
            if (more := len(explanation.hypotheses) - self.most) > 0:
                console.print(numbers.and_more(more))
        console.print(counted(len(explanation.combinations), "combination"))
        table = _table("probability", *explanation.sides)
        for combination in explanation.combinations[: self.most]:
            sides = (scheme.words(combination.counts[side]) for side in explanation.sides)
            table.add_row(_chance(combination.probability), *sides)
        console.print(table)


def decompose(
    domain: str,
    scores: Sequence[str],
    *,
    sides: Sequence[str] = (),
    known: Sequence[str] = (),
    final: bool = True,
    most: int = MOST,
) -> Decomposed:
    """The combinations behind scores in their order, by a domain's name, folder or file."""
    scheme = _scheme(domain)
    readings = tuple(map(read_reading, scores))
    if len(readings) and not sides and not any(reading.scores for reading in readings):
        count = max(len(reading.either) for reading in readings)
        sides = ["total"] if count == 1 else [f"side {number}" for number in range(1, count + 1)]
    explanation = explain(scheme, readings, sides=sides, known=known, final=final)
    lasts = {
        index: last_event(scheme, readings, at=index, sides=sides, known=known, final=final)
        for index, reading in enumerate(readings)
        if reading.last is not None and explanation.possible
    }
    return Decomposed(scheme, explanation, lasts, most)


@dataclass(frozen=True, repr=False)
class StatedTotals(Result):
    """The totals that documents state or imply, with what explains each."""

    scheme: Scheme
    totals: Sequence[tuple[str, ExplainedTotal]]
    """Documents with a total each."""
    most: int = MOST

    @property
    def notes(self) -> tuple[str, ...]:
        """That there is no total, where there is none."""
        if self.totals:
            return ()
        return (f"nothing states or implies {self.scheme.total}: there is no total",)

    def as_json(self) -> dict[str, Any]:
        """The likeliest combinations of each total."""
        return {
            "totals": [
                {
                    "document": document,
                    "subject": explained.subject.text,
                    "total": explained.total,
                    "possible": explained.explanation.possible,
                    "combinations": [
                        {
                            "probability": float(combination.probability),
                            "counts": dict(next(iter(combination.counts.values()))),
                        }
                        for combination in explained.explanation.combinations[: self.most]
                    ],
                }
                for document, explained in self.totals
            ]
        }

    def show(self, console: Console) -> None:
        """The likeliest combinations of each total."""
        if not self.totals:
            return
        table = _table("document", "of", "total", "probability", "made up of")
        for document, (subject, total, explanation) in self.totals:
            head = (document, subject.text, str(total))
            if not explanation.possible:
                table.add_row(*head, "0", "impossible")
            for combination in explanation.combinations[: self.most]:
                words = self.scheme.words(next(iter(combination.counts.values())))
                table.add_row(*head, _chance(combination.probability), words)
                head = ("", "", "")
        console.print(table)


def decompose_stated(
    domain: str, inputs: Sequence[str], *, most: int = MOST, split: str | None = None
) -> StatedTotals:
    """The totals in the statements of tasks and files and in what follows from them.

    ``split`` selects documents of the tasks.
    """
    scheme = _scheme(domain)
    folder = Path(domain).parent if Path(domain).is_file() else domain_folder(domain)
    by_document: defaultdict[str, list[Statement]] = defaultdict(list)
    with knowledge_base(inputs, Reasoning(domain=str(folder), split=split)) as base:
        for statement in base.inference.statements():
            by_document[statement.graph].append(statement.statement)
    totals = [
        (document, explained)
        for document, statements in sorted(by_document.items())
        for explained in sorted(
            explain_totals(scheme, statements), key=lambda explained: explained.subject
        )
    ]
    return StatedTotals(scheme, totals, most)


def _scheme(domain: str) -> Scheme:
    """The quantities of a domain that ships, or those of a folder or file."""
    path = Path(domain)
    file = path if path.is_file() else domain_folder(domain) / QUANTITIES
    try:
        return read_scheme(file.read_text(encoding="utf-8"), file)
    except FileNotFoundError:
        raise DataError("the domain declares no quantities", file=file) from None
    except UnicodeDecodeError as error:
        raise DataError(f"not valid UTF-8 (byte {error.start + 1})", file=file) from None


def _chance(chance: Fraction) -> str:
    """A probability; only what is certain is shown as 1."""
    if chance == 1:
        return "1"
    text = numbers.decimal(float(chance), 4)
    if text == "1.0000":
        return "> 0.9999"
    return f"{float(chance):.1e}" if text == "0.0000" else text


def _table(*headings: str) -> Table:
    """A table whose columns hold words."""
    table = plain_table(*headings)
    for column in table.columns:
        column.justify = "left"
    return table
