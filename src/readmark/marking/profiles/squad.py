"""SQuAD 1.1 and 2.0: bags of words after SQuAD's normaliser (the tasks' official scripts)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.measures.overlap import bag_overlap, f1
from readmark.measures.runs import contains_run
from readmark.text.normal.squad import normal


@dataclass(frozen=True, slots=True)
class Squad:
    """SQuAD's rules; with `no_answer`, 2.0's, where an empty answer is right for an empty key."""

    name: str = "squad"
    no_answer: bool = False

    def em(self, reference: str, answer: str) -> float:
        return float(_prepared(reference) == _prepared(answer))

    def f1(self, reference: str, answer: str) -> float:
        if self.no_answer and not (_prepared(reference) and _prepared(answer)):
            return self.em(reference, answer)
        return _f1(reference, answer)

    def contains(self, reference: str, answer: str) -> float:
        wanted = _prepared(reference).split()
        return float(bool(wanted) and contains_run(_prepared(answer).split(), wanted))

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        return [text for text in texts if _prepared(text)] or [""] if self.no_answer else texts

    def signature(self) -> dict[str, str]:
        about = {
            "profile": self.name,
            "normal": "lower,-punctuation(ascii),-articles,spaces",
            "tokens": "words",
            "match": "bag",
        }
        return about | {"empty": "no-answer"} if self.no_answer else about


_prepared = functools.lru_cache(maxsize=2**16)(normal)


@functools.lru_cache(maxsize=2**15)
def _f1(reference: str, answer: str) -> float:
    wanted, answered = _prepared(reference).split(), _prepared(answer).split()
    return f1(bag_overlap(wanted, answered), len(answered), len(wanted))
