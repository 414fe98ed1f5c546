"""A challenge set as a split: nothing in the other splits gives it away, and losses are counted."""

import random
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from readmark.core.errors import DataError, UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, Test, in_memory, text_id
from readmark.formats.registry import open_test, save_test
from readmark.making.challenge.split import with_challenge_split
from readmark.making.splits.leakage import leakage
from readmark.making.splits.split import SplitOptions, split_test

WORDS = "山水田林路桥村镇灯火船马牛羊花草雨雪风云石井塔寺茶米麦竹松梅"


def story(seed: str, length: int = 60) -> str:
    """A text unlike that of any other seed."""
    chance = random.Random(seed)
    return "".join(chance.choice(WORDS) for _ in range(length)) + "。"


def passage(id: str, *questions: str, text: str | None = None, **more: object) -> Passage:
    return Passage(
        id=id,
        text=text or story(id),
        questions=tuple(
            Question(id=name, text=f"{name}？", key=QuestionKey(answers=(Answer(text=name),)))
            for name in questions
        ),
        **more,  # type: ignore[arg-type]
    )


def corpus(*passages: Passage, **header: object) -> Test:
    return in_memory(Header(language="zh", **header), passages)  # type: ignore[arg-type]


def chosen(test: Test, *ids: str) -> list[Passage]:
    """The passages with the chosen questions alone, as a search gives them."""
    verdicts = []
    for record in test.records():
        questions = tuple(question for question in record.questions if question.id in ids)
        if questions:
            verdicts.append(msgspec.structs.replace(record, questions=questions))
    return verdicts


def layout(test: Test) -> dict[str, tuple[str | None, list[str]]]:
    return {
        record.id: (record.split, [question.id for question in record.questions])
        for record in test.records()
    }


def rest(count: int = 6, split: str | None = None) -> Sequence[Passage]:
    return [passage(f"r{number}", f"r{number}-q", split=split) for number in range(count)]


def test_a_challenge_passage_leaves_the_split_it_was_in() -> None:
    test = corpus(passage("p", "hard", "easy", split="train"), *rest(split="train"))
    challenge, left_out = with_challenge_split(test, chosen(test, "hard"), "challenge")
    assert layout(challenge)["p"] == ("challenge", ["hard"])
    assert len(layout(challenge)) == 7
    assert left_out.as_json() == {
        "same_passage": 1,
        "other_passages": 0,
        "their_questions": 0,
        "repeated_questions": 0,
    }
    assert leakage([challenge]).links == ()


def test_passages_that_give_it_away_are_left_out_and_counted() -> None:
    """The same text, nearly the same, a part of it, the same article, the same question."""
    text = story("p", 200)
    test = corpus(
        passage("p", "hard", text=text, article="a"),
        passage("copy", "c1", "c2", text=text, split="dev"),
        passage("near", "n1", text=text[:-2] + "！。", split="test"),
        passage("near2", "n2", text=text[:-2] + "！。", split="test"),  # the same near text again
        passage("part", "t1", text=text[:120], split="train"),
        passage("sister", "s1", article="a", split="train"),
        msgspec.structs.replace(
            passage("asks", "other"),
            questions=(
                Question(
                    id="again", text="hard？", key=QuestionKey(answers=(Answer(text="hard"),))
                ),
                Question(id="new", text="new？", key=QuestionKey(answers=(Answer(text="new"),))),
            ),
        ),
        *rest(),
    )
    challenge, left_out = with_challenge_split(test, chosen(test, "hard"), "challenge")
    assert set(layout(challenge)) == {"p", "asks", *(f"r{number}" for number in range(6))}
    assert layout(challenge)["asks"] == (None, ["new"])
    assert left_out.as_json() == {
        "same_passage": 0,
        "other_passages": 5,
        "their_questions": 6,
        "repeated_questions": 1,
    }
    assert leakage([challenge]).links == ()
    # An article may be told by other fields, or not at all: then only texts count.
    challenge, left_out = with_challenge_split(
        test, chosen(test, "hard"), "challenge", article=("id",)
    )
    assert "sister" in layout(challenge)
    assert left_out.other_passages == 4


def test_a_passage_in_parts_keeps_every_challenge_question() -> None:
    """Flat files repeat a passage for every question, under an id made of its text."""
    text = story("flat")
    parts = [passage(text_id(text), name, text=text) for name in ("one", "two", "three")]
    test = corpus(*parts, *rest())
    challenge, left_out = with_challenge_split(test, chosen(test, "one", "three"), "challenge")
    records = [record for record in challenge.records() if record.split == "challenge"]
    assert [question.id for record in records for question in record.questions] == ["one", "three"]
    assert left_out.same_passage == 1


