"""Scoring profiles: the rules by which a given answer equals, or overlaps, a right one."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Protocol

from readmark.core.errors import UsageError, did_you_mean

PROFILES: dict[str, str] = {
    "squad": "SQuAD 1.1: words without ASCII punctuation and articles, bag F1",
    "squad2": "SQuAD 2.0: the same, and an empty answer is right where there is no answer",
    "cmrc2018": "CMRC 2018: Han characters and NLTK words, longest common run",
    "smart": "SMART: SQuAD's rules with characters for words",
    "zh": "Chinese read with care: width, case, punctuation and numbers folded as people do",
}


class Profile(Protocol):
    """One rule for one reference and one answer, each score from 0 to 1."""

    @property
    def name(self) -> str: ...

    def em(self, reference: str, answer: str) -> float:
        """1 when both are the same after normalising, else 0."""
        ...

    def f1(self, reference: str, answer: str) -> float:
        """F1 of the tokens that both share."""
        ...

    def contains(self, reference: str, answer: str) -> float:
        """1 when the reference has a token and stands in the answer as a run of tokens."""
        ...

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        """The answers that count as references."""
        ...

    def signature(self) -> dict[str, str]:
        """What decides the score: normaliser, tokens, match and the versions behind them."""
        ...


def profile(name: str, *, match: str = "", simplify: bool = False) -> Profile:
    """The profile of that name; `match` and `simplify` are choices that only zh offers."""
    if name not in PROFILES:
        raise UsageError(f"unknown profile {name!r}; {did_you_mean(name, PROFILES)}")
    if name != "zh":
        if match:
            raise UsageError(f"profile {name} has no match={match}; only zh has a choice of match")
        if simplify:
            raise UsageError(f"profile {name} has no simplify; only zh has it")
    return _built(name, match or "substring", simplify)


@functools.cache
def _built(name: str, match: str, simplify: bool) -> Profile:
    # Each profile is imported when it is asked for: zh brings `regex` along.
    if name == "zh":
        from readmark.comprehension.profiles.zh import MATCHES, Zh, tokens

        if match not in MATCHES:
            raise UsageError(f"profile zh has no match={match}; {did_you_mean(match, MATCHES)}")
        tokens("", simplify=simplify)  # a missing extra is said now, not at the first answer
        return Zh(match, simplify)
    if name == "cmrc2018":
        from readmark.comprehension.profiles.cmrc2018 import Cmrc2018

        return Cmrc2018()
    if name == "smart":
        from readmark.comprehension.profiles.squad import Smart

        return Smart()
    from readmark.comprehension.profiles.squad import Squad

    return Squad(name, no_answer=name == "squad2")
