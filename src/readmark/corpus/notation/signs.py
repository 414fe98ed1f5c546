"""Characters that mean something in the notation, written as in HTML: ``&lt;``, ``&#32;``."""

from __future__ import annotations

import re
from collections.abc import Iterable

REFERENCE = r"&(?:lt|gt|amp|quot|apos|\#[0-9]{1,7}|\#x[0-9a-f]{1,6});"
_REFERENCE = re.compile(REFERENCE, re.IGNORECASE)
_NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def meant(reference: str) -> str:
    """The character that a reference stands for; one that stands for none is itself."""
    name = reference[1:-1].lower()
    if name in _NAMED:
        return _NAMED[name]
    code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    if not 0 < code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        return reference
    return chr(code)


def reference(sign: str) -> str:
    """A character as a reference."""
    return "&lt;" if sign == "<" else f"&#{ord(sign)};"


def is_reference(text: str, at: int) -> bool:
    """Whether what stands there would be read as a reference."""
    return text[at] == "&" and _REFERENCE.match(text, at) is not None


def read_plainly(written: str) -> str:
    """A text without tags, such as a title, as it is meant."""
    return _REFERENCE.sub(lambda found: meant(found[0]), written)


def write_plainly(text: str, *, special: Iterable[str] = ()) -> str:
    """A text without tags on one line, so that stripping and splitting leave it whole."""
    reserved = {*special, *"\n\r\t\f\v"}
    last = len(text) - 1
    return "".join(
        "&amp;"
        if is_reference(text, at)
        else reference(sign)
        if sign in reserved or (sign == " " and at in (0, last))
        else sign
        for at, sign in enumerate(text)
    )
