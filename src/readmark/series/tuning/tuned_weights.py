"""What a search of weights gives: the best weightings and known ones, on both halves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from readmark.core.display import Result, headline, plain_table
from readmark.series.printed_scores import difference, score
from readmark.series.tuning.halves import Halves
from readmark.series.tuning.probes import Tried
from readmark.statistics.similarity.order_weights import OrderWeights


@dataclass(frozen=True, slots=True)
class Weighting:
    """Weights with what they do on both halves."""

    metric: str
    weights: OrderWeights
    train: Tried
    held: Tried
    meets: bool
    meets_held: bool
    why: str = ""
    """What they are shown for, when they were not found."""

    def as_json(self) -> dict[str, Any]:
        """Both halves with their gaps."""
        document = asdict(self)
        document["train"]["gap"], document["held"]["gap"] = self.train.gap, self.held.gap
        return document


@dataclass(frozen=True, slots=True)
class TunedWeights(Result):
    """The weightings with the largest gap that meet the requirements, then known ones."""

    series: str
    low: str
    high: str
    halves: Halves
    tried: int
    met: int
    order_cost: float
    seed: int
    found: Sequence[Weighting]
    beside: Sequence[Weighting]
    signature: str
    """What decided the numbers, besides weights and seed."""
    errors: Mapping[str, Sequence[str]]
    """The questions that a sitting ended in an error on, which count as wrong."""
    notes: Sequence[str] = ()

    @property
    def failed(self) -> bool:
        """Whether nothing was found, or a rewrite is an error."""
        return bool(self.errors) or not self.found

    def as_json(self) -> dict[str, Any]:
        """One document."""
        document: dict[str, Any] = Result.as_json(self)
        document["found"] = [weighting.as_json() for weighting in self.found]
        document["beside"] = [weighting.as_json() for weighting in self.beside]
        return document

    def show(self, console: Console) -> None:
        """The best weightings, then known ones, each on both halves."""
        size = f": {self.tried:,} weightings tried, {self.met:,} meet the requirements"
        console.print(headline("weights", " for ", self.series, size))
        self.halves.show(console)
        if not self.found:
            console.print("no weighting meets the requirements on the train half")
        table = plain_table("metric", "gap", "held", self.high, "moving", "losing", "meets")
        for weighting in (*self.found, *self.beside):
            name = weighting.metric
            table.add_row(
                f"{name} ({weighting.why})" if weighting.why else name,
                difference(weighting.train.gap),
                difference(weighting.held.gap),
                score(weighting.train.high),
                score(weighting.train.moving),
                score(weighting.train.losing),
                f"{_yes_or_no(weighting.meets)}, {_yes_or_no(weighting.meets_held)}",
            )
        console.print(table)
        console.print(
            f"gap: {self.high} less {self.low} on the train half, held: on the other; moving and "
            "losing: what a content word that is moved or lost costs; meets: identical is 1, the "
            f"gap is above 0, and {self.order_cost:g} <= moving < losing, on train and held",
            style="dim",
        )
        console.print(f"signature {self.signature}|seed:{self.seed}", style="dim", soft_wrap=True)


def _yes_or_no(meets: bool) -> str:
    return "yes" if meets else "no"
