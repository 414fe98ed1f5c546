"""CMRC 2018's trial set through the making of a test, step by step: its marks do not change."""

import csv
import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from readmark.corpus.formats import open_test
from readmark.corpus.test import Header, Test, in_memory
from readmark.corpus.values import Answer, Passage, Question, QuestionKey
from readmark.marking.settings import Settings
from readmark.workflows import api

pytestmark = [pytest.mark.slow, pytest.mark.golden]

Run = Callable[..., subprocess.CompletedProcess[str]]
SPLITS = ("train", "dev", "test")


class Golden(NamedTuple):
    test: Path
    predictions: Path
    expected: dict[str, Any]

    def require_marks(self, test: Test) -> None:
        """The reference's marks, overall and question by question."""
        found = api.mark(
            test, self.predictions, metrics=("em", "f1"), settings=Settings(draws=10, trials=10)
        )
        assert found.units == self.expected["questions"]
        assert len(found.unanswered) == self.expected["unanswered"]
        for name in ("em", "f1"):
            score = found.marks[name].score
            assert score is not None
            assert round(score, 4) == self.expected[name]
        each = {
            id: [round(one[name] or 0, 6) for name in ("em", "f1")]
            for id, one in found.per_unit().items()
        }
        assert each == self.expected["per_question"]


@pytest.fixture(scope="module")
def golden(shared: Path) -> Golden:
    expected = json.loads((shared / "golden/cmrc2018_trial.expected.json").read_text("utf-8"))
    predictions = shared / "golden/cmrc2018_trial.predictions.json"
    return Golden(shared / expected["test"], predictions, expected)


@pytest.fixture
def does(readmark_cli: Run, tmp_path: Path) -> Callable[..., dict[str, Any]]:
    """Runs a command that must succeed, and reads its JSON."""

    def run(*args: str | Path) -> dict[str, Any]:
        done = readmark_cli(*args, "--json", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        told: dict[str, Any] = json.loads(done.stdout)
        return told

    return run


def fingerprints(test: Test) -> tuple[str, str]:
    return test.facts.paper, test.facts.key


def together(paths: list[Path]) -> Test:
    """The parts of an export as one test."""
    parts = [open_test(path) for path in paths]
    return in_memory(parts[0].header, [one for part in parts for one in part.records()])


def flat(paths: list[Path]) -> Test:
    """The flat files as a program without Readmark would read them."""
    passages: dict[str, Passage] = {}
    questions: dict[str, list[Question]] = {}
    for row in (json.loads(line) for path in paths for line in path.open(encoding="utf-8")):
        passages[row["passage_id"]] = Passage(id=row["passage_id"], text=row["context"])
        columns = (
            row["answers"]["text"],
            row["answers"]["answer_start"],
            row["answers"]["annotator"],
        )
        key = QuestionKey(
            answers=tuple(
                Answer(text=text, start=start, annotator=who or None)
                for text, start, who in zip(*columns, strict=True)
            )
        )
        asked = Question(id=row["id"], text=row["question"], key=key)
        questions.setdefault(row["passage_id"], []).append(asked)

    def made() -> Iterator[Passage]:
        for id, passage in passages.items():
            yield Passage(id=id, text=passage.text, questions=tuple(questions[id]))

    return in_memory(Header(language="zh"), made())


def test_setting_steps_keep_both_fingerprints_and_the_marks(
    golden: Golden, does: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    source = open_test(golden.test)
    before = fingerprints(source)
    golden.require_marks(source)

    does("convert", golden.test, "a.jsonl")
    # A person keeps every passage, whatever the rules would do.
    keeps = [f"{one.id},keep,fit,甲" for one in source.records()]
    table = "\n".join(["id,decision,reason,person", *keeps])
    (tmp_path / "keeps.csv").write_text(table, encoding="utf-8")
    told = does("set", "screen", "a.jsonl", "-o", "b.jsonl", "--decisions", "keeps.csv")
    assert (told["passages"], told["kept"]) == (256, 256)
    assert told["overruled"] > 0
    does("set", "annotate", "b.jsonl", "-o", "c.jsonl", "--layers", "sentence")
    does("set", "split", "c.jsonl", "-o", "d.jsonl")
    for name in ("a.jsonl", "b.jsonl", "c.jsonl", "d.jsonl"):
        assert fingerprints(open_test(tmp_path / name)) == before, name
    golden.require_marks(open_test(tmp_path / "d.jsonl"))

    told = does(
        *("set", "export", "d.jsonl", "-o", "out", "--licence", "CC-BY-SA-4.0"),
        *("--screening", "b.screening.jsonl"),
    )
    assert (told["paper"], told["key"]) == before
    assert told["faults"] == {
        "offset": [f"TRIAL_210_QUERY_{at}" for at in range(5)],
        "empty_text": ["TRIAL_776_QUERY_4", "TRIAL_20_QUERY_0"],
    }
    out = tmp_path / "out"
    for again in (
        together([out / f"native/{split}.jsonl" for split in SPLITS]),
        together([out / f"squad/{split}.json" for split in SPLITS]),
        flat([out / f"data/{split}.jsonl" for split in SPLITS]),
    ):
        assert fingerprints(again) == before
        golden.require_marks(again)


def test_levels_and_further_answers_change_the_key_alone(
    golden: Golden, does: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    source = open_test(golden.test)
    does("convert", golden.test, "a.jsonl")
    does("set", "levels", "a.jsonl", "-o", "b.jsonl")
    # Somebody else gives the answer of the key: no reference is new, so no mark may be.
    does("set", "blind", "b.jsonl", "-o", "blind", "--annotator", "乙", "--each", "1")
    said = {unit.id: unit.key.answers[0].text for unit in source.units()}
    with (tmp_path / "blind/乙.answers.csv").open(encoding="utf-8-sig", newline="") as sheet:
        rows = [{**row, "answer": said[row["id"]]} for row in csv.DictReader(sheet)]
    with (tmp_path / "filled.csv").open("w", encoding="utf-8", newline="") as sheet:
        writer = csv.DictWriter(sheet, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    does("set", "merge", "b.jsonl", "filled.csv", "-o", "c.jsonl", "--name", "乙")
    merged = open_test(tmp_path / "c.jsonl")
    assert merged.facts.paper == source.facts.paper
    assert merged.facts.key != source.facts.key
    assert merged.facts.several > 990
    golden.require_marks(merged)
    does("set", "split", "c.jsonl", "-o", "d.jsonl")
    does("set", "export", "d.jsonl", "-o", "out", "--licence", "CC-BY-SA-4.0")
    native = together([tmp_path / f"out/native/{split}.jsonl" for split in SPLITS])
    assert fingerprints(native) == fingerprints(merged)
    # SQuAD has no place for levels and annotators; the flat files leave the level's reasons out.
    for again in (
        native,
        together([tmp_path / f"out/squad/{split}.json" for split in SPLITS]),
        flat([tmp_path / f"out/data/{split}.jsonl" for split in SPLITS]),
    ):
        assert again.facts.paper == source.facts.paper
        golden.require_marks(again)
