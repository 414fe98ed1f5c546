"""Members of the JSON in what a model said, however loosely it kept to it, and boxed answers.

Nothing here takes longer than a reply is long, whatever is in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from readmark.text.loose_json import Found, is_readable, loose_objects

_NO_WORDS = re.compile(r"```[ \t]*\w*|\s")
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]*)\}")
_ALIASES = {
    "answer": frozenset(
        ("answer", "final answer", "final_answer", "finalanswer", "答案", "最终答案", "回答")
    ),
    "rewrite": frozenset(
        ("rewrite", "rewritten", "rewritten question", "rewritten_question", "改写", "改写后的问题")
    ),
    "verdict": frozenset(("verdict", "结论", "判断")),
    "evidence": frozenset(("evidence", "quote", "证据", "依据", "原文")),
}
_MANY_INSIDE = 200
_STRICT = json.JSONDecoder(strict=False, parse_int=str, parse_float=str, parse_constant=str)


class Said(msgspec.Struct, frozen=True):
    """The members that were read, and whether they stood in JSON, under a label or bare."""

    members: dict[str, Any]
    form: str


def boxed(text: str) -> list[str]:
    r"""What stands in ``\boxed{}``, also as ``\text{}``, in its order."""
    return [one.strip() for one in _BOXED.findall(text)]


def said_in_json(said: str, member: str) -> Said | None:
    """The last object that has the member whole, else the last that was cut off in it.

    Numbers are kept as they were written. Nothing is read in a text that is too long, or that
    opens too many objects.
    """
    if not is_readable(said):
        return None
    whole = _strictly(said)
    if whole is not None and (read := _members(whole, member)) is not None:
        return Said(read, "json")
    best: tuple[Found, dict[str, Any]] | None = None
    for found in loose_objects(said):
        inner = _members(found.members, member)
        if inner is None:
            continue
        if best is None or not _cut_in(found, member) or _cut_in(best[0], member):
            best = found, inner
    if best is None:
        return None
    found, inner = best
    around = said[: found.start] + said[found.end :]
    if found.unfinished or said[found.end - 1] != "}":
        return Said(inner, "broken json")
    if _NO_WORDS.sub("", around):
        return Said(inner, "json inside words")
    return Said(inner, "json" if _strictly(said[found.start : found.end]) else "loose json")


def each_in_json(said: str, member: str) -> Iterator[Any]:
    """The member of every object that has it whole, in their order."""
    for found in loose_objects(said):
        inner = _members(found.members, member)
        if inner is not None and not _cut_in(found, member):
            yield inner[member]


def _strictly(text: str) -> dict[str, Any] | None:
    try:
        found = _STRICT.decode(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _cut_in(found: Found, member: str) -> bool:
    return any(_plain(name) in _ALIASES[member] for name in found.unfinished)


def _members(found: dict[str, Any], member: str) -> dict[str, Any] | None:
    """The member and its evidence by any of their names, in the object or in one inside it."""
    for one in _inside(found):
        named = {_plain(name): value for name, value in one.items()}
        for name in (member, *sorted(_ALIASES[member] & named.keys())):
            if name in named:
                read = {member: named[name]}
                quotes = [named[name] for name in sorted(_ALIASES["evidence"] & named.keys())]
                return {**read, "evidence": quotes[0]} if quotes else read
    return None


def _plain(name: str) -> str:
    return name.strip().casefold()


def _inside(found: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """An object, then those in it, the outer ones first."""
    waiting: list[dict[str, Any]] = [found]
    for one in waiting:
        yield one
        if len(waiting) < _MANY_INSIDE:
            waiting += [value for value in one.values() if isinstance(value, dict)]
