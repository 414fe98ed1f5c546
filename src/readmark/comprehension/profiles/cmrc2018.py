"""CMRC 2018's view of an answer, after the task's official evaluation script.

Each character of U+4E00-U+9FA5 is a token; every other run is cut by the rules of
NLTK's `NLTKWordTokenizer`, with no sentence splitting.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from readmark.stats.overlap import compact, contains_run, f1, longest_run, longest_subsequence

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
        for first, second in [
            ("can", "not"),
            ("d", "'ye"),
            ("gim", "me"),
            ("gon", "na"),
            ("got", "ta"),
            ("lem", "me"),
            ("more", "'n"),
        ]
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
        same = _prepared(reference)[0] == _prepared(answer)[0]
        return float(same and not (answer == "" or answer.isspace()))

    def f1(self, reference: str, answer: str) -> float:
        return _f1(self.match, reference, answer)

    def contains(self, reference: str, answer: str) -> float:
        wanted = _prepared(reference)[1]
        return float(len(wanted) > 0 and contains_run(_prepared(answer)[1], wanted))

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
def _prepared(text: str) -> tuple[str, Sequence[str]]:
    bared = bare(text)
    return bared, compact(split(bared))


@functools.lru_cache(maxsize=2**15)
def _f1(match: str, reference: str, answer: str) -> float:
    wanted, answered = _prepared(reference)[1], _prepared(answer)[1]
    return f1(CMRC_MATCHES[match](wanted, answered), len(answered), len(wanted))
