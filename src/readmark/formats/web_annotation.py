"""W3C Web Annotation: passages, layers, questions and answers as annotations in JSON-LD.

By the "Web Annotation Data Model"; nothing is fetched, so a text is in the document itself,
as the body of an annotation that describes it, or in a file beside the document.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit

import msgspec

from readmark.core.encodings import Decoded, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import read_bytes, writing
from readmark.core.folders import is_within
from readmark.core.numbers import first_ids
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
from readmark.core.spans import clip, places
from readmark.core.test import Header, Placed, Test
from readmark.formats.layers import (
    OTHER,
    LabelledSpan,
    document_losses,
    is_plain,
    label_of,
    layers_of_spans,
    layers_to_write,
    span_columns,
    split_by_visibility,
    text_losses,
)
from readmark.formats.losses import Losses, answer_losses, only_comprehension, question_losses
from readmark.formats.members import ABSENT, Fault, is_integer, name_of, objects, shown
from readmark.formats.native import with_id

# Selectors of the Web Annotation Data Model: where a target is in its text, and back.


POSITION, QUOTE = "TextPositionSelector", "TextQuoteSelector"
AROUND = 32
"""Characters of prefix and suffix that are written with a quote."""
SHOWN_PLACES = 4


def selectors_for(text: str, span: Offsets) -> list[dict[str, Any]]:
    """Both selectors of a span: its position, and its quote with the text around it."""
    start, end = span
    return [
        {"type": POSITION, "start": start, "end": end},
        {
            "type": QUOTE,
            "exact": text[start:end],
            "prefix": text[max(0, start - AROUND) : start],
            "suffix": text[end : end + AROUND],
        },
    ]


def located(text: str, selector: Any, where: str) -> Offsets:
    """Where a selector's target is; a position and a quote must say the same."""
    found = {kind: one for one in objects(_listed(selector)) for kind in types_of(one)}
    position, quote = found.get(POSITION), found.get(QUOTE)
    for one in (position, quote):
        if one is not None and one.get("refinedBy"):
            raise Fault(where, "a selector that another refines is not read", "selector")
    if position is not None:
        return _at_position(text, position, quote, where)
    if quote is not None:
        return _at_quote(text, quote, where)
    kinds = ", ".join(found) or shown(selector)
    raise Fault(where, f"the selector is {kinds}, expected {POSITION} or {QUOTE}", "selector")


def types_of(value: Mapping[str, Any]) -> list[str]:
    """The types of an object: JSON-LD has one or several, and what is no text is passed over."""
    said = value.get("type", value.get("@type"))
    return [one for one in _listed(said) if isinstance(one, str)]


def _at_position(
    text: str, position: Mapping[str, Any], quote: Mapping[str, Any] | None, where: str
) -> Offsets:
    start, end = position.get("start", ABSENT), position.get("end", ABSENT)
    if not (is_integer(start) and is_integer(end)):
        what = f"the position is {shown(start)} to {shown(end)}, expected whole numbers"
        raise Fault(where, what)
    if not 0 <= start <= end <= len(text):
        what = f"the position {start}–{end} is outside the text of {len(text)} characters"
        raise Fault(where, what, "selector")
    exact = quote.get("exact") if quote else None
    if isinstance(exact, str) and exact != text[start:end]:
        hint = ""
        units = text.encode("utf-16-le")[2 * start : 2 * end]
        if units.decode("utf-16-le", "replace") == exact:
            hint = "; counted in UTF-16 units they agree, but positions are code points"
        what = f"the position {start}–{end} reads {clip(text[start:end])!r}"
        raise Fault(where, f"{what}, the quote says {clip(exact)!r}{hint}", "selector")
    return start, end


def _at_quote(text: str, quote: Mapping[str, Any], where: str) -> Offsets:
    exact = quote.get("exact")
    if not isinstance(exact, str) or not exact:
        raise Fault(where, f"exact is {shown(exact)}, expected text that is not empty")
    prefix, suffix = (str(quote.get(name) or "") for name in ("prefix", "suffix"))
    found = [
        place
        for place in places(text, exact)
        if text.endswith(prefix, 0, place) and text.startswith(suffix, place + len(exact))
    ]
    if len(found) == 1:
        return found[0], found[0] + len(exact)
    if not found:
        beside = " with that prefix and suffix" if prefix or suffix else ""
        what = f"the quote {clip(exact)!r} does not occur in the text{beside}"
        raise Fault(where, what, "selector")
    listed = first_ids([str(place) for place in found], SHOWN_PLACES)
    what = f"the quote {clip(exact)!r} occurs at {len(found):,} places ({listed})"
    raise Fault(where, f"{what}, and nothing shows which", "selector")


URN = "urn:readmark:"
ENDS = f"{URN}end"
"""The member of an answer that states its end: elsewhere the words show it. Its name is an IRI, so
that JSON-LD processors take it for what it is."""
Numbered = Callable[[int], dict[str, Any]]
"""An annotation that waits for its number, from which it gets an id."""


