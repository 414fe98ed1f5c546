"""What people write in the cells of a table: options by letter or text, and yes or no."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from readmark.core.problems import WarningCode
from readmark.core.spans import clip
from readmark.formats.members import Fault

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FREE_TEXT = WarningCode("not_in_passage")
"""The code of the warning that an answer does not occur in the passage."""
_YES = frozenset({"1", "yes", "y", "true", "x", "是", "对", "√", "✓", "无", "无答案"})
_NO = frozenset({"", "0", "no", "n", "false", "-", "否", "不是", "有"})


def chosen_option(answer: str, options: Sequence[str]) -> str:
    """The option that an answer means: a letter, its text, or a number from 1."""
    letter = unicodedata.normalize("NFKC", answer).upper().removeprefix("选项").strip("(). :、。")
    number = int(answer) if answer.isascii() and answer.isdigit() and len(answer) < 3 else 0
    ways = {
        "text": options.index(answer) if answer in options else -1,
        "letter": LETTERS.find(letter) if len(letter) == 1 else -1,
        "number": number - 1,
    }
    meanings = {way: options[i] for way, i in ways.items() if 0 <= i < len(options)}
    if len(set(meanings.values())) == 1:
        return next(iter(meanings.values()))
    if meanings:
        meant = " and ".join(f"the {way} of {clip(option)!r}" for way, option in meanings.items())
        raise Fault("", f"the answer {answer!r} is {meant}")
    raise Fault(
        "",
        f"the answer {clip(answer)!r} is none of {len(options)} options, by letter, text or number",
        "key_option",
    )


def spelt_option(text: str, options: Sequence[str]) -> str:
    """How an answer that is one of the options is written, so that it means no other."""
    if text not in options[: len(LETTERS)]:
        return text
    letter = LETTERS[options.index(text)]
    try:
        return letter if chosen_option(letter, options) == text else f"({letter})"
    except Fault:
        return f"({letter})"


def is_yes(cell: str) -> bool:
    """Whether a cell says yes; what is neither yes nor no is an error."""
    spelt = cell.strip().lower()
    if spelt in _YES or spelt in _NO:
        return spelt in _YES
    raise Fault("", f"unanswerable is {clip(cell)!r}, expected yes or no")
