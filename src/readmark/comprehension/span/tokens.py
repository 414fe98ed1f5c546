"""Tokens of a text with their places, and the tokenizer of a model's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from readmark.core.arrays import Ints32
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.text.script import simplified

TOKENS_FILE = "tokenizer.json"
# Some vocabularies have both, and were trained with these before those.
_CLASSES = ("<s>", "[CLS]")
_SEPARATORS = ("</s>", "[SEP]")
_MASKS = ("<mask>", "[MASK]")


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text's tokens: their ids, and where each begins and ends."""

    ids: Ints32
    starts: Ints32
    ends: Ints32

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and last token of a stretch of the text; None where it has none."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left")) - 1
        return (first, last) if first <= last < len(self.ids) else None


class Tokenizer:
    """Cuts texts into tokens; ``windows`` adds what surrounds them."""

    def __init__(self, library_tokenizer: Any, *, simplify: bool) -> None:
        self._tokenizer = library_tokenizer
        self._simplify = simplify
        library_tokenizer.no_truncation()
        library_tokenizer.no_padding()
        self.first = self._special(_CLASSES)
        self.between = self._special(_SEPARATORS)

    def mask(self) -> int:
        """The token that stands for a hidden one."""
        return self._special(_MASKS)

    def cut(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, without special ones."""
        if self._simplify:
            texts = [simplified(text) for text in texts]
        # Half a surrogate pair cannot be encoded; a question mark takes its one place.
        texts = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        tokens = []
        for encoding in self._tokenizer.encode_batch(texts, add_special_tokens=False):
            places = np.array(encoding.offsets, dtype=np.int32).reshape(-1, 2)
            ids = np.array(encoding.ids, dtype=np.int32)
            tokens.append(Tokens(ids, places[:, 0], places[:, 1]))
        return tokens

    def _special(self, names: Sequence[str]) -> int:
        for name in names:
            token = self._tokenizer.token_to_id(name)
            if token is not None:
                return int(token)
        raise DataError(f"the tokenizer has none of {', '.join(names)}")


def load_tokenizer(folder: Path, *, simplify: bool) -> Tokenizer:
    """The tokenizer of a model's folder."""
    require("tokenizers")
    import tokenizers

    path = folder / TOKENS_FILE
    if not path.is_file():
        raise DataError(f"{folder} has no {TOKENS_FILE}: a tokenizer with offsets is needed")
    try:
        library_tokenizer = tokenizers.Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises bare Exception
        raise DataError(f"{path} cannot be read: {error}") from error
    return Tokenizer(library_tokenizer, simplify=simplify)
