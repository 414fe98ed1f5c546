"""CMRC 2018's view of an answer, after the task's official evaluation script.

Each character of U+4E00-U+9FA5 is a token; every other run goes to NLTK's `NLTKWordTokenizer`
with no sentence splitting.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from readmark.core.extras import without
from readmark.stats.overlap import compact, contains_run, f1, longest_run

_DROPPED = re.compile(r"[-:_*^/\\~+=`，。：？！“”；’《》·、「」（）－～『』]+")
_ALL_HAN = re.compile("[一-龥]+")
_PIECES = re.compile("[一-龥]|[^一-龥]+")

# Every rule of NLTKWordTokenizer needs a character that is neither a word character nor white
# space, or one of these contractions. A stop or comma inside a number is left alone by it too.
_NEEDS_NLTK = re.compile(
    r"(?!(?<=\w)[.,][0-9])[^\w\s]|cannot|gimme|gonna|gotta|lemme|wanna", re.IGNORECASE
)


def bare(text: str) -> str:
    """Lower-case, strip, then drop the listed punctuation; inner white space stays."""
    return _DROPPED.sub("", text.lower().strip())


def tokens(text: str) -> tuple[str, ...]:
    """The tokens of an answer."""
    return split(bare(text))


def split(bare_text: str) -> tuple[str, ...]:
    """The tokens of a text that is already bare."""
    if _ALL_HAN.fullmatch(bare_text):
        return tuple(bare_text)
    found: list[str] = []
    for piece in _PIECES.findall(bare_text):
        if "一" <= piece[0] <= "龥":
            found.append(piece)
        elif _NEEDS_NLTK.search(piece):
            found.extend(_run(piece))
        else:
            found.extend(piece.split())
    return tuple(found)


@functools.lru_cache(maxsize=2**14)
def _run(piece: str) -> tuple[str, ...]:
    return tuple(_tokenizer()(piece))


@functools.cache
def _tokenizer() -> Callable[[str], list[str]]:
    # `import nltk` costs most of a second, so plain runs never come here.
    with without("scipy"):
        from nltk.tokenize import destructive

    tokenize: Callable[[str], list[str]] = destructive.NLTKWordTokenizer().tokenize
    return tokenize


# CMRC 2018: the longest common run of tokens (the task's official script).


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
