"""Scoring profiles: the rules by which a given answer equals, or overlaps, a right one."""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from readmark.core.errors import UsageError, did_you_mean
from readmark.statistics.overlap import (
    bag_overlap,
    compact,
    contains_run,
    f1,
    longest_run,
    longest_subsequence,
)

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
        from readmark.comprehension.chinese_profile import MATCHES, ZhProfile, tokens

        if match not in MATCHES:
            raise UsageError(f"profile zh has no match={match}; {did_you_mean(match, MATCHES)}")
        tokens("", simplify=simplify)  # a missing extra is said now, not at the first answer
        return ZhProfile(match, simplify)
    if name == "cmrc2018":
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


# CMRC 2018's view of an answer, after the task's official evaluation script: each character of
# U+4E00-U+9FA5 is a token; every other run is cut by the rules of NLTK's `NLTKWordTokenizer`, with
# no sentence splitting.


_DROPPED = re.compile(r"[-:_*^/\\~+=`，。：？！“”；’《》·、「」（）－～『』]+")
_ALL_HAN = re.compile("[一-龥]+")
_PIECES = re.compile("[一-龥]|[^一-龥]+")

# Every rule of NLTKWordTokenizer needs a character that is neither a word character nor white
# space, or one of these contractions. A stop or comma inside a number is left alone by it too.
_NEEDS_RULES = re.compile(
    r"(?!(?<=\w)[.,][0-9])[^\w\s]|cannot|gimme|gonna|gotta|lemme|wanna", re.IGNORECASE
)


def bare(text: str) -> str:
    """Lower-case, strip, then drop the listed punctuation; inner white space stays."""
    return _DROPPED.sub("", text.lower().strip())


def split(bare_text: str) -> tuple[str, ...]:
    """The tokens of a text that is already bare."""
    if _ALL_HAN.fullmatch(bare_text):
        return tuple(bare_text)
    found: list[str] = []
    for piece in _PIECES.findall(bare_text):
        if "一" <= piece[0] <= "龥":
            found.append(piece)
        elif _NEEDS_RULES.search(piece):
            found.extend(_run(piece))
        else:
            found.extend(piece.split())
    return tuple(found)


@functools.lru_cache(maxsize=2**14)
def _run(piece: str) -> tuple[str, ...]:
    return tuple(_tokenizer()(piece))


# The rules of NLTK's word tokenizer (Apache-2.0, copyright NLTK Project), in its order.

_NLTK = "nltk-3.10.4"
"""Whose rules they are, for signatures."""
_BEFORE_PADDING = [
    ("([«“‘„]|[`]+)", r" \1 "),
    (r"^\"", r"``"),
    (r"(``)", r" \1 "),
    (r"([ \(\[{<])(\"|\'{2})", r"\1 `` "),
    (r"(?i)(?<!\w)(\')(?!(?:re|ve|ll|m|t|s|d|n)\b)(?=\w)", r"\1 "),
    (r"""([^\.])(\.)([\]\)}>"\'»”’ ]*+)\s*$""", r"\1 \2 \3 "),
    (r"([:,])([^\d])", r" \1 \2"),
    (r"([:,])$", r" \1 "),
    (r"\.{2,}", r" \g<0> "),
    (r"[;@#$%&]", r" \g<0> "),
    (r"[\u2012-\u2015]", r" \g<0> "),
    (r"""([^\.])(\.)([\]\)}>"\']*)\s*$""", r"\1 \2\3 "),
    (r"[?!]", r" \g<0> "),
    (r"([^'])' ", r"\1 ' "),
    (r"[*]", r" \g<0> "),
    (r"[\]\[\(\)\{\}\<\>]", r" \g<0> "),
    (r"--", r" -- "),
]
_AFTER_PADDING = [
    ("([»”’])", r" \1 "),
    (r"''", " '' "),
    (r'"', " '' "),
    (r"\s+", " "),
    (r"([^' ])('[sS]|'[mM]|'[dD]|') ", r"\1 \2 "),
    (r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
]
_CONTRACTIONS = [
    *(
        rf"(?i)\b({first})({second})\b"
        for first, second in map(
            str.split, ("can not", "d 'ye", "gim me", "gon na", "got ta", "lem me", "more 'n")
        )
    ),
    r"(?i)\b(wan)(na)(?=\s)",
    r"(?i) ('t)(is)\b",
    r"(?i) ('t)(was)\b",
]


@functools.cache
def _tokenizer() -> Callable[[str], list[str]]:
    import regex  # as NLTK does: its classes of characters differ from those of re

    before = [(regex.compile(pattern), made) for pattern, made in _BEFORE_PADDING]
    after = [(regex.compile(pattern), made) for pattern, made in _AFTER_PADDING]
    contractions = [re.compile(pattern) for pattern in _CONTRACTIONS]

    def tokenize(text: str) -> list[str]:
        for rule, made in before:
            text = rule.sub(made, text)
        text = f" {text} "
        for rule, made in after:
            text = rule.sub(made, text)
        for contraction in contractions:
            text = contraction.sub(r" \1 \2 ", text)
        return text.split()

    return tokenize


# CMRC 2018: the longest common run of tokens (the task's official script), or the longest common
# subsequence, which "A Chinese Span-Extraction Dataset for Machine Reading Comprehension" names.

CMRC_MATCHES = {"substring": longest_run, "subsequence": longest_subsequence}


@dataclass(frozen=True, slots=True)
class Cmrc2018Profile:
    """EM on the bare strings, F1 on what the tokens share under ``match``.

    An empty answer scores 0 on both.
    """

    match: str = "substring"
    name: str = "cmrc2018"

    def em(self, reference: str, answer: str) -> float:
        same = _bared(reference)[0] == _bared(answer)[0]
        return float(same and not (answer == "" or answer.isspace()))

    def f1(self, reference: str, answer: str) -> float:
        return _cmrc_f1(self.match, reference, answer)

    def contains(self, reference: str, answer: str) -> float:
        wanted = _bared(reference)[1]
        return float(len(wanted) > 0 and contains_run(_bared(answer)[1], wanted))

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def signature(self) -> dict[str, str]:
        return {
            "profile": self.name,
            "normal": "lower,strip,-punctuation(cmrc2018)",
            "tokens": f"han(4E00-9FA5)+{_NLTK}",
            "match": self.match,
        }


@functools.lru_cache(maxsize=2**16)
def _bared(text: str) -> tuple[str, Sequence[str]]:
    bared = bare(text)
    return bared, compact(split(bared))


@functools.lru_cache(maxsize=2**15)
def _cmrc_f1(match: str, reference: str, answer: str) -> float:
    wanted, answered = _bared(reference)[1], _bared(answer)[1]
    return f1(CMRC_MATCHES[match](wanted, answered), len(answered), len(wanted))
