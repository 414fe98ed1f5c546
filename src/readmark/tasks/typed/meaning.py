"""Which entity of a document a person's words mean, and whether they may mean several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from readmark.tasks.asked_values import AskedValue
from readmark.tasks.mention_classes import PRONOUNS, is_name, mention_class
from readmark.tasks.typed.dates import Month, dates_in, months_in
from readmark.tasks.typed.descriptions import is_description, is_one_of_several
from readmark.tasks.typed.entities import DocumentEntity
from readmark.tasks.typed.offers import day_in, words_for_entities
from readmark.tasks.typed.spellings import (
    has_words,
    is_part,
    spellings,
    spellings_of,
    without_title,
)


def entity_meant(
    text: str, asked: AskedValue, entities: Mapping[str, DocumentEntity], document: str
) -> DocumentEntity | None:
    """The only entity that words can mean: by its name, by a description, by its values."""
    candidates = [
        entity for entity in entities.values() if not asked.classes or entity.is_of_class(asked)
    ]
    named = _named_by(text, asked, candidates)
    if len(named) == 1:
        return named[0]
    is_only_subject = asked.is_subject and len(candidates) == 1
    if is_only_subject and _is_pronoun(text):
        return candidates[0]
    if named or not is_description(text, asked):
        return None

    words = spellings(text, asked)
    unnamed = [entity for entity in candidates if not entity.is_named]
    described = [
        entity
        for entity in unnamed
        if any(
            mention_class([words_for_entities(asked, entities, language)[entity.name]]) & words
            for language in ("en", "zh")
        )
    ]
    if len(described) == 1:
        return described[0]
    days = set(dates_in(text, document))
    months = () if days else tuple(months_in(text))
    with_value = [
        entity for entity in unnamed if _says_value_of(text, entity, days, months, entities)
    ]
    if len(with_value) == 1:
        return with_value[0]
    if is_only_subject and not days and not is_one_of_several(text):
        return candidates[0]
    if len(unnamed) == 1 and words & mention_class(asked.labels):
        return unnamed[0]
    return None


def _named_by(
    text: str, asked: AskedValue, candidates: Sequence[DocumentEntity]
) -> list[DocumentEntity]:
    """The entities that words name: in full, else without a title, else in part."""
    words = spellings(text, asked)
    names = [(entity, spellings_of(entity, asked)) for entity in candidates]
    named = [entity for entity, spelt in names if words & spelt]
    if not named and (untitled := mention_class([without_title(text)])) != mention_class([text]):
        named = [entity for entity, spelt in names if untitled & spelt]
    if not named and asked.is_subject:
        # The question says what it can be about, so a part of a name is enough: "Clara".
        named = [
            entity
            for entity, spelt in names
            if any(is_part(part, name) for name in spelt for part in words)
        ]
    return named


def _says_value_of(
    text: str,
    entity: DocumentEntity,
    days: set[str],
    months: Sequence[Month],
    entities: Mapping[str, DocumentEntity],
) -> bool:
    """Whether a description says one of the entity's values: a day, a month or year, a name."""
    words = next(iter(mention_class([text])), "")
    for _, value in entity.values:
        if value in days:
            return True
        day = day_in(value)
        if day is not None and any(
            year in (None, day.year) and month in (None, day.month) for year, month in months
        ):
            return True
        other = entities.get(value)
        if other is not None:
            names = mention_class((*filter(is_name, other.mentions), other.name))
            if any(has_words(words, name) for name in names):
                return True
    return False


def may_mean_several(text: str, asked: AskedValue, offers: Sequence[str]) -> bool:
    """Whether words may mean several of the choices: a pronoun, a surname of two people."""
    if _is_pronoun(text):
        return len(offers) > 1
    words = spellings(text, asked)
    names = [spellings(offer, asked) for offer in offers]
    if any(words & spelt for spelt in names):
        return False
    if is_description(text, asked):
        return len(offers) > 1
    having = [
        spelt for spelt in names if any(is_part(part, name) for name in spelt for part in words)
    ]
    return len(having) > 1


def is_in_document(text: str, asked: AskedValue, document: str) -> bool:
    """Whether words describe an entity, or the document has them, in any case and width.

    It does not depend on the gold, which a person could otherwise guess by trying.
    """
    if is_description(text, asked):
        return True
    [folded] = mention_class([document]) or [""]
    words = spellings(text, asked) | spellings(without_title(text), asked)
    return any(has_words(folded, form) for form in words)


def _is_pronoun(text: str) -> bool:
    return text.strip().casefold() in PRONOUNS
