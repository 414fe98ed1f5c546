"""Splitting: by article, measured in questions, the same whatever the order of the records."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test
from readmark.making.splits.leakage import leakage
from readmark.making.splits.plan import (
    Splitting,
    apply_splits,
    existing_splits,
    plan_splits,
    read_proportions,
)
from readmark.readability.kind import RatedPassage

THIRDS = read_proportions("80/10/10")
WORDS = "山水田林路桥村镇灯火船马牛羊花草雨雪风云石井塔寺茶米麦竹松梅"


def story(seed: int, length: int = 60) -> str:
    """A text unlike that of any other seed."""
    chance = random.Random(seed)
    return "".join(chance.choice(WORDS) for _ in range(length)) + "。"


def passage(id: str, questions: int = 1, *, text: str | None = None, **more: object) -> Passage:
    levels = more.pop("levels", None)
    asked = tuple(
        Question(
            id=f"{id}-{at}",
            text=f"{id}的第{at}个问题是什么？",
            key=QuestionKey(
                answers=(Answer(text=f"{id}{at}"),),
                level=levels[at % len(levels)] if isinstance(levels, list) else None,
            ),
        )
        for at in range(questions)
    )
    return Passage(id=id, text=text or story(hash_of(id)), questions=asked, **more)  # type: ignore[arg-type]


def hash_of(text: str) -> int:
    return int.from_bytes(text.encode(), "big") % 2**32


def made(*passages: Passage, **header: object) -> Test:
    return in_memory(Header(language="zh", **header), passages)  # type: ignore[arg-type]


sized = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 4), st.integers(1, 4)), min_size=12, max_size=40
)


@given(sized, st.integers(1, 5))
def test_whatever_the_articles(rows: list[tuple[int, int, int]], seed: int) -> None:
    """No article in two splits, all questions kept, proportions as the largest article allows."""
    passages = [
        passage(f"p{at}", questions, article=f"a{article}", levels=[level])
        for at, (article, questions, level) in enumerate(rows)
    ]
    asked = {item.article for item in passages if item.questions}
    test = made(*passages)
    if len(asked or {item.article for item in passages}) < 3:
        with pytest.raises(DataError, match="cannot fill 3 splits"):
            plan_splits(test, THIRDS, seed=seed)
        return
    done = plan_splits(test, THIRDS, seed=seed)
    after = apply_splits(test, done)
    records = list(after.records())
    where: dict[str, set[str]] = {}
    for record in records:
        where.setdefault(record.article, set()).add(record.split)
    assert all(len(splits) == 1 for splits in where.values())
    assert (after.facts.paper, after.facts.key) == (test.facts.paper, test.facts.key)
    if done.questions:
        assert done.measured_in == "questions"
        for name, size in done.splits.items():
            questions_of_split = sum(len(item.questions) for item in records if item.split == name)
            assert questions_of_split == size.questions > 0
            assert size.wanted == pytest.approx(THIRDS[name] * done.questions)
            assert -2 * done.largest[1] <= questions_of_split - size.wanted <= done.largest[1]
        by_level = done.strata["level"]
        assert sum(sum(row.values()) for row in by_level.values()) == done.questions
    shuffled = passages[:]
    random.Random(seed).shuffle(shuffled)
    again = plan_splits(made(*shuffled), THIRDS, seed=seed)
    assert again == done


def test_seeds_give_other_splits() -> None:
    test = made(*(passage(f"p{at}") for at in range(30)))
    splits = {
        tuple(sorted(plan_splits(test, THIRDS, seed=seed).split_of.items())) for seed in range(5)
    }
    assert len(splits) == 5


def test_levels_are_spread() -> None:
    """Of 20 articles two have all the level-4 questions of a half: one goes to each half."""
    hard = [passage(f"h{at}", 4, levels=[4]) for at in range(2)]
    easy = [passage(f"e{at}", 4, levels=[1]) for at in range(18)]
    done = plan_splits(made(*hard, *easy), read_proportions("50/50"))
    assert done.strata["level"] == {"1": {"train": 36, "test": 36}, "4": {"train": 4, "test": 4}}
    assert done.proportions["train"] * sum(done.strata["level"]["4"].values()) == 4.0


def joined(done: Splitting) -> list[tuple[str, str, str]]:
    return [(pair.what, pair.first.passage, pair.second.passage) for pair in done.joined]


LONG = story(1, 200)
OTHERS = [passage(f"p{at}", 2) for at in range(8)]


@pytest.mark.parametrize(
    ("first", "second", "why"),
    [
        (passage("x", text=LONG), passage("y", text=f"{LONG[:-1]}！"), "passage"),
        (passage("x", text=LONG), passage("y", text=LONG[:190]), "passage"),
        (
            Passage(id="x", text=story(2), questions=(Question(id="1", text="谁？"),)),
            Passage(id="y", text=story(3), questions=(Question(id="2", text="谁 ?"),)),
            "question",
        ),
        (passage("x", article="1"), passage("y", article="1"), None),
        (passage("x", title="河"), passage("y", title="河"), None),
        (passage("x", fields={"doc": 7}), passage("y", fields={"doc": 7}), None),
    ],
    ids=["same text", "nearly the same", "same question", "article", "title", "own field"],
)
@pytest.mark.parametrize("seed", range(3))
def test_what_is_kept_together(first: Passage, second: Passage, why: str | None, seed: int) -> None:
    test = made(first, *OTHERS, second)
    done = plan_splits(test, THIRDS, seed=seed, article=("article", "title", "doc"))
    assert done.split_of["x"] == done.split_of["y"]
    assert joined(done) == ([(why, "x", "y")] if why else [])
    assert leakage([apply_splits(test, done)]).links == ()


def test_what_is_alike_may_be_parted_on_demand() -> None:
    twins = [passage(f"t{at}", text=LONG) for at in range(4)]
    done = plan_splits(made(*twins), read_proportions("50/50"), alike=False)
    assert {size.passages for size in done.splits.values()} == {2}
    with pytest.raises(
        DataError, match=r"1 article \(what is kept together is one\) cannot fill 2"
    ):
        plan_splits(made(*twins), read_proportions("50/50"))


def test_questions_of_the_same_words_with_other_answers_are_no_reason() -> None:
    def asked(id: str, answer: str) -> Passage:
        question = Question(
            id=f"q{id}", text="这条鱼多长？", key=QuestionKey(answers=(Answer(text=answer),))
        )
        return Passage(id=id, text=story(hash_of(id)), questions=(question,))

    assert joined(plan_splits(made(asked("x", "两米"), asked("y", "一米"), *OTHERS), THIRDS)) == []
    done = plan_splits(made(asked("x", "两米"), asked("y", "“两米”"), *OTHERS), THIRDS)
    assert joined(done) == [("question", "x", "y")]


def test_passages_without_questions() -> None:
    bare = [passage(f"b{at}", 0) for at in range(10)]
    done = plan_splits(made(*bare), THIRDS)
    assert done.measured_in == "passages"
    assert {name: size.passages for name, size in done.splits.items()} == {
        "train": 8,
        "dev": 1,
        "test": 1,
    }
    mixed = plan_splits(made(*bare, *(passage(f"p{at}", 2) for at in range(10))), THIRDS)
    assert [(part.passages, part.questions) for part in mixed.splits.values()] == [
        (16, 16),
        (2, 2),
        (2, 2),
    ]


def test_the_header_says_how() -> None:
    test = made(*OTHERS, hidden=("test", "old"), fields={"made": "by hand"})
    done = plan_splits(test, THIRDS, seed=3)
    header = apply_splits(test, done).header
    assert header.hidden == ("test",)
    assert header.fields["made"] == "by hand"
    assert header.fields["splitting"] == {
        "by": "article",
        "seed": 3,
        "proportions": {"train": 0.8, "dev": 0.1, "test": 0.1},
        "measured_in": "questions",
        "strata": ["level", "type"],
    }
    assert apply_splits(test, done, hidden=["dev"]).header.hidden == ("dev",)
    with pytest.raises(UsageError, match="did you mean dev"):
        apply_splits(test, done, hidden=["dve"])
    assert existing_splits(test) == []
    assert existing_splits(apply_splits(test, done)) == ["dev", "test", "train"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("80/10/10", {"train": 0.8, "dev": 0.1, "test": 0.1}),
        ("3/1", {"train": 0.75, "test": 0.25}),
        ("训练=1, 测试=1", {"训练": 0.5, "测试": 0.5}),
    ],
)
def test_proportions(text: str, expected: dict[str, float]) -> None:
    assert read_proportions(text) == pytest.approx(expected)


@pytest.mark.parametrize(
    "text", ["", "100", "80/20/0", "a/b", "80/10/5/5", "train=80", "a=1,a=2", "=1,b=2", "a=inf,b=1"]
)
def test_bad_proportions(text: str) -> None:
    with pytest.raises(UsageError, match="expected two or three such as 80/10/10"):
        read_proportions(text)


def test_too_many_strata() -> None:
    many = [passage(f"p{at}", 2, title=str(at)) for at in range(201)]
    with pytest.raises(UsageError, match=r"^`by` title gives 201 strata, expected at most 200"):
        plan_splits(made(*many), THIRDS, by=("title",))


@pytest.mark.golden
def test_cmrc(shared: Path) -> None:
    """Every stratum within a question and a half, since CMRC's articles have at most five."""
    test = open_test(shared / "data" / "cmrc2018" / "trial.json")
    done = plan_splits(test, THIRDS)
    for name, size in done.splits.items():
        assert abs(size.questions - size.wanted) < 1.5
        for value in done.strata["type"]:
            expected = done.proportions[name] * sum(done.strata["type"][value].values())
            assert abs(done.strata["type"][value][name] - expected) < 1.5


def test_a_readability_test_is_spread_by_genre_and_topic() -> None:
    records = [
        RatedPassage(
            id=f"{genre}{at}", text=story(10 * at + len(genre)), genre=genre, topic=f"t{at % 2}"
        )
        for genre in ("forum", "newswire", "caption", "transcript")
        for at in range(10)
    ]
    test = in_memory(Header(kind="readability", language="zh"), records)
    done = plan_splits(test, read_proportions("50/50"), alike=False)
    assert done.by == ("genre", "topic")
    assert done.measured_in == "passages"
    assert {value: set(row.values()) for value, row in done.strata["genre"].items()} == {
        genre: {5} for genre in ("caption", "forum", "newswire", "transcript")
    }
    assert [set(row.values()) for row in done.strata["topic"].values()] == [{10}] * 2
