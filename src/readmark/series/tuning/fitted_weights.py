"""What a fit to people's judgements gives: weights, and correlations on both halves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Console

from readmark.core import numbers
from readmark.core.display import Result, headline, plain_table
from readmark.series.printed_scores import score
from readmark.series.tuning.halves import Halves
from readmark.series.tuning.regression import Regression


@dataclass(frozen=True, slots=True)
class Correlations:
    """How a metric's scores correlate with people's, on one half."""

    questions: int
    pearson: float | None
    spearman: float | None


@dataclass(frozen=True, slots=True)
class FittedWeights(Result):
    """Weights fitted to people's judgements, compared with the document's."""

    series: str
    candidate: str
    metric: str
    halves: Halves
    seed: int
    regression: Regression
    train: Correlations
    held: Correlations
    default_metric: str
    default_train: Correlations
    default_held: Correlations
    signature: str
    errors: Sequence[str]
    """The questions that the sitting ended in an error on: the fit leaves them out."""
    notes: Sequence[str] = ()

    @property
    def failed(self) -> bool:
        """Whether a rewrite is an error."""
        return bool(self.errors)

    def as_json(self) -> dict[str, Any]:
        """The document that ``--json`` prints; notes go to stderr."""
        return {name: value for name, value in asdict(self).items() if name != "notes"}

    def show(self, console: Console) -> None:
        """The weights, and how they and the default correlate with people on each half."""
        text = f": fitted to judgements of {self.candidate}"
        console.print(headline("weights", " for ", self.series, text))
        self.halves.show(console)
        console.print(
            f"judgement = {numbers.decimal(self.regression.intercept, 3)} + "
            f"{numbers.decimal(self.regression.slope, 3)} x {self.metric}"
        )
        console.print(f"root mean square left: {numbers.decimal(self.regression.residual, 3)}")
        table = plain_table("metric", "half", "questions", "Pearson", "Spearman")
        rows: Sequence[tuple[str, str, Correlations]] = (
            (self.metric, "train", self.train),
            (self.metric, "held", self.held),
            (self.default_metric, "train", self.default_train),
            (self.default_metric, "held", self.default_held),
        )
        for metric, half, correlations in rows:
            table.add_row(
                metric,
                half,
                str(correlations.questions),
                score(correlations.pearson),
                score(correlations.spearman),
            )
        console.print(table)
        console.print(f"signature {self.signature}|seed:{self.seed}", style="dim", soft_wrap=True)
