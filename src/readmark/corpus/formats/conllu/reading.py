"""A passage from the blocks of a CoNLL-U document: the text put together, and its layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from readmark.corpus.formats.conllu.blocks import Block, Row, comment_value, unescaped
from readmark.corpus.problems import Problem, Report, remark
from readmark.corpus.spans import clip
from readmark.corpus.values import Layer, Layers, Offsets, Passage

SOURCES = "layer_sources"
"""The comment, on a document's first sentence, that tells who made each layer."""
SPACING = ("SpaceAfter", "SpacesAfter", "SpacesBefore", "SpacesInToken")
CHUNKS = {"NP": "np", "NE": "ne"}
"""The names in MISC that hold phrases and entities, as B, I, B-PERSON and I-PERSON."""
PLAIN = {"lemma": 2, "pos": 3, "tag": 4, "feats": 5, "dep": 7, "deps": 8}
RESERVED = ("text", "newdoc", "newdoc id", "newpar", "newpar id", "sent_id", SOURCES)


@dataclass(slots=True)
class _Built:
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    sentences: list[Offsets] = field(default_factory=list)
    said: list[dict[str, Any]] = field(default_factory=list)
    tokens: list[Offsets] = field(default_factory=list)
    columns: list[dict[str, Any]] = field(default_factory=list)
    chunks: dict[str, list[tuple[str, Row]]] = field(default_factory=dict)
    """For every name in MISC, what it says of every token."""
    breaks: set[int] = field(default_factory=set)
    """Tokens that begin a sentence: no phrase goes on over those."""

    def put(self, text: str) -> None:
        """Go on with the text."""
        self.pieces.append(text)
        self.length += len(text)


def passage_of(id: str, document: Sequence[Block], file: str, report: Report) -> Passage:
    """The passage that a document's sentences make."""
    built = _Built(chunks={name: [] for name in CHUNKS})
    before: dict[str, str] | None = None
    for block in document:
        first = next(iter(block.surfaces()))[0]
        built.put(_between(before, block) + unescaped(first.misc.get("SpacesBefore", "")))
        before = _sentence(built, block, file, report)
    built.put(unescaped((before or {}).get("SpacesAfter", "")))
    if all(one.get("id") == f"{id}-{at}" for at, one in enumerate(built.said, 1)):
        for one in built.said:  # made up when they were written: CoNLL-U wants an id
            del one["id"]
    sources = comment_value(document[0].said(SOURCES) or "{}")
    layers = _layers(built, sources if isinstance(sources, dict) else {}, file, report)
    skipped = sum(block.empty_nodes for block in document)
    fields = {"skipped": {"empty_nodes": skipped}} if skipped else {}
    return Passage(id=id, text="".join(built.pieces), layers=layers, fields=fields)


def _between(before: dict[str, str] | None, block: Block) -> str:
    """The white space before a sentence: as told, else a line break before a new paragraph."""
    if before is None:
        return ""
    if "SpacesAfter" not in before and (
        "newpar" in block.comments or "newpar id" in block.comments
    ):
        return "\n"
    return _after(before)


def _sentence(built: _Built, block: Block, file: str, report: Report) -> dict[str, str]:
    """Lay a sentence down; the last column of what stands last in it is returned."""
    start, base = built.length, len(built.tokens)
    built.breaks.add(base)
    surfaces = list(block.surfaces())
    gaps = _spacing(surfaces, block, file, report)
    for (row, words), gap in zip(surfaces, gaps, strict=True):
        at = built.length
        built.put(row.surface)
        for word, span in zip(words, _spans(row, words, at), strict=True):
            built.tokens.append(span)
            built.columns.append(_cells(built, block, word, base, file, report))
            if row is not word:
                built.columns[-1]["mwt"] = [at, at + len(row.surface)]
                if word.form != row.surface[span[0] - at : span[1] - at]:
                    built.columns[-1]["form"] = word.form
            for name in CHUNKS:
                built.chunks[name].append((word.misc.get(name, ""), word))
        built.put(gap)
    built.sentences.append((start, built.length))
    built.said.append(_comments(block))
    return surfaces[-1][0].misc


