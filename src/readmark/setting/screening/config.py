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
from readmark.setting.screening.checks import CHECKS, LANGUAGES, Bounds

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
                where, bounds = f"{language}.{name}", CHECKS[name].thresholds
                for key, value in _table(settings, where, path).items():
                    _known(key, ("on", *bounds), f"threshold of {where}", path)
                    _sound(value, bounds.get(key), f"{where}.{key}", path)
                    tables[language][name][key] = value
                _in_order(tables[language][name], where, path)
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


def _sound(value: object, bounds: Bounds | None, where: str, path: str | Path) -> None:
    if bounds is None:  # whether the check is on
        if not isinstance(value, bool):
            raise DataError(f"{where} is {value!r}, expected true or false", file=path)
        return
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not number or not math.isfinite(value):  # type: ignore[arg-type]
        raise DataError(f"{where} is {value!r}, expected a number", file=path)
    if not bounds.allows(value):  # type: ignore[arg-type]
        raise DataError(f"{where} is {value!r}, expected {bounds.expected}", file=path)


def _in_order(settings: Mapping[str, Any], where: str, path: str | Path) -> None:
    """A least above the most would discard everything; either may be the default's."""
    if "least" in settings and settings["least"] > settings["most"]:
        least, most = settings["least"], settings["most"]
        raise DataError(f"{where}.least is {least}, above its most, {most}", file=path)
