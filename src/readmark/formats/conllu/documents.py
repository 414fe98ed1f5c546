"""A passage as a CoNLL-U document: every character of its text comes back, whatever the layers."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core.errors import DataError
from readmark.core.records import Layer, Offsets, Passage
from readmark.formats.conllu.notation import (
    CHUNKS,
    PLAIN_COLUMNS,
    RESERVED_COMMENTS,
    SOURCES,
    SPACING,
    comment_of,
    escaped,
    spelt_comment,
)
from readmark.formats.conllu.passages import split_spans
from readmark.formats.losses import Losses

_WRITTEN_COLUMNS = {
    "token": frozenset({*PLAIN_COLUMNS, "head", "misc", "form", "mwt"}),
    "np": frozenset(),
    "ne": frozenset({"type"}),
}
"""The columns of each layer that have a place; those of sentences are comments."""
_TYPE = re.compile(r"[^\s|=]+")
_CROSSING = "tokens that overlap, are blank or cross a sentence's edge"


@dataclass(frozen=True, slots=True)
class _WrittenSentence:
    """Where a sentence is, and its index in the layer; None where the layer does not have it."""

    start: int
    end: int
    index: int | None = None


@dataclass(frozen=True, slots=True)
class Surface:
    """A stretch of text and the tokens that it is: none, one, or the words of a multiword token."""

    start: int
    end: int
    words: tuple[int, ...] = ()
    forms: tuple[str, ...] = ()


def document_text(passage: Passage, file: str, losses: Losses) -> str:
    """The lines of a passage's document; a passage needs tokens."""
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


