"""What a person may choose from: the entities that a question can be about, in words."""

from __future__ import annotations

import datetime
from collections.abc import Mapping, Sequence

from readmark.tasks.asked_values import AskedValue, asked_in, variables_asked
from readmark.tasks.categories.values import MONTHS
from readmark.tasks.records import Query
from readmark.tasks.typed.entities import DocumentEntity, document_entities
from readmark.tasks.value_tokens import is_value


def choices_for(
    asked: AskedValue, entities: Mapping[str, DocumentEntity], language: str = "en"
) -> list[str]:
    """What a question can be about, in words: names, else descriptions that tell events apart.

    Only subjects are offered. A list of what is asked for would be the answer.
    """
    if not asked.is_subject:
        return []
    return sorted(words_for_entities(asked, entities, language).values())


def offers_for(queries: Sequence[Query], language: str) -> dict[str, dict[str, list[str]]]:
    """By query and variable, what the questions on a document can be about, in words."""
    entities = document_entities(queries)
    offers: dict[str, dict[str, list[str]]] = {}
    for query in queries:
        asked = asked_in(query)
        choices = {
            name: choices_for(asked[name], entities, language)
            for name in variables_asked(query)
            if name in asked
        }
        offers[query.id] = {name: words for name, words in choices.items() if words}
    return offers


def words_for_entities(
    asked: AskedValue, entities: Mapping[str, DocumentEntity], language: str
) -> dict[str, str]:
    """The words for each entity of a class: its name, or a value that no other entity has."""
    of_class = [entity for entity in entities.values() if entity.is_of_class(asked)]
    label = _label(asked, language)
    words: dict[str, str] = {}
    for entity in of_class:
        if entity.is_named:
            names = entity.names or [entity.name.replace("-", " ")]
            words[entity.name] = names[0]
            continue
        others = [other for other in of_class if other is not entity and not other.is_named]
        unique = [
            value for value in entity.values if not any(value in other.values for other in others)
        ]
        if not others or not unique:
            words[entity.name] = label
            continue
        # A date is what people tell events by; names come next.
        unique.sort(key=lambda pair: (day_in(pair[1]) is None, is_value(pair[1])))
        words[entity.name] = _description(label, unique[0][1], entities, language)
    return words


def _label(asked: AskedValue, language: str) -> str:
    chinese = [label for label in asked.labels if not label.isascii()]
    if language == "zh" and chinese:
        return chinese[0]
    return next((label for label in asked.labels if label.isascii()), asked.labels[0])


def _description(
    label: str, value: str, entities: Mapping[str, DocumentEntity], language: str
) -> str:
    day = day_in(value)
    if day is not None:
        if language == "zh":
            return f"{day.year}年{day.month}月{day.day}日的{label}"
        return f"{label} on {day.day} {MONTHS[day.month - 1].capitalize()} {day.year}"
    entity = entities.get(value)
    words = next(iter(entity.mentions), value) if entity is not None else value.strip('"')
    return f"{label}（{words}）" if language == "zh" else f"{label} ({words})"


def day_in(value: str) -> datetime.date | None:
    """The day that a value is, if it is one."""
    try:
        return datetime.date.fromisoformat(value)
    except ValueError:
        return None
