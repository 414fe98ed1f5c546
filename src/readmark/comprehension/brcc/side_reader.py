"""Reading one side of a passage: texts and layers, answer sentences and keys by number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from readmark.comprehension.brcc.annotated_text import AnnotatedText
from readmark.comprehension.brcc.character_references import read_plainly
from readmark.comprehension.brcc.container import (
    SIDES,
    BrccBlock,
    BrccFault,
    BrccSection,
    NumberedItem,
    items,
    listed,
)
from readmark.comprehension.brcc.layers import key_layers, paper_layers
from readmark.comprehension.brcc.spelling import BrccSpelling
from readmark.core.counts import counted
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
from readmark.formats.as_written import PassageAsWritten, with_spelling
from readmark.text.questions.abilities import ABILITY


def passages_of(
    blocks: list[BrccBlock], side: str, brackets: bool, report: Callable[[BrccFault], None]
) -> Iterator[tuple[int, Passage]]:
    """The passages of a side, each with the line where its text begins.

    What is wrong in a passage is reported, and the passage left out.
    """
    for number, block in enumerate(blocks, 1):
        reader = _SideReader(side, brackets, block, str(number))
        passage = reader.passage() if block.has(side) else None
        for fault in sorted(reader.faults, key=lambda fault: fault.line):
            report(fault)
        if passage is not None and not reader.faults:
            yield block.sections[side, "passage"].line, passage


@dataclass(frozen=True, slots=True)
class _WrittenText:
    """An annotated text and how it was written."""

    annotated: AnnotatedText
    written: str


class _SideReader:
    """One reading of a passage's side."""

    def __init__(self, side: str, brackets: bool, block: BrccBlock, number: str) -> None:
        self.faults = list(block.faults)
        self._side = side
        self._block = block
        self._shared = block.id or number
        """The id that both sides have in common."""
        brackets = brackets or self._stated("notation", "tags") == "brackets"
        self._spelling = BrccSpelling(side, brackets)

    def passage(self) -> Passage | None:
        """The passage with its questions; None without a heading of the passage."""
        section = self._block.sections.get((self._side, "passage"))
        if section is None:
            name = SIDES[self._side]
            (_, part), other = next(
                item for item in self._block.sections.items() if item[0][0] == self._side
            )
            message = f"{name} {part} without a heading {name} passage before"
            self.faults.append(BrccFault(other.line, "heading", message))
            return None
        text = self._text(section.written, section.line, passage=True)
        question_items, keys = self._items("questions"), self._items("answer keys")
        question_texts = {
            item.number: self._text(item.written, item.line) for item in question_items
        }
        published = {key.number: self._published(key) for key in keys}
        self._check_numbers(section, question_items, keys, text.annotated)
        segmented = self._segmented(text, question_texts, published)
        id = self._stated("id", "") or self._shared
        names = self._listed("question ids", question_items)
        types = self._listed("question types", question_items)
        abilities = self._listed("question abilities", question_items)
        proposals = self._listed("question proposals", question_items)
        # What is spelt in another way than Readmark would is kept, to be written so again.
        odd: dict[str, Any] = {}
        if self._is_odd(text, segmented["passage"], passage=True):
            odd["passage"] = text.written
        questions = []
        for index, item in enumerate(question_items):
            question_text = question_texts[item.number]
            phrases = published.get(item.number, [])
            name = names[index] or f"{id}-{item.number}"
            key = _key(
                [phrase.annotated for phrase in phrases],
                tuple(
                    (answer.start, answer.end)
                    for answer in text.annotated.answers
                    if answer.number == item.number
                ),
                type=types[index],
                layers=key_layers(question_text.annotated),
                segmented=segmented["answer keys"],
                abilities=abilities[index],
                proposals=proposals[index],
            )
            questions.append(
                Question(
                    id=name,
                    text=question_text.annotated.text,
                    parallel=f"{self._shared}-{item.number}",
                    layers=paper_layers(question_text.annotated, segmented=segmented["questions"]),
                    key=key,
                )
            )
            if self._is_odd(question_text, segmented["questions"]):
                odd.setdefault("questions", {})[name] = question_text.written
            if any(self._is_odd(each, segmented["answer keys"], key=True) for each in phrases):
                odd.setdefault("keys", {})[name] = [phrase.written for phrase in phrases]
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
            parallel=self._shared,
            layers=paper_layers(text.annotated, segmented=segmented["passage"]),
            questions=tuple(questions),
            key=RecordKey(layers=layers, fields=fields) if layers or fields else None,
        )

    def _stated(self, name: str, absent: str | None = None) -> Any:
        """What a line says of this side or of the passage."""
        section = self._block.section_about(self._side, name)
        return read_plainly(section.written) if section is not None else absent

    def _listed(self, name: str, question_items: list[NumberedItem]) -> list[str]:
        """What a line lists for each question; nothing for any without such a line."""
        nothing = [""] * len(question_items)
        section = self._block.section_about(self._side, name)
        if section is None:
            return nothing
        members = listed(section.written)
        if len(members) != len(question_items):
            expected = counted(len(question_items), "question")
            message = f"{name.capitalize()}: names {len(members)}, expected {expected}"
            self.faults.append(BrccFault(section.line, "numbering", message))
            return nothing
        return members

    def _text(self, written: str, line: int, *, passage: bool = False) -> _WrittenText:
        annotated, faults = self._spelling.read(written, passage=passage)
        for fault in faults:
            fault_line = line + written.count("\n", 0, fault.offset)
            self.faults.append(BrccFault(fault_line, fault.code, fault.message))
        return _WrittenText(annotated, self._spelling.bare(written))

    def _items(self, part: str) -> list[NumberedItem]:
        section = self._block.sections.get((self._side, part))
        if section is None:
            return []
        numbered_items, faults = items(section, part.removesuffix("s"))
        self.faults += faults
        return numbered_items

    def _published(self, item: NumberedItem) -> list[_WrittenText]:
        """The alternatives of an answer key; an empty one is none."""
        texts = []
        line = item.line
        for part in item.written.split("|"):
            if self._spelling.bare(part):
                texts.append(self._text(part, line))
            line += part.count("\n")
        return texts

    def _check_numbers(
        self,
        section: BrccSection,
        question_items: list[NumberedItem],
        keys: list[NumberedItem],
        text: AnnotatedText,
    ) -> None:
        """Report answer keys and answer sentences of questions that are not there."""
        numbers = {item.number for item in question_items}
        for key in keys:
            if key.number not in numbers:
                message = f"answer key {key.number} has no question of that number"
                self.faults.append(BrccFault(key.line, "numbering", message))
        for number in dict.fromkeys(answer.number for answer in text.answers):
            if number not in numbers:
                message = f"ANSQ{number} is marked and there is no question {number}"
                self.faults.append(BrccFault(section.line, "numbering", message))

    def _segmented(
        self,
        text: _WrittenText,
        question_texts: dict[int, _WrittenText],
        published: dict[int, list[_WrittenText]],
    ) -> dict[str, bool]:
        """In which parts the words are marked: a line says so, else a space between Han does."""
        parts = {
            "passage": [text],
            "questions": list(question_texts.values()),
            "answer keys": [phrase for phrases in published.values() for phrase in phrases],
        }
        if self._side != "zh":
            return dict.fromkeys(parts, False)
        stated = self._stated("segmented")
        if stated is None:
            return {
                part: any(text.annotated.spaced for text in texts) for part, texts in parts.items()
            }
        names = {name.lower() for name in listed(stated)}
        if not names <= {*parts, "no", "yes"}:
            section = self._block.section_about(self._side, "segmented")
            message = f"Segmented: is {stated}, expected yes, no or some of {', '.join(parts)}"
            self.faults.append(BrccFault(section.line if section else 1, "heading", message))
        return {part: bool(names & {part, "yes"}) for part in parts}

    def _is_odd(
        self, text: _WrittenText, segmented: bool, *, passage: bool = False, key: bool = False
    ) -> bool:
        """Whether a text is written in another way than Readmark writes it."""
        spelt = self._spelling.write(text.annotated, passage=passage, spaced=segmented, key=key)
        return spelt != text.written


def _key(
    phrases: list[AnnotatedText],
    sentences: tuple[Offsets, ...],
    *,
    type: str,
    layers: Layers,
    segmented: bool,
    abilities: str,
    proposals: str,
) -> QuestionKey | None:
    if not (phrases or sentences or type or layers or abilities or proposals):
        return None
    fields = {ABILITY: abilities.split("+")} if abilities else {}
    fields |= {PROPOSED: proposals.split("+")} if proposals else {}
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
