"""The format BRCC: a file in one language is a test, a file in two is two tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from readmark.comprehension.brcc.character_references import read_plainly
from readmark.comprehension.brcc.container import SIDES, BrccBlock, BrccFault, listed, scan
from readmark.comprehension.brcc.side_reader import passages_of
from readmark.comprehension.brcc.writer import write_brcc
from readmark.core.encodings import ENCODING, UTF_8, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.problems import Problem, ReportProblem
from readmark.core.registry import parameter
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.registry import several_languages

# Possessive throughout: a page of spaces must not take minutes.
_FIRST = re.compile(rb"\s*+(?:[\w ]++:|\w++[ \t]++passage|english\s|chinese\s)", re.I)
_HEADING = re.compile(rb"^[ \t]*+[A-Z]\w++\s++passage[ \t]*+:?[ \t]*+\r?$", re.M | re.I)


@dataclass(frozen=True, slots=True)
class Brcc:
    """The format, with the notation of noun phrases in files that do not say it themselves."""

    notation: str = parameter(
        "tags",
        choices=("tags", "brackets"),
        help="how noun phrases are marked, unless the file says so itself",
    )
    suffixes: ClassVar[tuple[str, ...]] = (".gz", ".zst", ".txt", ".brcc")

    def recognises(self, source: Source) -> bool:
        """Text that begins with a line about a passage or a heading, and has one of a passage."""
        head = source.head
        return _FIRST.match(head) is not None and _HEADING.search(head) is not None

    def read(self, source: Source) -> Test:
        """The test in the file."""
        test, *others = self.read_languages(source)
        if others:
            languages = [side.language for side in (test, *others)]
            raise several_languages(source.file, languages)
        return test

    def read_languages(self, source: Source) -> list[Test]:
        """The English test, the Chinese one, or both."""
        text, encoding = decoded_as(read_bytes(source.path), source.file)
        about, blocks = scan(text.replace("\r\n", "\n"))
        sides = [side for side in SIDES if any(block.has(side) for block in blocks)]
        if not sides:
            first = next((fault for block in blocks for fault in block.faults), None)
            if first is not None:
                raise Problem(source.file, first.line, first.code, first.message).error()
            raise DataError("no heading English passage or Chinese passage", file=source.file)
        return [self._test(source, side, about, blocks, encoding) for side in sides]

    def _test(
        self, source: Source, side: str, about: BrccBlock, blocks: list[BrccBlock], encoding: str
    ) -> Test:

        def stream(report: ReportProblem) -> Iterator[Placed]:
            def report_fault(fault: BrccFault) -> None:
                report(Problem(source.file, fault.line, fault.code, fault.message))

            for fault in about.faults:
                report_fault(fault)
            yield from passages_of(blocks, side, self.notation == "brackets", report_fault)

        lines = {name: about.section_about(side, name) for name in ("licence", "source")}
        stated = {
            name: read_plainly(section.written)
            for name, section in lines.items()
            if section is not None
        }
        hidden = about.section_about(side, "hidden")
        name = source.path.name
        for suffix in self.suffixes:
            name = name.removesuffix(suffix)
        header = Header(
            name=name,
            language=side,
            licence=stated.get("licence"),
            source=stated.get("source"),
            hidden=tuple(listed(hidden.written)) if hidden is not None else (),
            fields={} if encoding == UTF_8 else {ENCODING: encoding},
        )
        return Test(header, stream, source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a test in English or Chinese."""
        return self.write_languages((test,), path)

    def write_languages(self, tests: Sequence[Test], path: Path) -> list[str]:
        """Write an English and a Chinese test into one file; what does not align is named."""
        return write_brcc(tests, path, brackets=self.notation == "brackets")


BRCC = Brcc()
