"""SQuAD 1.1, SQuAD 2.0, DRCD and SMART: four formats of one shape, recognised by content."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Literal

import msgspec

from readmark.core.language import language_of
from readmark.core.large_json import LargeArray
from readmark.core.problems import ReportProblem
from readmark.core.records import Answer, Passage, Question, QuestionKey, RecordKey
from readmark.core.source import Source
from readmark.core.spans import places
from readmark.core.test import Header, Placed, Test
from readmark.core.writing import writing
from readmark.formats.losses import (
    Losses,
    answer_losses,
    header_losses,
    members_to_write,
    only_comprehension,
    passage_losses,
    question_losses,
    with_marked_sentences,
)
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
    is_integer,
    is_labelled,
    keep_label,
    keep_passage_id,
    name_of,
    objects,
    others,
    recalled,
    unexpected,
    with_spelling,
    write_label,
    write_passage_id,
)
from readmark.formats.native import with_id
from readmark.formats.tables.columns import UNPLACED

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
class SquadShape:
    """What distinguishes one format of the shape from another."""

    name: str
    version: str
    profile: str | None = None
    impossible: Literal["never", "when true", "always"] = "when true"
    annotators: bool = False
    levels: bool = False


class _Traits:
    """What the questions of a document show, and the one format that they make it."""

    def __init__(self) -> None:
        self.levels = self.annotators = self.impossible = False

    def see(self, questions: Iterable[dict[str, Any]]) -> None:
        """Take questions into account, malformed ones included."""
        for question in questions:
            self.levels = self.levels or is_integer(question.get("level"))
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
    shape: SquadShape
    labelled: bool
    """Whether any question says more than what it asks."""
    to: ReportProblem

    def report(self, fault: Fault) -> None:
        self.to(fault.problem(self.file))


@dataclass(frozen=True, slots=True)
class _Survey:
    """What one reading of a document finds out before its records are made."""

    document: dict[str, Any]
    traits: _Traits
    labelled: bool
    empty: dict[str, Any]
    """The articles without paragraphs, by position."""


def survey(source: Source) -> _Survey:
    """Read a document of the shape once; what is malformed within its data is passed over."""
    try:
        document = an_object(source.json_along(*ROUTE), "the document", "")
        data = a_long_array(document, "data", "")
    except Fault as fault:
        raise fault.problem(source.file).error() from None
    traits = _Traits()
    labelled = False
    empty = {}
    for index, article in enumerate(data):
        if isinstance(article, dict) and article.get("paragraphs") == []:
            empty[str(index)] = article
        for question in questions_of([article]):
            traits.see((question,))
            labelled = labelled or _says_something(question)
    return _Survey(document, traits, labelled, empty)


def _profile(shape: SquadShape, data: list[Any] | LargeArray) -> str | None:
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


def _header_fields(found: _Survey) -> dict[str, Any]:
    without = [] if "version" in found.document else ["version"]
    odd = HeaderAsWritten(without=without, articles=found.empty)
    return with_spelling(others(found.document, frozenset({"data"})), odd)


def _paragraphs(
    data: list[Any] | LargeArray, reading: _Reading
) -> Iterator[tuple[str, dict[str, Any], Any, PassageAsWritten]]:
    """Every paragraph with its place and its article, and how the article was spelt."""
    before: Any = None
    for index, article in enumerate(data):
        where = f"data[{index}]"
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
    for index, one in enumerate(an_array(raw, "qas", id or where)):
        try:
            question, spelt = _question(f"{where}.qas[{index}]", one, reading)
        except Fault as fault:
            reading.report(fault)
            continue
        questions.append(with_marked_sentences(question, text))
        if spelt:
            odd.questions[question.id] = spelt
    keep_passage_id(raw, "id", text, odd)
    fields = with_spelling(others(raw, PARAGRAPH_MEMBERS), odd)
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
    for index, one in enumerate(an_array(raw, name, id)):
        called = f"{name}[{index}]"
        an_object(one, called, id)
        text = a_text(one, "text", id, f"{called}.text")
        start = one.get("answer_start")
        if start is not None and not is_integer(start):
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
            odd[str(index)] = spelt
    return tuple(answers)


def _level(
    raw: dict[str, Any], id: str, shape: SquadShape, fields: dict[str, Any]
) -> int | str | None:
    """A question's level; outside SMART one of another type is any other member."""
    level = raw.get("level", ABSENT)
    if level is ABSENT:
        return None
    if shape.levels:
        if not is_integer(level) or level not in LEVELS:
            wanted = f"a whole number from {LEVELS[0]} to {LEVELS[-1]}"
            raise Fault(id, unexpected("level", level, wanted), "level")
        return int(level)
    if isinstance(level, str) or is_integer(level):
        return level  # type: ignore[no-any-return]
    fields["level"] = level
    return None


