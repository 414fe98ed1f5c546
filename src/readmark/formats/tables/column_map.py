"""Which columns hold what where their names do not tell: ``--map``, ``map=`` and ``[columns]``."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from readmark.core.configuration import configuration
from readmark.core.configuration_sections import UserConfiguration
from readmark.core.errors import UsageError, did_you_mean
from readmark.formats.tables.headings import HEADINGS, REPEATABLE, folded

PREDICTION = "prediction"
"""The field of a candidate's answers, which no test has."""
FIELDS = (*HEADINGS, PREDICTION)

_mapped: ContextVar[_Mapped | None] = ContextVar("mapped", default=None)
"""The columns that a caller named, while a file is being opened."""
_met: set[str] = set()
"""The configured columns, as folded names, that files opened in this process had."""


def columns_by_field(names: Mapping[str, str]) -> dict[str, list[str]]:
    """``{"gold": "answer"}`` by field; answers and options may have several columns."""
    by_field: dict[str, list[str]] = {}
    for column, name in names.items():
        field = _field(name)
        if field is None:
            hint = did_you_mean(name, FIELDS)
            raise UsageError(f"`map` has the unknown field {name!r} for {column!r}; {hint}")
        by_field.setdefault(field, []).append(column)
        if len(by_field[field]) > 1 and field not in REPEATABLE:
            both = " and ".join(map(repr, by_field[field]))
            raise UsageError(f"`map` has two columns for {field}: {both}")
    return by_field


@dataclass(slots=True)
class _Mapped:
    columns: Mapping[str, Sequence[str]]
    is_used: bool = False


@contextmanager
def mapped(names: Mapping[str, str] | None, file: object) -> Iterator[None]:
    """Open a file with these columns, each by its name with its field; it must have them."""
    if not names:
        yield
        return
    asked = _Mapped(columns_by_field(names))
    token = _mapped.set(asked)
    try:
        yield
    finally:
        _mapped.reset(token)
    if not asked.is_used:
        raise UsageError(f"`map` names columns, and {file} has none: it is no table of questions")


def is_mapped() -> bool:
    """Whether the caller said what the columns of the file being opened are."""
    return _mapped.get() is not None


def mapping_for(
    columns: Sequence[str], fields: Collection[str] = HEADINGS
) -> dict[str, Sequence[str]]:
    """By field, the columns of a file that the configuration or the caller assigned to it."""
    known = set(map(folded, columns))
    mapping: dict[str, Sequence[str]] = {}
    for field, names in configured_columns(configuration()).items():
        if field not in fields:
            continue
        matches = [name for name in names if folded(name) in known]
        if matches:
            mapping[field] = matches if field in REPEATABLE else matches[:1]
            _met.update(map(folded, matches))
    if (asked := _mapped.get()) is not None:
        asked.is_used = True
        mapping |= asked.columns
    return mapping


def was_met(column: str) -> bool:
    """Whether any file opened so far had this configured column."""
    return folded(column) in _met


def configured_columns(in_force: UserConfiguration) -> dict[str, Sequence[str]]:
    """The columns of each field in ``[columns]`` of readmark.toml; an unknown field is an error."""
    by_field: dict[str, Sequence[str]] = {}
    for name, columns in in_force.columns.items():
        field = _field(name)
        if field is None:
            in_force.refuse(("columns", name), f"unknown field; {did_you_mean(name, FIELDS)}")
        if field in by_field:
            in_force.refuse(("columns", name), f"{field} is there twice")
        by_field[field] = columns
    return by_field


def _field(name: str) -> str | None:
    """The field of that name, else the first one that a column of that heading would be."""
    heading = folded(name)
    fields = [field for field in FIELDS if heading == folded(field)]
    fields += [field for field, headings in HEADINGS.items() if heading in map(folded, headings)]
    return fields[0] if fields else None
