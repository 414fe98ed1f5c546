"""People's answers to queries in their own words, as values and entities.

"Formally specified queries submitted to Reading Systems will be re-formulated as natural language
questions for human readers" ("The DARPA Machine Reading Program", section 3.2.1). Values are read
by the ontology's ranges. Words for an entity are its name, or describe it: "the repair".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from readmark.core.spans import Excerpt
from readmark.tasks.alignment import BLANK
from readmark.tasks.asked_values import AskedValue, asked_in
from readmark.tasks.reasoning.datatypes import TEXTS
from readmark.tasks.records import Query, Solution
from readmark.tasks.typed.descriptions import is_description
from readmark.tasks.typed.entities import DocumentEntity, document_entities
from readmark.tasks.typed.meaning import entity_meant, is_in_document, may_mean_several
from readmark.tasks.typed.spellings import as_document_writes
from readmark.tasks.typed.values import TypedValue, read_shape, read_value
from readmark.tasks.typed.words import UnreadValue
from readmark.tasks.value_tokens import is_value

_QUOTED = re.compile(r'".*"', re.DOTALL)
"""Words that are meant as they stand, whatever the question asks for."""


@dataclass(frozen=True)
class UnreadField:
    """A value of an answer that could not be read, by its place from 1 and its variable."""

    place: int
    variable: str
    problem: UnreadValue

    def __str__(self) -> str:
        return f"answer_{self.place} ({self.variable}): {self.problem}"


@dataclass(frozen=True)
class DoubtfulWords:
    """Words that were taken as they stand and can hardly be right, by their variable."""

    variable: str
    words: str
    is_absent: bool = True
    """The document does not have them; else they do not say which of its things is meant."""


@dataclass(frozen=True)
class ReadAnswer:
    """A person's answer, and what of it could not be read: that stays as the words typed."""

    solution: Solution
    unread: tuple[UnreadField, ...] = ()
    doubtful: tuple[DoubtfulWords, ...] = ()


def read_answer(
    query: Query,
    names: Sequence[str],
    texts: Sequence[str],
    excerpts: Iterable[Excerpt] = (),
    *,
    document: str = "",
    entities: Mapping[str, DocumentEntity] | None = None,
    offers: Mapping[str, Sequence[str]] | None = None,
) -> ReadAnswer:
    """What a person typed for each variable of a query, by what the ontology asks for there.

    With ``entities`` of the gold, words that can only mean one of them stand for it. ``offers``
    are the choices that the person had for a variable. A value that is not there is a
    ``ValueError``.
    """
    asked_of = asked_in(query)
    values: dict[str, TypedValue] = {}
    mentions: dict[str, tuple[str, ...]] = {}
    unread: list[UnreadField] = []
    doubtful: list[DoubtfulWords] = []
    for place, (name, text) in enumerate(zip(names, texts, strict=True), 1):
        if not text:
            raise ValueError(f"answer_{place} ({name}) is empty")
        asked = asked_of.get(name, AskedValue())
        if asked.type is not None:
            try:
                values[name] = _typed_value(text, asked.type, asked.units, document)
            except UnreadValue as problem:
                unread.append(UnreadField(place, name, problem))
                values[name] = read_value(text, "string")
            continue
        if not asked.classes:  # nobody knows what is asked for: the form of the words decides
            value = text if is_value(text) else read_shape(text)
            if value is not None:
                values[name] = value
                continue
        entity = entity_meant(text, asked, entities or {}, document)
        is_certain = asked.is_subject and entity is not None
        if document and not is_certain and not is_in_document(text, asked, document):
            doubtful.append(DoubtfulWords(name, text))
        elif not is_certain and may_mean_several(text, asked, (offers or {}).get(name, ())):
            doubtful.append(DoubtfulWords(name, text, is_absent=False))
        new_name = entity.name if entity is not None else _name_from(text, asked)
        values[name] = new_name
        mentions[new_name] = tuple(entity.mentions) if entity and entity.mentions else (text,)
    solution = Solution(values=values, mentions=mentions, excerpts=tuple(excerpts))
    return ReadAnswer(solution, tuple(unread), tuple(doubtful))


def _typed_value(text: str, type: str, units: Sequence[str], document: str) -> TypedValue:
    if _QUOTED.fullmatch(text):
        return read_value(text, "string")
    words = as_document_writes(text, document) if type in TEXTS else text
    return read_value(words, type, units=units, document=document)


def _name_from(text: str, asked: AskedValue) -> str:
    """A name for an entity; one that is described has none, and is known by its other values."""
    slug = re.sub(r"[^\w.:-]+", "-", text).strip("-") or "x"
    return f"{BLANK}{slug}" if is_description(text, asked) else slug


class DocumentAnswers:
    """Reads what people type as answers to the queries on a document, by its gold where known."""

    def __init__(self, text: str, queries: Iterable[Query] = ()) -> None:
        self._text = text
        self._entities = document_entities(queries)

    def read(
        self,
        query: Query,
        typed: Mapping[str, str],
        excerpts: Iterable[Excerpt] = (),
        *,
        offers: Mapping[str, Sequence[str]] | None = None,
    ) -> ReadAnswer:
        """An answer by its variables, as `read_answer` reads it."""
        return read_answer(
            query,
            list(typed),
            list(typed.values()),
            excerpts,
            document=self._text,
            entities=self._entities,
            offers=offers,
        )
