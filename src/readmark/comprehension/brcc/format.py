"""BRCC: a text file of annotated passages, questions and answer keys, English, Chinese or both."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from readmark.comprehension.brcc.container import (
    SIDES,
    BrccBlock,
    BrccFault,
    BrccSection,
    NumberedItem,
    items,
    listed,
    scan,
)
from readmark.comprehension.brcc.inline_text import BrccSpelling
from readmark.comprehension.brcc.notation import (
    AnnotatedText,
    key_layers,
    paper_layers,
    read_plainly,
)
from readmark.comprehension.brcc.writer import write_brcc
from readmark.core.counts import counted
from readmark.core.encodings import ENCODING, UTF_8, Decoded, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.problems import Problem, Report
from readmark.core.records import (
    PROPOSED,
    Layers,
    Offsets,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
)
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.members import PassageAsWritten, with_spelling
from readmark.formats.registry import several_languages
from readmark.text.questions.abilities import ABILITY

# Reading one side: texts and layers, answer sentences and keys by number.


@dataclass(frozen=True, slots=True)
class _Text:
    """An annotated text and how it was written."""

    annotated: AnnotatedText
    written: str


class _Reading:
    """One reading of a passage's side."""

    def __init__(
        self, side: str, brackets: bool, block: BrccBlock, number: str, faults: list[BrccFault]
    ) -> None:
        self.side = side
        self.block = block
        self.faults = faults
        self.shared = block.id or number
        """The id that both sides have in common."""
        self.brackets = brackets or self._stated("notation", "tags") == "brackets"
        self.spelling = BrccSpelling(side, self.brackets)

    def passage(self) -> Passage | None:
        """The passage with its questions."""
        section = self.block.sections.get((self.side, "passage"))
        if section is None:
            name = SIDES[self.side]
            there = next(item for item in self.block.sections.items() if item[0][0] == self.side)
            message = f"{name} {there[0][1]} without a heading {name} passage before"
            self.faults.append(BrccFault(there[1].line, "heading", message))
            return None
        text = self._text(section.written, section.line, passage=True)
        asked = self._items("questions")
        keys = self._items("answer keys")
        id = self._stated("id", "") or self.shared
        texts = {
            numbered_item.number: self._text(numbered_item.written, numbered_item.line)
            for numbered_item in asked
        }
        published = {key.number: self._published(key) for key in keys}
        self._check_numbers(section, asked, keys, text.annotated)
        segmented = self._segmented(text, texts, published)
        names = self._listed("question ids", asked)
        types = self._listed("question types", asked)
        needed = self._listed("question abilities", asked)
        proposed = self._listed("question proposals", asked)
        odd: dict[str, Any] = {}
        if self._odd(text, segmented["passage"], passage=True):
            odd["passage"] = text.written
        questions = []
        for index, numbered_item in enumerate(asked):
            said = texts[numbered_item.number]
            phrases = published.get(numbered_item.number, [])
            name = (names[index] if names else "") or f"{id}-{numbered_item.number}"
            key = self._key(
                [each.annotated for each in phrases],
                tuple(
                    (a.start, a.end)
                    for a in text.annotated.answers
                    if a.number == numbered_item.number
                ),
                types[index] if types else "",
                key_layers(said.annotated),
                segmented["answer keys"],
                needed[index] if needed else "",
                proposed[index] if proposed else "",
            )
            question = Question(
                id=name,
                text=said.annotated.text,
                parallel=f"{self.shared}-{numbered_item.number}",
                layers=paper_layers(said.annotated, segmented=segmented["questions"]),
                key=key,
            )
            questions.append(question)
            if self._odd(said, segmented["questions"]):
                odd.setdefault("questions", {})[name] = said.written
            if any(self._odd(each, segmented["answer keys"], key=True) for each in phrases):
                odd.setdefault("keys", {})[name] = [each.written for each in phrases]
        layers = key_layers(text.annotated)
        fields = with_spelling({}, PassageAsWritten(brcc=odd)) if odd else {}
        return Passage(
            id=id,
            text=text.annotated.text,
            title=self._stated("title"),
            dateline=self._stated("dateline"),
            genre=self._stated("genre"),
            topic=self._stated("domain"),
            split=self._stated("split"),
            parallel=self.shared,
            layers=paper_layers(text.annotated, segmented=segmented["passage"]),
            questions=tuple(questions),
            key=RecordKey(layers=layers, fields=fields) if layers or fields else None,
        )

    def _stated(self, name: str, absent: str | None = None) -> Any:
        brcc_section = self.block.section_about(self.side, name)
        return read_plainly(brcc_section.written) if brcc_section is not None else absent

    def _listed(self, name: str, asked: list[NumberedItem]) -> list[str]:
        brcc_section = self.block.section_about(self.side, name)
        if brcc_section is None:
            return []
        members = listed(brcc_section.written)
        if len(members) != len(asked):
            wanted = counted(len(asked), "question")
            message = f"{name.capitalize()}: names {len(members)}, expected {wanted}"
            self.faults.append(BrccFault(brcc_section.line, "numbering", message))
            return []
        return members

    def _text(self, written: str, line: int, *, passage: bool = False) -> _Text:
        annotated, faults = self.spelling.read(written, passage=passage)
        for fault in faults:
            at = line + written.count("\n", 0, fault.offset)
            self.faults.append(BrccFault(at, fault.code, fault.message))
        return _Text(annotated, self.spelling.bare(written))

    def _items(self, part: str) -> list[NumberedItem]:
        section = self.block.sections.get((self.side, part))
        if section is None:
            return []
        numbered_items, faults = items(section, part.removesuffix("s"))
        self.faults += faults
        return numbered_items

    def _published(self, item: NumberedItem) -> list[_Text]:
        """The alternatives of an answer key; an empty one is none."""
        texts = []
        line = item.line
        for part in item.written.split("|"):
            if self.spelling.bare(part):
                texts.append(self._text(part, line))
            line += part.count("\n")
        return texts

    def _check_numbers(
        self,
        section: BrccSection,
        asked: list[NumberedItem],
        keys: list[NumberedItem],
        text: AnnotatedText,
    ) -> None:
        known = {item.number for item in asked}
        for key in keys:
            if key.number not in known:
                message = f"answer key {key.number} has no question of that number"
                self.faults.append(BrccFault(key.line, "numbering", message))
        for number in dict.fromkeys(answer.number for answer in text.answers):
            if number not in known:
                message = f"ANSQ{number} is marked and there is no question {number}"
                self.faults.append(BrccFault(section.line, "numbering", message))

    def _segmented(
        self, text: _Text, texts: dict[int, _Text], published: dict[int, list[_Text]]
    ) -> dict[str, bool]:
        """In which parts the words are marked: a line says so, else a space between Han does."""
        parts = {
            "passage": [text],
            "questions": list(texts.values()),
            "answer keys": [text for each in published.values() for text in each],
        }
        if self.side != "zh":
            return dict.fromkeys(parts, False)
        said = self._stated("segmented")
        if said is not None:
            names = {one.lower() for one in listed(said)}
            if not names <= {*parts, "no", "yes"}:
                section = self.block.section_about(self.side, "segmented")
                message = f"Segmented: is {said}, expected yes, no or some of {', '.join(parts)}"
                self.faults.append(BrccFault(section.line if section else 1, "heading", message))
            return {part: bool(names & {part, "yes"}) for part in parts}
        return {part: any(text.annotated.spaced for text in texts) for part, texts in parts.items()}

    def _key(
        self,
        phrases: list[AnnotatedText],
        sentences: tuple[Offsets, ...],
        type: str,
        layers: Layers,
        segmented: bool,
        needed: str,
        proposed: str,
    ) -> QuestionKey | None:
        if not (phrases or sentences or type or layers or needed or proposed):
            return None
        fields = {ABILITY: needed.split("+")} if needed else {}
        fields |= {PROPOSED: proposed.split("+")} if proposed else {}
        published = tuple(
            Phrase(
                text=phrase.text,
                layers={**paper_layers(phrase, segmented=segmented), **key_layers(phrase)},
            )
            for phrase in phrases
        )
        return QuestionKey(
            published=published,
            sentences=sentences,
            type=type or None,
            layers=layers,
            fields=fields,
        )

    def _odd(
        self, text: _Text, segmented: bool, *, passage: bool = False, key: bool = False
    ) -> bool:
        """Whether a text is written in another way than Readmark writes it."""
        spelt = self.spelling.write(text.annotated, passage=passage, spaced=segmented, key=key)
        return spelt != text.written


