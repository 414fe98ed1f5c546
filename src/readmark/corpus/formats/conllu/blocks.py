"""The blocks of a CoNLL-U file: sentences of words with ten columns, and their comments.

By "CoNLL-U Format" of Universal Dependencies; spaces by UDPipe's SpacesAfter and its like.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from readmark.corpus.decoding import numbered_lines
from readmark.corpus.problems import Problem, Report
from readmark.corpus.spans import clip

COLUMNS = 10
_COMMENT = re.compile(r"#\s*([^\s=]+(?:\s+id)?)(?:\s*=\s?(.*))?")
_ESCAPES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}
_ESCAPED = {plain: f"\\{letter}" for letter, plain in _ESCAPES.items()}


@dataclass(slots=True)
class Row:
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
        """The form as it stands in the text."""
        inside = self.misc.get("SpacesInToken")
        return self.form if inside is None else unescaped(inside)


@dataclass(slots=True)
class Block:
    """A sentence: its words, its multiword surfaces, and what its comments say."""

    line: int
    words: list[Row] = field(default_factory=list)
    ranges: list[Row] = field(default_factory=list)
    comments: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    """By name, the line and the value; None where there is no equals sign."""
    empty_nodes: int = 0

    def said(self, name: str) -> str | None:
        """The value of a comment."""
        return self.comments[name][1] if name in self.comments else None

    def surfaces(self) -> Iterator[tuple[Row, list[Row]]]:
        """What stands in the text, in order, each with the words that it is."""
        several = {one.first: one for one in self.ranges}
        at = 0
        while at < len(self.words):
            word = self.words[at]
            row = several.get(word.first, word)
            inside = self.words[at : at + row.last - row.first + 1]
            yield row, inside
            at += len(inside)


def blocks(text: str, file: str, report: Report) -> Iterator[Block]:
    """The sentences of a file; one with a bad line is told and passed over."""
    block, sound = Block(1), True
    for number, line in [*numbered_lines(text), (0, "")]:
        if not line.strip():
            if block.words and sound:
                yield block
            elif (block.comments or block.ranges) and sound:
                report(Problem(file, block.line, "conllu", "a sentence without words"))
            block, sound = Block(number + 1), True
            continue
        try:
            _take(block, number, line)
        except ValueError as error:
            report(Problem(file, number, "conllu", str(error)))
            sound = False


def _take(block: Block, number: int, line: str) -> None:
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
    one = re.fullmatch(r"([1-9]\d*)(?:-([1-9]\d*))?", cells[0])
    if one is None or not cells[1]:
        raise ValueError(f"found {clip(line)!r}, expected a number, a tab and a form")
    first, last = int(one[1]), int(one[2] or one[1])
    wanted = len(block.words) + 1
    if first != wanted or last < first:
        raise ValueError(f"the word's number is {cells[0]}, expected {wanted}")
    row = Row(number, first, last, cells, _misc(cells[9]))
    (block.ranges if one[2] else block.words).append(row)


def _comment(line: str) -> tuple[str, str | None]:
    said = _COMMENT.fullmatch(line)
    if said is None:
        return line.lstrip("#").strip(), None
    return " ".join(said[1].split()), said[2]


def comment_of(line: str) -> tuple[str, Any]:
    """The name and the value that a comment is read as."""
    name, value = _comment(line)
    return name, comment_value(value)


def _misc(cell: str) -> dict[str, str]:
    if cell == "_":
        return {}
    pairs = (one.partition("=") for one in cell.split("|"))
    return {name: value for name, equals, value in pairs}


def escaped(spaces: str) -> str:
    """White space as MISC spells it."""
    return "".join(_ESCAPED.get(one, one) for one in spaces)


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
