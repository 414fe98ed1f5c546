"""Answers, golds and evidence as the page shows them, whatever the kind of test made them of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from readmark.core import numbers
from readmark.core.sitting import Row
from readmark.hooks import Kind
from readmark.reporting.kind_extras import PageAnswer, ShowsAnswers

_BESIDE = ("annotator", "start", "end", "round")
"""Members of a reference that are not the answer itself, whatever a kind calls that."""


def page_answer(kind: Kind, value: Any) -> PageAnswer:
    """An answer or a reference, as its kind shows it or else in words."""
    return (
        kind.page_answer(value) if isinstance(kind, ShowsAnswers) else PageAnswer(json_words(value))
    )


def answer_words(kind: Kind, row: Row) -> str | None:
    """The answer in a row, in words; None for an error."""
    return None if row.answer is msgspec.UNSET else page_answer(kind, row.answer).text


def json_words(value: Any) -> str:
    """A value in words: texts as they are, the rest as JSON."""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, float):
        return numbers.significant(value)
    return msgspec.json.encode(value).decode()


def shown_row(kind: Kind, row: Row) -> dict[str, Any]:
    """A sitting's row for the page: answer, place, evidence, score, seconds, error.

    Keys are short, since a page may have tens of thousands of rows; ``detail.js`` reads them.
    """
    answer = None if row.answer is msgspec.UNSET else page_answer(kind, row.answer)
    text = None if answer is None else answer.text
    evidence, prompt, reply = asked_and_replied(row.evidence)
    spans, lines = evidence_parts(evidence)
    usage = row.usage or {}
    spans += map(list, answer.excerpts if answer is not None else ())
    if row.sentence is not None:
        spans = [list(row.sentence), *(span for span in spans if span != list(row.sentence))]
    parts = {
        "t": text,
        "at": _place(row.start, row.end, text),
        "ev": spans,
        "el": lines,
        "d": [] if answer is None else list(answer.derivations),
        "sc": row.score,
        "se": row.seconds,
        "x": row.error,
        "k": row.repeat,
        "pr": prompt,
        "re": reply,
        "us": [usage.get("input", 0), usage.get("output", 0)] if "input" in usage else None,
        "co": usage.get("cost"),
    }
    return {name: part for name, part in parts.items() if part not in (None, [])}


def asked_and_replied(evidence: Any) -> tuple[Any, str | None, str | None]:
    """The evidence without the prompt and the raw reply that it may hold, and these two."""
    if not isinstance(evidence, dict):
        return evidence, None, None
    rest = {name: value for name, value in evidence.items() if name not in ("prompt", "reply")}
    return rest, _messages(evidence.get("prompt")), _messages(evidence.get("reply"))


def _messages(value: Any) -> str | None:
    """A prompt or reply as text: chat messages one after another, each after its role."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(message, dict) for message in value):
        return "\n\n".join(
            f"{message.get('role', '')}:\n{json_words(message.get('content', ''))}"
            for message in value
        )
    return json_words(value)


def shown_gold(kind: Kind, value: Any) -> dict[str, Any]:
    """One reference for the page: its words, its place and whose it is."""
    if not isinstance(value, dict):
        return {"t": json_words(value)}
    if isinstance(kind, ShowsAnswers):
        answer = kind.page_answer(value)
    else:
        members = (member for name, member in value.items() if name not in _BESIDE)
        first = next((member for member in members if member is not None), value)
        answer = PageAnswer(json_words(first))
    annotator = value.get("annotator")
    parts = {
        "t": answer.text,
        "at": _place(value.get("start"), value.get("end"), answer.text),
        "w": annotator if isinstance(annotator, str) else None,
        "ex": list(map(list, answer.excerpts)),
        "d": list(answer.derivations),
    }
    return {name: part for name, part in parts.items() if part not in (None, [])}


def evidence_parts(value: Any) -> tuple[list[list[int]], list[str]]:
    """Stretches of text in the evidence, as [start, end], and the rest of it in lines."""
    spans: list[list[int]] = []
    lines: list[str] = []
    for part in _parts(value):
        if isinstance(part, list):
            spans.append(part)
        else:
            lines.append(part)
    return spans, lines


def _parts(value: Any) -> Iterator[list[int] | str]:
    """Places as lists, words as lines, from whatever a candidate gave as its evidence."""
    if value is None:
        return
    if isinstance(value, dict):
        rest = dict(value)
        probability = rest.get("probability")
        if isinstance(probability, float) and isinstance(rest.get("text"), str):
            # one of several likely answers
            yield f"{rest['text']} ({numbers.decimal(probability)})"
            return
        if _is_whole(rest.get("start")) and _is_whole(rest.get("end")):
            yield [rest.pop("start"), rest.pop("end")]
        for name, member in rest.items():
            parts = list(_parts(member))
            yield from (part for part in parts if isinstance(part, list))
            lines = [part for part in parts if isinstance(part, str)]
            if lines:
                yield f"{name}: {', '.join(lines)}"
    elif isinstance(value, list):
        if len(value) == 2 and all(map(_is_whole, value)) and 0 <= value[0] < value[1]:
            yield value
            return
        for member in value:
            yield from _parts(member)
    else:
        yield json_words(value)


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _place(start: Any, end: Any, text: str | None) -> list[int] | None:
    if not _is_whole(start) or text is None:
        return None
    return [start, end if _is_whole(end) else start + len(text)]
