"""BM25 over our own words: a ranking of texts by the words of a question."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

import numpy as np

from readmark.core.arrays import Floats
from readmark.core.errors import UsageError
from readmark.core.extras import require
from readmark.text.bags import Bags

K1, B = 1.2, 0.75  # Lucene's defaults
_DECIMALS = 9  # of a score: equal texts must not differ by the order of a sum


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
        self._vocabulary: dict[str, int] = {}
        self._k1, self._b = k1, b
        documents = []
        for text in texts:
            words = self._words(text)
            documents.append(
                [self._vocabulary.setdefault(word, len(self._vocabulary)) for word in words]
            )
        self._size = len(documents)
        self._index = self._index_of(documents)

    def scores(self, question: str) -> Floats:
        """How well each text goes with a question; 0 where they share no word."""
        query = [
            self._vocabulary[word] for word in self._words(question) if word in self._vocabulary
        ]
        if not query:
            return np.zeros(self._size)
        scores = np.asarray(self._index.get_scores_from_ids(query), dtype=np.float64)
        return np.asarray(np.round(scores, _DECIMALS))

    def signature(self) -> str:
        """The library, its formula and parameters, and how words are cut."""
        text = ",".join(f"{name}={value}" for name, value in self._bags.signature().items())
        return f"bm25s-{version('bm25s')}(method=lucene,k1={self._k1:g},b={self._b:g},{text})"

    def _index_of(self, documents: Sequence[Sequence[int]]) -> Any:
        require("bm25s")
        import bm25s

        index = bm25s.BM25(
            k1=self._k1, b=self._b, method="lucene", dtype="float64", csc_backend="numpy"
        )
        if self._vocabulary:
            index.index(
                (documents, self._vocabulary), create_empty_token=False, show_progress=False
            )
        return index

    def _words(self, text: str) -> list[str]:
        stems = (self._bags.stem(text[start:end]) for start, end in self._bags.words(text))
        return [stem for stem in stems if stem is not None]
