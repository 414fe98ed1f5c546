"""Which checks are on and by what thresholds: the file that ships, and a user's over it."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeGuard

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import read_toml
from readmark.core.language import primary
from readmark.making.screening.checks import CHECKS, Bounds

Settings = Mapping[str, Mapping[str, float]]
"""The checks of a language that are on, each with its thresholds."""


@dataclass(frozen=True, slots=True)
class Config:
    """The settings of each language, and the document whose checks they are, if it is one's."""

    languages: Mapping[str, Settings]
    document: str | None = None

    def of(self, language: str, *, file: str, where: object = None) -> Settings:
        """A language's checks; one that has none is an error of usage."""
        settings = self.languages.get(primary(language))
        if settings is None:
            place = f"{file}:{where}" if where is not None else file
            languages = ", ".join(self.languages)
            raise UsageError(f"{place}: no checks for language {language!r}; known: {languages}")
        return settings


def default_config() -> str:
    """The file that ships."""
    folder = files("readmark.making.screening")
    return folder.joinpath("data", "screening.toml").read_text("utf-8")


PROFILES = {
    "cmrc": ("non_chinese", "terms", "topic", "symbols", "classical"),
    "smart": ("non_chinese", "topic"),
}
"""The checks that a document asks for, which are all that its profile applies. CMRC 2018 discards
passages with over 30% non-Chinese characters, many professional terms, many symbols, and classical
Chinese; SMART leaves out articles with many non-Chinese characters and specialised subjects."""

BASE = "profile"
"""The key by which a user's file names the document whose checks it changes."""


def is_file(profile: str | Path | None) -> TypeGuard[str | Path]:
    """Whether a profile is a file that changes one."""
    return profile is not None and str(profile).endswith(".toml")


def load_config(profile: str | Path | None = None) -> Config:
    """The built-in checks, those of a document, or either with what a user's TOML file changes."""
    if not is_file(profile):
        if profile is not None and profile not in PROFILES:
            hint = did_you_mean(str(profile), PROFILES)
            raise UsageError(f"no profile {profile!r}, and no .toml file; {hint}")
        document, changes = profile, {}
    else:
        changes = read_toml(profile)
        document = changes.pop(BASE, None)
        if document is not None and str(document) not in PROFILES:
            hint = did_you_mean(str(document), PROFILES)
            raise DataError(f"no profile {document!r}; {hint}", file=profile, where=BASE)
    tables = tomllib.loads(default_config())
    if document is not None:
        document = str(document)
        tables = {"zh": tables["zh"]}  # both documents are about Chinese
        for name, settings in tables["zh"].items():
            settings["on"] = name in PROFILES[document]
    file = str(profile)
    for language, checks in changes.items():
        _require_known(language, tuple(tables), "language", file)
        fitting = [name for name, check in CHECKS.items() if language in check.measures]
        for name, settings in _table(checks, language, file).items():
            _require_known(name, fitting, f"check for {language}", file)
            where, bounds = f"{language}.{name}", CHECKS[name].thresholds
            for key, value in _table(settings, where, file).items():
                _require_known(key, ("on", *bounds), f"threshold of {where}", file)
                _require_allowed(value, bounds.get(key), f"{where}.{key}", file)
                tables[language][name][key] = value
            _require_order(tables[language][name], where, file)
    languages = {language: _checks_that_are_on(checks) for language, checks in tables.items()}
    return Config(languages, document)


def _checks_that_are_on(checks: Mapping[str, Mapping[str, Any]]) -> Settings:
    return {
        name: {key: value for key, value in settings.items() if key != "on"}
        for name, settings in checks.items()
        if settings["on"]
    }


def _table(value: object, name: str, path: str | Path) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise DataError(f"{name} is not a table; expected [LANGUAGE.CHECK] tables", file=path)
    return value


def _require_known(
    name: str, known: tuple[str, ...] | list[str], what: str, path: str | Path
) -> None:
    if name not in known:
        raise DataError(f"no {what} named {name!r}; {did_you_mean(name, known)}", file=path)


def _require_allowed(value: object, bounds: Bounds | None, where: str, path: str | Path) -> None:
    if bounds is None:  # whether the check is on
        if not isinstance(value, bool):
            raise DataError(f"{where} is {value!r}, expected true or false", file=path)
        return
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if not is_number or not math.isfinite(value):  # type: ignore[arg-type]
        raise DataError(f"{where} is {value!r}, expected a number", file=path)
    if not bounds.allows(value):  # type: ignore[arg-type]
        raise DataError(f"{where} is {value!r}, expected {bounds.expected}", file=path)


def _require_order(settings: Mapping[str, Any], where: str, path: str | Path) -> None:
    """A least above the most would discard everything; either may be the default's."""
    if "least" in settings and settings["least"] > settings["most"]:
        least, most = settings["least"], settings["most"]
        raise DataError(f"{where}.least is {least}, above its most, {most}", file=path)