def passages_of(
    blocks: list[BrccBlock], side: str, brackets: bool, report: Callable[[BrccFault], None]
) -> Iterator[tuple[int, Passage]]:
    """The passages of a side, each with the line where its text begins.

    What is wrong in a passage is reported, and the passage left out.
    """
    for number, block in enumerate(blocks, 1):
        faults = list(block.faults)
        reading = _Reading(side, brackets, block, str(number), faults)
        passage = reading.passage() if block.has(side) else None
        for fault in sorted(faults, key=lambda fault: fault.line):
            report(fault)
        if passage is not None and not faults:
            yield block.sections[side, "passage"].line, passage


# The format.


# Possessive throughout: a page of spaces must not take minutes.
_FIRST = re.compile(rb"\s*+(?:[\w ]++:|\w++[ \t]++passage|english\s|chinese\s)", re.I)
_HEADING = re.compile(rb"^[ \t]*+[A-Z]\w++\s++passage[ \t]*+:?[ \t]*+\r?$", re.M | re.I)


@dataclass(frozen=True, slots=True)
class Brcc:
    """The format; a file in two languages is two tests."""

    notation: str = field(
        default="tags",
        metadata={
            "choices": ("tags", "brackets"),
            "help": "how noun phrases are marked, unless the file says so itself",
        },
    )
    suffixes: ClassVar[tuple[str, ...]] = (".gz", ".zst", ".txt", ".brcc")

    def recognises(self, source: Source) -> bool:
        """Text that begins with a line about a passage or a heading, and has one's heading."""
        head = source.head
        return _FIRST.match(head) is not None and _HEADING.search(head) is not None

    def read(self, source: Source) -> Test:
        """The test in the file."""
        test, *others = self.read_languages(source)
        if others:
            raise several_languages(source.file, [one.language for one in (test, *others)])
        return test

    def read_languages(self, source: Source) -> list[Test]:
        """The English test, the Chinese one, or both."""
        text, encoding = _decoded(source)
        about, blocks = scan(text)
        return [
            self._test(source, side, about, blocks, encoding) for side in _sides(source, blocks)
        ]

    def _test(
        self, source: Source, side: str, about: BrccBlock, blocks: list[BrccBlock], encoding: str
    ) -> Test:

        def stream(report: Report) -> Iterator[Placed]:
            def report_fault(fault: BrccFault) -> None:
                report(Problem(source.file, fault.line, fault.code, fault.message))

            for fault in about.faults:
                report_fault(fault)
            yield from passages_of(blocks, side, self.notation == "brackets", report_fault)

        return Test(self._header(source, side, about, encoding), stream, source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a test in English or Chinese."""
        return self.write_languages((test,), path)

    def write_languages(self, tests: Sequence[Test], path: Path) -> list[str]:
        """Write an English and a Chinese test into one file; what does not align is named."""
        return write_brcc(tests, path, brackets=self.notation == "brackets")

    def _header(self, source: Source, side: str, about: BrccBlock, encoding: str) -> Header:
        said = {name: about.section_about(side, name) for name in ("licence", "source", "hidden")}
        plain = {
            name: read_plainly(brcc_section.written)
            for name, brcc_section in said.items()
            if brcc_section is not None
        }
        hidden = said["hidden"]
        name = source.path.name
        for suffix in self.suffixes:
            name = name.removesuffix(suffix)
        return Header(
            name=name,
            language=side,
            licence=plain.get("licence"),
            source=plain.get("source"),
            hidden=tuple(listed(hidden.written)) if hidden is not None else (),
            fields={} if encoding == UTF_8 else {ENCODING: encoding},
        )


def _sides(source: Source, blocks: list[BrccBlock]) -> list[str]:
    """The languages of a file, one at least."""
    sides = [side for side in SIDES if any(block.has(side) for block in blocks)]
    if sides:
        return sides
    faults = [fault for block in blocks for fault in block.faults]
    if faults:
        first = faults[0]
        raise Problem(source.file, first.line, first.code, first.message).error()
    raise DataError("no heading English passage or Chinese passage", file=source.file)


def _decoded(source: Source) -> Decoded:
    """The file's text and its encoding."""
    text, encoding = decoded_as(read_bytes(source.path), source.file)
    return Decoded(_lines(text), encoding)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


BRCC = Brcc()
