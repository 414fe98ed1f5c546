"""People's names: which are allowed, and which are one person's though spelt differently."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.rows import is_formula
from readmark.corpus.spans import clip
from readmark.corpus.values import QuestionKey

NO_ANSWER_BY = "no_answer_by"
"""The field of a key with the names of those who were asked and gave no answer."""

LONGEST = 100
"""Characters of a name, which is a heading in tables."""
LONGEST_FILE = 200
"""Bytes of a name that files are called by: with their endings they must fit into 255."""
_JOINERS = "\u200c\u200d"  # names in Persian and in Indian scripts have them
_NOT_IN_FILES = re.compile(r'[<>:"|?*]')
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com\d|lpt\d)\s*", re.IGNORECASE)
"""What Windows refuses as a file's name."""


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
    if (odd := _NOT_IN_FILES.search(name)) is not None:
        return f"contains {odd[0]!r}, which not every system allows in a file's name"
    if _DEVICES.fullmatch(name.partition(".")[0]):
        return "is reserved on Windows, and files are called by it"
    if (size := len(name.encode())) > LONGEST_FILE:
        return f"takes {size} bytes, expected at most {LONGEST_FILE}: files are called by it"
    return None


def folded_name(name: str) -> str:
    """A name as it is compared; two of one folding would also be one file on some systems."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


def twice(names: Iterable[str]) -> tuple[str, str] | None:
    """The first two names that are one."""
    seen: dict[str, str] = {}
    for name in names:
        before = seen.get(folded_name(name))
        if before is not None:
            return before, name
        seen[folded_name(name)] = name
    return None


def answered_by(key: QuestionKey | None) -> list[str]:
    """Who answered a question by its key, those who found no answer included."""
    if key is None:
        return []
    named = [answer.annotator for answer in key.answers if answer.annotator is not None]
    return [*named, *without_answer(key)]


def without_answer(key: QuestionKey | None) -> list[str]:
    """Who was asked and gave no answer, as the key tells."""
    told = key.fields.get(NO_ANSWER_BY) if key is not None else None
    return [name for name in told if isinstance(name, str)] if isinstance(told, list) else []
