"""Any question-answering model of transformers, from a folder or from the hub."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.corpus.errors import UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import several_together
from readmark.sitting.nearest_option import RULES
from readmark.sitting.span_rows import SpanRows
from readmark.text.answer_sentences import SOURCE

_STRIDE = 128


@dataclass
class Hf:
    """Answers with the likeliest stretch of text; its place is the tokenizer's own."""

    model: str = field(default="", metadata={"help": "a folder, or a name on the hub"})
    revision: str = field(default="", metadata={"help": "of a model on the hub; main"})
    download: bool = field(default=False, metadata={"help": "may be fetched from the hub"})
    device: str = field(default="auto", metadata={"help": "cpu, cuda, mps; the best there is"})
    length: int = field(default=0, metadata={"help": "tokens of a window; what the model takes"})
    stride: int | None = field(
        default=None, metadata={"help": "tokens that two windows share; 128, or half of a window"}
    )
    question: int = field(default=64, metadata={"help": "tokens of a question that are read"})
    longest: int = field(default=30, metadata={"help": "tokens of an answer"})
    batch: int = field(default=16, metadata={"help": "windows that are scored together"})
    best: int = field(default=3, metadata={"help": "how many likely answers the evidence lists"})
    decide: str = field(
        default="em",
        metadata={
            "help": "the likeliest answer, or that of greatest expected F1",
            "choices": ("em", "f1"),
        },
    )
    no_answer: float | None = field(
        default=None, metadata={"help": "the score of no answer above which there is none"}
    )
    threads: int = field(default=0, metadata={"help": "threads on a processor; torch's own number"})
    _language: str = field(default="en", init=False, repr=False)
    _loaded: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("question", "longest", "batch", "best"):
            if getattr(self, name) < 1:
                raise UsageError(f"{name}={getattr(self, name)} is less than 1")
        for name in ("stride", "length", "threads"):
            if (getattr(self, name) or 0) < 0:
                raise UsageError(f"{name}={getattr(self, name)} is less than 0")

    def prepare(self, kind: Kind, language: str) -> None:
        from readmark.models.hf.loading import load
        from readmark.models.hf.reading import require_scores

        self._language = language
        self._loaded = load(
            self.model,
            revision=self.revision,
            download=self.download,
            device=self.device,
            length=self.length,
            threads=self.threads,
        )
        half = self._loaded.length // 2
        if self.stride is not None and self.stride > half:
            raise UsageError(
                f"stride={self.stride} is more than half of a window of "
                f"{self._loaded.length} tokens"
            )
        require_scores(self._loaded, self.model)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return several_together(units, self._rows)

    def signature(self) -> Mapping[str, Any]:
        from importlib.metadata import version

        loaded = self._loaded
        return {
            "model": loaded.identity if loaded else "",
            "length": loaded.length if loaded else 0,
            "device": loaded.device if loaded else "",
            "sentences": SOURCE,
            "options": RULES,
            **{name: version(name) for name in ("torch", "transformers", "tokenizers")},
        }

    def _rows(self, units: Sequence[Unit]) -> list[Row]:
        from readmark.models.hf.reading import read

        rows = SpanRows(self._language, self.no_answer, self.best)
        return rows.rows(
            units,
            lambda asked, many: read(
                asked,
                self._loaded,
                stride=_STRIDE if self.stride is None else self.stride,
                longest=self.longest,
                question=self.question,
                batch=self.batch,
                many=many,
                decide=self.decide,
            ),
        )
