"""A domain's summary of what was read: ``summary.toml`` maps entities to members of a JSON.

[events]                       # a list; with one = true the first entity alone
class = "ScoringEvent"
excerpt = "excerpt"            # the member that has where the entity is read
[events.members]
team = "scoringTeam"           # a property, or a path such as "eventOf/teamScoringAll"
type = { property = "type", names = { FieldGoal = "field_goal" } }
player = { property = "scorer", words = true }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.files import toml_of
from readmark.core.json_lines import in_words
from readmark.core.records import Value
from readmark.tasks.extraction.read_entities import TYPE, ReadEntity
from readmark.tasks.package import Package


class SummaryMember(Value, frozen=True):
    """What a member of a summary holds: the values at the end of a path of properties."""

    property: str
    names: dict[str, str] = {}
    """Other names of values."""
    words: bool = False
    """Whether an entity is given by the longest words that the text has for it."""
    many: bool = False


class SummaryTable(Value, frozen=True, rename={"of": "class"}):
    """A member of the JSON: an object or a list of objects, one for each entity of a class."""

    of: str
    members: dict[str, SummaryMember | str]
    one: bool = False
    excerpt: str = ""


Summary = Mapping[str, SummaryTable]


def read_summary(package: Package) -> Summary:
    """The summary of a domain; empty where it has none."""
    for file in package.manifest.of("summary"):
        place = package.folder.place(file.path)
        tables = toml_of(package.folder.read(file.path), place)
        try:
            return msgspec.convert(tables, dict[str, SummaryTable])
        except msgspec.ValidationError as error:
            raise DataError(in_words(error), file=place) from None
    return {}


def summarise(entities: Mapping[str, ReadEntity], summary: Summary) -> dict[str, Any]:
    """The members that a domain's summary adds for a document."""
    members: dict[str, Any] = {}
    for name, table in summary.items():
        rows = [
            _row(entity, table, entities)
            for entity in entities.values()
            if table.of in entity.classes
        ]
        if table.one:
            members[name] = rows[0] if rows else dict.fromkeys(table.members)
        else:
            members[name] = rows
    return members


def _row(
    entity: ReadEntity, table: SummaryTable, entities: Mapping[str, ReadEntity]
) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for name, member in table.members.items():
        if isinstance(member, str):
            member = SummaryMember(member)
        values = _at_path(entity, member.property.split("/"), entities)
        if member.words:
            values = [_in_words(value, entities) for value in values]
        if member.names:
            values = [member.names[value] for value in values if value in member.names]
        if member.many:
            row[name] = values
        else:
            row[name] = values[0] if values else None
    if table.excerpt:
        row[table.excerpt] = list(entity.excerpts[0]) if entity.excerpts else None
    return row


def _at_path(
    entity: ReadEntity, path: Sequence[str], entities: Mapping[str, ReadEntity]
) -> list[Any]:
    """The values at the end of a path of properties, by way of the entities on it."""
    first, *rest = path
    values = entity.classes if first == TYPE else entity.properties.get(first, ())
    if not rest:
        return list(values)
    return [
        end
        for value in values
        if isinstance(value, str) and value in entities
        for end in _at_path(entities[value], rest, entities)
    ]


def _in_words(value: Any, entities: Mapping[str, ReadEntity]) -> Any:
    """What the text calls an entity; other values as they are."""
    if isinstance(value, str) and value in entities:
        return " ".join(entities[value].words.split()) or value
    return value
