"""Where an answer stands in its passage."""

import pytest

from readmark.corpus.values import Answer
from readmark.text.answer_places import answer_places

TEXT = "A fox sat. The fox ran 24 – 10 miles; ８８米."


@pytest.mark.parametrize(
    ("answer", "places"),
    [
        (Answer(text="fox"), [(2, 5), (15, 18)]),
        (Answer(text="fox", start=15), [(15, 18)]),
        (Answer(text="fox", start=14), [(15, 18)]),  # astray: the nearest
        (Answer(text="fox", start=0, end=3), [(2, 5)]),
        (Answer(text=" fox ran "), [(15, 22)]),
        (Answer(text="THE FOX"), [(11, 18)]),
        (Answer(text="24–10"), [(23, 30)]),
        (Answer(text="88米"), [(38, 41)]),
        (Answer(text="a badger"), []),
        (Answer(text="a badger", start=3), []),
        (Answer(text="  "), []),
    ],
)
def test_places(answer: Answer, places: list[tuple[int, int]]) -> None:
    assert answer_places(TEXT, answer) == places
