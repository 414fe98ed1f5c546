"""Check a task and pack it, with what a shipped domain lends."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from readmark.corpus.errors import UsageError, did_you_mean
from readmark.corpus.outputs import require_apart
from readmark.corpus.problems import Problem
from readmark.setting.tasks.checking import check_task
from readmark.setting.tasks.packing import gather, pack

DOMAINS = "domains"


@dataclass(frozen=True)
class Packed:
    """What was found and written; no output when the task was inconsistent."""

    problems: list[Problem]
    roles: dict[str, int]
    output: str | None
    left_out: tuple[str, ...] = ()
    """Files that a public task goes without."""


def pack_task(
    source: str | Path,
    output: str | Path,
    *,
    domain: str | None = None,
    public: bool = False,
    keep: Sequence[str] = (),
    anyway: bool = False,
    said: Mapping[str, Any] | None = None,
) -> Packed:
    """Gather, check, and write unless something is wrong."""
    require_apart([output], [source])
    parts = gather(source, domain=domain_folder(domain) if domain else None, **(said or {}))
    found = list(check_task(parts.package))
    roles = dict(Counter(one.role for one in parts.package.manifest.files))
    if any(one.severity != "warning" for one in found) and not anyway:
        return Packed(found, roles, None)
    manifest = pack(parts, output, public=public, keep=keep)
    kept = {one.path for one in manifest.files}
    left_out = tuple(one.path for one in parts.package.manifest.files if one.path not in kept)
    return Packed(found, dict(Counter(one.role for one in manifest.files)), str(output), left_out)


def domain_folder(name: str) -> Path:
    """The folder of a domain: one that ships, by name, or any other, by path."""
    if Path(name).is_dir():
        return Path(name)
    shipped = Path(str(files("readmark"))) / DOMAINS
    known = (
        sorted(one.name for one in shipped.iterdir() if one.is_dir()) if shipped.is_dir() else []
    )
    known = [one for one in known if not one.startswith(("_", "."))]
    if name not in known:
        raise UsageError(f"no domain {name!r}; {did_you_mean(name, known)}")
    return shipped / name
