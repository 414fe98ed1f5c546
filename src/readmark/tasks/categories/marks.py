"""Marks on a text, as annotation tools write them: brat standoff, or layers with columns."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import read_bytes
from readmark.core.record_members import text_of
from readmark.core.records import Layer, Offsets, Passage
from readmark.core.spans import Excerpt, clip
from readmark.core.test import Header, Test
from readmark.core.writing import writing
from readmark.formats.brat.annotation_lines import BRAT_FIELD
from readmark.formats.brat.standoff import (
    COREFERENCE_TYPES,
    SOURCE_TYPE,
    fragments_of,
    quoted,
    read_standoff,
    read_value,
    written_value,
)
from readmark.formats.native import Native
from readmark.formats.registry import open_test
from readmark.tasks.categories.definitions import NOTE, SAME, Categories
from readmark.text.analysers.registry import ANALYSER_PREFIX

ANN = ".ann"
WRITTEN = (ANN, ".jsonl")
"""Suffixes of files of marks: brat, Readmark's own."""
MARK, FRAGMENTS, TYPE = "mark", "fragments", "type"
_CREATORS = ("creator", "annotator")


@dataclass(frozen=True)
class TextMark:
    """Words that an annotator marked: a category, values, and lines to other marks."""

    id: str
    category: str
    fragments: tuple[Offsets, ...]
    values: Mapping[str, Any] = field(default_factory=dict)
    """Attributes by name; a relation or an object may be named here too."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Relations by name, with the marks that they lead to."""
    same: tuple[str, ...] = ()
    """Marks of the same entity."""
    annotator: str | None = None
    where: str | int = ""

    def excerpts(self, document: str, text: str) -> tuple[Excerpt, ...]:
        """The marked words."""
        return tuple(Excerpt(document, *span, text[slice(*span)]) for span in self.fragments)


@dataclass(frozen=True)
class MarkedText:
    """A document with the marks on it."""

    id: str
    text: str
    marks: tuple[TextMark, ...]
    file: str = ""
    unused: tuple[str, ...] = ()
    """What the file has that is no mark, in words."""

    def wrong(self, mark: TextMark, message: str) -> DataError:
        """What is wrong with a mark, with its place."""
        return DataError(f"{mark.id}: {message}", file=self.file, where=mark.where or mark.id)


def read_marks(
    path: str,
    categories: Categories,
    *,
    text: str | None = None,
    annotator: str | None = None,
    documents: Mapping[str, str] | None = None,
) -> list[MarkedText]:
    """The documents of a file with their marks.

    ``text`` is the document's file; without one, and without a .txt file next to brat's, the text
    is that of ``documents``. ``annotator`` made all marks, whatever the file says.
    """
    files = _brat_files(path)
    if files:
        if text is not None and len(files) > 1:
            raise UsageError(f"{path} has {len(files)} documents, and --text is one")
        found = [_of_brat(file, categories, text, documents or {}) for file in files]
    else:
        if text is not None:
            raise UsageError(f"{path} has its text with it; --text is for brat's .ann files")
        found = list(_of_layers(path, categories, documents or {}))
    return [_sound(_attributed(one, annotator), categories) for one in found]


def _brat_files(path: str) -> list[str]:
    """The .ann files that a path means: itself, the one of a text, or those of a folder."""
    if Path(path).is_dir():
        return sorted(str(file) for file in Path(path).glob(f"*{ANN}"))
    beside = Path(path).with_suffix(ANN)
    if path.lower().endswith(".txt") and beside.is_file():
        return [str(beside)]
    return [path] if path.lower().endswith(ANN) else []


def _attributed(one: MarkedText, annotator: str | None) -> MarkedText:
    if annotator is None:
        return one
    return replace(one, marks=tuple(replace(mark, annotator=annotator) for mark in one.marks))


def _sound(marked: MarkedText, categories: Categories) -> MarkedText:
    """The marks, none of an unknown category or without words."""
    seen: set[str] = set()
    for mark in marked.marks:
        if mark.id in seen:
            raise marked.wrong(mark, "the id occurs twice")
        seen.add(mark.id)
        if mark.category not in categories.categories:
            hint = did_you_mean(mark.category, categories.categories)
            raise marked.wrong(
                mark, f"{mark.category!r} is no category of {categories.file}; {hint}"
            )
        for start, end in mark.fragments:
            if not 0 <= start < end <= len(marked.text):
                size = len(marked.text)
                raise marked.wrong(
                    mark, f"{start}–{end} is not a stretch of the text, which has {size}"
                )
    for mark in marked.marks:
        for name, target in (*mark.links.items(), *((SAME, one) for one in mark.same)):
            if target not in seen:
                raise marked.wrong(mark, f"{name} leads to {target}, which is no mark")
    return marked


