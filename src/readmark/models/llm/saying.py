"""Reading an answer out of what a model said: JSON where it kept to it, words where it did not."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import msgspec

from readmark.text.folding import folded

_THOUGHT = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL | re.IGNORECASE)
_OPEN_THOUGHT = re.compile(r"^.*</(?:think|thinking|reasoning)>", re.DOTALL | re.IGNORECASE)
_BEGUN_THOUGHT = re.compile(r"<(?:think|thinking|reasoning)>.*$", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```[ \t]*\w*[ \t]*\n(.*?)```", re.DOTALL)
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_LABELLED = re.compile(
    r"^[\s>*#\-]*(?:the\s+)?(?:final\s+|short\s+)?"
    r"(?:answer|rewrite|rewritten question|option|choice|verdict|答案|最终答案|回答|改写|选项)"
    r"(?:\s+is|是|为)?[\s*]*[:：][\s*]*(.+?)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED_EVIDENCE = re.compile(
    r"^[\s>*#\-]*(?:evidence|quote|证据|依据|原文)[\s*]*[:：][\s*]*(.+?)\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "「": "」", "『": "』", "`": "`"}
_LETTER = re.compile(
    r"^\W*(?:(?:option|choice)\s+|选项\s*|选\s*)?[（(\[]?([A-Z])(?=$|[)）\].．。、:：,，*]|\s*$)",
    re.IGNORECASE,
)
_MANY_OBJECTS = 50
OPTION_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Said(msgspec.Struct, frozen=True):
    """The members that were read, and whether they stood in JSON, under a label or bare."""

    members: dict[str, Any]
    form: str


def read_said(content: str, member: str) -> Said:
    """The members of a reply; ``member`` is the one that must be there.

    In words the answer is what stands after a label such as ``Answer:``, else all that was said.
    """
    said = without_thoughts(content)
    for text in (said.strip(), *(found.strip() for found in _FENCED.findall(said))):
        found = _json(text)
        if isinstance(found, dict) and member in found:
            return Said(found, "json")
    for found in _objects(said):
        if member in found:
            return Said(found, "json inside words")
    labelled = _LABELLED.findall(said)
    if labelled:
        members = {member: unquoted(labelled[-1])}
        evidence = _QUOTED_EVIDENCE.findall(said)
        if evidence:
            members["evidence"] = unquoted(evidence[-1])
        return Said(members, "label")
    return Said({member: unquoted(said.strip())}, "words")


def without_thoughts(content: str) -> str:
    """What was said without what a model wrote down while it thought."""
    said = _OPEN_THOUGHT.sub("", _THOUGHT.sub("", content))
    return _BEGUN_THOUGHT.sub("", said)


def unquoted(text: str) -> str:
    """A text without the quotation marks or stars that stand around the whole of it."""
    said = text.strip().strip("*").strip()
    while len(said) >= 2 and _QUOTES.get(said[0]) == said[-1]:
        inner = said[1:-1]
        if said[0] in inner or said[-1] in inner:
            break
        said = inner.strip()
    return said


def chosen_option(said: str, options: Sequence[str]) -> int | None:
    """Which option was meant: by its words, else by its letter, else the one that is named."""
    sought = folded(said)
    same = [at for at, option in enumerate(options) if folded(option) == sought and sought]
    if len(same) == 1:
        return same[0]
    letter = _LETTER.match(said)
    if letter is not None:
        at = OPTION_LETTERS.index(letter[1].upper())
        if at < len(options):
            return at
    named = [at for at, option in enumerate(options) if folded(option) and folded(option) in sought]
    longest = [
        at
        for at in named
        if not any(one != at and folded(options[at]) in folded(options[one]) for one in named)
    ]
    return longest[0] if len(longest) == 1 else None


def _json(text: str) -> Any:
    for one in (text, _TRAILING_COMMA.sub(r"\1", text)):
        try:
            return msgspec.json.decode(one)
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            continue
    return None


def _objects(text: str) -> list[dict[str, Any]]:
    """The JSON objects that stand among words, last first: models think before they answer."""
    import json

    decoder = json.JSONDecoder(strict=False)
    found: list[dict[str, Any]] = []
    at = text.find("{")
    tries = 0
    while at >= 0 and tries < _MANY_OBJECTS:
        tries += 1
        try:
            value, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            end = at + 1
        else:
            if isinstance(value, dict):
                found.append(value)
        at = text.find("{", end)
    return found[::-1]
