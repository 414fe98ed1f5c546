"""Two sittings of one test, and what is known of their difference."""

from made import asked, comprehension, passage, sat
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.marking.settings import MarkSettings

FEW = MarkSettings(draws=200, trials=500)

# Four passages of 3, 2, 2 and 1 questions; 1 for a right answer.
A = {"p1": [0, 0, 1], "p2": [1, 0], "p3": [0, 1], "p4": [1]}
B = {"p1": [1, 1, 1], "p2": [1, 1], "p3": [1, 0], "p4": [1]}
# B - A by passage: 2, 1, 0, 0 of 8 questions. Of the four ways to sign 2 and 1, the two that
# agree reach 3 either way: p = 1/2 exactly.


def ids(values: dict[str, list[int]]) -> list[tuple[str, str, int]]:
    return [
        (f"{group}.{at}", group, value)
        for group, found in values.items()
        for at, value in enumerate(found)
    ]


def test_of(values: dict[str, list[int]]) -> Test:
    return comprehension(
        *(
            passage(group, *(asked(f"{group}.{at}", "kettle") for at in range(len(found))))
            for group, found in values.items()
        )
    )


test_of.__test__ = False  # type: ignore[attr-defined]


def sitting_of(values: dict[str, list[int]], name: str) -> Sitting:
    return sat({id: "kettle" if right else "boat" for id, _, right in ids(values)}, candidate=name)


TEST = test_of(A)
FIRST, SECOND = sitting_of(A, "first"), sitting_of(B, "second")
