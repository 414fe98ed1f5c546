"""Bags of words that are remembered: keys and sentences come again for every candidate."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from readmark.text.bags import Bags


class KnownBags:
    """Bags of the texts of one language, kept for as long as they are likely to come again."""

    def __init__(self, language: str) -> None:
        self._bags = Bags(language)
        self.of = functools.lru_cache(maxsize=4096)(self._bags.of)

    def signature(self) -> Mapping[str, str]:
        """What decides a bag."""
        return self._bags.signature()
