"""cmrc2018: CMRC 2018's rules, after the task's official evaluation script.

Each character of U+4E00-U+9FA5 is a token; every other run is cut by the rules of NLTK's
`NLTKWordTokenizer`, with no sentence splitting.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from readmark.comprehension.profiles.nltk_words import NLTK, word_tokenizer
from readmark.statistics.overlap import f1
from readmark.statistics.runs import compact, contains_run, longest_run, longest_subsequence

# The longest common run of tokens is the official script's, the longest common subsequence what
# "A Chinese Span-Extraction Dataset for Machine Reading Comprehension" names.
MATCHES = {"substring": longest_run, "subsequence": longest_subsequence}

_DROPPED = re.compile(r"[-:_*^/\\~+=`，。：？！“”；’《》·、「」（）－～『』]+")
_ALL_HAN = re.compile("[一-龥]+")
_PIECES = re.compile("[一-龥]|[^一-龥]+")

# NLTK's rules are slow, and most pieces need none of them: every rule needs a character that is
# neither a word character nor white space, or one of these contractions. They leave a stop or
# comma inside a number alone.
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
    tokens: list[str] = []
    for piece in _PIECES.findall(bare_text):
        if "一" <= piece[0] <= "龥":
            tokens.append(piece)
        elif _NEEDS_RULES.search(piece):
            tokens.extend(_nltk_words(piece))
        else:
            tokens.extend(piece.split())
    return tuple(tokens)


@functools.lru_cache(maxsize=2**14)
def _nltk_words(piece: str) -> tuple[str, ...]:
    return tuple(word_tokenizer()(piece))


@dataclass(frozen=True, slots=True)
class Cmrc2018Profile:
    """EM on the bare strings, F1 on what the tokens share under ``match``.

    As in the official script, an empty answer scores 0 on both, even against an empty key.
    """

    match: str = "substring"
    name: str = "cmrc2018"

    def em(self, reference: str, answer: str) -> float:
        is_equal = _prepared(reference).text == _prepared(answer).text
        return float(is_equal and not (answer == "" or answer.isspace()))

    def f1(self, reference: str, answer: str) -> float:
        return _f1(self.match, reference, answer)

    def contains(self, reference: str, answer: str) -> float:
        run = _prepared(reference).tokens
        return float(len(run) > 0 and contains_run(_prepared(answer).tokens, run))

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def signature(self) -> dict[str, str]:
        return {
            "profile": self.name,
            "normal": "lower,strip,-punctuation(cmrc2018)",
            "tokens": f"han(4E00-9FA5)+{NLTK}",
            "match": self.match,
        }


class _Prepared(NamedTuple):
    text: str
    tokens: Sequence[str]


@functools.lru_cache(maxsize=2**16)
def _prepared(text: str) -> _Prepared:
    bare_text = bare(text)
    return _Prepared(bare_text, compact(split(bare_text)))


@functools.lru_cache(maxsize=2**15)
def _f1(match: str, reference: str, answer: str) -> float:
    expected, answered = _prepared(reference).tokens, _prepared(answer).tokens
    return f1(MATCHES[match](expected, answered), len(answered), len(expected))
