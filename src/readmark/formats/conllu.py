"""CoNLL-U: documents of sentences, tokens, lemmas, tags and dependencies; no questions.

Base noun phrases and entities stand in the last column, as ``NP=B`` and ``NE=I-PERSON``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

from readmark.core.encodings import Decoded, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import read_bytes, writing
from readmark.core.problems import Report
from readmark.core.records import Layer, Offsets, Passage
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.conllu_reader import (
    CHUNKS,
    COLUMNS,
    PLAIN,
    RESERVED,
    SOURCES,
    SPACING,
    ConlluSentence,
    blocks,
    comment_of,
    escaped,
    passage_of,
    spelt_comment,
    split_spans,
)
from readmark.formats.layers import document_losses, questions_lost, text_losses
from readmark.formats.losses import Losses, only_comprehension
from readmark.formats.native import with_id

# Layers made fit for CoNLL-U: sentences side by side, tokens in order, nothing uncovered.


_TYPE = re.compile(r"[^\s|=]+")


@dataclass(frozen=True, slots=True)
class Surface:
    """A stretch of text and the tokens that it is: none, one, or the words of a multiword token."""

    start: int
    end: int
    words: tuple[int, ...] = ()
    forms: tuple[str, ...] = ()


def sentences_of(
    losses: Losses, id: str, text: str, layer: Layer | None
) -> list[tuple[Offsets, int | None]]:
    """Sentences that cover the text, each with its number in the layer."""
    if layer is None:
        losses.add("a passage without a sentence layer was written as one sentence", id)
    found: list[tuple[Offsets, int | None]] = []
    at = 0
    for number, (start, end) in enumerate(layer.spans if layer else ()):
        inside = text[start:end]
        if start < at or not inside.strip() or inside != inside.strip():
            losses.cannot_store("sentences that overlap, are blank or end in white space", id)
            continue
        found += _uncovered(losses, id, text, at, start)
        found.append(((start, end), number))
        at = end
    if layer is None:
        found.append(_trimmed(text, 0, len(text)))
    else:
        found += _uncovered(losses, id, text, at, len(text))
    return found


def _uncovered(
    losses: Losses, id: str, text: str, start: int, end: int
) -> list[tuple[Offsets, int | None]]:
    if not text[start:end].strip():
        return []
    losses.add("text outside sentences was written as sentences of its own", id)
    return [_trimmed(text, start, end)]


def _trimmed(text: str, start: int, end: int) -> tuple[Offsets, None]:
    inside = text[start:end]
    start += len(inside) - len(inside.lstrip())
    return (start, start + len(inside.strip())), None


def sentence_surfaces(
    losses: Losses, id: str, text: str, tokens: Layer, sentences: Sequence[Offsets]
) -> list[list[Surface]]:
    """The surfaces of every sentence, in order, covering all of it but white space."""
    grouped = list(_surfaces(losses, id, text, tokens))
    found: list[list[Surface]] = []
    at = 0
    for start, end in sentences:
        row: list[Surface] = []
        done = start
        while at < len(grouped) and grouped[at].start < end:
            surface = grouped[at]
            at += 1
            if surface.start < done or surface.end > end:
                for _ in surface.words:
                    losses.cannot_store(_CROSSING, id)
                continue
            row += _gap(losses, id, text, done, surface.start)
            row.append(surface)
            done = surface.end
        row += _gap(losses, id, text, done, end)
        found.append(row)
    return found


_CROSSING = "tokens that overlap, are blank or cross a sentence's edge"


def _gap(losses: Losses, id: str, text: str, start: int, end: int) -> list[Surface]:
    (start, end), _ = _trimmed(text, start, end)
    if start == end:
        return []
    losses.add("text that no token covers was written as tokens of its own", id)
    return [Surface(start, end)]


def _surfaces(losses: Losses, id: str, text: str, tokens: Layer) -> Iterator[Surface]:
    """Tokens in order, those of a multiword token together; what cannot be written is named."""
    done = at = 0
    while at < len(tokens.spans):
        surface = _multiword(text, tokens, at)
        if surface is None:
            surface = Surface(*tokens.spans[at], (at,))
            if _cell(tokens, "mwt", at) is not None or _cell(tokens, "form", at) is not None:
                losses.cannot_store("multiword tokens that are not sound", id)
        inside = text[surface.start : surface.end]
        at += len(surface.words)
        if surface.start < done or not inside.strip() or inside != inside.strip():
            losses.cannot_store(_CROSSING, id)
            continue
        done = surface.end
        yield surface


def _multiword(text: str, tokens: Layer, at: int) -> Surface | None:
    """The multiword token that begins with a token, when reading would give the same spans."""
    whole = _cell(tokens, "mwt", at)
    if not (isinstance(whole, (list, tuple)) and len(whole) == 2):
        return None
    last = at
    while last < len(tokens.spans) and _cell(tokens, "mwt", last) == whole:
        last += 1
    words = tuple(range(at, last))
    start, end = whole
    spans = list(tokens.spans[at:last])
    forms = [_cell(tokens, "form", n) or text[slice(*tokens.spans[n])] for n in words]
    clean = all(isinstance(form, str) and form and form == " ".join(form.split()) for form in forms)
    if len(words) < 2 or not clean or split_spans(text[start:end], forms, start) != spans:
        return None
    return Surface(start, end, words, tuple(forms))


def _cell(tokens: Layer, column: str, at: int) -> Any:
    cells = tokens.columns.get(column)
    return cells[at] if cells else None


def chunk_marks(
    losses: Losses, passage: Passage, sentences: Sequence[Sequence[Surface]]
) -> dict[int, list[str]]:
    """What MISC says of phrases and entities, by token."""
    found: dict[int, list[str]] = {}
    for written, name in CHUNKS.items():
        layer = passage.layers.get(name)
        taken: set[int] = set()
        lines = _Lines(passage.layers["token"], sentences)
        for index, span in enumerate(layer.spans if layer else ()):
            kind = layer.columns["type"][index] if layer and "type" in layer.columns else None
            inside = lines.run(span)
            typed = kind is None or (isinstance(kind, str) and _TYPE.fullmatch(kind) is not None)
            if not inside or not typed or taken & set(inside):
                what = f"spans of layer {name} that are no run of tokens of one sentence"
                losses.cannot_store(what, passage.id)
                continue
            taken.update(inside)
            tail = f"-{kind}" if kind else ""
            for number, word in enumerate(inside):
                found.setdefault(word, []).append(f"{written}={'I' if number else 'B'}{tail}")
    return found


class _Lines:
    """The words of a document by the line that each gets, and by where it begins."""

    def __init__(self, tokens: Layer, sentences: Sequence[Sequence[Surface]]) -> None:
        self._spans = tokens.spans
        self._words: list[int] = []
        self._lines: list[int] = []
        line = 0
        for row in sentences:
            line += 1  # the empty line between sentences
            for surface in row:
                for word in surface.words:
                    line += 1
                    self._words.append(word)
                    self._lines.append(line)
                line += not surface.words
        self._starts = [self._spans[word][0] for word in self._words]

    def run(self, span: Offsets) -> list[int]:
        """The words that a span is, line after line; none when it is no such run."""
        first = bisect_left(self._starts, span[0])
        last = first
        while last < len(self._words) and self._spans[self._words[last]][1] <= span[1]:
            last += 1
        inside = self._words[first:last]
        if not inside or self._lines[last - 1] - self._lines[first] != last - 1 - first:
            return []
        whole = (self._spans[inside[0]][0], self._spans[inside[-1]][1]) == tuple(span)
        return inside if whole else []


# A passage as a CoNLL-U document: every character of its text comes back, whatever the layers.


TOKEN_COLUMNS = frozenset({*PLAIN, "head", "misc", "form", "mwt"})


def document_lines(passage: Passage, file: str, losses: Losses) -> str:
    """The lines of a passage's document."""
    tokens = passage.layers.get("token")
    if tokens is None:
        raise DataError(
            "there is no token layer, and CoNLL-U is made of tokens: annotate the test first",
            file=file,
            where=passage.id,
        )
    if not passage.text.strip():
        losses.cannot_store("passages without words", passage.id)
        return ""
    _layer_losses(losses, passage)
    sentences = sentences_of(losses, passage.id, passage.text, passage.layers.get("sentence"))
    surfaces = sentence_surfaces(
        losses, passage.id, passage.text, tokens, [span for span, _ in sentences]
    )
    marks = chunk_marks(losses, passage, surfaces)
    lines: list[str] = []
    for number, ((span, at), row) in enumerate(zip(sentences, surfaces, strict=True)):
        lines += _head(passage, number, span, at, losses)
        following = surfaces[number + 1][0].start if number + 1 < len(surfaces) else None
        after = sentences[number + 1][1] if number + 1 < len(sentences) else None
        paragraph = "newpar" in _said(passage.layers.get("sentence"), after)
        lines += _rows(passage, losses, row, marks, number == 0, following, paragraph)
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def _layer_losses(losses: Losses, passage: Passage) -> None:
    hidden = passage.key.layers if passage.key else {}
    known = ("sentence", "token", *CHUNKS.values())
    others = [name for name in (*passage.layers, *hidden) if name not in known or name in hidden]
    if others:
        losses.cannot_store("layers ()", passage.id, names=others)
    for name, kept in (("token", TOKEN_COLUMNS), ("np", frozenset()), ("ne", frozenset({"type"}))):
        layer = passage.layers.get(name)
        columns = [column for column in layer.columns if column not in kept] if layer else []
        if columns:
            losses.cannot_store(f"columns () of layer {name}", passage.id, names=columns)
    for name, layer in passage.layers.items():
        if name in known and not layer.spans:
            losses.cannot_store("layers () without spans", passage.id, names=[name])
        blank = [one for one, cells in layer.columns.items() if all(cell is None for cell in cells)]
        if blank and layer.spans:
            losses.cannot_store("columns () without values", passage.id, names=blank)


