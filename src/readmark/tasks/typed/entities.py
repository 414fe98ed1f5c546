"""The entities and events of a document, by what its gold answers say of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from readmark.tasks.alignment import BLANK
from readmark.tasks.asked_values import AskedValue, asked_in, links_in
from readmark.tasks.mention_classes import is_name
from readmark.tasks.records import Query
from readmark.tasks.typed.descriptions import is_description
from readmark.tasks.value_tokens import is_value, plain, token


@dataclass
class DocumentEntity:
    """An entity or event of a document; its dictionaries are sets that keep their order."""

    name: str
    classes: dict[str, None] = field(default_factory=dict)
    labels: dict[str, None] = field(default_factory=dict)
    """What its class is called."""
    mentions: dict[str, None] = field(default_factory=dict)
    values: dict[tuple[str, str], None] = field(default_factory=dict)
    """Property and value, of everything that answers say about it."""

    @property
    def names(self) -> list[str]:
        """Its mentions that name it, and do not only say what it is: "Repair", 这次维修."""
        asked = AskedValue(labels=tuple(self.labels))
        return [word for word in self.mentions if is_name(word) and not is_description(word, asked)]

    @property
    def is_named(self) -> bool:
        """Whether the document names it, or its own name does: ``Repair-1`` is a number."""
        if self.names:
            return True
        if self.name.startswith(BLANK) or self.mentions:
            return False
        numbered = re.fullmatch(r"(?:.*[:#/])?(\D+?)[-_]?\d+", self.name)
        classes = {_letters(word) for word in (*self.classes, *self.labels, "event", "entity")}
        return numbered is None or _letters(numbered[1]) not in classes

    def is_of_class(self, asked: AskedValue) -> bool:
        """Whether it is of the class that a variable asks for."""
        return bool(set(asked.classes[:1]) & set(self.classes))


def _letters(word: str) -> str:
    return re.sub(r"\W", "", word.casefold())


def document_entities(queries: Iterable[Query]) -> dict[str, DocumentEntity]:
    """The entities and events of a document's gold answers, by name."""
    entities: dict[str, DocumentEntity] = {}
    for query in queries:
        asked = asked_in(query)
        for solution in query.key.solutions if query.key is not None else ():
            tokens = {variable: token(value) for variable, value in solution.values.items()}
            for variable, name in tokens.items():
                if is_value(name):
                    continue
                entity = entities.setdefault(name, DocumentEntity(name))
                entity.mentions.update(dict.fromkeys(solution.mentions.get(name, ())))
                if variable in asked:
                    entity.classes.update(dict.fromkeys(asked[variable].classes))
                    entity.labels.update(dict.fromkeys(asked[variable].labels))
            for subject, property, value in links_in(query.graph):
                if subject in tokens and value in tokens and not is_value(tokens[subject]):
                    entity = entities[tokens[subject]]
                    entity.values[property, plain(tokens[value])] = None
    return entities
