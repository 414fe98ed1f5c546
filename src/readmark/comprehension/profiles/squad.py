"""squad, squad2 and smart: SQuAD's rules, after the task's official evaluation script."""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.statistics.overlap import bag_overlap, f1
from readmark.statistics.runs import contains_run

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

    ``no_answer`` adds those of 2.0, where an empty answer is right for an empty key. With
    ``characters`` the tokens are characters, as in SMART.
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
        run = _tokens(reference, self.characters)
        return float(bool(run) and contains_run(_tokens(answer, self.characters), run))

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        return [text for text in texts if _prepared(text)] or [""] if self.no_answer else texts

    def signature(self) -> dict[str, str]:
        signature = {
            "profile": self.name,
            "normal": "lower,-punctuation(ascii),-articles,spaces",
            "tokens": "characters" if self.characters else "words",
            "match": "bag",
        }
        return signature | {"empty": "no-answer"} if self.no_answer else signature


def _tokens(text: str, characters: bool) -> Sequence[str]:
    words = _prepared(text).split()
    return "".join(words) if characters else words


@functools.lru_cache(maxsize=2**15)
def _f1(reference: str, answer: str, characters: bool) -> float:
    expected, answered = _tokens(reference, characters), _tokens(answer, characters)
    return f1(bag_overlap(expected, answered), len(answered), len(expected))
