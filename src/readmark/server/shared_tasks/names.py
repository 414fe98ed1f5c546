"""Names that visitors choose, of teams, systems and files, made safe to show and to store."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from pathlib import PurePath

from readmark.server.account_errors import AccountError
from readmark.server.baselines import baseline_names

LONGEST_TEAM = 60

# Letters, marks and signs that take up space, or join others, and show nothing: Hangul fillers,
# Khmer inherent vowels, the blank Braille pattern, variation selectors.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)

_RESERVED_NAMES = (
    "people",
    "person",
    "human",
    "humans",
    "human performance",
    "baseline",
    "baselines",
    "readmark",
    "organiser",
    "organisers",
    "organizer",
    "organizers",
    "n/a",
    "test",
    "all",
    "人",
    "人类",
    "真人",
    "人类表现",
    "人类水平",
    "基线",
    "基线系统",
    "组织者",
    "主办方",
    "官方",
)


def visible(name: str) -> str:
    """A name without the letters, marks and signs that show nothing."""
    return _BLANK.sub("", name)


def fold_team(name: str) -> str:
    """A team's name as it is compared: cases, widths, spaces and punctuation make no difference."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    letters = visible(unicodedata.normalize("NFKC", plain))
    return "".join(letter for letter in letters if unicodedata.category(letter)[0] not in "ZCP")


@cache
def _reserved() -> frozenset[str]:
    """Names of other rows of a board, and names that would speak for the hall."""
    return frozenset(map(fold_team, (*_RESERVED_NAMES, *baseline_names())))


def check_team(name: str, taken: Iterable[str]) -> str:
    """The name, if a team can have it: it must not look like another row of the board."""
    name = " ".join(unicodedata.normalize("NFC", name).split())
    folded = fold_team(name)
    is_plain = all(letter.isprintable() for letter in name)
    if not folded or len(name) > LONGEST_TEAM or not is_plain:
        raise AccountError("team_name_not_valid")
    if folded in _reserved():
        raise AccountError("team_name_reserved")
    if folded in set(map(fold_team, taken)):
        raise AccountError("team_name_taken")
    return name


def safe_name(name: str) -> str:
    """A file's name without folders and odd characters; its ending says what the file is."""
    safe = re.sub(r"[^\w.-]", "_", PurePath(name.replace("\\", "/")).name)
    return safe.encode()[-120:].decode("utf-8", "ignore").lstrip(".-") or "answers.json"