def iri(sort: str, id: str) -> str:
    """The address of something of a test."""
    return f"{URN}{sort}:{quote(id, safe='')}"


def annotations_of(passage: Passage, losses: Losses) -> Iterator[Numbered]:
    """The annotations of a passage, its text's first."""
    own = iri("passage", passage.id)
    body = textual(passage.text, "describing", format="text/plain")
    if passage.language is not None:
        body["language"] = passage.language
    yield _numbered("describing", own, body)
    hidden = passage.key.layers if passage.key else {}
    yield from _layer_annotations(losses, passage.id, own, passage.text, passage.layers, hidden)
    for question in passage.questions:
        yield from _question_annotations(losses, passage, question)


def textual(value: str, purpose: str, **more: str) -> dict[str, Any]:
    """A body in words."""
    return {"type": "TextualBody", "purpose": purpose, **more, "value": value}


def _numbered(
    motivation: str, target: Any, body: Any = None, *, id: str = "", creator: Any = None
) -> Numbered:
    made = {"type": "Annotation", "motivation": motivation}
    if creator is not None:
        made["creator"] = creator
    if body is not None:
        made["body"] = body
    made["target"] = target
    return lambda number: {"id": id or f"{URN}annotation:{number + 1}", **made}


def _span(source: str, text: str, span: Offsets, **more: str) -> dict[str, Any]:
    selector = selectors_for(text, span)
    return {"type": "SpecificResource", **more, "source": source, "selector": selector}


def _layer_annotations(
    losses: Losses, id: str, source: str, text: str, layers: Layers, hidden: Layers
) -> Iterator[Numbered]:
    for name, layer in layers_to_write(losses, id, layers, hidden, text).items():
        for index, span in enumerate(layer.spans):
            type = layer.columns["type"][index] if "type" in layer.columns else None
            plain = name == "ne" and is_plain(type)
            bodies = [textual(label_of(name, type), "tagging")]
            said = span_columns(layer, index, ["type"] if plain else [])
            if said:
                more = json.dumps(msgspec.to_builtins(said), ensure_ascii=False)
                bodies.append(textual(more, "describing", format="application/json"))
            creator = {"name": layer.source} if layer.source else None
            yield _numbered("tagging", _span(source, text, span), bodies, creator=creator)


def _question_annotations(
    losses: Losses, passage: Passage, question: Question
) -> Iterator[Numbered]:
    own, about = iri("question", question.id), iri("passage", passage.id)
    yield _numbered("questioning", about, textual(question.text, "questioning"), id=own)
    key = question.key
    _losses(losses, question, key)
    hidden = key.layers if key else {}
    yield from _layer_annotations(losses, question.id, own, question.text, question.layers, hidden)
    if key is None:
        return
    for answer in key.answers:
        creator = None if answer.annotator is None else {"name": answer.annotator}
        body = _answer_body(losses, question.id, passage, about, answer)
        yield _numbered("replying", own, body, creator=creator)
    for phrase in key.published:
        publisher = {"type": "Organization", "name": "publisher"}
        yield _numbered("replying", own, textual(phrase.text, "replying"), creator=publisher)
    for start, end in key.sentences:
        if 0 <= start <= end <= len(passage.text):
            body = {"type": "SpecificResource", "purpose": "linking", "source": own}
            yield _numbered("linking", _span(about, passage.text, (start, end)), body)
        else:
            losses.cannot_store("answer sentences outside the passage", question.id)


def _answer_body(
    losses: Losses, id: str, passage: Passage, about: str, answer: Answer
) -> dict[str, Any]:
    """An answer as a part of the passage where it is one, else in words."""
    answer_losses(losses, id, answer, offsets=True)
    if answer.sentence is not None:
        losses.cannot_store("answers' sentences", id)
    if answer.offsets is None:
        return textual(answer.text, "replying")
    start, end = answer.offsets
    if not 0 <= start <= end <= len(passage.text) or passage.text[start:end] != answer.text:
        losses.cannot_store("offsets that do not point at their answer", id)
        return textual(answer.text, "replying")
    body = _span(about, passage.text, (start, end), purpose="replying")
    return body if answer.end is None else {**body, ENDS: end}


def _losses(losses: Losses, question: Question, key: QuestionKey | None) -> None:
    bare = key and msgspec.structs.replace(key, published=(), sentences=(), layers={}, answers=())
    question_losses(losses, msgspec.structs.replace(question, layers={}, key=bare))
    names = [*question.fields, *(key.fields if key else ())]
    if names:
        losses.cannot_store("fields ()", question.id, names=names)
    if key is None:
        return
    if not (key.answers or key.published or key.sentences or key.layers):
        losses.cannot_store("keys without answers", question.id)
    for what, value in (
        ("the mark that a question is unanswerable", key.unanswerable),
        ("plausible answers", key.plausible),
        ("levels", key.level is not None),
        ("layers of published keys", any(phrase.layers for phrase in key.published)),
    ):
        if value:
            losses.cannot_store(what, question.id)


