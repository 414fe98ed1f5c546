"""Which checks are on and by what thresholds: the file that ships, and a user's over it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError, UsageError, did_you_mean
from readmark.corpus.files import read_toml
from readmark.corpus.language import primary
from readmark.setting.screening.checks import CHECKS, LANGUAGES, NEAR_DUPLICATES

Settings = Mapping[str, Mapping[str, float]]
"""The checks of a language that are on, each with its thresholds."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of each language."""

    languages: Mapping[str, Settings]

    def of(self, language: str, *, file: str, where: object = None) -> Settings:
        """A language's checks; one that has none is an error of usage."""
        found = self.languages.get(primary(language))
        if found is None:
            place = f"{file}:{where}" if where is not None else file
            known = ", ".join(LANGUAGES)
            raise UsageError(f"{place}: no checks for language {language!r}; known: {known}")
        return found


def default_config() -> str:
    """The file that ships."""
    folder = files("readmark.setting.screening")
    return folder.joinpath("data", "screening.toml").read_text("utf-8")


def load_config(path: str | Path | None = None) -> Config:
    """The default, with what a user's file changes."""
    tables = tomllib.loads(default_config())
    if path is not None:
        for language, checks in read_toml(path).items():
            _known(language, LANGUAGES, "language", path)
            fitting = [name for name, one in CHECKS.items() if language in one.measures]
            for name, settings in _table(checks, language, path).items():
                _known(name, fitting, f"check for {language}", path)
                allowed = ("on", *CHECKS[name].thresholds)
                for key, value in _table(settings, f"{language}.{name}", path).items():
                    _known(key, allowed, f"threshold of {language}.{name}", path)
                    _sound(key, value, f"{language}.{name}", path)
                    tables[language][name][key] = value
    return Config({language: _on(checks) for language, checks in tables.items()})


def _on(checks: Mapping[str, Mapping[str, Any]]) -> Settings:
    return {
        name: {key: value for key, value in settings.items() if key != "on"}
        for name, settings in checks.items()
        if settings["on"]
    }


def _table(value: object, name: str, path: str | Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"{name} is no table; expected [LANGUAGE.CHECK] tables", file=path)
    return value


def _known(name: str, known: tuple[str, ...] | list[str], what: str, path: str | Path) -> None:
    if name not in known:
        raise DataError(f"no {what} named {name!r}; {did_you_mean(name, known)}", file=path)


def _sound(key: str, value: object, where: str, path: str | Path) -> None:
    if key == "on":
        if not isinstance(value, bool):
            raise DataError(f"{where}.on is {value!r}, expected true or false", file=path)
        return
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not math.isfinite(value):  # type: ignore[arg-type]
        raise DataError(f"{where}.{key} is {value!r}, expected a number", file=path)
    if where.endswith(NEAR_DUPLICATES):
        sound = 0 < value <= 1 if key == "resemblance" else value == int(value) >= 1  # type: ignore[operator,call-overload]
        if not sound:
            expected = "more than 0, at most 1" if key == "resemblance" else "a whole number from 1"
            raise DataError(f"{where}.{key} is {value!r}, expected {expected}", file=path)
