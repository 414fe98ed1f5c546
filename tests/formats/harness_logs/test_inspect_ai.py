"""Logs that Inspect AI 0.3.285 wrote (tests/harness_runs.py made them), as sittings."""

import json
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest

from harness_runs import write_test
from readmark.core.errors import DataError
from readmark.core.kinds import kind_named
from readmark.core.sitting import Sitting
from readmark.core.zips import Zipped
from readmark.formats.registry import open_sitting, open_test

HERE = Path(__file__).parent
COMPREHENSION = kind_named("comprehension")
RIGHT = {
    "rye/who": ["Mila"],
    "rye/many": ["Nine loaves."],
    "rye/price": [""],
    "rye/day": ["Monday"],
}


def texts(sitting: Sitting) -> dict[str, list[Any]]:
    return {id: [row.text for row in sitting.of(id)] for id in sitting}


def document() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((HERE / "part.json").read_text("utf-8"))
    return loaded


def read(path: Path, log: dict[str, Any]) -> Sitting:
    path.write_text(json.dumps(log, indent=1), "utf-8")
    return open_sitting(path, COMPREHENSION)


@pytest.mark.parametrize("name", ["whole.eval", "pieces.eval"])
def test_a_zip_with_zstd_in_it_is_a_sitting(name: str, tmp_path: Path) -> None:
    test = open_test(write_test(tmp_path / "rye.jsonl"))
    sitting = open_sitting(HERE / name, test.kind)
    assert texts(sitting) == RIGHT
    header = sitting.header
    assert (header.paper, header.candidate) == (test.facts.paper, "openai-api/local/scripted")
    assert (header.covers, header.repeats, sitting.notes) == (None, 1, ())
    assert header.signature["version"] == "0.3.285"
    assert header.signature["temperature"] == 0.0
    assert header.signature["max_tokens"] == 256
    row = sitting.of("rye/many")[0]
    assert row.usage == {"input": 108, "output": 2}
    assert row.seconds is not None


def test_errors_are_rows_in_every_epoch_and_tell_no_key() -> None:
    sitting = open_sitting(HERE / "errors.json", COMPREHENSION)
    assert sitting.header.repeats == 2
    assert [row.repeat for row in sitting.of("rye/who")] == [0, 1]
    for row in sitting.of("rye/who"):
        assert row.error is not None
        assert "Error code: 400" in row.error
        assert "sk-made-up" not in row.error
    assert texts(sitting)["rye/day"] == ["Monday", "Monday"]


def test_a_run_that_stopped_says_so() -> None:
    sitting = open_sitting(HERE / "stopped.json", COMPREHENSION)
    assert "not finished (status error): it holds 4 of 4 samples" in sitting.notes[0]


def test_a_run_with_a_limit_covers_what_it_asked() -> None:
    sitting = open_sitting(HERE / "part.json", COMPREHENSION)
    assert sitting.header.covers == ("rye/who", "rye/many")


def test_a_log_without_an_end_is_read_by_how_it_began(tmp_path: Path) -> None:
    """A run that was killed leaves no header; another packing of the zip is read too."""
    whole = Zipped(HERE / "whole.eval")
    begun = tmp_path / "begun.eval"
    with zipfile.ZipFile(begun, "w", zipfile.ZIP_DEFLATED) as packed:
        for name in whole.names:
            if name == "_journal/start.json" or "who" in name:
                packed.writestr(name, whole.read(name))
    sitting = open_sitting(begun, COMPREHENSION)
    assert texts(sitting) == {"rye/who": ["Mila"]}
    assert "not finished (status started): it holds 1 of 4 samples" in sitting.notes[0]


def test_a_limit_without_an_answer_is_an_error_and_with_one_is_noted(tmp_path: Path) -> None:
    log = document()
    first, second = log["samples"]
    first["limit"] = {"type": "time", "limit": 5.0}
    first["output"] = {"model": "scripted", "choices": []}
    second["limit"] = {"type": "token", "limit": 100.0}
    second["output"]["choices"][0]["stop_reason"] = "max_tokens"
    sitting = read(tmp_path / "limits.json", log)
    assert sitting.of(first["id"])[0].error == "limit: time 5.0"
    assert sitting.of(second["id"])[0].evidence == {"stop": "max_tokens", "limit": "token"}


