"""Readmark sets, sits and marks machine reading tests, in English and Chinese."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from readmark.core.version import __version__

if TYPE_CHECKING:
    from readmark.formats.registry import load as load
    from readmark.formats.registry import save as save
    from readmark.marking.comparisons import compare as compare
    from readmark.marking.mark import mark as mark
    from readmark.marking.mark import people as people
    from readmark.reporting.report import report as report
    from readmark.sitting.runner import sit as sit

_HOMES = {
    "compare": "readmark.marking.comparisons",
    "load": "readmark.formats.registry",
    "mark": "readmark.marking.mark",
    "people": "readmark.marking.mark",
    "report": "readmark.reporting.report",
    "save": "readmark.formats.registry",
    "sit": "readmark.sitting.runner",
}
"""Where each public name lives: imported when it is first used, so `readmark --help` is quick."""

__all__ = ["__version__", "compare", "load", "mark", "people", "report", "save", "sit"]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'readmark' has no attribute {name!r}")
    module, _, attribute = _HOMES[name].partition(":")
    return getattr(import_module(module), attribute or name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
