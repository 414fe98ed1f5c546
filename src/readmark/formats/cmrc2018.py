"""CMRC 2018's own shape: an array of contexts, each with its queries; answers have no offsets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.large_json import LargeArray
from readmark.core.problems import ReportProblem
from readmark.core.records import Answer, Passage, Question, QuestionKey, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.core.writing import writing
from readmark.formats.as_written import (
    HeaderAsWritten,
    PassageAsWritten,
    QuestionAsWritten,
    is_labelled,
    keep_label,
    keep_passage_id,
    split_spelling,
    with_spelling,
    write_label,
    write_passage_id,
)
from readmark.formats.losses import (
    Losses,
    answer_losses,
    header_losses,
    members_to_write,
    only_comprehension,
    passage_losses,
    question_losses,
)
from readmark.formats.members import (
    Fault,
    a_label,
    a_question_id,
    a_text,
    an_array,
    an_object,
    name_of,
    objects,
    others,
    unexpected,
)
from readmark.formats.native import with_id

_SAMPLE = 20
"""How many contexts are looked at to know the format."""
_CONTEXT_MEMBERS = frozenset({"context_id", "context_text", "title", "qas"})
_QUERY_MEMBERS = frozenset({"query_id", "query_text", "answers"})

_encode = msgspec.json.Encoder().encode


class Cmrc2018Format:
    """The format of the set's own releases."""

    def recognises(self, source: Source) -> bool:
        """An array of objects with a context_text."""
        document = source.document
        return isinstance(document, list) and any(
            isinstance(context, dict) and "context_text" in context
            for context in islice(document, _SAMPLE)
        )

    def read(self, source: Source) -> Test:
        """The test in a document; records are made as they are asked for."""
        file = source.file
        document = source.json_along("[]")
        if not isinstance(document, (list, LargeArray)):
            fault = Fault("", unexpected("the document", document, "an array"))
            raise fault.problem(file).error()
        # In a paper every query has an empty array of answers, which is then no key.
        labelled = any(
            query.get("answers") or query.keys() - _QUERY_MEMBERS
            for context in objects(document)
            for query in objects(context.get("qas"))
        )

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for index, raw in enumerate(document):
                try:
                    passage = with_id(_passage(f"[{index}]", raw, labelled, file, report))
                except Fault as fault:
                    report(fault.problem(file))
                    continue
                yield passage.id, passage

        return Test(Header(name=name_of(source)), stream, file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write the contexts one by one; what was lost is named."""
        only_comprehension(test, "cmrc2018")
        losses = Losses()
        header_losses(losses, test.header, profile=None)
        fields, spelling = split_spelling(test.header.fields, HeaderAsWritten)
        name = test.header.name or "header"
        if fields:
            losses.cannot_store("the header's fields ()", name, names=fields)
        if spelling.articles:
            losses.cannot_store("articles without paragraphs", name)
        labelled = is_labelled(test)
        with writing(path) as stream:
            stream.write(b"[")
            for index, passage in enumerate(test.records()):
                context = _context(passage, labelled, losses)
                stream.write((b",\n" if index else b"\n") + _encode(context))
            stream.write(b"\n]\n")
        return losses.lines()


def _passage(where: str, raw: Any, labelled: bool, file: str, report: ReportProblem) -> Passage:
    an_object(raw, "the context", where)
    id = a_label(raw, "context_id", where) or ""
    text = a_text(raw, "context_text", id or where)
    spelling = PassageAsWritten()
    questions = []
    for index, query in enumerate(an_array(raw, "qas", id or where)):
        try:
            question, question_spelling = _question(f"{where}.qas[{index}]", query, labelled)
        except Fault as fault:
            report(fault.problem(file))
            continue
        questions.append(question)
        if question_spelling:
            spelling.questions[question.id] = question_spelling
    keep_passage_id(raw, "context_id", text, spelling)
    keep_label(raw, "title", spelling)
    fields = with_spelling(others(raw, _CONTEXT_MEMBERS), spelling)
    return Passage(
        id=id,
        text=text,
        title=a_label(raw, "title", id or where),
        questions=tuple(questions),
        key=RecordKey(fields=fields) if fields else None,
    )


def _question(where: str, raw: Any, labelled: bool) -> tuple[Question, QuestionAsWritten]:
    an_object(raw, "the query", where)
    id = a_question_id(raw, "query_id", where)
    text = a_text(raw, "query_text", id)
    answers = an_array(raw, "answers", id) if "answers" in raw else []
    for index, answer in enumerate(answers):
        if not isinstance(answer, str):
            raise Fault(id, unexpected(f"answers[{index}]", answer, "text"))
    fields = others(raw, _QUERY_MEMBERS)
    key = None
    if answers or fields or (labelled and "answers" in raw):
        key = QuestionKey(answers=tuple(Answer(text=answer) for answer in answers), fields=fields)
    spelling = QuestionAsWritten()
    keep_label(raw, "query_id", spelling, stored_as="id")
    if "answers" not in raw and (key is not None or not labelled):
        spelling.without.append("answers")
    return Question(id=id, text=text, key=key), spelling


def _context(passage: Passage, labelled: bool, losses: Losses) -> dict[str, Any]:
    passage_losses(losses, passage)
    fields, spelling = split_spelling(passage.key.fields if passage.key else {}, PassageAsWritten)
    if passage.article is not None:
        losses.cannot_store("the passage's article", passage.id)
    articles = [name for name in spelling.article if name not in ("title", "id")]
    if articles:
        losses.cannot_store("members () of the article", passage.id, names=articles)
    context: dict[str, Any] = {}
    write_passage_id(context, "context_id", passage, spelling)
    context["context_text"] = passage.text
    write_label(context, "title", passage.title, spelling)
    context["qas"] = [
        _query(
            question, spelling.questions.get(question.id) or QuestionAsWritten(), labelled, losses
        )
        for question in passage.questions
    ]
    return context | members_to_write(
        losses, passage.id, hidden=fields, visible=passage.fields, known=_CONTEXT_MEMBERS
    )


def _query(
    question: Question, spelling: QuestionAsWritten, labelled: bool, losses: Losses
) -> dict[str, Any]:
    question_losses(losses, question)
    key = question.key
    query: dict[str, Any] = {}
    write_label(query, "query_id", question.id, spelling, stored_as="id")
    query["query_text"] = question.text
    if key is None:
        if not labelled and "answers" not in spelling.without:
            query["answers"] = []
    else:
        _key_losses(losses, question.id, key, spelling)
        if key.answers or "answers" not in spelling.without:
            query["answers"] = [answer.text for answer in key.answers]
    hidden = key.fields if key else {}
    return query | members_to_write(
        losses, question.id, hidden=hidden, visible=question.fields, known=_QUERY_MEMBERS
    )


def _key_losses(losses: Losses, id: str, key: QuestionKey, spelling: QuestionAsWritten) -> None:
    """Name what of a key SQuAD's shape holds and this one does not."""
    for answer in key.answers:
        answer_losses(losses, id, answer, offsets=False)
        if answer.annotator is not None:
            losses.cannot_store("annotators", id)
    if key.unanswerable:
        losses.add("unanswerable questions were written without a mark that they are", id)
    if key.plausible:
        losses.cannot_store("plausible answers", id)
    if key.level is not None:
        losses.cannot_store("levels", id)
    members = {name for answer in spelling.answers.values() for name in answer.members}
    if names := sorted(members - {"id", "answer_start"}):
        losses.cannot_store("members () of answers", id, names=names)


CMRC2018 = Cmrc2018Format()
