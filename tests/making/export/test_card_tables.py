"""The card's tables, counted by hand."""

from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.making.corpus import corpus_table
from readmark.making.export.card_tables import sizes
from readmark.making.export.published_parts import published_test


def passage(id: str, split: str | None, *levels: int) -> Passage:
    questions = tuple(
        Question(
            id=f"{id}-{at}",
            text="谁在河边？",
            key=QuestionKey(answers=(Answer(text="老周"),), level=level),
        )
        for at, level in enumerate(levels)
    )
    return Passage(id=id, text=f"{id}说老周在河边。", split=split, questions=questions)


def told(*records: Passage, hidden: tuple[str, ...] = ()) -> list[str]:
    test = in_memory(Header(language="zh"), records)
    part, parts = published_test(test, hidden, test.header)
    return list(sizes(corpus_table(part), parts))


def test_levels_by_split() -> None:
    lines = told(passage("a", "train", 1, 1, 3), passage("b", "test", 3), passage("c", None, 4))
    assert lines[:6] == [
        "| split | passages | questions | answers each | key |",
        "| --- | ---: | ---: | ---: | --- |",
        "| train | 1 | 3 | 1.00 | published |",
        "| test | 1 | 1 | 1.00 | published |",
        "| unsplit | 1 | 1 | 1.00 | published |",
        "| all | 3 | 5 | 1.00 |  |",
    ]
    at = lines.index("| level | train | test | unsplit | all | share |")
    assert lines[at + 2 : at + 6] == [
        "| 1 | 2 | 0 | 0 | 2 | 40.0% |",
        "| 3 | 1 | 1 | 0 | 2 | 40.0% |",
        "| 4 | 0 | 0 | 1 | 1 | 20.0% |",
        "| all | 3 | 1 | 1 | 5 | 100.0% |",
    ]


def test_without_splits() -> None:
    lines = told(passage("a", None, 2, 2))
    at = lines.index("| level | all | share |")
    assert lines[at + 2 : at + 4] == ["| 2 | 2 | 100.0% |", "| all | 2 | 100.0% |"]


def test_levels_of_a_hidden_split_are_not_told() -> None:
    lines = told(passage("a", "dev", 1), passage("b", "test", 4), hidden=("test",))
    at = lines.index("| level | dev | test | all | share |")
    assert lines[at + 2 : at + 4] == [
        "| 1 | 1 | 0 | 1 | 50.0% |",
        "| withheld or none | 0 | 1 | 1 | 50.0% |",
    ]
    assert not any(line.startswith("| 4 ") for line in lines)
    assert any("The key of `test` is withheld" in line for line in lines)