# Web Annotations gathered into passages: texts first, then what is said of their parts.


REST = "annotation"
"""The layer, under the key, of annotations that are neither tags nor answers."""


@dataclass(slots=True)
class _Resource:
    """A text: a passage's, or a question's about one."""

    text: str
    language: str | None = None
    about: str | None = None
    spans: list[LabelledSpan] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    published: list[Phrase] = field(default_factory=list)
    sentences: list[Offsets] = field(default_factory=list)
    fields: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class _Reading:
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
            purpose = _purpose(body, _first_text(annotation.get("motivation")))
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
        for address, resource in list(self._resources.items()):
            if resource.about is not None and self._text(resource.about, address) is not None:
                questions.setdefault(resource.about, []).append(_question(address, resource))
        for address, resource in self._resources.items():
            if resource.about is None:
                seen, hidden = _layers(resource)
                yield Passage(
                    id=_id(address, "passage"),
                    text=resource.text,
                    language=resource.language,
                    layers=seen,
                    fields=dict(resource.fields),
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
        motivation = _first_text(annotation.get("motivation"))
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
            asked = (self._resources.get(_iri(body)) for body in bodies)
            linked = [one for one in asked if one is not None and one.about == source]
            for one in linked:
                one.sentences.append(span)
            if linked:
                return
        resource.spans += _labelled(annotation, bodies, span, motivation)

    def _answer(self, where: str, annotation: dict[str, Any], question: _Resource) -> None:
        creator = annotation.get("creator")
        name = _name(creator) or None
        published = isinstance(creator, dict) and "Organization" in types_of(creator)
        for body in objects(_listed(annotation.get("body"))):
            value = body.get("value")
            if isinstance(value, str) and published:
                question.published.append(Phrase(text=value))
            elif isinstance(value, str):
                question.answers.append(Answer(text=value, annotator=name))
            elif _iri(body) != question.about or "selector" not in body:
                raise Fault(where, "the answer is no part of the question's passage", "target")
            elif (passage := self._text(_iri(body), where)) is not None:
                start, end = located(passage.text, body["selector"], where)
                text, stated = passage.text[start:end], end if ENDS in body else None
                question.answers.append(Answer(text=text, start=start, end=stated, annotator=name))

    def _text(self, source: str, where: str) -> _Resource | None:
        """A resource by address, in the document or a file next to it; reported once if missing."""
        if source not in self._resources and source not in self._missing:
            text = self._beside(source)
            if text is None:
                self._missing.add(source)
                what = f"the text of {shown(source)} is neither in the document nor a file next"
                what += " to it; nothing is fetched"
                self.report(Problem(self.file, where, "source", what))
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
    return split_by_visibility(
        {name: layer for name, (layer, _) in layers_of_spans(one.spans).items()}
    )


def _labelled(
    annotation: dict[str, Any], bodies: list[dict[str, Any]], span: Offsets, motivation: str
) -> Iterator[LabelledSpan]:
    """A span for every tag; an annotation without one is kept unchanged."""
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
            with contextlib.suppress(TypeError, ValueError, RecursionError):
                more = json.loads(value)  # type: ignore[arg-type]
                columns.update(more if isinstance(more, dict) else {})
        elif purpose == "commenting" and isinstance(value, str):
            columns["note"] = value
    for tag in tags:
        yield LabelledSpan(span, tag, dict(columns), source)
    if not tags:
        said = annotation.get("body", annotation.get("bodyValue"))
        yield LabelledSpan(span, OTHER + REST, {"motivation": motivation, "body": said}, source)


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
            is_container = not _CONTAINERS.isdisjoint(types_of(document))
            said = _listed(document.get("@context"))
            return CONTEXT in said or is_container or _is_one(document)
        return isinstance(document, list) and any(map(_is_one, islice(document, SAMPLE)))

    def read(self, source: Source) -> Test:
        """The test in a document; nothing is fetched."""
        file = source.file
        document = source.json

        def stream(report: Report) -> Iterator[Placed]:
            reading = _Reading(source.path.parent, file, report)
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
    """The annotations of a document with their places: an id, else its position."""
    items, path = _items(document)
    if items is None:
        fault = Fault("", f"the document is {shown(document)}, expected annotations")
        raise fault.problem(file).error()
    for page in objects([document, document.get("first")] if isinstance(document, dict) else []):
        for name in ("first", "next"):
            if isinstance(page.get(name), str):
                what = f"it continues in {page[name]}, which is not fetched"
                report(Problem(file, name, "source", what))
    for index, item in enumerate(items):
        where = f"{path}[{index}]"
        if not isinstance(item, dict) or "target" not in item:
            report(Problem(file, where, "schema", "expected an annotation with a target"))
            continue
        id = item.get("id")
        yield id if isinstance(id, str) and id else where, item


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
