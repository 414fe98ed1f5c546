"""Scoring profiles: the rules by which a given answer equals, or overlaps, a right one."""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from readmark.core.errors import UsageError, did_you_mean
from readmark.stats.overlap import bag_overlap, contains_run, f1

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
    """The profile of that name; zh and cmrc2018 offer a choice of `match`, zh one of `simplify`."""
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
    # The others are imported when they are asked for: zh brings `regex` along.
    if name == "zh":
        from readmark.comprehension.profiles.zh import MATCHES, ZhProfile, tokens

        if match not in MATCHES:
            raise UsageError(f"profile zh has no match={match}; {did_you_mean(match, MATCHES)}")
        tokens("", simplify=simplify)  # a missing extra is said now, not at the first answer
        return ZhProfile(match, simplify)
    if name == "cmrc2018":
        from readmark.comprehension.profiles.cmrc2018 import CMRC_MATCHES, Cmrc2018Profile

        if match not in CMRC_MATCHES:
            hint = did_you_mean(match, CMRC_MATCHES)
            raise UsageError(f"profile cmrc2018 has no match={match}; {hint}")
        return Cmrc2018Profile(match)
    return SquadProfile(name, no_answer=name == "squad2", characters=name == "smart")


# SQuAD 1.1's normal form of an answer, after the task's official evaluation script.


_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normal(text: str) -> str:
    """Lower-case, drop ASCII punctuation, drop a/an/the, collapse white space, in that order.

    The order decides: `a.` loses its full stop first and is then an article.
    """
    return " ".join(_ARTICLES.sub(" ", _PUNCTUATION.sub("", text.lower())).split())


_prepared = functools.lru_cache(maxsize=2**16)(normal)


@dataclass(frozen=True, slots=True)
class SquadProfile:
    """SQuAD's rules: bags of words after its normaliser.

    With ``no_answer``, 2.0's, where an empty answer is right for an empty key. With
    ``characters``, SMART's, whose tokens are characters.
    """

    name: str = "squad"
    no_answer: bool = False
    characters: bool = False

    def em(self, reference: str, answer: str) -> float:
        return float(_prepared(reference) == _prepared(answer))

    def f1(self, reference: str, answer: str) -> float:
        if self.no_answer and not (_prepared(reference) and _prepared(answer)):
            return self.em(reference, answer)
        return _f1(reference, answer, self.characters)

    def contains(self, reference: str, answer: str) -> float:
        wanted = _tokens(reference, self.characters)
        return float(bool(wanted) and contains_run(_tokens(answer, self.characters), wanted))

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        return [text for text in texts if _prepared(text)] or [""] if self.no_answer else texts

    def signature(self) -> dict[str, str]:
        about = {
            "profile": self.name,
            "normal": "lower,-punctuation(ascii),-articles,spaces",
            "tokens": "characters" if self.characters else "words",
            "match": "bag",
        }
        return about | {"empty": "no-answer"} if self.no_answer else about


def _tokens(text: str, characters: bool) -> Sequence[str]:
    words = _prepared(text).split()
    return "".join(words) if characters else words


@functools.lru_cache(maxsize=2**15)
def _f1(reference: str, answer: str, characters: bool) -> float:
    wanted, answered = _tokens(reference, characters), _tokens(answer, characters)
    return f1(bag_overlap(wanted, answered), len(answered), len(wanted))
