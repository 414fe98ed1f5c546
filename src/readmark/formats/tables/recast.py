"""Rows of the hub's multiple-choice sets in our columns: other names, keys by letter or number.

RACE has ``article, options, answer: "B"``, CLUE's C3 ``context: [lines], choice, answer: text``,
QuAIL ``answers: [options], correct_answer_id``, Belebele ``mc_answer1..4, correct_answer_num``,
others ``choices: {text, label}, answerKey``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from readmark.formats.members import Fault, unexpected
from readmark.formats.tables.columns import UNPLACED
from readmark.formats.tables.option_keys import (
    KEYS,
    Habit,
    Ways,
    is_withheld,
    keyed_option,
    ways_of,
)

Row = dict[str, Any]

_PASSAGES = ("context", "passage", "flores_passage", "article", "document", "documents", "dialogue")
_QUESTIONS = ("question", "query", "question_stem")
_IDS = ("id", "id_string", "question_id", "qid", "query_id")
_PASSAGE_IDS = ("passage_id", "context_id", "document_id", "example_id")
_OPTIONS = ("options", "choices", "choice", "answers")
_NUMBERED = (("mc_answer", 1), ("answer", 0), ("option", 1), ("option_", 1), ("choice_", 1))
"""Columns an option, with the number of the first."""
_STARTS = frozenset({"answer_start", "start"})


def is_ours(row: Mapping[str, Any]) -> bool:
    """Whether a row has SQuAD's columns, which are ours."""
    answers = row.get("answers", "")
    known = isinstance(answers, (dict, type(None))) or _beside(answers) is not None
    return isinstance(row.get("context"), str) and known


def is_choices(row: Mapping[str, Any]) -> bool:
    """Whether a row has a passage, a question and options, whatever they are called."""
    return has_question(row) and _options(row) is not None


def has_question(row: Mapping[str, Any]) -> bool:
    """Whether a row asks something about a passage, whether or not its options are understood."""
    return _named(row, _QUESTIONS, str) is not None and _passage_column(row) is not None


def lacks_passage(row: Mapping[str, Any]) -> bool:
    """Whether a row has a question and options, and nothing to read."""
    return (
        _named(row, _QUESTIONS, str) is not None
        and _options(row) is not None
        and _passage_column(row) is None
    )


def recast(row: Row, habit: Habit = lambda column: frozenset()) -> Row:
    """The row in our columns; what is not understood stays under its own name.

    A row of such a set may have no options: its answer is free.
    """
    if is_ours(row):
        beside = _beside(row.get("answers"))
        return row if beside is None else {**row, "answers": beside}
    column = _passage_column(row)
    if column is None:
        return row
    used, options, labels = _options(row) or (_empty(row), [], [])
    taken = {column, *used}
    passage = row[column]
    cast: Row = {"context": passage if isinstance(passage, str) else "\n".join(passage)}
    if options:
        cast["options"] = options
    for name, names in (("question", _QUESTIONS), ("id", _IDS), ("passage_id", _PASSAGE_IDS)):
        own = _named(row, names, (str, int))
        if own is not None:
            cast[name] = row[own]
            taken.add(own)
    keyed = _key_column(row, taken)
    answer = None
    if keyed is not None:
        id = str(cast.get("id") or "")
        if options:
            answer = keyed_option(row[keyed], options, labels, keyed, id, habit)
        else:
            answer = _free(row, keyed, id or "the row")
        taken.add(keyed)
    if keyed is not None or options:
        placed = {"text": [answer], "answer_start": [UNPLACED]}
        cast["answers"] = None if answer is None else placed
    rest = {name: value for name, value in row.items() if name not in taken and name not in cast}
    return {**cast, **rest}


def key_ways(row: Row) -> tuple[str, Ways, Sequence[str]] | None:
    """The column of a row's key, the ways in which it can be read, and the options."""
    found = None if is_ours(row) or _passage_column(row) is None else _options(row)
    if found is None:
        return None
    used, options, labels = found
    keyed = _key_column(row, used)
    if keyed is None or is_withheld(row[keyed]):
        return None
    return keyed, ways_of(row[keyed], options, labels, keyed), options


def _key_column(row: Row, taken: Collection[str]) -> str | None:
    return next((name for name in KEYS if name in row and name not in taken), None)


def _free(row: Row, keyed: str, where: str) -> str | None:
    """The answer to a question without options: its words, which a letter or number is not."""
    for name in _OPTIONS:
        if isinstance(row.get(name), list) and any(isinstance(one, str) for one in row[name]):
            odd = next(one for one in row[name] if not isinstance(one, str))
            raise Fault("", unexpected(f"{where}: one of {name}", odd, "text"))
    key = row[keyed]
    if is_withheld(key):
        return None
    if not isinstance(key, str) or len(key.strip()) == 1 or key.strip().isdigit():
        own = "the answer's words, since there are no options"
        raise Fault("", unexpected(f"{where}: {keyed}", key, own))
    return key


def _empty(row: Mapping[str, Any]) -> list[str]:
    """The columns of options that hold none."""
    return [
        name
        for name in _OPTIONS
        if name in row and (not row[name] or row[name] == {"text": [], "label": []})
    ]


def _beside(answers: Any) -> dict[str, list[Any]] | None:
    """Answers as parallel lists; None where they are no list of placed answers."""
    if not isinstance(answers, list):
        return None
    for answer in answers:
        if not isinstance(answer, dict) or "text" not in answer or not _STARTS & answer.keys():
            return None
    return {
        "text": [answer["text"] for answer in answers],
        "answer_start": [answer.get("answer_start", answer.get("start")) for answer in answers],
    }


def _passage_column(row: Mapping[str, Any]) -> str | None:
    for name in _PASSAGES:
        value = row.get(name)
        if isinstance(value, str) or (
            isinstance(value, list) and value and all(isinstance(one, str) for one in value)
        ):
            return name
    return None


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
    """Options as a list of texts, as parallel lists, or as a list of objects."""
    labels: Any = []
    if isinstance(value, dict):
        value, labels = value.get("text"), value.get("label") or []
    elif isinstance(value, list) and value and all(isinstance(one, dict) for one in value):
        labels = [one.get("label") for one in value]
        value = [one.get("text") for one in value]
    if not isinstance(value, list) or not value or not all(isinstance(one, str) for one in value):
        return None
    known = isinstance(labels, list) and len(labels) == len(value) and None not in labels
    return value, [str(label) for label in labels] if known else []
