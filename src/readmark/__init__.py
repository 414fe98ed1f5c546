"""Readmark sets, sits and marks machine reading tests, in English and Chinese."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from readmark.corpus.version import __version__

if TYPE_CHECKING:
    from readmark.workflows.api import compare as compare
    from readmark.workflows.api import load as load
    from readmark.workflows.api import mark as mark
    from readmark.workflows.api import people as people
    from readmark.workflows.api import save as save
    from readmark.workflows.api import sit as sit
    from readmark.workflows.reporting import write_report as report

__all__ = ["__version__", "compare", "load", "mark", "people", "report", "save", "sit"]


def __getattr__(name: str) -> Any:
    # Lazy, so that importing the package (and `readmark --help`) costs nothing.
    if name == "report":
        from readmark.workflows.reporting import write_report

        return write_report
    if name in __all__:
        from readmark.workflows import api

        return getattr(api, name)
    raise AttributeError(f"module 'readmark' has no attribute {name!r}")
