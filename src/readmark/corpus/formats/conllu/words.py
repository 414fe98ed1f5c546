"""Layers made fit for CoNLL-U: sentences side by side, tokens in order, nothing uncovered.

What overlaps or crosses is left out and named; text that no token covers gets one of its own.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.formats.conllu.reading import CHUNKS, split_spans
from readmark.corpus.formats.losses import Losses
from readmark.corpus.values import Layer, Offsets, Passage

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
            losses.cannot_hold("sentences that overlap, are blank or end in white space", id)
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


def laid_out(
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
            one = grouped[at]
            at += 1
            if one.start < done or one.end > end:
                for _ in one.words:
                    losses.cannot_hold(_CROSSING, id)
                continue
            row += _gap(losses, id, text, done, one.start)
            row.append(one)
            done = one.end
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
    """Tokens in order, those of a multiword token together; what cannot stand is named."""
    done = at = 0
    while at < len(tokens.spans):
        one = _multiword(text, tokens, at)
        if one is None:
            one = Surface(*tokens.spans[at], (at,))
            if _cell(tokens, "mwt", at) is not None or _cell(tokens, "form", at) is not None:
                losses.cannot_hold("multiword tokens that are not sound", id)
        inside = text[one.start : one.end]
        at += len(one.words)
        if one.start < done or not inside.strip() or inside != inside.strip():
            losses.cannot_hold(_CROSSING, id)
            continue
        done = one.end
        yield one


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
    clean = all(isinstance(one, str) and one and one == " ".join(one.split()) for one in forms)
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
        for at, span in enumerate(layer.spans if layer else ()):
            kind = layer.columns["type"][at] if layer and "type" in layer.columns else None
            inside = lines.run(span)
            typed = kind is None or (isinstance(kind, str) and _TYPE.fullmatch(kind) is not None)
            if not inside or not typed or taken & set(inside):
                what = f"spans of layer {name} that are no run of tokens of one sentence"
                losses.cannot_hold(what, passage.id)
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
            for one in row:
                for word in one.words:
                    line += 1
                    self._words.append(word)
                    self._lines.append(line)
                line += not one.words
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
