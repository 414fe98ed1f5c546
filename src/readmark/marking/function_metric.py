"""A function of an answer and its references as a metric: the mean of what it returns."""

from __future__ import annotations

import hashlib
import inspect
import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.records import Answer, Unit
from readmark.hooks import MetricFacts

MetricFunction = Callable[[Any, Sequence[Any]], float]
"""Takes the answer and the references: texts where answers are texts, else what the kind has."""
MetricInput = str | MetricFunction
"""A registered name with or without parameters, or a function."""

_NOT_IN_NAMES = re.compile(r"[^a-z0-9_.-]+")


class FunctionMetric:
    """Marks by a function; its ``facts`` are the function's own, if it has any."""

    def __init__(self, function: MetricFunction) -> None:
        named = getattr(function, "__name__", type(function).__name__).strip("<>")
        self.name = _NOT_IN_NAMES.sub("_", named.lower())
        self.facts: MetricFacts = replace(getattr(function, "facts", MetricFacts()), width=2)
        self._function = function

    def value(self, answer: Any, references: Sequence[Any]) -> float:
        """What the function returns for one answer."""
        return float(self._function(answer, references))

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        """(value, 1); an unanswered unit has the worst value, which is 0 unless facts state it."""
        if answer is None:
            return self.facts.worst, 1.0
        answers = [_plain(reference) for person in references for reference in person]
        return self.value(_plain(answer), answers), 1.0

    def aggregate(self, sums: Floats) -> Floats:
        """The mean."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(sums[..., 0] / sums[..., 1])

    def signature(self) -> Mapping[str, str]:
        """The function by its source, as far as Python has that, and how units come together."""
        source = _source_digest(self._function)
        facts = self.facts
        stated = {"scale": (facts.scale, 1.0), "best": (facts.best, 1.0)}
        return {
            "function": self.name if source is None else f"{self.name}-{source}",
            "unanswered": f"{facts.worst:g}",
            **{name: f"{value:g}" for name, (value, usual) in stated.items() if value != usual},
            "units": "mean",
        }


def recorded_function(signature: str) -> FunctionMetric | None:
    """The metric of a marksheet that a function was, as far as its vectors can be marked again."""
    rules = dict(part.partition(":")[::2] for part in signature.split("|"))

    def gone(answer: Any, references: Sequence[Any]) -> float:
        raise NotImplementedError("a marksheet has the vectors of a function, and not the function")

    try:
        if not rules["function"].startswith(rules["metric"]):
            return None
        scale, best = float(rules.get("scale", 1)), float(rules.get("best", 1))
        facts = MetricFacts(scale=scale, best=best, worst=float(rules["unanswered"]))
    except (KeyError, ValueError):  # another metric's signature, or a damaged one
        return None
    gone.__name__, gone.facts = rules["metric"], facts  # type: ignore[attr-defined]
    return FunctionMetric(gone)


def _plain(answer: Any) -> Any:
    """A text for an answer in words; whatever the kind's answers are otherwise."""
    return answer.text if isinstance(answer, Answer) else answer


def _source_digest(function: MetricFunction) -> str | None:
    """The beginning of a hash of a function's source; None where there is none, as of built-ins."""
    try:
        source = textwrap.dedent(inspect.getsource(function))
    except (OSError, TypeError):
        return None
    return hashlib.sha256(source.encode()).hexdigest()[:12]
