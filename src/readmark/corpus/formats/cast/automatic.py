"""The rewrites that a CAsT file brings along, as a sitting: what a system or a person made of it.

``readmark mark topics.json topics.json`` marks a file's automatic rewrites by its manual ones.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from readmark.corpus.decoding import decoded
from readmark.corpus.errors import DataError
from readmark.corpus.files import read_bytes
from readmark.corpus.formats.cast.text_files import looks_resolved, resolved_of
from readmark.corpus.formats.cast.topics import AUTOMATIC, Turn, paths, topic_of
from readmark.corpus.formats.members import Fault, name_of, objects
from readmark.corpus.kinds import Kind
from readmark.corpus.sitting import PackedRows, Row, Sitting, SittingHeader
from readmark.corpus.source import Source

SAMPLE = 20


class CastAutomatic:
    """Automatic rewrites of JSON topics, or the questions of a resolved TSV."""

    def recognises(self, source: Source) -> bool:
        """A turn with an automatic rewrite, or lines of resolved questions."""
        if source.folder is not None:
            return False
        document = source.document
        if document is None:
            return looks_resolved(source.head)
        return isinstance(document, list) and any(
            AUTOMATIC in turn
            for topic in objects(document[:SAMPLE])
            for turn in islice(objects(topic.get("turn")), SAMPLE)
        )

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """A row a turn; a turn of several conversations of a tree has one."""
        rows = PackedRows()
        if source.document is None:
            name = source.path.name.removesuffix(".gz").removesuffix(".tsv")
            text = decoded(read_bytes(source.path), source.file)
            for id, (_, said) in resolved_of(text, source.file).items():
                rows[id] = Row(id=id, rewrite=said)
        else:
            name = f"{name_of(source)} automatic"
            for id, said in _automatic(source):
                rows.setdefault(id, Row(id=id, rewrite=said))
        return Sitting(SittingHeader(kind="series", candidate=name), rows, source.file)


def _automatic(source: Source) -> list[tuple[str, str]]:
    document: Any = source.json
    found = []
    for at, raw in enumerate(objects(document)):
        try:
            ways = paths(topic_of(raw, f"[{at}]"))
        except Fault as fault:
            raise fault.problem(source.file).error() from None
        for way in ways:
            for turn in way.turns:
                said = _said(turn, f"{way.number}_{turn.number}", source.file)
                if said is not None:
                    found.append((f"{way.number}_{turn.number}", said))
    return found


def _said(turn: Turn, id: str, file: str) -> str | None:
    said = turn.members.get(AUTOMATIC)
    if said is None or isinstance(said, str):
        return said
    raise DataError(f"{AUTOMATIC} is no text", file=file, where=id)


CAST_AUTOMATIC = CastAutomatic()
