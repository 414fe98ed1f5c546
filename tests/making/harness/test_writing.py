"""The files of a task: whole folders, code that nothing can be put into, scores as SQuAD's."""

import ast
import importlib.util
import json
import random
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from harness_runs import HEADER, TEST, write_test
from oracles.official import squad_em, squad_f1
from readmark.core.errors import DataError, UsageError
from readmark.formats.registry import open_test
from readmark.making.harness.task_files import no_targets, write_task
from readmark.making.harness.task_questions import harness_task

FILES = {
    "lm-eval": [
        "README.md",
        "letters.py",
        "questions.jsonl",
        "readmark_rye_co.yaml",
        "scoring.py",
    ],
    "inspect": ["README.md", "letters.py", "questions.jsonl", "readmark_rye_co.py"],
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The test as a folder for lm-evaluation-harness."""
    write_task(
        harness_task(open_test(write_test(tmp_path / "rye.jsonl"))), tmp_path / "t", "lm-eval"
    )
    return tmp_path / "t"


@pytest.fixture
def scoring(folder: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The folder's own scoring, with a stand-in for the package that holds the data."""
    datasets: Any = ModuleType("datasets")
    datasets.Dataset = type("Dataset", (), {"from_list": staticmethod(list)})
    monkeypatch.setitem(sys.modules, "datasets", datasets)
    spec = importlib.util.spec_from_file_location("scoring", folder / "scoring.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_folders_hold_what_they_need_and_no_place_of_this_machine(tmp_path: Path) -> None:
    task = harness_task(open_test(write_test(tmp_path / "rye.jsonl")))
    for harness, names in FILES.items():
        assert write_task(task, tmp_path / harness, harness) == names
        for name in names:
            text = (tmp_path / harness / name).read_text("utf-8")
            assert str(tmp_path) not in text
            if name.endswith(".py"):
                ast.parse(text)
    page = (tmp_path / "lm-eval" / "README.md").read_text("utf-8")
    assert "lm_eval run --include_path . --tasks readmark_rye_co" in page
    assert "readmark mark TEST out/*/samples_readmark_rye_co_*.jsonl" in page


@pytest.mark.parametrize("harness", ["lm-eval", "inspect"])
def test_a_tests_name_cannot_become_code(harness: str, tmp_path: Path) -> None:
    name = 'x"""\nraise SystemExit("run")\n"""{title}\\ #: !!python/object'
    licence = "`$(touch here)`\n# x"
    header = {**HEADER, "name": name, "licence": licence}
    path = tmp_path / "t.jsonl"
    path.write_text("".join(json.dumps(item) + "\n" for item in (header, *TEST)), "utf-8")
    write_task(harness_task(open_test(path)), tmp_path / "out", harness)
    for file in (tmp_path / "out").glob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        assert not [item for item in ast.walk(tree) if isinstance(item, ast.Raise)]
    for file in (tmp_path / "out").glob("*.yaml"):
        first, second, *_ = file.read_text("utf-8").splitlines()
        assert first.startswith("# ")
        assert second.startswith("task: readmark_x_raise")


def test_lines_that_json_does_not_end_are_one_question_each(
    folder: Path, scoring: ModuleType
) -> None:
    lines = (folder / "questions.jsonl").read_text("utf-8").split("\n")
    changed = lines[0].replace("rye bread", "rye\u2028bread\x85")
    assert changed != lines[0]
    (folder / "questions.jsonl").write_text("\n".join([changed, *lines[1:]]), "utf-8")
    assert [row["id"] for row in scoring.dataset(version=1)["test"]] == [
        "rye/who",
        "rye/many",
        "rye/price",
        "rye/day",
    ]


def test_the_scores_are_squads(scoring: ModuleType) -> None:
    draw = random.Random(1)
    words = ["the", "Nine", "loaves.", "a", "rye,", "bread", "九", "个", "，", "'s", "an-d"]
    for _ in range(300):
        reply = " ".join(draw.choices(words, k=draw.randint(0, 4)))
        targets = [" ".join(draw.choices(words, k=draw.randint(1, 4))) for _ in range(2)]
        scores = scoring.process_results({"options": [], "targets": targets}, [reply])
        assert scores["exact_match"] == max(squad_em(target, reply) for target in targets)
        normal = [target for target in targets if scoring.normal(target) and scoring.normal(reply)]
        if len(normal) == len(targets):
            assert scores["f1"] == pytest.approx(max(squad_f1(target, reply) for target in targets))


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("B", 1.0),
        ("(B)", 1.0),
        ("The answer is B.", 1.0),
        ("答案是B。", 1.0),
        ("I think it is B.", 1.0),
        ("(b)", 1.0),
        ("Y.", 1.0),
        ("B\n\nExplanation: Option A is wrong.", 1.0),
        ("<think>A?</think>B", 1.0),
        ("<think>B, so", 0.0),
        ("A closer look shows C", 0.0),
        ("A or B", 0.0),
        ("C", 0.0),
        ("", 0.0),
    ],
)
def test_a_letter_is_right_or_not(scoring: ModuleType, reply: str, right: float) -> None:
    scores = scoring.process_results({"options": ["x", "y", "z"], "targets": ["B"]}, [reply])
    assert scores == {"exact_match": right, "f1": right}


@pytest.mark.parametrize("harness", list(FILES))
def test_what_is_written_needs_no_readmark(harness: str, tmp_path: Path) -> None:
    write_task(harness_task(open_test(write_test(tmp_path / "rye.jsonl"))), tmp_path / "t", harness)
    allowed = {*sys.stdlib_module_names, "datasets", "inspect_ai"}
    for file in (tmp_path / "t").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            assert {name.partition(".")[0] for name in names} <= allowed, file.name


@pytest.mark.parametrize(("count", "words"), [(1, "1 question has"), (2, "2 questions have")])
def test_what_has_no_target_is_counted(count: int, words: str) -> None:
    assert no_targets(count) == f"{words} no target"


def test_a_question_without_a_target_counts_as_wrong(scoring: ModuleType) -> None:
    scores = scoring.process_results({"options": [], "targets": []}, ["anything"])
    assert scores == {"exact_match": 0.0, "f1": 0.0}


def test_a_folder_that_holds_files_stays_as_it_is(folder: Path, tmp_path: Path) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    task = harness_task(open_test(tmp_path / "rye.jsonl"))
    with pytest.raises(DataError, match="not empty"):
        write_task(task, folder, "inspect")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    with pytest.raises(UsageError, match="less than 1"):
        write_task(task, tmp_path / "new", "inspect", max_tokens=0)
    assert not (tmp_path / "new").exists()
