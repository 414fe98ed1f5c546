"""The format conllu: a file of documents, each of them a passage."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from readmark.core.encodings import Decoded, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import read_bytes
from readmark.core.problems import ReportProblem
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.core.writing import writing
from readmark.formats.conllu.blocks import ConlluSentence, blocks
from readmark.formats.conllu.documents import document_text
from readmark.formats.conllu.notation import COLUMNS
from readmark.formats.conllu.passages import passage_of
from readmark.formats.losses import Losses, only_comprehension
from readmark.formats.native import with_id
from readmark.formats.text_losses import document_losses, text_losses

_NUMBER = re.compile(r"\d+(?:[-.]\d+)?")


class Conllu:
    """One file of documents."""

    def recognises(self, source: Source) -> bool:
        """Whether the first line that is no comment has a number and ten columns."""
        if source.folder is not None:
            return False
        if ".conllu" in source.suffixes and source.head.startswith(b"#"):
            return True  # the comment may be longer than the head of the file that is looked at
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

        def stream(report: ReportProblem) -> Iterator[Placed]:
            document = 0

            def document_of(sentence: ConlluSentence) -> int:
                nonlocal document
                document += "newdoc" in sentence.comments or "newdoc id" in sentence.comments
                return document

            is_empty = True
            for number, group in groupby(blocks(text, file, report), key=document_of):
                sentences = list(group)
                id = sentences[0].comment("newdoc id")
                id = id or (name if number == 0 else f"{name}-{number}")
                is_empty = False
                yield sentences[0].line, with_id(passage_of(id, sentences, file, report))
            if is_empty and not text.strip():
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
                stream.write(document_text(passage, test.file, losses).encode())
        return losses.lines()


CONLLU = Conllu()