def _head(
    passage: Passage, number: int, span: Offsets, at: int | None, losses: Losses
) -> Iterator[str]:
    """The comments of a sentence, and of its document when it is the first."""
    if number == 0:
        id = " ".join(passage.id.split())
        if id != passage.id:
            losses.add("white space in ids of passages was written as single spaces", passage.id)
        yield f"# newdoc id = {id}"
        sources = {
            name: layer.source
            for name, layer in passage.layers.items()
            if layer.source and layer.spans
        }
        if sources:
            yield f"# {SOURCES} = {spelt_comment(sources)}"
    layer = passage.layers.get("sentence")
    said = _said(layer, at)
    paragraph = said.pop("newpar", None)
    if paragraph is not None:
        yield "# newpar" if paragraph is True else f"# newpar id = {paragraph}"
    id = said.pop("id", None) or f"{passage.id}-{number + 1}"
    yield f"# sent_id = {' '.join(str(id).split())}"
    for name, value in said.items():
        line = f"# {name}" if value is True else f"# {name} = {spelt_comment(value)}"
        if comment_of(line) != (name, value) or name in RESERVED:
            losses.cannot_store("columns () of layer sentence", passage.id, names=[name])
        else:
            yield line
    yield f"# text = {' '.join(passage.text[slice(*span)].split())}"


