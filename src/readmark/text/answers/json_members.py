"""Members of the JSON in a reply, however loosely it keeps to it, and boxed answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from readmark.text.answers.loose_json import LooseObject, is_readable, loose_objects, with_commands

_FENCE_OR_SPACE = re.compile(r"```[ \t]*\w*|\s")
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]*)\}")
_ALIASES = {
    "answer": frozenset(
        {"answer", "final answer", "final_answer", "finalanswer", "答案", "最终答案", "回答"}
    ),
    "rewrite": frozenset(
        {"rewrite", "rewritten", "rewritten question", "rewritten_question", "改写", "改写后的问题"}
    ),
    "rating": frozenset({"rating", "score", "readability", "评分", "分数", "等级"}),
    "verdict": frozenset({"verdict", "结论", "判断"}),
    "evidence": frozenset({"evidence", "quote", "证据", "依据", "原文"}),
}
"""What models call the members, in small letters."""
_MOST_INSIDE = 200
_STRICT = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)
"""JSON that keeps numbers as they are written."""


class ReplyMembers(msgspec.Struct, frozen=True):
    """The members that were read, and whether they stood in JSON, under a label or bare."""

    members: dict[str, Any]
    form: str


def members_in_json(reply: str, member: str) -> ReplyMembers | None:
    """The last object that has the member whole, else the last that was cut off in it.

    Numbers are kept as they were written. Nothing is read in a text that is too long, or that
    opens too many objects.
    """
    if not is_readable(reply):
        return None
    document = _strictly(reply)
    if document is not None and (members := _members(document, member)) is not None:
        return ReplyMembers(members, "json")
    best: tuple[LooseObject, dict[str, Any]] | None = None
    for candidate in loose_objects(reply):
        members = _members(candidate.members, member)
        if members is None:
            continue
        if best is None or not _is_cut_in(candidate, member) or _is_cut_in(best[0], member):
            best = candidate, members
    if best is None:
        return None
    loose, members = best
    if loose.unfinished or reply[loose.end - 1] != "}":
        return ReplyMembers(members, "broken json")
    if _FENCE_OR_SPACE.sub("", reply[: loose.start] + reply[loose.end :]):
        return ReplyMembers(members, "json inside words")
    is_strict = _strictly(reply[loose.start : loose.end])
    return ReplyMembers(members, "json" if is_strict else "loose json")


def each_in_json(reply: str, member: str) -> Iterator[Any]:
    """The member of every object that has it whole, in their order."""
    for candidate in loose_objects(reply):
        members = _members(candidate.members, member)
        if members is not None and not _is_cut_in(candidate, member):
            yield members[member]


def boxed(text: str) -> list[str]:
    r"""The content of ``\boxed{}``, also as ``\text{}``, in its order."""
    return [content.strip() for content in _BOXED.findall(text)]


def _strictly(text: str) -> dict[str, Any] | None:
    """The object that a text is, read by Python's own reader; None for anything else."""
    try:
        document = _STRICT.decode(with_commands(text))
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _is_cut_in(candidate: LooseObject, member: str) -> bool:
    return any(_plain_name(name) in _ALIASES[member] for name in candidate.unfinished)


def _members(document: dict[str, Any], member: str) -> dict[str, Any] | None:
    """The member and its evidence by any of their names, in the object or in one inside it."""
    for members in _with_inner_objects(document):
        by_name = {_plain_name(name): value for name, value in members.items()}
        for name in (member, *sorted(_ALIASES[member] & by_name.keys())):
            if name in by_name:
                quotes = [by_name[alias] for alias in sorted(_ALIASES["evidence"] & by_name.keys())]
                evidence = {"evidence": quotes[0]} if quotes else {}
                return {member: by_name[name], **evidence}
    return None


def _plain_name(name: str) -> str:
    return name.strip().casefold()


def _with_inner_objects(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An object, then those in it, the outer ones first."""
    waiting: list[dict[str, Any]] = [document]
    for members in waiting:
        yield members
        if len(waiting) < _MOST_INSIDE:
            waiting += [value for value in members.values() if isinstance(value, dict)]
