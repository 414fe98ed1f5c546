"""The effect on a series that a user names, or on the bundled series of both languages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib.resources import as_file, files
from pathlib import Path

from readmark.core.errors import UsageError
from readmark.core.test import Test
from readmark.formats.inputs import load
from readmark.series.effect.result import Effect, Effects
from readmark.series.effect.series_effect import series_effect
from readmark.series.effect.settings import EffectSettings
from readmark.sitting import Watch

_BUNDLED_LANGUAGES = ("en", "zh")


def rewriting_effect(
    series: str | Path | None = None,
    passages: str | Path | None = None,
    settings: EffectSettings | None = None,
    *,
    format: str | None = None,
    split: str | None = None,
    progress: Watch | None = None,
) -> Effects:
    """The effect on a series with its passages, or on the bundled ones where none are named.

    ``split`` selects a split of the series; passages may be of any.
    """
    settings = settings or EffectSettings()
    if series is None:
        if split is not None:
            raise UsageError("a split needs a series: effect SERIES PASSAGES")
        if settings.sittings:
            raise UsageError("a sitting needs its series: effect SERIES PASSAGES")
        return Effects(bundled_effects(settings, watch=progress))
    if passages is None:
        raise UsageError(f"{series} needs the test that has its passages: effect SERIES PASSAGES")
    tests = load(series, format=format, split=split), load(passages)
    return Effects([series_effect(*tests, settings, watch=progress)])


@contextmanager
def bundled() -> Iterator[list[tuple[Test, Test]]]:
    """The bundled series with their passages, a pair for each language."""
    with ExitStack() as stack:

        def opened(name: str) -> Test:
            return load(stack.enter_context(as_file(files("readmark.bundle") / name)))

        yield [
            (opened(f"series.{language}.jsonl"), opened(f"reading.{language}.jsonl"))
            for language in _BUNDLED_LANGUAGES
        ]


def bundled_effects(settings: EffectSettings, *, watch: Watch | None = None) -> list[Effect]:
    """The effect on the bundled series, one language at a time with the backgrounds in it."""
    for test in settings.background:
        if test.language not in _BUNDLED_LANGUAGES:
            raise UsageError(
                f"{test.file} is in {test.language}, the bundled series are in "
                f"{' and '.join(_BUNDLED_LANGUAGES)}"
            )
    effects = []
    with bundled() as pairs:
        for series, passages in pairs:
            background = [test for test in settings.background if test.language == series.language]
            of_language = replace(settings, background=background)
            effects.append(series_effect(series, passages, of_language, watch=watch))
    return effects
