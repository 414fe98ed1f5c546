"""The text of a derivation, read back as a tree."""

from __future__ import annotations

import pytest

from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.derivation_text import DEEPEST, DerivationLine, read_derivation

TEXT = """\
(A p 1)  by rule: because
  (A q 2)  asserted by ida
    statement “two
lines” doc/a:3-12
    object “2” doc/a:9-10
  no (A r ?x)
(B p 1)  asserted
"""


def outline(lines: list[DerivationLine]) -> list[tuple[int, str, Excerpt | None]]:
    return [
        entry
        for line in lines
        for entry in ((line.level, line.text, line.excerpt), *outline(line.below))
    ]


def test_lines_are_below_what_rests_on_them() -> None:
    assert outline(read_derivation(TEXT)) == [
        (0, "(A p 1)  by rule: because", None),
        (1, "(A q 2)  asserted by ida", None),
        (2, "statement “two\nlines” doc/a:3-12", Excerpt("doc/a", 3, 12, "two\nlines")),
        (2, "object “2” doc/a:9-10", Excerpt("doc/a", 9, 10, "2")),
        (1, "no (A r ?x)", None),
        (0, "(B p 1)  asserted", None),
    ]


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("", []),
        ("\n \n", []),
        ("      deep first\n  then less", [0, 0]),
        ("a\n      far below\n  b", [0, 1, 1]),
        ("statement “never closed\nnext", [0, 0]),
        (
            "\n".join("  " * level + "x" for level in range(100)),
            [min(n, DEEPEST) for n in range(100)],
        ),
        ("x\n" * 500, [0] * 200),
    ],
)
def test_whatever_systems_write_is_a_tree(text: str, levels: list[int]) -> None:
    assert [level for level, _, _ in outline(read_derivation(text))] == levels
