"""Marks of SQuAD documents: repeated contexts, questions without answers, levels."""

import json
import random
from pathlib import Path
from typing import Any

import readmark
from readmark.marking.settings import MarkSettings

TEXTS = [f"The {animal} crossed the old bridge at noon." for animal in ("fox", "hen", "cow", "ox")]
FEW = MarkSettings(draws=200)


def document(rows: list[tuple[str, str]]) -> dict[str, Any]:
    """A paragraph a question, as files flattened for a hub have it."""
    return {
        "version": "1.1",
        "data": [
            {
                "title": "bridge",
                "paragraphs": [
                    {
                        "context": text,
                        "qas": [
                            {
                                "id": id,
                                "question": "When?",
                                "answers": [{"text": "noon", "answer_start": text.index("noon")}],
                            }
                        ],
                    }
                ],
            }
            for id, text in rows
        ],
    }


def test_equal_contexts_are_one_cluster_in_any_order(tmp_path: Path) -> None:
    rows = [(f"q{at}", TEXTS[at % 4]) for at in range(16)]
    shuffled = random.Random(3).sample(rows, len(rows))
    for name, some in (("a", rows), ("b", shuffled)):
        (tmp_path / f"{name}.json").write_text(json.dumps(document(some)))
    predictions = tmp_path / "p.json"
    predictions.write_text(json.dumps({f"q{at}": "noon" if at % 3 else "dusk" for at in range(16)}))
    first, second = (readmark.load(tmp_path / f"{name}.json") for name in "ab")
    assert (first.facts.paper, first.facts.key) == (second.facts.paper, second.facts.key)
    one, other = (readmark.mark(test, predictions, settings=FEW) for test in (first, second))
    assert one.marks == other.marks
    assert readmark.compare(first, predictions, predictions)[0].clusters == 4


def test_squad2_goes_by_the_answers(tmp_path: Path) -> None:
    """The scorer of SQuAD 2.0 takes a question without answers for an unanswerable one."""
    made = document([("q1", TEXTS[0]), ("q2", TEXTS[1]), ("q3", TEXTS[2])])
    made["version"] = "v2.0"
    questions = [one["paragraphs"][0]["qas"][0] for one in made["data"]]
    questions[1]["answers"] = []
    questions[2].update(answers=[], is_impossible=False)
    path = tmp_path / "v2.json"
    path.write_text(json.dumps(made))
    test = readmark.load(path)
    assert test.facts.count("unanswerable") == 2
    (tmp_path / "p.json").write_text(json.dumps({"q1": "noon", "q2": "", "q3": "noon"}))
    found = readmark.mark(test, tmp_path / "p.json", metrics=["em", "f1"], settings=FEW)
    assert [found.per_unit()[id]["f1"] for id in ("q1", "q2", "q3")] == [1, 1, 0]
    readmark.save(test, tmp_path / "again.json", format="squad2")
    assert json.loads((tmp_path / "again.json").read_text()) == made


def test_levels_in_an_english_file_do_not_bring_smarts_rules(tmp_path: Path) -> None:
    made = document([("q1", TEXTS[0])])
    made["data"][0]["paragraphs"][0]["qas"][0]["level"] = 2
    (tmp_path / "t.json").write_text(json.dumps(made))
    (tmp_path / "p.json").write_text(json.dumps({"q1": "noon"}))
    found = readmark.mark(tmp_path / "t.json", tmp_path / "p.json", by=["level"])
    assert "profile:squad|" in found["f1"].signature
    assert list(found.by["level"]) == ["2"]
