"""Logs that lm-evaluation-harness 0.4.13 wrote (tests/harness_runs.py made them), as sittings."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from harness_runs import write_test
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.kinds import kind_named
from readmark.core.sitting import Sitting
from readmark.core.source import Source
from readmark.formats.harness_logs.lm_eval import LmEvalLog
from readmark.formats.registry import open_sitting, open_test
from readmark.marking import mark

HERE = Path(__file__).parent
COMPREHENSION = kind_named("comprehension")
WHOLE = HERE / "samples_whole_2026-01-01T00-00-00.000003.jsonl"
PART = HERE / "samples_part_2026-01-01T00-00-00.000002.jsonl"
FILTERS = HERE / "samples_filters_2026-01-01T00-00-00.000001.jsonl"


def texts(sitting: Sitting) -> dict[str, list[Any]]:
    return {id: [row.text for row in sitting.of(id)] for id in sitting}


def changed(path: Path, change: Any) -> Path:
    """The whole log with every sample changed, and no results beside it."""
    samples = [json.loads(line) for line in WHOLE.read_text("utf-8").splitlines()]
    for sample in samples:
        change(sample)
    path.write_text("".join(json.dumps(one) + "\n" for one in samples), "utf-8")
    return path


def test_a_log_is_a_sitting_of_the_paper_with_model_and_settings(tmp_path: Path) -> None:
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    sitting = open_sitting(WHOLE, test.kind)
    assert texts(sitting) == {
        "rye/who": ["Mila"],
        "rye/many": ["Nine loaves."],
        "rye/price": [""],
        "rye/day": ["Monday"],
    }
    header = sitting.header
    assert (header.paper, header.candidate) == (test.facts.paper, "scripted")
    assert (header.covers, header.repeats, sitting.notes) == (None, 1, ())
    (span, choice) = header.signature["prompts"]
    assert (span.split()[0], choice.split()[0]) == ("span_or_none", "choice")
    assert header.signature["version"] == "0.4.13"
    assert header.signature["base_url"].startswith("http://127.0.0.1:")
    assert header.signature["temperature"] == 0.0
    assert header.signature["max_gen_toks"] == 256
    assert sitting.of("rye/day")[0].evidence == {"said": "B"}


def test_a_run_with_a_limit_covers_what_it_asked() -> None:
    assert open_sitting(PART, COMPREHENSION).header.covers == ("rye/who", "rye/many", "rye/price")


def test_without_the_results_the_file_names_the_candidate(tmp_path: Path) -> None:
    alone = tmp_path / "mine.jsonl"
    shutil.copy(PART, alone)
    sitting = open_sitting(alone, COMPREHENSION)
    assert (sitting.candidate, sitting.header.covers) == ("mine", None)
    assert "base_url" not in sitting.header.signature
    assert "has 3 of the test's 4 questions" in sitting.notes[0]


def test_results_by_another_name_are_found(tmp_path: Path) -> None:
    """What ``--output_path res.json`` makes of their name."""
    shutil.copy(PART, tmp_path)
    results = PART.name.replace("samples_part_", "results_").replace(".jsonl", ".json")
    shutil.copy(HERE / results, tmp_path / results.replace("results_", "res_"))
    (tmp_path / results.replace("results_", "a_")).write_text("{", "utf-8")
    sitting = open_sitting(tmp_path / PART.name, COMPREHENSION)
    assert (sitting.candidate, sitting.notes) == ("scripted", ())
    assert sitting.header.covers == ("rye/who", "rye/many", "rye/price")


def test_replies_that_say_nothing_are_error_rows(tmp_path: Path) -> None:
    replies = iter([None, "", "<think>Nine loaves", "<think>B?</think>"])

    def dead(sample: dict[str, Any]) -> None:
        said = next(replies)
        sample["resps"], sample["filtered_resps"] = [[said]], [said]

    sitting = open_sitting(changed(tmp_path / "dead.jsonl", dead), COMPREHENSION)
    errors = {id: sitting.of(id)[0].error for id in sitting}
    assert errors == {
        "rye/who": "no answer: empty",
        "rye/many": "no answer: empty",
        "rye/price": "no answer: cut off while reasoning",
        "rye/day": "no answer: reasoning only",
    }
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    assert mark(test, tmp_path / "dead.jsonl").as_json()["marks"]["em"]["score"] == 0.0


def test_half_a_surrogate_pair_is_mended_in_its_row_alone(tmp_path: Path) -> None:
    def halved(sample: dict[str, Any]) -> None:
        if sample["doc"]["id"] == "rye/who":
            sample["resps"], sample["filtered_resps"] = [["Mila \ud83d"]], ["Mila \ud83d"]

    sitting = open_sitting(changed(tmp_path / "half.jsonl", halved), COMPREHENSION)
    assert texts(sitting)["rye/who"] == ["Mila \ufffd"]
    assert sitting.of("rye/who")[0].evidence == {"mended": True}
    assert texts(sitting)["rye/many"] == ["Nine loaves."]


def test_the_first_filter_is_taken_and_said_and_others_by_name() -> None:
    first = open_sitting(FILTERS, COMPREHENSION)
    assert texts(first)["rye/many"] == ["loaves"]
    assert "last_word, plain; last_word was taken" in first.notes[0]
    plain = LmEvalLog(filter="plain").read_sitting(Source(FILTERS), COMPREHENSION)
    assert texts(plain)["rye/many"] == ["Nine loaves."]
    assert (plain.notes, plain.header.signature["filter"]) == ((), "plain")
    with pytest.raises(UsageError, match="did you mean plain"):
        LmEvalLog(filter="plian").read_sitting(Source(FILTERS), COMPREHENSION)


def test_raw_responses_are_every_repeat() -> None:
    raw = LmEvalLog(raw=True).read_sitting(Source(FILTERS), COMPREHENSION)
    assert texts(raw)["rye/many"] == ["Nine loaves.", "Nine loaves."]
    assert (raw.header.repeats, raw.header.signature["filter"]) == (2, "raw")


def test_a_task_without_filters_keeps_its_repeats(tmp_path: Path) -> None:
    def twice(sample: dict[str, Any]) -> None:
        sample["resps"] = [[*sample["resps"][0], "later"]]

    sitting = open_sitting(changed(tmp_path / "twice.jsonl", twice), COMPREHENSION)
    assert texts(sitting)["rye/who"] == ["Mila", "later"]
    assert sitting.header.repeats == 2


def test_another_task_is_bound_by_its_ids_alone(tmp_path: Path) -> None:
    def foreign(sample: dict[str, Any]) -> None:
        del sample["doc"]["readmark"]

    sitting = open_sitting(changed(tmp_path / "foreign.jsonl", foreign), COMPREHENSION)
    assert sitting.header.paper is None
    # Without a binding nothing is known of a word for none, nor that options go by letters.
    assert texts(sitting)["rye/price"] == ["Unanswerable."]
    assert texts(sitting)["rye/day"] == ["B"]
    assert "does not state its paper" in sitting.notes[0]


def _no_id(sample: dict[str, Any]) -> None:
    del sample["doc"]["id"]


def _papers(sample: dict[str, Any]) -> None:
    sample["doc"]["readmark"]["paper"] = sample["doc"]["id"]


def _no_responses(sample: dict[str, Any]) -> None:
    if sample["doc_id"]:
        del sample["resps"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (_no_id, r":1: the sample's doc has no id"),
        (_papers, r":2: the log has samples of several papers"),
        (_no_responses, r":2: expected a sample with"),
    ],
)
def test_a_bad_log_is_one_line(change: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=message):
        open_sitting(changed(tmp_path / "bad.jsonl", change), COMPREHENSION)


def test_a_log_that_is_cut_off_is_placed(tmp_path: Path) -> None:
    cut = tmp_path / "cut.jsonl"
    cut.write_bytes(WHOLE.read_bytes()[:-40])
    with pytest.raises(DataError, match=r"cut\.jsonl:4: not valid JSON"):
        open_sitting(cut, COMPREHENSION)


def test_a_first_sample_longer_than_what_is_looked_at_is_known(tmp_path: Path) -> None:
    def long(sample: dict[str, Any]) -> None:
        sample["doc"]["prompt"] = "x" * 200_000

    sitting = open_sitting(changed(tmp_path / "long.jsonl", long), COMPREHENSION)
    assert len(sitting.rows) == 4


def test_results_that_are_none_are_one_line(tmp_path: Path) -> None:
    shutil.copy(WHOLE, tmp_path)
    results = tmp_path / "results_2026-01-01T00-00-00.000003.json"
    for text in ("[]", "{}", "{"):
        results.write_text(text, "utf-8")
        with pytest.raises(ReadmarkError, match="results_"):
            open_sitting(tmp_path / WHOLE.name, COMPREHENSION)
