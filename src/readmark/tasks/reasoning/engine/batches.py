"""A large file of quads in batches of whole graphs, so that memory does not grow with the file.

No rule joins statements of different graphs, so each batch is inferred by itself. Where a graph's
quads lie apart in the file, the file is first dealt out into parts by graph.
"""

from __future__ import annotations

import io
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
from readmark.tasks.reasoning.engine.inference import Inference
from readmark.tasks.reasoning.engine.quads import LINES, infer_quads
from readmark.tasks.reasoning.namespaces import Namespaces
from readmark.tasks.reasoning.ontology import Ontology
from readmark.tasks.reasoning.rules.values import Theory

BATCH = 1 << 26
"""Bytes of a batch, without the rest of its last graph."""
MOST_PARTS = 256  # each is two open files while scattered graphs are dealt out
IN_ONE_PIECE, SCATTERED = "in one piece", "scattered"
"""How the quads of a graph lie in the file."""

_GRAPH = re.compile(rb"(<[^<>\s]*>)\s*\.\s*$")
_QUAD = (
    r'^\s*(?:<[^<>\s]*>|_:\S+)\s+<[^<>\s]*>\s+(?:<[^<>\s]*>|_:\S+|"(?:[^"\\]|\\.)*"'
    r"(?:\^\^<[^<>\s]*>|@[A-Za-z0-9-]+)?)\s+(<[^<>\s]*>)\s*\.\s*$"
)
_LINE = struct.Struct("<Q")
_BLOCK = 1 << 18  # bytes that are copied at a time


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
    """An inference for each batch of graphs, closed when the next is asked for.

    A small file is one batch, and so is one with triples in no graph, or with one of the properties
    ``whole`` (IRIs). ``seconds`` are for the rules of a batch.
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
        divide = _deal_out if layout == SCATTERED else _cut
        parts = divide(file, Path(folder), size)
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
    """The numbers of its lines in the whole file, as :data:`_LINE` packs them."""

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
            must_be_whole, has_gaps = connection.execute(
                "SELECT bool_or(g = '' OR annotated), bool_or(lines <> last - first + 1) FROM ("
                "SELECT g, bool_or(annotated) AS annotated, count(*) AS lines, min(nth) AS first, "
                "max(nth) AS last FROM (SELECT row_number() OVER () AS nth, list_contains(?, a[2]) "
                "AS annotated, CASE WHEN len(a) = 5 AND a[4] LIKE '<%>' THEN a[4] "
                "ELSE regexp_extract(line, ?, 1) END AS g FROM (SELECT line, "
                f"string_split(line, ' ') AS a FROM {LINES})) GROUP BY g)",
                [[f"<{iri}>" for iri in whole], _QUAD, str(file)],
            ).fetchall()[0]
    except duckdb.Error:  # A line that is too long, or no text: the loader finds it.
        return None
    if must_be_whole or must_be_whole is None:  # None if the file has no quads.
        return None
    return SCATTERED if has_gaps else IN_ONE_PIECE


def _cut(file: Path, folder: Path, size: int) -> Iterator[_Part]:
    """The file in pieces that end where a graph does."""
    start = before = 0
    with file.open("rb") as stream:
        while (end := _end_of_graph(stream, start, size)) > start:
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


def _end_of_graph(stream: IO[bytes], start: int, size: int) -> int:
    """Where the graph ends whose quad lies ``size`` bytes after the start, or the file ends."""
    file_size = stream.seek(0, io.SEEK_END)
    stream.seek(min(start + size, file_size))
    stream.readline()
    end = stream.tell()
    graph, looked_back = None, _BLOCK
    while graph is None:
        block_start = stream.seek(max(end - looked_back, start))
        graph = _last_graph(stream.read(end - block_start))
        if block_start == start:
            break
        looked_back *= 2
    stream.seek(end)
    while (line := stream.readline()) and _graph_of(line) in (graph, None):
        end = stream.tell()
    return end


def _deal_out(file: Path, folder: Path, size: int) -> Iterator[_Part]:
    """The lines dealt out by their graph, each part with the numbers of its lines."""
    count = min(-(-file.stat().st_size // size), MOST_PARTS)
    parts = [
        _Part(folder / f"{index}.nq", numbers=folder / f"{index}.lines") for index in range(count)
    ]
    with ExitStack() as stack:
        sinks: list[tuple[IO[bytes], IO[bytes]]] = [
            (
                stack.enter_context(part.path.open("wb")),
                stack.enter_context((part.numbers or part.path).open("wb")),
            )
            for part in parts
        ]
        with file.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                graph = _graph_of(line)
                if graph is not None:
                    lines, numbers = sinks[zlib.crc32(graph) % count]
                    lines.write(line if line.endswith(b"\n") else line + b"\n")
                    numbers.write(_LINE.pack(number))
    yield from (part for part in parts if part.path.stat().st_size)


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
    match = None if line.startswith(b"#") else _GRAPH.search(line)
    return None if match is None else match[1]
