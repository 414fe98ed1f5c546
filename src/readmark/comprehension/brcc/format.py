"""BRCC: a text file of annotated passages, questions and answer keys, English, Chinese or both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from readmark.comprehension.brcc.container import SIDES, Block, Fault, listed, scan
from readmark.comprehension.brcc.notation import read_plainly
from readmark.comprehension.brcc.reader import SideReader, passages_of
from readmark.comprehension.brcc.writer import write_brcc
from readmark.core.encodings import ENCODING, UTF_8, Decoded, decoded_as
from readmark.core.errors import DataError, UsageError
from readmark.core.files import read_bytes
from readmark.core.problems import Problem, Report
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test

# Possessive throughout: a page of spaces must not take minutes.
_FIRST = re.compile(rb"\s*+(?:[\w ]++:|\w++[ \t]++passage|english\s|chinese\s)", re.I)
_HEADING = re.compile(rb"^[ \t]*+[A-Z]\w++\s++passage[ \t]*+:?[ \t]*+\r?$", re.M | re.I)


@dataclass(frozen=True, slots=True)
class Brcc:
    """The format; a file of both sides is read a side at a time."""

    side: str | None = field(
        default=None,
        metadata={"choices": ("en", "zh"), "help": "which side of a file of both to read"},
    )
    notation: str = field(
        default="tags",
        metadata={
            "choices": ("tags", "brackets"),
            "help": "how noun phrases are marked; a file may say so itself",
        },
    )
    suffixes: ClassVar[tuple[str, ...]] = (".gz", ".zst", ".txt", ".brcc")

    def recognises(self, source: Source) -> bool:
        """Text that begins with a line about a passage or a heading, and has one's heading."""
        head = source.head
        return _FIRST.match(head) is not None and _HEADING.search(head) is not None

    def read(self, source: Source) -> Test:
        """One side of the file; where there are two, one must be asked for."""
        text, encoding = _decoded(source)
        about, blocks = scan(text)
        side = self._side(source, blocks)

        def stream(report: Report) -> Iterator[Placed]:
            def tell(fault: Fault) -> None:
                report(Problem(source.file, fault.line, fault.code, fault.message))

            for fault in about.faults:
                tell(fault)
            yield from passages_of(blocks, SideReader(side, self.notation == "brackets", tell))

        return Test(self._header(source, side, about, encoding), stream, source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a test as one side."""
        return self.write_sides((test,), path)

    def write_sides(self, tests: Sequence[Test], path: Path) -> list[str]:
        """Write the two sides of a parallel corpus into one file; what does not align is named."""
        return write_brcc(tests, path, brackets=self.notation == "brackets")

    def sides(self, source: Source) -> list[str]:
        """The languages that a file holds."""
        _, blocks = scan(_decoded(source)[0])
        return _there(blocks)

    def _side(self, source: Source, blocks: list[Block]) -> str:
        there = _there(blocks)
        if self.side is not None:
            if self.side not in there:
                message = f"has no {SIDES[self.side]} side"
                raise DataError(message, file=source.file)
            return self.side
        if len(there) == 2:
            choices = " or ".join(f'"brcc(side={side})"' for side in there)
            raise UsageError(
                f"{source.file}: holds an English and a Chinese side; choose with --from {choices}"
            )
        if there:
            return there[0]
        faults = [fault for block in blocks for fault in block.faults]
        if faults:
            first = faults[0]
            raise Problem(source.file, first.line, first.code, first.message).error()
        raise DataError("no heading English passage or Chinese passage", file=source.file)

    def _header(self, source: Source, side: str, about: Block, encoding: str) -> Header:
        said = {name: about.said(side, name) for name in ("licence", "source", "hidden")}
        plain = {name: read_plainly(one.written) for name, one in said.items() if one is not None}
        hidden = said["hidden"]
        name = source.path.name
        for suffix in self.suffixes:
            name = name.removesuffix(suffix)
        return Header(
            name=name,
            language=side,
            licence=plain.get("licence"),
            source=plain.get("source"),
            hidden=tuple(listed(hidden.written)) if hidden is not None else (),
            fields={} if encoding == UTF_8 else {ENCODING: encoding},
        )


def _there(blocks: list[Block]) -> list[str]:
    return [side for side in SIDES if any(block.has(side) for block in blocks)]


def _decoded(source: Source) -> Decoded:
    """The file's text and its encoding."""
    text, encoding = decoded_as(read_bytes(source.path), source.file)
    return Decoded(_lines(text), encoding)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n")


BRCC = Brcc()
