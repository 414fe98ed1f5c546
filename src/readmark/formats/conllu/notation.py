"""The notation of CoNLL-U: what its columns hold, how comments and white space are spelt.

https://universaldependencies.org/format.html defines the columns, the comments and MISC's names
for white space. NP, NE and layer_sources are Readmark's own.
"""

from __future__ import annotations

import json
import re
from typing import Any

COLUMNS = 10
PLAIN_COLUMNS = {"lemma": 2, "pos": 3, "tag": 4, "feats": 5, "dep": 7, "deps": 8}
"""The columns of a token layer that are a column of the file, with its index."""
SPACING = ("SpaceAfter", "SpacesAfter", "SpacesBefore", "SpacesInToken")
"""The names in MISC that say what white space there is."""
CHUNKS = {"NP": "np", "NE": "ne"}
"""The names in MISC that hold phrases and entities, as B, I, B-PERSON and I-PERSON."""
SOURCES = "layer_sources"
"""The comment, on a document's first sentence, that names who made each layer."""
RESERVED_COMMENTS = ("text", "newdoc", "newdoc id", "newpar", "newpar id", "sent_id", SOURCES)
"""Comments with a meaning, which no column of the sentence layer can be written as."""

_COMMENT = re.compile(r"#\s*([^\s=]+(?:\s+id)?)(?:\s*=\s?(.*))?")
_ESCAPES = {"s": " ", "t": "\t", "r": "\r", "n": "\n", "p": "|", "\\": "\\"}
_ESCAPED = {plain: f"\\{letter}" for letter, plain in _ESCAPES.items()}


def escaped(spaces: str) -> str:
    """White space as MISC spells it."""
    return "".join(_ESCAPED.get(space, space) for space in spaces)


def unescaped(spelt: str) -> str:
    """The white space that MISC spells."""
    return re.sub(r"\\(.)", lambda match: _ESCAPES.get(match[1], match[0]), spelt)


def split_comment(line: str) -> tuple[str, str | None]:
    """The name of a comment and its text, which is None without an equals sign."""
    match = _COMMENT.fullmatch(line)
    if match is None:
        return line.lstrip("#").strip(), None
    return " ".join(match[1].split()), match[2]


def comment_of(line: str) -> tuple[str, Any]:
    """The name and the value that a comment is read as."""
    name, text = split_comment(line)
    return name, comment_value(text)


def comment_value(text: str | None) -> Any:
    """What a comment says: JSON, else the words themselves; without a text it is true."""
    if text is None:
        return True
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def spelt_comment(value: Any) -> str:
    """A value on one line that reads back."""
    is_plain = isinstance(value, str) and value.isprintable() and value == value.strip()
    if is_plain and value and comment_value(value) == value:
        return str(value)
    return json.dumps(value)
