"""The registry of the kinds of test; ``readmark.hooks.Kind`` says what a kind is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from readmark.core.registry import Registry

if TYPE_CHECKING:
    from readmark.hooks import Kind


Finding = tuple[str, str, str]
"""An id, the code of the problem (a ``WarningCode`` for a warning), and a line of prose."""


KINDS = Registry("kind of test", "readmark.kinds")


def kind_named(name: str) -> Kind:
    kind: Kind = KINDS.load(name)
    return kind
