"""A question and a piece of a passage as one sequence, as a tokenizer itself joins them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from readmark.comprehension.span.tokens import Tokens
from readmark.comprehension.span.windows import Window, stretches
from readmark.core.arrays import Ints32
from readmark.core.errors import DataError

_PROBE = "1"  # one text twice: what is around and between the two is special


class PairTokenizer:
    """A fast tokenizer of transformers, and the way it joins two texts."""

    def __init__(self, library_tokenizer: Any, name: str) -> None:
        if not getattr(library_tokenizer, "is_fast", False):
            raise DataError(f"the tokenizer of {name} gives no offsets, so it cannot say where")
        self._tokenizer = library_tokenizer
        probe = library_tokenizer(_PROBE, _PROBE, return_token_type_ids=True)
        owners = probe.sequence_ids(0)
        ids, types = probe["input_ids"], probe["token_type_ids"]
        question = [index for index, owner in enumerate(owners) if owner == 0]
        passage = [index for index, owner in enumerate(owners) if owner == 1]
        if not question or not passage or question[-1] > passage[0]:
            raise DataError(f"the tokenizer of {name} does not put a question before a passage")
        self._before = _special(ids, types, range(question[0]))
        self._between = _special(ids, types, range(question[-1] + 1, passage[0]))
        self._behind = _special(ids, types, range(passage[-1] + 1, len(ids)))
        self._types = types[question[0]], types[passage[0]]
        self._class_token = library_tokenizer.cls_token_id
        self.pad = int(library_tokenizer.pad_token_id or 0)
        self.types = max(types) + 1
        """How many types of token it distinguishes: two texts are of one or of two."""
        self.special = len(ids) - len(question) - len(passage)
        """How many tokens a window has in addition to the two texts'."""

    def cut(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text with their places, without special ones."""
        texts = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        encoding = self._tokenizer(
            texts,
            add_special_tokens=False,
            return_offsets_mapping=True,
            return_attention_mask=False,
            return_token_type_ids=False,
            verbose=False,
        )
        return [
            _tokens(ids, places, text)
            for ids, places, text in zip(
                encoding["input_ids"], encoding["offset_mapping"], texts, strict=True
            )
        ]

    def windows(
        self, question: Tokens, passage: Tokens, *, length: int, longest_question: int, stride: int
    ) -> Iterator[Window]:
        """The windows of a question and its passage, in the passage's order."""
        question_ids = question.ids[:longest_question]
        question_type, passage_type = self._types
        room = length - len(question_ids) - self.special
        low = len(self._before[0]) + len(question_ids) + len(self._between[0])
        for first, count in stretches(len(passage.ids), room, stride):
            parts = (
                self._before,
                (question_ids, np.full(len(question_ids), question_type, np.int32)),
                self._between,
                (passage.ids[first : first + count], np.full(count, passage_type, np.int32)),
                self._behind,
            )
            ids = np.concatenate([part_ids for part_ids, _ in parts])
            types = np.concatenate([part_types for _, part_types in parts])
            yield Window(ids, types, low, first, count, self._place_of_none(ids))

    def _place_of_none(self, ids: Ints32) -> int:
        """Where the class token occurs: first with most tokenizers, last with some."""
        if self._class_token is None:
            return 0
        places = np.flatnonzero(ids == self._class_token)
        return int(places[0]) if len(places) else 0


def _special(ids: Sequence[int], types: Sequence[int], places: range) -> tuple[Ints32, Ints32]:
    """The ids and types of the special tokens at some places."""
    return (
        np.array([ids[place] for place in places], np.int32),
        np.array([types[place] for place in places], np.int32),
    )


def _tokens(ids: Sequence[int], places: Sequence[tuple[int, int]], text: str) -> Tokens:
    """Tokens and their places, without the spaces that some tokenizers count to them."""
    spans = np.array(places, dtype=np.int32).reshape(-1, 2)
    for index, (start, end) in enumerate(places):
        piece = text[start:end]
        if piece[:1].isspace() or piece[-1:].isspace():
            spans[index] = (
                start + len(piece) - len(piece.lstrip()),
                end - len(piece) + len(piece.rstrip()),
            )
            if spans[index, 0] > spans[index, 1]:  # nothing but space
                spans[index] = end, end
    return Tokens(np.array(ids, dtype=np.int32), spans[:, 0], spans[:, 1])
