"""The span reader: the stretch of the passage that a small trained network holds for the answer."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readmark.corpus.errors import UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import Row
from readmark.corpus.values import Unit
from readmark.sitting.candidates import several_together
from readmark.sitting.nearest_option import RULES
from readmark.sitting.span_rows import SpanRows
from readmark.text.answer_sentences import SOURCE


@dataclass
class Span:
    """Answers with the likeliest stretch of text, its probability and the runners-up."""

    model: str = field(default="", metadata={"help": "a model's folder; the one that ships"})
    precision: str = field(
        default="int8",
        metadata={"help": "which export is run", "choices": ("int8", "float")},
    )
    # In 8 bits what is scored together shares its scales: alone, an answer hangs on no other.
    batch: int = field(default=1, metadata={"help": "windows that are scored together"})
    best: int = field(default=3, metadata={"help": "how many likely answers the evidence lists"})
    longest: int = field(default=0, metadata={"help": "tokens of an answer; the model's own"})
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
    threads: int = field(default=1, metadata={"help": "threads of the network"})
    _language: str = field(default="en", init=False, repr=False)
    _file: Path | None = field(default=None, init=False, repr=False)
    _parts: Any = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name, least in (("batch", 1), ("best", 1), ("longest", 0), ("threads", 0)):
            if getattr(self, name) < least:
                raise UsageError(f"{name}={getattr(self, name)} is less than {least}")

    def prepare(self, kind: Kind, language: str) -> None:
        from readmark.models.span.onnx_scoring import load_scorer, network_file
        from readmark.models.span.shape import read_shape
        from readmark.models.span.shipped import shipped
        from readmark.models.span.tokens import load_tokenizer

        self._language = language
        folder = Path(self.model) if self.model else shipped(language)
        shape = read_shape(folder)
        self._file = network_file(folder, self.precision)
        tokenizer = load_tokenizer(folder, simplify=shape.simplify)
        self._parts = shape, tokenizer, load_scorer(self._file, threads=self.threads)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return several_together(units, self._rows)

    def signature(self) -> Mapping[str, Any]:
        from importlib.metadata import version

        file = self._file
        return {
            "model": hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file else "",
            "sentences": SOURCE,
            "options": RULES,
            "onnxruntime": version("onnxruntime"),
            "tokenizers": version("tokenizers"),
        }

    def _rows(self, units: Sequence[Unit]) -> list[Row]:
        from readmark.models.span.reading import read

        shape, tokenizer, scorer = self._parts
        rows = SpanRows(self._language, self.no_answer, self.best)
        return rows.rows(
            units,
            lambda asked, many: read(
                asked,
                shape,
                tokenizer,
                scorer,
                batch=self.batch,
                many=many,
                longest=self.longest or None,
                decide=self.decide,
            ),
        )
