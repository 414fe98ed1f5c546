"""The codes of a class: drawn, shown once, read aloud, and stored as hashes."""

from __future__ import annotations

import secrets
import unicodedata
from dataclasses import dataclass

from readmark.server.access import Hall

LETTERS = "BCDFGHJKMNPQRSTVWXZ23456789"
"""Letters and digits that nobody takes for one another; without vowels they spell no word."""
_LINK_LENGTH, _CODE_LENGTH, _RETURN_LENGTH = 10, 6, 12


@dataclass(frozen=True)
class ClassCodes:
    """What pupils join by: shown once, stored as hashes."""

    link: str
    code: str

    @property
    def spaced(self) -> str:
        """The code as it is read aloud."""
        return spaced(self.code)


def draw_codes() -> ClassCodes:
    """A link and a code for a class."""
    return ClassCodes(_drawn(_LINK_LENGTH), _drawn(_CODE_LENGTH))


def draw_return_code() -> str:
    """A code that lets a pupil in again."""
    return _drawn(_RETURN_LENGTH)


def _drawn(length: int) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def spaced(code: str) -> str:
    """A code in groups, as it is read aloud."""
    size = 3 if len(code) % 3 == 0 else 4
    return "-".join(code[start : start + size] for start in range(0, len(code), size))


def folded_code(text: str) -> str:
    """A code as it is stored: no difference between cases, widths, spaces and dashes."""
    folded = unicodedata.normalize("NFKC", text).upper()
    return "".join(character for character in folded if character.isalnum())


def link_hash(hall: Hall, link: str) -> str:
    """Under what the link of a class is stored."""
    return hall.hashed(f"class {folded_code(link)}")


def code_hash(hall: Hall, class_id: str, code: str) -> str:
    """Under what the code of a class is stored."""
    return hall.hashed(f"code {class_id} {folded_code(code)}")


def return_hash(hall: Hall, class_id: str, code: str) -> str:
    """Under what a pupil's return code is stored."""
    return hall.hashed(f"return {class_id} {folded_code(code)}")
