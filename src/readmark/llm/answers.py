"""Questions put to a model as requests, and its replies as answers, or why there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.record_members import options_of
from readmark.core.records import Unit
from readmark.core.sitting import CUT_OFF, REFUSED
from readmark.hooks import Kind
from readmark.llm.endpoint import Message, Request
from readmark.llm.forms import AskedByModels, LlmForm
from readmark.llm.members import read_members
from readmark.llm.prompts import Prompt, load_prompt
from readmark.llm.replies import UNREADABLE, Reply
from readmark.text.answers.refusals import is_refusal
from readmark.text.answers.thoughts import without_thoughts
from readmark.text.folding import folded

_OPENING = 200
"""Characters of a reply that cannot be read which are kept to show what it was."""
LONGEST_PROMPT, LONGEST_REPLY = 12_000, 4_000
"""Characters of a prompt and of a reply that a row keeps."""
_LONE = re.compile(r"[\ud800-\udfff]")
_FENCE = re.compile(
    r"^[ \t]*([0-9a-f]{12})[ \t]*(?:\n|\Z)"
    r"|(?:^|[ \t]+)-{2,}[ \t]*(?:([0-9a-f]{12})\b[ \t]*\n?|([0-9a-f]{4,11})\Z)",
    re.I | re.M,
)
"""A mark on a line by itself, or after dashes; where a reply ends, a part of it will do."""


class ReadReply(msgspec.Struct, frozen=True):
    """An answer as it was read out of a reply: where it is, and what is odd about it."""

    text: str | float
    start: int | None
    end: int | None
    evidence: dict[str, Any]


def form_of(kind: Kind) -> LlmForm:
    """How a kind of test is asked; a kind that has no form cannot be."""
    if not isinstance(kind, AskedByModels):
        raise UsageError(f"a language model cannot be asked about {kind.name} tests")
    return kind.llm_form()


def asking_prompt(file: str, name: str, language: str, form: LlmForm) -> Prompt:
    """The user's prompt file, or else the prompt that ships under a name.

    It must have all the places that are needed; one for options only if a unit has some.
    """
    return load_prompt(file or name, language, form.places, form.needed)


def request_for(
    unit: Unit,
    prompt: Prompt,
    form: LlmForm,
    *,
    language: str,
    none: bool,
    shots: Sequence[Message],
    repeat: int,
) -> Request:
    """A unit's request: the system's words, the examples, and the unit between its fences."""
    prompt.need(form.needed, f"{unit.id} cannot be asked without it")
    if options_of(unit.item):
        prompt.need(frozenset({"options"}), f"{unit.id} has options")
    system, user = prompt.messages(form.fill(unit, language, none=none))
    first = (system,) if system.content else ()
    return Request(unit.id, (*first, *shots, user), _schema(form.members(unit)), repeat)


def shot(
    unit: Unit, reply: Mapping[str, Any], prompt: Prompt, form: LlmForm, language: str
) -> list[Message]:
    """An example as a question and its right reply, in the form that is asked for."""
    _, user = prompt.messages(form.fill(unit, language, none=False))
    return [user, Message("assistant", msgspec.json.encode(reply).decode())]


def read_answer(
    unit: Unit, reply: Reply, form: LlmForm, *, free: bool, none: bool = False
) -> ReadReply:
    """A reply as an answer; what the model did instead of answering is an empty one with why.

    ``none`` states whether it was allowed to reply that there is no answer.
    """
    evidence: dict[str, Any] = {}
    reason = _reason(reply)
    if reason is not None:
        evidence["reason"] = reason
        if reply.refusal:
            evidence["said"] = _repaired(reply.refusal, evidence)
        elif reason == UNREADABLE:
            evidence["said"] = _repaired(reply.content[:_OPENING], evidence)
    if reason not in (None, CUT_OFF):
        return ReadReply("", None, None, evidence)
    reply_members = read_members(reply.content, form.member)
    if reply_members.form != "json":
        evidence["form"] = reply_members.form
    quote = _repaired(_reading_words(reply_members.members.get("evidence")) or "", evidence)
    if quote:
        evidence["quote"] = quote
    value = reply_members.members[form.member]
    text = "" if value is None and none else _reading_words(value)
    if text is None:
        evidence.setdefault("reason", UNREADABLE)
        raw = json.dumps(value, ensure_ascii=False)
        evidence["said"] = _repaired(raw, evidence)
        return ReadReply("", None, None, evidence)
    text = _without_fences(_repaired(text, evidence), unit, form)
    if not text:
        if not none or not form.may_be_empty(unit):
            evidence.setdefault("reason", "empty")
        return ReadReply("", None, None, evidence)
    if is_refusal(text) and not _is_in_unit(unit, text, form):
        return ReadReply("", None, None, {**evidence, "reason": REFUSED, "said": text})
    answer, span, evidence = form.read(unit, text, quote, evidence, free=free)
    start, end = span if span is not None else (None, None)
    return ReadReply(answer, start, end, evidence)


def _without_fences(text: str, unit: Unit, form: LlmForm) -> str:
    """An answer without the fences of its prompt, which small models copy."""
    if not _FENCE.search(text):
        return text
    mark = form.fill(unit, "en", none=False).get("fence", "")

    def without_mark(match: re.Match[str]) -> str:
        alone, dashed, cut = (part.lower() for part in match.groups(""))
        is_fence = mark.startswith(cut) if cut else mark in (alone, dashed)
        return "" if is_fence else match[0]

    return _FENCE.sub(without_mark, text).strip()


def _is_in_unit(unit: Unit, text: str, form: LlmForm) -> bool:
    """Whether words are in the unit: in its text, or in one of its options."""
    texts = (form.text(unit), *options_of(unit.item))
    return any(folded(text).strip(" .。!！") in folded(each) for each in texts)


def prompt_text(messages: Sequence[Message]) -> str:
    """What was asked, message by message, for people to read."""
    return bounded(
        "\n\n".join(f"[{each.role}]\n{each.content}" for each in messages), LONGEST_PROMPT
    )


def reply_text(reply: Reply) -> str:
    """What came back, as it was; a refusal where there is nothing else."""
    return _LONE.sub("\ufffd", bounded(reply.content or reply.refusal, LONGEST_REPLY))


def bounded(text: str, limit: int) -> str:
    """A text of at most so many characters: of a longer one the middle is left out."""
    if len(text) <= limit:
        return text
    first = limit * 2 // 3
    last = limit - first
    omitted = len(text) - limit
    return f"{text[:first]}\n[… {omitted:,} characters left out …]\n{text[-last:]}"


def _reason(reply: Reply) -> str | None:
    """Why there is no answer, thoughts among the words taken into account."""
    reason = reply.reason
    if reason in (None, CUT_OFF) and not without_thoughts(reply.content).strip():
        return "cut off while reasoning" if reason else "reasoning only"
    return reason


def _schema(members: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _reading_words(value: Any) -> str | None:
    """A member as text, or None where it is none.

    Some models put their one answer in a list. Which of several they mean nobody can say.
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, bool):
        return "true" if value else "false"
    return value.strip() if isinstance(value, str) else None


def _repaired(text: str, evidence: dict[str, Any]) -> str:
    """A text that can be written to a file, since half of a surrogate pair cannot.

    Where something was replaced, ``evidence`` gets the flag ``mended``.
    """
    repaired = _LONE.sub("\ufffd", text)
    if repaired != text:
        evidence["mended"] = True
    return repaired
