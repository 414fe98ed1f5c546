"""CMRC 2018: the longest common run of tokens (the task's official script)."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version

from readmark.measures.overlap import f1
from readmark.measures.runs import compact, contains_run, longest_run
from readmark.text.normal.cmrc2018 import bare, split


@dataclass(frozen=True, slots=True)
class Cmrc2018:
    """EM on the bare strings, F1 on the longest common run; an empty answer scores 0 on both."""

    name: str = "cmrc2018"

    def em(self, reference: str, answer: str) -> float:
        same = _prepared(reference)[0] == _prepared(answer)[0]
        return float(same and not (answer == "" or answer.isspace()))

    def f1(self, reference: str, answer: str) -> float:
        return _f1(reference, answer)

    def contains(self, reference: str, answer: str) -> float:
        wanted = _prepared(reference)[1]
        return float(len(wanted) > 0 and contains_run(_prepared(answer)[1], wanted))

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def signature(self) -> dict[str, str]:
        return {
            "profile": self.name,
            "normal": "lower,strip,-punctuation(cmrc2018)",
            "tokens": f"han(4E00-9FA5)+nltk-{version('nltk')}",
            "match": "substring",
        }


@functools.lru_cache(maxsize=2**16)
def _prepared(text: str) -> tuple[str, Sequence[str]]:
    bared = bare(text)
    return bared, compact(split(bared))


@functools.lru_cache(maxsize=2**15)
def _f1(reference: str, answer: str) -> float:
    wanted, answered = _prepared(reference)[1], _prepared(answer)[1]
    return f1(longest_run(wanted, answered), len(answered), len(wanted))
