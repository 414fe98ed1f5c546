"""Writing one side of a passage: its lines, its annotated texts, and what they cannot hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.comprehension.brcc.annotated_text import AnnotatedText, AnswerSentence
from readmark.comprehension.brcc.character_references import write_plainly
from readmark.comprehension.brcc.layers import annotated_from
from readmark.comprehension.brcc.numbers import NumberedQuestions
from readmark.comprehension.brcc.spelling import BrccSpelling
from readmark.core.records import (
    PROPOSED,
    Layers,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
)
from readmark.formats.as_written import PassageAsWritten, split_spelling
from readmark.formats.losses import Losses
from readmark.text.questions.abilities import ABILITY, abilities

AboutLines = dict[str, str]
"""What is said in lines, by their name."""


@dataclass(slots=True)
class WrittenSide:
    """A side as it is written to the file."""

    about: AboutLines = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)


class SideWriter:
    """Writes one side of a passage."""

    def __init__(
        self,
        side: str,
        passage: Passage,
        questions: NumberedQuestions,
        brackets: bool,
        losses: Losses,
    ) -> None:
        self._side = side
        self._passage = passage
        self._questions = questions
        self._losses = losses
        self._spelling = BrccSpelling(side, brackets)
        fields, as_written = split_spelling(
            passage.key.fields if passage.key else {}, PassageAsWritten
        )
        self._odd = as_written.brcc
        """Texts that were read in another spelling than the canonical one."""
        self._marked: dict[str, list[bool]] = {}
        """Whether the words of each text are marked, by part."""
        self._spaced: dict[str, bool] = {}
        """In which parts a reader will find words marked."""
        self._report_passage_losses(fields)

    def write(self, shared: str) -> WrittenSide:
        """The side; ``shared`` is the id that both sides have in common."""
        side = WrittenSide()
        side.sections["passage"] = self._passage_text()
        if self._questions:
            side.sections["questions"] = "\n".join(
                f"{number}. {self._question_text(question)}".rstrip(" ")
                for number, question in self._questions
            )
        keys = [(number, self._key_text(question)) for number, question in self._questions]
        if any(text for _, text in keys):
            side.sections["answer keys"] = "\n".join(
                f"{number}. {text}" for number, text in keys if text
            )
        side.about = self._about(shared)
        return side

    def _about(self, shared: str) -> AboutLines:
        """The lines; called last, for it says how texts were written."""
        passage = self._passage
        lines: AboutLines = {}
        if passage.id != shared:
            lines["id"] = write_plainly(passage.id)
        for name, value in (
            ("title", passage.title),
            ("dateline", passage.dateline),
            ("genre", passage.genre),
            ("domain", passage.topic),
            ("split", passage.split),
        ):
            if value is not None:
                lines[name] = write_plainly(value)
        if any(question.id != f"{passage.id}-{number}" for number, question in self._questions):
            lines["question ids"] = _list([question.id for _, question in self._questions])
        keys = [question.key or QuestionKey() for _, question in self._questions]
        for name, values in (
            ("question types", [key.type for key in keys]),
            ("question abilities", ["+".join(abilities(key.fields)) for key in keys]),
            ("question proposals", ["+".join(_proposals(key)) for key in keys]),
        ):
            if any(values):
                lines[name] = _list(values)
        marked = {part: any(texts) for part, texts in self._marked.items()}
        if marked != self._spaced:
            lines["segmented"] = ", ".join(part for part in marked if marked[part]) or "no"
        if self._spelling.brackets:
            lines["notation"] = "brackets"
        return lines

    def _passage_text(self) -> str:
        passage = self._passage
        answers = tuple(
            AnswerSentence(number, *offsets)
            for number, question in self._questions
            for offsets in (question.key.sentences if question.key else ())
        )
        layers = _with_key_layers(passage.layers, passage.key)
        odd = self._odd.get("passage")
        return self._text("passage", passage.id, passage.text, layers, odd, answers)

    def _question_text(self, question: Question) -> str:
        self._report_question_losses(question)
        layers = _with_key_layers(question.layers, question.key)
        odd = _dictionary(self._odd.get("questions")).get(question.id)
        return self._text("questions", question.id, question.text, layers, odd)

    def _key_text(self, question: Question) -> str:
        """The alternatives of the published key; people's answers if there is none."""
        key = question.key
        if key is None:
            return ""
        phrases: Sequence[Phrase] = key.published
        if not phrases and key.answers:
            self._losses.add("people's answers were written as answer keys", question.id)
            phrases = [
                Phrase(text=text) for text in dict.fromkeys(answer.text for answer in key.answers)
            ]
        odd = _dictionary(self._odd.get("keys")).get(question.id)
        if not isinstance(odd, list) or len(odd) != len(phrases):
            odd = [None] * len(phrases)
        texts = [
            self._text("answer keys", question.id, phrase.text, phrase.layers, spelt)
            for phrase, spelt in zip(phrases, odd, strict=True)
        ]
        if not all(texts):
            self._losses.cannot_store("answer keys without text", question.id)
        return " | ".join(text for text in texts if text)

    def _text(
        self,
        part: str,
        id: str,
        text: str,
        layers: Layers,
        odd: Any,
        answers: tuple[AnswerSentence, ...] = (),
    ) -> str:
        """A text as it was written, if that still means the same, else in canonical spelling."""
        writable = annotated_from(text, layers, answers, language=self._side)
        for loss in dict.fromkeys(writable.lost):
            self._losses.cannot_store(loss, id)
        if self._spelling.brackets:
            self._report_bracket_losses(id, writable.annotated)
        passage = part == "passage"
        written = self._spelling.write(
            writable.annotated,
            passage=passage,
            spaced=writable.segmented,
            key=part == "answer keys",
        )
        if isinstance(odd, str) and self._spelling.still_means(
            odd, writable.annotated, passage=passage, segmented=writable.segmented
        ):
            written = odd
        again, _ = self._spelling.read(written, passage=passage)
        # A text without words has none to mark, and reading it finds none marked.
        self._marked.setdefault(part, []).append(writable.segmented and bool(again.words))
        if writable.segmented and again.words != tuple(sorted(layers["token"].spans)):
            self._losses.cannot_store("words that spaces, tags and punctuation do not part", id)
        spaced = self._side == "zh" and again.spaced
        self._spaced[part] = self._spaced.get(part, False) or spaced
        if text and any(self._marked[part]) and not writable.segmented:
            self._losses.add("texts without marked words come back with some", id)
        return written

    def _report_bracket_losses(self, id: str, text: AnnotatedText) -> None:
        if any(phrase.entity is not None for phrase in text.phrases):
            self._losses.cannot_store("entities of noun phrases in brackets", id)
        if any(phrase.id is not None or phrase.ref is not None for phrase in text.phrases):
            self._losses.cannot_store("references of noun phrases in brackets", id)

    def _report_passage_losses(self, key_fields: dict[str, Any]) -> None:
        passage = self._passage
        if passage.language not in (None, self._side):
            self._losses.cannot_store("the passage's language", passage.id)
        if passage.article is not None:
            self._losses.cannot_store("the passage's article", passage.id)
        names = [*passage.fields, *key_fields]
        if names:
            self._losses.cannot_store("fields ()", passage.id, names=names)

    def _report_question_losses(self, question: Question) -> None:
        for name in ("language", "series", "turn"):
            if getattr(question, name) is not None:
                self._losses.cannot_store(f"the question's {name}", question.id)
        if question.options:
            self._losses.cannot_store("options", question.id)
        key = question.key or QuestionKey()
        for loss, is_lost in (
            ("people's answers next to a published key", key.answers and key.published),
            ("answers' offsets", any(answer.offsets is not None for answer in key.answers)),
            ("annotators", any(answer.annotator is not None for answer in key.answers)),
            ("answer sentences of single answers", any(answer.sentence for answer in key.answers)),
            ("unanswerable questions", key.unanswerable),
            ("plausible answers", key.plausible),
            ("levels", key.level is not None),
            ("difficulties", key.difficulty is not None),
        ):
            if is_lost:
                self._losses.cannot_store(loss, question.id)
        key_fields = [name for name in key.fields if name not in (ABILITY, PROPOSED)]
        names = [*question.fields, *key_fields]
        if names:
            self._losses.cannot_store("fields ()", question.id, names=names)


def _proposals(key: QuestionKey) -> tuple[str, ...]:
    """What a rule proposed and nobody confirmed, of what the file holds of a question."""
    is_held = {"sentences": bool(key.sentences), "type": bool(key.type)}
    return tuple(name for name in key.fields.get(PROPOSED, ()) if is_held.get(name))


def _list(values: Sequence[str | None]) -> str:
    """A line that lists values; a dash stands for none, so a dash itself is a reference."""
    return ", ".join(
        "-" if not value else "&#45;" if value == "-" else write_plainly(value, special=",")
        for value in values
    )


def _with_key_layers(layers: Layers, key: RecordKey | QuestionKey | None) -> Layers:
    return {**layers, **key.layers} if key is not None else layers


def _dictionary(value: Any) -> dict[str, Any]:
    """A member of what a file says of its spelling, which may be anything."""
    return value if isinstance(value, dict) else {}
