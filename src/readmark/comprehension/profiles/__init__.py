"""Scoring profiles: the rules by which an answer equals, or overlaps, a reference.

``profile`` gives one by its name, ``default_profile`` names that of a test.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Sequence
from typing import Protocol

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.test import Test

PROFILES: dict[str, str] = {
    "squad": "SQuAD 1.1: words without ASCII punctuation and articles, bag F1",
    "squad2": "SQuAD 2.0: the same, and an empty answer is right where there is no answer",
    "cmrc2018": "CMRC 2018: Han characters and NLTK words, longest common run",
    "smart": "SMART: SQuAD's rules with characters for words",
    "zh": "Chinese read with care: width, case, punctuation and numbers folded as people do",
}


class ScoringProfile(Protocol):
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
        """1 when the reference has a token and occurs in the answer as a run of tokens."""
        ...

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        """The answers that count as references."""
        ...

    def signature(self) -> dict[str, str]:
        """What decides the score: normaliser, tokens, match and the versions behind them."""
        ...


def profile(name: str, *, match: str = "", simplify: bool = False) -> ScoringProfile:
    """The profile of that name; zh and cmrc2018 offer a choice of ``match``, zh ``simplify``."""
    if name not in PROFILES:
        raise UsageError(f"unknown profile {name!r}; {did_you_mean(name, PROFILES)}")
    if match and name not in ("zh", "cmrc2018"):
        raise UsageError(
            f"profile {name} has no match={match}; only zh and cmrc2018 have a choice of match"
        )
    if simplify and name != "zh":
        raise UsageError(f"profile {name} has no simplify; only zh has it")
    return _built(name, match or "substring", simplify)


@functools.cache
def _built(name: str, match: str, simplify: bool) -> ScoringProfile:
    # Each is imported only when needed: zh takes a while, for it compiles patterns of `regex`.
    if name == "zh":
        from readmark.comprehension.profiles import zh

        _require_match(name, match, zh.MATCHES)
        zh.tokens("", simplify=simplify)  # reports a missing OpenCC now, not at the first answer
        return zh.ZhProfile(match, simplify)
    if name == "cmrc2018":
        from readmark.comprehension.profiles import cmrc2018

        _require_match(name, match, cmrc2018.MATCHES)
        return cmrc2018.Cmrc2018Profile(match)
    from readmark.comprehension.profiles.squad import SquadProfile

    return SquadProfile(name, no_answer=name == "squad2", characters=name == "smart")


def _require_match(profile_name: str, match: str, matches: Collection[str]) -> None:
    if match not in matches:
        hint = did_you_mean(match, matches)
        raise UsageError(f"profile {profile_name} has no match={match}; {hint}")


def default_profile(test: Test) -> str:
    """The header's profile, else SQuAD's rules for English and CMRC 2018's for Chinese."""
    name = test.header.profile
    if name is not None and name not in PROFILES:
        raise DataError(
            f"the header's profile {name!r} is unknown; {did_you_mean(name, PROFILES)}",
            file=test.file,
        )
    if name is not None:
        return name
    if test.language == "zh":
        return "cmrc2018"
    return "squad2" if test.facts.count("unanswerable") else "squad"