class _Document:
    """Layers made fit for CoNLL-U, which has no place between sentences or between tokens.

    Sentences stand side by side, tokens are in order, and text that neither covers gets its own.
    """

    def __init__(self, passage: Passage, tokens: Layer, losses: Losses) -> None:
        self.passage, self.text, self.tokens = passage, passage.text, tokens
        self.sentence_layer = passage.layers.get("sentence")
        self._losses = losses

    def lines(self) -> Iterator[str]:
        """The lines of the document."""
        self._note_unwritten_layers()
        sentences = self._sentences()
        surfaces = self._surfaces(sentences)
        marks = self._chunk_marks(surfaces)
        for number, sentence in enumerate(sentences):
            yield from self._comments(number, sentence)
            is_last = number + 1 == len(sentences)
            yield from self._word_lines(
                surfaces[number],
                marks,
                before=self.text[: surfaces[0][0].start] if number == 0 else "",
                next_start=None if is_last else surfaces[number + 1][0].start,
                before_paragraph=not is_last and "newpar" in self._labels(sentences[number + 1]),
            )
            yield ""

    def _cannot_store(self, what: str, names: Sequence[str] = ()) -> None:
        self._losses.cannot_store(what, self.passage.id, names=names)

    def _note_unwritten_layers(self) -> None:
        """Name what of the layers has no place."""
        layers = self.passage.layers
        hidden = self.passage.key.layers if self.passage.key else {}
        known = ("sentence", "token", *CHUNKS.values())
        others = [name for name in (*layers, *hidden) if name not in known or name in hidden]
        if others:
            self._cannot_store("layers ()", others)
        for name, written in _WRITTEN_COLUMNS.items():
            columns = layers[name].columns if name in layers else ()
            unwritten = [column for column in columns if column not in written]
            if unwritten:
                self._cannot_store(f"columns () of layer {name}", unwritten)
        for name, layer in layers.items():
            if name in known and not layer.spans:
                self._cannot_store("layers () without spans", [name])
            empty = [
                column
                for column, cells in layer.columns.items()
                if all(cell is None for cell in cells)
            ]
            if empty and layer.spans:
                self._cannot_store("columns () without values", empty)

    def _sentences(self) -> list[_WrittenSentence]:
        """Sentences that cover the text."""
        if self.sentence_layer is None:
            what = "a passage without a sentence layer was written as one sentence"
            self._losses.add(what, self.passage.id)
            return [_WrittenSentence(*self._trimmed(0, len(self.text)))]
        sentences: list[_WrittenSentence] = []
        done = 0
        for index, (start, end) in enumerate(self.sentence_layer.spans):
            if start < done or not self._is_trimmed(start, end):
                self._cannot_store("sentences that overlap, are blank or end in white space")
                continue
            sentences += self._uncovered(done, start)
            sentences.append(_WrittenSentence(start, end, index))
            done = end
        return sentences + self._uncovered(done, len(self.text))

    def _uncovered(self, start: int, end: int) -> list[_WrittenSentence]:
        if not self.text[start:end].strip():
            return []
        what = "text outside sentences was written as sentences of its own"
        self._losses.add(what, self.passage.id)
        return [_WrittenSentence(*self._trimmed(start, end))]

    def _trimmed(self, start: int, end: int) -> Offsets:
        inside = self.text[start:end]
        start += len(inside) - len(inside.lstrip())
        return start, start + len(inside.strip())

    def _is_trimmed(self, start: int, end: int) -> bool:
        """Whether a stretch has text, and no white space at its ends."""
        inside = self.text[start:end]
        return bool(inside) and inside == inside.strip()

    def _surfaces(self, sentences: Sequence[_WrittenSentence]) -> list[list[Surface]]:
        """The surfaces of every sentence, in order, covering all of it but white space."""
        waiting = list(self._token_surfaces())[::-1]
        rows: list[list[Surface]] = []
        for sentence in sentences:
            row: list[Surface] = []
            done = sentence.start
            while waiting and waiting[-1].start < sentence.end:
                surface = waiting.pop()
                if surface.start < done or surface.end > sentence.end:
                    for _ in surface.words:
                        self._cannot_store(_CROSSING)
                    continue
                row += [*self._gap(done, surface.start), surface]
                done = surface.end
            rows.append([*row, *self._gap(done, sentence.end)])
        return rows

    def _gap(self, start: int, end: int) -> Iterator[Surface]:
        start, end = self._trimmed(start, end)
        if start < end:
            what = "text that no token covers was written as tokens of its own"
            self._losses.add(what, self.passage.id)
            yield Surface(start, end)

    def _token_surfaces(self) -> Iterator[Surface]:
        """Tokens in order, those of a multiword token together; what cannot be written is named."""
        done = index = 0
        while index < len(self.tokens.spans):
            surface = self._multiword(index)
            if surface is None:
                surface = Surface(*self.tokens.spans[index], (index,))
                if self._cell("mwt", index) is not None or self._cell("form", index) is not None:
                    self._cannot_store("multiword tokens that are not sound")
            index += len(surface.words)
            if surface.start < done or not self._is_trimmed(surface.start, surface.end):
                self._cannot_store(_CROSSING)
                continue
            done = surface.end
            yield surface

    def _multiword(self, first: int) -> Surface | None:
        """The multiword token that begins with a token, if reading it would give the same spans."""
        spans = self.tokens.spans
        whole = self._cell("mwt", first)
        if not (isinstance(whole, (list, tuple)) and len(whole) == 2):
            return None
        end_index = first
        while end_index < len(spans) and self._cell("mwt", end_index) == whole:
            end_index += 1
        words = range(first, end_index)
        forms = [self._cell("form", word) or self.text[slice(*spans[word])] for word in words]
        are_forms = all(
            isinstance(form, str) and form and form == " ".join(form.split()) for form in forms
        )
        if len(words) < 2 or not are_forms:
            return None
        start, end = whole
        if split_spans(self.text[start:end], forms, start) != list(spans[first:end_index]):
            return None
        return Surface(start, end, tuple(words), tuple(forms))

    def _cell(self, column: str, token: int) -> Any:
        cells = self.tokens.columns.get(column)
        return cells[token] if cells else None

    def _chunk_marks(self, rows: Sequence[Sequence[Surface]]) -> dict[int, list[str]]:
        """What MISC says of phrases and entities, by token."""
        marks: dict[int, list[str]] = {}
        lines = _WordLines(self.tokens, rows)
        for misc_name, name in CHUNKS.items():
            layer = self.passage.layers.get(name)
            if layer is None:
                continue
            types = layer.columns.get("type")
            taken: set[int] = set()
            for index, span in enumerate(layer.spans):
                type = types[index] if types else None
                words = lines.run(span)
                is_type = type is None or (isinstance(type, str) and _TYPE.fullmatch(type))
                if not words or not is_type or taken & set(words):
                    self._cannot_store(
                        f"spans of layer {name} that do not cover whole tokens of one sentence"
                    )
                    continue
                taken.update(words)
                suffix = f"-{type}" if type else ""
                for position, word in enumerate(words):
                    mark = f"{misc_name}={'I' if position else 'B'}{suffix}"
                    marks.setdefault(word, []).append(mark)
        return marks

    def _comments(self, number: int, sentence: _WrittenSentence) -> Iterator[str]:
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
        labels = self._labels(sentence)
        paragraph = labels.pop("newpar", None)
        if paragraph is not None:
            yield "# newpar" if paragraph is True else f"# newpar id = {paragraph}"
        id = labels.pop("id", None) or f"{passage.id}-{number + 1}"
        yield f"# sent_id = {' '.join(str(id).split())}"
        for name, value in labels.items():
            line = f"# {name}" if value is True else f"# {name} = {spelt_comment(value)}"
            if comment_of(line) != (name, value) or name in RESERVED_COMMENTS:
                self._cannot_store("columns () of layer sentence", [name])
            else:
                yield line
        yield f"# text = {' '.join(self.text[sentence.start : sentence.end].split())}"

    def _labels(self, sentence: _WrittenSentence) -> dict[str, Any]:
        """What the sentence layer says of a sentence."""
        if self.sentence_layer is None or sentence.index is None:
            return {}
        columns = self.sentence_layer.columns
        cells = {name: column[sentence.index] for name, column in columns.items()}
        return {name: value for name, value in cells.items() if value is not None}

    def _word_lines(
        self,
        surfaces: Sequence[Surface],
        marks: dict[int, list[str]],
        *,
        before: str,
        next_start: int | None,
        before_paragraph: bool,
    ) -> Iterator[str]:
        """The lines of a sentence's words.

        ``before`` is the text before the document's first sentence. The next sentence begins at
        ``next_start``, perhaps with a paragraph, or there is none.
        """
        words = [word for surface in surfaces for word in surface.words or (None,)]
        numbers = {word: number for number, word in enumerate(words, 1) if word is not None}
        number = 0
        for index, surface in enumerate(surfaces):
            is_last = index + 1 == len(surfaces)
            gap_end = next_start if is_last else surfaces[index + 1].start
            gap = self.text[surface.end : len(self.text) if gap_end is None else gap_end]
            usual_gap = "" if gap_end is None else "\n" if is_last and before_paragraph else " "
            text = self.text[surface.start : surface.end]
            spacing = _spacing(text, before if index == 0 else "", gap, usual_gap)
            form = " ".join(text.split())
            if len(surface.words) > 1:
                cells = [f"{number + 1}-{number + len(surface.words)}", form, *["_"] * 7]
                yield "\t".join([*cells, "|".join(spacing) or "_"])
                spacing = []
            forms = surface.forms or (form,)
            for word, word_form in zip(surface.words or (None,), forms, strict=True):
                number += 1
                cells = [str(number), word_form, *["_"] * 8]
                misc: list[str] = []
                if word is not None:
                    misc = [*self._fill(cells, word, numbers), *marks.get(word, ())]
                cells[9] = "|".join([*misc, *spacing]) or "_"
                yield "\t".join(cells)

    def _fill(self, cells: list[str], word: int, numbers: dict[int, int]) -> list[str]:
        """Put a token's columns into its cells; what MISC says of it is returned."""
        values = {name: column[word] for name, column in self.tokens.columns.items()}
        lost = []
        for name, index in PLAIN_COLUMNS.items():
            value = values.get(name)
            # An underscore would be read as no value, unless it is the lemma of an underscore.
            if fits(value) and (value != "_" or (name == "lemma" and cells[1] == "_")):
                cells[index] = str(value)
            elif value is not None:
                lost.append(name)
        head = values.get("head")
        if head == word:
            cells[6] = "0"
        elif head in numbers:
            cells[6] = str(numbers[head])
        elif head is not None:
            lost.append("head")
        misc = []
        if fits(values.get("misc")):
            known = (*SPACING, *CHUNKS)
            entries = values["misc"].split("|")
            misc = [entry for entry in entries if entry.partition("=")[0] not in known]
        if values.get("misc") is not None and "|".join(misc) != values["misc"]:
            lost.append("misc")
        if lost:
            self._cannot_store("values of columns () that do not fit", lost)
        return misc


