"""W3C Web Annotation: passages, layers, questions and answers as annotations in JSON-LD.

By the "Web Annotation Data Model"; nothing is fetched, so a text stands in the document itself,
as the body of an annotation that describes it, or in a file beside the document.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.files import writing
from readmark.corpus.formats.annotation_layers import document_losses, text_losses
from readmark.corpus.formats.losses import Losses, only_comprehension
from readmark.corpus.formats.members import Fault, name_of, objects, shown
from readmark.corpus.formats.native import with_id
from readmark.corpus.formats.web_annotation.reading import Reading
from readmark.corpus.formats.web_annotation.selectors import types_of
from readmark.corpus.formats.web_annotation.writing import annotations_of, iri
from readmark.corpus.problems import Problem, Report
from readmark.corpus.source import Source
from readmark.corpus.test import Header, Placed, Test

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
SAMPLE = 20
_CONTAINERS = {"AnnotationPage", "AnnotationCollection"}

_encode = msgspec.json.Encoder().encode


class WebAnnotation:
    """A page or collection of annotations, an array of them, or one."""

    def recognises(self, source: Source) -> bool:
        """The model's context, or annotations with targets."""
        document = source.document
        if isinstance(document, dict):
            context = document.get("@context")
            said = context if isinstance(context, list) else [context]
            return (
                CONTEXT in said
                or not _CONTAINERS.isdisjoint(types_of(document))
                or _is_one(document)
            )
        return isinstance(document, list) and any(map(_is_one, islice(document, SAMPLE)))

    def read(self, source: Source) -> Test:
        """The test in a document; nothing is fetched."""
        file = source.file
        document = source.json

        def stream(report: Report) -> Iterator[Placed]:
            reading = Reading(source.path.parent, file, report)
            for where, annotation in _annotations(document, file, report):
                reading.take(where, annotation)
            for passage in reading.passages():
                named = with_id(passage)
                yield named.id, named

        return Test(Header(name=name_of(source)), stream, file)

    def write(self, test: Test, path: Path) -> list[str]:
        """Write a page of annotations; what was lost is named."""
        only_comprehension(test, "web_annotation")
        losses = Losses()
        document_losses(losses, test.header)
        head = {
            "@context": CONTEXT,
            "id": iri("test", test.header.name or "test"),
            "type": "AnnotationPage",
        }
        with writing(path) as stream:
            stream.write(_encode(head)[:-1] + b',"items":[')
            number = 0
            for passage in test.records():
                text_losses(losses, msgspec.structs.replace(passage, language=None))
                for one in annotations_of(passage, losses):
                    stream.write((b",\n" if number else b"\n") + _encode(one(number)))
                    number += 1
            stream.write(b"\n]}\n")
        return losses.lines()


def _is_one(value: Any) -> bool:
    return isinstance(value, dict) and "target" in value and "Annotation" in types_of(value)


def _annotations(document: Any, file: str, report: Report) -> Iterator[tuple[str, dict[str, Any]]]:
    """The annotations of a document with their places: an id, else where it stands."""
    items, path = _items(document)
    if items is None:
        fault = Fault("", f"the document is {shown(document)}, expected annotations")
        raise fault.problem(file).error()
    for page in objects([document, document.get("first")] if isinstance(document, dict) else []):
        for name in ("first", "next"):
            if isinstance(page.get(name), str):
                what = f"it goes on in {page[name]}, which is not fetched"
                report(Problem(file, name, "source", what))
    for at, one in enumerate(items):
        where = f"{path}[{at}]"
        if not isinstance(one, dict) or "target" not in one:
            report(Problem(file, where, "schema", "expected an annotation with a target"))
            continue
        id = one.get("id")
        yield id if isinstance(id, str) and id else where, one


def _items(document: Any) -> tuple[list[Any] | None, str]:
    if isinstance(document, list):
        return document, ""
    if not isinstance(document, dict):
        return None, ""
    if "target" in document:
        return [document], ""
    if isinstance(document.get("items"), list):
        return document["items"], "items"
    first = document.get("first")
    if isinstance(first, dict) and isinstance(first.get("items"), list):
        return first["items"], "first.items"
    return ([], "items") if isinstance(first, str) else (None, "")


WEB_ANNOTATION = WebAnnotation()
