"""The rewrites that a CAsT file brings along, as a sitting of the system that made them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from readmark.core.encodings import decoded
from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.sitting import PackedRows, Row, Sitting, SittingHeader
from readmark.core.source import Source
from readmark.formats.members import Fault, name_of, objects
from readmark.hooks import Kind
from readmark.series.formats.cast.text_files import looks_resolved, read_resolved
from readmark.series.formats.cast.topics import AUTOMATIC, conversations, topic_of, turn_id

SAMPLE = 20  # topics and turns that are looked at to recognise a file


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
        """A row for each turn; a turn of several conversations of a tree has one."""
        rows = PackedRows()
        if source.document is None:
            name = source.path.name.removesuffix(".gz").removesuffix(".tsv")
            text = decoded(read_bytes(source.path), source.file)
            for id, (_, rewrite) in read_resolved(text, source.file).items():
                rows[id] = Row(id=id, answer=rewrite)
        else:
            name = f"{name_of(source)} automatic"
            for id, rewrite in _automatic_rewrites(source):
                rows.setdefault(id, Row(id=id, answer=rewrite))
        return Sitting(SittingHeader(kind="series", candidate=name), rows, source.file)


def _automatic_rewrites(source: Source) -> Iterator[tuple[str, str]]:
    for index, raw in enumerate(objects(source.json)):
        try:
            branches = conversations(topic_of(raw, f"[{index}]"))
        except Fault as fault:
            raise fault.problem(source.file).error() from None
        for topic in branches:
            for turn in topic.turns:
                id, rewrite = turn_id(topic, turn), turn.members.get(AUTOMATIC)
                if rewrite is None:
                    continue
                if not isinstance(rewrite, str):
                    raise DataError(f"{AUTOMATIC} is not text", file=source.file, where=id)
                yield id, rewrite


CAST_AUTOMATIC = CastAutomatic()
