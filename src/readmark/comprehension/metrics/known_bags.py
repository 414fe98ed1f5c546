"""Bags of words behind a cache: the key and the sentences are the same for every candidate."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from readmark.text.bags import Bags


class KnownBags:
    """Bags of texts in one language."""

    def __init__(self, language: str) -> None:
        self._bags = Bags(language)
        # Enough for the sentences and keys of the passages at hand, whatever the test's size.
        self.of = functools.lru_cache(maxsize=4096)(self._bags.of)

    def signature(self) -> Mapping[str, str]:
        return self._bags.signature()
