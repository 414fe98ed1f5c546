"""The marks of a network after each epoch, by Readmark's own marking: which epoch is best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from readmark.comprehension.metrics.exact_match import ExactMatch
from readmark.comprehension.metrics.f1 import F1
from readmark.comprehension.span.network import torch_scorer
from readmark.comprehension.span.replies import read
from readmark.comprehension.span.shape import SpanShape
from readmark.comprehension.span.tokens import Tokenizer
from readmark.core.errors import DataError
from readmark.core.records import Answer, Unit
from readmark.core.test import Test
from readmark.formats.training_tests import TrainingTests


def checks_of(paths: Sequence[str | Path], tests: TrainingTests) -> dict[str, Test]:
    """The tests that are marked each epoch, by the names that their marks have."""
    stems = [Path(str(path)).stem for path in paths]
    checks: dict[str, Test] = {}
    for path, stem in zip(paths, stems, strict=True):
        test = tests.open(path)  # on the training record too: it chooses the best epoch
        test.require_kind("comprehension")
        keys = (unit.item.key for unit in test.units())
        if not any(key is not None and (key.answers or key.unanswerable) for key in keys):
            raise DataError("no question has a known answer to be marked by", file=test.file)
        checks[stem if stems.count(stem) == 1 else str(path)] = test
    return checks


def epoch_marker(
    checks: dict[str, Test],
    held_out: Sequence[tuple[Test, Sequence[Unit]]],
    shape: SpanShape,
    tokenizer: Tokenizer,
) -> Callable[[Any], dict[str, float]] | None:
    """A function from a network to its marks, first those that decide which epoch is best.

    Questions held out of several tests get one mark, their mean: a large test counts no more than
    a small one, or the epoch is chosen by the manner of its questions. None without any test.
    """
    held_out = [(test, units) for test, units in held_out if units]
    if not checks and not held_out:
        return None
    units_of_checks = {name: (test, list(test.units())) for name, test in checks.items()}

    def mark_network(network: Any) -> dict[str, float]:
        scorer = torch_scorer(network)
        marks: dict[str, float] = {}
        for test, units in held_out:
            for metric, mark in marked(test, units, shape, tokenizer, scorer).items():
                name = f"held {metric}"
                marks[name] = marks.get(name, 0.0) + mark / len(held_out)
        for check, (test, units) in units_of_checks.items():
            for metric, mark in marked(test, units, shape, tokenizer, scorer).items():
                marks[f"{check} {metric}"] = mark
        return marks

    return mark_network


def marked(
    test: Test,
    units: Sequence[Unit],
    shape: SpanShape,
    tokenizer: Tokenizer,
    scorer: Any,
    *,
    batch: int = 64,
) -> dict[str, float]:
    """F1 and EM of a scorer's answers to units of a test."""
    replies = read(
        [(unit.record.text, unit.item.text) for unit in units],
        shape,
        tokenizer,
        scorer,
        batch=batch,
    )
    marks: dict[str, float] = {}
    for name, metric in (("f1", F1().resolve(test)), ("em", ExactMatch().resolve(test))):
        total = count = 0.0
        for unit, reply in zip(units, replies, strict=True):
            text = ""
            if reply.answers:
                text = unit.record.text[reply.answers[0].start : reply.answers[0].end]
            references = test.kind.references(unit)
            gained, possible = metric.statistics(unit, references, Answer(text=text))
            total, count = total + gained, count + possible
        marks[name] = 100 * total / max(1.0, count)
    return marks
