"""The JSON shape that SQuAD 1.1, SQuAD 2.0, DRCD and SMART share, and how it is read.

Articles hold paragraphs, paragraphs hold questions; members that are not known go under the
key, so that nothing leaks to a candidate, and come back where they stood.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from readmark.core.language import language_of
from readmark.core.large_json import LargeArray
from readmark.core.problems import Report
from readmark.core.records import Answer, Passage, Question, QuestionKey, RecordKey
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.losses import with_marked_sentences
from readmark.formats.members import (
    ABSENT,
    AsWritten,
    Fault,
    HeaderAsWritten,
    PassageAsWritten,
    QuestionAsWritten,
    a_label,
    a_long_array,
    a_question_id,
    a_text,
    an_array,
    an_object,
    is_whole,
    keep_label,
    keep_passage_id,
    kept,
    name_of,
    objects,
    others,
    unexpected,
)
from readmark.formats.native import with_id

ROUTE = ("data", "[]", "paragraphs", "[]")
"""The arrays of a large document that are not held: its articles, and an article's paragraphs."""
LEVELS = (1, 2, 3, 4)
QUESTION_MEMBERS = frozenset(
    {"id", "question", "answers", "is_impossible", "plausible_answers", "level"}
)
PARAGRAPH_MEMBERS = frozenset({"id", "context", "qas"})
_ARTICLE_MEMBERS = frozenset({"title", "id", "paragraphs"})
_ANSWER_MEMBERS = frozenset({"text", "answer_start", "id"})


@dataclass(frozen=True, slots=True)
class Shape:
    """What tells one format of the shape from another."""

    name: str
    version: str
    profile: str | None = None
    impossible: Literal["never", "when true", "always"] = "when true"
    annotators: bool = False
    levels: bool = False


class Traits:
    """What the questions of a document show, and the one format that they make it."""

    def __init__(self) -> None:
        self.levels = self.annotators = self.impossible = False

    def see(self, questions: Iterable[dict[str, Any]]) -> None:
        """Take questions into account, malformed ones included."""
        for question in questions:
            self.levels = self.levels or is_whole(question.get("level"))
            self.impossible = self.impossible or "is_impossible" in question
            self.annotators = self.annotators or any(
                answer.get("id") is not None
                for name in ("answers", "plausible_answers")
                for answer in objects(question.get(name))
            )

    def format(self, version: object) -> str:
        """The richest format that something points to: each holds what those after it show."""
        if self.levels:
            return "smart"
        if self.annotators:
            return "drcd"
        if self.impossible or str(version).startswith("v2"):
            return "squad2"
        return "squad"


@dataclass(frozen=True, slots=True)
class _Reading:
    """One reading of a document: what its questions are read by, and where faults go."""

    file: str
    shape: Shape
    labelled: bool
    """Whether any question says more than what it asks."""
    to: Report

    def report(self, fault: Fault) -> None:
        self.to(fault.problem(self.file))


@dataclass(frozen=True, slots=True)
class Survey:
    """What one reading of a document finds out before its records are made."""

    document: dict[str, Any]
    traits: Traits
    labelled: bool
    empty: dict[str, Any]
    """The articles without paragraphs, by position."""


def survey(source: Source) -> Survey:
    """Read a document of the shape once; what is malformed within its data is passed over."""
    try:
        document = an_object(source.json_along(*ROUTE), "the document", "")
        data = a_long_array(document, "data", "")
    except Fault as fault:
        raise fault.problem(source.file).error() from None
    traits = Traits()
    labelled = False
    empty = {}
    for at, article in enumerate(data):
        if isinstance(article, dict) and article.get("paragraphs") == []:
            empty[str(at)] = article
        for question in questions_of([article]):
            traits.see((question,))
            labelled = labelled or _says_something(question)
    return Survey(document, traits, labelled, empty)


def read_squad(source: Source, shape: Shape) -> Test:
    """The test in a document; records are made as they are asked for."""
    file = source.file
    found = source.once(survey)
    data = found.document["data"]
    header = Header(
        name=name_of(source), profile=_profile(shape, data), fields=_header_fields(found)
    )

    def stream(report: Report) -> Iterator[Placed]:
        reading = _Reading(file, shape, found.labelled, report)
        for where, article, paragraph, odd in _paragraphs(data, reading):
            try:
                passage = with_id(_passage(where, article, paragraph, odd, reading))
            except Fault as fault:
                reading.report(fault)
                continue
            yield passage.id, passage

    return Test(header, stream, file)


def _profile(shape: Shape, data: list[Any] | LargeArray) -> str | None:
    """The shape's profile; SMART's rules are for Chinese, whatever else has levels."""
    if shape.profile is None:
        return None
    contexts = (
        paragraph["context"]
        for article in objects(data)
        for paragraph in objects(article.get("paragraphs"))
        if isinstance(paragraph.get("context"), str)
    )
    return shape.profile if language_of(contexts) == "zh" else None


def questions_of(data: Any) -> Iterator[dict[str, Any]]:
    """The questions of a document that may be malformed: whatever is none is passed over."""
    for article in objects(data):
        for paragraph in objects(article.get("paragraphs")):
            yield from objects(paragraph.get("qas"))


def _says_something(question: dict[str, Any]) -> bool:
    """Whether a question is labelled: in a document where none is, no answers means no key."""
    return bool(
        question.get("answers")
        or question.get("plausible_answers")
        or question.keys() - {"id", "question", "answers", "plausible_answers"}
    )


