"""The editions of one Remedia story made one passage: its layers, answer sentences and keys."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.formats.remedia.sheet import Sheet
from readmark.corpus.formats.tagged_text import Element, Untagged
from readmark.corpus.problems import Problem, Report, remark
from readmark.corpus.spans import clip
from readmark.corpus.values import (
    Layer,
    Layers,
    Offsets,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
)

_ANSWER = re.compile(r"ANSQ(\d+)")
_ENTITIES = {"ENAMEX", "TIMEX", "NUMEX"}
_TYPES = {"TIMEX": "TIME", "NUMEX": "NUM"}
SOURCE = "remedia"


@dataclass(frozen=True, slots=True)
class Edition:
    """One file of a story: which edition it is, its text without tags, and its sheets."""

    file: str
    kind: str
    plain: Untagged
    sheets: tuple[Sheet, ...]
    fields: Mapping[str, str]
    """What is to be said of its encoding."""


class _Found:
    """What the editions say of one text, gathered."""

    def __init__(self) -> None:
        self.entities: dict[Offsets, tuple[str, str]] = {}
        self.mentions: dict[Offsets, tuple[int | None, int | None]] = {}
        self.markables: dict[Offsets, None] = {}
        self.answers: dict[int, dict[Offsets, None]] = {}

    def add(self, element: Element, span: Offsets) -> bool:
        """Take an element into account; False when its name means nothing here."""
        answer = _ANSWER.fullmatch(element.name)
        said = element.attributes
        if answer:
            self.answers.setdefault(int(answer[1]), {})[span] = None
        elif element.name in _ENTITIES:
            type = said.get("TYPE", "")
            self.entities[span] = (_TYPES.get(element.name, type.upper()), type)
        elif element.name == "COREF":
            self.mentions[span] = (_whole(said.get("ID")), _whole(said.get("REF")))
        elif element.name == "MARKABLE":
            self.markables[span] = None
        else:
            return False
        return True

    def layers(self) -> Layers:
        """What candidates see."""
        return _layer("ne", self.entities, ("type", "muc"))

    def key_layers(self) -> Layers:
        """What they do not."""
        mentions = _layer("mention", self.mentions, ("id", "ref"))
        return {**mentions, **_layer("markable", dict.fromkeys(self.markables, ()), ())}


def passage_of(
    id: str, editions: Sequence[Edition], at: int, grade: int | None, report: Report
) -> Passage:
    """The passage that the editions' sheets of that number are about."""
    first = editions[0]
    sheet = first.sheets[at]
    start, end = sheet.body
    text = first.plain.text[start:end]
    own, asked = _Found(), {number: _Found() for number in sheet.questions}
    for edition in editions:
        _gather(edition, edition.sheets[at].body, text, own, report)
        for number, span in edition.sheets[at].questions.items():
            if number in asked:
                qs, qe = sheet.questions[number]
                _gather(edition, span, first.plain.text[qs:qe], asked[number], report)
    for number in own.answers.keys() - sheet.questions.keys():
        what = f"ANSQ{number} is marked but there is no question {number}"
        remark(report, Problem(first.file, id, "no_question", what))
    parts = sheet.parts()
    fields: dict[str, Any] = {"parts": parts, **first.fields}
    if grade is not None:
        fields["grade"] = grade
    hidden = own.key_layers()
    keys = {
        number: said for one in reversed(editions) for number, said in one.sheets[at].keys.items()
    }
    return Passage(
        id=id,
        text=text,
        title=text[slice(*parts["title"])] if "title" in parts else None,
        dateline=text[slice(*parts["dateline"])] if "dateline" in parts else None,
        layers=own.layers(),
        fields=fields,
        questions=tuple(
            _question(
                f"{id}-{number}",
                first.plain.text[s:e],
                own.answers.get(number, {}),
                asked[number],
                keys.get(number, ""),
            )
            for number, (s, e) in sheet.questions.items()
        ),
        key=RecordKey(layers=hidden) if hidden else None,
    )


def _question(
    id: str, text: str, sentences: Iterable[Offsets], found: _Found, keys: str
) -> Question:
    published = tuple(Phrase(text=one.strip()) for one in keys.split("|") if one.strip())
    hidden = found.key_layers()
    marked = tuple(sorted(sentences))
    key = None
    if published or marked or hidden:
        key = QuestionKey(published=published, sentences=marked, layers=hidden)
    return Question(id=id, text=text, layers=found.layers(), key=key)


def _gather(edition: Edition, span: Offsets, text: str, found: _Found, report: Report) -> None:
    """An edition's elements in a stretch, laid over the first edition's text of it."""
    own = edition.plain.text[span[0] : span[1]]
    elements = list(edition.plain.within(*span))
    if not elements:
        return
    places = _places(own, text)
    if places is None:
        what = f"its text is not the first edition's: {clip(own)!r} for {clip(text)!r}"
        remark(report, Problem(edition.file, edition.kind, "text", what))
        return
    for one in elements:
        span = (one.start, one.end) if own == text else _laid(places, own, one.start, one.end)
        if not found.add(one, span):
            remark(report, Problem(edition.file, one.name, "tag", "the tag is not known"))


def _places(own: str, text: str) -> list[int] | None:
    """Where each of an edition's characters that is no space stands in the text."""
    if "".join(own.split()) != "".join(text.split()):
        return None
    return [at for at, char in enumerate(text) if not char.isspace()]


def _laid(places: list[int], own: str, start: int, end: int) -> Offsets:
    before = len("".join(own[:start].split()))
    inside = len("".join(own[start:end].split()))
    return places[before], places[before + inside - 1] + 1


def _layer(name: str, spans: dict[Offsets, tuple[Any, ...]], columns: tuple[str, ...]) -> Layers:
    if not spans:
        return {}
    ordered = sorted(spans)
    held = {column: tuple(spans[one][at] for one in ordered) for at, column in enumerate(columns)}
    return {name: Layer(spans=tuple(ordered), source=SOURCE, columns=held)}


def _whole(said: str | None) -> int | None:
    return int(said) if said is not None and said.isdecimal() else None
