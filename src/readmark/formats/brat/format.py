"""brat standoff: a folder (or zip) of ``.txt`` files, each with an ``.ann`` file beside it.

brat has no questions: what is read is passages with layers. Coreference is the relation Coref,
from an anaphor to its antecedent.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from readmark.core.encodings import Decoded
from readmark.core.errors import DataError
from readmark.core.folders import Folder, writing_folder
from readmark.core.problems import Problem, Report, unreadable
from readmark.core.records import Layer, Offsets, Passage, RecordKey
from readmark.core.source import Source
from readmark.core.spans import clip
from readmark.core.test import Header, Placed, Test
from readmark.formats.brat.lines import (
    COREF,
    NOTES,
    REF,
    REFID,
    RELATION,
    Bound,
    Standoff,
    fragments_of,
    mentions,
    quoted,
    read_standoff,
    written_value,
)
from readmark.formats.layers import (
    Labelled,
    columns_at,
    document_losses,
    gathered,
    is_plain,
    label_of,
    layers_to_write,
    questions_lost,
    shared_out,
    text_losses,
)
from readmark.formats.losses import Losses, only_comprehension
from readmark.formats.native import with_id

# A passage's layers as the lines of an ``.ann`` file.


OWN = "brat"
"""The field of a passage's key that holds the lines that mean nothing to Readmark."""
SOURCE = "LayerSource"
"""The type of the note, on a layer's first span, that tells who made the layer."""


def annotation_lines(passage: Passage, losses: Losses) -> str:
    """The whole file."""
    key = passage.key
    layers = layers_to_write(
        losses, passage.id, passage.layers, key.layers if key else {}, passage.text
    )
    own = key.fields.get(OWN) if key else None
    others, kept = _own_lines(own)
    layers = {name: one for name, one in layers.items() if _has_a_label(losses, passage.id, name)}
    ids = _ids(layers, kept)
    lines = [
        _bound(passage.text, layer, at, label_of(name, _type(layer, at)), ids[name, at])
        for name, layer in layers.items()
        for at in range(len(layer.spans))
    ]
    relations = _relations(layers, ids)
    lines += [
        f"R{n}\t{RELATION} Arg1:{one} Arg2:{other}"
        for n, (one, other) in enumerate(relations.items(), _next("R", others))
    ]
    attributes, notes = [], []
    for name, layer in layers.items():
        for at in range(len(layer.spans)):
            id = ids[name, at]
            if at == 0 and layer.source and _one_line(losses, passage.id, layer.source, "sources"):
                notes.append(f"{SOURCE} {id}\t{layer.source}")
            for column, value in columns_at(layer, at, _left_out(layer, name, at)).items():
                if column == "note" and _is_note(value):
                    listed = [value] if isinstance(value, str) else value
                    notes += [f"{NOTES} {id}\t{one}" for one in listed]
                elif spelt := _attribute(name, column, value, id in relations):
                    if any(map(str.isspace, column)) or not column:
                        losses.cannot_hold("columns ()", passage.id, names=[column])
                        continue
                    attributes.append(f"{spelt} {id} {written_value(value)}".rstrip(" "))
    lines += [f"A{n}\t{one}" for n, one in enumerate(attributes, _next("A", others))]
    lines += [f"#{n}\t{one}" for n, one in enumerate(notes, _next("#", others))]
    return "".join(f"{one}\n" for one in [*lines, *others])


def _bound(text: str, layer: Layer, at: int, label: str, id: str) -> str:
    fragments = _pieces(layer, at) or fragments_of(text, *layer.spans[at])
    places = ";".join(f"{start} {end}" for start, end in fragments)
    return f"{id}\t{label} {places}\t{quoted(text, fragments)}"


def _pieces(layer: Layer, at: int) -> list[Offsets]:
    """The fragments of a span that a column tells, when they are the span's."""
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


def _left_out(layer: Layer, name: str, at: int) -> list[str]:
    """The columns that other parts of the lines say."""
    out = ["fragments"] if _pieces(layer, at) else []
    if name == "ne" and is_plain(_type(layer, at)):
        out.append("type")
    return out


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
    for at, id in enumerate(layer.columns["id"]):
        if isinstance(id, int):
            places.setdefault(id, []).append(at)
    found = {}
    for at, ref in enumerate(layer.columns["ref"]):
        if isinstance(ref, int) and ref in places:
            before = [place for place in places[ref] if place < at]
            found[ids["mention", at]] = ids["mention", (before or places[ref])[-1 if before else 0]]
    return found


