"""W3C Web Annotation: passages, layers, questions and answers as annotations in JSON-LD.

By the "Web Annotation Data Model"; nothing is fetched, so a text stands in the document itself,
as the body of an annotation that describes it, or in a file beside the document.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from readmark.core.encodings import Decoded, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import read_bytes, writing
from readmark.core.folders import is_within
from readmark.core.problems import Problem, Report
from readmark.core.records import (
    Answer,
    Layers,
    Offsets,
    Passage,
    Phrase,
    Question,
    QuestionKey,
    RecordKey,
)
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.layers import (
    OTHER,
    Labelled,
    document_losses,
    gathered,
    shared_out,
    text_losses,
)
from readmark.formats.losses import Losses, only_comprehension
from readmark.formats.members import Fault, name_of, objects, shown
from readmark.formats.native import with_id
from readmark.formats.web_annotation.writer import ENDS, URN, annotations_of, iri, located, types_of

# Web Annotations gathered into passages: texts first, then what is said of their parts.


REST = "annotation"
"""The layer, under the key, of annotations that are neither tags nor answers."""


@dataclass(slots=True)
class _Resource:
    """A text: a passage's, or a question's about one."""

    text: str
    language: str | None = None
    about: str | None = None
    spans: list[Labelled] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    published: list[Phrase] = field(default_factory=list)
    sentences: list[Offsets] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Reading:
    """One reading of a document: annotations are taken, then passages come out."""

    folder: Path
    file: str
    report: Report
    _resources: dict[str, _Resource] = field(default_factory=dict)
    _missing: set[str] = field(default_factory=set)
    _waiting: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def take(self, where: str, annotation: dict[str, Any]) -> None:
        """Take an annotation; those that give a text are read at once, the others wait."""
        for target in _listed(annotation.get("target")):
            embedded = target.get("source") if isinstance(target, dict) else None
            if isinstance(embedded, dict) and isinstance(embedded.get("value"), str):
                self._resources.setdefault(_iri(embedded), _Resource(embedded["value"]))
        for target, body in self._whole(annotation):
            purpose = _purpose(body, _motivation(annotation))
            if purpose == "describing" and body.get("format") == "text/plain":
                language = body.get("language")
                said = language if isinstance(language, str) else None
                self._add(where, target, _Resource(body["value"], said))
                return
            if purpose == "questioning":
                self._add(where, where, _Resource(body["value"], about=target))
                return
        self._waiting.append((where, annotation))

    def _add(self, where: str, iri: str, resource: _Resource) -> None:
        if iri in self._resources:
            what = f"a text of {shown(iri)} occurs twice"
            self.report(Problem(self.file, where, "duplicate_id", what))
        else:
            self._resources[iri] = resource

    def passages(self) -> Iterator[Passage]:
        """Every text with what is said of it, in the order of the document."""
        for where, annotation in self._waiting:
            try:
                self._read(where, annotation)
            except Fault as fault:
                self.report(fault.problem(self.file))
        questions: dict[str, list[Question]] = {}
        for address, one in list(self._resources.items()):
            if one.about is not None and self._text(one.about, address) is not None:
                questions.setdefault(one.about, []).append(_question(address, one))
        for address, one in self._resources.items():
            if one.about is None:
                seen, hidden = _layers(one)
                yield Passage(
                    id=_id(address, "passage"),
                    text=one.text,
                    language=one.language,
                    layers=seen,
                    fields=dict(one.fields),
                    questions=tuple(questions.get(address, ())),
                    key=RecordKey(layers=hidden) if hidden else None,
                )

    def _whole(self, annotation: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Bodies in words about whole resources: the only ones that texts and questions are."""
        targets = _listed(annotation.get("target"))
        if len(targets) != 1 or (isinstance(targets[0], dict) and "selector" in targets[0]):
            return
        for body in objects(_listed(annotation.get("body"))):
            if isinstance(body.get("value"), str):
                yield _iri(targets[0]), body

    def _read(self, where: str, annotation: dict[str, Any]) -> None:
        motivation = _motivation(annotation)
        for target in _listed(annotation["target"]):
            about = self._resources.get(_iri(target))
            if motivation == "replying" and about is not None and about.about is not None:
                self._answer(where, annotation, about)
            elif isinstance(target, dict) and "selector" in target:
                self._part(where, annotation, target, motivation)
            else:
                raise Fault(where, f"the target {shown(_iri(target))} has no selector", "target")

    def _part(
        self, where: str, annotation: dict[str, Any], target: dict[str, Any], motivation: str
    ) -> None:
        source = _iri(target)
        resource = self._text(source, where)
        if resource is None:
            return
        span = located(resource.text, target["selector"], where)
        bodies = list(objects(_listed(annotation.get("body"))))
        if motivation == "linking":
            asked = [self._resources.get(_iri(body)) for body in bodies]
            linked = [one for one in asked if one is not None and one.about == source]
            for one in linked:
                one.sentences.append(span)
            if linked:
                return
        resource.spans += _labelled(annotation, bodies, span, motivation)

    def _answer(self, where: str, annotation: dict[str, Any], question: _Resource) -> None:
        name = _name(annotation.get("creator"))
        creator = annotation.get("creator")
        published = isinstance(creator, dict) and "Organization" in types_of(creator)
        for body in objects(_listed(annotation.get("body"))):
            if isinstance(body.get("value"), str):
                if published:
                    question.published.append(Phrase(text=body["value"]))
                else:
                    question.answers.append(Answer(text=body["value"], annotator=name or None))
                continue
            if _iri(body) != question.about or "selector" not in body:
                raise Fault(where, "the answer is no part of the question's passage", "target")
            passage = self._text(_iri(body), where)
            if passage is not None:
                start, end = located(passage.text, body["selector"], where)
                question.answers.append(
                    Answer(
                        text=passage.text[start:end],
                        start=start,
                        end=end if ENDS in body else None,
                        annotator=name or None,
                    )
                )

    def _text(self, source: str, where: str) -> _Resource | None:
        """A resource by address: in the document, or in a file beside it; told once if neither."""
        if source not in self._resources and source not in self._missing:
            text = self._beside(source)
            if text is None:
                self._missing.add(source)
                what = (
                    f"the text of {shown(source)} is neither in the document nor a file next to it"
                )
                self.report(Problem(self.file, where, "source", f"{what}; nothing is fetched"))
            else:
                self._resources[source] = _Resource(text.text, fields=text.fields)
        return self._resources.get(source)

    def _beside(self, source: str) -> Decoded | None:
        try:
            split = urlsplit(source)
        except ValueError:  # no address at all
            return None
        name = unquote(split.path)
        if split.scheme or split.netloc or not name or ".." in Path(name).parts:
            return None
        path = self.folder / name.lstrip("/")
        try:
            if not path.is_file() or not is_within(path, self.folder):
                return None
            return decoded_as(read_bytes(path), str(path))
        except DataError as error:
            self.report(Problem(str(path), str(error.where or 1), "unreadable", error.message))
            return None
        except (OSError, ValueError):  # a name that no file can have
            return None


