"""The class of an answer, and who keeps it company."""

import re

import pytest

from readmark.core.records import Layer
from readmark.making.challenge.classes import classes_of, company

TEXT = "甲队穿红色，乙队穿蓝色，丙队也穿蓝色。王明在1990年和1995年得过奖。"


def layer(*marked: tuple[str, str]) -> Layer:
    spans = tuple((TEXT.index(name), TEXT.index(name) + len(name)) for name, _ in marked)
    return Layer(spans=spans, columns={"type": tuple(type for _, type in marked)})


ENTITIES = layer(("王明", "PERSON"), ("1990年", "TIME"), ("1995年", "TIME"))


def beside(answer: str) -> tuple[str | None, list[str], bool]:
    start = TEXT.index(answer)
    instances = company(TEXT, (start, start + len(answer)), classes_of(TEXT, "zh", ENTITIES))
    return instances.kind, [instance.text for instance in instances.others], instances.alone


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
    instances = company(text, (0, 2), classes_of(text, "zh", entities))
    assert instances.alone


def marked(text: str, answer: str, language: str = "zh") -> tuple[str | None, list[str]]:
    """The company of an answer's last place in a text with its entities as ``[NUM 25人]``."""
    plain, spans, types = "", [], []
    for type, inside, outside in re.findall(r"\[(\w+) ([^]]+)\]|([^[]+)", text):
        if type:
            spans.append((len(plain), len(plain) + len(inside)))
            types.append(type)
        plain += inside or outside
    layer = Layer(spans=tuple(spans), columns={"type": tuple(types)})
    start = plain.rindex(answer)
    instances = company(plain, (start, start + len(answer)), classes_of(plain, language, layer))
    return instances.kind, [instance.text for instance in instances.others]


@pytest.mark.parametrize(
    ("text", "answer", "language", "kind", "others"),
    [
        ("有[NUM 25人]，走了[NUM 15人]，来了[NUM 5人]。", "5人", "zh", "number", ["25人", "15人"]),
        ("有[NUM 25人]，走了[NUM 15人]，来了[NUM 5人]。", "25人", "zh", "number", ["15人", "5人"]),
        ("长[NUM 3.5米]，宽[NUM 35米]。", "35米", "zh", "number", ["3.5米"]),
        ("[NUM 5,000人]来了，[NUM 五千人]走了，剩[NUM 5人]。", "5人", "zh", "number", ["5,000人"]),
        ("来了[NUM 五人]，又说[NUM 5人]。", "5", "zh", "number", []),
        ("[TIME 1990年]开工，[TIME 1990年5月]停工。", "1990年5月", "zh", "time", ["1990年"]),
        ("[TIME 1990年]开工，到[TIME 一九九〇年]。", "1990", "zh", "time", []),
        ("[PERSON 25名学生]和[PERSON 5名学生]。", "5名", "zh", "number", ["25名学生"]),
        ("[PERSON 25名学生]和[PERSON 王老师]。", "25名学生", "zh", "person", ["王老师"]),
        (
            "It had [NUM 25 members] in [TIME May]. [TIME Later 5 members] left.",
            "5",
            "en",
            "number",
            ["25 members"],
        ),
        ("[PERSON 12 sailors] sank, [NUM 7 boats] sailed.", "12", "en", "number", ["7 boats"]),
        ("It took [TIME 5 years], then [TIME 5 June].", "5 June", "en", "time", ["5 years"]),
        ("He won [TIME the 1990 cup] in [TIME May].", "1990", "en", "time", ["May"]),
    ],
)
def test_numbers_and_times_are_whole_values(
    text: str, answer: str, language: str, kind: str, others: list[str]
) -> None:
    assert marked(text, answer, language) == (kind, others)


def test_offsets_of_instances() -> None:
    instances = company(TEXT, (3, 5), classes_of(TEXT, "zh", None))
    assert [TEXT[instance.start : instance.end] for instance in instances.others] == ["蓝色"]