def _said(layer: Layer | None, at: int | None) -> dict[str, Any]:
    if layer is None or at is None:
        return {}
    cells = {name: column[at] for name, column in layer.columns.items()}
    return {name: value for name, value in cells.items() if value is not None}


def _rows(
    passage: Passage,
    losses: Losses,
    surfaces: Sequence[Surface],
    marks: dict[int, list[str]],
    first: bool,
    following: int | None,
    paragraph: bool,
) -> Iterator[str]:
    """The lines of a sentence's words."""
    text, tokens = passage.text, passage.layers["token"]
    numbers: dict[int, int] = {}
    count = 0
    for surface in surfaces:
        for word in surface.words or [None]:
            count += 1
            if word is not None:
                numbers[word] = count
    count = 0
    for index, surface in enumerate(surfaces):
        last = index + 1 == len(surfaces)
        after = following if last else surfaces[index + 1].start
        gap = text[surface.end : len(text) if after is None else after]
        before = text[: surface.start] if first and index == 0 else ""
        spacing = _spacing(
            text[surface.start : surface.end], before, gap, after is None, last and paragraph
        )
        form = " ".join(text[surface.start : surface.end].split())
        if len(surface.words) > 1:
            cells = [f"{count + 1}-{count + len(surface.words)}", form, *["_"] * 7]
            yield "\t".join([*cells, "|".join(spacing) or "_"])
        for word, own in zip(surface.words or (None,), surface.forms or (form,), strict=True):
            count += 1
            own_spacing = spacing if len(surface.words) <= 1 else []
            cells = [str(count), own, *["_"] * 8]
            if word is not None:
                lost = _fill(cells, tokens, word, numbers, marks.get(word, []))
                if lost:
                    what = "values of columns () that do not fit"
                    losses.cannot_store(what, passage.id, names=lost)
            cells[9] = "|".join([*([] if cells[9] == "_" else [cells[9]]), *own_spacing]) or "_"
            yield "\t".join(cells)