class _WordLines:
    """The words of a document by the line that each gets, and by where it begins."""

    def __init__(self, tokens: Layer, rows: Sequence[Sequence[Surface]]) -> None:
        self._spans = tokens.spans
        self._words: list[int] = []
        self._lines: list[int] = []
        line = 0
        for row in rows:
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
        end = first
        while end < len(self._words) and self._spans[self._words[end]][1] <= span[1]:
            end += 1
        words = self._words[first:end]
        if not words or self._lines[end - 1] - self._lines[first] != end - 1 - first:
            return []
        whole = self._spans[words[0]][0], self._spans[words[-1]][1]
        return words if whole == tuple(span) else []


def fits(value: Any) -> bool:
    """Whether a value can be written in a column."""
    return isinstance(value, str) and bool(value) and not any(mark in value for mark in "\t\r\n")


def _spacing(surface: str, before: str, gap: str, usual_gap: str) -> list[str]:
    """What MISC says of the white space around a surface, where it is not the usual."""
    entries = []
    if before:
        entries.append(f"SpacesBefore={escaped(before)}")
    if surface != " ".join(surface.split()):
        entries.append(f"SpacesInToken={escaped(surface)}")
    if gap != usual_gap:
        # Before a paragraph SpaceAfter=No would be read as the usual line break.
        is_no_space = not gap and usual_gap != "\n"
        entries.append("SpaceAfter=No" if is_no_space else f"SpacesAfter={escaped(gap)}")
    return entries
