"""A passage as Web Annotations: its text, its layers, its questions and their answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

import msgspec

from readmark.core.records import Answer, Layers, Offsets, Passage, Question, QuestionKey
from readmark.core.spans import clip, places
from readmark.formats.layers import columns_at, is_plain, label_of, layers_to_write
from readmark.formats.losses import Losses, answer_losses, question_losses
from readmark.formats.members import Fault, is_whole, objects, shown

# Selectors of the Web Annotation Data Model: where a target stands in its text, and back.


POSITION, QUOTE = "TextPositionSelector", "TextQuoteSelector"
AROUND = 32
"""Characters of prefix and suffix that are written with a quote."""
SHOWN_PLACES = 4


def selectors_for(text: str, span: Offsets) -> list[dict[str, Any]]:
    """Both selectors of a span: its position, and its quote between what stands around it."""
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
    """Where a selector's target stands; a position and a quote must say the same."""
    found = {kind: one for one in _listed(selector) for kind in types_of(one)}
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
    return [one for one in (said if isinstance(said, list) else [said]) if isinstance(one, str)]


def _listed(selector: Any) -> Iterator[dict[str, Any]]:
    return objects(selector if isinstance(selector, list) else [selector])


def _at_position(
    text: str, position: Mapping[str, Any], quote: Mapping[str, Any] | None, where: str
) -> Offsets:
    start, end = position.get("start"), position.get("end")
    if not (is_whole(start) and is_whole(end)) or start is None or end is None:
        raise Fault(
            where, f"the position is {shown(start)} to {shown(end)}, expected whole numbers"
        )
    if not 0 <= start <= end <= len(text):
        what = f"the position {start}–{end} is outside the text of {len(text)} characters"
        raise Fault(where, what, "selector")
    exact = quote.get("exact") if quote else None
    if isinstance(exact, str) and exact != text[start:end]:
        hint = ""
        if _by_units(text, start, end) == exact:
            hint = "; counted in UTF-16 units they agree, but positions are code points"
        what = f"the position {start}–{end} reads {clip(text[start:end])!r}"
        raise Fault(where, f"{what}, the quote says {clip(exact)!r}{hint}", "selector")
    return start, end


def _by_units(text: str, start: int, end: int) -> str:
    return text.encode("utf-16-le")[2 * start : 2 * end].decode("utf-16-le", "replace")


def _at_quote(text: str, quote: Mapping[str, Any], where: str) -> Offsets:
    exact = quote.get("exact")
    if not isinstance(exact, str) or not exact:
        raise Fault(where, f"exact is {shown(exact)}, expected text that is not empty")
    prefix, suffix = (str(quote.get(name) or "") for name in ("prefix", "suffix"))
    found = [
        at
        for at in places(text, exact)
        if text.endswith(prefix, 0, at) and text.startswith(suffix, at + len(exact))
    ]
    if len(found) == 1:
        return found[0], found[0] + len(exact)
    if not found:
        beside = " with that prefix and suffix" if prefix or suffix else ""
        what = f"the quote {clip(exact)!r} does not occur in the text{beside}"
        raise Fault(where, what, "selector")
    more = ", …" if len(found) > SHOWN_PLACES else ""
    listed = ", ".join(map(str, found[:SHOWN_PLACES])) + more
    what = f"the quote {clip(exact)!r} stands at {len(found)} places ({listed})"
    raise Fault(where, f"{what}, and nothing shows which", "selector")


URN = "urn:readmark:"
ENDS = f"{URN}end"
"""The member of an answer whose end is told: elsewhere the words tell it. Its name is an IRI, so
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
    yield from _layers(losses, passage.id, own, passage.text, passage.layers, hidden)
    for question in passage.questions:
        yield from _question(losses, passage, question)


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


def _layers(
    losses: Losses, id: str, source: str, text: str, layers: Layers, hidden: Layers
) -> Iterator[Numbered]:
    for name, layer in layers_to_write(losses, id, layers, hidden, text).items():
        for at, span in enumerate(layer.spans):
            type = layer.columns["type"][at] if "type" in layer.columns else None
            plain = name == "ne" and is_plain(type)
            bodies = [textual(label_of(name, type), "tagging")]
            said = columns_at(layer, at, ["type"] if plain else [])
            if said:
                more = json.dumps(msgspec.to_builtins(said), ensure_ascii=False)
                bodies.append(textual(more, "describing", format="application/json"))
            creator = {"name": layer.source} if layer.source else None
            yield _numbered("tagging", _span(source, text, span), bodies, creator=creator)


def _question(losses: Losses, passage: Passage, question: Question) -> Iterator[Numbered]:
    own, about = iri("question", question.id), iri("passage", passage.id)
    yield _numbered("questioning", about, textual(question.text, "questioning"), id=own)
    key = question.key
    _losses(losses, question, key)
    hidden = key.layers if key else {}
    yield from _layers(losses, question.id, own, question.text, question.layers, hidden)
    if key is None:
        return
    for answer in key.answers:
        creator = None if answer.annotator is None else {"name": answer.annotator}
        body = _answer(losses, question.id, passage, about, answer)
        yield _numbered("replying", own, body, creator=creator)
    for phrase in key.published:
        publisher = {"type": "Organization", "name": "publisher"}
        yield _numbered("replying", own, textual(phrase.text, "replying"), creator=publisher)
    for start, end in key.sentences:
        if 0 <= start <= end <= len(passage.text):
            body = {"type": "SpecificResource", "purpose": "linking", "source": own}
            yield _numbered("linking", _span(about, passage.text, (start, end)), body)
        else:
            losses.cannot_hold("answer sentences outside the passage", question.id)


def _answer(
    losses: Losses, id: str, passage: Passage, about: str, answer: Answer
) -> dict[str, Any]:
    """An answer as a part of the passage where it is one, else in words."""
    answer_losses(losses, id, answer, offsets=True)
    if answer.sentence is not None:
        losses.cannot_hold("answers' sentences", id)
    if answer.offsets is None:
        return textual(answer.text, "replying")
    start, end = answer.offsets
    if not 0 <= start <= end <= len(passage.text) or passage.text[start:end] != answer.text:
        losses.cannot_hold("offsets that do not point at their answer", id)
        return textual(answer.text, "replying")
    body = _span(about, passage.text, (start, end), purpose="replying")
    return body if answer.end is None else {**body, ENDS: end}


def _losses(losses: Losses, question: Question, key: QuestionKey | None) -> None:
    bare = key and msgspec.structs.replace(key, published=(), sentences=(), layers={}, answers=())
    question_losses(losses, msgspec.structs.replace(question, layers={}, key=bare))
    names = [*question.fields, *(key.fields if key else ())]
    if names:
        losses.cannot_hold("fields ()", question.id, names=names)
    if key is None:
        return
    if not (key.answers or key.published or key.sentences or key.layers):
        losses.cannot_hold("keys without answers", question.id)
    for what, value in (
        ("the mark that a question is unanswerable", key.unanswerable),
        ("plausible answers", key.plausible),
        ("levels", key.level is not None),
        ("layers of published keys", any(one.layers for one in key.published)),
    ):
        if value:
            losses.cannot_hold(what, question.id)
