"""A large file of quads in batches of whole graphs, so that memory does not grow with the file.

No rule joins statements of different graphs, so each batch is inferred by itself. Where a graph's
quads lie apart in the file, the file is first dealt out into parts by graph.
"""

from __future__ import annotations

import re
import struct
import tempfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from readmark.core.confinement import connect
from readmark.core.errors import DataError
from readmark.core.extras import require
from readmark.tasks.reasoning.engine.inference import Inference, infer_quads
from readmark.tasks.reasoning.engine.quads import LINES
from readmark.tasks.reasoning.graphs import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Theory

BATCH = 1 << 26
"""Bytes of a batch, but for the rest of its last graph."""
MOST_PARTS = 256
IN_ONE_PIECE, SCATTERED = "in one piece", "scattered"

_GRAPH = re.compile(rb"(<[^<>\s]*>)\s*\.\s*$")
_QUAD = (
    r'^\s*(?:<[^<>\s]*>|_:\S+)\s+<[^<>\s]*>\s+(?:<[^<>\s]*>|_:\S+|"(?:[^"\\]|\\.)*"'
    r"(?:\^\^<[^<>\s]*>|@[A-Za-z0-9-]+)?)\s+(<[^<>\s]*>)\s*\.\s*$"
)
_LINE = struct.Struct("<Q")
_BLOCK = 1 << 18


def infer_batches(
    file: Path,
    theory: Theory,
    ontology: Ontology | None = None,
    *,
    namespaces: Namespaces | None = None,
    provenance: bool = True,
    seconds: float | None = None,
    memory: int | None = None,
    size: int = BATCH,
    whole: Collection[str] = (),
) -> Iterator[Inference]:
    """An inference a batch of graphs, closed when the next is asked for.

    A file of one batch, with triples that stand in no graph, or with one of the properties
    ``whole`` (IRIs) is one batch. ``seconds`` are for the rules of a batch.
    """

    def inferred(part: Path) -> Inference:
        return infer_quads(
            part,
            theory,
            ontology,
            namespaces=namespaces,
            provenance=provenance,
            seconds=seconds,
            memory=memory,
        )

    layout = _layout(file, whole) if file.stat().st_size > size else None
    if layout is None:
        with inferred(file) as inference:
            yield inference
        return
    with tempfile.TemporaryDirectory() as folder:
        parts = _cut(file, Path(folder), size)
        if layout == SCATTERED:
            parts = _dealt(file, Path(folder), size)
        for part in parts:
            try:
                inference = inferred(part.path)
            except DataError as wrong:
                raise part.placed(wrong, file) from None
            with inference:
                yield inference
            part.path.unlink()


@dataclass(frozen=True)
class _Part:
    """Lines of the file: those after the first so many, or those that a list numbers."""

    path: Path
    before: int = 0
    numbers: Path | None = None

    def placed(self, wrong: DataError, file: Path) -> DataError:
        """An error in the part, at its place in the whole file."""
        if str(wrong.file) != str(self.path):
            return wrong
        line, colon, column = str(wrong.where or "").partition(":")
        if not line.isdecimal():
            return DataError(wrong.message, file=str(file))
        number = int(line) + self.before
        if self.numbers is not None:
            (number,) = _LINE.unpack_from(self.numbers.read_bytes(), (int(line) - 1) * _LINE.size)
        return DataError(wrong.message, file=str(file), where=f"{number}{colon}{column}")


def _layout(file: Path, whole: Collection[str]) -> str | None:
    """Whether graphs lie in one piece each, or scattered; None where the file is one batch."""
    require("duckdb")
    import duckdb

    try:
        with (
            tempfile.TemporaryDirectory() as folder,
            connect(folder=folder, files=[file]) as connection,
        ):
            odd, gaps = connection.execute(
                "SELECT bool_or(g = '' OR annotated), bool_or(lines <> last - first + 1) FROM ("
                "SELECT g, bool_or(annotated) AS annotated, count(*) AS lines, min(nth) AS first, "
                "max(nth) AS last FROM (SELECT row_number() OVER () AS nth, list_contains(?, a[2]) "
                "AS annotated, CASE WHEN len(a) = 5 AND a[4] LIKE '<%>' THEN a[4] "
                "ELSE regexp_extract(line, ?, 1) END AS g FROM (SELECT line, "
                f"string_split(line, ' ') AS a FROM {LINES})) GROUP BY g)",
                [[f"<{one}>" for one in whole], _QUAD, str(file)],
            ).fetchall()[0]
    except duckdb.Error:  # A line that is too long, or no text: the loader finds it.
        return None
    if odd or odd is None:
        return None
    return SCATTERED if gaps else IN_ONE_PIECE


def _cut(file: Path, folder: Path, size: int) -> Iterator[_Part]:
    """The file in pieces that end where a graph does."""
    start = before = 0
    with file.open("rb") as stream:
        while (end := _end(stream, start, size)) > start:
            path = folder / f"{start}.nq"
            lines = 0
            stream.seek(start)
            with path.open("wb") as sink:
                while start < end:
                    block = stream.read(min(_BLOCK, end - start))
                    lines += block.count(b"\n")
                    start += sink.write(block)
            yield _Part(path, before)
            before += lines


def _end(stream: IO[bytes], start: int, size: int) -> int:
    """Where the graph ends whose quad lies so far after the start; the file's end at the latest."""
    whole = stream.seek(0, 2)
    stream.seek(min(start + size, whole))
    stream.readline()
    end = stream.tell()
    last, back = None, _BLOCK
    while last is None:
        first = stream.seek(max(end - back, start))
        last = _last_graph(stream.read(end - first))
        if first == start:
            break
        back *= 2
    stream.seek(end)
    while (line := stream.readline()) and _graph_of(line) in (last, None):
        end = stream.tell()
    return end


def _dealt(file: Path, folder: Path, size: int) -> Iterator[_Part]:
    """The lines dealt out by their graph, each part with the numbers of its lines."""
    count = min(-(-file.stat().st_size // size), MOST_PARTS)
    parts = [_Part(folder / f"{at}.nq", numbers=folder / f"{at}.lines") for at in range(count)]
    with ExitStack() as stack:
        sinks: list[tuple[IO[bytes], IO[bytes]]] = [
            (
                stack.enter_context(one.path.open("wb")),
                stack.enter_context((one.numbers or one.path).open("wb")),
            )
            for one in parts
        ]
        with file.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                graph = _graph_of(line)
                if graph is not None:
                    lines, numbers = sinks[zlib.crc32(graph) % count]
                    lines.write(line if line.endswith(b"\n") else line + b"\n")
                    numbers.write(_LINE.pack(number))
    yield from (one for one in parts if one.path.stat().st_size)


def _last_graph(block: bytes) -> bytes | None:
    """The graph of the last quad."""
    end = len(block)
    while end > 0:
        start = block.rfind(b"\n", 0, end - 1) + 1
        graph = _graph_of(block[start:end])
        if graph is not None:
            return graph
        end = start
    return None


def _graph_of(line: bytes) -> bytes | None:
    """The graph of a quad; None for a remark or an empty line."""
    found = None if line.startswith(b"#") else _GRAPH.search(line)
    return None if found is None else found[1]