def test_thoughts_are_no_answer_and_no_output_is_an_error(tmp_path: Path) -> None:
    log = document()
    first, second = log["samples"]
    first["output"]["choices"][0]["message"]["content"] = [
        {"type": "reasoning", "reasoning": "who?"},
        {"type": "text", "text": "Tom"},
    ]
    second["output"] = {"model": "scripted", "choices": []}
    sitting = read(tmp_path / "thoughts.json", log)
    assert sitting.of(first["id"])[0].text == "Tom"
    assert sitting.of(second["id"])[0].error == "the sample has no output"


def test_samples_that_are_no_list_are_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"x\.json: samples is not a list"):
        read(tmp_path / "x.json", document() | {"samples": 0.5})


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("", "empty"),
        ([{"type": "reasoning", "reasoning": "who?"}], "reasoning only"),
        ("<think>who?", "cut off while reasoning"),
    ],
)
def test_content_in_which_nothing_is_said_is_an_error(
    content: Any, reason: str, tmp_path: Path
) -> None:
    """As an answer it would say that the question has none, and be right half of the time."""
    log = document()
    log["samples"][0]["output"]["choices"][0]["message"]["content"] = content
    row = read(tmp_path / "x.json", log).of(log["samples"][0]["id"])[0]
    assert row.answer is msgspec.UNSET
    assert row.error == f"no answer: {reason}"


@pytest.mark.parametrize("long", [False, True])
def test_a_log_on_one_line_is_a_log(long: bool, tmp_path: Path) -> None:
    log = document()
    if long:
        log["samples"][0]["input"] = "x" * 200_000
    path = tmp_path / "line.json"
    path.write_text(json.dumps(log), "utf-8")
    assert open_sitting(path, COMPREHENSION).header.covers == ("rye/who", "rye/many")


def test_attached_content_is_found(tmp_path: Path) -> None:
    log = document()
    sample = log["samples"][0]
    sample["output"]["choices"][0]["message"]["content"] = "attachment://abc"
    sample["attachments"] = {"abc": "Tom"}
    assert read(tmp_path / "x.json", log).of(sample["id"])[0].text == "Tom"


def test_keys_in_the_settings_stay_behind(tmp_path: Path) -> None:
    log = document()
    log["eval"]["model_args"] = {"api_key": "sk-made-up-0123456789", "revision": "r1"}
    header = read(tmp_path / "x.json", log).header
    assert header.signature["revision"] == "r1"
    assert "sk-made-up" not in json.dumps(header.signature)


def test_samples_without_ids_and_logs_without_samples_are_refused(tmp_path: Path) -> None:
    log = document()
    del log["samples"][1]["id"]
    with pytest.raises(DataError, match=r"samples\[1\]: the sample has no id"):
        read(tmp_path / "x.json", log)
    with pytest.raises(DataError, match="the log holds no samples"):
        read(tmp_path / "x.json", {**log, "samples": []})


def test_damage_is_one_line(tmp_path: Path) -> None:
    data = (HERE / "whole.eval").read_bytes()
    cut = tmp_path / "cut.eval"
    cut.write_bytes(data[: len(data) // 2])
    with pytest.raises(DataError, match="not a valid zip file, or cut off"):
        open_sitting(cut, COMPREHENSION)
    start = Zipped(HERE / "whole.eval")._zip.getinfo("samples/rye/who_epoch_1.json")
    at = start.header_offset + start.compress_size // 2
    hurt = tmp_path / "hurt.eval"
    hurt.write_bytes(data[:at] + bytes(8) + data[at + 8 :])
    with pytest.raises(DataError, match=r"hurt\.eval:samples/rye/who_epoch_1\.json: "):
        open_sitting(hurt, COMPREHENSION)
    other = tmp_path / "other.eval"
    with zipfile.ZipFile(other, "w") as packed:
        packed.writestr("a.txt", "a")
    with pytest.raises(DataError, match="not a log of Inspect AI"):
        open_sitting(other, COMPREHENSION)