def test_nothing_left_beside_the_challenge_set_is_refused() -> None:
    test = corpus(passage("p", "hard", "easy"), passage("q", "fair", text=story("p")))
    with pytest.raises(DataError, match="all 2 other questions"):
        with_challenge_split(test, chosen(test, "hard"), "challenge")
    with pytest.raises(DataError, match="no question was found"):
        with_challenge_split(test, [], "challenge")


def test_the_split_may_be_hidden() -> None:
    test = corpus(passage("p", "hard", split="dev"), *rest(split="test"), hidden=("test",))
    challenge, _ = with_challenge_split(
        test, chosen(test, "hard"), "challenge", hidden=["challenge"]
    )
    assert challenge.header.hidden == ("test", "challenge")
    with pytest.raises(UsageError, match="did you mean challenge"):
        with_challenge_split(test, chosen(test, "hard"), "challenge", hidden=["chalenge"])


def saved(test: Test, file: Path, **options: object) -> Test:
    split_test(test, file, SplitOptions(**options))  # type: ignore[arg-type]
    return open_test(file)


@pytest.mark.parametrize("name", ["challenge", "hard"])
def test_splitting_keeps_the_challenge_split(tmp_path: Path, name: str) -> None:
    test = corpus(passage("p", "hard", "easy"), *rest(12))
    challenged, _ = with_challenge_split(test, chosen(test, "hard"), name)
    parted = saved(
        challenged, tmp_path / "parted.jsonl", proportions="50/25/25", hidden=("test", name)
    )
    assert layout(parted)["p"] == (name, ["hard"])
    assert parted.header.hidden == ("test", name)
    assert sorted(parted.facts.splits) == sorted(["train", "dev", "test", name])
    assert parted.split("train").facts.units == 6
    # Splitting anew replaces the others only, and what was hidden of the rest stays so.
    anew = saved(parted, tmp_path / "anew.jsonl", proportions="a=1,b=1", force=True, hidden=("b",))
    assert sorted(anew.facts.splits) == sorted(["a", "b", name])
    assert anew.header.hidden == ("b", name)
    replaced = saved(anew, tmp_path / "replaced.jsonl", proportions="a=1,b=1", force=True, keep=())
    assert sorted(replaced.facts.splits) == ["a", "b"]


def test_what_a_split_keeps_is_in_its_summary(tmp_path: Path) -> None:
    test = corpus(passage("p", "hard", "harder", split="challenge"), *rest(12))
    done = split_test(test, tmp_path / "out.jsonl", SplitOptions(proportions="50/25/25"))
    assert done.as_json()["kept"] == {"challenge": {"articles": 1, "passages": 1, "questions": 2}}
    assert done.as_json()["splits"]["train"]["share"] == 0.5
    assert done.as_json()["split_of"]["p"] == "challenge"
    assert "challenge" in str(done)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({}, r"with split challenge, .*: 2 \(copy, sister\)"),
        ({"article": ("id",)}, r"with split challenge, .*: 1 \(copy\)"),
        ({"keep": ("chalenge",)}, "did you mean challenge"),
        ({"proportions": "train=1,challenge=1"}, "challenge.* is kept"),
        ({"hidden": ("chalenge",)}, "did you mean challenge"),
    ],
)
def test_what_a_kept_split_does_not_allow(
    tmp_path: Path, options: dict[str, object], line: str
) -> None:
    test = corpus(
        passage("p", "hard", split="challenge", article="a"),
        passage("sister", "s", article="a"),
        passage("copy", "c", text=story("p")),
        *rest(12),
    )
    if "hidden" in options:
        test = corpus(passage("p", "hard", split="challenge"), *rest(12))
    with pytest.raises((DataError, UsageError), match=line):
        split_test(test, tmp_path / "out.jsonl", SplitOptions(**options))  # type: ignore[arg-type]
    assert not (tmp_path / "out.jsonl").exists()


def test_a_parallel_test_must_agree_with_a_kept_split(tmp_path: Path) -> None:
    test = corpus(passage("p", "hard", split="challenge"), *rest(3))
    like = tmp_path / "like.jsonl"
    save_test(
        corpus(passage("p", "hard", split="train"), *rest(3, split="train")), like, format="native"
    )
    with pytest.raises(DataError, match=r"is in challenge, in .*like\.jsonl in train"):
        split_test(test, tmp_path / "out.jsonl", SplitOptions(like=like))


def test_one_name_for_the_whole_test(tmp_path: Path) -> None:
    test = corpus(*rest(4))
    whole = saved(
        test, tmp_path / "whole.jsonl", proportions="challenge=100", hidden=("challenge",)
    )
    assert list(whole.facts.splits) == ["challenge"]
    assert whole.header.hidden == ("challenge",)
    assert whole.split("challenge").facts.units == 4
    with pytest.raises(UsageError, match="has splits already"):
        saved(whole, tmp_path / "dev.jsonl", proportions="dev=1", keep=())