# brat: text-bound annotations and events are marks, relations and roles are lines between them.


def _of_brat(
    path: str, categories: Categories, text: str | None, documents: Mapping[str, str]
) -> MarkedText:
    lines = _utf8(Path(path))
    source = Path(text) if text is not None else Path(path).with_suffix(".txt")
    stem = Path(path).stem
    if text is None and not source.is_file() and stem in documents:
        words = documents[stem]
    else:
        words = _utf8(source, "the text that it annotates; name it with --text")
    names = categories.relation_names
    relations = frozenset(names) | COREFERENCE_TYPES
    standoff = read_standoff(words, lines, path, relations=relations)
    places = {line.partition("\t")[0]: at for at, line in enumerate(lines.split("\n"), 1)}
    events, attributes, same, unused = _other_lines(standoff.others, standoff.bound, path, places)
    triggers = {trigger for trigger, _ in events.values()}
    marks: dict[str, TextMark] = {}
    people = {bound.source for bound in standoff.bound.values() if bound.source}
    only = people.pop() if len(people) == 1 else None
    for id, bound in standoff.bound.items():
        values = dict(bound.attributes)
        if bound.notes:
            values[NOTE] = "; ".join(bound.notes)
        who, where = bound.source or only, places.get(id, id)
        mark = TextMark(id, bound.type, bound.fragments, values, annotator=who, where=where)
        if id not in triggers:
            marks[id] = mark
        for event, (trigger, _) in events.items():
            if trigger == id:
                marks[event] = replace(mark, id=event, where=places.get(event, event))
    # A line to a trigger is a line to its event.
    of_trigger = {trigger: event for event, (trigger, _) in reversed(events.items())}
    drawn = [
        (names.get(type.lower(), SAME), one, other, places.get(one, one))
        for type, one, other in standoff.relations
    ]
    drawn += [
        (names.get(role.lower(), role), event, target, places.get(event, event))
        for event, (_, roles) in events.items()
        for role, target in roles
    ]
    links: dict[str, dict[str, str]] = {}
    for name, start, end, where in drawn:
        one, other = of_trigger.get(start, start), of_trigger.get(end, end)
        if name == SAME:
            same.append((one, other))
        elif links.setdefault(one, {}).setdefault(name, other) != other:
            raise DataError(f"{one}: has two relations {name}", file=path, where=where)
    for id, value in attributes.items():
        if id not in marks:
            raise DataError(f"an attribute is about {id}, which is not there", file=path)
        marks[id] = replace(marks[id], values={**marks[id].values, **value})
    for id, own in links.items():
        marks[id] = replace(marks[id], links=own)
    for one, other in same:
        first = of_trigger.get(one, one)
        if first not in marks:
            raise DataError(f"{one} is not there", file=path, where=places.get("*", 1))
        second = of_trigger.get(other, other)
        marks[first] = replace(marks[first], same=(*marks[first].same, second))
    return MarkedText(stem, words, tuple(marks.values()), path, tuple(unused))


_Events = dict[str, tuple[str, list[tuple[str, str]]]]


def _other_lines(
    others: Sequence[str], bound: Container[str], file: str, places: Mapping[str, int]
) -> tuple[_Events, dict[str, dict[str, Any]], list[tuple[str, str]], list[str]]:
    """Events with their roles, their attributes, equivalences, and lines that mean nothing here."""
    events: _Events = {}
    attributes: dict[str, dict[str, Any]] = {}
    same: list[tuple[str, str]] = []
    unused = []
    for line in others:
        id, _, said = line.partition("\t")
        first, *rest = said.split() or [""]
        if id.startswith("R"):
            message = f"{id}: {first!r} is no relation of any category"
            raise DataError(message, file=file, where=places.get(id, id))
        if id[0] in "EAM*" and (not first or (id[0] != "E" and not rest)):
            message = f"{id}: found {clip(said)!r}, expected what it is about"
            raise DataError(message, file=file, where=places.get(id, id))
        if id.startswith("E"):
            roles = [part.partition(":") for part in rest]
            events[id] = first.partition(":")[2], [(name, target) for name, _, target in roles]
        elif id.startswith(("A", "M")):
            attributes.setdefault(rest[0], {})[first] = read_value(" ".join(rest[1:]))
        elif id == "*":
            same += [(rest[0], other) for other in rest[1:]]
        else:
            unused.append(line.replace("\t", " "))
    for id, (trigger, _) in events.items():
        if trigger not in bound:
            message = f"{id} is about {trigger or 'nothing'}, which is not there"
            raise DataError(message, file=file, where=places.get(id, id))
    return events, attributes, same, unused


