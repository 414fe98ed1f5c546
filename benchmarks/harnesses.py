"""What two evaluation harnesses say of a model's answers, and what Readmark says of the same ones.

The bundled tests are exported, both harnesses ask a scripted endpoint on loopback, their logs are
marked. Every question gets one of a few sorts of answer, the same in every run. Prints Markdown.

Run: python benchmarks/harnesses.py --lm-eval LM_EVAL --inspect INSPECT
     (the two programs; each may stand in a virtual environment of its own)
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))

from harness_runs import INSPECT, LM_EVAL, run_inspect, run_lm_eval
from llm_endpoint import Endpoint
from readmark.core.zips import Zipped
from readmark.formats.inputs import load
from readmark.making.harness.task_files import QUESTIONS_FILE as FILE
from readmark.making.harness.task_files import write_task
from readmark.making.harness.task_questions import harness_task
from readmark.marking import mark

LANGUAGES = {"en": "English", "zh": "Chinese"}
OURS = {
    "en": ("em", "f1", "contains"),
    "zh": ("em", "f1", "em(profile=zh)", "f1(profile=zh)", "contains"),
}
Scores = dict[str, tuple[float, float]]
"""A harness's exact match and F1 by question."""
ROUNDED = 0.0051
"""Inspect rounds F1 to two places."""


