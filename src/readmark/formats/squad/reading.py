"""Passages from a document of SQuAD's shape, an article at a time; faults are reported."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from readmark.core.language import language_of
from readmark.core.large_json import LargeArray
from readmark.core.problems import ReportProblem
from readmark.core.records import Answer, Passage, Question, QuestionKey, RecordKey
from readmark.core.source import Source
from readmark.formats.as_written import (
    AsWritten,
    HeaderAsWritten,
    PassageAsWritten,
    QuestionAsWritten,
    keep_label,
    keep_passage_id,
    with_spelling,
)
from readmark.formats.evidences import with_marked_sentences
from readmark.formats.members import (
    ABSENT,
    Fault,
    a_label,
    a_long_array,
    a_question_id,
    a_text,
    an_array,
    an_object,
    is_integer,
    objects,
    others,
    unexpected,
)
from readmark.formats.squad.shapes import (
    ANSWER_MEMBERS,
    ARTICLE_MEMBERS,
    LEVELS,
    PARAGRAPH_MEMBERS,
    QUESTION_MEMBERS,
    SquadShape,
    Traits,
)

_LONG_ARRAYS = ("data", "[]", "paragraphs", "[]")
"""The arrays of a large document that are not held: its articles, and an article's paragraphs."""


@dataclass(frozen=True, slots=True)
class SquadSurvey:
    """What one reading of a document finds out before its records are made."""

    document: dict[str, Any]
    traits: Traits
    labelled: bool
    """Whether any question says more than what it asks."""
    empty_articles: dict[str, Any]
    """The articles without paragraphs, by position."""

    @property
    def format(self) -> str:
        """The name of the format that the document is in."""
        return self.traits.format(self.document.get("version"))

    def header_fields(self) -> dict[str, Any]:
        """The members beside the data, and how the header was spelt."""
        without = [] if "version" in self.document else ["version"]
        spelling = HeaderAsWritten(without=without, articles=self.empty_articles)
        return with_spelling(others(self.document, frozenset({"data"})), spelling)

    def profile(self, shape: SquadShape) -> str | None:
        """The shape's profile; SMART's rules are for Chinese, and other sets have levels too."""
        if shape.profile is None:
            return None
        contexts = (
            paragraph["context"]
            for article in objects(self.document["data"])
            for paragraph in objects(article.get("paragraphs"))
            if isinstance(paragraph.get("context"), str)
        )
        return shape.profile if language_of(contexts) == "zh" else None


def survey(source: Source) -> SquadSurvey:
    """Read a document once; what is malformed within its data is left to `SquadReading`."""
    try:
        document = an_object(source.json_along(*_LONG_ARRAYS), "the document", "")
        data = a_long_array(document, "data", "")
    except Fault as fault:
        raise fault.problem(source.file).error() from None
    traits = Traits()
    labelled = False
    empty_articles = {}
    for index, article in enumerate(data):
        if isinstance(article, dict) and article.get("paragraphs") == []:
            empty_articles[str(index)] = article
        for paragraph in objects(article.get("paragraphs") if isinstance(article, dict) else None):
            for question in objects(paragraph.get("qas")):
                traits.add((question,))
                labelled = labelled or _has_label(question)
    return SquadSurvey(document, traits, labelled, empty_articles)


