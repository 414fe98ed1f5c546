"""The blocks of a CoNLL-U file: sentences of words with ten columns, and their comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from readmark.core.encodings import numbered_lines
from readmark.core.problems import Problem, ReportProblem
from readmark.core.spans import clip
from readmark.formats.conllu.notation import COLUMNS, split_comment, unescaped

_NUMBER = re.compile(r"([1-9]\d*)(?:-([1-9]\d*))?")
_EMPTY_NODE = re.compile(r"\d+\.\d+")


@dataclass(slots=True)
class ConlluWord:
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
        spelt = self.misc.get("SpacesInToken")
        return self.form if spelt is None else unescaped(spelt)


@dataclass(slots=True)
class ConlluSentence:
    """A sentence: its words, its multiword surfaces, and what its comments say."""

    line: int
    words: list[ConlluWord] = field(default_factory=list)
    ranges: list[ConlluWord] = field(default_factory=list)
    comments: dict[str, tuple[int, str | None]] = field(default_factory=dict)
    """By name, the line and the text; None where there is no equals sign."""
    empty_nodes: int = 0

    def comment(self, name: str) -> str | None:
        """The text of a comment."""
        return self.comments[name][1] if name in self.comments else None

    def surfaces(self) -> Iterator[tuple[ConlluWord, list[ConlluWord]]]:
        """What is in the text, in order, each with the words that it stands for."""
        multiword = {surface.first: surface for surface in self.ranges}
        index = 0
        while index < len(self.words):
            word = self.words[index]
            surface = multiword.get(word.first, word)
            words = self.words[index : index + surface.last - surface.first + 1]
            yield surface, words
            index += len(words)

    def add_line(self, number: int, line: str) -> None:
        """Take in a line of the file; ValueError says what is wrong with it."""
        if line.startswith("#"):
            if self.words:
                raise ValueError(
                    "a comment after words: there must be an empty line between sentences"
                )
            name, text = split_comment(line)
            self.comments[name] = (number, text)
            return
        cells = line.split("\t")
        if len(cells) != COLUMNS:
            raise ValueError(
                f"found {len(cells)} columns in {clip(line)!r}, expected {COLUMNS} between tabs"
            )
        if _EMPTY_NODE.fullmatch(cells[0]):
            self.empty_nodes += 1
            return
        match = _NUMBER.fullmatch(cells[0])
        if match is None or not cells[1]:
            raise ValueError(f"found {clip(line)!r}, expected a number, a tab and a form")
        first, last = int(match[1]), int(match[2] or match[1])
        expected = len(self.words) + 1
        if first != expected or last < first:
            raise ValueError(f"the word's number is {cells[0]}, expected {expected}")
        misc: dict[str, str] = {}
        if cells[9] != "_":
            for entry in cells[9].split("|"):
                name, _, value = entry.partition("=")
                misc[name] = value
        word = ConlluWord(number, first, last, cells, misc)
        (self.ranges if match[2] else self.words).append(word)


def blocks(text: str, file: str, report: ReportProblem) -> Iterator[ConlluSentence]:
    """The sentences of a file; one with a bad line is reported and skipped."""
    sentence, is_sound = ConlluSentence(1), True
    for number, line in [*numbered_lines(text), (0, "")]:
        if line.strip():
            try:
                sentence.add_line(number, line)
            except ValueError as error:
                report(Problem(file, number, "conllu", str(error)))
                is_sound = False
            continue
        if sentence.words and is_sound:
            yield sentence
        elif (sentence.comments or sentence.ranges) and is_sound:
            report(Problem(file, sentence.line, "conllu", "a sentence without words"))
        sentence, is_sound = ConlluSentence(number + 1), True