def _question(iri: str, one: _Resource) -> Question:
    seen, hidden = _layers(one)
    key = None
    if one.answers or one.published or one.sentences or hidden:
        key = QuestionKey(
            answers=tuple(one.answers),
            published=tuple(one.published),
            sentences=tuple(one.sentences),
            layers=hidden,
        )
    return Question(id=_id(iri, "question"), text=one.text, layers=seen, key=key)


def _layers(one: _Resource) -> tuple[Layers, Layers]:
    return shared_out({name: layer for name, (layer, _) in gathered(one.spans).items()})


def _labelled(
    annotation: dict[str, Any], bodies: list[dict[str, Any]], span: Offsets, motivation: str
) -> Iterator[Labelled]:
    """A span for every tag; an annotation without one is kept as it stands."""
    source = _name(annotation.get("creator"))
    columns: dict[str, Any] = {}
    tags = []
    if isinstance(annotation.get("bodyValue"), str):
        bodies = [*bodies, {"value": annotation["bodyValue"]}]
    for body in bodies:
        value = body.get("value")
        purpose = _purpose(body, motivation)
        if purpose == "tagging" and isinstance(value, str) and value:
            tags.append(value)
        elif purpose == "describing" and body.get("format") == "application/json":
            columns.update(_columns(value))
        elif purpose == "commenting" and isinstance(value, str):
            columns["note"] = value
    for tag in tags:
        yield Labelled(span, tag, dict(columns), source)
    if not tags:
        said = annotation.get("body", annotation.get("bodyValue"))
        yield Labelled(span, OTHER + REST, {"motivation": motivation, "body": said}, source)


def _columns(value: Any) -> dict[str, Any]:
    try:
        said = json.loads(value)
    except (TypeError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _motivation(annotation: dict[str, Any]) -> str:
    return _first_text(annotation.get("motivation"))


def _purpose(body: dict[str, Any], motivation: str) -> str:
    """What a body is for: the annotation's motivation unless it says so itself."""
    return _first_text(body.get("purpose")) or motivation


def _first_text(value: Any) -> str:
    """The first of one or several texts, as JSON-LD has them."""
    return next((one for one in _listed(value) if isinstance(one, str)), "")


def _name(creator: Any) -> str:
    """Who made an annotation: a name where there is one, else the address."""
    for one in _listed(creator):
        said = one.get("name") or one.get("id") if isinstance(one, dict) else one
        if isinstance(said, str):
            return said
    return ""


def _iri(value: Any) -> str:
    """The address of a resource, or of what a part is a part of."""
    while isinstance(value, dict):
        value = value["source"] if "source" in value else value.get("id")
    return value if isinstance(value, str) else ""


def _id(iri: str, sort: str) -> str:
    prefix = f"{URN}{sort}:"
    return unquote(iri.removeprefix(prefix)) if iri.startswith(prefix) else iri


def _listed(value: Any) -> list[Any]:
    if value is None:
        return []
    return value if isinstance(value, list) else [value]


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
                what = f"it continues in {page[name]}, which is not fetched"
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
