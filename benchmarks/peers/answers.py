"""Answers to questions: exact match and F1, by the rules of SQuAD and of CMRC 2018.

Items are ``[answer or None, [references]]``; the task says by whose rules (``profile``) and in
which language. A missing answer counts 0, and an unanswerable question has no reference.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from processes import Columns, Step, Task, Tool, Work

INVENTED = 2500
"""Passages of the invented tests that are timed, of four questions each."""
PREDICTIONS = ("logistic_regression_baseline", "match-lstm_with_ans-ptr")
Pair = Callable[[str, list[str]], tuple[float, float]]
"""Exact match and F1 of an answer against its references."""


# The tasks. Readmark reads the tests and sits the bundled ones.


def tasks(data: Path | None) -> list[Task]:
    """The bundled tests as the span reader answers them, invented ones, and shared predictions."""
    found = [*_bundled(), *_invented()]
    if data is not None:
        found += _shared(data)
    return found


def _bundled() -> Iterator[Task]:
    from importlib.resources import as_file, files

    import readmark

    with as_file(files("readmark.bundle")) as bundle:
        for language, profile in (("en", "squad"), ("zh", "cmrc2018")):
            test = readmark.load(bundle / f"reading.{language}.jsonl")
            rows = readmark.sit(test, "span").rows
            given = {id: row.text for id, row in rows.items()}
            yield _task(f"bundled, {language}: span", test, given, profile, language)
            if language == "en":
                yield _some_unanswerable(test, given)


def _some_unanswerable(test: Any, given: dict[str, str]) -> Task:
    """Every fourth question without an answer; every third left empty."""
    made = _task("bundled, en: a quarter unanswerable", test, given, "squad2", "en")
    for index, item in enumerate(made["items"]):
        if index % 4 == 0:
            item[1] = []
        if index % 3 == 0:
            item[0] = ""
    return made


def _invented() -> Iterator[Task]:
    from synthetic import EnglishWriter, Shape, Writer

    for writer, profile, language in (
        (EnglishWriter(seed=1), "squad", "en"),
        (Writer(seed=1), "cmrc2018", "zh"),
    ):
        items = []
        for passage in writer.passages(Shape(passages=INVENTED)):
            for question in passage.questions:
                wanted = [answer.text for answer in question.key.answers]
                items.append([writer.prediction(passage.text, question.key.answers[0]), wanted])
        name = f"{len(items):,} invented, {language}"
        yield {"name": name, "profile": profile, "language": language, "items": items}


def _shared(data: Path) -> Iterator[Task]:
    import readmark

    xquad = readmark.load(data / "xquad" / "en.json")
    for name in PREDICTIONS:
        given = json.loads((data / "squad_predictions" / f"{name}.json").read_text("utf-8"))
        task = _task(f"XQuAD, en: {name}", xquad, given, "squad", "en")
        yield {**task, "official": _official(data, f"xquad_en.{name}", task)}
    trial = readmark.load(data / "cmrc2018" / "trial.json")
    golden = data.parent / "golden" / "cmrc2018_trial.predictions.json"
    given = json.loads(golden.read_text("utf-8"))
    task = _task("CMRC 2018 trial, zh: made-up predictions", trial, given, "cmrc2018", "zh")
    yield {**task, "official": _official(data, "cmrc2018_trial", task)}


def _official(data: Path, name: str, task: Task) -> Columns:
    """The recorded marks of the task's own script."""
    text = (data.parent / "golden" / f"{name}.expected.json").read_text("utf-8")
    marks = [json.loads(text)["per_question"].get(id, (0.0, 0.0)) for id in task["ids"]]
    return {"em": [em for em, _ in marks], "f1": [f1 for _, f1 in marks]}


def _task(name: str, test: Any, given: dict[str, str], profile: str, language: str) -> Task:
    ids, items = [], []
    for unit in test.units():
        wanted = [answer.text for person in test.kind.references(unit) for answer in person]
        ids.append(unit.id)
        items.append([given.get(unit.id), wanted])
    return {"name": name, "profile": profile, "language": language, "ids": ids, "items": items}


def case_task(case: dict[str, Any]) -> Task:
    """The example of a case."""
    return {
        "profile": case.get("profile", "squad"),
        "language": case.get("language", "en"),
        "items": [[case["answer"], case["references"]]],
    }


def text_of(item: Any) -> str:
    """An answer and its references, a line each, for the patterns of cases."""
    return "\n".join([item[0] or "", *item[1]])


