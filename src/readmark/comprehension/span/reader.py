"""The span reader: the stretch of the passage that a small network predicts to be the answer."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from readmark.comprehension.options.choice import RULES
from readmark.comprehension.span.confidence import SpanConfidence
from readmark.comprehension.span.model import (
    SpanModel,
    load_span,
    shipped_model,
    span_libraries,
)
from readmark.comprehension.span.rows import SpanRows
from readmark.core.errors import UsageError
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import PER_LANGUAGE, Row
from readmark.hooks import Kind
from readmark.sitting import answer_in_batches
from readmark.text.answers.sentences import SOURCE
from readmark.text.training_record import SCORES, TrainingRecord
from readmark.text.training_record_files import recorded_in

AUTO = "auto"
"""The threshold that was fitted for the model."""
GPU_BATCH = 512
"""Windows that are scored together on a GPU; a batch that memory has no room for is halved."""


def threshold_of(value: Any) -> float | str:
    """A threshold as it is written: a number, or the model's own."""
    if value == AUTO:
        return AUTO
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise UsageError(f"no_answer={value} is neither a number nor {AUTO}")
    return number


@dataclass
class SpanReader:
    """Answers with the likeliest stretch of text, its probability and the runners-up."""

    model: str = parameter("", help="model folder; default: the reader that ships")
    precision: str = parameter(
        "int8", choices=("int8", "float"), help="which exported network to run"
    )
    # In 8 bits what is scored together shares its scales: alone, an answer hangs on no other.
    batch: int | None = parameter(
        None, help="windows per batch; default: 1; on a GPU 512, or fewer if memory runs out"
    )
    best: int = parameter(3, help="likely answers that the evidence lists")
    longest: int = parameter(0, help="maximum tokens per answer; default: the model's own")
    decide: str = parameter(
        "em",
        choices=("em", "f1"),
        help="answer with the likeliest span, or the one with the greatest expected F1",
    )
    no_answer: str | float | None = parameter(
        None,
        help="give no answer where the score of having none is higher than this number; "
        "auto: the model's own threshold",
        spelt=threshold_of,
    )
    threads: int = parameter(1, help="CPU threads")
    device: str = parameter(
        "auto",
        choices=("auto", "cpu", "cuda"),
        help="default: a GPU for float networks where there is one",
    )
    _language: str = field(default="en", init=False, repr=False)
    _network: SpanModel | None = field(default=None, init=False, repr=False)
    _threshold: float | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.no_answer is not None:
            threshold = threshold_of(self.no_answer)
            if threshold != AUTO:  # that one is known when the model is loaded
                self._threshold = float(threshold)
        for name, least in (("batch", 1), ("best", 1), ("longest", 0), ("threads", 0)):
            if (value := getattr(self, name)) is not None and value < least:
                raise UsageError(f"{name}={value} is less than {least}")

    def prepare(self, kind: Kind, language: str) -> None:
        self._language = language
        folder = self._folder()
        self._network = load_span(
            folder, precision=self.precision, threads=self.threads, device=self.device
        )
        if self.no_answer == AUTO:
            confidence = self._network.shape.confidence
            if confidence is None:
                raise UsageError(
                    f"{folder} has no threshold of its own: give a number, or fit one with "
                    "readmark train span --scores"
                )
            self._threshold = confidence.no_answer

    def training_record(self) -> TrainingRecord | None:
        """What the network learnt from, and the threshold where it decides."""
        record = recorded_in(self._folder())
        return record if record is None or self.no_answer == AUTO else record.without(SCORES)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return answer_in_batches(units, self._rows, windows=self._batch())

    def signature(self) -> Mapping[str, Any]:
        confidence = self._network.shape.confidence if self._network else None
        device = self._network.device if self._network else "cpu"
        signature: dict[str, Any] = {
            "model": self._network.fingerprint() if self._network else "",
            "sentences": SOURCE,
            "options": RULES,
            **span_libraries(),
        }
        per_language = ["model"]
        if confidence is not None:
            signature["confidence"] = _fingerprint(confidence)
            per_language.append("confidence")
        if not self.model:  # each language has its own reader
            signature[PER_LANGUAGE] = per_language
        if device != "cpu":
            signature["device"] = device
        return signature

    def _folder(self) -> Path:
        return Path(self.model) if self.model else shipped_model(self._language)

    def _batch(self) -> int:
        on_gpu = self._network is not None and self._network.device == "cuda"
        return self.batch or (GPU_BATCH if on_gpu else 1)

    def _rows(self, units: Sequence[Unit]) -> list[Row]:
        from readmark.comprehension.span.replies import read

        assert self._network is not None
        _, shape, tokenizer, scorer, _ = self._network
        rows = SpanRows(self._language, self._threshold, self.best, shape.confidence)
        return rows.rows(
            units,
            lambda pairs, count: read(
                pairs,
                shape,
                tokenizer,
                scorer,
                batch=self._batch(),
                count=count,
                longest=self.longest or None,
                decide=self.decide,
            ),
        )


def _fingerprint(confidence: SpanConfidence) -> str:
    return hashlib.sha256(msgspec.json.encode(confidence)).hexdigest()[:12]
