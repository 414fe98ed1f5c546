"""The class of an answer, and who keeps it company."""

from readmark.corpus.values import Layer
from readmark.setting.challenge.instances import classes_of, company

TEXT = "甲队穿红色，乙队穿蓝色，丙队也穿蓝色。王明在1990年和1995年得过奖。"


def layer(*marked: tuple[str, str]) -> Layer:
    spans = tuple((TEXT.index(one), TEXT.index(one) + len(one)) for one, _ in marked)
    return Layer(spans=spans, columns={"type": tuple(type for _, type in marked)})


ENTITIES = layer(("王明", "PERSON"), ("1990年", "TIME"), ("1995年", "TIME"))


def beside(answer: str) -> tuple[str | None, list[str], bool]:
    start = TEXT.index(answer)
    found = company(TEXT, (start, start + len(answer)), classes_of(TEXT, "zh", ENTITIES))
    return found.kind, [one.text for one in found.others], found.alone


def test_others_of_the_class_each_once() -> None:
    assert beside("红色") == ("colour", ["蓝色"], False)
    assert beside("1990年") == ("time", ["1995年"], False)


def test_the_only_one() -> None:
    assert beside("王明") == ("person", [], True)


def test_what_is_of_no_class() -> None:
    assert beside("得过奖") == (None, [], False)


def test_a_longer_name_of_the_same_is_no_other() -> None:
    text = "王明来了。王明先生坐下。"
    entities = Layer(spans=((0, 2), (5, 9)), columns={"type": ("PERSON", "PERSON")})
    found = company(text, (0, 2), classes_of(text, "zh", entities))
    assert found.alone


def test_offsets_of_instances() -> None:
    found = company(TEXT, (3, 5), classes_of(TEXT, "zh", None))
    assert [TEXT[one.start : one.end] for one in found.others] == ["蓝色"]