def _fill(
    cells: list[str], tokens: Layer, word: int, numbers: dict[int, int], marks: list[str]
) -> list[str]:
    """Put a token's columns into its cells; the names of those that do not fit are returned."""
    said = {name: column[word] for name, column in tokens.columns.items()}
    lost = []
    for name, at in PLAIN.items():
        value = said.get(name)
        if fits(value) and (value != "_" or (name == "lemma" and cells[1] == "_")):
            cells[at] = str(value)
        elif value is not None:
            lost.append(name)
    head = said.get("head")
    if head == word:
        cells[6] = "0"
    elif head in numbers:
        cells[6] = str(numbers[head])
    elif head is not None:
        lost.append("head")
    misc = []
    if fits(said.get("misc")):
        known = (*SPACING, *CHUNKS)
        misc = [one for one in said["misc"].split("|") if one.partition("=")[0] not in known]
    if said.get("misc") is not None and "|".join(misc) != said["misc"]:
        lost.append("misc")
    cells[9] = "|".join([*misc, *marks]) or "_"
    return lost


def fits(value: Any) -> bool:
    """Whether a value can be written in a column."""
    return isinstance(value, str) and bool(value) and not any(one in value for one in "\t\r\n")


def _spacing(surface: str, before: str, gap: str, ends: bool, paragraph: bool) -> list[str]:
    """What MISC says of the white space around a surface, where it is not the usual."""
    found = []
    if before:
        found.append(f"SpacesBefore={escaped(before)}")
    if surface != " ".join(surface.split()):
        found.append(f"SpacesInToken={escaped(surface)}")
    usual = "" if ends else "\n" if paragraph else " "
    if gap != usual:
        found.append(
            "SpaceAfter=No" if not gap and not paragraph else f"SpacesAfter={escaped(gap)}"
        )
    return found


_NUMBER = re.compile(r"\d+(?:[-.]\d+)?")


class Conllu:
    """One file of documents."""

    def recognises(self, source: Source) -> bool:
        """Whether the first line that is no comment has a number and ten columns.

        A file of that suffix may begin with a comment that is longer than its head.
        """
        if source.folder is not None:
            return False
        if ".conllu" in source.suffixes and source.head.startswith(b"#"):
            return True
        for line in source.head.decode("utf-8", "replace").split("\n"):
            if line.strip() and not line.startswith("#"):
                cells = line.rstrip("\r").split("\t")
                return len(cells) == COLUMNS and _NUMBER.fullmatch(cells[0]) is not None
        return False

    def read(self, source: Source) -> Test:
        """The test in a file: a passage a document, one for all where none is named."""
        file = source.file
        name = source.path.name.partition(".conll")[0]
        text, encoding = decoded_as(read_bytes(source.path), file)

        def stream(report: Report) -> Iterator[Placed]:
            number = 0

            def document(block: ConlluSentence) -> int:
                nonlocal number
                number += "newdoc" in block.comments or "newdoc id" in block.comments
                return number

            found = 0
            for at, group in groupby(blocks(text, file, report), key=document):
                inside = list(group)
                said = inside[0].said("newdoc id")
                id = said or (name if at == 0 else f"{name}-{at}")
                passage = with_id(passage_of(id, inside, file, report))
                found += 1
                yield inside[0].line, passage
            if not found and not text.strip():
                raise DataError("the file is empty, expected sentences", file=file)

        fields = dict(Decoded(text, encoding).fields)
        return Test(Header(name=name, fields=fields), stream, file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a document a passage; what was lost is named."""
        only_comprehension(test, "conllu")
        losses = Losses()
        document_losses(losses, test.header)
        with writing(path) as stream:
            for passage in test.records():
                text_losses(losses, passage)
                questions_lost(losses, passage)
                stream.write(document_lines(passage, test.file, losses).encode())
        return losses.lines()


CONLLU = Conllu()
