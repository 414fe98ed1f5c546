"""Runs the two evaluation harnesses against the endpoint on loopback; makes the logs of the tests.

Run: python tests/harness_runs.py LM_EVAL INSPECT FOLDER
     (the two programs; FOLDER gets the logs that tests/formats/harness_logs keeps)
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from llm_endpoint import Body, Endpoint, Misdeed

MODEL = "scripted"
LM_EVAL = os.environ.get("READMARK_LM_EVAL") or shutil.which("lm_eval")
INSPECT = os.environ.get("READMARK_INSPECT") or shutil.which("inspect")
"""Where the harnesses are, if they are anywhere: each may have an environment of its own."""

TEXT = "Mila baked rye bread on Monday. She sold nine loaves at the quay and kept one for Tom."
HEADER = {"readmark": 1, "kind": "comprehension", "name": "Rye & co", "language": "en"}
TEST: list[dict[str, Any]] = [
    {
        "id": "rye",
        "text": TEXT,
        "questions": [
            {
                "id": "rye/who",
                "text": "Who baked?",
                "key": {"answers": [{"text": "Mila", "start": 0, "annotator": "a"}]},
            },
            {
                "id": "rye/many",
                "text": "How many loaves were sold?",
                "key": {
                    "answers": [
                        {"text": "nine", "start": 41, "annotator": "a"},
                        {"text": "nine loaves", "start": 41, "annotator": "b"},
                    ]
                },
            },
            {"id": "rye/price", "text": "What did one cost?", "key": {"unanswerable": True}},
            {
                "id": "rye/day",
                "text": "Which day?",
                "options": ["A market day", "Monday", "Sunday"],
                "key": {"answers": [{"text": "Monday"}]},
            },
        ],
    }
]
REPLIES = {
    "Who baked?": "Mila",
    "How many loaves were sold?": "Nine loaves.",
    "What did one cost?": "Unanswerable.",
    "Which day?": "B",
}


def write_test(path: Path) -> Path:
    """A test with a span, a question of two people, one without an answer, one with options."""
    path.write_text("".join(json.dumps(one) + "\n" for one in (HEADER, *TEST)), "utf-8")
    return path


def reply(body: Body) -> str:
    """What the scripted model says: right, wordy, that there is no answer, a letter."""
    asked = body["messages"][-1]["content"]
    return next(said for question, said in REPLIES.items() if question in asked)


def run_lm_eval(program: str, task: Path, name: str, url: str, *more: str) -> Path:
    """Run a task folder of lm-evaluation-harness; the log of its samples."""
    where = f"model={MODEL},base_url={url}/chat/completions,num_concurrent=4"
    model = ("--model", "local-chat-completions", "--apply_chat_template", "--model_args", where)
    out = task.parent / "out"
    run = (program, "run", "--include_path", task.name, "--tasks", name, *model)
    ask(*run, "--log_samples", "--output_path", str(out), *more, folder=task.parent)
    (log,) = out.glob("*/samples_*.jsonl")
    return log


def run_inspect(program: str, task: Path, name: str, url: str, *more: str) -> Path:
    """Run a task file of Inspect AI; its log."""
    logs = task.parent / "logs"
    run = (program, "eval", f"{task.name}/{name}.py", "--model", f"openai-api/local/{MODEL}")
    quiet = ("--log-dir", str(logs), "--display", "none")
    ask(*run, *quiet, *more, folder=task.parent, LOCAL_BASE_URL=url, LOCAL_API_KEY="none")
    (log,) = [*logs.glob("*.eval"), *logs.glob("*.json")]
    return log


def ask(*command: str, folder: Path, **more: str) -> None:
    """Run a harness that is told to keep off the network; what it says comes out if it fails."""
    offline = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "INSPECT_LOG_LEVEL": "error"}
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **offline, **more},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"{command[0]}:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}")


def _trim(log: Path) -> None:
    """Leave out what happened step by step, and tracebacks: they name places of this machine."""
    document = json.loads(log.read_text("utf-8"))
    for sample in document["samples"]:
        sample["events"], sample["attachments"] = [], {}
    for held in (document, *document["samples"]):
        for error in (held.get("error") or {}, *(held.get("error_retries") or [])):
            error.pop("traceback", None)
            error.pop("traceback_ansi", None)
    log.write_text(json.dumps(document, indent=1), "utf-8")


def main(lm_eval: str, inspect: str, folder: str) -> None:
    """Every log that the tests keep."""
    from readmark.formats.registry import open_test
    from readmark.making.harness.task_files import write_task
    from readmark.making.harness.task_questions import harness_task

    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)

    def made(harness: str, answers: Any, *more: str, yaml: str = "", to: str) -> None:
        with tempfile.TemporaryDirectory() as here, Endpoint(answers) as endpoint:
            exam = harness_task(open_test(write_test(Path(here) / "rye.jsonl")))
            task = Path(here) / "task"
            write_task(exam, task, harness)
            if harness == "lm-eval":
                settings = task / f"{exam.name}.yaml"
                settings.write_text(settings.read_text("utf-8") + yaml, "utf-8")
                log = run_lm_eval(lm_eval, task, exam.name, endpoint.url, *more)
                time = log.stem.rpartition("_")[2]
                results = log.with_name(f"results_{time}.json").read_text("utf-8")
                to, _, when = to.partition(" ")
                shutil.copy(log, target / f"samples_{to}_{when}.jsonl")
                renamed = results.replace(f'"{exam.name}": {{', f'"{to}": {{')
                (target / f"results_{when}.json").write_text(renamed, "utf-8")
            else:
                log = run_inspect(inspect, task, exam.name, endpoint.url, *more)
                shutil.copy(log, target / to)
                if log.suffix == ".json":
                    _trim(target / to)

    filters = (
        "repeats: 2\nfilter_list:\n"
        "  - {name: last_word, filter: [{function: regex, regex_pattern: '(\\w+)\\W*$'}, "
        "{function: take_first}]}\n"
        "  - {name: plain, filter: [{function: remove_whitespace}, {function: take_first}]}\n"
    )
    made("lm-eval", reply, yaml=filters, to="filters 2026-01-01T00-00-00.000001")
    made("lm-eval", reply, "--limit", "3", to="part 2026-01-01T00-00-00.000002")
    made("lm-eval", reply, to="whole 2026-01-01T00-00-00.000003")

    def faulty(body: Body) -> str | Misdeed:
        if "Who baked?" in body["messages"][-1]["content"]:
            key = b'{"error": {"message": "Incorrect API key provided: sk-made-up-0123456789"}}'
            return Misdeed(400, key, {"Content-Type": "application/json"})
        return reply(body)

    made("inspect", reply, to="whole.eval")
    pieces = "from inspect_ai.log._recorders.chunked import convert_eval_logs_to_chunked as cut"
    with tempfile.TemporaryDirectory() as here:
        shutil.copy(target / "whole.eval", f"{here}/pieces.eval")
        python = str(Path(inspect).with_name("python"))
        ask(python, "-c", f"{pieces}; cut('pieces.eval', 'cut')", folder=Path(here))
        shutil.copy(f"{here}/cut/pieces.eval", target)
    as_json = ("--log-format", "json")
    made("inspect", faulty, "--epochs", "2", "--no-fail-on-error", *as_json, to="errors.json")
    made("inspect", faulty, *as_json, to="stopped.json")
    made("inspect", reply, "--limit", "2", *as_json, to="part.json")


if __name__ == "__main__":
    main(*sys.argv[1:])
