"""What the variables of a query stand for, by the ontology: a datatype, or entities of a class.

A query that is read from a task carries this in its fields, with the role of its properties, so
that a test that has left its task still says how answers are typed and sorted.
"""

from __future__ import annotations

import functools
from typing import Any

import msgspec

from readmark.core.records import Value
from readmark.tasks.reasoning.datatypes import datatype
from readmark.tasks.reasoning.ontology import THING, TYPE, Ontology
from readmark.tasks.reasoning.rules.parser import parse_query
from readmark.tasks.reasoning.rules.values import patterns_of, variables_of
from readmark.tasks.reasoning.terms import Name, Variable
from readmark.tasks.records import INFERRED, ROLE, TARGET, Query, asked_of

ASKED = "asked"
"""The field of a query with an ``AskedValue`` for each variable."""
UNIT = "unit"
"""The annotation of a property, ``rm:unit``, with the unit of its numbers."""


class AskedValue(Value, frozen=True):
    """What a variable stands for: a value of a datatype, or an entity of a class."""

    type: str | None = None
    """The local name of an XML Schema datatype, such as ``date``."""
    units: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    """The class of an entity, and those above it."""
    labels: tuple[str, ...] = ()
    """What the class is called, in every language that the ontology has."""
    is_subject: bool = False
    """Whether the query asks for something about it, and not only for it."""


def asked_values(graph: str, ontology: Ontology) -> dict[str, AskedValue]:
    """What each variable of a query graph stands for, as far as the ontology says."""
    found: dict[str, AskedValue] = {}
    patterns = patterns_of(parse_query(graph))
    subjects = {
        pattern.subject
        for pattern in patterns
        if isinstance(pattern.predicate, Name)
        and ontology.namespaces.canonical(pattern.predicate) != TYPE
        and isinstance(pattern.object, Variable)
    }

    def entity(term: Any, of: Any) -> None:
        """Of several classes the lowest says most."""
        if not isinstance(term, Variable) or not isinstance(of, Name) or of == THING:
            return
        classes = (of.text, *sorted(above.text for above in ontology.ancestors(of) - {of}))
        before = found.get(term.text)
        if before is None or (before.type is None and len(before.classes) < len(classes)):
            found[term.text] = AskedValue(
                classes=classes, labels=_labels(ontology, of), is_subject=term in subjects
            )

    for pattern in patterns:
        if not isinstance(pattern.predicate, Name):
            continue
        name = ontology.namespaces.canonical(pattern.predicate)
        if name == TYPE:
            if isinstance(pattern.object, Name):
                entity(pattern.subject, ontology.namespaces.canonical(pattern.object))
            continue
        prop = ontology.properties.get(name)
        if prop is None:
            continue
        entity(pattern.subject, prop.domain)
        type = datatype(prop.range) if prop.range is not None else None
        if type is None:
            entity(pattern.object, prop.range)
        elif isinstance(pattern.object, Variable):
            units = tuple(
                text
                for key, text in sorted(prop.annotations.items())
                if key.partition("@")[0] == UNIT
            )
            found[pattern.object.text] = AskedValue(type=type, units=units)
    return found


def _labels(ontology: Ontology, name: Name) -> tuple[str, ...]:
    known = ontology.classes.get(name)
    if known is None:
        return (name.text,)
    translated = (
        text for key, text in sorted(known.annotations.items()) if key.partition("@")[0] == "label"
    )
    labels = dict.fromkeys((known.label, *translated, name.text.rpartition(":")[2]))
    return tuple(label for label in labels if label)


def asked_fields(graph: str, ontology: Ontology) -> dict[str, Any]:
    """The fields of a query that an ontology adds."""
    encoded = msgspec.json.encode(asked_values(graph, ontology))
    asked = msgspec.json.decode(encoded)  # lists, as a stored test has them
    return {ASKED: asked, ROLE: role_of_query(graph, ontology)}


def role_of_query(graph: str, ontology: Ontology) -> str:
    """``inferred`` if any property of the query is of that role: then the answer is inferred.

    An auxiliary property is one that the reasoner takes or infers, but that no query is made for.
    """
    for pattern in patterns_of(parse_query(graph)):
        if isinstance(pattern.predicate, Name):
            name = ontology.namespaces.canonical(pattern.predicate)
            prop = ontology.properties.get(name)
            if prop is not None and prop.role in ("inferred", "auxiliary"):
                return INFERRED
    return TARGET


def asked_in(query: Query) -> dict[str, AskedValue]:
    """What a query's fields say of its variables; nothing where its ontology is not known."""
    try:
        return msgspec.convert(query.fields.get(ASKED) or {}, dict[str, AskedValue])
    except msgspec.ValidationError:
        return {}


def variables_asked(query: Query) -> tuple[str, ...]:
    """The variables that an answer to a query has values for."""
    names = asked_of(query.fields)
    if names is not None:
        return names
    return tuple(dict.fromkeys(each.text for each in variables_of(parse_query(query.graph))))


@functools.lru_cache(maxsize=4096)
def links_in(graph: str) -> tuple[tuple[str, str, str], ...]:
    """The statements of a query graph about two variables: subject, property, value."""
    return tuple(
        (pattern.subject.text, pattern.predicate.text, pattern.object.text)
        for pattern in patterns_of(parse_query(graph))
        if isinstance(pattern.subject, Variable)
        and isinstance(pattern.predicate, Name)
        and isinstance(pattern.object, Variable)
    )
