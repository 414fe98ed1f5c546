"""Examples in an exported task: drawn by a seed, of another test, never of its passages."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness_runs import HEADER, TEST, TEXT, write_test
from readmark.core.errors import DataError, UsageError
from readmark.core.source import Source
from readmark.core.test import Test
from readmark.formats.harness_logs.lm_eval import LM_EVAL_LOG
from readmark.formats.registry import open_test
from readmark.making.harness.examples import ExampleDraw
from readmark.making.harness.task_files import write_task
from readmark.making.harness.task_questions import HarnessTask, harness_task


def boats(at: int, **more: Any) -> dict[str, Any]:
    """A passage with a question that has an answer, and one that has none."""
    return {
        "id": f"boats{at}",
        "text": f"Tom painted {at} boats in May, and a shed of his.",
        "questions": [
            {
                "id": f"boats{at}/many",
                "text": "How many boats?",
                "key": {"answers": [{"text": f"{at}", "start": 12}, {"text": f"{at} boats"}]},
            },
            {"id": f"boats{at}/why", "text": "Why?", "key": {"unanswerable": True}},
        ],
        **more,
    }


def choosing(at: int) -> dict[str, Any]:
    options = ["one", "two", "three"]
    asked = {
        "id": f"c{at}/q",
        "text": "Which?",
        "options": options,
        "key": {"answers": [{"text": options[at % 3]}]},
    }
    return {"id": f"c{at}", "text": f"Page {at} says so.", "questions": [asked]}


def made(path: Path, *records: dict[str, Any], **header: Any) -> Test:
    lines = ({**HEADER, "name": path.stem, **header}, *records)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return open_test(path)


@pytest.fixture
def rye(tmp_path: Path) -> Test:
    """A test whose questions have no options; one of them has no answer."""
    return made(tmp_path / "rye.jsonl", {**TEST[0], "questions": TEST[0]["questions"][:3]})


@pytest.fixture
def train(tmp_path: Path) -> Test:
    return made(tmp_path / "train.jsonl", *(boats(at) for at in range(1, 9)), licence="CC0-1.0")


def ids(task: HarnessTask) -> list[str]:
    return [example["id"] for example in task.examples]


def test_examples_are_asked_in_the_same_words_and_have_one_reply(rye: Test, train: Test) -> None:
    task = harness_task(rye, shots=ExampleDraw(train, 8))
    by_id = {item["id"]: item for item in task.examples}
    assert len({item.partition("/")[0] for item in by_id}) == 8  # a passage each
    for id, item in by_id.items():
        number = id.partition("/")[0].removeprefix("boats")
        assert item["targets"] == ([number] if id.endswith("many") else ["unanswerable"])
        assert f"Tom painted {number} boats" in item["prompt"]
    assert {item.partition("/")[2] for item in by_id} == {"many", "why"}
    # Nothing but what stands between the fences differs from how the test's own are asked.
    asked = task.questions[0]["prompt"]
    shape = [line for line in asked.splitlines() if not line.startswith("--- ")]
    for item in task.examples:
        lines = [line for line in item["prompt"].splitlines() if not line.startswith("--- ")]
        assert len(lines) == len(shape)
        assert {*lines} & {*shape} >= {"Question:"}


def test_the_same_seed_draws_the_same_and_another_others(rye: Test, train: Test) -> None:
    drawn = {seed: ids(harness_task(rye, shots=ExampleDraw(train, 3, seed))) for seed in range(6)}
    assert drawn[2] == ids(harness_task(rye, shots=ExampleDraw(train, 3, 2)))
    assert len({tuple(ids_of_draw) for ids_of_draw in drawn.values()}) > 1
    # Fewer are the first of more.
    assert ids(harness_task(rye, shots=ExampleDraw(train, 2, 4))) == drawn[4][:2]


def test_a_question_without_an_answer_is_no_example_where_there_are_none(
    train: Test, tmp_path: Path
) -> None:
    answered = {**TEST[0], "questions": TEST[0]["questions"][:2]}
    task = harness_task(made(tmp_path / "all.jsonl", answered), shots=ExampleDraw(train, 8))
    assert {id.partition("/")[2] for id in ids(task)} == {"many"}


def test_options_are_shown_for_options(train: Test, tmp_path: Path) -> None:
    test = made(tmp_path / "c.jsonl", choosing(20))
    pages = made(tmp_path / "pages.jsonl", *(choosing(at) for at in range(4)), boats(1))
    task = harness_task(test, shots=ExampleDraw(pages, 4))
    assert {example["id"]: example["targets"] for example in task.examples} == {
        f"c{at}/q": ["ABC"[at % 3]] for at in range(4)
    }
    with pytest.raises(DataError, match=r"has 0 suitable passages for --shots 1"):
        harness_task(test, shots=ExampleDraw(train, 1))


@pytest.mark.parametrize(
    "text",
    [TEXT, TEXT.upper(), TEXT.replace(" ", "\n"), TEXT.replace("Mila", "Ｍｉｌａ")],
)
def test_a_passage_of_the_test_is_refused_however_it_is_spelt(
    text: str, rye: Test, tmp_path: Path
) -> None:
    train = made(tmp_path / "t.jsonl", *(boats(at) for at in range(4)), boats(9, text=text))
    with pytest.raises(DataError, match=r"shares 1 of 5 passages with .*: boats9$"):
        harness_task(rye, shots=ExampleDraw(train, 1))


def test_examples_are_of_the_train_split(rye: Test, tmp_path: Path) -> None:
    splits = [boats(1, split="dev"), boats(2, split="train"), boats(3), boats(4, split="train")]
    # What is in other splits may be the test's: nothing is drawn there.
    source = made(tmp_path / "s.jsonl", *splits, boats(5, text=TEXT, split="test"))
    assert {
        item.partition("/")[0] for item in ids(harness_task(rye, shots=ExampleDraw(source, 2)))
    } == {
        "boats2",
        "boats4",
    }
    with pytest.raises(DataError, match="has 2 suitable passages for --shots 3"):
        harness_task(rye, shots=ExampleDraw(source, 3))
    without = made(tmp_path / "d.jsonl", boats(1, split="dev"))
    hidden = made(tmp_path / "h.jsonl", boats(1, split="train"), hidden=["train"])
    for item in (without, hidden):
        with pytest.raises(DataError, match="no split 'train'"):
            harness_task(rye, shots=ExampleDraw(item, 1))


def test_what_does_not_fit_is_refused(rye: Test, train: Test, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--shots 0 is less than 1"):
        harness_task(rye, shots=ExampleDraw(train, 0))
    mixed = open_test(write_test(tmp_path / "mixed.jsonl"))
    with pytest.raises(UsageError, match="some have none"):
        harness_task(mixed, shots=ExampleDraw(train, 1))
    chinese = made(tmp_path / "zh.jsonl", boats(1), language="zh")
    with pytest.raises(UsageError, match=r"another language \(zh\)"):
        harness_task(rye, shots=ExampleDraw(chinese, 1))
    series = {"id": "s", "target": "Mila", "questions": [{"id": "s1", "text": "Who?"}]}
    other = made(tmp_path / "series.jsonl", series, kind="series")
    with pytest.raises(UsageError, match=r"another kind \(series\)"):
        harness_task(rye, shots=ExampleDraw(other, 1))


def test_series_have_rewrites_for_examples(tmp_path: Path) -> None:
    def series(name: str) -> dict[str, Any]:
        key = {"rewrites": [{"text": f"Where is {name}?"}]}
        return {
            "id": name,
            "target": name,
            "questions": [{"id": f"{name}/1", "text": "Where is it?", "key": key}],
        }

    test = made(tmp_path / "t.jsonl", series("the mill"), kind="series")
    train = made(tmp_path / "s.jsonl", series("the quay"), series("the inn"), kind="series")
    task = harness_task(test, shots=ExampleDraw(train, 2))
    assert {example["targets"][0] for example in task.examples} == {
        "Where is the quay?",
        "Where is the inn?",
    }
    with pytest.raises(DataError, match="shares 1 of 1 series"):
        harness_task(
            test,
            shots=ExampleDraw(made(tmp_path / "u.jsonl", series("The Mill"), kind="series"), 1),
        )


@pytest.mark.parametrize("harness", ["lm-eval", "inspect"])
def test_the_files_say_what_is_shown(harness: str, rye: Test, train: Test, tmp_path: Path) -> None:
    plain, with_examples = tmp_path / "plain", tmp_path / "shown"
    without = write_task(harness_task(rye), plain, harness)
    task = harness_task(rye, shots=ExampleDraw(train, 3, 5))
    assert write_task(task, with_examples, harness) == sorted([*without, "examples.jsonl"])
    lines = (with_examples / "examples.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line)["id"] for line in lines] == ids(task)
    page = " ".join((with_examples / "README.md").read_text("utf-8").split())
    assert "3 examples of another test, in `examples.jsonl`" in page
    assert "their licence: CC0-1.0" in page
    assert "examples" not in (plain / "README.md").read_text("utf-8")
    if harness == "lm-eval":
        yaml = [
            (folder / "readmark_rye.yaml").read_text("utf-8") for folder in (plain, with_examples)
        ]
        assert "num_fewshot: 0\n" in yaml[0]
        assert "fewshot_split" not in yaml[0]
        members = "num_fewshot: 3\nfewshot_split: train\nfewshot_config:\n  sampler: first_n\n"
        assert members in yaml[1]


@pytest.mark.parametrize("shots", [3, 0])
def test_a_log_says_which_examples_were_shown(
    shots: int, rye: Test, train: Test, tmp_path: Path
) -> None:
    task = harness_task(rye, shots=ExampleDraw(train, 3, 5))
    time = "2026-01-01T00-00-00.000001"
    log = tmp_path / f"samples_rye_{time}.jsonl"
    samples = [
        {"doc_id": at, "doc": doc, "resps": [["Mila"]], "filtered_resps": ["Mila"]}
        for at, doc in enumerate(task.questions)
    ]
    log.write_text("".join(json.dumps(sample) + "\n" for sample in samples), "utf-8")
    results = {"config": {"model": "m"}, "n-shot": {"rye": shots}, "n-samples": {"rye": {}}}
    (tmp_path / f"results_{time}.json").write_text(json.dumps(results), "utf-8")
    signature = LM_EVAL_LOG.read_sitting(Source(log), rye.kind).header.signature
    drawn = f"3, seed 5, paper {train.facts.paper}, key {train.facts.key}"
    # The command may have asked for none of them.
    assert signature.get("examples") == (drawn if shots else None)
    assert signature["shots"] == shots
