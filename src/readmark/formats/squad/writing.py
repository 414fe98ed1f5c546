"""A test in the JSON shape of SQuAD, an article at a time; what the shape cannot hold is named."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.spans import places
from readmark.core.test import Test
from readmark.formats.as_written import (
    AsWritten,
    HeaderAsWritten,
    PassageAsWritten,
    QuestionAsWritten,
    is_labelled,
    split_spelling,
    write_label,
    write_passage_id,
)
from readmark.formats.losses import (
    Losses,
    answer_losses,
    header_losses,
    members_to_write,
    passage_losses,
    question_losses,
)
from readmark.formats.members import is_integer, others
from readmark.formats.squad.shapes import (
    ARTICLE_MEMBERS,
    LEVELS,
    PARAGRAPH_MEMBERS,
    QUESTION_MEMBERS,
    SquadShape,
    Traits,
)
from readmark.formats.tables.columns import UNPLACED

_encode = msgspec.json.Encoder().encode


class SquadWriter:
    """Writes one test; the losses so far, and the traits that the document shows."""

    def __init__(self, test: Test, shape: SquadShape) -> None:
        self.test = test
        self.shape = shape
        self.losses = Losses()
        self.traits = Traits()
        self._fields, self._spelling = split_spelling(test.header.fields, HeaderAsWritten)
        self._labelled = is_labelled(test)
        self._members = self._header_members()

    @property
    def format(self) -> str:
        """The format that what was written would be taken for."""
        return self.traits.format(self._members.get("version"))

    def document(self) -> Iterator[bytes]:
        """The whole document, in pieces."""
        members = (_encode(name) + b":" + _encode(v) + b"," for name, v in self._members.items())
        yield b"{" + b"".join(members) + b'"data":['
        yield from self._articles()
        yield b"\n]}\n"

    def _header_members(self) -> dict[str, Any]:
        """The members beside the data: the version and the header's fields."""
        header = self.test.header
        header_losses(self.losses, header, profile=self.shape.profile)
        members = members_to_write(
            self.losses,
            header.name or "header",
            hidden=self._fields,
            visible={},
            known=frozenset({"data"}),
        )
        if "version" not in members and "version" not in self._spelling.without:
            members["version"] = self.shape.version
        if self.shape.impossible == "never" and str(members.get("version")).startswith("v2"):
            what = f"a version of SQuAD 2.0 was written as {self.shape.version}"
            self.losses.add(what, str(members["version"]))
            members["version"] = self.shape.version
        return members

    def _articles(self) -> Iterator[bytes]:
        """Passages gathered back into articles, with the articles that have none, as JSON.

        No article is held: in a test without titles, all passages are of one.
        """
        empty_articles = dict(self._spelling.articles)
        count = 0
        previous: Any = None
        for passage in self.test.records():
            fields, spelling = split_spelling(
                passage.key.fields if passage.key else {}, PassageAsWritten
            )
            identity = passage.title, passage.article, spelling.article
            if previous is None or spelling.begins or identity != previous:
                if previous is not None:
                    yield b"]}"
                while str(count) in empty_articles:
                    yield _separated(count, _encode(empty_articles.pop(str(count))))
                    count += 1
                opening = _encode(_article(passage, spelling)).removesuffix(b"]}")
                yield _separated(count, opening)
                count += 1
                previous = identity
            else:
                yield b","
            paragraph = self._paragraph(passage, fields, spelling)
            self.traits.add(paragraph["qas"])
            yield _encode(paragraph)
        if previous is not None:
            yield b"]}"
        for article in empty_articles.values():
            yield _separated(count, _encode(article))
            count += 1

    def _paragraph(
        self, passage: Passage, fields: dict[str, Any], spelling: PassageAsWritten
    ) -> dict[str, Any]:
        passage_losses(self.losses, passage)
        paragraph: dict[str, Any] = {}
        write_passage_id(paragraph, "id", passage, spelling)
        paragraph["context"] = passage.text
        paragraph["qas"] = [
            self._question(
                passage.text, question, spelling.questions.get(question.id) or QuestionAsWritten()
            )
            for question in passage.questions
        ]
        return paragraph | members_to_write(
            self.losses, passage.id, hidden=fields, visible=passage.fields, known=PARAGRAPH_MEMBERS
        )

    def _question(
        self, text: str, question: Question, spelling: QuestionAsWritten
    ) -> dict[str, Any]:
        question_losses(self.losses, question)
        members: dict[str, Any] = {}
        write_label(members, "id", question.id, spelling)
        members["question"] = question.text
        key = question.key
        hidden = dict(key.fields) if key else {}
        if key is None:
            if not self._labelled and "answers" not in spelling.without:
                members["answers"] = []
        else:
            if key.answers or "answers" not in spelling.without:
                members["answers"] = self._answers(text, question.id, key.answers, spelling.answers)
            self._put_impossible(members, question.id, key, spelling)
            self._put_level(members, question.id, key, hidden)
        plausible = key.plausible if key else ()
        if plausible or "plausible_answers" in spelling.members:
            members["plausible_answers"] = self._answers(
                text, question.id, plausible, spelling.plausible
            )
        return members | members_to_write(
            self.losses,
            question.id,
            hidden=hidden,
            visible=question.fields,
            known=QUESTION_MEMBERS,
        )

    def _put_impossible(
        self, members: dict[str, Any], id: str, key: QuestionKey, spelling: QuestionAsWritten
    ) -> None:
        """Say whether the question can be answered, as the shape or the read document does."""
        was_written = "is_impossible" in spelling.members
        was_left_out = "is_impossible" in spelling.without
        is_usual = self.shape.impossible == "always" and not was_left_out
        if self.shape.impossible == "never":
            if key.unanswerable:
                what = "unanswerable questions were written without a mark that they are"
                self.losses.add(what, id)
        elif was_written and not key.answers:
            members["is_impossible"] = spelling.members["is_impossible"]
        elif was_left_out and not key.answers:
            return
        elif key.unanswerable or was_written or is_usual:
            members["is_impossible"] = key.unanswerable

    def _put_level(
        self, members: dict[str, Any], id: str, key: QuestionKey, hidden: dict[str, Any]
    ) -> None:
        """SMART's levels are 1 to 4; elsewhere a number would make the document look like SMART."""
        level = key.level
        if level is None:
            if not self.shape.levels and "level" in hidden and not is_integer(hidden["level"]):
                members["level"] = hidden.pop("level")
        elif (level in LEVELS) if self.shape.levels else isinstance(level, str):
            members["level"] = level
        elif self.shape.levels:
            self.losses.cannot_store("levels other than whole numbers from 1 to 4", id)
        else:
            self.losses.cannot_store("levels", id)

    def _answers(
        self, text: str, id: str, answers: tuple[Answer, ...], spellings: dict[str, AsWritten]
    ) -> list[dict[str, Any]]:
        return [
            self._answer(text, id, answer, spellings.get(str(index)) or AsWritten())
            for index, answer in enumerate(answers)
        ]

    def _answer(self, text: str, id: str, answer: Answer, spelling: AsWritten) -> dict[str, Any]:
        answer_losses(self.losses, id, answer, offsets=True)
        members: dict[str, Any] = {**spelling.members, "text": answer.text}
        members.pop("id", None)
        if self.shape.annotators or answer.annotator is None:
            write_label(members, "id", answer.annotator, spelling)
        else:
            self.losses.cannot_store("annotators", id)
        if answer.start is not None:
            members["answer_start"] = answer.start
        elif "answer_start" not in spelling.members and "answer_start" not in spelling.without:
            starts = places(text, answer.text)
            if len(starts) != 1:
                what = f"answers without a known place were written with answer_start {UNPLACED}"
                self.losses.add(what, id)
            members["answer_start"] = starts[0] if len(starts) == 1 else UNPLACED
        return members


def _article(passage: Passage, spelling: PassageAsWritten) -> dict[str, Any]:
    """An article without its paragraphs, which come last so that they can follow it."""
    labels: dict[str, Any] = {}
    of_article = AsWritten(members=spelling.article)
    write_label(labels, "title", passage.title, of_article)
    write_label(labels, "id", passage.article, of_article)
    return {**labels, **others(spelling.article, ARTICLE_MEMBERS), "paragraphs": []}


def _separated(position: int, article: bytes) -> bytes:
    return (b",\n" if position else b"\n") + article
