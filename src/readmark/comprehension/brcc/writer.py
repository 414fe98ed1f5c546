"""Writing BRCC files: one side of each passage, or both, aligned by their parallel ids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from readmark.comprehension.brcc.character_references import write_plainly
from readmark.comprehension.brcc.container import FILE_LINES, PASSAGE_LINES, SIDES
from readmark.comprehension.brcc.numbers import numbered
from readmark.comprehension.brcc.side_writer import AboutLines, SideWriter
from readmark.core.encodings import ENCODING
from readmark.core.errors import UsageError
from readmark.core.records import Passage
from readmark.core.test import Header, Test
from readmark.core.writing import writing
from readmark.formats.losses import Losses, only_comprehension


def write_brcc(tests: Sequence[Test], path: Path, *, brackets: bool) -> list[str]:
    """Write one test, or the two sides of a parallel corpus; what cannot be written is named."""
    sides = _sides(tests)
    losses = Losses()
    with writing(path) as stream:
        lines = {side: _header_lines(test.header, losses) for side, test in sides.items()}
        head = _merged(lines, FILE_LINES)
        blocks = _blocks(sides, brackets, losses)
        for index, block in enumerate((head, *blocks) if head else blocks):
            stream.write((b"\n" if index else b"") + block.encode("utf-8"))
    return losses.lines()


def _sides(tests: Sequence[Test]) -> dict[str, Test]:
    by_side: dict[str, Test] = {}
    for test in tests:
        only_comprehension(test, "brcc")
        side = test.language
        if side not in SIDES:
            raise UsageError(f"{test.file}: brcc is for English and Chinese, this test is {side}")
        if side in by_side:
            raise UsageError(
                f"{test.file}: both tests are {SIDES[side]}; a brcc file has one in English and "
                "one in Chinese"
            )
        by_side[side] = test
    return {side: by_side[side] for side in SIDES if side in by_side}


def _header_lines(header: Header, losses: Losses) -> AboutLines:
    lost = ["profile"] if header.profile is not None else []
    if any(name != ENCODING for name in header.fields):
        lost.append("fields")
    if lost:
        losses.cannot_store("the header's ()", header.name or "header", names=lost)
    lines: AboutLines = {}
    for name, value in (("licence", header.licence), ("source", header.source)):
        if value is not None:
            lines[name] = write_plainly(value)
    if header.hidden:
        lines["hidden"] = ", ".join(write_plainly(split, special=",") for split in header.hidden)
    return lines


def _blocks(sides: Mapping[str, Test], brackets: bool, losses: Losses) -> Iterator[str]:
    """The passages in the order of the first side, then those that only the second has."""
    languages = list(sides)
    first, second = languages[0], languages[1] if len(languages) > 1 else None
    unpaired: dict[str, Passage] = {}
    if second is not None:
        for passage in sides[second].records():
            if unpaired.setdefault(_label(passage), passage) is not passage:
                losses.add("passages that share a parallel id stand alone", passage.id)
    seen: set[str] = set()
    for passage in sides[first].records():
        shared = _label(passage)
        if shared in seen:
            losses.cannot_store("parallel ids that several passages share", passage.id)
            shared = passage.id
        seen.add(shared)
        pair = {first: passage}
        if second is not None and shared in unpaired:
            pair[second] = unpaired.pop(shared)
        elif second is not None:
            losses.add(f"passages that the {SIDES[second]} side lacks", passage.id)
        yield _block(shared, pair, brackets, losses)
    if second is not None:
        for shared, passage in unpaired.items():
            losses.add(f"passages that the {SIDES[first]} side lacks", passage.id)
            yield _block(shared, {second: passage}, brackets, losses)


def _label(passage: Passage) -> str:
    return passage.id if passage.parallel is None else passage.parallel


def _block(shared: str, pair: Mapping[str, Passage], brackets: bool, losses: Losses) -> str:
    questions = numbered(shared, pair, losses)
    written = {
        side: SideWriter(side, passage, questions[side], brackets, losses).write(shared)
        for side, passage in pair.items()
    }
    about = _merged({side: lines.about for side, lines in written.items()}, PASSAGE_LINES)
    sections = [
        f"{SIDES[side]} {part}\n\n{body}\n"
        for side, lines in written.items()
        for part, body in lines.sections.items()
    ]
    return "\n".join([f"Passage: {write_plainly(shared)}\n{about}", *sections])


def _merged(lines_by_side: Mapping[str, AboutLines], order: Sequence[str]) -> str:
    """Lines that both sides share once, and those that differ with the language before."""
    merged = []
    for name in order:
        values = {side: lines[name] for side, lines in lines_by_side.items() if name in lines}
        if len(values) == len(lines_by_side) and len(set(values.values())) == 1:
            merged.append(f"{name.capitalize()}: {next(iter(values.values()))}")
        else:
            merged += [f"{SIDES[side]} {name}: {value}" for side, value in values.items()]
    return "".join(f"{line.rstrip(' ')}\n" for line in merged)
