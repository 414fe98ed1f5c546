"""``readmark harness`` as people call it, and through the harnesses where they are installed."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness_runs import (
    HEADER,
    INSPECT,
    LM_EVAL,
    TEST,
    reply,
    run_inspect,
    run_lm_eval,
    write_test,
)
from llm_endpoint import Endpoint

Run = Callable[..., subprocess.CompletedProcess[str]]
LOGS = Path(__file__).parents[1] / "formats/harness_logs"
HARNESSES = {"lm-eval": (LM_EVAL, run_lm_eval), "inspect": (INSPECT, run_inspect)}


@pytest.mark.parametrize("harness", HARNESSES)
def test_export_writes_a_folder_once(harness: str, readmark_cli: Run, tmp_path: Path) -> None:
    test = write_test(tmp_path / "rye.jsonl")
    export = ("harness", "export", test, "--to", harness, "-o", tmp_path / "task")
    done = readmark_cli(*export, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["task"], said["questions"], said["options"]) == ("readmark_rye_co", 4, 1)
    assert sorted(one.name for one in (tmp_path / "task").iterdir()) == said["files"]
    again = readmark_cli(*export)
    assert (again.returncode, again.stdout) == (1, "")
    assert "not empty" in again.stderr


def test_import_then_mark(readmark_cli: Run, tmp_path: Path) -> None:
    test = write_test(tmp_path / "rye.jsonl")
    log = LOGS / "whole.eval"
    done = readmark_cli("harness", "import", log, test, "-o", tmp_path / "s.jsonl", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["placed"] == 1
    marked = readmark_cli("mark", test, tmp_path / "s.jsonl", "-m", "em", "--json")
    at_once = readmark_cli("mark", test, log, "-m", "em", "--json")
    assert marked.returncode == at_once.returncode == 0
    assert json.loads(marked.stdout) == json.loads(at_once.stdout)
    assert json.loads(marked.stdout)["marks"]["em"]["score"] == 100.0


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("export", "TEST", "--to", "helm", "-o", "x"), 2, "helm"),
        (("export", "TEST", "--to", "inspect", "-o", "TEST"), 2, "is what is being read"),
        (("import", "TEST", "TEST", "-o", "s.jsonl"), 1, "is not a log of a known format"),
        (("import", "missing.eval", "TEST", "-o", "s.jsonl"), 1, "no such file"),
        (("inspect",), 2, "inspect"),
        (("export", "TEST", "--to", "inspect", "-o", "x", "--shots", "2"), 2, "--shots-from"),
        (("export", "TEST", "--to", "inspect", "-o", "x", "--shots-from", "TEST"), 2, "--shots N"),
        (
            ("export", "TEST", "--to", "inspect", "-o", "x", "--shots", "1", "--shots-from", "no"),
            1,
            "no such file",
        ),
        (
            (
                "export",
                "TEST",
                "--to",
                "lm-eval",
                "-o",
                "x",
                "--shots",
                "1",
                "--shots-from",
                "TEST",
            ),
            2,
            "some have none",
        ),
    ],
)
def test_bad_usage_is_one_line(
    arguments: tuple[str, ...], status: int, said: str, readmark_cli: Run, tmp_path: Path
) -> None:
    write_test(tmp_path / "rye.jsonl")
    given = ["rye.jsonl" if one == "TEST" else one for one in arguments]
    done = readmark_cli("harness", *given, cwd=tmp_path)
    assert done.returncode == status
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize("harness", HARNESSES)
def test_the_harness_itself_runs_what_is_exported(
    harness: str, readmark_cli: Run, tmp_path: Path
) -> None:
    program, run = HARNESSES[harness]
    if program is None:
        pytest.skip(f"{harness} is not installed (READMARK_LM_EVAL, READMARK_INSPECT name them)")
    test = write_test(tmp_path / "rye.jsonl")
    task = tmp_path / "task"
    done = readmark_cli("harness", "export", test, "--to", harness, "-o", task)
    assert done.returncode == 0, done.stderr
    with Endpoint(reply) as endpoint:
        log = run(program, task, "readmark_rye_co", endpoint.url)
        asked = endpoint.asked
    assert len(asked) == 4
    assert all([one["role"] for one in body["messages"]] == ["system", "user"] for body in asked)
    assert all(body["temperature"] == 0.0 for body in asked)
    marked = readmark_cli("mark", test, log, "-m", "em", "--json")
    assert marked.returncode == 0, marked.stderr
    assert json.loads(marked.stdout)["marks"]["em"]["score"] == 100.0


@pytest.mark.slow
@pytest.mark.parametrize("harness", HARNESSES)
def test_the_harness_itself_shows_the_examples(
    harness: str, readmark_cli: Run, tmp_path: Path
) -> None:
    program, run = HARNESSES[harness]
    if program is None:
        pytest.skip(f"{harness} is not installed (READMARK_LM_EVAL, READMARK_INSPECT name them)")
    spans = {**TEST[0], "questions": TEST[0]["questions"][:3]}
    hens = {
        "id": "hens",
        "text": "Ada keeps [12] hens.",
        "questions": [
            {"id": "hens/q", "text": "Hens?", "key": {"answers": [{"text": "[12]", "start": 10}]}}
        ],
    }
    geese = {
        "id": "geese",
        "text": "Ivo keeps {{two}} geese.",
        "questions": [
            {"id": "geese/q", "text": "Geese?", "key": {"answers": [{"text": "{{two}}"}]}}
        ],
    }
    for name, records in (("rye", [spans]), ("train", [hens, geese])):
        lines = "".join(json.dumps(one) + "\n" for one in (HEADER, *records))
        (tmp_path / f"{name}.jsonl").write_text(lines, "utf-8")
    task = tmp_path / "task"
    export = ("harness", "export", "rye.jsonl", "--to", harness, "-o", task, "--seed", "3")
    done = readmark_cli(
        *export, "--shots", "2", "--shots-from", "train.jsonl", "--json", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    shown = json.loads(done.stdout)["shots"]
    assert {*shown} == {"hens/q", "geese/q"}
    with Endpoint(reply) as endpoint:
        log = run(program, task, "readmark_rye_co", endpoint.url)
        asked = endpoint.asked
    assert len(asked) == 3
    replies = {"hens/q": "[12]", "geese/q": "{{two}}"}
    for body in asked:
        roles = [one["role"] for one in body["messages"]]
        assert roles == ["system", *("user", "assistant") * 2, "user"]
        said = [one["content"] for one in body["messages"] if one["role"] == "assistant"]
        assert said == [replies[id] for id in shown]
        first, second, _ = (one["content"] for one in body["messages"][1::2])
        texts = {"hens/q": "keeps [12] hens", "geese/q": "keeps {{two}} geese"}
        assert [texts[id] in one for id, one in zip(shown, (first, second), strict=True)] == [
            True
        ] * 2
    marked = readmark_cli("mark", tmp_path / "rye.jsonl", log, "-m", "em", "--json")
    assert marked.returncode == 0, marked.stderr
    assert json.loads(marked.stdout)["marks"]["em"]["score"] == 100.0