# The tools.


def readmark() -> Work:
    """EM and F1 of every unit, from the records of a test and a sitting."""
    from readmark.marking import build_metrics, unit_vectors

    def run(task: Task) -> Iterator[Step]:
        test, sitting = _records(task)
        names = [f"{metric}(profile={task['profile']})" for metric in ("em", "f1")]
        got = unit_vectors(test, sitting, build_metrics(names, test))
        em, f1 = (got.by_metric[name][:, 0].tolist() for name in names)
        yield "EM and F1", {"em": em, "f1": f1}

    return run


def readmark_mark() -> Work:
    """All that ``readmark.mark`` does: intervals, people, error classes."""
    from readmark import mark

    def run(task: Task) -> Iterator[Step]:
        test, sitting = _records(task)
        names = [f"{metric}(profile={task['profile']})" for metric in ("em", "f1")]
        marks = mark(test, sitting, metrics=names)
        units = marks.as_json()["per_unit"].values()
        em, f1 = ([unit[name] for unit in units] for name in names)
        yield "EM and F1", {"em": em, "f1": f1}

    return run


def _records(task: Task) -> tuple[Any, Any]:
    from readmark.core.records import Answer, Passage, Question, QuestionKey
    from readmark.core.sitting import Row, Sitting, SittingHeader
    from readmark.core.test import Header, in_memory

    passages, rows = [], {}
    for first in range(0, len(task["items"]), 4):
        some = task["items"][first : first + 4]
        questions = []
        for index, (answer, wanted) in enumerate(some, first):
            answers = tuple(Answer(text=text) for text in wanted)
            key = QuestionKey(answers=answers, unanswerable=not wanted)
            questions.append(Question(id=str(index), text="Which?", key=key))
            if answer is not None:
                rows[str(index)] = Row(id=str(index), answer=answer)
        text = " ".join(text for _, wanted in some for text in wanted) or "-"
        passages.append(Passage(id=f"p{first}", text=text, questions=tuple(questions)))
    header = Header(name="answers", language=task["language"])
    return in_memory(header, passages), Sitting(SittingHeader(candidate="peers"), rows)


def _each(pair: Pair) -> Work:
    """A tool that marks one answer after the other."""

    def run(task: Task) -> Iterator[Step]:
        marks = [
            (0.0, 0.0) if answer is None else pair(answer, wanted or [""])
            for answer, wanted in task["items"]
        ]
        em, f1 = ([float(mark[side]) for mark in marks] for side in (0, 1))
        yield "EM and F1", {"em": em, "f1": f1}

    return run


def transformers() -> Work:
    """The port of SQuAD 2.0's script in transformers."""
    from types import SimpleNamespace

    from transformers.data.metrics.squad_metrics import get_raw_scores

    def run(task: Task) -> Iterator[Step]:
        asked = [
            SimpleNamespace(qas_id=index, answers=[{"text": text} for text in wanted])
            for index, (_, wanted) in enumerate(task["items"])
        ]
        given = {index: said for index, (said, _) in enumerate(task["items"]) if said is not None}
        em, f1 = get_raw_scores([one for one in asked if one.qas_id in given], given)
        places = range(len(asked))
        yield (
            "EM and F1",
            {
                "em": [float(em.get(index, 0)) for index in places],
                "f1": [float(f1.get(index, 0)) for index in places],
            },
        )

    return run


def torchmetrics() -> Work:
    """The port of SQuAD 1.1's script in torchmetrics; it returns means, so each is asked again."""
    from torchmetrics.functional.text import squad

    def given(items: list[Any]) -> tuple[list[Any], list[Any]]:
        pairs = [(str(index), *item) for index, item in enumerate(items) if item[0] is not None]
        said = [{"id": id, "prediction_text": answer} for id, answer, _ in pairs]
        wanted = [
            {"id": id, "answers": {"text": texts or [""], "answer_start": [0]}}
            for id, _, texts in pairs
        ]
        return said, wanted

    def run(task: Task) -> Iterator[Step]:
        squad(*given(task["items"]))
        yield "EM and F1", {}
        alone = [given([item]) for item in task["items"]]
        marks = [squad(*one) if one[0] else None for one in alone]
        em, f1 = (
            [float(mark[name]) / 100 if mark else 0.0 for mark in marks]
            for name in ("exact_match", "f1")
        )
        yield "", {"em": em, "f1": f1}

    return run


