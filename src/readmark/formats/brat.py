"""brat standoff: a folder (or zip) of ``.txt`` files, each with an ``.ann`` file next to it.

brat has no questions: what is read is passages with layers. Coreference is the relation Coref,
from an anaphor to its antecedent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from readmark.core.encodings import Decoded, numbered_lines
from readmark.core.errors import DataError
from readmark.core.folders import Folder
from readmark.core.new_folders import writing_folder
from readmark.core.problems import Problem, ReportProblem, fail, remark, unreadable
from readmark.core.records import Layer, Offsets, Passage, RecordKey
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.test import Header, Placed, Test
from readmark.formats.layers import (
    LabelledSpan,
    document_losses,
    is_plain,
    label_of,
    layers_of_spans,
    layers_to_write,
    questions_lost,
    span_columns,
    split_by_visibility,
    text_losses,
)
from readmark.formats.losses import Losses, only_comprehension
from readmark.formats.native import with_id

NOTES = "AnnotatorNotes"
_BREAK = re.compile(r"[\r\n]")
_BREAKS_INSIDE = re.compile(r"(?<=[^\r\n])[\r\n]+(?=[^\r\n])")
_ID = re.compile(r"[A-Za-z#*][^\s]*")


@dataclass(slots=True)
class Bound:
    """A text-bound annotation with what other lines say of it."""

    id: str
    type: str
    fragments: tuple[Offsets, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    source: str = ""

    @property
    def span(self) -> Offsets:
        """From the first fragment to the last."""
        return self.fragments[0][0], self.fragments[-1][1]


@dataclass(slots=True)
class Standoff:
    """What an ``.ann`` file says of its text."""

    bound: dict[str, Bound] = field(default_factory=dict)
    relations: list[tuple[str, str, str]] = field(default_factory=list)
    """The type, then the ids of both arguments."""
    others: list[str] = field(default_factory=list)
    """Lines of every other sort, unchanged: events, normalisations, equivalences."""


def read_standoff(
    text: str,
    lines: str,
    file: str,
    report: ReportProblem,
    *,
    relations: frozenset[str],
    source: str,
) -> Standoff:
    """The annotations of a text; a line that does not hold is reported and skipped.

    ``relations`` are the types, in lower case, that are taken apart; ``source`` is the type of
    the note that names who made a layer.
    """
    standoff = Standoff()
    numbered = [(number, line) for number, line in numbered_lines(lines) if line.strip()]
    numbered.sort(key=lambda one: not one[1].startswith("T"))  # what other lines are about
    for number, line in numbered:
        try:
            if line.startswith("T"):
                bound = _bound(text, line)
                if bound.id in standoff.bound:
                    raise ValueError(f"id {bound.id} occurs twice")
                standoff.bound[bound.id] = bound
            else:
                _take(standoff, line, relations, source)
        except ValueError as error:
            report(Problem(file, number, "annotation", str(error)))
    return standoff


def _bound(text: str, line: str) -> Bound:
    id, _, after = line.partition("\t")
    said, tab, quote = after.partition("\t")
    type, _, places = said.partition(" ")
    try:
        pairs = [tuple(map(int, one.split())) for one in places.split(";")]
        fragments = tuple((start, end) for start, end in pairs)
    except ValueError:
        raise ValueError(
            f"found {clip(line)!r}, expected an id, a tab, a type with start and end, a tab, text"
        ) from None
    before = 0
    for start, end in fragments:
        if not before <= start <= end <= len(text):
            raise ValueError(f"{id} is at {places}, outside or out of order in the text")
        before = end
    if tab and quote != quoted(text, fragments):
        raise ValueError(
            f"{id} should read {clip(quote)!r} at {places}, found {clip(quoted(text, fragments))!r}"
        )
    return Bound(id, type, _joined(text, fragments))


def _joined(text: str, fragments: tuple[Offsets, ...]) -> tuple[Offsets, ...]:
    """Fragments with nothing but white space between them are one: brat splits at line breaks."""
    joined = [fragments[0]]
    for start, end in fragments[1:]:
        between = text[joined[-1][1] : start]
        if not between.strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def quoted(text: str, fragments: Iterable[Offsets]) -> str:
    """The text of fragments, on one line as brat writes it."""
    return _BREAK.sub(" ", " ".join(text[start:end] for start, end in fragments))


def fragments_of(text: str, start: int, end: int) -> list[Offsets]:
    """A span in pieces that hold no line break, for brat has none in its lines."""
    gaps = [match.span() for match in _BREAKS_INSIDE.finditer(text[start:end])]
    starts = [start, *(start + after for _, after in gaps)]
    ends = [*(start + before for before, _ in gaps), end]
    return list(zip(starts, ends, strict=True))


def _take(found: Standoff, line: str, relations: frozenset[str], source: str) -> None:
    id, _, said = line.partition("\t")
    if not _ID.fullmatch(id) or not said:
        raise ValueError(f"found {clip(line)!r}, expected an id, a tab and an annotation")
    if id[0] in "AM":
        name, _, about = said.partition(" ")
        target, _, value = about.partition(" ")
        if target.startswith("T"):
            _target(found, id, target).attributes[name] = read_value(value)
            return
    elif id[0] == "R":
        type, *arguments = said.split()
        ids = [argument.partition(":")[2] for argument in arguments]
        if len(ids) != 2 or not all(ids):
            raise ValueError(f"{id} is {clip(said)!r}, expected a type, Arg1:T1 and Arg2:T2")
        if type.lower() in relations:
            for one in ids:
                _target(found, id, one)
            found.relations.append((type, ids[0], ids[1]))
            return
    elif id[0] == "#":
        head, _, note = said.partition("\t")
        type, _, target = head.partition(" ")
        if target in found.bound and type == source:
            found.bound[target].source = note
            return
        if target in found.bound and type == NOTES:
            found.bound[target].notes.append(note)
            return
    found.others.append(line)


def _target(found: Standoff, id: str, target: str) -> Bound:
    if target not in found.bound:
        raise ValueError(f"{id} is about {target}, which is not there")
    return found.bound[target]


def read_value(written: str) -> Any:
    """An attribute's value: nothing is true, JSON is what it says, else the word itself."""
    if not written:
        return True
    try:
        return json.loads(written, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return written


def written_value(value: Any) -> str:
    """A value as one word that reads back: brat's attributes have no spaces."""
    if value is True:
        return ""
    if isinstance(value, str) and not any(map(_is_space, value)) and read_value(value) == value:
        return value
    spelt = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(f"\\u{ord(one):04x}" if _is_space(one) else one for one in spelt)


def _no_constant(written: str) -> Any:
    raise ValueError(f"{written} is no JSON")


def _is_space(one: str) -> bool:
    """White space, and what may be taken for it or for a line break."""
    return ord(one) < 0x10000 and (one.isspace() or not one.isprintable())


# Coreference in brat: relations between spans, read as the columns of the layer ``mention``.


COREF = frozenset({"coref", "coreference", "anaphora"})
"""The types of relation, in lower case, that lead from an anaphor to its antecedent."""
RELATION = "Coref"
REFID, REF = "REFID", "REF"


def mentions(standoff: Standoff, file: str, report: ReportProblem) -> list[Bound]:
    """Give mentions their ids and references; spans of other layers get mentions of their own.

    An antecedent without a REFID gets the next number, counted in the order of the text.
    """
    made: dict[str, Bound] = {}
    known = [value for value in standoff.bound.values() if _is_mention(value)]
    by_span = {bound.span: bound for bound in known}
    for bound in known:
        for written, column in ((REFID, "id"), (REF, "ref")):
            bound.attributes[column] = bound.attributes.pop(written, None)

    def mention(id: str) -> Bound:
        span = standoff.bound[id].span
        if _is_mention(standoff.bound[id]):
            return standoff.bound[id]
        if span not in by_span:
            columns = {"id": None, "ref": None}
            by_span[span] = made[id] = Bound(f"{id}-mention", "Mention", (span,), columns)
        return by_span[span]

    links = [(mention(one), mention(other)) for _, one, other in standoff.relations]
    used = {bound.attributes["id"] for bound in known}
    number = 1
    for antecedent in sorted((other for _, other in links), key=lambda mention: mention.span):
        if antecedent.attributes["id"] is None:
            while number in used:
                number += 1
            antecedent.attributes["id"] = number
            used.add(number)
    for anaphor, antecedent in links:
        before, now = anaphor.attributes["ref"], antecedent.attributes["id"]
        if before not in (None, now):
            what = f"{anaphor.id} refers to {before} and to {now}; the first is kept"
            remark(report, Problem(file, anaphor.id, "annotation", what))
        else:
            anaphor.attributes["ref"] = now
    return list(made.values())


def _is_mention(one: Bound) -> bool:
    return one.type.lower() == "mention"


# A passage's layers as the lines of an ``.ann`` file.


OWN = "brat"
"""The field of a passage's key that holds the lines that mean nothing to Readmark."""
SOURCE = "LayerSource"
"""The type of the note, on a layer's first span, that names who made the layer."""


def annotation_lines(passage: Passage, losses: Losses) -> str:
    """The whole file."""
    key = passage.key
    layers = layers_to_write(
        losses, passage.id, passage.layers, key.layers if key else {}, passage.text
    )
    own = key.fields.get(OWN) if key else None
    own = own if isinstance(own, dict) else {}
    others = [str(line) for line in own.get("lines", ())]
    kept = {tuple(place): id for id, place in own.get("ids", {}).items() if id[1:].isdecimal()}
    for name in [name for name in layers if not name or any(map(str.isspace, name))]:
        losses.cannot_store("layers () whose name is not a single word", passage.id, names=[name])
        del layers[name]
    ids = _ids(layers, kept)
    lines = []
    for name, layer in layers.items():
        for index, span in enumerate(layer.spans):
            fragments = _pieces(layer, index) or fragments_of(passage.text, *span)
            places = ";".join(f"{start} {end}" for start, end in fragments)
            said = f"{label_of(name, _type(layer, index))} {places}"
            lines.append(f"{ids[name, index]}\t{said}\t{quoted(passage.text, fragments)}")
    relations = _relations(layers, ids)
    lines += [
        f"R{n}\t{RELATION} Arg1:{one} Arg2:{other}"
        for n, (one, other) in enumerate(relations.items(), _next("R", others))
    ]
    attributes, notes = [], []
    for name, layer in layers.items():
        for index in range(len(layer.spans)):
            id = ids[name, index]
            if index == 0 and [layer.source.strip()] == layer.source.splitlines():
                notes.append(f"{SOURCE} {id}\t{layer.source}")
            elif index == 0 and layer.source:
                losses.cannot_store("layers' sources of several lines", passage.id)
            said_elsewhere = ["fragments"] if _pieces(layer, index) else []
            if name == "ne" and is_plain(_type(layer, index)):
                said_elsewhere.append("type")
            for column, value in span_columns(layer, index, said_elsewhere).items():
                if column == "note" and _is_note(value):
                    listed = [value] if isinstance(value, str) else value
                    notes += [f"{NOTES} {id}\t{one}" for one in listed]
                elif spelt := _attribute(name, column, value, id in relations):
                    if any(map(str.isspace, column)) or not column:
                        losses.cannot_store("columns ()", passage.id, names=[column])
                        continue
                    attributes.append(f"{spelt} {id} {written_value(value)}".rstrip(" "))
    lines += [f"A{n}\t{attribute}" for n, attribute in enumerate(attributes, _next("A", others))]
    lines += [f"#{n}\t{note}" for n, note in enumerate(notes, _next("#", others))]
    return "".join(f"{line}\n" for line in [*lines, *others])


def _pieces(layer: Layer, at: int) -> list[Offsets]:
    """The fragments of a span that a column gives, if they are the span's."""
    cells = layer.columns.get("fragments")
    try:
        pieces = [(int(start), int(end)) for start, end in cells[at]] if cells else []
    except (TypeError, ValueError):
        return []
    bounds = [offset for piece in pieces for offset in piece]
    whole = bounds == sorted(bounds) and (bounds[:1] + bounds[-1:]) == list(layer.spans[at])
    return pieces if whole else []


def _type(layer: Layer, at: int) -> Any:
    return layer.columns["type"][at] if "type" in layer.columns else None


def _attribute(layer: str, column: str, value: Any, linked: bool) -> str:
    """The name of the attribute that holds a column; none when a relation says it."""
    if layer != "mention" or column not in ("id", "ref"):
        return column
    if value is None or (column == "ref" and linked):
        return ""
    return REFID if column == "id" else REF


def _relations(layers: dict[str, Layer], ids: dict[tuple[str, int], str]) -> dict[str, str]:
    """Every anaphor with its antecedent: the last mention of that id before it, else the first."""
    layer = layers.get("mention")
    if layer is None or not {"id", "ref"} <= layer.columns.keys():
        return {}
    places: dict[Any, list[int]] = {}
    for index, id in enumerate(layer.columns["id"]):
        if isinstance(id, int):
            places.setdefault(id, []).append(index)
    found = {}
    for index, ref in enumerate(layer.columns["ref"]):
        if isinstance(ref, int) and ref in places:
            before = [place for place in places[ref] if place < index]
            found[ids["mention", index]] = ids[
                "mention", (before or places[ref])[-1 if before else 0]
            ]
    return found


def _ids(layers: dict[str, Layer], kept: dict[tuple[str, int], str]) -> dict[tuple[str, int], str]:
    """An id for every span; those that lines of other sorts speak of keep theirs."""
    found: dict[tuple[str, int], str] = {}
    taken = set(kept.values())
    number = 0
    for name, layer in layers.items():
        for index in range(len(layer.spans)):
            if (name, index) in kept:
                found[name, index] = kept[name, index]
                continue
            number += 1
            while f"T{number}" in taken:
                number += 1
            found[name, index] = f"T{number}"
    return found


def _next(prefix: str, others: list[str]) -> int:
    """The first number of a sort of line that no other line has."""
    used = [
        other.partition("\t")[0].removeprefix(prefix)
        for other in others
        if other.startswith(prefix)
    ]
    return max((int(digits) for digits in used if digits.isdecimal()), default=0) + 1


def _is_note(value: Any) -> bool:
    """Whether a value can be a note of one line, or several such notes."""
    listed = value if isinstance(value, list) and len(value) > 1 else [value]
    return all(
        isinstance(one, str) and "\n" not in one and not one.endswith("\r") for one in listed
    )


LONGEST_NAME = 200


class Brat:
    """A folder of texts and annotations, a zip of one, or one pair."""

    def recognises(self, source: Source) -> bool:
        """A folder with annotations of texts, or a file of a pair."""
        if source.folder is not None:
            names = {name.lower() for name in source.folder.names}
            return any(
                f"{_stem(name)}.txt".lower() in names for name in source.folder.named(".ann")
            )
        pair = source.path.suffix.lower() in (".ann", ".txt")
        return pair and all(source.path.with_suffix(one).is_file() for one in (".ann", ".txt"))

    def read(self, source: Source) -> Test:
        """The test in a folder; passages are read as they are asked for."""
        folder = source.folder or Folder(source.path.parent)
        stems = [_stem(name) for name in folder.named(".ann")]
        if source.folder is None:
            stems = [source.path.stem]
        if not stems:
            what = f"holds no .ann files, expected those of brat; it holds {folder.shown()}"
            raise DataError(what, file=source.file)

        def stream(report: ReportProblem) -> Iterator[Placed]:
            for stem in stems:
                try:
                    read, lines, file = _pair(folder, stem)
                except DataError as error:
                    report(unreadable(error))
                    continue
                passage = with_id(_passage(stem, read, lines, file, report))
                yield passage.id, passage

        return Test(Header(name=source.path.stem), stream, source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a text and its annotations for every passage; what was lost is named."""
        only_comprehension(test, "brat")
        losses = Losses()
        document_losses(losses, test.header)
        with writing_folder(path) as put:
            for passage in test.records():
                text_losses(losses, passage, own=OWN)
                questions_lost(losses, passage)
                name = file_name(passage.id, path)
                put(f"{name}.txt", passage.text)
                put(f"{name}.ann", annotation_lines(passage, losses))
        return losses.lines()


def file_name(id: str, path: Path) -> str:
    """A passage's id as the name of a file; what no name may hold is spelt as in addresses."""
    name = "".join(
        sign
        if sign.isalnum() or sign in "_-" or (sign == "." and index)
        else "".join(f"%{byte:02X}" for byte in sign.encode())
        for index, sign in enumerate(id)
    )
    if len(name.encode()) > LONGEST_NAME:
        raise DataError(f"the id {clip(id)!r} is too long for the name of a file", file=path)
    return name


def _id(stem: str) -> str:
    """The id that a file's name spells."""
    plain = unquote(stem)
    return plain if "%" in stem and file_name(plain, Path()) == stem else stem


def _pair(folder: Folder, stem: str) -> tuple[Decoded, str, str]:
    """A text, its annotations, and what their file is called; a mark at its head is a character."""
    for suffix in (".txt", ".ann"):
        if folder.find(stem + suffix) is None:
            raise DataError("there is no such file", file=folder.place(stem + suffix))
    name, ann = folder.find(f"{stem}.txt") or "", folder.find(f"{stem}.ann") or ""
    return folder.decoded(name, whole=True), folder.text(ann), folder.place(ann)


def _passage(stem: str, read: Decoded, lines: str, file: str, report: ReportProblem) -> Passage:
    text = read.text
    standoff = standoff_of(text, lines, file, report)
    ordered = [*standoff.bound.values(), *mentions(standoff, file, report)]
    layers = layers_of_spans(map(_labelled, ordered))
    kept = {}
    if standoff.others:
        at = {
            ordered[place].id: [name, number]
            for name, (_, places) in layers.items()
            for number, place in enumerate(places)
        }
        kept = {OWN: {"lines": standoff.others, "ids": at}}
    seen, hidden = split_by_visibility({name: layer for name, (layer, _) in layers.items()})
    key = RecordKey(layers=hidden, fields=kept) if hidden or kept else None
    return Passage(id=_id(stem), text=text, layers=seen, fields=dict(read.fields), key=key)


def standoff_of(
    text: str,
    lines: str,
    file: str,
    report: ReportProblem = fail,
    *,
    relations: frozenset[str] = COREF,
) -> Standoff:
    """The annotations; offsets that count CR LF as one, as some tools do, are corrected."""
    wrong: list[Problem] = []
    standoff = read_standoff(text, lines, file, wrong.append, relations=relations, source=SOURCE)
    if wrong and "\r\n" in text:
        still: list[Problem] = []
        folded = text.replace("\r\n", "\n")
        again = read_standoff(folded, lines, file, still.append, relations=relations, source=SOURCE)
        if len(still) < len(wrong):
            places = [
                index
                for index, one in enumerate(text)
                if one != "\n" or text[index - 1 : index] != "\r"
            ]
            places.append(len(text))
            for id, bound in again.bound.items():
                moved = tuple((places[start], places[end]) for start, end in bound.fragments)
                again.bound[id] = replace(bound, fragments=moved)
            standoff, wrong = again, still
    for problem in wrong:
        report(problem)
    return standoff


def _labelled(one: Bound) -> LabelledSpan:
    columns = dict(one.attributes)
    if len(one.fragments) > 1:
        columns["fragments"] = [list(piece) for piece in one.fragments]
    if one.notes:
        columns["note"] = one.notes[0] if len(one.notes) == 1 else one.notes
    return LabelledSpan(one.span, one.type, columns, one.source)


def _stem(name: str) -> str:
    return name[: -len(PurePosixPath(name).suffix)]


BRAT = Brat()
