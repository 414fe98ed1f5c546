"""Writing BRCC files: lines, annotated texts, and what they cannot hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readmark.comprehension.brcc.container import (
    FILE_LINES,
    PASSAGE_LINES,
    SIDES,
    Numbered,
    numbered,
)
from readmark.comprehension.brcc.inline_text import BrccSpelling
from readmark.comprehension.brcc.notation import (
    AnnotatedText,
    AnswerSentence,
    annotated_from,
    write_plainly,
)
from readmark.core.encodings import ENCODING
from readmark.core.errors import UsageError
from readmark.core.records import PROPOSED, Layers, Passage, Phrase, Question, QuestionKey
from readmark.core.test import Header, Test
from readmark.core.writing import writing
from readmark.formats.losses import Losses, only_comprehension
from readmark.formats.members import PassageAsWritten, recalled
from readmark.text.questions.abilities import ABILITY, abilities

Lines = dict[str, str]
"""What is said in lines, by their name."""


@dataclass(slots=True)
class Written:
    """A side as it is written to the file."""

    about: Lines = field(default_factory=dict)
    sections: dict[str, str] = field(default_factory=dict)


class _SideWriter:
    """Writes one side of a passage."""

    def __init__(
        self, side: str, passage: Passage, asked: Numbered, brackets: bool, losses: Losses
    ) -> None:
        self.side = side
        self.passage = passage
        self.asked = asked
        self.losses = losses
        self.spelling = BrccSpelling(side, brackets)
        fields, odd = recalled(passage.key.fields if passage.key else {}, PassageAsWritten)
        self.odd = odd.brcc
        self.marked: dict[str, list[bool]] = {}
        self.spaced: dict[str, bool] = {}
        _passage_losses(losses, side, passage, fields)

    def write(self, shared: str) -> Written:
        written = Written()
        written.sections["passage"] = self._passage_text()
        if self.asked:
            written.sections["questions"] = "\n".join(
                f"{number}. {self._question_text(question)}".rstrip(" ")
                for number, question in self.asked
            )
        keys = [(number, self._key_text(question)) for number, question in self.asked]
        if any(text for _, text in keys):
            written.sections["answer keys"] = "\n".join(
                f"{number}. {text}" for number, text in keys if text
            )
        written.about = self._about(shared)
        return written

    def _about(self, shared: str) -> Lines:
        passage = self.passage
        said: Lines = {}
        if passage.id != shared:
            said["id"] = write_plainly(passage.id)
        for name, value in (
            ("title", passage.title),
            ("dateline", passage.dateline),
            ("genre", passage.genre),
            ("domain", passage.topic),
            ("split", passage.split),
        ):
            if value is not None:
                said[name] = write_plainly(value)
        if any(question.id != f"{passage.id}-{number}" for number, question in self.asked):
            said["question ids"] = _list([question.id for _, question in self.asked])
        types = [question.key.type if question.key else None for _, question in self.asked]
        if any(types):
            said["question types"] = _list(types)
        needed = ["+".join(_abilities(question)) for _, question in self.asked]
        if any(needed):
            said["question abilities"] = _list(needed)
        proposed = ["+".join(_proposals(question)) for _, question in self.asked]
        if any(proposed):
            said["question proposals"] = _list(proposed)
        marked = {part: any(texts) for part, texts in self.marked.items()}
        if marked != self.spaced:
            said["segmented"] = ", ".join(part for part in marked if marked[part]) or "no"
        if self.spelling.brackets:
            said["notation"] = "brackets"
        return said

    def _passage_text(self) -> str:
        passage = self.passage
        answers = tuple(
            AnswerSentence(number, *offsets)
            for number, question in self.asked
            for offsets in (question.key.sentences if question.key else ())
        )
        layers = _all(passage.layers, passage.key)
        return self._text(
            "passage", passage.id, passage.text, layers, self.odd.get("passage"), answers
        )

    def _question_text(self, question: Question) -> str:
        question_losses(self.losses, question)
        layers = _all(question.layers, question.key)
        odd = _of(self.odd, "questions").get(question.id)
        return self._text("questions", question.id, question.text, layers, odd)

    def _key_text(self, question: Question) -> str:
        """The alternatives of the published key; people's answers where there is none."""
        key = question.key
        if key is None:
            return ""
        phrases: Sequence[Phrase] = key.published
        if not phrases and key.answers:
            self.losses.add("people's answers were written as answer keys", question.id)
            phrases = [
                Phrase(text=text) for text in dict.fromkeys(answer.text for answer in key.answers)
            ]
        odd = _of(self.odd, "keys").get(question.id)
        spelt = odd if isinstance(odd, list) and len(odd) == len(phrases) else [None] * len(phrases)
        texts = [
            self._text("answer keys", question.id, phrase.text, phrase.layers, one)
            for phrase, one in zip(phrases, spelt, strict=True)
        ]
        if not all(texts):
            self.losses.cannot_store("answer keys without text", question.id)
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
        taken = annotated_from(text, layers, answers, language=self.side)
        for what in dict.fromkeys(taken.lost):
            self.losses.cannot_store(what, id)
        if self.spelling.brackets:
            self._report_bracket_losses(id, taken.annotated)
        passage = part == "passage"
        written = self.spelling.write(
            taken.annotated, passage=passage, spaced=taken.segmented, key=part == "answer keys"
        )
        if isinstance(odd, str) and self.spelling.still_means(
            odd, taken.annotated, passage=passage, segmented=taken.segmented
        ):
            written = odd
        again, _ = self.spelling.read(written, passage=passage)
        # A text without words has none to mark, and reading it finds none marked.
        self.marked.setdefault(part, []).append(taken.segmented and bool(again.words))
        if taken.segmented and again.words != tuple(sorted(layers["token"].spans)):
            self.losses.cannot_store("words that spaces, tags and punctuation do not part", id)
        spaced = self.side == "zh" and again.spaced
        self.spaced[part] = self.spaced.get(part, False) or spaced
        if text and any(self.marked[part]) and not taken.segmented:
            self.losses.add("texts without marked words come back with some", id)
        return written

    def _report_bracket_losses(self, id: str, text: AnnotatedText) -> None:
        if any(phrase.entity is not None for phrase in text.phrases):
            self.losses.cannot_store("entities of noun phrases in brackets", id)
        if any(phrase.id is not None or phrase.ref is not None for phrase in text.phrases):
            self.losses.cannot_store("references of noun phrases in brackets", id)