def _ids(layers: dict[str, Layer], kept: dict[tuple[str, int], str]) -> dict[tuple[str, int], str]:
    """An id for every span; those that lines of other sorts speak of keep theirs."""
    found: dict[tuple[str, int], str] = {}
    taken = set(kept.values())
    number = 0
    for name, layer in layers.items():
        for at in range(len(layer.spans)):
            if (name, at) in kept:
                found[name, at] = kept[name, at]
                continue
            number += 1
            while f"T{number}" in taken:
                number += 1
            found[name, at] = f"T{number}"
    return found


def _own_lines(own: Any) -> tuple[list[str], dict[tuple[str, int], str]]:
    if not isinstance(own, dict):
        return [], {}
    ids = {tuple(place): id for id, place in own.get("ids", {}).items() if id[1:].isdecimal()}
    return [str(line) for line in own.get("lines", ())], ids


def _next(prefix: str, others: list[str]) -> int:
    """The first number of a sort of line that no other line has."""
    used = [_number(one, prefix) for one in others if one.startswith(prefix)]
    return max(used, default=0) + 1


def _number(line: str, prefix: str) -> int:
    digits = line.partition("\t")[0].removeprefix(prefix)
    return int(digits) if digits.isdecimal() else 0


def _has_a_label(losses: Losses, id: str, name: str) -> bool:
    fit = bool(name) and not any(map(str.isspace, name))
    if not fit:
        losses.cannot_hold("layers () whose name is no word", id, names=[name])
    return fit


def _one_line(losses: Losses, id: str, text: str, what: str) -> bool:
    fit = len(text.splitlines()) == 1 and text == text.strip()
    if not fit:
        losses.cannot_hold(f"layers' {what} of several lines", id)
    return fit


def _is_note(value: Any) -> bool:
    """Whether a value can be a note of one line, or several such notes."""
    listed = value if isinstance(value, list) and len(value) > 1 else [value]
    return all(
        isinstance(one, str) and "\n" not in one and not one.endswith("\r") for one in listed
    )


LONGEST_NAME = 200


class Brat:
    """A folder of texts and annotations, a zip of one, or one pair."""

    folders = True

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

        def stream(report: Report) -> Iterator[Placed]:
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
    name = "".join(_spelt(one, at) for at, one in enumerate(id))
    if len(name.encode()) > LONGEST_NAME:
        raise DataError(f"the id {clip(id)!r} is too long for the name of a file", file=path)
    return name


def _spelt(one: str, at: int) -> str:
    if one.isalnum() or one in "_-" or (one == "." and at):
        return one
    return "".join(f"%{byte:02X}" for byte in one.encode())


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


def _passage(stem: str, read: Decoded, lines: str, file: str, report: Report) -> Passage:
    text = read.text
    standoff = _standoff(text, lines, file, report)
    ordered = [*standoff.bound.values(), *mentions(standoff, file, report)]
    layers = gathered(map(_labelled, ordered))
    kept = {}
    if standoff.others:
        at = {
            ordered[place].id: [name, number]
            for name, (_, places) in layers.items()
            for number, place in enumerate(places)
        }
        kept = {OWN: {"lines": standoff.others, "ids": at}}
    seen, hidden = shared_out({name: layer for name, (layer, _) in layers.items()})
    key = RecordKey(layers=hidden, fields=kept) if hidden or kept else None
    return Passage(id=_id(stem), text=text, layers=seen, fields=dict(read.fields), key=key)


def _standoff(text: str, lines: str, file: str, report: Report) -> Standoff:
    """The annotations; offsets that count CR LF as one character, as some tools do, are mended."""
    wrong: list[Problem] = []
    found = read_standoff(text, lines, file, wrong.append, relations=COREF, source=SOURCE)
    if wrong and "\r\n" in text:
        still: list[Problem] = []
        folded = text.replace("\r\n", "\n")
        again = read_standoff(folded, lines, file, still.append, relations=COREF, source=SOURCE)
        if len(still) < len(wrong):
            places = [at for at, one in enumerate(text) if one != "\n" or text[at - 1 : at] != "\r"]
            places.append(len(text))
            for id, one in again.bound.items():
                moved = tuple((places[start], places[end]) for start, end in one.fragments)
                again.bound[id] = replace(one, fragments=moved)
            found, wrong = again, still
    for problem in wrong:
        report(problem)
    return found


def _labelled(one: Bound) -> Labelled:
    columns = dict(one.attributes)
    if len(one.fragments) > 1:
        columns["fragments"] = [list(piece) for piece in one.fragments]
    if one.notes:
        columns["note"] = one.notes[0] if len(one.notes) == 1 else one.notes
    return Labelled(one.span, one.type, columns, one.source)


def _stem(name: str) -> str:
    return name[: -len(PurePosixPath(name).suffix)]


BRAT = Brat()
