"""Reading with a model of transformers: windows, scores and spans, as the span reader has them."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import DataError
from readmark.models.hf.loading import Loaded
from readmark.models.hf.pairs import Window
from readmark.models.span.decoding import Scored
from readmark.models.span.reading import Reply, reply_of
from readmark.models.span.tokens import Tokens


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
