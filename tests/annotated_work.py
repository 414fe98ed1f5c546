"""Work of several annotators on one passage, and how far it agrees."""

from typing import Any

import msgspec

from readmark.core.records import Layer, Passage, Question, QuestionKey
from readmark.making.agreement.agree import agree
from readmark.making.agreement.annotators import open_annotators
from readmark.making.agreement.comparison import AgreementComparison
from readmark.statistics.agreement.value import Resampling

TEXT = "小明把伞借给了老师。他第二天又去了。"
QUICK = Resampling(draws=0)


def mention(*rows: tuple[int, int, int | None, int | None]) -> Layer:
    return Layer(
        spans=tuple((start, end) for start, end, _, _ in rows),
        columns={"id": tuple(row[2] for row in rows), "ref": tuple(row[3] for row in rows)},
    )


def entities(*rows: tuple[int, int, str]) -> Layer:
    return Layer(
        spans=tuple((start, end) for start, end, _ in rows),
        columns={"type": tuple(row[2] for row in rows)},
    )


def passage(id: str = "p", **changes: Any) -> Passage:
    return msgspec.structs.replace(Passage(id=id, text=TEXT), **changes)


def question(id: str, **key: Any) -> Question:
    return Question(id=id, text="谁去了？", key=QuestionKey(**key))


def compared(paths: list[str], what: str, **options: Any) -> AgreementComparison:
    (one,) = agree(open_annotators(paths), [what], resampling=QUICK, **options).comparisons
    return one


def values(one: AgreementComparison, pair: int = 0) -> dict[str, float | None]:
    return {each.measure: each.value for each in one.pairs[pair].figures}
