"""Keys of hidden splits are removed, and a misspelt split is never published."""

import pytest

from readmark.core.errors import UsageError
from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.splits import without_keys
from readmark.core.test import Header, in_memory

KEY = QuestionKey(answers=(Answer(text="甲"),))


def passage(id: str, split: str | None, questions: int) -> Passage:
    items = tuple(Question(id=f"{id}{index}", text="谁？", key=KEY) for index in range(questions))
    return Passage(id=id, text=f"{id}甲。", split=split, questions=items)


TEST = in_memory(
    Header(), [passage("a", "dev", 2), passage("b", "test", 3), passage("c", "test", 1),
               passage("d", None, 0)]
)  # fmt: skip


def test_hidden_splits_lose_their_keys_alone() -> None:
    published = without_keys(TEST, ["test"])
    assert published.header.hidden == ("test",)
    assert {unit.id for unit in published.units() if unit.key is None} == {"b0", "b1", "b2", "c0"}
    assert published.facts.paper == TEST.facts.paper
    assert list(without_keys(TEST, []).records()) == list(TEST.records())


def test_a_split_that_is_not_there_is_refused() -> None:
    with pytest.raises(UsageError, match=r"no split 'tset'; it has dev, test"):
        without_keys(TEST, ["dev", "tset"])


def test_places_in_hidden_keys_leave_the_header_too() -> None:
    adjudication = {"a": "ann", "decided": {"p:q:key1:ne:1-6": "di"}}
    header = Header(fields={"adjudication": adjudication, "other": 1})
    test = in_memory(header, TEST.records())
    assert without_keys(test, ["test"]).header.fields == {
        "adjudication": {"a": "ann"},
        "other": 1,
    }
    assert without_keys(test, []).header.fields == header.fields