def _header_fields(found: Survey) -> dict[str, Any]:
    document = found.document
    odd = HeaderAsWritten(without=[] if "version" in document else ["version"])
    odd.articles = found.empty
    return kept({name: value for name, value in document.items() if name != "data"}, odd)


def _paragraphs(
    data: list[Any] | LargeArray, reading: _Reading
) -> Iterator[tuple[str, dict[str, Any], Any, PassageAsWritten]]:
    """Every paragraph with its place and its article, and how the article was spelt."""
    before: Any = None
    for at, article in enumerate(data):
        where = f"data[{at}]"
        try:
            an_object(article, "the article", where)
            label = a_label(article, "title", where), a_label(article, "id", where)
            paragraphs = a_long_array(article, "paragraphs", where)
        except Fault as fault:
            reading.report(fault)
            continue
        spelt = AsWritten(members=others(article, _ARTICLE_MEMBERS))
        keep_label(article, "title", spelt)
        keep_label(article, "id", spelt)
        for position, paragraph in enumerate(paragraphs):
            begins = position == 0 and before == (label, spelt.members)
            odd = PassageAsWritten(article=spelt.members, begins=begins)
            yield f"{where}.paragraphs[{position}]", article, paragraph, odd
        before = (label, spelt.members) if paragraphs else before


def _passage(
    where: str,
    article: dict[str, Any],
    raw: Any,
    odd: PassageAsWritten,
    reading: _Reading,
) -> Passage:
    an_object(raw, "the paragraph", where)
    id = a_label(raw, "id", where) or ""
    text = a_text(raw, "context", id or where)
    questions = []
    for at, one in enumerate(an_array(raw, "qas", id or where)):
        try:
            question, spelt = _question(f"{where}.qas[{at}]", one, reading)
        except Fault as fault:
            reading.report(fault)
            continue
        questions.append(with_marked_sentences(question, text))
        if spelt:
            odd.questions[question.id] = spelt
    keep_passage_id(raw, "id", text, odd)
    fields = kept(others(raw, PARAGRAPH_MEMBERS), odd)
    return Passage(
        id=id,
        text=text,
        title=a_label(article, "title", where),
        article=a_label(article, "id", where),
        questions=tuple(questions),
        key=RecordKey(fields=fields) if fields else None,
    )


def _question(where: str, raw: Any, reading: _Reading) -> tuple[Question, QuestionAsWritten]:
    an_object(raw, "the question", where)
    id = a_question_id(raw, "id", where)
    text = a_text(raw, "question", id)
    shape, labelled = reading.shape, reading.labelled
    odd = QuestionAsWritten()
    answers = _answers(raw, "answers", id, odd.answers)
    plausible = _answers(raw, "plausible_answers", id, odd.plausible)
    impossible = raw.get("is_impossible", ABSENT)
    if impossible is not ABSENT and not isinstance(impossible, bool):
        raise Fault(id, unexpected("is_impossible", impossible, "true or false"))
    # SQuAD 2.0's scorer goes by the answers: a labelled question without any has none.
    nothing = shape.impossible == "always" and labelled and raw.get("answers") == []
    fields = others(raw, QUESTION_MEMBERS)
    level = _level(raw, id, shape, fields)
    key = None
    said = answers or plausible or fields or level is not None or impossible is not ABSENT
    if said or (labelled and "answers" in raw):
        key = QuestionKey(
            answers=answers,
            unanswerable=impossible is True or nothing,
            plausible=plausible,
            level=level,
            fields=fields,
        )
    keep_label(raw, "id", odd)
    if raw.get("plausible_answers") == []:
        odd.members["plausible_answers"] = []
    if impossible is False and (nothing or shape.impossible != "always"):
        odd.members["is_impossible"] = False
    if "answers" not in raw and (key is not None or not labelled):
        odd.without.append("answers")
    if key is not None and impossible is ABSENT and shape.impossible == "always":
        odd.without.append("is_impossible")
    return Question(id=id, text=text, key=key), odd


def _answers(
    raw: dict[str, Any], name: str, id: str, odd: dict[str, AsWritten]
) -> tuple[Answer, ...]:
    if name not in raw:
        return ()
    answers = []
    for at, one in enumerate(an_array(raw, name, id)):
        called = f"{name}[{at}]"
        an_object(one, called, id)
        text = a_text(one, "text", id, f"{called}.text")
        start = one.get("answer_start")
        if start is not None and not is_whole(start):
            raise Fault(id, unexpected(f"{called}.answer_start", start, "a whole number"))
        annotator = a_label(one, "id", id, f"{called}.id")
        answers.append(Answer(text=text, start=start, annotator=annotator))
        spelt = AsWritten(members=others(one, _ANSWER_MEMBERS))
        keep_label(one, "id", spelt)
        if start is None:
            if "answer_start" in one:
                spelt.members["answer_start"] = None
            else:
                spelt.without.append("answer_start")
        if spelt:
            odd[str(at)] = spelt
    return tuple(answers)


def _level(raw: dict[str, Any], id: str, shape: Shape, fields: dict[str, Any]) -> int | str | None:
    """A question's level; outside SMART one of another type is any other member."""
    level = raw.get("level", ABSENT)
    if level is ABSENT:
        return None
    if shape.levels:
        if not is_whole(level) or level not in LEVELS:
            wanted = f"a whole number from {LEVELS[0]} to {LEVELS[-1]}"
            raise Fault(id, unexpected("level", level, wanted), "level")
        return int(level)
    if isinstance(level, str) or is_whole(level):
        return level  # type: ignore[no-any-return]
    fields["level"] = level
    return None
