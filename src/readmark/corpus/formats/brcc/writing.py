"""Writing BRCC files: one side of each passage, or both, aligned by their parallel ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from readmark.corpus.decoding import ENCODING
from readmark.corpus.errors import UsageError
from readmark.corpus.files import writing
from readmark.corpus.formats.brcc.container import FILE_LINES, PASSAGE_LINES, SIDES
from readmark.corpus.formats.brcc.numbering import Numbered, numbered
from readmark.corpus.formats.brcc.side import Lines, Written, write_side
from readmark.corpus.formats.losses import Losses, only_comprehension
from readmark.corpus.notation.signs import write_plainly
from readmark.corpus.test import Header, Test
from readmark.corpus.values import Passage

"""The header's field that tells of another encoding than UTF-8; it is not written again."""


def write_brcc(tests: Sequence[Test], path: Path, *, brackets: bool) -> list[str]:
    """Write one test, or the two sides of a parallel corpus; what cannot be held is named."""
    sides = _sides(tests)
    losses = Losses()
    with writing(path) as stream:
        said = {side: _header(test.header, losses) for side, test in sides.items()}
        head = _merged(said, FILE_LINES)
        blocks = _blocks(sides, brackets, losses)
        for at, block in enumerate((head, *blocks) if head else blocks):
            stream.write((b"\n" if at else b"") + block.encode("utf-8"))
    return losses.lines()


def _sides(tests: Sequence[Test]) -> dict[str, Test]:
    found: dict[str, Test] = {}
    for test in tests:
        only_comprehension(test, "brcc")
        side = test.language
        if side not in SIDES:
            raise UsageError(f"{test.file}: a side of brcc is en or zh, this test is {side}")
        if side in found:
            name = SIDES[side]
            raise UsageError(
                f"{test.file}: both tests are {name}; the sides are an English and a Chinese test"
            )
        found[side] = test
    return {side: found[side] for side in SIDES if side in found}


def _header(header: Header, losses: Losses) -> Lines:
    fields = [name for name in header.fields if name != ENCODING]
    lost = [*(["profile"] if header.profile is not None else []), *(["fields"] if fields else [])]
    if lost:
        losses.cannot_hold("the header's ()", header.name or "header", names=lost)
    said: Lines = {}
    for name, value in (("licence", header.licence), ("source", header.source)):
        if value is not None:
            said[name] = write_plainly(value)
    if header.hidden:
        said["hidden"] = ", ".join(write_plainly(one, special=",") for one in header.hidden)
    return said


def _blocks(sides: Mapping[str, Test], brackets: bool, losses: Losses) -> Iterator[str]:
    """The passages in the order of the first side, then those that only the second has."""
    first, *rest = sides
    others: dict[str, Passage] = {}
    for side in rest:
        for passage in sides[side].records():
            if others.setdefault(_label(passage), passage) is not passage:
                losses.add("passages that share a parallel id stand alone", passage.id)
    waiting = dict(others)
    seen: set[str] = set()
    for passage in sides[first].records():
        shared = _label(passage)
        if shared in seen:
            losses.cannot_hold("parallel ids that several passages share", passage.id)
            shared = passage.id
        seen.add(shared)
        pair = {first: passage}
        if rest and shared in waiting:
            pair[rest[0]] = waiting.pop(shared)
        elif rest:
            losses.add(f"passages that the {SIDES[rest[0]]} side lacks", passage.id)
        yield _block(shared, pair, brackets, losses)
    for shared, passage in waiting.items():
        losses.add(f"passages that the {SIDES[first]} side lacks", passage.id)
        yield _block(shared, {rest[0]: passage}, brackets, losses)


def _label(passage: Passage) -> str:
    return passage.id if passage.parallel is None else passage.parallel


def _block(shared: str, pair: Mapping[str, Passage], brackets: bool, losses: Losses) -> str:
    asked: dict[str, Numbered] = numbered(shared, pair, losses)
    written: dict[str, Written] = {
        side: write_side(side, shared, passage, asked[side], brackets, losses)
        for side, passage in pair.items()
    }
    about = _merged({side: one.about for side, one in written.items()}, PASSAGE_LINES)
    sections = [
        f"{SIDES[side]} {part}\n\n{body}\n"
        for side, one in written.items()
        for part, body in one.sections.items()
    ]
    return "\n".join([f"Passage: {write_plainly(shared)}\n{about}", *sections])


def _merged(said: Mapping[str, Lines], order: Sequence[str]) -> str:
    """Lines about both sides once, and those that differ with the language before."""
    lines = []
    for name in order:
        values = {side: one[name] for side, one in said.items() if name in one}
        if len(values) == len(said) and len(set(values.values())) == 1:
            lines.append(f"{name.capitalize()}: {next(iter(values.values()))}")
        else:
            lines += [f"{SIDES[side]} {name}: {value}" for side, value in values.items()]
    return "".join(f"{line.rstrip(' ')}\n" for line in lines)
