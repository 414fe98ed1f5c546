"""People's labels: both kinds of file, and one clear line for each that is bad."""

from pathlib import Path

import pytest

from readmark.comprehension.levels.labels import LevelLabel, read_labels, standing
from readmark.comprehension.levels.scale import as_level
from readmark.core.errors import DataError


def written(tmp_path: Path, name: str, text: str) -> Path:
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (
            "a.jsonl",
            '{"id": "q1", "level": 4, "reasons": ["pronoun", "causal"], "person": "Lin"}\n\n'
            '{"id": "q2", "level": "2"}\n',
        ),
        ("a.csv", "id,level,reasons,person\nq1,4,pronoun;causal,Lin\nq2,2,,\n"),
        ("a.csv", 'id,reasons,person,note\nq1,"pronoun, causal",Lin,x\nq2,paraphrase,,\n'),
        ("a.csv", "id,level,reasons,person\nq1,4,Pronoun CAUSAL,Lin\nq2,2,,\n"),
        ("a.tsv", "\ufeffid\tlevel\treasons\tperson\nq1\t4\tcausal pronoun\tLin\nq2\t2\t\t\n"),
    ],
)
def test_files(tmp_path: Path, name: str, text: str) -> None:
    labels = read_labels(written(tmp_path, name, text))
    assert list(labels) == ["q1", "q2"]
    (first,) = labels["q1"]
    assert (first.level, set(first.reasons), first.person) == (4, {"pronoun", "causal"}, "Lin")
    assert (labels["q2"][0].level, labels["q2"][0].person) == (2, "person")


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.jsonl", "", "a.jsonl: has no labels"),
        ("a.jsonl", "[1]\n", "a.jsonl:1: expected an object with id"),
        ("a.jsonl", '{"id": "q"}\n', "a.jsonl:1: 'q': there is no level, expected 1, 2, 3 or 4"),
        ("a.jsonl", '{"id": "q", "level": 5}', "a.jsonl:1: 'q': the level is 5, expected"),
        ("a.jsonl", '{"id": "q", "level": true}', "a.jsonl:1: 'q': the level is True, expected"),
        ("a.jsonl", '{"level": 2}', "a.jsonl:1: expected an object with id"),
        ("a.jsonl", '\n{"id": "q", "level": 2', "a.jsonl:2: not valid JSON"),
        (
            "a.jsonl",
            '{"id": "q", "level": 3, "reasons": ["pronoun", "causal"]}',
            "a.jsonl:1: 'q': level 3, but pronoun, causal make level 4",
        ),
        (
            "a.jsonl",
            '{"id": "q", "reasons": ["pronuon"]}',
            "a.jsonl:1: no reason 'pronuon'; did you mean pronoun?",
        ),
        ("a.jsonl", '{"id": "q", "level": 3, "reasons": 3}', "a.jsonl:1: reasons are 3"),
        (
            "a.jsonl",
            '{"id": "q", "level": 3}\n{"id": "q", "level": 2}',
            "a.jsonl:2: 'person' labels 'q' a second time",
        ),
        (
            "a.csv",
            "question,level\nq,1\n",
            "a.csv:1: has no column 'id'; found: question, level",
        ),
        ("a.csv", "id,level\nq,\n", "a.csv:2: 'q': the level is '', expected 1, 2, 3 or 4"),
    ],
)
def test_bad_files(tmp_path: Path, name: str, text: str, line: str) -> None:
    with pytest.raises(DataError) as caught:
        read_labels(written(tmp_path, name, text))
    assert str(caught.value).replace(f"{tmp_path}/", "").startswith(line)


def test_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes("id,level,person\nq,1,林\n".encode("gb18030"))
    assert read_labels(path)["q"][0].person == "林"


def test_several_people() -> None:
    first, second, third = LevelLabel(2, (), "a"), LevelLabel(3, (), "b"), LevelLabel(3, (), "c")
    assert standing([first]) == first
    assert standing([first, second, third]) == second
    assert standing([first, second]) == first  # a tie: the first


@pytest.mark.parametrize(
    ("value", "level"),
    [
        (1, 1),
        ("3", 3),
        (" 4 ", 4),
        (0, None),
        (5, None),
        (True, None),
        ("hard", None),
        (None, None),
    ],
)
def test_as_level(value: object, level: int | None) -> None:
    assert as_level(value) == level
