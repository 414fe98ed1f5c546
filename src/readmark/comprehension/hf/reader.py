"""The reader ``hf``: windows, scores and spans as the span reader has them, by any such model."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.hf.loading import LoadedModel, load
from readmark.comprehension.options.choice import RULES
from readmark.comprehension.span.reader import GPU_BATCH
from readmark.comprehension.span.replies import read_windows
from readmark.comprehension.span.rows import SpanRows
from readmark.comprehension.span.tokens import Tokens
from readmark.comprehension.span.windows import Window, as_batch
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require
from readmark.core.records import Unit
from readmark.core.registry import parameter
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.sitting import answer_in_batches
from readmark.text.answers.sentences import SOURCE

_STRIDE = 128  # as in the library's own examples
_BATCH = 16


@dataclass
class Hf:
    """Answers with the likeliest stretch of text; its place is the tokenizer's own."""

    model: str = parameter("", help="model folder, or a name on the Hugging Face hub")
    revision: str = parameter("", help="revision of a model on the hub; default: main")
    download: bool = parameter(False, help="allow downloading the model from the hub")
    device: str = parameter("auto", help="cpu, cuda or mps; default: the best one available")
    length: int = parameter(0, help="maximum tokens per window; default: what the model takes")
    stride: int | None = parameter(
        None, help="tokens that neighbouring windows share; default: 128, at most half a window"
    )
    question: int = parameter(64, help="maximum tokens per question")
    longest: int = parameter(30, help="maximum tokens per answer")
    batch: int | None = parameter(
        None, help="windows per batch; default: 16; on a GPU 512, or fewer if memory runs out"
    )
    best: int = parameter(3, help="likely answers that the evidence lists")
    decide: str = parameter(
        "em",
        choices=("em", "f1"),
        help="answer with the likeliest span, or the one with the greatest expected F1",
    )
    no_answer: float | None = parameter(
        None, help="threshold: give no answer where the score of having none is higher"
    )
    threads: int = parameter(0, help="CPU threads; default: torch's own number")
    _language: str = field(default="en", init=False, repr=False)
    _model: LoadedModel | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("question", "longest", "batch", "best"):
            if (value := getattr(self, name)) is not None and value < 1:
                raise UsageError(f"{name}={value} is less than 1")
        for name in ("stride", "length", "threads"):
            if (getattr(self, name) or 0) < 0:
                raise UsageError(f"{name}={getattr(self, name)} is less than 0")

    def prepare(self, kind: Kind, language: str) -> None:
        self._language = language
        self._model = load(
            self.model,
            revision=self.revision,
            download=self.download,
            device=self.device,
            length=self.length,
            threads=self.threads,
        )
        length = self._model.length
        if self.stride is not None and self.stride > length // 2:
            raise UsageError(
                f"stride={self.stride} is more than half of a window of {length} tokens"
            )
        _require_scores(self._model, self.model)

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return answer_in_batches(units, self._rows, windows=self._batch())

    def signature(self) -> Mapping[str, Any]:
        from importlib.metadata import version

        model = self._model
        return {
            "model": model.identity if model else "",
            "length": model.length if model else 0,
            "device": model.device if model else "",
            "sentences": SOURCE,
            "options": RULES,
            **{name: version(name) for name in ("torch", "transformers", "tokenizers")},
        }

    def _batch(self) -> int:
        on_gpu = self._model is not None and self._model.device.startswith("cuda")
        return self.batch or (GPU_BATCH if on_gpu else _BATCH)

    def _rows(self, units: Sequence[Unit]) -> list[Row]:
        model = self._model
        assert model is not None
        stride = _STRIDE if self.stride is None else self.stride
        rows = SpanRows(self._language, self.no_answer, self.best)
        return rows.rows(
            units,
            lambda pairs, count: read_windows(
                pairs,
                cut=model.pairs.cut,
                windows=lambda question, passage: _windows(
                    model, question, passage, self.question, stride
                ),
                score=lambda batched: _scores(model, batched),
                longest=self.longest,
                batch=self._batch(),
                count=count,
                decide=self.decide,
            ),
        )


def _require_scores(model: LoadedModel, name: str) -> None:
    """Refuse a network that gives anything but a start and an end score a token, by one window."""
    question, passage = model.pairs.cut(["Who?", "Anna keeps goats."])
    window = next(_windows(model, question, passage, len(question.ids), 0))
    try:
        scores = _scores(model, [window])
    except Exception as error:  # each network has its own way to fail
        reason = " ".join(str(error).split())[:200]
        raise DataError(f"{name} does not score starts and ends: {reason}") from error
    if scores.shape != (1, len(window.ids), 2):
        raise DataError(f"{name} does not score starts and ends: its scores are {scores.shape}")


def _windows(
    model: LoadedModel, question: Tokens, passage: Tokens, longest_question: int, stride: int
) -> Iterator[Window]:
    return model.pairs.windows(
        question,
        passage,
        length=model.length,
        longest_question=min(longest_question, model.length // 2),
        stride=stride,
    )


def _scores(model: LoadedModel, windows: Sequence[Window]) -> NDArray[np.float32]:
    """Starts and ends of a batch (windows, tokens, 2)."""
    require("torch")
    import torch

    ids, types, mask = as_batch(windows, model.pairs.pad)
    inputs = {"input_ids": ids, "attention_mask": mask}
    if _takes_types(model):
        inputs["token_type_ids"] = types
    with torch.inference_mode():
        output: Any = model.network(
            **{name: torch.from_numpy(array).to(model.device) for name, array in inputs.items()}
        )
        scores = torch.stack([output.start_logits, output.end_logits], -1)
    return np.asarray(scores.float().cpu().numpy(), dtype=np.float32)


def _takes_types(model: LoadedModel) -> bool:
    """Whether the network takes each token's type, and knows as many types as there are."""
    is_parameter = "token_type_ids" in inspect.signature(model.network.forward).parameters
    types = getattr(model.network.config, "type_vocab_size", None)
    return is_parameter and model.pairs.types > 1 and (types is None or types >= model.pairs.types)
