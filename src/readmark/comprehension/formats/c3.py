"""C3's shape, which DREAM's files have too: documents with multiple-choice questions, in JSON.

``[[lines], [{question, choice, answer}], id]`` each ("Investigating Prior Knowledge for
Challenging Chinese Machine Reading Comprehension"; "DREAM: A Challenge Dataset and Models").
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

import msgspec

from readmark.comprehension.formats.c3_labels import C3Labels, labels_next_to
from readmark.core.large_json import LargeArray
from readmark.core.problems import ReportProblem
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import (
    Fault,
    a_text,
    an_array,
    an_object,
    is_integer,
    name_of,
    others,
    texts_of,
    unexpected,
)
from readmark.formats.native import with_id

SAMPLE = 20
"""How many documents are looked at to recognise a file."""

_MEMBERS = frozenset({"question", "choice", "answer"})


class C3:
    """A document's lines are a passage's; its questions are numbered, as the labels number them."""

    def recognises(self, source: Source) -> bool:
        """An array of documents: lines, questions with choices, an id."""
        array = source.document
        return isinstance(array, list) and any(map(_is_document, islice(array, SAMPLE)))

    def read(self, source: Source) -> Test:
        """The test in a file, with the labels that lie next to it."""
        file = source.file
        array = source.json_along("[]")
        if not isinstance(array, (list, LargeArray)):
            raise Fault("", unexpected("the file", array, "an array")).problem(file).error()
        labels = labels_next_to(source.path)

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for index, raw in enumerate(array):
                try:
                    passage = _passage(f"[{index}]", raw, labels, file, report)
                except Fault as fault:
                    report(fault.problem(file))
                    continue
                yield passage.id, passage

        return Test(Header(name=name_of(source)), stream, file)


def _is_document(raw: Any) -> bool:
    if not isinstance(raw, list) or len(raw) != 3:
        return False
    lines, questions, _ = raw
    return (
        isinstance(lines, list)
        and isinstance(questions, list)
        and any(isinstance(question, dict) and "choice" in question for question in questions)
    )


def _passage(where: str, raw: Any, labels: C3Labels, file: str, report: ReportProblem) -> Passage:
    if not isinstance(raw, list) or len(raw) != 3:
        raise Fault(where, unexpected("the document", raw, "[lines, questions, id]"))
    raw_lines, raw_questions, raw_id = raw
    if not isinstance(raw_id, str) and not is_integer(raw_id):
        raise Fault(where, unexpected("the document's id", raw_id, "text or a whole number"))
    id = str(raw_id)
    text = "\n".join(texts_of(raw_lines, "the lines", id or where))
    passage: Passage = with_id(Passage(id=id, text=text))
    if not isinstance(raw_questions, list):
        raise Fault(id or where, unexpected("the questions", raw_questions, "an array"))
    questions = []
    for number, raw_question in enumerate(raw_questions, 1):
        try:
            questions.append(_question(passage.id, number, raw_question, labels))
        except Fault as fault:
            report(fault.problem(file))
    return msgspec.structs.replace(passage, questions=tuple(questions))


def _question(document: str, number: int, raw: Any, labels: C3Labels) -> Question:
    id = f"{document}-{number}"
    an_object(raw, "the question", id)
    text = a_text(raw, "question", id)
    options = texts_of(an_array(raw, "choice", id), "choice", id)
    answer = raw.get("answer")
    if not isinstance(answer, (str, type(None))):
        raise Fault(id, unexpected("answer", answer, "the text of a choice"))
    fields = {**others(raw, _MEMBERS), **labels.get((document, number), {})}
    key = None
    if answer or fields:  # a test whose key is withheld has an empty answer, or none
        answers = (Answer(text=answer),) if answer else ()
        key = QuestionKey(answers=answers, fields=fields)
    return Question(id=id, text=text, options=tuple(options), key=key)


C3_FORMAT = C3()