# Writing the JSON shape of SQuAD, an article at a time; what it cannot hold is named.


_encode = msgspec.json.Encoder().encode


def _separated(position: int, article: bytes) -> bytes:
    return (b",\n" if position else b"\n") + article


class _Writer:
    """One writing of a test: the losses so far."""

    def __init__(self, test: Test, shape: SquadShape) -> None:
        self.test = test
        self.shape = shape
        self.losses = Losses()
        self.fields, self.odd = recalled(test.header.fields, HeaderAsWritten)
        self.labelled = is_labelled(test)

    def header(self) -> dict[str, Any]:
        """The members next to the data: the version and the header's fields."""
        header = self.test.header
        header_losses(self.losses, header, profile=self.shape.profile)
        owner, known = header.name or "header", frozenset({"data"})
        fields = members_to_write(self.losses, owner, hidden=self.fields, visible={}, known=known)
        if "version" not in fields and "version" not in self.odd.without:
            fields["version"] = self.shape.version
        if self.shape.impossible == "never" and str(fields.get("version")).startswith("v2"):
            what = f"a version of SQuAD 2.0 was written as {self.shape.version}"
            self.losses.add(what, str(fields["version"]))
            fields["version"] = self.shape.version
        return fields

    def articles(self, traits: _Traits) -> Iterator[bytes]:
        """Passages gathered back into articles, and the articles without any, in pieces of JSON.

        No article is held: in a test without titles, all passages are of one.
        """
        empty = dict(self.odd.articles)
        written = 0
        before: Any = None
        for passage in self.test.records():
            fields, odd = recalled(passage.key.fields if passage.key else {}, PassageAsWritten)
            belongs = passage.title, passage.article, odd.article
            if before is None or odd.begins or belongs != before:
                if before is not None:
                    yield b"]}"
                while str(written) in empty:
                    yield _separated(written, _encode(empty.pop(str(written))))
                    written += 1
                opening = _encode(self._article(passage, odd)).removesuffix(b"]}")
                yield _separated(written, opening)
                written += 1
                before = belongs
            else:
                yield b","
            paragraph = self._paragraph(passage, fields, odd)
            traits.see(paragraph["qas"])
            yield _encode(paragraph)
        if before is not None:
            yield b"]}"
        for article in empty.values():
            yield _separated(written, _encode(article))
            written += 1

    def _article(self, passage: Passage, odd: PassageAsWritten) -> dict[str, Any]:
        """An article without its paragraphs, which come last."""
        spelt = AsWritten(members=odd.article)
        labels: dict[str, Any] = {}
        write_label(labels, "title", passage.title, spelt)
        write_label(labels, "id", passage.article, spelt)
        return {**labels, **others(odd.article, _ARTICLE_MEMBERS), "paragraphs": []}

    def _paragraph(
        self, passage: Passage, fields: dict[str, Any], odd: PassageAsWritten
    ) -> dict[str, Any]:
        passage_losses(self.losses, passage)
        paragraph: dict[str, Any] = {}
        write_passage_id(paragraph, "id", passage, odd)
        paragraph["context"] = passage.text
        paragraph["qas"] = [
            self._question(
                passage.text, question, odd.questions.get(question.id) or QuestionAsWritten()
            )
            for question in passage.questions
        ]
        return paragraph | members_to_write(
            self.losses, passage.id, hidden=fields, visible=passage.fields, known=PARAGRAPH_MEMBERS
        )

    def _question(self, text: str, question: Question, odd: QuestionAsWritten) -> dict[str, Any]:
        question_losses(self.losses, question)
        written: dict[str, Any] = {}
        write_label(written, "id", question.id, odd)
        written["question"] = question.text
        key = question.key
        hidden = dict(key.fields) if key else {}
        if key is None:
            if not self.labelled and "answers" not in odd.without:
                written["answers"] = []
        else:
            if key.answers or "answers" not in odd.without:
                written["answers"] = self._answers(text, question.id, key.answers, odd.answers)
            self._put_impossible(written, question.id, key, odd)
            self._put_level(written, question.id, key, hidden)
        plausible = key.plausible if key else ()
        if plausible or "plausible_answers" in odd.members:
            found = self._answers(text, question.id, plausible, odd.plausible)
            written["plausible_answers"] = found
        return written | members_to_write(
            self.losses,
            question.id,
            hidden=hidden,
            visible=question.fields,
            known=QUESTION_MEMBERS,
        )

    def _put_impossible(
        self, written: dict[str, Any], id: str, key: QuestionKey, odd: QuestionAsWritten
    ) -> None:
        was_written, was_left_out = "is_impossible" in odd.members, "is_impossible" in odd.without
        usual = self.shape.impossible == "always" and not was_left_out
        if self.shape.impossible == "never":
            if key.unanswerable:
                what = "unanswerable questions were written without a mark that they are"
                self.losses.add(what, id)
        elif was_written and not key.answers:
            written["is_impossible"] = odd.members["is_impossible"]
        elif was_left_out and not key.answers:
            return
        elif key.unanswerable or was_written or usual:
            written["is_impossible"] = key.unanswerable

    def _put_level(
        self, written: dict[str, Any], id: str, key: QuestionKey, hidden: dict[str, Any]
    ) -> None:
        """SMART's levels are 1 to 4; elsewhere a number would make the document look like SMART."""
        level = key.level
        if level is None:
            if not self.shape.levels and "level" in hidden and not is_integer(hidden["level"]):
                written["level"] = hidden.pop("level")
        elif (level in LEVELS) if self.shape.levels else isinstance(level, str):
            written["level"] = level
        else:
            wanted = "other than whole numbers from 1 to 4 " if self.shape.levels else ""
            self.losses.cannot_store(f"levels {wanted}".rstrip(), id)

    def _answers(
        self, text: str, id: str, answers: tuple[Answer, ...], odd: dict[str, AsWritten]
    ) -> list[dict[str, Any]]:
        return [
            self._answer(text, id, answer, odd.get(str(index)) or AsWritten())
            for index, answer in enumerate(answers)
        ]

    def _answer(self, text: str, id: str, answer: Answer, odd: AsWritten) -> dict[str, Any]:
        answer_losses(self.losses, id, answer, offsets=True)
        written: dict[str, Any] = {**odd.members, "text": answer.text}
        written.pop("id", None)
        if self.shape.annotators or answer.annotator is None:
            write_label(written, "id", answer.annotator, odd)
        else:
            self.losses.cannot_store("annotators", id)
        if answer.start is not None:
            written["answer_start"] = answer.start
        elif "answer_start" not in odd.members and "answer_start" not in odd.without:
            written["answer_start"] = self._place(text, id, answer)
        return written

    def _place(self, text: str, id: str, answer: Answer) -> int:
        found = places(text, answer.text)
        if len(found) == 1:
            return found[0]
        what = f"answers without a known place were written with answer_start {UNPLACED}"
        self.losses.add(what, id)
        return UNPLACED


