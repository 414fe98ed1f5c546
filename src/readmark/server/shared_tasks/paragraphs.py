"""What organisers write about a task: plain text, in which addresses become links."""

from __future__ import annotations

import re

_LINK = re.compile(r"https?://[^\s<>\"'()（）]*[^\s<>\"'()（）.,;:!?，。；：！？、]")
"""An address without the punctuation that follows it, in either script."""
Paragraph = list[tuple[str, bool]]
"""A paragraph in pieces; True for a piece that is an address."""


def paragraphs(text: str) -> list[Paragraph]:
    """The paragraphs of a text, each in pieces."""
    result: list[Paragraph] = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        pieces: list[tuple[str, bool]] = []
        end = 0
        for link in _LINK.finditer(paragraph):
            pieces += [(paragraph[end : link.start()], False), (link[0], True)]
            end = link.end()
        pieces.append((paragraph[end:], False))
        if pieces := [piece for piece in pieces if piece[0]]:
            result.append(pieces)
    return result
