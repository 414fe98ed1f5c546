"""Where domains are: those that ship with Readmark, by name, and folders of one's own."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from readmark.core.errors import UsageError, did_you_mean


def domain_folder(name: str) -> Path:
    """The folder of a domain: a folder of this path, or else a shipped domain of this name."""
    return Path(name) if Path(name).is_dir() else shipped_domain(name)


def shipped_domain(name: str) -> Path:
    """The folder of a domain that ships."""
    domains = Path(str(files("readmark.tasks"))) / "domains"
    paths = domains.iterdir() if domains.is_dir() else ()
    # Beside the domains lie `__init__.py` and, once imported, `__pycache__`.
    names = sorted(path.name for path in paths if path.is_dir() and path.name[0] not in "_.")
    if name not in names:
        raise UsageError(f"no domain {name!r}; {did_you_mean(name, names)}")
    return domains / name
