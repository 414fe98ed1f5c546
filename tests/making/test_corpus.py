"""Corpus tables: CMRC's Table 1 and Figure 2, SMART's Table 1, counted by hand."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.splits import split_order
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test
from readmark.making.corpus import corpus_table
from readmark.making.corpus_sizes import Lengths
from readmark.readability.kind import RatedPassage, Rating, RatingKey
from readmark.text.lengths import LENGTHS


def asked(id: str, text: str, *answers: str, **key: object) -> Question:
    given_answers = tuple(Answer(text=answer) for answer in answers)
    return Question(id=id, text=text, key=QuestionKey(answers=given_answers, **key))  # type: ignore[arg-type]


HILL = "山上有一座塔，是1066年建的。"
TEA = "茶馆在NBA球馆对面。"
PASSAGES = (
    Passage(
        id="a",
        text=HILL,
        split="train",
        questions=(
            asked("1", "塔在哪里？", "山上", level=1),
            asked("2", "塔是何时建的？", "1066年", "1066", level=3),
        ),
    ),
    Passage(id="b", text=TEA, split="dev", questions=(asked("3", "谁？", "无", level=1),)),
    Passage(id="c", text=TEA[:4], split="dev", questions=(Question(id="4", text="为什么？"),)),
)


def made(*passages: Passage) -> Test:
    return in_memory(Header(name="t", language="zh"), passages)


def test_table_one_by_split() -> None:
    table = corpus_table(made(*PASSAGES))
    train, dev, whole = table.splits
    assert [part.name for part in table.splits] == ["train", "dev", "all"]
    assert (train.records, train.units, train.answers, train.answers_each) == (1, 2, 3, 1.5)
    assert (dev.records, dev.units, dev.answers, dev.answers_each) == (2, 2, 1, 1.0)
    assert (whole.records, whole.units, whole.answers) == (3, 4, 4)
    assert train.lengths == {
        "passage": Lengths(1, 16, 16.0, 16),
        "question": Lengths(2, 7, 6.0, 12),
        "answer": Lengths(3, 5, 11 / 3, 11),
    }
    assert dev.lengths["passage"] == Lengths(2, 11, 7.5, 15)
    assert whole.lengths == table.lengths
    assert table.lengths["passage"] == Lengths(3, 16, 31 / 3, 31)


def test_level_by_split() -> None:
    table = corpus_table(made(*PASSAGES))
    assert table.crossed["level"] == {
        "1": {"train": 1, "dev": 1},
        "3": {"train": 1},
        "-": {"dev": 1},
    }


def test_types_are_the_key_s_or_the_rules() -> None:
    typed = Passage(id="d", text="x", questions=(asked("5", "谁？", "x", type="人物"),))
    table = corpus_table(made(*PASSAGES, typed))
    assert table.types == {"When": 1, "Where": 1, "Who": 1, "Why": 1, "人物": 1}
    # What has no split stands apart and comes last before all.
    assert [part.name for part in table.splits] == ["train", "dev", "-", "all"]
    assert table.crossed["type"]["人物"] == {"-": 1}


def test_without_splits() -> None:
    bare = Passage(id="a", text=HILL, questions=PASSAGES[0].questions)
    table = corpus_table(made(bare))
    assert (table.splits, table.crossed) == ((), {})
    assert table.types == {"When": 1, "Where": 1}


def test_a_field_of_too_many_values_is_no_table() -> None:
    many = tuple(asked(str(at), "谁？", "x", type=f"sort {at}") for at in range(41))
    table = corpus_table(made(Passage(id="a", text="x", split="dev", questions=many)))
    assert table.types == {}
    assert "type" not in table.crossed


@pytest.mark.parametrize(
    ("text", "characters", "words", "tokens"),
    [
        (HILL, 16, 8, 13),  # 山上 有 一座 塔 是 1066 年建 的
        ("NBA 球馆", 6, 2, 3),
        ("It's 3.5 km", 11, 3, 7),
        ("", 0, 0, 0),
    ],
)
def test_units(text: str, characters: int, words: int, tokens: int) -> None:
    lengths = [LENGTHS[unit](text) for unit in ("characters", "words", "tokens")]
    assert lengths == [characters, words, tokens]


def test_lengths_in_another_unit() -> None:
    table = corpus_table(made(*PASSAGES), unit="tokens")
    assert table.unit == "tokens"
    assert table.splits[0].lengths["passage"].longest == 13


@pytest.mark.slow
@settings(max_examples=15)
@given(st.lists(st.sampled_from(["train", "dev", "test", None]), min_size=1, max_size=9))
def test_splits_add_up(splits: list[str | None]) -> None:
    test = made(
        *(
            Passage(id=str(at), text=HILL, split=split, questions=(asked(f"q{at}", "谁？", "山"),))
            for at, split in enumerate(splits)
        )
    )
    table = corpus_table(test)
    if not any(splits):
        assert table.splits == ()
        return
    *parts, whole = table.splits
    for name in ("records", "units", "answers"):
        assert sum(getattr(part, name) for part in parts) == getattr(whole, name)
    assert whole.units == len(splits)
    assert sum(table.crossed["type"]["Who"].values()) == len(splits)


def test_the_order_of_splits() -> None:
    names = ["测试", "test", None, "challenge", "Dev", "train", "alpha"]
    ordered = ["train", "Dev", "test", "challenge", "alpha", "测试", None]
    assert sorted(names, key=split_order) == ordered


@pytest.mark.golden
def test_cmrc_trial(shared: Path) -> None:
    """Counted apart, from the JSON itself."""
    import json

    path = shared / "data" / "cmrc2018" / "trial.json"
    document = json.loads(path.read_text(encoding="utf-8"))
    paragraphs = [item for article in document["data"] for item in article["paragraphs"]]
    questions = [item for paragraph in paragraphs for item in paragraph["qas"]]
    texts = {
        "passage": [item["context"] for item in paragraphs],
        "question": [item["question"] for item in questions],
        "answer": [item["text"] for question in questions for item in question["answers"]],
    }
    table = corpus_table(open_test(path))
    assert table.unit == "characters"
    assert (table.units, table.answers_per_unit) == (1002, 1.0)
    for label, strings in texts.items():
        sizes = [len(text) for text in strings]
        mean = sum(sizes) / len(sizes)
        assert table.lengths[label] == Lengths(len(sizes), max(sizes), mean, sum(sizes))
    assert sum(table.types.values()) == 1002


def test_ratings_have_no_length() -> None:
    key = RatingKey(ratings=(Rating(rating=4, annotator="a"), Rating(rating=2, annotator="b")))
    record = RatedPassage(id="p", text="one two three", key=key)
    table = corpus_table(in_memory(Header(kind="readability", language="en"), [record]))
    assert table.lengths == {"passage": Lengths(1, 3, 3.0, 3)}
    assert table.answers == 2