def lm_eval() -> Work:
    """The scoring of lm-evaluation-harness' XQuAD tasks."""
    from lm_eval.tasks.xquad.utils import process_results_qa

    def pair(answer: str, wanted: list[str]) -> tuple[float, float]:
        found = process_results_qa({"answers": {"text": wanted}}, [answer])
        return found["exact_match"], found["f1"]

    return _each(pair)


def inspect_ai() -> Work:
    """Inspect AI's scorers ``exact()`` and ``f1()``."""
    import asyncio

    from inspect_ai.model import ModelName, ModelOutput
    from inspect_ai.scorer import Target, exact, f1
    from inspect_ai.solver import TaskState

    scorers = exact(), f1()
    model = ModelName("mockllm/model")

    async def score(answer: str, wanted: list[str]) -> tuple[float, float]:
        output = ModelOutput.from_content("mockllm/model", answer)
        state = TaskState(model=model, sample_id=0, epoch=1, input="", messages=[], output=output)
        same, shared = [await scorer(state, Target(wanted)) for scorer in scorers]
        return float(same.value == "C"), float(shared.value)

    def run(task: Task) -> Iterator[Step]:
        async def all_of_them() -> list[tuple[float, float]]:
            return [
                (0.0, 0.0) if answer is None else await score(answer, wanted or [""])
                for answer, wanted in task["items"]
            ]

        marks = asyncio.run(all_of_them())
        em, f1_ = ([mark[side] for mark in marks] for side in (0, 1))
        yield "EM and F1", {"em": em, "f1": f1_}

    return run


def fastnlp() -> Work:
    """fastNLP's ``CMRC2018Metric``, which takes spans: each answer is a context of its own."""
    import torch
    from fastNLP import CMRC2018Metric

    def run(task: Task) -> Iterator[Step]:
        if task["language"] != "zh":
            return
        marks = []
        for answer, wanted in task["items"]:
            metric = CMRC2018Metric()
            ends = torch.tensor([0]), torch.tensor([len(answer or "") - 1])
            metric.evaluate([wanted], [list(answer or "")], *ends)
            marks.append((metric.em, metric.f1) if answer is not None else (0.0, 0.0))
        em, f1 = ([float(mark[side]) for mark in marks] for side in (0, 1))
        yield "EM and F1", {"em": em, "f1": f1}

    return run


def lighteval() -> Work:
    """LightEval's multilingual metrics, as its XQuAD and CMRC 2018 tasks set them."""
    from lighteval.metrics.dynamic_metrics import (
        MultilingualQuasiExactMatchMetric,
        MultilingualQuasiF1ScoreMetric,
    )
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc
    from lighteval.utils.language import Language

    def run(task: Task) -> Iterator[Step]:
        language = {"en": Language.ENGLISH, "zh": Language.CHINESE}[task["language"]]
        metrics = [
            MultilingualQuasiExactMatchMetric(language, "prefix"),
            MultilingualQuasiF1ScoreMetric(language),
        ]

        def pair(answer: str, wanted: list[str]) -> tuple[float, float]:
            doc = Doc(query="", choices=wanted, gold_index=list(range(len(wanted))))
            reply = ModelResponse(text=[answer])
            em, f1 = (metric.sample_level_fn.compute(doc, reply) for metric in metrics)
            return em, f1

        yield from _each(pair)(task)

    return run


ROUNDED = 0.0051
"""Inspect rounds F1 to two places."""
TOOLS = {
    "readmark": Tool("Readmark: EM and F1 of each question", "readmark", readmark),
    "readmark_mark": Tool("Readmark: all of `mark`, with intervals", "readmark", readmark_mark),
    "transformers": Tool("SQuAD 2.0's script, in transformers", "transformers", transformers),
    "torchmetrics": Tool("SQuAD 1.1's script, in torchmetrics", "torchmetrics", torchmetrics, 1e-5),
    "lm_eval": Tool("lm-evaluation-harness, XQuAD", "lm_eval", lm_eval),
    "inspect_ai": Tool("Inspect AI, `exact()` and `f1()`", "inspect_ai", inspect_ai, ROUNDED),
    "fastnlp": Tool("CMRC 2018's rules in fastNLP", "fastNLP", fastnlp),
    "lighteval": Tool("LightEval, XQuAD and CMRC 2018", "lighteval", lighteval),
}
