"""What people may be called, and whose a file is by its name."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from readmark.core.csv_text import is_formula
from readmark.core.errors import DataError, UsageError
from readmark.core.spans import clip

LONGEST = 100
"""Characters of a name, which is a heading in tables."""
LONGEST_FILE = 200
"""Bytes of a name that files are called by: with their endings they must fit into 255."""
_JOINERS = "\u200c\u200d"  # names in Persian and in Indian scripts have them
_NOT_IN_FILES = re.compile(r'[<>:"|?*]')
_WINDOWS_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\s*", re.IGNORECASE)
"""What Windows refuses as a file's name, whatever the suffix."""
_ENDINGS = (
    frozenset({"gz", "zst", "bz2", "xz"}),
    frozenset({"csv", "tsv", "xlsx", "xlsm", "json", "jsonl", "ndjson", "txt", "xml", "zip"})
    | {"brcc", "conll", "conllu", "ann"},
    frozenset({"answers"}),
)
"""What tells a file's format and not whose it is; at most one of each is taken off the end."""


def require_name(
    name: str,
    noun: str,
    *,
    is_file: bool = False,
    file: str | Path | None = None,
    where: int | str | None = None,
) -> str:
    """The name, if a person may be called by it; ``is_file`` where files are called by it too.

    Names end up in file names, headings and columns. One that was read from a ``file`` is bad
    data, any other is bad usage.
    """
    fault = _fault(name) or (_file_fault(name) if is_file else None)
    if fault is None:
        return name
    message = f"{noun} name {clip(name)!r} {fault}"
    raise UsageError(message) if file is None else DataError(message, file=file, where=where)


def is_file_name(name: str) -> bool:
    """Whether a person's file can be called by a name."""
    return _fault(name) is None and _file_fault(name) is None


def _fault(name: str) -> str | None:
    if not name.strip():
        return "is empty"
    if any(_is_control(character) for character in name):
        return "contains a control character"
    if "/" in name or "\\" in name:
        return "contains a path separator"
    if is_formula(name):
        return "begins with a character that spreadsheets run as a formula (= + - @)"
    if len(name) > LONGEST:
        return f"has {len(name)} characters, expected at most {LONGEST}"
    return None


def _is_control(character: str) -> bool:
    """Line ends, control and format characters, and halves of a surrogate pair."""
    return (
        unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        and character not in _JOINERS
    )


def _file_fault(name: str) -> str | None:
    if name.startswith(".") or name.endswith("."):
        return "begins or ends with a dot, and files are called by it"
    if (character := _NOT_IN_FILES.search(name)) is not None:
        return f"contains {character[0]!r}, which not every system allows in a file's name"
    if _WINDOWS_DEVICES.fullmatch(name.partition(".")[0]):
        return "is reserved on Windows, and files are called by it"
    if (size := len(name.encode())) > LONGEST_FILE:
        return f"takes {size} bytes, expected at most {LONGEST_FILE}: files are called by it"
    return None


def person_by_file(path: str | Path) -> str:
    """Whose a file is by its name without suffixes: J. Smith of J. Smith.answers.csv.

    A test that is called by its language is the folder's person's: Ann's, if it is Ann/zh.jsonl.
    """
    file = Path(path).absolute()
    name = file.name
    for endings in _ENDINGS:
        stem, _, last = name.rpartition(".")
        if stem.strip() and last.lower() in endings:
            name = stem
    if name in ("en", "zh") and file.suffix:
        name = file.parent.name or name
    return name.strip()


def folded_name(name: str) -> str:
    """A name as it is compared; two of one folding would also be one file on some systems."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def repeated_name(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two names that are the same person's, as each is spelt."""
    spellings: dict[str, str] = {}
    for name in names:
        earlier = spellings.get(folded_name(name))
        if earlier is not None:
            return earlier, name
        spellings[folded_name(name)] = name
    return None