def _abilities(question: Question) -> tuple[str, ...]:
    return abilities(question.key.fields) if question.key is not None else ()


def _proposals(question: Question) -> tuple[str, ...]:
    """What a rule proposed for a question and nobody confirmed, of what the file has of it."""
    key = question.key
    if key is None:
        return ()
    there = {"sentences": bool(key.sentences), "type": bool(key.type)}
    return tuple(name for name in key.fields.get(PROPOSED, ()) if there.get(name))


def _list(values: Sequence[str | None]) -> str:
    return ", ".join(
        "-" if not value else "&#45;" if value == "-" else write_plainly(value, special=",")
        for value in values
    )


def _all(layers: Layers, key: Any) -> Layers:
    return {**layers, **key.layers} if key is not None else layers


def _of(odd: dict[str, Any], name: str) -> dict[str, Any]:
    found = odd.get(name)
    return found if isinstance(found, dict) else {}


def _passage_losses(losses: Losses, side: str, passage: Passage, hidden: dict[str, Any]) -> None:
    if passage.language not in (None, side):
        losses.cannot_store("the passage's language", passage.id)
    if passage.article is not None:
        losses.cannot_store("the passage's article", passage.id)
    names = [*passage.fields, *hidden]
    if names:
        losses.cannot_store("fields ()", passage.id, names=names)


def question_losses(losses: Losses, question: Question) -> None:
    """What a BRCC file does not hold of a question."""
    for name in ("language", "series", "turn"):
        if getattr(question, name) is not None:
            losses.cannot_store(f"the question's {name}", question.id)
    if question.options:
        losses.cannot_store("options", question.id)
    key = question.key or QuestionKey()
    for what, value in (
        ("people's answers next to a published key", key.answers and key.published),
        ("answers' offsets", any(answer.offsets is not None for answer in key.answers)),
        ("annotators", any(answer.annotator is not None for answer in key.answers)),
        ("answer sentences of single answers", any(answer.sentence for answer in key.answers)),
        ("unanswerable questions", key.unanswerable),
        ("plausible answers", key.plausible),
        ("levels", key.level is not None),
        ("difficulties", key.difficulty is not None),
    ):
        if value:
            losses.cannot_store(what, question.id)
    names = [
        *question.fields,
        *(name for name in key.fields if name not in (ABILITY, PROPOSED)),
    ]
    if names:
        losses.cannot_store("fields ()", question.id, names=names)


