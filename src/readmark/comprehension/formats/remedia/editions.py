"""The editions of one story made one passage: its layers, answer sentences and keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.comprehension.formats.remedia.inline_tags import TaggedStretch, UntaggedText
from readmark.comprehension.formats.remedia.sheets import RemediaSheet
from readmark.core.problems import Problem, ReportProblem, remark
from readmark.core.records import (
    Layer,
    Layers,
    Offsets,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
)
from readmark.core.spans import clip

_ANSWER = re.compile(r"ANSQ(\d+)")
_ENTITIES = {"ENAMEX", "TIMEX", "NUMEX"}
_TYPES = {"TIMEX": "TIME", "NUMEX": "NUM"}
SOURCE = "remedia"


@dataclass(frozen=True, slots=True)
class Edition:
    """One file of a story: which edition it is, its text without tags, and its sheets."""

    file: str
    kind: str
    plain: UntaggedText
    sheets: tuple[RemediaSheet, ...]
    fields: Mapping[str, str]
    """What the passage should say of the file's encoding."""


class _Annotations:
    """What the editions say of one text, collected."""

    def __init__(self) -> None:
        self.entities: dict[Offsets, tuple[str, str]] = {}
        self.mentions: dict[Offsets, tuple[int | None, int | None]] = {}
        self.markables: dict[Offsets, None] = {}
        self.answers: dict[int, dict[Offsets, None]] = {}

    def add(self, tagged: TaggedStretch, span: Offsets) -> bool:
        """Take a tag into account; False if its name is unknown."""
        answer = _ANSWER.fullmatch(tagged.name)
        attributes = tagged.attributes
        if answer:
            self.answers.setdefault(int(answer[1]), {})[span] = None
        elif tagged.name in _ENTITIES:
            type = attributes.get("TYPE", "")
            self.entities[span] = (_TYPES.get(tagged.name, type.upper()), type)
        elif tagged.name == "COREF":
            id, ref = (_whole_number(attributes, name) for name in ("ID", "REF"))
            self.mentions[span] = (id, ref)
        elif tagged.name == "MARKABLE":
            self.markables[span] = None
        else:
            return False
        return True

    def layers(self) -> Layers:
        """What candidates see."""
        return _layer("ne", self.entities, ("type", "muc"))

    def key_layers(self) -> Layers:
        """What they do not see."""
        mentions = _layer("mention", self.mentions, ("id", "ref"))
        return {**mentions, **_layer("markable", dict.fromkeys(self.markables, ()), ())}


def _whole_number(attributes: Mapping[str, str], name: str) -> int | None:
    value = attributes.get(name)
    return int(value) if value is not None and value.isdecimal() else None


def _layer(name: str, spans: dict[Offsets, tuple[Any, ...]], columns: tuple[str, ...]) -> Layers:
    if not spans:
        return {}
    in_order = sorted(spans)
    cells = {
        column: tuple(spans[span][index] for span in in_order)
        for index, column in enumerate(columns)
    }
    return {name: Layer(spans=tuple(in_order), source=SOURCE, columns=cells)}


def passage_of(
    id: str, editions: Sequence[Edition], index: int, grade: int | None, report: ReportProblem
) -> Passage:
    """The passage that the editions' sheets at an index are about; the first one has its text."""
    first = editions[0]
    sheet = first.sheets[index]
    text = first.plain.text[slice(*sheet.body)]
    question_texts = {
        number: first.plain.text[slice(*span)] for number, span in sheet.questions.items()
    }
    of_passage = _Annotations()
    of_questions = {number: _Annotations() for number in sheet.questions}
    for edition in editions:
        _collect(edition, edition.sheets[index].body, text, of_passage, report)
        for number, span in edition.sheets[index].questions.items():
            if number in of_questions:
                _collect(edition, span, question_texts[number], of_questions[number], report)
    for number in of_passage.answers.keys() - sheet.questions.keys():
        message = f"ANSQ{number} is marked but there is no question {number}"
        remark(report, Problem(first.file, id, "no_question", message))
    keys: dict[int, str] = {}
    for edition in reversed(editions):  # the first edition that has a key wins
        keys |= edition.sheets[index].keys
    parts = sheet.parts()
    fields: dict[str, Any] = {"parts": parts, **first.fields}
    if grade is not None:
        fields["grade"] = grade
    key_layers = of_passage.key_layers()
    return Passage(
        id=id,
        text=text,
        title=text[slice(*parts["title"])] if "title" in parts else None,
        dateline=text[slice(*parts["dateline"])] if "dateline" in parts else None,
        layers=of_passage.layers(),
        fields=fields,
        questions=tuple(
            _question(
                f"{id}-{number}",
                question_text,
                of_passage.answers.get(number, {}),
                of_questions[number],
                keys.get(number, ""),
            )
            for number, question_text in question_texts.items()
        ),
        key=RecordKey(layers=key_layers) if key_layers else None,
    )


def _question(
    id: str, text: str, sentences: Iterable[Offsets], annotations: _Annotations, keys: str
) -> Question:
    published = tuple(Phrase(text=key.strip()) for key in keys.split("|") if key.strip())
    key_layers = annotations.key_layers()
    marked = tuple(sorted(sentences))
    key = None
    if published or marked or key_layers:
        key = QuestionKey(published=published, sentences=marked, layers=key_layers)
    return Question(id=id, text=text, layers=annotations.layers(), key=key)


def _collect(
    edition: Edition, span: Offsets, text: str, annotations: _Annotations, report: ReportProblem
) -> None:
    """Lay an edition's tags in a stretch over the first edition's text of it.

    Editions break lines differently, so a tag's place is found by counting what is not space.
    """
    edition_text = edition.plain.text[slice(*span)]
    tags = list(edition.plain.within(*span))
    if not tags:
        return
    if "".join(edition_text.split()) != "".join(text.split()):
        message = f"its text is not the first edition's: {clip(edition_text)!r} for {clip(text)!r}"
        remark(report, Problem(edition.file, edition.kind, "text", message))
        return
    places = [index for index, character in enumerate(text) if not character.isspace()]
    for tag in tags:
        place = tag.start, tag.end
        if edition_text != text:
            before = len("".join(edition_text[: tag.start].split()))
            inside = len("".join(edition_text[tag.start : tag.end].split()))
            place = places[before], places[before + inside - 1] + 1
        if not annotations.add(tag, place):
            remark(report, Problem(edition.file, tag.name, "tag", "the tag is not known"))
