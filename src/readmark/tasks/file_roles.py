"""What a file of a task is for, by where it lies and what it is called."""

from __future__ import annotations

from pathlib import PurePosixPath

from readmark.tasks.manifest import ABOUT, MANIFEST
from readmark.tasks.reasoning.annotated_statements import NOTATIONS
from readmark.tasks.reasoning.rdf import SUFFIXES

HISTORY = "history.jsonl"
"""The versions of the gold, a line each, with every judgement; only ever appended to."""

_RULES_SUFFIX = ".dsrs"
_SUFFIXES_OF = {
    "ontology": (*SUFFIXES,),
    "queries": (".jsonl",),
    "decomposition": (".toml",),
    "categories": (".toml",),
    "patterns": (".toml",),
    "summary": (".toml",),
}
"""Names of single files, which are their roles too, and the suffixes they may have."""
_ANSWERS = ("answers", "gold")


def role_of(path: str) -> tuple[str, str | None]:
    """The role of a file and the split that its path names; names with a role ignore case."""
    parts = PurePosixPath(path).parts
    suffix = PurePosixPath(path).suffix.lower()
    folder_split = parts[1] if len(parts) > 2 else None
    match parts[0].lower():
        case "documents" if suffix == ".txt":
            return "document", folder_split
        case "background":
            return "background", None
        case "annotations" if suffix in (*SUFFIXES, *NOTATIONS):
            return "annotations", folder_split
    if len(parts) > 1:
        return "other", None

    if path.lower() == HISTORY:
        return "history", None
    if suffix == _RULES_SUFFIX:
        return "rules", None
    first, *middle = parts[0].split(".")
    name = first.lower()
    if name in _ANSWERS and suffix == ".jsonl":
        return "answers", middle[0] if len(middle) > 1 else None
    if name == "guidelines":  # people read them: in any format
        return name, None
    if suffix in _SUFFIXES_OF.get(name, ()):
        return name, None
    return "other", None


def id_from_path(path: str) -> str:
    """The id of a document: its path below the split, without the suffix."""
    parts = PurePosixPath(path).with_suffix("").parts
    return "/".join(parts[2:] if len(parts) > 2 else parts[1:])


def describes_task(path: str) -> bool:
    """Whether a file describes the task itself, and so is never listed among its files."""
    return path in (MANIFEST, ABOUT)
