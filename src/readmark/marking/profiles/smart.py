"""SMART: SQuAD's metric with characters for tokens; SQuAD's whole normaliser stays."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.measures.overlap import bag_overlap, f1
from readmark.text.normal.squad import normal


@dataclass(frozen=True, slots=True)
class Smart:
    """Bags of characters: order does not count, and only ASCII punctuation is dropped."""

    name: str = "smart"

    def em(self, reference: str, answer: str) -> float:
        return float(_prepared(reference) == _prepared(answer))

    def f1(self, reference: str, answer: str) -> float:
        return _f1(reference, answer)

    def contains(self, reference: str, answer: str) -> float:
        wanted = _characters(reference)
        return float(wanted != "" and wanted in _characters(answer))

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def signature(self) -> dict[str, str]:
        return {
            "profile": self.name,
            "normal": "lower,-punctuation(ascii),-articles,spaces",
            "tokens": "characters",
            "match": "bag",
        }


_prepared = functools.lru_cache(maxsize=2**16)(normal)


def _characters(text: str) -> str:
    # The normal form has no white space but single spaces.
    return _prepared(text).replace(" ", "")


@functools.lru_cache(maxsize=2**15)
def _f1(reference: str, answer: str) -> float:
    wanted, answered = _characters(reference), _characters(answer)
    return f1(bag_overlap(wanted, answered), len(answered), len(wanted))
