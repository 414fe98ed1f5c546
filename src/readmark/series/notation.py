"""How series are written: OTHER questions, PREVIOUS_ANSWER, targets with brackets.

The words and signs are those of "A gold standard of question reformulations for TREC question
series".
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

OTHER = "OTHER"
"""The category of the question that ends a series of TREC's."""
OTHER_TEXT = (
    "Provide any other interesting details about the target that have not already been asked for "
    "explicitly."
)
"""What an OTHER question without words of its own asks."""
PREVIOUS_ANSWER = "PREVIOUS_ANSWER"
"""What stands in a gold for the answer to an earlier question."""
MOST_GOLDS = 3
"""How many golds of one person the guidelines allow."""
CANARD_GUIDELINES, CAST_GUIDELINES = "CANARD", "TREC CAsT manual rewrites"
OTHER_GUIDELINES = frozenset({CANARD_GUIDELINES, CAST_GUIDELINES})
"""Guidelines of sets whose golds do not come in variants for brackets."""

_CLOSING = {")": "(", "）": "（", "]": "[", "］": "［"}
"""Closing brackets with the brackets that open them."""
_BRACKETED = re.compile(r"\s*[(（\[［]([^()（）\[\]［］]*)[)）\]］]\s*")
_EMPTY_OTHER = frozenset({"", "other", "other."})
_VARIABLE = re.compile(r"(?i:previous[_-]?answers?)\w*|PREVIOUS\s+ANSWERS?|Previous\s+Answers?")
_HAN = re.compile("[\u4e00-\u9fff]")


class Bracketed(NamedTuple):
    """A target with brackets, such as "Sony Pictures Entertainment (SPE)"."""

    full: str
    outer: str
    """Without the brackets and their content."""
    inner: tuple[str, ...]
    """The content of each pair of brackets."""


def bracketed(target: str) -> Bracketed | None:
    """The forms of a target with brackets after its first words; None for any other."""
    full = target.strip()
    inner = tuple(content.strip() for content in _BRACKETED.findall(full))
    if not all(inner) or not inner or unmatched_bracket(full) or full[0] in _CLOSING.values():
        return None
    # Full-width brackets stand between Chinese words, which have no space between them.
    outer = _BRACKETED.sub("" if re.search("[（［]", full) else " ", full).strip()
    if any(sign in outer for pair in _CLOSING.items() for sign in pair):
        return None  # brackets in brackets
    return Bracketed(full, outer, inner)


def unmatched_bracket(target: str) -> bool:
    """Whether a bracket of a target is not opened, not closed, or holds nothing."""
    opened: list[str] = []
    for sign in target:
        if sign in _CLOSING.values():
            opened.append(sign)
        elif sign in _CLOSING and (not opened or opened.pop() != _CLOSING[sign]):
            return True
    return bool(opened) or re.search(r"[(（\[［]\s*[)）\]］]", target) is not None


def other_text(text: str) -> str:
    """What an OTHER question asks: its words, or the template where it has none of its own."""
    return OTHER_TEXT if text.strip().lower() in _EMPTY_OTHER else text


def misspelt_variables(gold: str) -> list[str]:
    """What is written like PREVIOUS_ANSWER and is not it."""
    variables = (match[0] for match in _VARIABLE.finditer(gold))
    right = re.compile(rf"{PREVIOUS_ANSWER}(?![A-Za-z0-9_])")
    return [variable for variable in variables if right.match(variable) is None]


def with_known_answers(rewrite: str, answers: Sequence[str]) -> str:
    """A rewrite as it can be asked: the known answers, as a list, replace PREVIOUS_ANSWER.

    Without a known answer the variable is left out: no passage has such a word.
    """
    if PREVIOUS_ANSWER not in rewrite:
        return rewrite
    texts = [answer.strip() for answer in answers if answer.strip()]
    return " ".join(rewrite.replace(PREVIOUS_ANSWER, enumerated(texts, rewrite)).split())


def enumerated(answers: Sequence[str], text: str) -> str:
    """Answers as a list in the language of a text: "Ann, Bo and Chen", 安、波和陈."""
    comma, last = ("、", "和") if _HAN.search(text) else (", ", " and ")
    return last.join([*([comma.join(answers[:-1])] if answers[1:] else []), *answers[-1:]])
