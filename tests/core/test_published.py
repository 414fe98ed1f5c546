"""Keys of hidden splits: taken out, counted, and never missed by a misspelling."""

import pytest

from readmark.core.errors import UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.splits import without_keys
from readmark.core.test import Header, in_memory

KEY = QuestionKey(answers=(Answer(text="甲"),))


def passage(id: str, split: str | None, questions: int) -> Passage:
    asked = tuple(Question(id=f"{id}{at}", text="谁？", key=KEY) for at in range(questions))
    return Passage(id=id, text=f"{id}甲。", split=split, questions=asked)


TEST = in_memory(
    Header(), [passage("a", "dev", 2), passage("b", "test", 3), passage("c", "test", 1),
               passage("d", None, 0)]
)  # fmt: skip


def test_hidden_splits_lose_their_keys_alone() -> None:
    shown = without_keys(TEST, ["test"])
    assert shown.header.hidden == ("test",)
    assert {unit.id for unit in shown.units() if unit.key is None} == {"b0", "b1", "b2", "c0"}
    assert shown.facts.paper == TEST.facts.paper
    assert list(without_keys(TEST, []).records()) == list(TEST.records())


def test_a_split_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no split 'tset'; it has dev, test"):
        without_keys(TEST, ["dev", "tset"])


def test_places_in_hidden_keys_leave_the_header_too() -> None:
    told = {"a": "ann", "decided": {"p:q:key1:ne:1-6": "di"}}
    header = Header(fields={"adjudication": told, "other": 1})
    test = in_memory(header, TEST.records())
    assert without_keys(test, ["test"]).header.fields == {
        "adjudication": {"a": "ann"},
        "other": 1,
    }
    assert without_keys(test, []).header.fields == header.fields
