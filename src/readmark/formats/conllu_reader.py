"""A passage from the blocks of a CoNLL-U document: the text put together, and its layers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from typing import Any

from readmark.core.encodings import numbered_lines
from readmark.core.problems import Problem, ReportProblem, remark
from readmark.core.records import Layer, Layers, Offsets, Passage
from readmark.core.spans import clip

# The blocks of a CoNLL-U file: sentences of words with ten columns, and their comments.


COLUMNS = 10
_COMMENT = re.compile(r"#\s*([^\s=]+(?:\s+id)?)(?:\s*=\s?(.*))?")
_ESCAPES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}
_ESCAPED = {plain: f"\\{letter}" for letter, plain in _ESCAPES.items()}


@dataclass(slots=True)
class _Row:
    """A line of a sentence: a word, or the surface of several (``first`` to ``last``)."""

    line: int
    first: int
    last: int
    cells: list[str]
    misc: dict[str, str]

    @property
    def form(self) -> str:
        """The second column."""
        return self.cells[1]

    @property
    def surface(self) -> str:
        """The form as it is in the text."""
        inside = self.misc.get("SpacesInToken")
        return self.form if inside is None else unescaped(inside)


@dataclass(slots=True)
class ConlluSentence:
    """A sentence: its words, its multiword surfaces, and what its comments say."""

    line: int
    words: list[_Row] = field(default_factory=list)
    ranges: list[_Row] = field(default_factory=list)
    comments: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    """By name, the line and the value; None where there is no equals sign."""
    empty_nodes: int = 0

    def said(self, name: str) -> str | None:
        """The value of a comment."""
        return self.comments[name][1] if name in self.comments else None

    def surfaces(self) -> Iterator[tuple[_Row, list[_Row]]]:
        """What is in the text, in order, each with the words that it is."""
        several = {row.first: row for row in self.ranges}
        at = 0
        while at < len(self.words):
            word = self.words[at]
            row = several.get(word.first, word)
            inside = self.words[at : at + row.last - row.first + 1]
            yield row, inside
            at += len(inside)


def blocks(text: str, file: str, report: ReportProblem) -> Iterator[ConlluSentence]:
    """The sentences of a file; one with a bad line is reported and skipped."""
    block, sound = ConlluSentence(1), True
    for number, line in [*numbered_lines(text), (0, "")]:
        if not line.strip():
            if block.words and sound:
                yield block
            elif (block.comments or block.ranges) and sound:
                report(Problem(file, block.line, "conllu", "a sentence without words"))
            block, sound = ConlluSentence(number + 1), True
            continue
        try:
            _take(block, number, line)
        except ValueError as error:
            report(Problem(file, number, "conllu", str(error)))
            sound = False


def _take(block: ConlluSentence, number: int, line: str) -> None:
    if line.startswith("#"):
        if block.words:
            raise ValueError("a comment after words: there must be an empty line between sentences")
        name, value = _comment(line)
        block.comments[name] = (number, value)
        return
    cells = line.split("\t")
    if len(cells) != COLUMNS:
        what = f"found {len(cells)} columns in {clip(line)!r}, expected {COLUMNS} between tabs"
        raise ValueError(what)
    if re.fullmatch(r"\d+\.\d+", cells[0]):
        block.empty_nodes += 1
        return
    match = re.fullmatch(r"([1-9]\d*)(?:-([1-9]\d*))?", cells[0])
    if match is None or not cells[1]:
        raise ValueError(f"found {clip(line)!r}, expected a number, a tab and a form")
    first, last = int(match[1]), int(match[2] or match[1])
    wanted = len(block.words) + 1
    if first != wanted or last < first:
        raise ValueError(f"the word's number is {cells[0]}, expected {wanted}")
    pairs = (one.partition("=") for one in cells[9].split("|")) if cells[9] != "_" else ()
    row = _Row(number, first, last, cells, {name: value for name, _, value in pairs})
    (block.ranges if match[2] else block.words).append(row)


def _comment(line: str) -> tuple[str, str | None]:
    match = _COMMENT.fullmatch(line)
    if match is None:
        return line.lstrip("#").strip(), None
    return " ".join(match[1].split()), match[2]


def comment_of(line: str) -> tuple[str, Any]:
    """The name and the value that a comment is read as."""
    name, value = _comment(line)
    return name, comment_value(value)


def escaped(spaces: str) -> str:
    """White space as MISC spells it."""
    return "".join(_ESCAPED.get(space, space) for space in spaces)


def unescaped(written: str) -> str:
    """The white space that MISC spells."""
    return re.sub(r"\\(.)", lambda one: _ESCAPES.get(one[1], one[0]), written)


def comment_value(written: str | None) -> Any:
    """What a comment says: JSON, else the words themselves; without a value it is true."""
    if written is None:
        return True
    try:
        return json.loads(written)
    except (ValueError, RecursionError):
        return written


def spelt_comment(value: Any) -> str:
    """A value on one line that reads back."""
    plain = isinstance(value, str) and value.isprintable() and value == value.strip()
    if plain and value and comment_value(value) == value:
        return str(value)
    return json.dumps(value)


SOURCES = "layer_sources"
"""The comment, on a document's first sentence, that names who made each layer."""
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
    chunks: dict[str, list[tuple[str, _Row]]] = field(default_factory=dict)
    """For every name in MISC, what it says of every token."""
    breaks: set[int] = field(default_factory=set)
    """Tokens that begin a sentence: no phrase continues over those."""

    def put(self, text: str) -> None:
        """Go on with the text."""
        self.pieces.append(text)
        self.length += len(text)


