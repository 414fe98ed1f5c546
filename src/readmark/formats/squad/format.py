"""SQuAD 1.1, SQuAD 2.0, DRCD and SMART: four formats of one shape, told apart by content."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.files import writing
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.source import Source
from readmark.core.spans import places
from readmark.core.test import Test
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
    AsWritten,
    HeaderAsWritten,
    PassageAsWritten,
    QuestionAsWritten,
    is_labelled,
    is_whole,
    put,
    put_passage_id,
    recalled,
)
from readmark.formats.squad.reader import (
    LEVELS,
    PARAGRAPH_MEMBERS,
    QUESTION_MEMBERS,
    Shape,
    Traits,
    read_squad,
    survey,
)

# Writing the JSON shape of SQuAD, an article at a time; what it cannot hold is named.


UNPLACED = -1
"""The answer_start of an answer whose place is not known."""

_encode = msgspec.json.Encoder().encode


def write_squad(test: Test, path: Path, shape: Shape) -> list[str]:
    """Write a comprehension test as one document and name what was lost."""
    only_comprehension(test, shape.name)
    writer = _Writer(test, shape)
    with writing(path) as stream:
        header = writer.header()
        members = b"".join(_encode(n) + b":" + _encode(v) + b"," for n, v in header.items())
        stream.write(b"{" + members + b'"data":[')
        traits = Traits()
        for piece in writer.articles(traits):
            stream.write(piece)
        stream.write(b"\n]}\n")
    taken_for = traits.format(header.get("version"))
    if taken_for != shape.name:
        return [*writer.losses.lines(), f"nothing in it says {shape.name}: it reads as {taken_for}"]
    return writer.losses.lines()


def _separated(position: int, article: bytes) -> bytes:
    return (b",\n" if position else b"\n") + article


class _Writer:
    """One writing of a test: the losses so far."""

    def __init__(self, test: Test, shape: Shape) -> None:
        self.test = test
        self.shape = shape
        self.losses = Losses()
        self.fields, self.odd = recalled(test.header.fields, HeaderAsWritten)
        self.labelled = is_labelled(test)

    def header(self) -> dict[str, Any]:
        """The members beside the data: the version and the header's fields."""
        header = self.test.header
        header_losses(self.losses, header, profile=self.shape.profile)
        fields = members_to_write(
            self.losses,
            header.name or "header",
            hidden=self.fields,
            visible={},
            known=frozenset({"data"}),
        )
        if "version" not in fields and "version" not in self.odd.without:
            fields["version"] = self.shape.version
        if self.shape.impossible == "never" and str(fields.get("version")).startswith("v2"):
            self.losses.add(
                f"a version of SQuAD 2.0 was written as {self.shape.version}",
                str(fields["version"]),
            )
            fields["version"] = self.shape.version
        return fields

    def articles(self, traits: Traits) -> Iterator[bytes]:
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
        put(labels, "title", passage.title, spelt)
        put(labels, "id", passage.article, spelt)
        others = {
            name: value
            for name, value in odd.article.items()
            if name not in ("title", "id", "paragraphs")
        }
        return {**labels, **others, "paragraphs": []}

    def _paragraph(
        self, passage: Passage, fields: dict[str, Any], odd: PassageAsWritten
    ) -> dict[str, Any]:
        passage_losses(self.losses, passage)
        paragraph: dict[str, Any] = {}
        put_passage_id(paragraph, "id", passage, odd)
        paragraph["context"] = passage.text
        paragraph["qas"] = [
            self._question(passage.text, one, odd.questions.get(one.id) or QuestionAsWritten())
            for one in passage.questions
        ]
        return paragraph | members_to_write(
            self.losses, passage.id, hidden=fields, visible=passage.fields, known=PARAGRAPH_MEMBERS
        )

    def _question(self, text: str, question: Question, odd: QuestionAsWritten) -> dict[str, Any]:
        question_losses(self.losses, question)
        written: dict[str, Any] = {}
        put(written, "id", question.id, odd)
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
        if self.shape.impossible == "never":
            if key.unanswerable:
                what = "unanswerable questions were written without a mark that they are"
                self.losses.add(what, id)
        elif "is_impossible" in odd.members and not key.answers:
            written["is_impossible"] = odd.members["is_impossible"]
        elif "is_impossible" in odd.without and not key.answers:
            return
        elif (
            key.unanswerable
            or "is_impossible" in odd.members
            or (self.shape.impossible == "always" and "is_impossible" not in odd.without)
        ):
            written["is_impossible"] = key.unanswerable

    def _put_level(
        self, written: dict[str, Any], id: str, key: QuestionKey, hidden: dict[str, Any]
    ) -> None:
        """SMART's levels are 1 to 4; elsewhere a number would make the document look like SMART."""
        level = key.level
        if level is None:
            if not self.shape.levels and "level" in hidden and not is_whole(hidden["level"]):
                written["level"] = hidden.pop("level")
        elif (level in LEVELS) if self.shape.levels else isinstance(level, str):
            written["level"] = level
        else:
            wanted = "other than whole numbers from 1 to 4 " if self.shape.levels else ""
            self.losses.cannot_hold(f"levels {wanted}".rstrip(), id)

    def _answers(
        self, text: str, id: str, answers: tuple[Answer, ...], odd: dict[str, AsWritten]
    ) -> list[dict[str, Any]]:
        return [
            self._answer(text, id, answer, odd.get(str(at)) or AsWritten())
            for at, answer in enumerate(answers)
        ]

    def _answer(self, text: str, id: str, answer: Answer, odd: AsWritten) -> dict[str, Any]:
        answer_losses(self.losses, id, answer, offsets=True)
        written: dict[str, Any] = {**odd.members, "text": answer.text}
        written.pop("id", None)
        if self.shape.annotators or answer.annotator is None:
            put(written, "id", answer.annotator, odd)
        else:
            self.losses.cannot_hold("annotators", id)
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
class Squad:
    """A format of the shape."""

    shape: Shape

    def recognises(self, source: Source) -> bool:
        """A document of the shape whose features are this format's."""
        return source.once(_format_of) == self.shape.name

    def read(self, source: Source) -> Test:
        """The test in a document."""
        return read_squad(source, self.shape)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a document; what was lost is named."""
        return write_squad(test, path, self.shape)


def _format_of(source: Source) -> str | None:
    """The one format of a document, or None when it is not of the shape."""
    document = source.document
    if not isinstance(document, dict) or not _has_the_shape(document.get("data")):
        return None
    found = source.once(survey)
    return found.traits.format(found.document.get("version"))


def _has_the_shape(data: Any) -> bool:
    """Articles with paragraphs; data without a single object is left to the reader's errors."""
    if not isinstance(data, list):
        return False
    articles = [one for one in islice(data, SAMPLE) if isinstance(one, dict)]
    return not articles or any("paragraphs" in article for article in articles)


SQUAD = Squad(Shape("squad", version="1.1", impossible="never"))
SQUAD2 = Squad(Shape("squad2", version="v2.0", impossible="always"))
DRCD = Squad(Shape("drcd", version="1.3", annotators=True))
SMART = Squad(Shape("smart", version="1.0", profile="smart", annotators=True, levels=True))
