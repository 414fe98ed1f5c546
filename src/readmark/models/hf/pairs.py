"""A question and a piece of a passage as one sequence, put together as a tokenizer itself does it.

Each tokenizer puts its own special tokens before, between and behind two texts. They are read off a
pair that it encodes; the texts are cut once each, so every token keeps its place in the passage.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import DataError
from readmark.models.span.tokens import Ints, Tokens
from readmark.models.span.windows import stretches

_PROBE = "1"


@dataclass(frozen=True, slots=True)
class Window:
    """One sequence for the network, and which of the passage's tokens it holds."""

    ids: Ints
    types: Ints
    low: int
    """The place in the window of its first token of the passage."""
    first: int
    """The number of that token in the passage."""
    count: int
    none: int
    """The place whose scores say that there is no answer."""


@dataclass(frozen=True, slots=True)
class _Special:
    ids: tuple[int, ...]
    types: tuple[int, ...]


class Pairs:
    """A fast tokenizer of transformers, and the way it joins two texts."""

    def __init__(self, tool: Any, name: str) -> None:
        if not getattr(tool, "is_fast", False):
            raise DataError(f"the tokenizer of {name} gives no offsets, so it cannot say where")
        self._tool = tool
        probe = tool(_PROBE, _PROBE, return_token_type_ids=True)
        owners = probe.sequence_ids(0)
        ids, types = probe["input_ids"], probe["token_type_ids"]
        asked = [at for at, owner in enumerate(owners) if owner == 0]
        read = [at for at, owner in enumerate(owners) if owner == 1]
        if not asked or not read or asked[-1] > read[0]:
            raise DataError(f"the tokenizer of {name} does not put a question before a passage")
        self._before = _special(ids, types, range(asked[0]))
        self._between = _special(ids, types, range(asked[-1] + 1, read[0]))
        self._behind = _special(ids, types, range(read[-1] + 1, len(ids)))
        self._types = types[asked[0]], types[read[0]]
        self._mark = tool.cls_token_id
        self.pad = int(tool.pad_token_id or 0)
        self.types = max(types) + 1
        """How many sorts of token it tells apart: two texts are of one or of two."""
        self.special = len(ids) - len(asked) - len(read)
        """How many tokens a window has beside the two texts'."""

    def cut(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text with their places, without special ones."""
        ready = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        cut = self._tool(
            ready,
            add_special_tokens=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        return [
            _tokens(ids, places, text)
            for ids, places, text in zip(
                cut["input_ids"], cut["offset_mapping"], ready, strict=True
            )
        ]

    def windows(
        self, question: Tokens, passage: Tokens, *, length: int, longest_question: int, stride: int
    ) -> Iterator[Window]:
        """The windows of a question and its passage, in the passage's order."""
        asked = question.ids[:longest_question]
        room = length - len(asked) - self.special
        for first, count in stretches(len(passage.ids), room, stride):
            held = passage.ids[first : first + count]
            pieces = (
                (self._before.ids, self._before.types),
                (asked, np.full(len(asked), self._types[0])),
                (self._between.ids, self._between.types),
                (held, np.full(count, self._types[1])),
                (self._behind.ids, self._behind.types),
            )
            ids = np.concatenate([np.asarray(one, np.int32) for one, _ in pieces])
            types = np.concatenate([np.asarray(one, np.int32) for _, one in pieces])
            low = len(self._before.ids) + len(asked) + len(self._between.ids)
            yield Window(ids, types, low, first, count, self._none(ids))

    def _none(self, ids: Ints) -> int:
        """Where the class token stands: first with most tokenizers, last with some."""
        at = np.flatnonzero(ids == self._mark) if self._mark is not None else ids[:0]
        return int(at[0]) if len(at) else 0

    def side_by_side(
        self, some: Sequence[Window]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Windows as one batch: ids, types and mask, filled up behind."""
        width = max(len(one.ids) for one in some)
        ids = np.full((len(some), width), self.pad, np.int64)
        types, mask = np.zeros_like(ids), np.zeros_like(ids)
        for row, one in enumerate(some):
            size = len(one.ids)
            ids[row, :size], types[row, :size], mask[row, :size] = one.ids, one.types, 1
        return ids, types, mask


def _special(ids: Sequence[int], types: Sequence[int], places: range) -> _Special:
    return _Special(tuple(ids[at] for at in places), tuple(types[at] for at in places))


def _tokens(ids: Sequence[int], places: Sequence[tuple[int, int]], text: str) -> Tokens:
    """Tokens and their places, without the spaces that some tokenizers count to them."""
    spans = np.array(places, dtype=np.int32).reshape(-1, 2)
    for at, (start, end) in enumerate(places):
        piece = text[start:end]
        if piece[:1].isspace() or piece[-1:].isspace():
            spans[at] = (
                start + len(piece) - len(piece.lstrip()),
                end - len(piece) + len(piece.rstrip()),
            )
            if spans[at, 0] > spans[at, 1]:  # nothing but space
                spans[at] = end, end
    return Tokens(np.array(ids, dtype=np.int32), spans[:, 0], spans[:, 1])
