"""BM25 over our own words: a ranking of texts by the words of a question.

Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond; as Lucene weighs
it, by the library bm25s.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np
from numpy.typing import NDArray

from readmark.corpus.errors import UsageError
from readmark.text.bags import Bags

K1, B = 1.2, 0.75
"""Lucene's."""
_PLACES = 9
"""Decimals of a score that count: equal texts must not differ by the order of a sum."""


class Bm25:
    """An index of texts in one language."""

    def __init__(
        self, texts: Iterable[str], language: str, *, k1: float = K1, b: float = B
    ) -> None:
        if not 0 <= k1 < math.inf or not 0 <= b <= 1:
            raise UsageError(
                f"BM25 takes a finite k1 of 0 or more and b from 0 to 1, not {k1:g} and {b:g}"
            )
        self._bags = Bags(language)
        self._ids: dict[str, int] = {}
        self._k1, self._b = k1, b
        cut = [[self._ids.setdefault(word, len(self._ids)) for word in self._words(text)]
               for text in texts]  # fmt: skip
        self._size = len(cut)
        self._index = self._built(cut)

    def scores(self, question: str) -> NDArray[np.float64]:
        """How well each text goes with a question; 0 where they share no word."""
        known = [self._ids[word] for word in self._words(question) if word in self._ids]
        if not known:
            return np.zeros(self._size)
        found = np.asarray(self._index.get_scores_from_ids(known), dtype=np.float64)
        return np.asarray(np.round(found, _PLACES))

    def signature(self) -> str:
        """The library, its formula and parameters, and how words are cut."""
        said = ",".join(f"{name}={value}" for name, value in self._bags.signature().items())
        return f"bm25s-{version('bm25s')}(method=lucene,k1={self._k1:g},b={self._b:g},{said})"

    def _built(self, cut: Sequence[Sequence[int]]) -> Any:
        try:
            import bm25s
        except ImportError:
            raise UsageError("BM25 needs bm25s: pip install bm25s (see readmark doctor)") from None

        index = bm25s.BM25(
            k1=self._k1, b=self._b, method="lucene", dtype="float64", csc_backend="numpy"
        )
        if self._ids:
            index.index((cut, self._ids), create_empty_token=False, show_progress=False)
        return index

    def _words(self, text: str) -> list[str]:
        found = (self._bags.stem(text[start:end]) for start, end in self._bags.words(text))
        return [word for word in found if word is not None]
