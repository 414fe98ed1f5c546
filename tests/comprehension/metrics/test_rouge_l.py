"""ROUGE-L against the values of rouge-score 0.1.2, without its stemmer.

Chinese rows were made by the same package with a tokenizer of Han characters and Latin runs.
"""

from __future__ import annotations

from typing import Any

import pytest

import readmark
from made import asked, comprehension, passage
from readmark.core.errors import UsageError
from readmark.marking.metrics import METRICS

KITE = "the kite was found in the orchard"
ROWS = [
    ("en", [KITE], "the kite in the old orchard was found", 0.6666666666666666),
    ("en", [f"{KITE}."], "THE KITE WAS FOUND, IN THE ORCHARD!", 1.0),
    (
        "en",
        ["Tom's brother-in-law paid $3,000.50"],
        "Tom s brother in law paid 3 000 50",
        1.0,
    ),
    ("en", ["the café opened in 1998"], "The cafe opened in 1998", 0.8),
    ("en", ["a b c d e f g"], "g f e d c b a", 0.14285714285714285),
    (
        "en",
        ["because the river rose", "the bridge was closed for repairs"],
        "The bridge was closed because the river rose in spring",
        0.5714285714285715,
    ),
    ("en", ["in the old mill"], "", 0.0),
    ("en", ["?!"], "?!", 0.0),
    ("zh", ["风筝挂在果园的梨树上"], "果园里的梨树上", 0.7058823529411764),
    ("zh", ["风筝挂在果园的梨树上。"], "風箏挂在果园，梨树上", 0.7368421052631577),
    ("zh", ["他在1998年买了两本 Python 书"], "1998年，他买了 python 书两本", 0.631578947368421),
    ("zh", ["因为河水上涨", "桥在维修"], "桥因为河水上涨而关闭", 0.75),
    ("zh", ["老磨坊"], "新学校", 0.0),
]


def marked(language: str, references: list[str], answer: str, metric: str = "rouge_l") -> Any:
    text = " ".join(references)
    test = comprehension(passage("p", asked("q", *references), text=text), language=language)
    return readmark.mark(test, {"q": answer}, metrics=[metric])


@pytest.mark.parametrize(("language", "references", "answer", "value"), ROWS)
def test_values_are_those_of_rouge_score(
    language: str, references: list[str], answer: str, value: float
) -> None:
    rouge = marked(language, references, answer).marks["rouge_l"]
    assert rouge.score == pytest.approx(100 * value, abs=1e-6)


def test_beta_weighs_recall() -> None:
    # 5 of 8 and 5 of 7: (1 + 4) P R / (R + 4 P) = 25/36
    marks = marked("en", [KITE], "the kite in the old orchard was found", "rouge_l(beta=2)")
    assert next(iter(marks.marks.values())).score == pytest.approx(100 * 25 / 36, abs=1e-6)


def test_beta_is_a_number_above_0() -> None:
    with pytest.raises(UsageError, match="beta 0 is not a number above 0"):
        METRICS.build("rouge_l(beta=0)")
