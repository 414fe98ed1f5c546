"""A passage as a CoNLL-U document: every character of its text comes back, whatever the layers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.formats.conllu.blocks import comment_of, escaped, spelt_comment
from readmark.corpus.formats.conllu.reading import CHUNKS, PLAIN, RESERVED, SOURCES, SPACING
from readmark.corpus.formats.conllu.words import Surface, chunk_marks, laid_out, sentences_of
from readmark.corpus.formats.losses import Losses
from readmark.corpus.values import Layer, Offsets, Passage

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
        losses.cannot_hold("passages without words", passage.id)
        return ""
    _layer_losses(losses, passage)
    sentences = sentences_of(losses, passage.id, passage.text, passage.layers.get("sentence"))
    surfaces = laid_out(losses, passage.id, passage.text, tokens, [span for span, _ in sentences])
    marks = chunk_marks(losses, passage, surfaces)
    lines: list[str] = []
    for number, ((span, at), row) in enumerate(zip(sentences, surfaces, strict=True)):
        lines += _head(passage, number, span, at, losses)
        following = surfaces[number + 1][0].start if number + 1 < len(surfaces) else None
        paragraph = number + 1 < len(sentences) and _begins_paragraph(
            passage, sentences[number + 1][1]
        )
        lines += _rows(passage, losses, row, marks, number == 0, following, paragraph)
        lines.append("")
    return "".join(f"{line}\n" for line in lines)


def _layer_losses(losses: Losses, passage: Passage) -> None:
    hidden = passage.key.layers if passage.key else {}
    known = ("sentence", "token", *CHUNKS.values())
    others = [name for name in (*passage.layers, *hidden) if name not in known or name in hidden]
    if others:
        losses.cannot_hold("layers ()", passage.id, names=others)
    for name, kept in (("token", TOKEN_COLUMNS), ("np", frozenset()), ("ne", frozenset({"type"}))):
        layer = passage.layers.get(name)
        columns = [one for one in layer.columns if one not in kept] if layer else []
        if columns:
            losses.cannot_hold(f"columns () of layer {name}", passage.id, names=columns)
    for name, layer in passage.layers.items():
        if name in known and not layer.spans:
            losses.cannot_hold("layers () without spans", passage.id, names=[name])
        blank = [one for one, cells in layer.columns.items() if all(cell is None for cell in cells)]
        if blank and layer.spans:
            losses.cannot_hold("columns () without values", passage.id, names=blank)


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
            losses.cannot_hold("columns () of layer sentence", passage.id, names=[name])
        else:
            yield line
    yield f"# text = {' '.join(passage.text[slice(*span)].split())}"


def _said(layer: Layer | None, at: int | None) -> dict[str, Any]:
    if layer is None or at is None:
        return {}
    cells = {name: column[at] for name, column in layer.columns.items()}
    return {name: value for name, value in cells.items() if value is not None}


def _begins_paragraph(passage: Passage, at: int | None) -> bool:
    return "newpar" in _said(passage.layers.get("sentence"), at)


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
    for one in surfaces:
        for word in one.words or [None]:
            count += 1
            if word is not None:
                numbers[word] = count
    count = 0
    for at, one in enumerate(surfaces):
        last = at + 1 == len(surfaces)
        after = following if last else surfaces[at + 1].start
        gap = text[one.end : len(text) if after is None else after]
        before = text[: one.start] if first and at == 0 else ""
        spacing = _spacing(
            text[one.start : one.end], before, gap, after is None, last and paragraph
        )
        form = " ".join(text[one.start : one.end].split())
        if len(one.words) > 1:
            cells = [f"{count + 1}-{count + len(one.words)}", form, *["_"] * 7]
            yield "\t".join([*cells, "|".join(spacing) or "_"])
        for word, own in zip(one.words or (None,), one.forms or (form,), strict=True):
            count += 1
            own_spacing = spacing if len(one.words) <= 1 else []
            cells = [str(count), own, *["_"] * 8]
            if word is not None:
                lost = _fill(cells, tokens, word, numbers, marks.get(word, []))
                if lost:
                    what = "values of columns () that do not fit"
                    losses.cannot_hold(what, passage.id, names=lost)
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
    """Whether a value can stand in a column."""
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
