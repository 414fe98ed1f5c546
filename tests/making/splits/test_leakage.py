"""Leakage between splits and between tests: found by text, article and answered question."""

import random
from dataclasses import replace

import pytest

from readmark.core.errors import UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.making.splits.leakage import Leakage, leakage
from readmark.making.splits.plan import plan_splits

LETTERS = "bcdfghjklmnpqrstvwxyz"


def story(seed: int) -> str:
    chance = random.Random(seed)
    words = ("".join(chance.choice(LETTERS) for _ in range(6)) for _ in range(30))
    return " ".join(words) + "."


def one(id: str, split: str | None, text: str, *asked: tuple[str, str], **more: str) -> Passage:
    questions = tuple(
        Question(id=f"{id}-{at}", text=question, key=_key(answer))
        for at, (question, answer) in enumerate(asked)
    )
    return Passage(id=id, split=split, text=text, questions=questions, **more)  # type: ignore[arg-type]


def _key(answer: str) -> QuestionKey | None:
    if answer == "?":
        return None
    if not answer:
        return QuestionKey(unanswerable=True)
    return QuestionKey(answers=(Answer(text=answer),))


def made(*passages: Passage, file: str = "a") -> Test:
    return replace(in_memory(Header(language="en"), passages), file=file)


def told(leaks: Leakage) -> list[tuple[str, str, str]]:
    return [
        (
            link.what,
            link.first.question or link.first.passage,
            link.second.question or link.second.passage,
        )
        for link in leaks.links
    ]


def test_same_and_nearly_the_same_passages() -> None:
    text = story(1)
    near = text.replace(text[:6], "changed")
    test = made(
        one("p1", "train", text),
        one("p2", "train", text.upper()),
        one("p3", "test", text.replace(" ", "  ")),
        one("p4", "dev", near),
        one("p5", "dev", story(2)),
        one("p6", "test", story(3)),
    )
    leaks = leakage([test])
    assert told(leaks) == [
        ("passage", "p1", "p4"),
        ("passage", "p1", "p3"),
        ("passage", "p2", "p3"),
        ("passage", "p4", "p3"),
    ]
    # By hand: 180 letters are 176 shingles; six begin in the first word and are lost, seven come.
    alike = {round(link.resemblance, 4) for link in leaks.links}
    assert alike == {1.0, round((176 - 6) / (177 + 176 - 170), 4)}
    assert [(part.split, sizes[0]) for part, sizes in leaks.parts.items()] == [
        ("train", 2),
        ("dev", 2),
        ("test", 2),
    ]
    assert [link.resemblance for link in leakage([test], threshold=0.99).links] == [1.0, 1.0]


def test_articles_within_a_test_only() -> None:
    one_test = made(
        one("p1", "train", story(1), article="7"),
        one("p2", "test", story(2), article="7"),
        one("p3", "test", story(3), title="Tea"),
        one("p4", "train", story(4), title="Tea"),
    )
    assert told(leakage([one_test])) == [("article", "p1", "p2"), ("article", "p4", "p3")]
    other = made(one("p1", None, story(5), article="7"), file="b")
    alone = made(one("p1", "train", story(1), article="7"))
    assert told(leakage([alone, other])) == []


def test_questions_with_their_answers() -> None:
    test = made(
        one("p1", "train", story(1), ("Who came?", "Ann"), ("When?", "Monday"), ("Why?", "")),
        one("p2", "test", story(2), ("who came", "ANN."), ("When?", "Tuesday"), ("Why?", "")),
        one("p3", "test", story(3), ("Where?", "?")),
        one("p4", "train", story(4), ("Where?", "Oslo")),
    )
    leaks = leakage([test])
    assert told(leaks) == [("question", "p1-0", "p2-0"), ("question", "p4-0", "p3-0")]
    assert leaks.same_words == 6


def test_questions_of_alike_passages_go_without_saying() -> None:
    text = story(1)
    test = made(
        one("p1", "train", text, ("Who came?", "Ann")),
        one("p2", "test", text, ("Who came?", "Ann")),
    )
    assert told(leakage([test])) == [("passage", "p1", "p2")]


def test_across_tests() -> None:
    a = made(one("p", "train", story(1)), one("q", "dev", story(2)), file="a")
    b = made(one("p", None, story(2)), one("q", None, story(3)), file="b")
    leaks = leakage([a, b])
    [link] = leaks.links
    assert (link.first.part, link.first.passage) == (("a", "dev"), "q")
    assert (link.second.part, link.second.passage) == (("b", None), "p")
    assert [(first.split, second.file) for first, second in leaks.between()] == [("dev", "b")]


def test_nothing_to_compare_with() -> None:
    with pytest.raises(UsageError, match="a: one part and nothing to compare it with"):
        leakage([made(one("p", None, story(1)), one("q", None, story(1)))])


def test_many_of_one_text_are_each_told_once() -> None:
    text = story(1)
    test = made(
        *(one(f"a{at:03}", "train", text) for at in range(200)),
        *(one(f"b{at:03}", "test", text) for at in range(200)),
    )
    links = told(leakage([test]))
    assert len(links) == 399
    named = {id for _, first, second in links for id in (first, second)}
    assert len(named) == 400


def test_a_passage_that_stands_in_another_part_leaks_and_stays_together_when_split() -> None:
    whole = "".join(chr(0x4E00 + at * 7 % 3001) for at in range(400))
    others = ["".join(chr(0x5E00 + at * step % 2003) for at in range(300)) for step in (11, 13, 17)]
    texts = {"whole": whole, "half": whole[50:250], **dict(zip("abc", others, strict=True))}
    parted = {"half": "test", "a": "test"}
    records = [
        Passage(id=id, text=text, split=parted.get(id, "train")) for id, text in texts.items()
    ]
    leaks = leakage([in_memory(Header(language="zh"), records)])
    [link] = leaks.links
    assert (link.what, link.first.passage, link.second.passage) == ("part", "whole", "half")
    assert link.resemblance == 1.0
    test = in_memory(Header(language="zh"), records)
    for seed in range(4):
        done = plan_splits(test, {"train": 0.5, "test": 0.5}, seed=seed)
        assert done.split_of["whole"] == done.split_of["half"]
        assert [pair.what for pair in done.joined] == ["part"]