# Writing BRCC files: one side of each passage, or both, aligned by their parallel ids.


def write_brcc(tests: Sequence[Test], path: Path, *, brackets: bool) -> list[str]:
    """Write one test, or the two sides of a parallel corpus; what cannot be written is named."""
    sides = _sides(tests)
    losses = Losses()
    with writing(path) as stream:
        said = {side: _header(test.header, losses) for side, test in sides.items()}
        head = _merged(said, FILE_LINES)
        blocks = _blocks(sides, brackets, losses)
        for index, block in enumerate((head, *blocks) if head else blocks):
            stream.write((b"\n" if index else b"") + block.encode("utf-8"))
    return losses.lines()


def _sides(tests: Sequence[Test]) -> dict[str, Test]:
    found: dict[str, Test] = {}
    for test in tests:
        only_comprehension(test, "brcc")
        side = test.language
        if side not in SIDES:
            raise UsageError(f"{test.file}: brcc is for English and Chinese, this test is {side}")
        if side in found:
            name = SIDES[side]
            raise UsageError(
                f"{test.file}: both tests are {name}; a brcc file has one in English and one in "
                "Chinese"
            )
        found[side] = test
    return {side: found[side] for side in SIDES if side in found}


def _header(header: Header, losses: Losses) -> Lines:
    fields = [name for name in header.fields if name != ENCODING]
    lost = [*(["profile"] if header.profile is not None else []), *(["fields"] if fields else [])]
    if lost:
        losses.cannot_store("the header's ()", header.name or "header", names=lost)
    said: Lines = {}
    for name, value in (("licence", header.licence), ("source", header.source)):
        if value is not None:
            said[name] = write_plainly(value)
    if header.hidden:
        said["hidden"] = ", ".join(write_plainly(one, special=",") for one in header.hidden)
    return said


def _blocks(sides: Mapping[str, Test], brackets: bool, losses: Losses) -> Iterator[str]:
    """The passages in the order of the first side, then those that only the second has."""
    first, *rest = sides
    others: dict[str, Passage] = {}
    for side in rest:
        for passage in sides[side].records():
            if others.setdefault(_label(passage), passage) is not passage:
                losses.add("passages that share a parallel id stand alone", passage.id)
    waiting = dict(others)
    seen: set[str] = set()
    for passage in sides[first].records():
        shared = _label(passage)
        if shared in seen:
            losses.cannot_store("parallel ids that several passages share", passage.id)
            shared = passage.id
        seen.add(shared)
        pair = {first: passage}
        if rest and shared in waiting:
            pair[rest[0]] = waiting.pop(shared)
        elif rest:
            losses.add(f"passages that the {SIDES[rest[0]]} side lacks", passage.id)
        yield _block(shared, pair, brackets, losses)
    for shared, passage in waiting.items():
        losses.add(f"passages that the {SIDES[first]} side lacks", passage.id)
        yield _block(shared, {rest[0]: passage}, brackets, losses)


def _label(passage: Passage) -> str:
    return passage.id if passage.parallel is None else passage.parallel


def _block(shared: str, pair: Mapping[str, Passage], brackets: bool, losses: Losses) -> str:
    asked: dict[str, Numbered] = numbered(shared, pair, losses)
    written: dict[str, Written] = {
        side: _SideWriter(side, passage, asked[side], brackets, losses).write(shared)
        for side, passage in pair.items()
    }
    about = _merged({side: one.about for side, one in written.items()}, PASSAGE_LINES)
    sections = [
        f"{SIDES[side]} {part}\n\n{body}\n"
        for side, one in written.items()
        for part, body in one.sections.items()
    ]
    return "\n".join([f"Passage: {write_plainly(shared)}\n{about}", *sections])


def _merged(said: Mapping[str, Lines], order: Sequence[str]) -> str:
    """Lines about both sides once, and those that differ with the language before."""
    lines = []
    for name in order:
        values = {side: one[name] for side, one in said.items() if name in one}
        if len(values) == len(said) and len(set(values.values())) == 1:
            lines.append(f"{name.capitalize()}: {next(iter(values.values()))}")
        else:
            lines += [f"{SIDES[side]} {name}: {value}" for side, value in values.items()]
    return "".join(f"{line.rstrip(' ')}\n" for line in lines)