def _spacing(
    surfaces: list[tuple[Row, list[Row]]], block: Block, file: str, report: Report
) -> list[str]:
    """The white space after each surface but the last: by MISC, else by the sentence's text."""
    told = [_after(row.misc) for row, _ in surfaces]
    told[-1] = ""
    text = block.said("text")
    parts = [row.surface for row, _ in surfaces]
    built = "".join(part + gap for part, gap in zip(parts, told, strict=True))
    if text is None or built.split() == text.split():
        return told
    gaps, at = [], len(text) - len(text.lstrip())
    for number, part in enumerate(parts):
        if not text.startswith(part, at):
            found, wanted = clip(text[at:]), clip(part)
            what = f"the text goes on with {found!r} where word {number + 1} is {wanted!r}"
            report(Problem(file, block.comments["text"][0], "text", what))
            return told
        after = at + len(part)
        at = after
        while at < len(text) and text[at].isspace():
            at += 1
        gaps.append(text[after:at])
    gaps[-1] = ""
    return gaps


def _after(misc: dict[str, str]) -> str:
    if "SpacesAfter" in misc:
        return unescaped(misc["SpacesAfter"])
    return "" if misc.get("SpaceAfter") == "No" else " "


def _spans(row: Row, words: Sequence[Row], at: int) -> list[Offsets]:
    """Where words stand: side by side when they make up the surface, else all on all of it."""
    return split_spans(row.surface, [word.form for word in words], at)


def split_spans(surface: str, forms: Sequence[str], at: int) -> list[Offsets]:
    """Where the words of a surface that begins at ``at`` stand."""
    if len(forms) == 1 or "".join(forms) != surface:
        return [(at, at + len(surface))] * len(forms)
    found = []
    for form in forms:
        found.append((at, at + len(form)))
        at += len(form)
    return found


def _cells(
    built: _Built, block: Block, word: Row, base: int, file: str, report: Report
) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: word.cells[at]
        for name, at in PLAIN.items()
        if word.cells[at] != "_" or (name == "lemma" and word.form == "_")
    }
    head = word.cells[6]
    if head != "_":
        if head.isdecimal() and int(head) <= len(block.words):
            found["head"] = base + (int(head) or word.first) - 1
        else:
            what = f"the head is {clip(head)!r}, expected a number up to {len(block.words)}"
            report(Problem(file, word.line, "conllu", what))
    other = [name for name in word.misc if name not in SPACING and name not in CHUNKS]
    if other:
        found["misc"] = "|".join(
            name if word.misc[name] == "" else f"{name}={word.misc[name]}" for name in other
        )
    return found


def _comments(block: Block) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if "sent_id" in block.comments:
        found["id"] = block.said("sent_id") or ""
    for name in ("newpar", "newpar id"):
        if name in block.comments:
            found["newpar"] = block.said(name) or True
    for name in block.comments:
        if name not in RESERVED:
            found[name] = comment_value(block.said(name))
    return found


def _layers(built: _Built, sources: dict[str, Any], file: str, report: Report) -> Layers:
    def layer(name: str, spans: Sequence[Offsets], said: Sequence[dict[str, Any]]) -> Layer:
        names = dict.fromkeys(column for one in said for column in one)
        columns = {column: tuple(one.get(column) for one in said) for column in names}
        source = sources.get(name, "")
        return Layer(spans=tuple(spans), source=str(source), columns=columns)

    found = {
        "sentence": layer("sentence", built.sentences, built.said),
        "token": layer("token", built.tokens, built.columns),
    }
    for written, name in CHUNKS.items():
        spans: list[Offsets] = []
        types: list[dict[str, Any]] = []
        for at, (said, word) in enumerate(built.chunks[written]):
            mark, _, type = said.partition("-")
            if not said or said == "O":
                continue
            if mark not in ("B", "I"):
                what = f"{written}={clip(said)} begins with neither B nor I"
                report(Problem(file, word.line, "conllu", what))
                continue
            start, end = built.tokens[at]
            if mark == "I" and _goes_on(built, written, at):
                spans[-1] = (spans[-1][0], end)
                continue
            if mark == "I":
                what = f"{written}={clip(said)} goes on with nothing; it is taken for a beginning"
                remark(report, Problem(file, word.line, "conllu", what))
            spans.append((start, end))
            types.append({"type": type or None} if name == "ne" else {})
        if spans:
            found[name] = layer(name, spans, types)
    return found


def _goes_on(built: _Built, written: str, at: int) -> bool:
    """Whether the token before belongs to a phrase of the same type in the same sentence."""
    if at in built.breaks:
        return False
    before, now = built.chunks[written][at - 1][0], built.chunks[written][at][0]
    return before not in ("", "O") and before.partition("-")[2] == now.partition("-")[2]
