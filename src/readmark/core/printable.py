"""Texts of other people on a terminal, without control characters."""

from __future__ import annotations

import re

# Escape sequences can retitle or clear a terminal, hide what was printed, or answer as if typed.
# Overrides of the direction make a line read otherwise than it is.
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def printable(text: str) -> str:
    """A text with a sign in place of each control character; line feeds and tabs stay."""
    return CONTROL.sub("\ufffd", text)
