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
    known = isinstance(answers, (dict, type(None))) or _parallel_lists(answers) is not None
    return isinstance(row.get("context"), str) and known


def is_choices(row: Mapping[str, Any]) -> bool:
    """Whether a row has a passage, a question and options, whatever they are called."""
    return has_question(row) and _options(row) is not None


def has_question(row: Mapping[str, Any]) -> bool:
    """Whether a row asks something about a passage, whether or not its options are understood."""
    return _first_of(row, _QUESTIONS, str) is not None and _passage_column(row) is not None


def lacks_passage(row: Mapping[str, Any]) -> bool:
    """Whether a row has a question and options, and nothing to read."""
    return (
        _first_of(row, _QUESTIONS, str) is not None
        and _options(row) is not None
        and _passage_column(row) is None
    )


def recast(row: dict[str, Any], habit: Habit = lambda column: frozenset()) -> dict[str, Any]:
    """The row in our columns; what is not understood stays under its own name.

    A row of such a set may have no options: its answer is free.
    """
    if is_ours(row):
        answers = _parallel_lists(row.get("answers"))
        return row if answers is None else {**row, "answers": answers}
    column = _passage_column(row)
    if column is None:
        return row
    columns, options, labels = _options(row) or (_empty_columns(row), [], [])
    taken = {column, *columns}
    passage = row[column]
    cast: dict[str, Any] = {"context": passage if isinstance(passage, str) else "\n".join(passage)}
    if options:
        cast["options"] = options
    for name, names in (("question", _QUESTIONS), ("id", _IDS), ("passage_id", _PASSAGE_IDS)):
        theirs = _first_of(row, names, (str, int))
        if theirs is not None:
            cast[name] = row[theirs]
            taken.add(theirs)
    key_column = _key_column(row, taken)
    answer = None
    if key_column is not None:
        id = str(cast.get("id") or "")
        if options:
            answer = keyed_option(row[key_column], options, labels, key_column, id, habit)
        else:
            answer = _free_answer(row, key_column, id or "the row")
        taken.add(key_column)
    if key_column is not None or options:
        placed = {"text": [answer], "answer_start": [UNPLACED]}
        cast["answers"] = None if answer is None else placed
    rest = {name: value for name, value in row.items() if name not in taken and name not in cast}
    return {**cast, **rest}


def key_ways(row: dict[str, Any]) -> tuple[str, Ways, Sequence[str]] | None:
    """The column of a row's key, the ways in which it can be read, and the options."""
    choices = None if is_ours(row) or _passage_column(row) is None else _options(row)
    if choices is None:
        return None
    columns, options, labels = choices
    key_column = _key_column(row, columns)
    if key_column is None or is_withheld(row[key_column]):
        return None
    return key_column, ways_of(row[key_column], options, labels, key_column), options


def _key_column(row: dict[str, Any], taken: Collection[str]) -> str | None:
    return next((name for name in KEYS if name in row and name not in taken), None)


def _free_answer(row: dict[str, Any], key_column: str, where: str) -> str | None:
    """The answer to a question without options: its words, which a letter or number is not."""
    for name in _OPTIONS:
        values = row.get(name)
        if isinstance(values, list) and any(isinstance(value, str) for value in values):
            # A list of options that is not all text was not taken for one.
            fault = next(value for value in values if not isinstance(value, str))
            raise Fault("", unexpected(f"{where}: one of {name}", fault, "text"))
    key = row[key_column]
    if is_withheld(key):
        return None
    if not isinstance(key, str) or len(key.strip()) == 1 or key.strip().isdigit():
        expected = "the answer's words, since there are no options"
        raise Fault("", unexpected(f"{where}: {key_column}", key, expected))
    return key


def _empty_columns(row: Mapping[str, Any]) -> list[str]:
    """The columns of options that hold none."""
    return [
        name
        for name in _OPTIONS
        if name in row and (not row[name] or row[name] == {"text": [], "label": []})
    ]


def _parallel_lists(answers: Any) -> dict[str, list[Any]] | None:
    """A list of placed answers as parallel lists; None for anything else."""
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
            isinstance(value, list) and value and all(isinstance(item, str) for item in value)
        ):
            return name
    return None


def _first_of(
    row: Mapping[str, Any], names: Sequence[str], types: type | tuple[type, ...]
) -> str | None:
    return next((name for name in names if isinstance(row.get(name), types)), None)


def _options(row: Mapping[str, Any]) -> tuple[list[str], list[str], list[str]] | None:
    """The columns that hold the options, the options, and their labels where they have any."""
    for name in _OPTIONS:
        listed = _listed(row.get(name))
        if listed is not None:
            return [name], *listed
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
    elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        labels = [option.get("label") for option in value]
        value = [option.get("text") for option in value]
    if not isinstance(value, list) or not value or not all(isinstance(item, str) for item in value):
        return None
    has_labels = isinstance(labels, list) and len(labels) == len(value) and None not in labels
    return value, [str(label) for label in labels] if has_labels else []
