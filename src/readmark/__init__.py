"""Readmark sets, sits and marks machine reading tests, in English and Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from readmark.core.version import __version__

if TYPE_CHECKING:
    from readmark.marking.mark import compare, load, mark, people, save, sit
    from readmark.reporting.report import write_report as report


__all__ = ["__version__", "compare", "load", "mark", "people", "report", "save", "sit"]


def __getattr__(name: str) -> Any:
    # Lazy, so that importing the package (and `readmark --help`) costs nothing.
    if name == "report":
        from readmark.reporting.report import write_report

        return write_report
    if name in __all__:
        from readmark.marking import mark as api

        return getattr(api, name)
    raise AttributeError(f"module 'readmark' has no attribute {name!r}")
