"""What formats of texts with layers have no place for: questions, titles, fields, the header."""

from __future__ import annotations

import msgspec

from readmark.core.encodings import ENCODING
from readmark.core.records import Passage
from readmark.core.test import Header
from readmark.formats.losses import Losses, header_losses, passage_losses


def text_losses(losses: Losses, passage: Passage, *, key_field: str = "") -> None:
    """Name what of a passage is lost; ``key_field`` is the field of the key that the format has."""
    for name in ("title", "article"):
        if getattr(passage, name) is not None:
            losses.cannot_store(f"the passage's {name}", passage.id)
    passage_losses(losses, msgspec.structs.replace(passage, layers={}, key=None))
    hidden = passage.key.fields if passage.key else {}
    names = [name for name in passage.fields if name != ENCODING]
    names += [name for name in hidden if name != key_field]
    if names:
        losses.cannot_store("fields ()", passage.id, names=names)
    for question in passage.questions:
        losses.cannot_store("questions", question.id)


def document_losses(losses: Losses, header: Header) -> None:
    """Name what a foreign document does not say of itself."""
    header_losses(losses, header, profile=None)
    names = [name for name in header.fields if name != ENCODING]
    if names:
        losses.cannot_store("the header's fields ()", header.name or "header", names=names)
