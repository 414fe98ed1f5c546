"""Texts of Han characters with copies in which more and more characters are changed."""

from __future__ import annotations

import random

HAN = [chr(point) for point in range(0x4E00, 0x4E00 + 3000)]


def changed(text: str, share: float, draw: random.Random) -> str:
    """The text with about this share of its characters changed."""
    return "".join(draw.choice(HAN) if draw.random() < share else character for character in text)


def families(count: int, seed: int) -> list[tuple[str, str]]:
    """Texts by name, each with copies of which more and more is changed."""
    draw = random.Random(seed)
    texts = []
    for family in range(count):
        first = "".join(draw.choices(HAN, k=draw.randint(60, 300)))
        shares = (0.0, 0.005, 0.01, 0.02, 0.04, 0.2)
        texts += [
            (f"{family}/{index}", changed(first, share, draw)) for index, share in enumerate(shares)
        ]
    return texts
