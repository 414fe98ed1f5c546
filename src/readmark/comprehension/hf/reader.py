"""Reading with a model of transformers: windows, scores and spans, as the span reader has them."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.baselines import RULES
from readmark.comprehension.hf.models import Loaded, Window
from readmark.comprehension.span.answers import Reply, Scored, reply_of
from readmark.comprehension.span.reader import SpanRows
from readmark.comprehension.span.tokens import Tokens
from readmark.core.errors import DataError, UsageError
from readmark.core.extras import require
from readmark.core.kinds import Kind
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.sitting.candidates import several_together
from readmark.text.answers.places import SOURCE


def read(
    asked: Sequence[tuple[str, str]],
    model: Loaded,
    *,
    stride: int,
    longest: int,
    question: int,
    batch: int,
    many: int,
    decide: str,
) -> list[Reply]:
    """The replies to pairs of passage and question; windows of like length go together."""
    texts = list(dict.fromkeys(text for text, _ in asked))
    passages = dict(zip(texts, model.pairs.cut(texts), strict=True))
    questions = model.pairs.cut([one for _, one in asked])
    work = [
        (at, window)
        for at, ((text, _), one) in enumerate(zip(asked, questions, strict=True))
        for window in _windows(model, one, passages[text], question, stride)
    ]
    scored: list[list[Scored]] = [[] for _ in asked]
    order = sorted(range(len(work)), key=lambda at: len(work[at][1].ids))
    for first in range(0, len(order), batch):
        some = [work[at] for at in order[first : first + batch]]
        scores = _scores(model, [window for _, window in some])
        for row, (number, one) in enumerate(some):
            own = scores[row, one.low : one.low + one.count]
            none = float(scores[row, one.none].sum())
            scored[number].append(Scored(one.first, own[:, 0], own[:, 1], none))
    return [
        reply_of(scored[at], passages[text], longest, many, decide)
        for at, (text, _) in enumerate(asked)
    ]


def require_scores(model: Loaded, name: str) -> None:
    """Refuse a network that gives anything but a start and an end score a token, by one window."""
    question, passage = model.pairs.cut(["Who?", "Anna keeps goats."])
    window = _windows(model, question, passage, len(question.ids), 0)[0]
    try:
        scores = _scores(model, [window])
    except Exception as error:  # each network has its own way to fail
        said = " ".join(str(error).split())[:200]
        raise DataError(f"{name} does not score starts and ends: {said}") from error
    if scores.shape != (1, len(window.ids), 2):
        raise DataError(f"{name} does not score starts and ends: its scores are {scores.shape}")


def _windows(
    model: Loaded, question: Tokens, passage: Tokens, longest_question: int, stride: int
) -> list[Window]:
    if not len(passage.ids):
        return []
    longest_question = min(longest_question, model.length // 2)
    return list(
        model.pairs.windows(
            question,
            passage,
            length=model.length,
            longest_question=longest_question,
            stride=stride,
        )
    )


def _scores(model: Loaded, some: Sequence[Window]) -> NDArray[np.float32]:
    """Starts and ends of a batch (windows, tokens, 2)."""
    require("torch")
    import torch

    given = dict(
        zip(
            ("input_ids", "token_type_ids", "attention_mask"),
            model.pairs.side_by_side(some),
            strict=True,
        )
    )
    if not _takes_types(model):
        del given["token_type_ids"]
    with torch.inference_mode():
        said: Any = model.network(
            **{name: torch.from_numpy(one).to(model.device) for name, one in given.items()}
        )
        both = torch.stack([said.start_logits, said.end_logits], -1)
    return np.asarray(both.float().cpu().numpy(), dtype=np.float32)


def _takes_types(model: Loaded) -> bool:
    """Whether the network is told which text a token is of; some know fewer types than given."""
    known = "token_type_ids" in inspect.signature(model.network.forward).parameters
    types = getattr(model.network.config, "type_vocab_size", None)
    return known and model.pairs.types > 1 and (types is None or types >= model.pairs.types)


# Any question-answering model of transformers, from a folder or from the hub.


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
        from readmark.comprehension.hf.models import load

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
