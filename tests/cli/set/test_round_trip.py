"""Part of CMRC 2018's trial set through the making of a test, step by step: no mark changes."""

import csv
import json
import statistics
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import readmark
from readmark.core.records import PAPER_LAYERS, Layer, Passage
from readmark.core.test import Test, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.marking.settings import MarkSettings

pytestmark = [pytest.mark.slow, pytest.mark.golden]

Run = Callable[..., subprocess.CompletedProcess[str]]
SPLITS = ("train", "dev", "test")


FAULTY = {"TRIAL_210", "TRIAL_776", "TRIAL_20"}
"""Passages whose keys have faults."""


class Golden(NamedTuple):
    test: Path
    predictions: Path
    expected: dict[str, list[float]]

    def require_marks(self, test: Test) -> None:
        """The reference's marks, overall and question by question."""
        found = readmark.mark(
            test, self.predictions, metrics=("em", "f1"), settings=MarkSettings(draws=10, trials=10)
        )
        assert found.units == len(self.expected)
        said = json.loads(self.predictions.read_text("utf-8"))
        assert set(found.coverage.unanswered) == self.expected.keys() - said.keys() != set()
        for at, name in enumerate(("em", "f1")):
            mean = statistics.fmean(values[at] for values in self.expected.values())
            assert found.marks[name].score == pytest.approx(100 * mean, abs=1e-4)
        each = {
            id: [round(one[name] or 0, 6) for name in ("em", "f1")]
            for id, one in found.per_unit().items()
        }
        assert each == self.expected


@pytest.fixture(scope="module")
def golden(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Golden:
    """Every fourth passage of the set, and those with faults; marks are those of the reference."""
    expected = json.loads((shared / "golden/cmrc2018_trial.expected.json").read_text("utf-8"))
    document = json.loads((shared / expected["test"]).read_text("utf-8"))
    document["data"] = [
        article
        for at, article in enumerate(document["data"])
        if at % 4 == 0 or any(one["id"] in FAULTY for one in article["paragraphs"])
    ]
    asked = {
        question["id"]
        for article in document["data"]
        for paragraph in article["paragraphs"]
        for question in paragraph["qas"]
    }
    folder = tmp_path_factory.mktemp("golden")
    (folder / "trial.json").write_text(json.dumps(document, ensure_ascii=False), "utf-8")
    said = json.loads((shared / "golden/cmrc2018_trial.predictions.json").read_text("utf-8"))
    said = {id: text for id, text in said.items() if id in asked}
    (folder / "said.json").write_text(json.dumps(said, ensure_ascii=False), "utf-8")
    marks = {id: values for id, values in expected["per_question"].items() if id in asked}
    return Golden(folder / "trial.json", folder / "said.json", marks)


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


def corrected(passage: Passage) -> Passage:
    """What a person made of a proposal: the first phrase that is no entity is none."""
    phrases = passage.layers["np"]
    entities = set(passage.layers["ne"].spans)
    at = next((at for at, span in enumerate(phrases.spans) if span not in entities), None)
    if at is None:
        return passage
    left = Layer(
        spans=phrases.spans[:at] + phrases.spans[at + 1 :],
        source="bo",
        columns={name: one[:at] + one[at + 1 :] for name, one in phrases.columns.items()},
    )
    return msgspec.structs.replace(passage, layers={**passage.layers, "np": left})


def decide(path: Path) -> int:
    """Write "b" into every line, as somebody with an editor would; how many there are."""
    first, *rows = path.read_text("utf-8").rstrip("\n").split("\n")
    made = [{**json.loads(row), "decision": "b", "by": "chen"} for row in rows]
    lines = [first, *(json.dumps(row, ensure_ascii=False) for row in made)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return len(made)


def test_setting_steps_keep_both_fingerprints_and_the_marks(
    golden: Golden, does: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    source = open_test(golden.test)
    before = fingerprints(source)
    golden.require_marks(source)

    does("convert", golden.test, "a.jsonl")
    # A person keeps every passage, whatever the rules would do.
    keeps = [f"{one.id},keep,fit,甲" for one in source.records()]
    assert len(keeps) > 60
    table = "\n".join(["id,decision,reason,person", *keeps])
    (tmp_path / "keeps.csv").write_text(table, encoding="utf-8")
    told = does("set", "screen", "a.jsonl", "-o", "b.jsonl", "--decisions", "keeps.csv")
    assert (told["passages"], told["kept"]) == (len(keeps), len(keeps))
    assert told["overruled"] > 0
    does("set", "annotate", "b.jsonl", "-o", "ann.jsonl")
    proposed = open_test(tmp_path / "ann.jsonl")
    records = [corrected(one) for one in proposed.records()]
    save_test(in_memory(proposed.header, records), tmp_path / "bo.jsonl")
    pair = ("ann.jsonl", "bo.jsonl")
    told = does("set", "crosscheck", *pair, "-o", "decided.jsonl")
    assert {one["what"] for one in told["disagreements"]} == {"np"}
    assert decide(tmp_path / "decided.jsonl") == len(told["disagreements"]) > 50
    told = does("set", "adjudicate", *pair, "--decisions", "decided.jsonl", "-o", "c.jsonl")
    assert (told["undecided"], told["conflicts"]) == ([], [])
    gold = list(open_test(tmp_path / "c.jsonl").records())
    for name in PAPER_LAYERS:
        spans = [one.layers[name].spans for one in gold]
        assert spans == [one.layers[name].spans for one in records], name
    does("set", "split", "c.jsonl", "-o", "d.jsonl")
    for name in ("a.jsonl", "b.jsonl", *pair, "c.jsonl", "d.jsonl"):
        assert fingerprints(open_test(tmp_path / name)) == before, name
    golden.require_marks(open_test(tmp_path / "d.jsonl"))

    told = does(
        "set",
        "export",
        "d.jsonl",
        "-o",
        "out",
        "--licence",
        "CC-BY-SA-4.0",
        "--screening",
        "b.screening.jsonl",
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
        together([out / f"data/{split}.jsonl" for split in SPLITS]),
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
    assert merged.facts.several > 0.98 * len(golden.expected)
    golden.require_marks(merged)
    does("set", "split", "c.jsonl", "-o", "d.jsonl")
    does("set", "export", "d.jsonl", "-o", "out", "--licence", "CC-BY-SA-4.0")
    native = together([tmp_path / f"out/native/{split}.jsonl" for split in SPLITS])
    assert fingerprints(native) == fingerprints(merged)
    # SQuAD has no place for levels and annotators; the flat files leave the level's reasons out.
    for again in (
        native,
        together([tmp_path / f"out/squad/{split}.json" for split in SPLITS]),
        together([tmp_path / f"out/data/{split}.jsonl" for split in SPLITS]),
    ):
        assert again.facts.paper == source.facts.paper
        golden.require_marks(again)
