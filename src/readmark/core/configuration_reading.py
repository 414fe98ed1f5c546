"""Reading a configuration: a file and settings over it, checked against the sections."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import MISSING, replace
from pathlib import Path
from typing import Any, TypeVar

from readmark.core import typed_keys as takes
from readmark.core.configuration_sections import (
    SECTION_NAMES,
    SECTIONS,
    KeySpec,
    ModelSettings,
    RaySettings,
    RunSettings,
    SpendingLimits,
    TrainSettings,
    UserConfiguration,
    key_specs,
    short_path,
    shown_value,
)
from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.limits import Limits
from readmark.core.stored_keys import (
    STORED_KEY,
    has_secret_prefix,
    looks_like_secret,
    names_secret,
)
from readmark.core.toml_lines import read_toml
from readmark.core.typed_keys import ValueType

_MODEL_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_RESERVED = ("messages", "response_format", "stream")
"""Members of a request that Readmark fills in."""
_OWN_KEYS = {
    **{name: name for name in ("model", "max_tokens", "temperature", "top_p", "seed", "stop")},
    "max_completion_tokens": "max_tokens",
}
"""Members of a request that a key of the section sets: in the body they would be sent twice."""
_Section = TypeVar("_Section")


class ConfigurationReader:
    """Values of a file and of settings, with where each is from; then checked against sections."""

    def __init__(self, file: Path | None, folder: str) -> None:
        self._file = file
        self._name = "" if file is None else short_path(file, folder)
        self._folder = Path() if file is None else file.parent
        document = read_toml(file, self._name) if file is not None else None
        self._values: dict[str, Any] = _copy(document.values) if document is not None else {}
        self._lines = dict(document.lines) if document is not None else {}
        self._settings: dict[tuple[str, ...], str] = {}

    def set(self, setting: str) -> None:
        """Take over ``KEY=VALUE``; the value is TOML, or a text without quotes."""
        name, sign, text = setting.partition("=")
        path = _path_of(name)
        if not sign or not path:
            shown = "KEY" if looks_like_secret(setting) else setting
            raise UsageError(f"--set {shown}: expected KEY=VALUE, such as limits.cost=1.50")
        if path in self._settings:
            raise UsageError(f"--set {'.'.join(path)} is given twice")
        spec = _find(path)
        table = self._values
        for part in path[:-1]:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise UsageError(f"--set {'.'.join(path)}: {part} is a value, not a table")
        if spec is not None and spec.value is not None and spec.value.is_text:
            value: Any = text.strip()
            if len(value) > 1 and value[0] == value[-1] == '"':
                value = value[1:-1]
        else:
            try:
                value = tomllib.loads(f"value = {text}")["value"]
            except (tomllib.TOMLDecodeError, RecursionError):
                value = text.strip()
        table[path[-1]] = value
        self._settings[path] = f"--set {'.'.join(path)}"

    def configuration(self) -> UserConfiguration:
        for name in self._values:
            if name not in SECTION_NAMES:
                self._refuse((name,), f"unknown section; {did_you_mean(name, SECTION_NAMES)}")
            if not isinstance(self._values[name], dict):
                self._refuse((name,), f"expected a section [{name}]")
        models = {}
        for name in self._values.get("models", {}):
            models[name] = self._model(name)
        columns = {}
        for name, headings in self._values.get("columns", {}).items():
            self._check_secret(("columns", name), headings)
            columns[name] = self._value(("columns", name), takes.TEXTS, headings)
            if not columns[name] or not all(columns[name]):
                self._refuse(("columns", name), "expected the name of a column")
        return UserConfiguration(
            models=models,
            limits=self._section(SpendingLimits, ("limits",)),
            ray=self._section(RaySettings, ("ray",)),
            files=self._section(Limits, ("files",)),
            columns=columns,
            run=self._run(),
            train=self._section(TrainSettings, ("train",)),
            file=self._file,
            origins={
                **{path: f"{self._name}:{line}" for path, line in self._lines.items()},
                **self._settings,
            },
        )

    def _run(self) -> RunSettings:
        run = self._section(RunSettings, ("run",))
        is_default = "out" not in self._values.get("run", {})
        return replace(run, out=self._at(run.out)) if is_default else run

    def _model(self, name: str) -> ModelSettings:
        from readmark.core.registry import Registry

        path = ("models", name)
        if looks_like_secret(name):
            self._refuse(("models",), "a name looks like a secret")
        if not _MODEL_NAME.fullmatch(name):
            self._refuse(path, "expected a name of lower-case letters, digits, '-' and '_'")
        if name in Registry("candidate", "readmark.candidates"):
            self._refuse(path, f"a candidate is called {name}; expected another name")
        model = self._section(ModelSettings, path, name=name)
        for member in model.body:
            if member in _RESERVED:
                self._refuse((*path, "body", member), "Readmark fills it in")
            if member in _OWN_KEYS:
                self._refuse((*path, "body", member), f"write {'.'.join(path)}.{_OWN_KEYS[member]}")
        for header, value in model.headers.items():
            key = (*path, "headers", header)
            if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", header):
                self._refuse(key, "is not the name of an HTTP header")
            if not value.isascii() or not value.isprintable():
                self._refuse(key, "expected printable ASCII text")
        return model

    def _section(self, cls: type[_Section], path: tuple[str, ...], **more: Any) -> _Section:
        table: Any = self._values
        for part in path:
            table = table.get(part, {})
        if not isinstance(table, dict):
            self._refuse(path, f"expected a section [{'.'.join(path)}]")
        specs = {spec.name: spec for spec in key_specs(cls)}
        values: dict[str, Any] = dict(more)
        for name, value in table.items():
            key = (*path, name)
            if name not in specs:
                if looks_like_secret(name):
                    self._refuse(path, "has a key that looks like a secret")
                self._refuse(key, f"unknown key; {did_you_mean(name, specs)}")
            self._check_secret(key, value)
            spec = specs[name]
            if spec.section is not None:
                values[name] = self._section(spec.section, key)
            elif spec.value is not None:
                values[name] = self._value(key, spec.value, value)
        for name, spec in specs.items():
            if spec.default is MISSING and name not in values:
                self._refuse(path, f"{name} is missing")
        return cls(**values)

    def _value(self, path: tuple[str, ...], type: ValueType, value: Any) -> Any:
        try:
            read = type.read(value)
        except ValueError:
            # An address or the place of a key is never repeated: it may be the key itself.
            is_shown = type not in (takes.STORED, takes.ADDRESS) and _may_be_shown(value)
            problem = f"{shown_value(value)} is not" if is_shown else "expected"
            self._refuse(path, f"{problem} {type.words}")
        if not type.is_path or path in self._settings:
            return read
        return self._at(read) if isinstance(read, str) else tuple(map(self._at, read))

    def _at(self, path: str) -> str:
        """A path from where the file is; an address and an empty name stay as they are."""
        return path if not path or "://" in path else os.fspath(self._folder / path)

    def _check_secret(self, path: tuple[str, ...], value: Any) -> None:
        """Refuse what looks like a secret, without showing it."""
        if isinstance(value, dict):
            for name, member in value.items():
                if looks_like_secret(name):
                    self._refuse(path, "has a key that looks like a secret")
                self._check_secret((*path, name), member)
        elif isinstance(value, list):
            for member in value:
                self._check_secret(path, member)
        elif isinstance(value, str) and not STORED_KEY.fullmatch(value):
            # Addresses, paths and names of candidates may well have a hash, which is no secret.
            may_have_hash = path[0] != "models" or path[2:] in (("base_url",), ("cache",))
            is_secret = has_secret_prefix(value) if may_have_hash else looks_like_secret(value)
            is_sent = "headers" in path[2:-1] or "body" in path[2:-1]
            if is_secret or (is_sent and names_secret(path[-1])):
                self._refuse(
                    path,
                    "looks like a secret; write env:NAME or keyring:NAME, never the key itself",
                )

    def _refuse(self, path: tuple[str, ...], message: str) -> Any:
        """Raise the error of a key, with its line or the option that set it."""
        for key, option in self._settings.items():
            if _overlaps(key, path):
                raise UsageError(f"{option}: {message}")
        inside = (line for key, line in self._lines.items() if key[: len(path)] == path)
        upwards = (
            self._lines[path[:size]]
            for size in range(len(path), 0, -1)
            if path[:size] in self._lines
        )
        line = next(inside, None) or next(upwards, None)
        raise DataError(f"{'.'.join(path)}: {message}", file=self._name, where=line)


def _overlaps(option: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether an option set a key, a member of it, or the table that it is in."""
    return option[: len(path)] == path or path[: len(option)] == option


