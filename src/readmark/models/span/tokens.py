"""Tokens with their places in the text, by the encoder's own tokenizer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import DataError
from readmark.text.simplified import simplified

Ints = NDArray[np.int32]
FILE = "tokenizer.json"
# Some vocabularies have both, and were trained with these before those.
_CLASSES = ("<s>", "[CLS]")
_SEPARATORS = ("</s>", "[SEP]")
_MASKS = ("<mask>", "[MASK]")


@dataclass(frozen=True, slots=True)
class Tokens:
    """A text's tokens: their ids, and where each begins and ends."""

    ids: Ints
    starts: Ints
    ends: Ints

    def covering(self, start: int, end: int) -> tuple[int, int] | None:
        """The first and last token of a stretch of the text; None where it has none."""
        first = int(np.searchsorted(self.ends, start, side="right"))
        last = int(np.searchsorted(self.starts, end, side="left")) - 1
        return (first, last) if first <= last < len(self.ids) else None


class Tokenizer:
    """Cuts texts; what surrounds them in a window is put there by ``windows``."""

    def __init__(self, tool: Any, *, simplify: bool) -> None:
        self._tool = tool
        self._simplify = simplify
        tool.no_truncation()
        tool.no_padding()
        self.first = _special(tool, _CLASSES)
        self.between = _special(tool, _SEPARATORS)

    def mask(self) -> int:
        """The token that stands for a hidden one."""
        return _special(self._tool, _MASKS)

    def cut(self, texts: Sequence[str]) -> list[Tokens]:
        """The tokens of each text, without special ones."""
        ready = [simplified(text) for text in texts] if self._simplify else list(texts)
        # Half a surrogate pair cannot be encoded; a question mark takes its one place.
        ready = [text.encode("utf-8", "replace").decode("utf-8") for text in ready]
        return [_tokens(one) for one in self._tool.encode_batch(ready, add_special_tokens=False)]


def load_tokenizer(folder: Path, *, simplify: bool) -> Tokenizer:
    """The tokenizer of a model's folder."""
    from tokenizers import Tokenizer as Tool

    path = folder / FILE
    if not path.is_file():
        raise DataError(f"{folder} has no {FILE}: a tokenizer with offsets is needed")
    try:
        tool = Tool.from_file(str(path))
    except Exception as error:  # the library raises bare Exception
        raise DataError(f"{path} cannot be read: {error}") from error
    return Tokenizer(tool, simplify=simplify)


def _tokens(one: Any) -> Tokens:
    places = np.array(one.offsets, dtype=np.int32).reshape(-1, 2)
    return Tokens(np.array(one.ids, dtype=np.int32), places[:, 0], places[:, 1])


def _special(tool: Any, names: Sequence[str]) -> int:
    for name in names:
        found = tool.token_to_id(name)
        if found is not None:
            return int(found)
    raise DataError(f"the tokenizer has none of {', '.join(names)}")