def passage_of(
    id: str, document: Sequence[ConlluSentence], file: str, report: ReportProblem
) -> Passage:
    """The passage that a document's sentences make."""
    built = _Built(chunks={name: [] for name in CHUNKS})
    before: dict[str, str] | None = None
    for block in document:
        first = next(iter(block.surfaces()))[0]
        built.put(_between(before, block) + unescaped(first.misc.get("SpacesBefore", "")))
        before = _sentence(built, block, file, report)
    built.put(unescaped((before or {}).get("SpacesAfter", "")))
    if all(one.get("id") == f"{id}-{index}" for index, one in enumerate(built.said, 1)):
        for one in built.said:  # made up when they were written: CoNLL-U wants an id
            del one["id"]
    sources = comment_value(document[0].said(SOURCES) or "{}")
    layers = _layers(built, sources if isinstance(sources, dict) else {}, file, report)
    skipped = sum(block.empty_nodes for block in document)
    fields = {"skipped": {"empty_nodes": skipped}} if skipped else {}
    return Passage(id=id, text="".join(built.pieces), layers=layers, fields=fields)


def _between(before: dict[str, str] | None, block: ConlluSentence) -> str:
    """The white space before a sentence: as stated, else a line break before a new paragraph."""
    if before is None:
        return ""
    if "SpacesAfter" not in before and (
        "newpar" in block.comments or "newpar id" in block.comments
    ):
        return "\n"
    return _after(before)


def _sentence(
    built: _Built, block: ConlluSentence, file: str, report: ReportProblem
) -> dict[str, str]:
    """Add a sentence; the last column of its last token is returned."""
    start, base = built.length, len(built.tokens)
    built.breaks.add(base)
    surfaces = list(block.surfaces())
    gaps = _spacing(surfaces, block, file, report)
    for (row, words), gap in zip(surfaces, gaps, strict=True):
        at = built.length
        built.put(row.surface)
        for word, span in zip(
            words, split_spans(row.surface, [word.form for word in words], at), strict=True
        ):
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
    surfaces: list[tuple[_Row, list[_Row]]], block: ConlluSentence, file: str, report: ReportProblem
) -> list[str]:
    """The white space after each surface but the last: by MISC, else by the sentence's text."""
    told = [_after(row.misc) for row, _ in surfaces]
    told[-1] = ""
    text = block.said("text")
    parts = [row.surface for row, _ in surfaces]
    built = "".join(part + gap for part, gap in zip(parts, told, strict=True))
    if text is None or built.split() == text.split():
        return told
    gaps, rest = [], text.lstrip()
    for number, part in enumerate(parts, 1):
        if not rest.startswith(part):
            what = f"the text goes on with {clip(rest)!r} where word {number} is {clip(part)!r}"
            report(Problem(file, block.comments["text"][0], "text", what))
            return told
        after = rest[len(part) :]
        rest = after.lstrip()
        gaps.append(after[: len(after) - len(rest)])
    gaps[-1] = ""
    return gaps


def _after(misc: dict[str, str]) -> str:
    if "SpacesAfter" in misc:
        return unescaped(misc["SpacesAfter"])
    return "" if misc.get("SpaceAfter") == "No" else " "


def split_spans(surface: str, forms: Sequence[str], at: int) -> list[Offsets]:
    """Where the words of a surface that begins at ``at`` are."""
    if len(forms) == 1 or "".join(forms) != surface:
        return [(at, at + len(surface))] * len(forms)
    return list(pairwise(accumulate(map(len, forms), initial=at)))


def _cells(
    built: _Built, block: ConlluSentence, word: _Row, base: int, file: str, report: ReportProblem
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


def _comments(block: ConlluSentence) -> dict[str, Any]:
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


def _layers(built: _Built, sources: dict[str, Any], file: str, report: ReportProblem) -> Layers:
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
        for index, (said, word) in enumerate(built.chunks[written]):
            mark, _, type = said.partition("-")
            if not said or said == "O":
                continue
            if mark not in ("B", "I"):
                what = f"{written}={clip(said)} begins with neither B nor I"
                report(Problem(file, word.line, "conllu", what))
                continue
            start, end = built.tokens[index]
            if mark == "I" and _goes_on(built, written, index):
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
