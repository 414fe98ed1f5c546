"""Mentions that are the same words, and those that are not."""

from __future__ import annotations

import pytest

from readmark.tasks.mention_classes import class_similarity, mention_class


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("the Jets", "The  JETS", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("ＪＥＴＳ", "Jets", True),
        ("紐約噴射機", "纽约喷射机", True),
        ("Straße", "STRASSE", True),
        ("\u0345", "\u03b9", True),
        ("cafe", "caf\u00e9", False),
        ("Jets", "Jet", False),
    ],
)
def test_one_mention(one: str, other: str, same: bool) -> None:
    likeness = class_similarity(mention_class([one]), mention_class([other]), "partial")
    assert likeness == float(same)
    assert mention_class(["", "  "]) == frozenset()
