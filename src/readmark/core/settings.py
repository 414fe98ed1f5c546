"""Settings objects: options that travel together, as frozen dataclasses.

A field is defined once: the dataclass has its default and its help, ``__post_init__`` what is
allowed. Keyword arguments, options of commands and tables of readmark.toml fill the same fields.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, field, fields, is_dataclass, replace
from typing import Any, TypeVar

from readmark.core.errors import UsageError, did_you_mean

S = TypeVar("S")

WORDS: Mapping[type, str] = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "text",
    list: "text or a list of texts",
}
"""Each plain type in words, for messages."""


def setting(default: Any, help: str, *, takes: type | None = None, default_words: str = "") -> Any:
    """A field of a settings object: its default and its line of help.

    ``takes`` is the plain type that fills it from a file, if the default does not show that:
    ``list`` is one text or several, and a dataclass is a table. ``default_words`` describes a
    default that is not a value, such as "no limit".
    """
    metadata = {"help": help, "takes": takes or type(default), "default": default_words}
    return field(default=default, metadata=metadata)


def plain_type(declared: Field[Any]) -> type:
    """The plain type that fills a field from a file."""
    filled_by: type = declared.metadata["takes"]
    return filled_by


def settings_of(cls: type[S], settings: Any, keywords: Mapping[str, Any]) -> S:
    """A settings object of this class, in which keyword arguments win over ``settings``.

    These may also be of the class that ``cls`` extends.
    """
    names = [declared.name for declared in fields(cls)]  # type: ignore[arg-type]
    for name in keywords:
        if name not in names:
            raise TypeError(f"unexpected keyword argument {name!r}; {did_you_mean(name, names)}")
    if settings is None:
        return cls(**keywords)
    if isinstance(settings, cls):
        return replace(settings, **keywords) if keywords else settings  # type: ignore[type-var]
    if type(settings) not in cls.__mro__[:-1]:
        raise UsageError(f"`settings` is not a {cls.__name__}, but a {type(settings).__name__}")
    values = {declared.name: getattr(settings, declared.name) for declared in fields(settings)}
    return cls(**{**values, **keywords})


def settings_from(cls: type[S], table: Mapping[str, Any]) -> S:
    """Settings from plain values, such as a table of readmark.toml.

    Unknown names and values of another type are usage errors that name the field.
    """
    by_name = {declared.name: declared for declared in fields(cls)}  # type: ignore[arg-type]
    for name in table:
        if name not in by_name:
            raise UsageError(f"unknown setting `{name}`; {did_you_mean(name, by_name)}")
    return cls(**{name: _checked(by_name[name], value) for name, value in table.items()})


def _checked(declared: Field[Any], value: Any) -> Any:
    """The value of a field, in the type that it takes."""
    expected = plain_type(declared) if "takes" in declared.metadata else _type_of(declared)
    if value is None and declared.default is None:
        return None
    if is_dataclass(expected) and isinstance(value, Mapping):
        return settings_from(expected, value)
    if expected is list:
        texts = [value] if isinstance(value, str) else value
        if isinstance(texts, Sequence) and all(isinstance(text, str) for text in texts):
            return tuple(texts)
    elif expected is float and type(value) in (int, float) and not math.isnan(value):
        return float(value)
    elif type(value) is expected:
        return value
    words = WORDS.get(expected, "a table")
    raise UsageError(f"`{declared.name}` is {value!r:.60}, expected {words}")


def _type_of(declared: Field[Any]) -> type:
    """The type of a plain dataclass's field, such as those of `Traffic`."""
    if declared.default not in (None, MISSING):
        return type(declared.default)
    name = str(declared.type).partition(" | ")[0]
    return {"int": int, "float": float, "bool": bool}.get(name, str)
