"""The lines of a brat ``.ann`` file: text-bound annotations, relations, attributes, notes.

As "brat standoff format" (brat.nlplab.org) has them; offsets count characters, as Readmark's do.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from readmark.core.encodings import numbered_lines
from readmark.core.problems import Problem, Report, remark
from readmark.core.records import Offsets
from readmark.core.spans import clip

NOTES = "AnnotatorNotes"
_BREAK = re.compile(r"[\r\n]")
_BREAKS_INSIDE = re.compile(r"(?<=[^\r\n])[\r\n]+(?=[^\r\n])")
_ID = re.compile(r"[A-Za-z#*][^\s]*")


@dataclass(slots=True)
class Bound:
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
    """What an ``.ann`` file says of its text."""

    bound: dict[str, Bound] = field(default_factory=dict)
    relations: list[tuple[str, str, str]] = field(default_factory=list)
    """The type, then the ids of both arguments."""
    others: list[str] = field(default_factory=list)
    """Lines of every other sort, as they stand: events, normalisations, equivalences."""


def read_standoff(
    text: str, lines: str, file: str, report: Report, *, relations: frozenset[str], source: str
) -> Standoff:
    """The annotations of a text; what does not hold is told with its line and passed over.

    ``relations`` are the types, in lower case, that are taken apart; ``source`` is the type of
    the note that tells who made a layer.
    """
    found = Standoff()
    rest: list[tuple[int, str]] = []
    for number, line in numbered_lines(lines):
        if not line.strip():
            continue
        if line.startswith("T"):
            try:
                one = _bound(text, line)
                if one.id in found.bound:
                    raise ValueError(f"id {one.id} occurs twice")
                found.bound[one.id] = one
            except ValueError as error:
                report(Problem(file, number, "annotation", str(error)))
        else:
            rest.append((number, line))
    for number, line in rest:
        try:
            _take(found, line, relations, source)
        except ValueError as error:
            report(Problem(file, number, "annotation", str(error)))
    return found


def _bound(text: str, line: str) -> Bound:
    id, _, after = line.partition("\t")
    said, tab, quote = after.partition("\t")
    type, _, places = said.partition(" ")
    try:
        pairs = [tuple(map(int, one.split())) for one in places.split(";")]
        fragments = tuple((start, end) for start, end in pairs)
    except ValueError:
        raise ValueError(
            f"found {clip(line)!r}, expected an id, a tab, a type with start and end, a tab, text"
        ) from None
    before = 0
    for start, end in fragments:
        if not before <= start <= end <= len(text):
            raise ValueError(f"{id} stands at {places}, outside or out of order in the text")
        before = end
    if tab and quote != quoted(text, fragments):
        raise ValueError(
            f"{id} should read {clip(quote)!r} at {places}, found {clip(quoted(text, fragments))!r}"
        )
    return Bound(id, type, _joined(text, fragments))


def _joined(text: str, fragments: tuple[Offsets, ...]) -> tuple[Offsets, ...]:
    """Fragments with nothing but white space between them are one: brat splits at line breaks."""
    joined = [fragments[0]]
    for start, end in fragments[1:]:
        between = text[joined[-1][1] : start]
        if not between.strip():
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return tuple(joined)


def quoted(text: str, fragments: Iterable[Offsets]) -> str:
    """What stands at fragments, on one line as brat writes it."""
    return _BREAK.sub(" ", " ".join(text[start:end] for start, end in fragments))


def fragments_of(text: str, start: int, end: int) -> list[Offsets]:
    """A span in pieces that hold no line break, for brat has none in its lines."""
    gaps = [one.span() for one in _BREAKS_INSIDE.finditer(text[start:end])]
    starts = [start, *(start + after for _, after in gaps)]
    ends = [*(start + before for before, _ in gaps), end]
    return list(zip(starts, ends, strict=True))


def _take(found: Standoff, line: str, relations: frozenset[str], source: str) -> None:
    id, _, said = line.partition("\t")
    if not _ID.fullmatch(id) or not said:
        raise ValueError(f"found {clip(line)!r}, expected an id, a tab and an annotation")
    if id[0] in "AM":
        name, _, about = said.partition(" ")
        target, _, value = about.partition(" ")
        if target.startswith("T"):
            _target(found, id, target).attributes[name] = read_value(value)
            return
    elif id[0] == "R":
        type, *arguments = said.split()
        ids = [one.partition(":")[2] for one in arguments]
        if len(ids) != 2 or not all(ids):
            raise ValueError(f"{id} is {clip(said)!r}, expected a type, Arg1:T1 and Arg2:T2")
        if type.lower() in relations:
            for one in ids:
                _target(found, id, one)
            found.relations.append((type, ids[0], ids[1]))
            return
    elif id[0] == "#":
        head, _, note = said.partition("\t")
        type, _, target = head.partition(" ")
        if target in found.bound and type == source:
            found.bound[target].source = note
            return
        if target in found.bound and type == NOTES:
            found.bound[target].notes.append(note)
            return
    found.others.append(line)


def _target(found: Standoff, id: str, target: str) -> Bound:
    if target not in found.bound:
        raise ValueError(f"{id} is about {target}, which is not there")
    return found.bound[target]


def read_value(written: str) -> Any:
    """An attribute's value: nothing is true, JSON is what it says, else the word itself."""
    if not written:
        return True
    try:
        return json.loads(written, parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return written


def written_value(value: Any) -> str:
    """A value as one word that reads back: brat's attributes have no spaces."""
    if value is True:
        return ""
    if isinstance(value, str) and not any(map(_is_space, value)) and read_value(value) == value:
        return value
    spelt = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return "".join(f"\\u{ord(one):04x}" if _is_space(one) else one for one in spelt)


def _no_constant(written: str) -> Any:
    raise ValueError(f"{written} is no JSON")


def _is_space(one: str) -> bool:
    """White space, and what may be taken for it or for a line break."""
    return ord(one) < 0x10000 and (one.isspace() or not one.isprintable())


# Coreference in brat: relations between spans, read as the columns of the layer ``mention``.


COREF = frozenset({"coref", "coreference", "anaphora"})
"""The types of relation, in lower case, that lead from an anaphor to its antecedent."""
RELATION = "Coref"
REFID, REF = "REFID", "REF"


def mentions(standoff: Standoff, file: str, report: Report) -> list[Bound]:
    """Give mentions their ids and references; spans of other layers get mentions of their own.

    An antecedent without a REFID gets the next number, counted in the order of the text.
    """
    made: dict[str, Bound] = {}
    known = [one for one in standoff.bound.values() if _is_mention(one)]
    by_span = {one.span: one for one in known}
    for one in known:
        for written, column in ((REFID, "id"), (REF, "ref")):
            one.attributes[column] = one.attributes.pop(written, None)

    def mention(id: str) -> Bound:
        span = standoff.bound[id].span
        if _is_mention(standoff.bound[id]):
            return standoff.bound[id]
        if span not in by_span:
            columns = {"id": None, "ref": None}
            by_span[span] = made[id] = Bound(f"{id}-mention", "Mention", (span,), columns)
        return by_span[span]

    links = [(mention(one), mention(other)) for _, one, other in standoff.relations]
    used = {one.attributes["id"] for one in known}
    number = 1
    for antecedent in sorted((other for _, other in links), key=lambda one: one.span):
        if antecedent.attributes["id"] is None:
            while number in used:
                number += 1
            antecedent.attributes["id"] = number
            used.add(number)
    for anaphor, antecedent in links:
        before, now = anaphor.attributes["ref"], antecedent.attributes["id"]
        if before not in (None, now):
            what = f"{anaphor.id} refers to {before} and to {now}; the first is kept"
            remark(report, Problem(file, anaphor.id, "annotation", what))
        else:
            anaphor.attributes["ref"] = now
    return list(made.values())


def _is_mention(one: Bound) -> bool:
    return one.type.lower() == "mention"
