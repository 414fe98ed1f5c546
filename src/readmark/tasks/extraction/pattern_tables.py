"""The tables of a ``patterns.toml`` as TOML has them; docs/patterns.md says what each member is."""

from __future__ import annotations

from typing import Any

from readmark.core.records import Value
from readmark.tasks.extraction.pattern_set import Chain, Ledger, ScopeRule

Find = str | tuple[str, ...]
"""The text of a pattern, or several that do the same."""


class TypeTable(Value, frozen=True):
    """A table ``[type.NAME]``."""

    category: str = ""
    entities: dict[str, tuple[str, ...]] = {}
    shared: tuple[str, ...] = ()
    names: bool = False
    never: tuple[str, ...] = ()
    title: Find = ()
    tail: Find = ()
    surname: bool = False
    pronouns: tuple[str, ...] = ()
    member: str = ""
    pair: bool = False
    values: dict[str, str | int | float | bool] = {}
    full: str = ""
    short: bool = False
    words: int = 0
    ends: tuple[str, ...] = ()
    first: bool = False
    surnames: tuple[str, ...] = ()


class PhraseTable(Value, frozen=True, rename={"type": "as"}):
    """A table ``[[phrase]]``."""

    type: str
    find: Find
    values: dict[str, str | int | float | bool] = {}
    part: bool = False
    again: bool = False


class PatternTable(Value, frozen=True):
    """A table ``[[pattern]]``."""

    find: Find
    name: str = ""
    mark: str = ""
    values: dict[str, str | int | float | bool] = {}
    set: dict[str, str | int] = {}
    remember: dict[str, str] = {}
    skip: tuple[str, ...] = ()
    hide: bool = False
    early: bool = False
    about: str = ""
    amend: str = ""
    where: dict[str, str | int | float | bool] = {}
    once: bool = False
    check: tuple[str, ...] = ()
    final: bool = False
    probability: float | None = None


class PatternFile(Value, frozen=True):
    """The whole file."""

    words: dict[str, tuple[str, ...]] = {}
    type: dict[str, TypeTable] = {}
    scope: dict[str, ScopeRule] = {}
    chain: dict[str, Chain] = {}
    ledger: dict[str, Ledger] = {}
    phrase: tuple[PhraseTable, ...] = ()
    pattern: tuple[PatternTable, ...] = ()
    training_record: dict[str, Any] = {}
    """What the patterns were learnt from, if a program learnt them."""


def texts_of(find: Find) -> tuple[str, ...]:
    """The texts of a pattern."""
    return (find,) if isinstance(find, str) else find