def _utf8(path: Path, what: str = "") -> str:
    if what and not path.is_file():
        raise DataError(f"there is no such file: it is {what}", file=path)
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as wrong:
        raise DataError(f"not valid UTF-8 (byte {wrong.start + 1})", file=path) from None


# Layers: spans with a column ``type``, and columns for ids, values and relations.


def _of_layers(
    path: str, categories: Categories, documents: Mapping[str, str]
) -> Iterator[MarkedText]:
    for record in open_test(path).records():
        text = text_of(record)
        if text is None:
            raise DataError("has no text to annotate", file=path, where=record.id)
        if record.key is not None and BRAT_FIELD in record.key.fields:
            fault = "has brat's relations or events; name the folder or the .ann file itself"
            raise DataError(fault, file=path, where=record.id)
        # A record may have the name of a file: the document is called as the task calls its text.
        own = [id for id, words in documents.items() if words == text]
        plain = PurePosixPath(record.id).stem if record.id.endswith(".txt") else record.id
        document = own[0] if len(own) == 1 else plain
        marks: list[TextMark] = []
        unused = []
        for name, layer in {**record.layers, **(record.key.layers if record.key else {})}.items():
            if name == "ne" or name in categories.categories:
                try:
                    marks += _of_layer(name, layer, categories, len(marks))
                except (TypeError, ValueError):
                    fault = f"the columns of the layer {name} cannot be read as marks"
                    raise DataError(fault, file=path, where=record.id) from None
            elif layer.spans:
                unused.append(f"{record.id}: the layer {name}")
        yield MarkedText(document, text, tuple(marks), path, tuple(unused))


def _of_layer(name: str, layer: Layer, categories: Categories, before: int) -> Iterator[TextMark]:
    source = layer.source if not layer.source.startswith(ANALYSER_PREFIX) else ""
    ids = {id for id in layer.column(MARK) if isinstance(id, str)}
    for index, span in enumerate(layer.spans):
        columns = {
            column: cells[index]
            for column, cells in layer.columns.items()
            if index < len(cells) and cells[index] is not None
        }
        id = columns.pop(MARK, f"{name}-{before + index + 1}")
        category = columns.pop(TYPE, "") if name == "ne" else name
        pieces = columns.pop(FRAGMENTS, None) or [span]
        who = next((columns.pop(each) for each in _CREATORS if each in columns), source)
        spec = categories.categories.get(category)
        relations = spec.relations if spec is not None else {}
        links = {
            each: columns.pop(each)
            for each in relations
            if isinstance(columns.get(each), str) and columns[each] in ids
        }
        same = columns.pop(SAME, ())
        fragments = tuple((int(start), int(end)) for start, end in pieces)
        same = (same,) if isinstance(same, str) else tuple(same)
        yield TextMark(
            str(id), str(category), fragments, columns, links, same, who or None, str(id)
        )


# Writing marks: nothing that they say is left out.


def write_marks(marked: Sequence[MarkedText], path: str) -> list[str]:
    """Write documents with their marks; the files that were written."""
    if path.lower().endswith(ANN):
        if len(marked) > 1:
            raise DataError(f"brat has a file for each of {len(marked)} documents", file=path)
        return _write_brat(marked[0], path)
    passages = [_passage(one) for one in marked]

    def stream(_: Any) -> Iterator[tuple[str, Passage]]:
        yield from ((passage.id, passage) for passage in passages)

    test = Test(Header(name=Path(path).stem), stream, path)
    Native().write(test, Path(path))
    return [path]


def _write_brat(marked: MarkedText, path: str) -> list[str]:
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
    lines += [f"R{number}\t{one}" for number, one in enumerate(relations, 1)]
    lines += [f"A{number}\t{one}" for number, one in enumerate(attributes, 1)]
    people = {mark.annotator for mark in marked.marks}
    signed = [mark for mark in marked.marks if mark.annotator]
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


def _passage(marked: MarkedText) -> Passage:
    rows: list[dict[str, Any]] = []
    for mark in marked.marks:
        row = {MARK: mark.id, TYPE: mark.category, **mark.values, **mark.links}
        if mark.same:
            row[SAME] = list(mark.same)
        if len(mark.fragments) > 1:
            row[FRAGMENTS] = [list(span) for span in mark.fragments]
        if mark.annotator:
            row["annotator"] = mark.annotator
        rows.append(row)
    names = dict.fromkeys(name for row in rows for name in row)
    layer = Layer(
        spans=tuple(  # the words of a mark need not be in reading order
            (min(start for start, _ in mark.fragments), max(end for _, end in mark.fragments))
            for mark in marked.marks
        ),
        columns={name: tuple(row.get(name) for row in rows) for name in names},
    )
    return Passage(id=marked.id, text=marked.text, layers={"ne": layer} if rows else {})
