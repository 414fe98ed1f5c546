"""What a file of a task is for, by its path."""

import pytest

from readmark.tasks.file_roles import id_from_path, role_of


@pytest.mark.parametrize(
    ("path", "role", "split"),
    [
        ("documents/train/a.txt", "document", "train"),
        ("documents/a.txt", "document", None),
        ("documents/train/a.pdf", "other", None),
        ("background/x/y.jsonl.gz", "background", None),
        ("ontology.ttl", "ontology", None),
        ("ontology.owl", "ontology", None),
        ("ontology.pdf", "other", None),
        ("rules.dsrs", "rules", None),
        ("more.dsrs", "rules", None),
        ("annotations/a.trig", "annotations", None),
        ("annotations/test/a.graph", "annotations", "test"),
        ("annotations/readme.md", "other", None),
        ("guidelines.pdf", "guidelines", None),
        ("queries.jsonl", "queries", None),
        ("queries.md", "other", None),
        ("answers.jsonl", "answers", None),
        ("answers.train.jsonl", "answers", "train"),
        ("gold.test.jsonl", "answers", "test"),
        ("Answers.test.jsonl", "answers", "test"),
        ("Annotations/a.TRIG", "annotations", None),
        ("decomposition.toml", "decomposition", None),
        ("notes.md", "other", None),
    ],
)
def test_a_file_is_known_by_its_place(path: str, role: str, split: str | None) -> None:
    assert role_of(path) == (role, split)


def test_a_document_is_called_by_its_path_below_the_split() -> None:
    assert id_from_path("documents/train/a.txt") == "a"
    assert id_from_path("documents/train/2009/a.b.txt") == "2009/a.b"
    assert id_from_path("documents/a.txt") == "a"
