"""Marks as brat has them: text-bound annotations and events, with relations and roles as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.spans import clip
from readmark.core.writing import writing
from readmark.formats.brat.standoff import (
    COREFERENCE_TYPES,
    SOURCE_TYPE,
    Standoff,
    fragments_of,
    quoted,
    read_standoff,
    read_value,
    written_value,
)
from readmark.tasks.categories.definitions import NOTE, SAME, Categories
from readmark.tasks.categories.marks import MarkedText, TextMark

ANN = ".ann"


@dataclass(frozen=True)
class _Event:
    """An event: the annotation that triggers it, and its roles with what they lead to."""

    trigger: str
    roles: Sequence[tuple[str, str]]


@dataclass
class _OtherLines:
    """What a file says in lines that are not about words."""

    events: dict[str, _Event] = field(default_factory=dict)
    attributes: dict[str, dict[str, Any]] = field(default_factory=dict)
    same: list[tuple[str, str]] = field(default_factory=list)
    unused: list[str] = field(default_factory=list)
    """Lines that mean nothing here."""


def read_brat_marks(
    path: str, categories: Categories, text: str | None, documents: Mapping[str, str]
) -> MarkedText:
    """The marks of an .ann file on its text: the file ``text``, the one beside it, or a document.

    An event is a mark on the words of its trigger; a line to a trigger is a line to its event.
    """
    lines = _utf8(Path(path))
    source = Path(text) if text is not None else Path(path).with_suffix(".txt")
    stem = Path(path).stem
    if text is None and not source.is_file() and stem in documents:
        words = documents[stem]
    else:
        words = _utf8(source, "the text that it annotates; name it with --text")
    relation_names = categories.relation_names
    standoff = read_standoff(
        words, lines, path, relations=frozenset(relation_names) | COREFERENCE_TYPES
    )
    line_of = {line.partition("\t")[0]: number for number, line in enumerate(lines.split("\n"), 1)}
    others = _other_lines(standoff, path, line_of)
    marks = {mark.id: mark for mark in _marks(standoff, others.events, line_of)}
    for id, values in others.attributes.items():
        if id not in marks:
            raise DataError(f"an attribute is about {id}, which is not there", file=path)
        marks[id] = replace(marks[id], values={**marks[id].values, **values})

    event_of = {event.trigger: id for id, event in reversed(others.events.items())}
    same = [(event_of.get(start, start), event_of.get(end, end)) for start, end in others.same]
    links: dict[str, dict[str, str]] = {}
    for name, start, end in _relations(standoff, others.events, relation_names):
        source_id, target_id = event_of.get(start, start), event_of.get(end, end)
        if name == SAME:
            same.append((source_id, target_id))
        elif links.setdefault(source_id, {}).setdefault(name, target_id) != target_id:
            message = f"{source_id}: has two relations {name}"
            raise DataError(message, file=path, where=line_of.get(start, start))
    for id, targets in links.items():
        marks[id] = replace(marks[id], links=targets)
    for source_id, target_id in same:
        if source_id not in marks:
            raise DataError(f"{source_id} is not there", file=path, where=line_of.get("*", 1))
        mark = marks[source_id]
        marks[source_id] = replace(mark, same=(*mark.same, target_id))
    return MarkedText(stem, words, tuple(marks.values()), path, tuple(others.unused))


def _marks(
    standoff: Standoff, events: Mapping[str, _Event], line_of: Mapping[str, int]
) -> Iterator[TextMark]:
    """The marks without attribute lines and relations; a trigger is as many marks as events."""
    people = {bound.source for bound in standoff.bound.values() if bound.source}
    only_person = people.pop() if len(people) == 1 else None
    for id, bound in standoff.bound.items():
        values = dict(bound.attributes)
        if bound.notes:
            values[NOTE] = "; ".join(bound.notes)
        mark = TextMark(
            id,
            bound.type,
            bound.fragments,
            values,
            annotator=bound.source or only_person,
            where=line_of.get(id, id),
        )
        triggered = [event for event in events if events[event].trigger == id]
        if not triggered:
            yield mark
        for event in triggered:
            yield replace(mark, id=event, where=line_of.get(event, event))


def _relations(
    standoff: Standoff, events: Mapping[str, _Event], names: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    """Every relation and role: its name, where it begins and where it ends."""
    for type, start, end in standoff.relations:
        yield names.get(type.lower(), SAME), start, end
    for id, event in events.items():
        for role, target in event.roles:
            yield names.get(role.lower(), role), id, target


def _other_lines(standoff: Standoff, file: str, line_of: Mapping[str, int]) -> _OtherLines:
    others = _OtherLines()
    for line in standoff.others:
        id, _, content = line.partition("\t")
        first, *rest = content.split() or [""]
        if id.startswith("R"):
            message = f"{id}: {first!r} is not a relation of any category"
            raise DataError(message, file=file, where=line_of.get(id, id))
        if id[0] in "EAM*" and (not first or (id[0] != "E" and not rest)):
            message = f"{id}: found {clip(content)!r}, expected what it is about"
            raise DataError(message, file=file, where=line_of.get(id, id))
        if id.startswith("E"):
            roles = [part.partition(":") for part in rest]
            trigger = first.partition(":")[2]
            others.events[id] = _Event(trigger, [(name, target) for name, _, target in roles])
        elif id.startswith(("A", "M")):
            value = read_value(" ".join(rest[1:]))
            others.attributes.setdefault(rest[0], {})[first] = value
        elif id == "*":
            others.same += [(rest[0], other) for other in rest[1:]]
        else:
            others.unused.append(line.replace("\t", " "))
    for id, event in others.events.items():
        if event.trigger not in standoff.bound:
            message = f"{id} is about {event.trigger or 'nothing'}, which is not there"
            raise DataError(message, file=file, where=line_of.get(id, id))
    return others


def write_brat_marks(marked: MarkedText, path: str) -> list[str]:
    """Write a document's marks, and its text where it is not beside them; the files written."""
    text = Path(path).with_suffix(".txt")
    if text.is_file() and _utf8(text) != marked.text:
        raise DataError("is another text than that of the statements", file=text)
    lines, relations, attributes = [], [], []
    for mark in marked.marks:
        pieces = [piece for span in mark.fragments for piece in fragments_of(marked.text, *span)]
        places = ";".join(f"{start} {end}" for start, end in pieces)
        lines.append(f"{mark.id}\t{mark.category} {places}\t{quoted(marked.text, pieces)}")
        same = ((SAME, target) for target in mark.same)
        for name, target in (*mark.links.items(), *same):
            relations.append(f"{name} Arg1:{mark.id} Arg2:{target}")
        for name, value in mark.values.items():
            attributes.append(f"{name} {mark.id} {written_value(value)}".rstrip(" "))
    lines += [f"R{number}\t{relation}" for number, relation in enumerate(relations, 1)]
    lines += [f"A{number}\t{attribute}" for number, attribute in enumerate(attributes, 1)]
    people = {mark.annotator for mark in marked.marks}
    signed = [mark for mark in marked.marks if mark.annotator]
    # One person's name at the first mark stands for all of them.
    lines += [
        f"#{number}\t{SOURCE_TYPE} {mark.id}\t{mark.annotator}"
        for number, mark in enumerate(signed if len(people) > 1 else signed[:1], 1)
    ]
    with writing(path) as stream:
        stream.write("".join(f"{line}\n" for line in lines).encode())
    if text.is_file():
        return [path]
    with writing(text) as stream:
        stream.write(marked.text.encode())
    return [path, str(text)]


def _utf8(path: Path, what: str = "") -> str:
    if what and not path.is_file():
        raise DataError(f"there is no such file: it is {what}", file=path)
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise DataError(f"not valid UTF-8 (byte {error.start + 1})", file=path) from None
