"""Tests and sittings made by hand, in a line each, for the tests of marking."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, ClassVar

from readmark.core.records import Answer, Passage, Phrase, Question, QuestionKey, Unit
from readmark.core.sitting import Row, Rows, Sitting, SittingHeader, keep
from readmark.core.test import Header, Test, in_memory
from readmark.hooks import MetricFacts

Said = str | tuple[str, str]


def asked(
    id: str, *answers: Said, published: Iterable[str] = (), key: bool = True, **more: Any
) -> Question:
    """A question; an answer is a text, or an annotator's name and a text. More is the key's."""
    paper = {name: more.pop(name) for name in ("text", "options", "series") if name in more}
    own = more.pop("fields", {})
    made = QuestionKey(
        answers=tuple(_answer(one) for one in answers),
        published=tuple(Phrase(text=text) for text in published),
        fields=more.pop("key_fields", {}),
        **more,
    )
    return Question(
        id=id, key=made if key else None, fields=own, **{"text": f"What is {id}?", **paper}
    )


def _answer(said: Said) -> Answer:
    if isinstance(said, str):
        return Answer(text=said)
    return Answer(text=said[1], annotator=said[0])


def passage(id: str, *questions: Question, text: str = "", **more: Any) -> Passage:
    """A passage with its questions."""
    words = text or f"The {id} passage tells of a kettle, a coat and some boats."
    return Passage(id=id, text=words, questions=questions, **more)


def comprehension(*passages: Passage, **header: Any) -> Test:
    """A test of passages."""
    return in_memory(Header(**{"name": "made", **header}), passages)


def sat(
    answers: Mapping[str, str | tuple[str | None, ...] | None],
    **header: Any,
) -> Sitting:
    """A sitting: a text an id, several for repeats, None for an error row."""
    rows: Rows = {}
    for id, said in answers.items():
        for repeat, one in enumerate(said if isinstance(said, tuple) else (said,)):
            if one is None:
                keep(rows, Row(id=id, repeat=repeat, error="timed out"))
            else:
                keep(rows, Row(id=id, answer=one, repeat=repeat))
    return Sitting(SittingHeader(**{"candidate": "reader", **header}), rows)


def shared_out(values: Iterable[tuple[str, float]]) -> tuple[Test, Sitting]:
    """A test with one question a value (its passage's id and 1 or 0), and answers to match."""
    groups: dict[str, list[Question]] = {}
    answers: dict[str, str | tuple[str | None, ...] | None] = {}
    for at, (group, value) in enumerate(values):
        id = f"q{at}"
        groups.setdefault(group, []).append(asked(id, "kettle"))
        answers[id] = "kettle" if value else "boat"
    return comprehension(*(passage(id, *found) for id, found in groups.items())), sat(answers)


@dataclass(frozen=True)
class Middle:
    """The median length of answers: a metric that is no function of sums."""

    facts: ClassVar[MetricFacts] = MetricFacts()

    def statistics(
        self,
        unit: Unit,
        references: Sequence[Sequence[Any]],
        answer: Any | None,
        people: Sequence[Any] = (),
    ) -> Sequence[float]:
        return (0.0 if answer is None else float(len(answer.text)),)

    def aggregate(self, sums: Any) -> Any:
        raise NotImplementedError("the median is no function of sums")

    def score(self, rows: Any) -> float:
        return float(median(rows[:, 0].tolist()))

    def signature(self) -> Mapping[str, str]:
        return {"units": "median"}


LONG_NAME = (
    "码头与磨坊阅读测验（第一册，给四年级的读者，一共四篇短文，每篇两道题，答案由三位老师给出）"
)
SYSTEMS = {
    "起点": {"码头一": "七条木船", "磨坊一": "水车", "磨坊二": "河"},
    "老周的阅读机器第二版（去年冬天训练，只用了码头的文章）": {
        "码头一": "七条木船",
        "码头二": "补网",
        "磨坊一": "水车",
        "磨坊二": "北边的小河",
        "蜂房一": "三十箱",
        "蜂房二": "小满",
    },
    "学生甲": {"码头一": "木船", "码头二": "正在补网", "磨坊一": "水车", "蜂房一": "三十"},
}


def chinese() -> Test:
    """A Chinese test with long names, levels, and questions with three, two and one people."""
    harbour = passage(
        "码头",
        asked("码头一", ("甲", "七条木船"), ("乙", "木船"), ("丙", "七条木船"), level=1),
        asked("码头二", ("甲", "补网"), ("乙", "正在补网"), ("丙", "补网"), level=2),
        text="码头上停着七条木船，船夫老周正在补网。",
        topic="水上",
    )
    mill = passage(
        "磨坊",
        asked("磨坊一", ("甲", "水车"), ("乙", "水车"), level=1),
        asked("磨坊二", ("甲", "北边的小河"), level=3),
        text="磨坊的水车靠北边的小河转动。",
        topic="水上",
    )
    bees = passage(
        "蜂房",
        asked("蜂房一", ("甲", "三十箱"), ("乙", "三十箱蜂"), level=1),
        asked("蜂房二", ("甲", "小满"), ("乙", "小满以后"), level=3),
        text="阿满养了三十箱蜂，每年小满以后开始收蜜。",
        topic="田里的事情，说来话长，一年四季都有人问起，问的人多了就写成了这一篇",
    )
    return comprehension(harbour, mill, bees, name=LONG_NAME)
