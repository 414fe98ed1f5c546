"""Characters that mean something in the notation, written as in HTML: ``&lt;``, ``&#32;``."""

from __future__ import annotations

import re
from collections.abc import Iterable

REFERENCE = r"&(?:lt|gt|amp|quot|apos|\#[0-9]{1,7}|\#x[0-9a-f]{1,6});"
_REFERENCE = re.compile(REFERENCE, re.IGNORECASE)
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def character_of(reference: str) -> str:
    """The character that a reference stands for; one that stands for none is itself."""
    name = reference[1:-1].lower()
    if name in _NAMED:
        return _NAMED[name]
    code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    if not 0 < code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return reference
    return chr(code)


def reference_to(character: str) -> str:
    """A character as a reference."""
    return "&lt;" if character == "<" else f"&#{ord(character)};"


def is_reference(text: str, index: int) -> bool:
    """Whether the text at an index would be read as a reference."""
    return text[index] == "&" and _REFERENCE.match(text, index) is not None


def read_plainly(written: str) -> str:
    """A text without tags, such as a title, with its references resolved."""
    return _REFERENCE.sub(lambda match: character_of(match[0]), written)


def write_plainly(text: str, *, special: Iterable[str] = ()) -> str:
    """A text without tags on one line, so that stripping and splitting leave it whole."""
    reserved = {*special, *"\n\r\t\f\v"}
    signs = []
    for index, sign in enumerate(text):
        is_outer_space = sign == " " and index in (0, len(text) - 1)
        if is_reference(text, index):
            signs.append("&amp;")
        elif sign in reserved or is_outer_space:
            signs.append(reference_to(sign))
        else:
            signs.append(sign)
    return "".join(signs)
