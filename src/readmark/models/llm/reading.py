"""Questions put to a model, and its replies as answers: spans, free words, options, rewrites."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.values import Answer, Offsets, Series, Unit
from readmark.models.llm.endpoint import Message, Request
from readmark.models.llm.prompts import Prompt, fence
from readmark.models.llm.replies import Reply
from readmark.models.llm.saying import OPTION_LETTERS, chosen_option, read_said, unquoted
from readmark.text.answer_places import answer_places

PLACES = frozenset({"passage", "question", "options", "fence", "none", "target", "history"})
"""What a prompt may have filled in."""

_NONE = {
    "en": 'If the passage does not answer the question, the answer is "".\n',
    "zh": '如果文章没有回答这个问题，答案写作 ""。\n',
}
_TEXT: Mapping[str, Any] = {"type": "string"}


@dataclass(frozen=True, slots=True)
class Read:
    """An answer as it was read out of a reply: where it stands, and what is odd about it."""

    text: str
    start: int | None
    end: int | None
    evidence: dict[str, Any]


def prompt_name(unit: Unit, *, free: bool) -> str:
    """Which prompt a unit asks for."""
    if isinstance(unit.record, Series):
        return "rewrite"
    if unit.item.options:
        return "choice"
    return "free" if free else "span"


def request_for(
    unit: Unit,
    prompt: Prompt,
    *,
    language: str,
    none: bool,
    shots: Sequence[Message],
    repeat: int,
) -> Request:
    """A unit's request: the system's words, the examples, and the unit between its fences."""
    system, user = prompt.messages(_filled(unit, language, none))
    first = (system,) if system.content else ()
    return Request(unit.id, (*first, *shots, user), _schema(unit), repeat)


def shot(unit: Unit, answer: Answer, prompt: Prompt, sentence: str, language: str) -> list[Message]:
    """An example as a question and its right reply, in the form that is asked for."""
    import msgspec

    _, user = prompt.messages(_filled(unit, language, none=False))
    if isinstance(unit.record, Series):
        reply: dict[str, str] = {"rewrite": answer.text}
    elif unit.item.options:
        at = unit.item.options.index(answer.text)
        reply = {"answer": OPTION_LETTERS[at], "evidence": sentence}
    else:
        reply = {"answer": answer.text, "evidence": sentence}
    return [user, Message("assistant", msgspec.json.encode(reply).decode())]


def read_answer(unit: Unit, reply: Reply, *, free: bool) -> Read:
    """A reply as an answer; what the model did instead of answering is an empty one with why."""
    evidence: dict[str, Any] = {}
    if reply.reason is not None:
        evidence["reason"] = reply.reason
        if reply.refusal:
            evidence["said"] = reply.refusal
    if reply.reason not in (None, "cut off"):
        return Read("", None, None, evidence)
    rewriting = isinstance(unit.record, Series)
    said = read_said(reply.content, "rewrite" if rewriting else "answer")
    text = _words(said.members.get("rewrite" if rewriting else "answer"))
    if said.form != "json":
        evidence["form"] = said.form
    quote = _words(said.members.get("evidence"))
    if quote:
        evidence["quote"] = quote
    if rewriting:
        return Read(text, None, None, evidence)
    if unit.item.options:
        return _option(unit, text, evidence)
    return _placed(unit.record.text, text, quote, evidence, free=free)


def _option(unit: Unit, said: str, evidence: dict[str, Any]) -> Read:
    at = chosen_option(said, unit.item.options)
    if at is None:
        return Read(said, None, None, {**evidence, "in_options": False})
    chosen = unit.item.options[at]
    return Read(chosen, None, None, evidence if said == chosen else {**evidence, "said": said})


def _placed(text: str, said: str, quote: str, evidence: dict[str, Any], *, free: bool) -> Read:
    """Where the answer stands: inside the quoted evidence if it can, else at its first place.

    One that is not in the passage stays as it was said, and that is noted.
    """
    if not said:
        return Read("", None, None, evidence)
    for words in dict.fromkeys((said, unquoted(said), said.rstrip(".。"))):
        places = answer_places(text, Answer(text=words))
        if places:
            start, end = _best(places, answer_places(text, Answer(text=quote)) if quote else [])
            placed = text[start:end]
            if free:
                return Read(said, None, None, evidence)
            noted = evidence if placed == said else {**evidence, "said": said}
            return Read(placed, start, end, noted)
    return Read(said, None, None, evidence if free else {**evidence, "in_passage": False})


def _best(places: Sequence[Offsets], quotes: Sequence[Offsets]) -> Offsets:
    for start, end in places:
        if any(first <= start and end <= last for first, last in quotes):
            return start, end
    return places[0]


def _filled(unit: Unit, language: str, none: bool) -> dict[str, str]:
    side = "zh" if language == "zh" else "en"
    record, item = unit.record, unit.item
    if isinstance(record, Series):
        history = _history(unit)
        return {
            "target": record.target,
            "history": history,
            "question": item.text,
            "fence": fence(record.target, history, item.text),
        }
    options = "\n".join(
        f"{letter}. {option}" for letter, option in zip(OPTION_LETTERS, item.options, strict=False)
    )
    return {
        "passage": record.text,
        "question": item.text,
        "options": options,
        "fence": fence(record.text, item.text, options),
        "none": _NONE[side] if none else "",
    }


def _history(unit: Unit) -> str:
    """The questions before this one, with their answers where the series knows them."""
    lines = []
    for at, one in enumerate(unit.record.questions, 1):
        if one.id == unit.item.id:
            break
        lines.append(f"{at}. {one.text}")
    if unit.item.previous:
        lines.append(f"({', '.join(unit.item.previous)})")
    return "\n".join(lines)


def _schema(unit: Unit) -> dict[str, Any]:
    if isinstance(unit.record, Series):
        members: dict[str, Any] = {"rewrite": _TEXT}
    elif unit.item.options:
        letters = list(OPTION_LETTERS[: len(unit.item.options)])
        members = {"answer": {"type": "string", "enum": letters}, "evidence": _TEXT}
    else:
        members = {"answer": _TEXT, "evidence": _TEXT}
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _words(value: Any) -> str:
    """A member as text: models give numbers, lists of one, null."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if value is None or isinstance(value, (dict, list)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value).strip()