def half(answer: str, language: str) -> str:
    """The first half of an answer: of its characters, or of its words."""
    if language == "zh":
        return answer[: (len(answer) + 1) // 2]
    words = answer.split()
    return " ".join(words[: (len(words) + 1) // 2])


def wide(answer: str) -> str:
    """Letters and figures in full width."""
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in answer)


SORTS: Mapping[str, Callable[[str, str], str]] = {
    "as in the key": lambda answer, _: answer,
    "with a full stop": lambda answer, language: answer + ("。" if language == "zh" else "."),
    "in quotation marks": lambda answer, language: (
        f"「{answer}」" if language == "zh" else f'"{answer}"'
    ),
    "another spelling": lambda answer, language: (
        " ".join(wide(answer)) if language == "zh" else f"The {answer.upper()}"
    ),
    "in a sentence": lambda answer, language: (
        f"答案是{answer}。" if language == "zh" else f"The answer is {answer}."
    ),
    "the first half": half,
    "wrong": lambda _, language: "灯笼与风筝" if language == "zh" else "lantern and kite",
}
"""Sorts of answers to what the key has; a question's sort goes by its place in the test."""


def main() -> int:
    """Export, run, mark; a table a language, then one by sort of answer."""
    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("--lm-eval", default=LM_EVAL)
    asked.add_argument("--inspect", default=INSPECT)
    given = asked.parse_args()
    if not given.lm_eval or not given.inspect:
        print("both harnesses are needed: --lm-eval and --inspect", file=sys.stderr)
        return 2
    runs = {
        "lm-eval": Harness(given.lm_eval, run_lm_eval, lm_eval_scores),
        "inspect": Harness(given.inspect, run_inspect, inspect_scores),
    }
    print("| language | harness | exact match | F1 | Readmark on the same answers | other |")
    print("| --- | --- | --- | --- | --- | --- |")
    by_sort = []
    for language in LANGUAGES:
        for name, harness in runs.items():
            with tempfile.TemporaryDirectory() as folder:
                theirs, ours, sorts = measured(language, name, harness, Path(folder))
            print(f"| {LANGUAGES[language]} | {name} | {summary(theirs, ours, language)} |")
            by_sort.append((language, theirs, ours, sorts))
    print()
    print("| language | answer | lm-eval | Inspect | Readmark |")
    print("| --- | --- | --- | --- | --- |")
    for language in LANGUAGES:
        print_sorts(language, [one for one in by_sort if one[0] == language])
    return 0


@dataclass(frozen=True)
class Harness:
    """Its program, how it is run, and how its scores are read from its log."""

    program: str
    run: Callable[..., Path]
    scores: Callable[[Path], Scores]


def measured(
    language: str, name: str, harness: Harness, folder: Path
) -> tuple[Scores, Any, dict[str, str]]:
    """The harness's scores, our marks, and the sort of answer that each question got."""
    with resources.as_file(resources.files("readmark.bundle")) as bundle:
        test = load(bundle / f"reading.{language}.jsonl")
        task = harness_task(test)
        write_task(task, folder / "task", name)
        sorts, replies = scripted(folder / "task" / FILE, language)
        with Endpoint(lambda body: replies[body["messages"][-1]["content"]]) as endpoint:
            log = harness.run(harness.program, folder / "task", task.name, endpoint.url)
        theirs = harness.scores(log)
        ours = mark(test, log, metrics=OURS[language])
    if ours.coverage.errors or theirs.keys() != set(sorts):
        raise SystemExit(f"{name}, {language}: not every question was answered")
    return theirs, ours.as_json(), sorts


def scripted(questions: Path, language: str) -> tuple[dict[str, str], dict[str, str]]:
    """The sort of answer by question, and the reply by prompt."""
    sorts, replies = {}, {}
    with questions.open(encoding="utf-8") as lines:
        for at, question in enumerate(map(json.loads, lines)):
            sort = list(SORTS)[at % len(SORTS)]
            sorts[question["id"]] = sort
            replies[question["prompt"]] = SORTS[sort](question["targets"][0], language)
    return sorts, replies


def lm_eval_scores(log: Path) -> Scores:
    """What lm-evaluation-harness gave each question."""
    scores: Scores = {}
    with log.open(encoding="utf-8") as lines:
        for sample in map(json.loads, lines):
            scores[sample["doc"]["id"]] = sample["exact_match"], sample["f1"]
    return scores


def inspect_scores(log: Path) -> Scores:
    """What Inspect AI gave each question."""
    packed = Zipped(log)
    scores: Scores = {}
    for member in packed.names:
        if member.startswith("samples/"):
            sample = json.loads(packed.read(member))
            got = sample["scores"]
            scores[sample["id"]] = float(got["exact"]["value"] == "C"), float(got["f1"]["value"])
    return scores


def summary(theirs: Scores, ours: Any, language: str) -> str:
    """Their two scores out of 100, ours, and how many questions they score otherwise."""
    both = [100 * sum(one[at] for one in theirs.values()) / len(theirs) for at in (0, 1)]
    said = ", ".join(f"`{name}` {ours['marks'][name]['score']:.1f}" for name in OURS[language])
    own = {id: (one["em"], one["f1"]) for id, one in ours["per_unit"].items()}
    other = sum(
        any(abs(a - b) > ROUNDED for a, b in zip(own[id], one, strict=True))
        for id, one in theirs.items()
    )
    return f"{both[0]:.1f} | {both[1]:.1f} | {said} | {other} of {len(theirs)}"


def print_sorts(language: str, runs: list[Any]) -> None:
    """Rows by sort of answer."""
    for sort in SORTS:
        cells = []
        for _, theirs, _, sorts in runs:
            cells.append(_pair([theirs[id] for id, one in sorts.items() if one == sort]))
        _, _, ours, sorts = runs[0]
        units = [ours["per_unit"][id] for id, one in sorts.items() if one == sort]
        cells.append(_pair([(unit["em"], unit["f1"]) for unit in units]))
        if language == "zh":
            own = _pair([(unit["em(profile=zh)"], unit["f1(profile=zh)"]) for unit in units])
            cells[-1] += f"; zh {own}" if own != cells[-1] else ""
        example = SORTS[sort]("退休教师" if language == "zh" else "retired teacher", language)
        print(f"| {LANGUAGES[language]} | {sort}: {example} | {' | '.join(cells)} |")


def _pair(scores: list[tuple[float, float]]) -> str:
    return ", ".join(
        f"{100 * sum(score[at] for score in scores) / len(scores):.0f}" for at in (0, 1)
    )


if __name__ == "__main__":
    sys.exit(main())
