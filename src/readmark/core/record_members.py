"""Members that records, questions and keys of some kinds have, read whatever the kind is.

What passes over files of any kind asks here for a split or a text, and gets nothing where a kind
has no such member. What a unit *is*, a kind says itself: its facts, and how it is shown.
"""

from __future__ import annotations

from typing import Any

from readmark.core.records import Layers


def text_of(record: Any) -> str | None:
    """A record's text; a series has none."""
    text = getattr(record, "text", None)
    return text if isinstance(text, str) else None


def title_of(record: Any) -> str:
    """A record's title."""
    return getattr(record, "title", None) or ""


def split_of(record: Any) -> str | None:
    """A record's split."""
    return getattr(record, "split", None) or None


def language_in(holder: Any) -> str | None:
    """The language that a record or question names itself."""
    return getattr(holder, "language", None) or None


def questions_of(record: Any) -> tuple[Any, ...]:
    """The questions of a passage or series."""
    return tuple(getattr(record, "questions", ()))


def options_of(question: Any) -> tuple[str, ...]:
    """The options of a question to choose among."""
    return tuple(getattr(question, "options", ()))


def is_unanswerable(key: Any) -> bool:
    """Whether a key says that there is no answer."""
    return bool(getattr(key, "unanswerable", False))


def all_layers(holder: Any) -> Layers:
    """All layers of a record or question, those of its key included."""
    return {**getattr(holder, "layers", {}), **layers_of_key(getattr(holder, "key", None))}


def layers_of_key(key: Any) -> Layers:
    """The layers that only a key has."""
    layers: Layers = getattr(key, "layers", {})
    return layers
