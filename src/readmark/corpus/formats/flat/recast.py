"""Rows of the hub's multiple-choice sets in our columns: other names, keys by letter or number.

RACE has ``article, options, answer: "B"``, CLUE's C3 ``context: [lines], choice, answer: text``,
QuAIL ``answers: [options], correct_answer_id``, Belebele ``mc_answer1..4, correct_answer_num``,
others ``choices: {text, label}, answerKey``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from readmark.corpus.formats.flat.columns import UNPLACED
from readmark.corpus.formats.members import Fault, is_whole, unexpected

Row = dict[str, Any]

_PASSAGES = ("context", "passage", "flores_passage", "article", "document", "documents", "dialogue")
_QUESTIONS = ("question", "query", "question_stem")
_IDS = ("id", "id_string", "question_id", "qid", "query_id")
_PASSAGE_IDS = ("passage_id", "context_id", "document_id", "example_id")
_OPTIONS = ("options", "choices", "choice", "answers")
_NUMBERED = (("mc_answer", 1), ("answer", 0), ("option", 1), ("option_", 1), ("choice_", 1))
"""Columns an option, with the number of the first."""
_KEYS = {
    "answer": 0,
    "answerKey": 0,
    "answer_key": 0,
    "label": 0,
    "answer_index": 0,
    "answer_idx": 0,
    "correct_answer_id": 0,
    "correct_option": 0,
    "correct_answer": 0,
    "correct_answer_num": 1,
}
"""Columns that tell the right option, and what the first is numbered by there."""
_STARTS = frozenset({"answer_start", "start"})


def is_ours(row: Mapping[str, Any]) -> bool:
    """Whether a row has SQuAD's columns, which are ours."""
    answers = row.get("answers", "")
    known = isinstance(answers, (dict, type(None))) or _beside(answers) is not None
    return isinstance(row.get("context"), str) and known


def is_choices(row: Mapping[str, Any]) -> bool:
    """Whether a row has a passage, a question and options, whatever they are called."""
    return (
        _named(row, _QUESTIONS, str) is not None
        and _passage_column(row) is not None
        and _options(row) is not None
    )


def lacks_passage(row: Mapping[str, Any]) -> bool:
    """Whether a row has a question and options, and nothing to read."""
    return (
        _named(row, _QUESTIONS, str) is not None
        and _options(row) is not None
        and _passage_column(row) is None
    )


def recast(row: Row) -> Row:
    """The row in our columns; what is not understood stays under its own name."""
    if is_ours(row):
        beside = _beside(row.get("answers"))
        return row if beside is None else {**row, "answers": beside}
    column = _passage_column(row)
    found = _options(row)
    if column is None or found is None:
        return row
    used, options, labels = found
    taken = {column, *used}
    cast: Row = {"context": _text(row[column]), "options": options}
    for name, names in (("question", _QUESTIONS), ("id", _IDS), ("passage_id", _PASSAGE_IDS)):
        own = _named(row, names, (str, int))
        if own is not None:
            cast[name] = row[own]
            taken.add(own)
    keyed = next((name for name in _KEYS if name in row and name not in taken), None)
    answer = None
    if keyed is not None:
        where = str(cast.get("id") or "the row")
        answer = _answer(row[keyed], options, labels, _KEYS[keyed], f"{where}: {keyed}")
        taken.add(keyed)
    cast["answers"] = None if answer is None else {"text": [answer], "answer_start": [UNPLACED]}
    rest = {name: value for name, value in row.items() if name not in taken and name not in cast}
    return {**cast, **rest}


def _beside(answers: Any) -> dict[str, list[Any]] | None:
    """Answers as lists beside each other; None where they are no list of placed answers."""
    if not isinstance(answers, list):
        return None
    for one in answers:
        if not isinstance(one, dict) or "text" not in one or not _STARTS & one.keys():
            return None
    return {
        "text": [one["text"] for one in answers],
        "answer_start": [one.get("answer_start", one.get("start")) for one in answers],
    }


def _passage_column(row: Mapping[str, Any]) -> str | None:
    for name in _PASSAGES:
        value = row.get(name)
        if isinstance(value, str) or (
            isinstance(value, list) and value and all(isinstance(one, str) for one in value)
        ):
            return name
    return None


def _text(value: str | list[str]) -> str:
    return value if isinstance(value, str) else "\n".join(value)


def _named(
    row: Mapping[str, Any], names: Sequence[str], types: type | tuple[type, ...]
) -> str | None:
    return next((name for name in names if isinstance(row.get(name), types)), None)


def _options(row: Mapping[str, Any]) -> tuple[list[str], list[str], list[str]] | None:
    """The columns that hold the options, the options, and their labels where they have any."""
    for name in _OPTIONS:
        found = _listed(row.get(name))
        if found is not None:
            return [name], *found
    for begin, first in _NUMBERED:
        names: list[str] = []
        while isinstance(row.get(f"{begin}{first + len(names)}"), str):
            names.append(f"{begin}{first + len(names)}")
        if len(names) > 1:
            return names, [row[name] for name in names], []
    return None


def _listed(value: Any) -> tuple[list[str], list[str]] | None:
    """Options as a list of texts, as lists beside each other, or as a list of objects."""
    labels: Any = []
    if isinstance(value, dict):
        value, labels = value.get("text"), value.get("label") or []
    elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        labels = [one.get("label") for one in value]
        value = [one.get("text") for one in value]
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        return None
    known = isinstance(labels, list) and len(labels) == len(value) and None not in labels
    return value, [str(one) for one in labels] if known else []


def _answer(
    key: Any, options: Sequence[str], labels: Sequence[str], first: int, where: str
) -> str | None:
    """The right option's text; None where the key is withheld."""
    if key is None or key == "" or (is_whole(key) and key < 0):
        return None
    at = None
    if isinstance(key, str):
        if key in labels:
            at = labels.index(key)
        elif key in options:
            return key
        elif len(key) == 1 and "A" <= key.upper() <= "Z":
            at = ord(key.upper()) - ord("A")
        elif key.isascii() and key.isdigit():
            at = int(key) - first
    elif is_whole(key):
        at = key - first
    if at is None or not 0 <= at < len(options):
        own = f"one of {len(options)} options, by text, letter or number from {first}"
        raise Fault("", unexpected(where, key, own))
    return options[at]