def _path_of(name: str) -> tuple[str, ...]:
    """The parts of a key with dots, or none if it is not a key."""
    try:
        values = tomllib.loads(f"{name.strip()} = 0")
    except (tomllib.TOMLDecodeError, RecursionError):
        return ()
    path: tuple[str, ...] = ()
    while isinstance(values, dict) and len(values) == 1:
        [(part, values)] = values.items()
        path = (*path, part)
    return path


def _find(path: tuple[str, ...]) -> KeySpec | None:
    """The declared key of a path, if there is one."""
    section = SECTIONS.get(path[0])
    rest = path[2:] if path[0] == "models" else path[1:]
    for part in rest:
        specs = key_specs(section) if section is not None else ()
        spec = next((spec for spec in specs if spec.name == part), None)
        if spec is None:
            return None
        if spec.section is None:
            return spec if part == rest[-1] else None
        section = spec.section
    return None


def _may_be_shown(value: Any) -> bool:
    """Whether a message may repeat a wrong value: not what may be a secret."""
    if isinstance(value, str):
        return len(value) <= 60 and not looks_like_secret(value)
    return isinstance(value, int | float)


def _copy(values: Any) -> Any:
    """Tables that ``set`` may change; lists and plain values it replaces as a whole."""
    if not isinstance(values, Mapping):
        return values
    return {name: _copy(value) for name, value in values.items()}