def _has_label(question: dict[str, Any]) -> bool:
    """Whether a question says more than what it asks: its empty answers mean "no answer" then.

    In a document where no question does, empty answers mean that the key is withheld.
    """
    return bool(
        question.get("answers")
        or question.get("plausible_answers")
        or question.keys() - {"id", "question", "answers", "plausible_answers"}
    )


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A paragraph with its place and its article, and how the article was spelt."""

    where: str
    article: dict[str, Any]
    raw: Any
    spelling: PassageAsWritten


@dataclass(frozen=True, slots=True)
class SquadReading:
    """One reading of a document: what its questions are read by, and where faults are reported."""

    file: str
    shape: SquadShape
    labelled: bool
    report: ReportProblem

    def passages(self, data: list[Any] | LargeArray) -> Iterator[Passage]:
        """The passages of a document's articles; those with a fault are reported and left out."""
        for paragraph in self._paragraphs(data):
            try:
                yield self._passage(paragraph)
            except Fault as fault:
                self.report(fault.problem(self.file))

    def _paragraphs(self, data: list[Any] | LargeArray) -> Iterator[_Paragraph]:
        previous: Any = None
        for index, article in enumerate(data):
            where = f"data[{index}]"
            try:
                an_object(article, "the article", where)
                labels = a_label(article, "title", where), a_label(article, "id", where)
                paragraphs = a_long_array(article, "paragraphs", where)
            except Fault as fault:
                self.report(fault.problem(self.file))
                continue
            spelling = AsWritten(members=others(article, ARTICLE_MEMBERS))
            keep_label(article, "title", spelling)
            keep_label(article, "id", spelling)
            identity = labels, spelling.members
            for position, raw in enumerate(paragraphs):
                # Two articles in a row that look alike would be written as one without the mark.
                begins = position == 0 and previous == identity
                of_passage = PassageAsWritten(article=spelling.members, begins=begins)
                yield _Paragraph(f"{where}.paragraphs[{position}]", article, raw, of_passage)
            previous = identity if paragraphs else previous

    def _passage(self, paragraph: _Paragraph) -> Passage:
        where, raw, spelling = paragraph.where, paragraph.raw, paragraph.spelling
        an_object(raw, "the paragraph", where)
        id = a_label(raw, "id", where) or ""
        text = a_text(raw, "context", id or where)
        questions = []
        for index, raw_question in enumerate(an_array(raw, "qas", id or where)):
            try:
                question, question_spelling = self._question(f"{where}.qas[{index}]", raw_question)
            except Fault as fault:
                self.report(fault.problem(self.file))
                continue
            questions.append(with_marked_sentences(question, text))
            if question_spelling:
                spelling.questions[question.id] = question_spelling
        keep_passage_id(raw, "id", text, spelling)
        fields = with_spelling(others(raw, PARAGRAPH_MEMBERS), spelling)
        return Passage(
            id=id,
            text=text,
            title=a_label(paragraph.article, "title", where),
            article=a_label(paragraph.article, "id", where),
            questions=tuple(questions),
            key=RecordKey(fields=fields) if fields else None,
        )

    def _question(self, where: str, raw: Any) -> tuple[Question, QuestionAsWritten]:
        an_object(raw, "the question", where)
        id = a_question_id(raw, "id", where)
        text = a_text(raw, "question", id)
        always_says = self.shape.impossible == "always"
        spelling = QuestionAsWritten()
        answers = _answers(raw, "answers", id, spelling.answers)
        plausible = _answers(raw, "plausible_answers", id, spelling.plausible)
        impossible = raw.get("is_impossible", ABSENT)
        if impossible is not ABSENT and not isinstance(impossible, bool):
            raise Fault(id, unexpected("is_impossible", impossible, "true or false"))
        # SQuAD 2.0's scorer goes by the answers: a labelled question without any has none.
        no_answer = always_says and self.labelled and raw.get("answers") == []
        fields = others(raw, QUESTION_MEMBERS)
        level = self._level(raw, id, fields)
        key = None
        if (
            answers
            or plausible
            or fields
            or level is not None
            or impossible is not ABSENT
            or (self.labelled and "answers" in raw)
        ):
            key = QuestionKey(
                answers=answers,
                unanswerable=impossible is True or no_answer,
                plausible=plausible,
                level=level,
                fields=fields,
            )
        keep_label(raw, "id", spelling)
        if raw.get("plausible_answers") == []:
            spelling.members["plausible_answers"] = []
        if impossible is False and (no_answer or not always_says):
            spelling.members["is_impossible"] = False
        if "answers" not in raw and (key is not None or not self.labelled):
            spelling.without.append("answers")
        if key is not None and impossible is ABSENT and always_says:
            spelling.without.append("is_impossible")
        return Question(id=id, text=text, key=key), spelling

    def _level(self, raw: dict[str, Any], id: str, fields: dict[str, Any]) -> int | str | None:
        """A question's level; outside SMART one of another type is put among the fields."""
        level = raw.get("level", ABSENT)
        if level is ABSENT:
            return None
        if self.shape.levels:
            if not is_integer(level) or level not in LEVELS:
                expected = f"a whole number from {LEVELS[0]} to {LEVELS[-1]}"
                raise Fault(id, unexpected("level", level, expected), "level")
            return int(level)
        if isinstance(level, str) or is_integer(level):
            return level  # type: ignore[no-any-return]
        fields["level"] = level
        return None


def _answers(
    raw: dict[str, Any], name: str, id: str, spellings: dict[str, AsWritten]
) -> tuple[Answer, ...]:
    if name not in raw:
        return ()
    answers = []
    for index, raw_answer in enumerate(an_array(raw, name, id)):
        path = f"{name}[{index}]"
        an_object(raw_answer, path, id)
        text = a_text(raw_answer, "text", id, f"{path}.text")
        start = raw_answer.get("answer_start")
        if start is not None and not is_integer(start):
            raise Fault(id, unexpected(f"{path}.answer_start", start, "a whole number"))
        annotator = a_label(raw_answer, "id", id, f"{path}.id")
        answers.append(Answer(text=text, start=start, annotator=annotator))
        spelling = AsWritten(members=others(raw_answer, ANSWER_MEMBERS))
        keep_label(raw_answer, "id", spelling)
        if start is None:
            if "answer_start" in raw_answer:
                spelling.members["answer_start"] = None
            else:
                spelling.without.append("answer_start")
        if spelling:
            spellings[str(index)] = spelling
    return tuple(answers)
