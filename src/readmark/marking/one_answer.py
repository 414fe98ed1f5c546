"""One answer scored against references, without files: `readmark.score` and `readmark score`."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.console import Console

from readmark.core.display import Result, plain_table
from readmark.core.errors import UsageError
from readmark.core.kinds import KINDS, kind_named
from readmark.core.language import language_of, primary
from readmark.core.numbers import mark
from readmark.core.parsed_names import parse_name
from readmark.core.sitting import Row
from readmark.core.test import Header, in_memory
from readmark.marking.function_metric import FunctionMetric, MetricInput
from readmark.marking.kind_extras import MakesRecords
from readmark.marking.metrics import METRICS, build_metrics, is_additive


class Score(float, Result):
    """A metric's value for one answer: a float that knows its metric and signature."""

    metric: str
    signature: Mapping[str, str]

    @classmethod
    def of(cls, value: float, metric: str, signature: Mapping[str, str]) -> Score:
        """A value with what decided it."""
        score = cls(value)
        score.metric, score.signature = metric, signature
        return score

    def as_json(self) -> dict[str, Any]:
        """The document that ``score --json`` prints."""
        signature = "|".join(f"{name}:{value}" for name, value in self.signature.items())
        return {"metric": self.metric, "score": float(self), "signature": signature}

    def show(self, console: Console) -> None:
        """Print the number."""
        console.print(mark(float(self), 1))

    def __str__(self) -> str:
        return float.__repr__(self)

    def _repr_html_(self) -> str:
        return str(self)


def score(
    metric: MetricInput,
    answer: Any,
    references: Sequence[Any] | str,
    *,
    language: str | None = None,
) -> Score:
    """One answer against references: ``score("f1", "北京市", ["北京"], language="zh")``.

    ``metric`` is a name with or without parameters, such as ``"f1(profile=cmrc2018)"``, or a
    function of the answer and the references. Each reference is another person's. ``language``
    decides the default profile and is detected from the texts unless given. The value is the
    metric's for a single unit, unscaled, as ``per_unit`` of ``mark --json`` has it: 0 to 1 for
    ``em``, ``f1`` and the similarities.
    """
    references = _alternatives(references)
    if not references:
        raise UsageError("`references` are empty; expected one or more")
    if not isinstance(metric, str):
        function = FunctionMetric(metric)
        value = function.value(answer, references)
        return Score.of(value, function.name, {"metric": function.name, **function.signature()})
    kind = _kind(metric)
    language = language or language_of(map(str, (answer, *references)))
    header = Header(kind=kind.name, name="score", language=language)
    test = in_memory(header, [kind.record_of(references)])
    unit = next(test.units())
    [(name, resolved)] = build_metrics([metric], test).items()
    if not is_additive(resolved):
        raise UsageError(f"metric {name} has no value for a single answer: mark a sitting with it")
    row = Row(unit.id, answer)
    vector = resolved.statistics(unit, kind.references(unit), kind.read_answer(row))
    value = float(resolved.aggregate(np.asarray(vector, dtype=np.float64)))
    if not math.isfinite(value):
        raise UsageError(
            f"metric {name} needs the question and passage of a test: mark a sitting with it"
        )
    return Score.of(value, name, {"metric": name, **resolved.signature()})


@dataclass(frozen=True, repr=False)
class AnswerScores(Result):
    """The values of several metrics for one answer."""

    scores: tuple[Score, ...]
    language: str

    def __iter__(self) -> Iterator[Score]:
        return iter(self.scores)

    def as_json(self) -> dict[str, Any]:
        """The document that ``score --json`` prints; of one metric, its members too."""
        alone = self.scores[0].as_json() if len(self.scores) == 1 else {}
        return alone | {"language": self.language, "scores": self.table_rows()}

    def table_rows(self) -> list[dict[str, Any]]:
        """One row per metric."""
        return [score.as_json() for score in self.scores]

    def show(self, console: Console) -> None:
        """Print the number, or a table where there are several."""
        if len(self.scores) == 1:
            self.scores[0].show(console)
            return
        table = plain_table("metric", "score")
        for score in self.scores:
            table.add_row(score.metric, mark(float(score), 1))
        console.print(table)


_METRIC = re.compile(r"""[^,()"']+(?:\((?:"[^"]*"|'[^']*'|[^()"'])*\))?""")


def score_all(
    metrics: str, answer: Any, references: Sequence[Any] | str, *, language: str | None = None
) -> AnswerScores:
    """One answer by several metrics, with commas between them: ``em,f1(profile=zh)``."""
    names = [name.strip() for name in _METRIC.findall(metrics)]
    if "".join(metrics.split()) != ",".join("".join(name.split()) for name in names):
        names = [metrics]  # not a list: the error is about the name as it was typed
    references = _alternatives(references)
    language = language or language_of(map(str, (answer, *references)))
    scores = [score(name, answer, references, language=language) for name in dict.fromkeys(names)]
    return AnswerScores(tuple(scores), primary(language))


def _alternatives(references: Sequence[Any] | str) -> list[Any]:
    """References as a list; a text alone is one, and no list of letters."""
    return [references] if isinstance(references, str) else list(references)


def _kind(metric: str) -> Any:
    """The kind of test that a metric marks, which must say how a single unit is made."""
    base = parse_name(metric).base
    kinds = METRICS.kinds(base) or tuple(KINDS)
    for name in kinds:
        kind = kind_named(name)
        if isinstance(kind, MakesRecords):
            return kind
    raise UsageError(f"metric {base} marks whole {' or '.join(kinds)} tests, not single answers")
