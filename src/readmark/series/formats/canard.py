"""CANARD: questions of QuAC's dialogues, each with its history and a person's rewrite.

``multiple_refs.json`` has two people's rewrites of questions that it does not name: read as
questions without words, so that the two can be compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from readmark.core.problems import Problem, ReportProblem
from readmark.core.records import Answer
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import (
    Fault,
    a_question_id,
    a_text,
    an_array,
    an_object,
    is_integer,
    name_of,
    others,
    unexpected,
)
from readmark.series.notation import CANARD_GUIDELINES
from readmark.series.records import Series, SeriesQuestion, SeriesQuestionKey

HISTORY = "history"
"""The field of a question whose history is not what its series says."""
_SAMPLE = 20  # rows that are looked at to recognise a file
_MEMBERS = frozenset({"History", "QuAC_dialog_id", "Question", "Question_no", "Rewrite"})


class Canard:
    """The format of the set's releases."""

    def recognises(self, source: Source) -> bool:
        """An array of objects with a dialogue's id, or of pairs of texts."""
        document = source.document
        if not isinstance(document, list) or not document:
            return False
        return _is_pairs(document) or any(
            isinstance(row, dict) and "QuAC_dialog_id" in row for row in islice(document, _SAMPLE)
        )

    def read(self, source: Source) -> Test:
        """The dialogues of a document, in the order of their first questions."""
        file = source.file
        document = source.json
        if not isinstance(document, list):
            fault = Fault("", unexpected("the document", document, "an array"))
            raise fault.problem(file).error()

        def stream(report: ReportProblem) -> Iterator[Placed]:
            return _pairs(document, file, report) if _is_pairs(document) else dialogues(report)

        def dialogues(report: ReportProblem) -> Iterator[Placed]:
            for series in _dialogues(document, file, report):
                yield series.id, series

        return Test(Header(kind="series", name=name_of(source)), stream, file)


def _dialogues(document: Sequence[Any], file: str, report: ReportProblem) -> Iterator[Series]:
    rows: dict[str, list[tuple[dict[str, Any], int, list[str]]]] = {}
    for index, raw in enumerate(document):
        try:
            an_object(raw, "the row", f"[{index}]")
            dialogue = a_question_id(raw, "QuAC_dialog_id", f"[{index}]")
            a_text(raw, "Question", dialogue)
            number = raw.get("Question_no", 1 + len(rows.get(dialogue, ())))
            if not is_integer(number):
                raise Fault(dialogue, unexpected("Question_no", number, "a whole number"))
            history = an_array(raw, "History", dialogue)
            if not all(isinstance(text, str) for text in history):
                raise Fault(dialogue, "History contains something that is not text")
            if raw.get("Rewrite") is not None:
                a_text(raw, "Rewrite", dialogue)
        except Fault as fault:
            report(fault.problem(file))
            continue
        rows.setdefault(dialogue, []).append((raw, number, history))
    for dialogue, of_dialogue in rows.items():
        yield _series(dialogue, sorted(of_dialogue, key=lambda row: row[1]))


def _series(dialogue: str, rows: list[tuple[dict[str, Any], int, list[str]]]) -> Series:
    opening = rows[0][2][:2]  # a history begins with the titles of the article and its section
    questions: list[SeriesQuestion] = []
    so_far: list[str] = list(opening)
    for raw, number, history in rows:
        previous = tuple(history[-1:]) if len(history) > len(opening) else ()
        implied = [*so_far, *previous] if questions else so_far
        if questions and not previous:
            implied = [*history, ""]  # an answer is missing, so nothing is implied
        fields = others(raw, _MEMBERS)
        rewrite = raw.get("Rewrite")
        key = None
        if rewrite is not None or fields:
            golds = (Answer(text=rewrite),) if rewrite is not None else ()
            guidelines = CANARD_GUIDELINES if golds else None
            key = SeriesQuestionKey(rewrites=golds, guidelines=guidelines, fields=fields)
        questions.append(
            SeriesQuestion(
                id=f"{dialogue}#{number}",
                text=raw["Question"],
                turn=len(questions) + 1,
                previous=previous,
                previous_of=questions[-1].id if previous and questions else None,
                fields={} if history == implied else {HISTORY: history},
                key=key,
            )
        )
        so_far = [*history, raw["Question"]]
    return Series(
        id=dialogue,
        target=opening[0] if opening else "",
        topic=opening[1] if len(opening) > 1 else None,
        questions=tuple(questions),
    )


def _is_pairs(document: Sequence[Any]) -> bool:
    return bool(document) and all(
        isinstance(pair, list) and len(pair) > 1 and all(isinstance(text, str) for text in pair)
        for pair in islice(document, _SAMPLE)
    )


def _pairs(document: Sequence[Any], file: str, report: ReportProblem) -> Iterator[Placed]:
    """A series for each pair: the position in a pair is the annotator."""
    for index, texts in enumerate(document, 1):
        if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
            message = unexpected("the pair", texts, "an array of texts")
            report(Problem(file, f"[{index - 1}]", "schema", message))
            continue
        golds = tuple(
            Answer(text=text, annotator=str(position)) for position, text in enumerate(texts, 1)
        )
        key = SeriesQuestionKey(rewrites=golds, guidelines=CANARD_GUIDELINES)
        question = SeriesQuestion(id=f"{index}#1", text="", turn=1, key=key)
        yield str(index), Series(id=str(index), target="", questions=(question,))


CANARD = Canard()
