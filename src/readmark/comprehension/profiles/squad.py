"""SQuAD 1.1 and 2.0: bags of words after SQuAD's normaliser (the tasks' official scripts)."""

from __future__ import annotations

import functools
import re
import string
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.stats.overlap import bag_overlap, contains_run, f1

# SQuAD 1.1's normal form of an answer, after the task's official evaluation script.


_PUNCTUATION = re.compile(f"[{re.escape(string.punctuation)}]+")
_ARTICLES = re.compile(r"\b(?:a|an|the)\b")


def normal(text: str) -> str:
    """Lower-case, drop ASCII punctuation, drop a/an/the, collapse white space, in that order.

    The order decides: `a.` loses its full stop first and is then an article.
    """
    return " ".join(_ARTICLES.sub(" ", _PUNCTUATION.sub("", text.lower())).split())


# SMART: SQuAD's metric with characters for tokens; SQuAD's whole normaliser stays.


@dataclass(frozen=True, slots=True)
class Smart:
    """Bags of characters: order does not count, and only ASCII punctuation is dropped."""

    name: str = "smart"

    def em(self, reference: str, answer: str) -> float:
        return float(_prepared(reference) == _prepared(answer))

    def f1(self, reference: str, answer: str) -> float:
        return _f1(reference, answer)

    def contains(self, reference: str, answer: str) -> float:
        wanted = _characters(reference)
        return float(wanted != "" and wanted in _characters(answer))

    def references(self, texts: Sequence[str]) -> Sequence[str]:
        return texts

    def signature(self) -> dict[str, str]:
        return {
            "profile": self.name,
            "normal": "lower,-punctuation(ascii),-articles,spaces",
            "tokens": "characters",
            "match": "bag",
        }


_prepared = functools.lru_cache(maxsize=2**16)(normal)


def _characters(text: str) -> str:
    # The normal form has no white space but single spaces.
    return _prepared(text).replace(" ", "")


@functools.lru_cache(maxsize=2**15)
def _f1(reference: str, answer: str) -> float:
    wanted, answered = _characters(reference), _characters(answer)
    return f1(bag_overlap(wanted, answered), len(answered), len(wanted))


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
        return _squad_f1(reference, answer)

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


@functools.lru_cache(maxsize=2**15)
def _squad_f1(reference: str, answer: str) -> float:
    wanted, answered = _prepared(reference).split(), _prepared(answer).split()
    return f1(bag_overlap(wanted, answered), len(answered), len(wanted))