SAMPLE = 20


@dataclass(frozen=True, slots=True)
class SquadFormat:
    """A format of the shape."""

    shape: SquadShape

    def recognises(self, source: Source) -> bool:
        """A document of the shape whose features are this format's."""
        return source.once(_format_of) == self.shape.name

    def read(self, source: Source) -> Test:
        """The test in a document; records are made as they are asked for."""
        file = source.file
        found = source.once(survey)
        data = found.document["data"]
        profile = _profile(self.shape, data)
        header = Header(name=name_of(source), profile=profile, fields=_header_fields(found))

        def stream(report: ReportProblem) -> Iterator[Placed]:
            reading = _Reading(file, self.shape, found.labelled, report)
            for where, article, paragraph, odd in _paragraphs(data, reading):
                try:
                    passage = with_id(_passage(where, article, paragraph, odd, reading))
                except Fault as fault:
                    reading.report(fault)
                    continue
                yield passage.id, passage

        return Test(header, stream, file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a comprehension test as one document and name what was lost."""
        only_comprehension(test, self.shape.name)
        writer = _Writer(test, self.shape)
        with writing(path) as stream:
            header = writer.header()
            members = b"".join(_encode(n) + b":" + _encode(v) + b"," for n, v in header.items())
            stream.write(b"{" + members + b'"data":[')
            traits = _Traits()
            for piece in writer.articles(traits):
                stream.write(piece)
            stream.write(b"\n]}\n")
        taken_for = traits.format(header.get("version"))
        lines = writer.losses.lines()
        if taken_for != self.shape.name:
            lines.append(f"nothing in it says {self.shape.name}: it reads as {taken_for}")
        return lines


def _format_of(source: Source) -> str | None:
    """The one format of a document, or None when it is not of the shape."""
    document = source.document
    data = document.get("data") if isinstance(document, dict) else None
    if not isinstance(data, list):
        return None
    # Data without a single object is left to the reader's errors.
    articles = [one for one in islice(data, SAMPLE) if isinstance(one, dict)]
    if articles and not any("paragraphs" in article for article in articles):
        return None
    found = source.once(survey)
    return found.traits.format(found.document.get("version"))


SQUAD = SquadFormat(SquadShape("squad", version="1.1", impossible="never"))
SQUAD2 = SquadFormat(SquadShape("squad2", version="v2.0", impossible="always"))
DRCD = SquadFormat(SquadShape("drcd", version="1.3", annotators=True))
SMART = SquadFormat(
    SquadShape("smart", version="1.0", profile="smart", annotators=True, levels=True)
)
