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
from readmark.core.files import read_bytes
from readmark.core.problems import ReportProblem
from readmark.core.records import Layer, Offsets, Passage
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.core.writing import writing
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

# A passage as a CoNLL-U document: every character of its text comes back, whatever the layers.


TOKEN_COLUMNS = frozenset({*PLAIN, "head", "misc", "form", "mwt"})
_TYPE = re.compile(r"[^\s|=]+")
_CROSSING = "tokens that overlap, are blank or cross a sentence's edge"

Sentence = tuple[Offsets, int | None]
"""Where a sentence is, and its number in the layer; None where the layer does not have it."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A stretch of text and the tokens that it is: none, one, or the words of a multiword token."""

    start: int
    end: int
    words: tuple[int, ...] = ()
    forms: tuple[str, ...] = ()


class _Document:
    """Layers made fit for CoNLL-U: sentences side by side, tokens in order, nothing uncovered."""

    def __init__(self, passage: Passage, tokens: Layer, losses: Losses) -> None:
        self.passage, self.text, self.tokens = passage, passage.text, tokens
        self.sentence_layer = passage.layers.get("sentence")
        self._losses = losses

    def _lost(self, what: str, names: Sequence[str] = ()) -> None:
        self._losses.cannot_store(what, self.passage.id, names=names)

    def lines(self) -> Iterator[str]:
        """The lines of the document."""
        self._note_layers()
        sentences = self._sentences()
        surfaces = self._surfaces([span for span, _ in sentences])
        marks = self._chunk_marks(surfaces)
        for number, (sentence, row) in enumerate(zip(sentences, surfaces, strict=True)):
            yield from self._head(number, *sentence)
            following = surfaces[number + 1][0].start if number + 1 < len(surfaces) else None
            after = sentences[number + 1][1] if number + 1 < len(sentences) else None
            paragraph = "newpar" in self._said(after)
            yield from self._rows(row, marks, number == 0, following, paragraph)
            yield ""

    def _note_layers(self) -> None:
        """Name what of the layers has no place."""
        passage = self.passage
        hidden = passage.key.layers if passage.key else {}
        known = ("sentence", "token", *CHUNKS.values())
        others = [
            name for name in (*passage.layers, *hidden) if name not in known or name in hidden
        ]
        if others:
            self._lost("layers ()", others)
        kept_columns = {"token": TOKEN_COLUMNS, "np": frozenset(), "ne": frozenset({"type"})}
        for name, kept in kept_columns.items():
            layer = passage.layers.get(name)
            columns = [column for column in layer.columns if column not in kept] if layer else []
            if columns:
                self._lost(f"columns () of layer {name}", columns)
        for name, layer in passage.layers.items():
            if name in known and not layer.spans:
                self._lost("layers () without spans", [name])
            empty = [
                one for one, cells in layer.columns.items() if all(cell is None for cell in cells)
            ]
            if empty and layer.spans:
                self._lost("columns () without values", empty)

    def _sentences(self) -> list[Sentence]:
        """Sentences that cover the text."""
        if self.sentence_layer is None:
            what = "a passage without a sentence layer was written as one sentence"
            self._losses.add(what, self.passage.id)
            return [(self._trimmed(0, len(self.text)), None)]
        found: list[Sentence] = []
        at = 0
        for number, (start, end) in enumerate(self.sentence_layer.spans):
            if start < at or self._is_blank_at_an_end(start, end):
                self._lost("sentences that overlap, are blank or end in white space")
                continue
            found += self._uncovered(at, start)
            found.append(((start, end), number))
            at = end
        return found + self._uncovered(at, len(self.text))

    def _uncovered(self, start: int, end: int) -> list[Sentence]:
        if not self.text[start:end].strip():
            return []
        what = "text outside sentences was written as sentences of its own"
        self._losses.add(what, self.passage.id)
        return [(self._trimmed(start, end), None)]

    def _trimmed(self, start: int, end: int) -> Offsets:
        inside = self.text[start:end]
        start += len(inside) - len(inside.lstrip())
        return start, start + len(inside.strip())

    def _is_blank_at_an_end(self, start: int, end: int) -> bool:
        inside = self.text[start:end]
        return not inside or inside != inside.strip()

    def _surfaces(self, sentences: Sequence[Offsets]) -> list[list[Surface]]:
        """The surfaces of every sentence, in order, covering all of it but white space."""
        grouped = list(self._token_surfaces())
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
                        self._lost(_CROSSING)
                    continue
                row += [*self._gap(done, surface.start), surface]
                done = surface.end
            found.append([*row, *self._gap(done, end)])
        return found

    def _gap(self, start: int, end: int) -> Iterator[Surface]:
        start, end = self._trimmed(start, end)
        if start < end:
            what = "text that no token covers was written as tokens of its own"
            self._losses.add(what, self.passage.id)
            yield Surface(start, end)

    def _token_surfaces(self) -> Iterator[Surface]:
        """Tokens in order, those of a multiword token together; what cannot be written is named."""
        done = at = 0
        while at < len(self.tokens.spans):
            surface = self._multiword(at)
            if surface is None:
                surface = Surface(*self.tokens.spans[at], (at,))
                if self._cell("mwt", at) is not None or self._cell("form", at) is not None:
                    self._lost("multiword tokens that are not sound")
            at += len(surface.words)
            if surface.start < done or self._is_blank_at_an_end(surface.start, surface.end):
                self._lost(_CROSSING)
                continue
            done = surface.end
            yield surface

    def _multiword(self, at: int) -> Surface | None:
        """The multiword token that begins with a token, when reading would give the same spans."""
        spans = self.tokens.spans
        whole = self._cell("mwt", at)
        if not (isinstance(whole, (list, tuple)) and len(whole) == 2):
            return None
        last = at
        while last < len(spans) and self._cell("mwt", last) == whole:
            last += 1
        start, end = whole
        forms = [self._cell("form", n) or self.text[slice(*spans[n])] for n in range(at, last)]
        clean = all(
            isinstance(form, str) and form and form == " ".join(form.split()) for form in forms
        )
        if last - at < 2 or not clean:
            return None
        if split_spans(self.text[start:end], forms, start) != list(spans[at:last]):
            return None
        return Surface(start, end, tuple(range(at, last)), tuple(forms))

    def _cell(self, column: str, at: int) -> Any:
        cells = self.tokens.columns.get(column)
        return cells[at] if cells else None

    def _chunk_marks(self, sentences: Sequence[Sequence[Surface]]) -> dict[int, list[str]]:
        """What MISC says of phrases and entities, by token."""
        found: dict[int, list[str]] = {}
        lines = _Lines(self.tokens, sentences)
        for written, name in CHUNKS.items():
            layer = self.passage.layers.get(name)
            taken: set[int] = set()
            for index, span in enumerate(layer.spans if layer else ()):
                kind = layer.columns["type"][index] if layer and "type" in layer.columns else None
                inside = lines.run(span)
                typed = kind is None or (isinstance(kind, str) and _TYPE.fullmatch(kind))
                if not inside or not typed or taken & set(inside):
                    self._lost(
                        f"spans of layer {name} that do not cover whole tokens of one sentence"
                    )
                    continue
                taken.update(inside)
                tail = f"-{kind}" if kind else ""
                for number, word in enumerate(inside):
                    found.setdefault(word, []).append(f"{written}={'I' if number else 'B'}{tail}")
        return found

    def _head(self, number: int, span: Offsets, at: int | None) -> Iterator[str]:
        """The comments of a sentence, and of its document when it is the first."""
        passage = self.passage
        if number == 0:
            id = " ".join(passage.id.split())
            if id != passage.id:
                what = "white space in ids of passages was written as single spaces"
                self._losses.add(what, passage.id)
            yield f"# newdoc id = {id}"
            sources = {
                name: layer.source
                for name, layer in passage.layers.items()
                if layer.source and layer.spans
            }
            if sources:
                yield f"# {SOURCES} = {spelt_comment(sources)}"
        said = self._said(at)
        paragraph = said.pop("newpar", None)
        if paragraph is not None:
            yield "# newpar" if paragraph is True else f"# newpar id = {paragraph}"
        id = said.pop("id", None) or f"{passage.id}-{number + 1}"
        yield f"# sent_id = {' '.join(str(id).split())}"
        for name, value in said.items():
            line = f"# {name}" if value is True else f"# {name} = {spelt_comment(value)}"
            if comment_of(line) != (name, value) or name in RESERVED:
                self._lost("columns () of layer sentence", [name])
            else:
                yield line
        yield f"# text = {' '.join(self.text[slice(*span)].split())}"

    def _said(self, at: int | None) -> dict[str, Any]:
        """What the sentence layer says of a sentence."""
        if self.sentence_layer is None or at is None:
            return {}
        cells = {name: column[at] for name, column in self.sentence_layer.columns.items()}
        return {name: value for name, value in cells.items() if value is not None}

    def _rows(
        self,
        surfaces: Sequence[Surface],
        marks: dict[int, list[str]],
        first: bool,
        following: int | None,
        paragraph: bool,
    ) -> Iterator[str]:
        """The lines of a sentence's words."""
        text = self.text
        every = [word for surface in surfaces for word in surface.words or (None,)]
        numbers = {word: number for number, word in enumerate(every, 1) if word is not None}
        count = 0
        for index, surface in enumerate(surfaces):
            last = index + 1 == len(surfaces)
            after = following if last else surfaces[index + 1].start
            gap = text[surface.end : len(text) if after is None else after]
            before = text[: surface.start] if first and index == 0 else ""
            shown = text[surface.start : surface.end]
            spacing = _spacing(shown, before, gap, after is None, last and paragraph)
            form = " ".join(shown.split())
            if len(surface.words) > 1:
                cells = [f"{count + 1}-{count + len(surface.words)}", form, *["_"] * 7]
                yield "\t".join([*cells, "|".join(spacing) or "_"])
                spacing = []
            for word, own in zip(surface.words or (None,), surface.forms or (form,), strict=True):
                count += 1
                cells = [str(count), own, *["_"] * 8]
                misc: list[str] = []
                if word is not None:
                    misc = [*self._fill(cells, word, numbers), *marks.get(word, ())]
                cells[9] = "|".join([*misc, *spacing]) or "_"
                yield "\t".join(cells)

    def _fill(self, cells: list[str], word: int, numbers: dict[int, int]) -> list[str]:
        """Put a token's columns into its cells; what MISC says of it is returned."""
        said = {name: column[word] for name, column in self.tokens.columns.items()}
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
        if lost:
            self._lost("values of columns () that do not fit", lost)
        return misc


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
    return "".join(f"{line}\n" for line in _Document(passage, tokens, losses).lines())


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
        no_gap = not gap and not paragraph
        found.append("SpaceAfter=No" if no_gap else f"SpacesAfter={escaped(gap)}")
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

        def stream(report: ReportProblem) -> Iterator[Placed]:
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
