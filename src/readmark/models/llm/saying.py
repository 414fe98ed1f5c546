"""Reading an answer out of what a model said: JSON where it kept to it, words where it did not.

Nothing here takes longer than a reply is long, whatever is in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import msgspec

from readmark.models.llm.loose_json import Found, loose_objects

_THOUGHTS = re.compile(r"<(/?)(?:think|thinking|reasoning)>", re.IGNORECASE)
_NO_WORDS = re.compile(r"```[ \t]*\w*|\s")
_BLANKS = re.compile(r"[ \t]{2,}")
_BOXED = re.compile(r"\\boxed\{(?:\\text\{)?([^{}]*)\}")
_NAMES = {
    "answer": r"(?:(?:the|my|final|short|correct|right)[ \t]+){0,3}answer|option|choice"
    r"|(?:最终|正确|参考|我的)?答案|回答|选项",
    "rewrite": r"(?:the[ \t]+)?(?:rewritten[ \t]+question|rewrite|question)"
    r"|改写(?:后的问题|为|结果)?|问题",
    "verdict": r"(?:(?:the|my|final)[ \t]+){0,2}(?:verdict|answer)|结论|判断|评判|答案",
    "evidence": r"evidence|quote|证据|依据|原文",
}
_LABELLED = {
    member: re.compile(
        rf"[ \t>*#\-]*(?:{names})(?:[ \t]{{1,8}}is|是|为)?[ \t*]*[:：][ \t*]*(.*)", re.IGNORECASE
    )
    for member, names in _NAMES.items()
}
_SAID_TO_BE = re.compile(
    r"\b(?:the|my)[ \t]{1,8}(?:(?:final|short|correct|right|best)[ \t]{1,8}){0,2}"
    r"answer[ \t]{1,8}(?:is|would be|should be|must be)\b[ \t:：*]*"
    r"|(?:最终|正确)?(?:答案|回答)(?:应该|应)?[是为选][ \t:：*]*",
    re.IGNORECASE,
)
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
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`"}
_ABBREVIATED = re.compile(r"\.\w{1,3}\.$")
_MANY_INSIDE = 200


class Said(msgspec.Struct, frozen=True):
    """The members that were read, and whether they stood in JSON, under a label or bare."""

    members: dict[str, Any]
    form: str


def read_said(content: str, member: str) -> Said:
    """The members of a reply; ``member`` is the one that must be there.

    In words the answer is what stands after a label such as ``Answer:``, else all that was said.
    Numbers in JSON are kept as they were written.
    """
    said = without_thoughts(content).strip()
    return _in_json(said, member) or _in_words(said, member)


def without_thoughts(content: str) -> str:
    """What was said without what a model wrote down while it thought."""
    kept: list[str] = []
    at, thinking = 0, False
    for tag in _THOUGHTS.finditer(content):
        if tag[1]:
            if not thinking:  # it was thinking from the start, and only says so now
                kept.clear()
            thinking = False
        elif not thinking:
            kept.append(content[at : tag.start()])
            thinking = True
        at = tag.end()
    if not thinking:
        kept.append(content[at:])
    return "".join(kept)


def unquoted(text: str) -> str:
    """A text without the quotation marks or stars that stand around the whole of it."""
    said = text.strip().strip("*").strip()
    while len(said) >= 2 and _QUOTES.get(said[0]) == said[-1]:
        inner = said[1:-1]
        if said[0] in inner or said[-1] in inner:
            break
        said = inner.strip()
    return said


def _in_json(said: str, member: str) -> Said | None:
    """The last object that has the member whole, else the last that was cut off in it."""
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


def _strictly(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text, strict=False, parse_int=str, parse_float=str, parse_constant=str)
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


def _in_words(said: str, member: str) -> Said:
    lines = said.splitlines()
    boxed = _BOXED.findall(said) if member == "answer" else []
    found = boxed[-1].strip() if boxed else _labelled(lines, member)
    if found is None and member == "answer":
        found = _said_to_be(lines)
    if found is None:
        return Said({member: unquoted(said)}, "words")
    members = {member: unquoted(found)}
    evidence = _labelled(lines, "evidence")
    if evidence is not None:
        members["evidence"] = unquoted(evidence)
    return Said(members, "label")


def _labelled(lines: list[str], member: str) -> str | None:
    """What stands after the last label of a member, on its line or the next that has words."""
    for at in range(len(lines) - 1, -1, -1):
        label = _LABELLED[member].match(lines[at])
        if label is not None:
            words = label[1] or next((one for one in lines[at + 1 :] if one.strip()), "")
            return _BLANKS.sub(" ", words).strip()
    return None


def _said_to_be(lines: list[str]) -> str | None:
    """What an answer is said to be: in a sentence, whose full stop is not the answer's."""
    for line in reversed(lines):
        *_, last = (None, *_SAID_TO_BE.finditer(line))
        if last is not None:
            words = _BLANKS.sub(" ", line[last.end() :]).strip()
            return words if _ABBREVIATED.search(words) else words.rstrip("。.")
    return None
