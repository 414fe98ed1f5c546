"""The files of a task: a folder for lm-evaluation-harness, or one for Inspect AI."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from readmark.core.counts import counted
from readmark.core.errors import UsageError
from readmark.core.new_folders import making_folder
from readmark.core.version import __version__
from readmark.formats.harness_logs.bindings import MEMBER
from readmark.making.harness.task_questions import HarnessTask

QUESTIONS_FILE, EXAMPLES_FILE = "questions.jsonl", "examples.jsonl"
LETTERS_FILE = "letters.py"
_NOT_PLAIN = re.compile(r"[^\w .,:+-]")
MAX_TOKENS = 256
"""Tokens of a reply: an answer is short. A model that thinks aloud needs more."""


def lm_eval_files(task: HarnessTask, max_tokens: int) -> dict[str, str]:
    """The files of an lm-evaluation-harness task: YAML, its Python, a page."""
    return {
        f"{task.name}.yaml": _filled_in(
            "lm_eval_task.yaml.txt",
            task,
            max_tokens=str(max_tokens),
            prompts=json.dumps(_prompts(task), ensure_ascii=False),
            shots=_lm_eval_shots(task),
        ),
        "scoring.py": _filled_in("lm_eval_scoring.py.txt", task),
        "README.md": _filled_in("lm_eval_readme.md.txt", task, hidden=_notes(task)),
    }


def inspect_files(task: HarnessTask, max_tokens: int) -> dict[str, str]:
    """The files of an Inspect AI task: its Python, a page."""
    questions = len(task.questions)
    # The first scorer is the headline: the letter where there are options, else equal words.
    if task.with_options == questions:
        scorers = "chosen()"
    elif task.with_options:
        scorers = "[chosen(), exact(), f1()]"
    else:
        scorers = "[exact(), f1()]"
    binding = {"paper": task.paper, "units": questions, "prompts": _prompts(task)}
    return {
        f"{task.name}.py": _filled_in(
            "inspect_task.py.txt",
            task,
            scorers=scorers,
            max_tokens=str(max_tokens),
            binding=repr(binding),
        ),
        "README.md": _filled_in("inspect_readme.md.txt", task, hidden=_notes(task)),
    }


WRITERS: Mapping[str, Callable[[HarnessTask, int], dict[str, str]]] = {
    "lm-eval": lm_eval_files,
    "inspect": inspect_files,
}


def write_task(
    task: HarnessTask, target: str | Path, harness: str, *, max_tokens: int = MAX_TOKENS
) -> list[str]:
    """Write the folder, whole or not at all, and return the names of its files."""
    if max_tokens < 1:
        raise UsageError(f"--max-tokens {max_tokens} is less than 1")
    files = WRITERS[harness](task, max_tokens)
    files[LETTERS_FILE] = _letters()
    files[QUESTIONS_FILE] = _lines(task.questions)
    if task.examples:
        files[EXAMPLES_FILE] = _lines(task.examples)
    with making_folder(target) as folder:
        for name, text in files.items():
            (folder / name).write_bytes(text.encode())
    return sorted(files)


def _lines(rows: Sequence[Mapping[str, Any]]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _letters() -> str:
    """The reader of option letters, as a file that needs no Readmark: one reader for both."""
    reader = (
        resources.files("readmark.text.answers").joinpath("option_letters.py").read_text("utf-8")
    )
    folder = resources.files("readmark.making.harness")
    return reader + folder.joinpath("data/letter_said.py.txt").read_text("utf-8")


def _prompts(task: HarnessTask) -> list[str]:
    return sorted({question[MEMBER]["prompt"] for question in task.questions})


def no_targets(count: int) -> str:
    """How many questions have no target, in words."""
    return f"{counted(count, 'question has', 'questions have')} no target"


def _notes(task: HarnessTask) -> str:
    """What the page says about a withheld key, and about examples."""
    notes = ""
    if task.withheld:
        notes += (
            f"\n{no_targets(task.withheld)} here, since the key is withheld. The harness counts\n"
            "them as wrong; with the key, the log can still be marked.\n"
        )
    if task.examples:
        examples = counted(len(task.examples), "example")
        licence = _in_one_line(task.examples_licence) or "not stated"
        notes += (
            f"\n{examples} of another test, in `{EXAMPLES_FILE}`, come before every question, as\n"
            f"turns of the conversation; their licence: {licence}. None of their passages is in\n"
            "the test.\n"
        )
    return notes


def _lm_eval_shots(task: HarnessTask) -> str:
    """The harness's own members for examples: always the first ones, in the order drawn."""
    if not task.examples:
        return "num_fewshot: 0"
    return (
        f"num_fewshot: {len(task.examples)}\n"
        "fewshot_split: train\n"
        "fewshot_config:\n"
        "  sampler: first_n"
    )


def _filled_in(template: str, task: HarnessTask, **more: str) -> str:
    text = resources.files("readmark.making.harness").joinpath(f"data/{template}")
    return text.read_text("utf-8").format(
        name=task.name,
        title=_in_one_line(task.test) or task.name,
        language=task.language,
        paper=task.paper,
        file=QUESTIONS_FILE,
        examples=EXAMPLES_FILE,
        letters=LETTERS_FILE,
        questions=len(task.questions),
        licence=_in_one_line(task.licence) or "not stated",
        version=__version__,
        **more,
    )


def _in_one_line(text: str) -> str:
    """A name without line breaks and quotes, which would end the code or comment that it is in."""
    return " ".join(_NOT_PLAIN.sub(" ", text).split())
