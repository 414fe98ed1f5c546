"""A harness's log as a sitting of a test: bound, placed, and marked as the log itself is."""

import json
import shutil
from pathlib import Path

import pytest

from harness_runs import HEADER, TEST, TEXT, write_test
from readmark.core.errors import DataError, UsageError
from readmark.formats.registry import open_sitting, open_test
from readmark.making.harness.log_import import import_log
from readmark.marking import mark

LOGS = Path(__file__).parent
WHOLE = LOGS / "samples_whole_2026-01-01T00-00-00.000003.jsonl"
FILTERS = LOGS / "samples_filters_2026-01-01T00-00-00.000001.jsonl"


@pytest.mark.parametrize("log", [WHOLE, LOGS / "whole.eval", LOGS / "errors.json"])
def test_an_import_is_marked_as_the_log_is(log: Path, tmp_path: Path) -> None:
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    done = import_log(log, test, tmp_path / "s.jsonl")
    metrics = ("em", "f1")
    taken = mark(test, tmp_path / "s.jsonl", metrics=metrics).as_json()
    at_once = mark(test, log, metrics=metrics).as_json()
    assert taken == at_once
    assert done.unknown == ()


def test_answers_that_stand_in_the_passage_are_placed(tmp_path: Path) -> None:
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    done = import_log(WHOLE, test, tmp_path / "s.jsonl")
    assert (done.answers, done.placed, done.errors) == (4, 1, 0)
    sitting = open_sitting(tmp_path / "s.jsonl", test.kind)
    (who,) = sitting.of("rye/who")
    assert (who.start, who.end, who.sentence) == (0, 4, (0, 31))
    # Words that are not quite the passage's stay as they were said, and nowhere.
    (many,) = sitting.of("rye/many")
    assert (many.text, many.start) == ("Nine loaves.", None)
    # An option is no place in the passage, though its words stand there.
    (day,) = sitting.of("rye/day")
    assert (day.text, day.start) == ("Monday", None)


def test_words_that_stand_twice_are_not_placed_and_every_mark_stays(tmp_path: Path) -> None:
    record = {
        "id": "p",
        "text": "Tom left. Mila stayed, and Tom wrote.",
        "questions": [
            {
                "id": "q1",
                "text": "Who wrote?",
                "key": {"answers": [{"text": "Tom", "start": 27}], "sentences": [[10, 37]]},
            },
            {
                "id": "q2",
                "text": "Who stayed?",
                "key": {"answers": [{"text": "Mila", "start": 10}], "sentences": [[10, 37]]},
            },
        ],
    }
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in (HEADER, record)), "utf-8")
    test = open_test(path)
    binding = {"paper": test.facts.paper}
    samples = [
        {
            "doc_id": at,
            "doc": {"id": f"q{at + 1}", "readmark": binding},
            "resps": [[said]],
            "filtered_resps": [said],
        }
        for at, said in enumerate(("Tom", "Mila"))
    ]
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(one) + "\n" for one in samples), "utf-8")
    done = import_log(log, test, tmp_path / "s.jsonl")
    assert (done.answers, done.placed) == (2, 1)
    taken, at_once = mark(test, tmp_path / "s.jsonl").as_json(), mark(test, log).as_json()
    assert "humsent" in taken["marks"]
    assert taken["per_unit"] == at_once["per_unit"]


def test_repeats_and_errors_come_over(tmp_path: Path) -> None:
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    done = import_log(LOGS / "errors.json", test, tmp_path / "s.jsonl")
    assert (done.answers, done.errors) == (6, 2)
    sitting = open_sitting(tmp_path / "s.jsonl", test.kind)
    assert sitting.header.repeats == 2
    assert [row.repeat for row in sitting.of("rye/who")] == [0, 1]
    assert "sk-made-up" not in (tmp_path / "s.jsonl").read_text("utf-8")


def test_a_log_of_another_version_is_refused_and_nothing_written(tmp_path: Path) -> None:
    path = tmp_path / "other.jsonl"
    changed = [{**TEST[0], "text": TEXT.replace("Tom", "Tim")}]
    path.write_text("".join(json.dumps(one) + "\n" for one in (HEADER, *changed)), "utf-8")
    for log in (WHOLE, LOGS / "whole.eval"):
        with pytest.raises(DataError, match="is a log of another version of the test"):
            import_log(log, open_test(path), tmp_path / "s.jsonl")
    assert not (tmp_path / "s.jsonl").exists()


def test_the_results_beside_a_log_are_not_written_over(tmp_path: Path) -> None:
    results = tmp_path / WHOLE.name.replace("samples_whole_", "results_").replace("jsonl", "json")
    shutil.copy(WHOLE, tmp_path)
    shutil.copy(WHOLE.with_name(results.name), results)
    before = results.read_bytes()
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    with pytest.raises(UsageError, match="is what is being read"):
        import_log(tmp_path / WHOLE.name, test, results)
    assert results.read_bytes() == before


def test_a_filter_and_raw_responses_are_lm_evals(tmp_path: Path) -> None:
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    done = import_log(FILTERS, test, tmp_path / "s.jsonl", filter_name="plain")
    assert done.answers == 4
    done = import_log(FILTERS, test, tmp_path / "raw.jsonl", raw=True)
    assert done.answers == 8
    with pytest.raises(UsageError, match="--filter and --raw"):
        import_log(LOGS / "whole.eval", test, tmp_path / "x.jsonl", raw=True)


def test_ids_of_another_test_are_refused_and_some_are_named(tmp_path: Path) -> None:
    lines = WHOLE.read_text("utf-8").splitlines()
    samples = [json.loads(line) for line in lines]
    for sample in samples:
        del sample["doc"]["readmark"]
    samples[0]["doc"]["id"] = "elsewhere"
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(one) + "\n" for one in samples), "utf-8")
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    done = import_log(log, test, tmp_path / "s.jsonl")
    assert done.unknown == ("elsewhere",)
    assert "elsewhere" in done.notes[-1]
    log.write_text(json.dumps(samples[0]) + "\n", "utf-8")
    with pytest.raises(DataError, match="answers no question"):
        import_log(log, test, tmp_path / "s.jsonl")


def test_what_is_no_log_is_one_line(tmp_path: Path) -> None:
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    for name, text in (("a.json", '{"q": "x"}'), ("b.jsonl", '{"id": 1}\n'), ("c.txt", "hello")):
        (tmp_path / name).write_text(text, "utf-8")
        with pytest.raises(DataError, match="is not a log of a known format"):
            import_log(tmp_path / name, test, tmp_path / "s.jsonl")
