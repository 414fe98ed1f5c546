"""The lines of an ``.ann`` file: annotations of stretches of a text, and lines about those.

https://brat.nlplab.org/standoff.html describes the format.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from readmark.core.encodings import numbered_lines
from readmark.core.problems import Problem, ReportProblem, fail
from readmark.core.records import Offsets
from readmark.core.spans import clip

COREFERENCE_TYPES = frozenset({"coref", "coreference", "anaphora"})
"""The types of relation, in lower case, that lead from an anaphor to its antecedent."""
NOTE_TYPE = "AnnotatorNotes"
"""The type of brat's own notes on a span."""
SOURCE_TYPE = "LayerSource"
"""The type of the note, on a layer's first span, that names who made the layer."""

_BREAK = re.compile(r"[\r\n]")
_BREAKS_INSIDE = re.compile(r"(?<=[^\r\n])[\r\n]+(?=[^\r\n])")
_ID = re.compile(r"[A-Za-z#*][^\s]*")


@dataclass(slots=True)
class TextBound:
    """A text-bound annotation with what other lines say of it."""

    id: str
    type: str
    fragments: tuple[Offsets, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    source: str = ""

    @property
    def span(self) -> Offsets:
        """From the first fragment to the last."""
        return self.fragments[0][0], self.fragments[-1][1]


@dataclass(slots=True)
class Standoff:
    """The annotations of a text."""

    bound: dict[str, TextBound] = field(default_factory=dict)
    relations: list[tuple[str, str, str]] = field(default_factory=list)
    """The type, then the ids of both arguments."""
    others: list[str] = field(default_factory=list)
    """Lines of every other sort, unchanged: events, normalisations, equivalences."""

    def target(self, id: str, target: str) -> TextBound:
        """The annotation that a line is about."""
        if target not in self.bound:
            raise ValueError(f"{id} is about {target}, which is not there")
        return self.bound[target]


def read_standoff(
    text: str,
    lines: str,
    file: str,
    report: ReportProblem = fail,
    *,
    relations: frozenset[str] = COREFERENCE_TYPES,
) -> Standoff:
    """The annotations of a text; a line that does not fit the text is reported and skipped.

    ``relations`` are the types, in lower case, of the relations to take apart. Some tools count
    CR LF as one character: if that explains more of the lines, their offsets are corrected.
    """
    problems: list[Problem] = []
    standoff = _read_lines(text, lines, file, problems.append, relations)
    if problems and "\r\n" in text:
        folded_problems: list[Problem] = []
        folded_text = text.replace("\r\n", "\n")
        folded = _read_lines(folded_text, lines, file, folded_problems.append, relations)
        if len(folded_problems) < len(problems):
            offsets = [
                offset
                for offset, character in enumerate(text)
                if character != "\n" or text[offset - 1 : offset] != "\r"
            ]
            offsets.append(len(text))
            for id, bound in folded.bound.items():
                moved = tuple((offsets[start], offsets[end]) for start, end in bound.fragments)
                folded.bound[id] = replace(bound, fragments=moved)
            standoff, problems = folded, folded_problems
    for problem in problems:
        report(problem)
    return standoff


def _read_lines(
    text: str, lines: str, file: str, report: ReportProblem, relations: frozenset[str]
) -> Standoff:
    standoff = Standoff()
    numbered = [(number, line) for number, line in numbered_lines(lines) if line.strip()]
    # Text-bound annotations first, wherever they stand: the other lines are about them.
    numbered.sort(key=lambda numbered_line: not numbered_line[1].startswith("T"))
    for number, line in numbered:
        try:
            if line.startswith("T"):
                bound = _text_bound(text, line)
                if bound.id in standoff.bound:
                    raise ValueError(f"id {bound.id} occurs twice")
                standoff.bound[bound.id] = bound
            else:
                _add_line(standoff, line, relations)
        except ValueError as error:
            report(Problem(file, number, "annotation", str(error)))
    return standoff


def _text_bound(text: str, line: str) -> TextBound:
    id, _, rest = line.partition("\t")
    head, tab, quote = rest.partition("\t")
    type, _, places = head.partition(" ")
    try:
        pairs = [tuple(map(int, pair.split())) for pair in places.split(";")]
        fragments = tuple((start, end) for start, end in pairs)
    except ValueError:
        raise ValueError(
            f"found {clip(line)!r}, expected an id, a tab, a type with start and end, a tab, text"
        ) from None
    previous_end = 0
    for start, end in fragments:
        if not previous_end <= start <= end <= len(text):
            raise ValueError(f"{id} is at {places}, outside or out of order in the text")
        previous_end = end
    actual = quoted(text, fragments)
    if tab and quote != actual:
        raise ValueError(f"{id} should read {clip(quote)!r} at {places}, found {clip(actual)!r}")
    # brat splits spans at line breaks: fragments with only white space between them are one.
    joined = [fragments[0]]
    for start, end in fragments[1:]:
        if text[joined[-1][1] : start].strip():
            joined.append((start, end))
        else:
            joined[-1] = (joined[-1][0], end)
    return TextBound(id, type, tuple(joined))


def _add_line(standoff: Standoff, line: str, relations: frozenset[str]) -> None:
    """Take in a line that is about text-bound annotations, or keep it as it is."""
    id, _, rest = line.partition("\t")
    if not _ID.fullmatch(id) or not rest:
        raise ValueError(f"found {clip(line)!r}, expected an id, a tab and an annotation")
    if id[0] in "AM":
        name, _, about = rest.partition(" ")
        target, _, value = about.partition(" ")
        if target.startswith("T"):
            standoff.target(id, target).attributes[name] = read_value(value)
            return
    elif id[0] == "R":
        type, *arguments = rest.split()
        ids = [argument.partition(":")[2] for argument in arguments]
        if len(ids) != 2 or not all(ids):
            raise ValueError(f"{id} is {clip(rest)!r}, expected a type, Arg1:T1 and Arg2:T2")
        if type.lower() in relations:
            for target in ids:
                standoff.target(id, target)
            standoff.relations.append((type, ids[0], ids[1]))
            return
    elif id[0] == "#":
        head, _, note = rest.partition("\t")
        type, _, target = head.partition(" ")
        if target in standoff.bound and type == SOURCE_TYPE:
            standoff.bound[target].source = note
            return
        if target in standoff.bound and type == NOTE_TYPE:
            standoff.bound[target].notes.append(note)
            return
    standoff.others.append(line)


def quoted(text: str, fragments: Iterable[Offsets]) -> str:
    """The text of fragments, on one line as brat writes it."""
    return _BREAK.sub(" ", " ".join(text[start:end] for start, end in fragments))


def fragments_of(text: str, start: int, end: int) -> list[Offsets]:
    """A span in pieces without line breaks, since brat allows none in its lines."""
    gaps = [match.span() for match in _BREAKS_INSIDE.finditer(text[start:end])]
    starts = [start, *(start + gap_end for _, gap_end in gaps)]
    ends = [*(start + gap_start for gap_start, _ in gaps), end]
    return list(zip(starts, ends, strict=True))


def read_value(spelt: str) -> Any:
    """An attribute's value: true if there is none, JSON where it is valid, else the word itself."""
    if not spelt:
        return True
    try:
        return json.loads(spelt, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return spelt


def written_value(value: Any) -> str:
    """A value as one word that reads back: brat's attributes have no spaces."""
    if value is True:
        return ""
    if isinstance(value, str) and not any(map(_is_space, value)) and read_value(value) == value:
        return value
    spelt = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(
        f"\\u{ord(character):04x}" if _is_space(character) else character for character in spelt
    )


def _refuse_constant(name: str) -> Any:
    """NaN and Infinity, which Python's parser takes, are words here."""
    raise ValueError(f"{name} is not valid JSON")


def _is_space(character: str) -> bool:
    """White space, and what may be taken for it or for a line break."""
    return ord(character) < 0x10000 and (character.isspace() or not character.isprintable())
