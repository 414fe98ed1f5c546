"""CoNLL-U: documents of sentences, tokens, lemmas, tags and dependencies; no questions.

Base noun phrases and entities stand in the last column, as ``NP=B`` and ``NE=I-PERSON``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from readmark.corpus.decoding import Decoded, decoded_as
from readmark.corpus.errors import DataError
from readmark.corpus.files import read_bytes, writing
from readmark.corpus.formats.annotation_layers import (
    document_losses,
    questions_lost,
    text_losses,
)
from readmark.corpus.formats.conllu.blocks import COLUMNS, Block, blocks
from readmark.corpus.formats.conllu.reading import passage_of
from readmark.corpus.formats.conllu.writing import document_lines
from readmark.corpus.formats.losses import Losses, only_comprehension
from readmark.corpus.formats.native import with_id
from readmark.corpus.problems import Report
from readmark.corpus.source import Source
from readmark.corpus.test import Header, Placed, Test

_NUMBER = re.compile(r"\d+(?:[-.]\d+)?")


class Conllu:
    """One file of documents."""

    def recognises(self, source: Source) -> bool:
        """Whether the first line that is no comment has a number and ten columns.

        A file of that suffix may begin with a comment that is longer than its head.
        """
        if source.folder is not None:
            return False
        if ".conllu" in source.suffixes and source.head.startswith(b"#"):
            return True
        for line in source.head.decode("utf-8", "replace").split("\n"):
            if line.strip() and not line.startswith("#"):
                cells = line.rstrip("\r").split("\t")
                return len(cells) == COLUMNS and _NUMBER.fullmatch(cells[0]) is not None
        return False

    def read(self, source: Source) -> Test:
        """The test in a file: a passage a document, one for all where none is named."""
        file = source.file
        name = source.path.name.partition(".conll")[0]
        text, encoding = decoded_as(read_bytes(source.path), file)

        def stream(report: Report) -> Iterator[Placed]:
            number = 0

            def document(block: Block) -> int:
                nonlocal number
                number += "newdoc" in block.comments or "newdoc id" in block.comments
                return number

            found = 0
            for at, group in groupby(blocks(text, file, report), key=document):
                inside = list(group)
                said = inside[0].said("newdoc id")
                id = said or (name if at == 0 else f"{name}-{at}")
                passage = with_id(passage_of(id, inside, file, report))
                found += 1
                yield inside[0].line, passage
            if not found and not text.strip():
                raise DataError("the file is empty, expected sentences", file=file)

        fields = dict(Decoded(text, encoding).fields)
        return Test(Header(name=name, fields=fields), stream, file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a document a passage; what was lost is named."""
        only_comprehension(test, "conllu")
        losses = Losses()
        document_losses(losses, test.header)
        with writing(path) as stream:
            for passage in test.records():
                text_losses(losses, passage)
                questions_lost(losses, passage)
                stream.write(document_lines(passage, test.file, losses).encode())
        return losses.lines()


CONLLU = Conllu()
