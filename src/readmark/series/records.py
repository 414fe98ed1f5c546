"""The values that question series are made of, and the notation that they are written in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from readmark.core.records import Answer, Layers, RecordKey, Value


class SeriesQuestionKey(Value, frozen=True):
    """The gold rewrites of a question in a series: alternatives unless annotators are named."""

    rewrites: tuple[Answer, ...] = ()
    guidelines: str | None = None
    refers: str | None = None
    fields: dict[str, Any] = {}


class SeriesQuestion(Value, frozen=True):
    """A question that may lean on its series: on the target, an earlier question or answer."""

    id: str
    text: str
    turn: int | None = None
    category: str | None = None
    previous: tuple[str, ...] = ()
    previous_of: str | None = None
    layers: Layers = {}
    fields: dict[str, Any] = {}
    key: SeriesQuestionKey | None = None


class Series(Value, frozen=True):
    """An ordered series of questions about one target."""

    id: str
    target: str
    target_type: str | None = None
    language: str | None = None
    split: str | None = None
    topic: str | None = None
    parallel: str | None = None
    layers: Layers = {}
    fields: dict[str, Any] = {}
    questions: tuple[SeriesQuestion, ...] = ()
    key: RecordKey | None = None


# The words and signs that series are written with, after "A gold standard of question
# reformulations for TREC question series": OTHER questions, PREVIOUS_ANSWER, bracketed targets.


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
CANARD_GUIDELINES, CAST_GUIDELINES = "CANARD", "TREC CAsT manual rewrites"
OTHER_GUIDELINES = frozenset({CANARD_GUIDELINES, CAST_GUIDELINES})
"""Guidelines of sets whose golds do not come in variants for brackets."""

REPEATS = "repeats"
"""The field of a turn that occurs in an earlier conversation of its tree, with that one's id."""
CONVERSATION = "conversation"
"""The field of a series that has no target by design: its questions follow one another instead."""


def is_conversation(series: Series) -> bool:
    """Whether a series needs no target: it says so, or its golds follow a conversation's rules."""
    return bool(series.fields.get(CONVERSATION)) or any(
        question.key is not None and question.key.guidelines in OTHER_GUIDELINES
        for question in series.questions
    )


_PAIRS = {")": "(", "）": "（", "]": "[", "］": "［"}
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
    whole = target.strip()
    inner = tuple(found.strip() for found in _BRACKETED.findall(whole))
    if not all(inner) or not inner or unmatched_bracket(whole) or whole[0] in _PAIRS.values():
        return None
    outer = _BRACKETED.sub("" if re.search("[（［]", whole) else " ", whole).strip()
    if any(sign in outer for pair in _PAIRS.items() for sign in pair):
        return None  # brackets in brackets
    return Bracketed(whole, outer, inner)


def unmatched_bracket(target: str) -> bool:
    """Whether a bracket of a target is not opened, not closed, or holds nothing."""
    opened: list[str] = []
    for sign in target:
        if sign in _PAIRS.values():
            opened.append(sign)
        elif sign in _PAIRS and (not opened or opened.pop() != _PAIRS[sign]):
            return True
    return bool(opened) or re.search(r"[(（\[［]\s*[)）\]］]", target) is not None


def other_text(text: str) -> str:
    """What an OTHER question asks: its words, or the template where it has none of its own."""
    return OTHER_TEXT if text.strip().lower() in _EMPTY_OTHER else text


def misspelt_variables(gold: str) -> list[str]:
    """What is written like PREVIOUS_ANSWER and is not it."""
    generator = (match[0] for match in _VARIABLE.finditer(gold))
    return [
        one for one in generator if re.match(rf"{PREVIOUS_ANSWER}(?![A-Za-z0-9_])", one) is None
    ]


def with_known_answers(rewrite: str, known: Sequence[str]) -> str:
    """A rewrite as it can be asked: known answers replace PREVIOUS_ANSWER.

    Several stand there as a list. Without a known answer nothing does, since the variable is no
    word that a passage has.
    """
    if PREVIOUS_ANSWER not in rewrite:
        return rewrite
    answers = [answer.strip() for answer in known if answer.strip()]
    comma, last = ("、", "和") if _HAN.search(rewrite) else (", ", " and ")
    text = last.join((*((comma.join(answers[:-1]),) if answers[1:] else ()), *answers[-1:]))
    return " ".join(rewrite.replace(PREVIOUS_ANSWER, text).split())
