"""`readmark stats` through the real command line: the numbers, and 80 columns of Chinese."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

LONG_NAME = "二〇二四年春季高中语文阅读理解测试题库（修订版，含答案与解析）第一分册"
LONG_LABEL = "需要读懂全文并且结合常识才能回答的推理题"


def answered(id: str, text: str, *answers: str, **key: Any) -> dict[str, Any]:
    said = [{"text": one} for one in answers]
    return {"id": id, "text": text, "key": {"answers": said, **key}}


CHINESE = [
    {"readmark": 1, "name": LONG_NAME},
    {
        "id": "p1",
        "title": "茶馆",
        "text": "茶馆开在老街的尽头， 老板姓李。",  # 15 characters, the space apart
        "split": "训练集",
        "genre": "历史小说",
        "questions": [
            answered("q1", "老板姓什么？", "李", "姓李", level=1, type=LONG_LABEL),
            answered("q2", "茶馆开在哪里？", "老街的尽头", level=2),
            {"id": "q3", "text": "谁？", "key": {"unanswerable": True, "level": 2}},
            {"id": "q4", "text": "没有答案的题"},
        ],
    },
    {"id": "p2", "text": "雨停了。", "split": "测试集"},
]
ENGLISH = [
    {"readmark": 1, "name": "kitchen [draft]"},
    {
        "id": "p1",
        "text": "The kettle stood on the stove.",
        "questions": [answered("q1", "What stood there?", "The kettle", type="what")],
    },
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, values in (("zh.jsonl", CHINESE), ("en.jsonl", ENGLISH)):
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in values)
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def rows(stdout: str) -> dict[str, list[str]]:
    """The cells of the first table's rows by their label, for labels that fit in a line."""
    found: dict[str, list[str]] = {}
    for line in stdout.splitlines():
        label, *cells = [cell.strip() for cell in line.split("  ") if cell.strip()] or [""]
        found.setdefault(label, cells)
    return found


def test_the_numbers(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("stats", "zh.jsonl", "en.jsonl", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    table = rows(done.stdout)
    expected = {
        "kind": ["comprehension", "comprehension"],
        "language": ["zh", "en"],
        "passages": ["2", "1"],
        "questions": ["4", "1"],
        "answers": ["3", "1"],
        "unanswerable": ["1", "0"],
        "without a key": ["1", "0"],
        "lengths in": ["characters", "words"],
        "longest passage": ["16", "6"],
        "mean passage": ["10.0", "6.0"],
        "longest question": ["7", "3"],
        "longest answer": ["5", "2"],
        "longest title": ["2", "–"],
        "split 训练集": ["4 (100.0%)", "–"],
        "level 1": ["1 (25.0%)", "–"],
        "level 2": ["2 (50.0%)", "–"],
        "level -": ["1 (25.0%)", "–"],
        "type what": ["–", "1 (100.0%)"],
    }
    assert {label: table.get(label) for label in expected} == expected
    assert "kitchen [draft]" in done.stdout


def test_json(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("stats", "zh.jsonl", "en.jsonl", "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    chinese, english = json.loads(done.stdout)["tests"]
    assert (chinese["name"], chinese["language"], chinese["unit"]) == (
        LONG_NAME,
        "zh",
        "characters",
    )
    assert (chinese["records"], chinese["units"], chinese["answers"]) == (2, 4, 3)
    assert (chinese["unanswerable"], chinese["unkeyed"]) == (1, 1)
    assert chinese["lengths"]["passage"] == {"count": 2, "longest": 16, "mean": 10.0, "total": 20}
    assert chinese["distributions"]["level"] == {"-": 1, "1": 1, "2": 2}
    assert chinese["distributions"]["type"] == {"-": 3, LONG_LABEL: 1}
    assert english["lengths"]["question"] == {
        "count": 1,
        "longest": 3,
        "mean": 3.0,
        "total": 3,
    }
    assert len(english["paper"]) == len(english["key"]) == 32


@pytest.mark.parametrize("tests", [1, 2, 3, 5])
def test_eighty_columns(folder: Path, readmark_cli: Run, tests: int) -> None:
    names = ["zh.jsonl", "en.jsonl", *["zh.jsonl"] * 3][:tests]
    done = readmark_cli("stats", *names, cwd=folder)
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    widths = [cell_len(line) for line in done.stdout.splitlines()]
    assert max(widths) <= 80
    # Nothing is cut away: the long name is folded over lines.
    shown = "".join(done.stdout.split())
    if tests == 1:
        assert LONG_NAME in shown
        assert LONG_LABEL in shown
    assert "…" not in done.stdout


def test_more_tests_than_fit_side_by_side(folder: Path, readmark_cli: Run) -> None:
    names = [f"{letter}{letter}{letter}" for letter in "ABCDEFGHIJKLMNOPQRSTUVWX"]
    for name in names:
        lines = [{**ENGLISH[0], "name": name}, *ENGLISH[1:]]
        text = "".join(json.dumps(one) + "\n" for one in lines)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    done = readmark_cli("stats", *(f"{name}.jsonl" for name in names), cwd=folder)
    assert max(cell_len(line) for line in done.stdout.splitlines()) <= 80
    shown = "".join(done.stdout.split())
    assert [name for name in names if name not in shown] == []


SIGNATURE = ("signature ", "  em ", "  f1", "  average ", "  error classes ")


@pytest.mark.parametrize(
    "args",
    [
        ("mark", "zh.jsonl", "{}", "--by", "type,level,split"),
        ("compare", "zh.jsonl", "{}", "other.json", "third.json"),
        ("people", "zh.jsonl", "--by", "type"),
        ("people", "zh.jsonl", "{}", "other.json"),
    ],
    ids=["mark", "compare", "people", "panel"],
)
def test_eighty_columns_elsewhere(folder: Path, readmark_cli: Run, args: tuple[str, ...]) -> None:
    """Every line but a signature's, which is there to be copied."""
    long = f"{LONG_NAME}的参考答案.json"
    for name, answer in ((long, "姓李"), ("other.json", "张"), ("third.json", "")):
        said = json.dumps({"q1": answer, "q2": answer, "q3": ""})
        (folder / name).write_text(said, encoding="utf-8")
    done = readmark_cli(*(long if one == "{}" else one for one in args), cwd=folder)
    assert done.returncode == 0, done.stderr
    for line in done.stdout.splitlines():
        assert cell_len(line) <= 80 or line.startswith(SIGNATURE), line


def odd(folder: Path, *names: str) -> str:
    """A test whose name and passages' genres are odd."""
    passages = [
        {**ENGLISH[1], "id": name, "genre": name, "questions": [answered(name, "What?", "kettle")]}
        for name in names
    ]
    lines = [{"readmark": 1, "name": names[0]}, *passages]
    (folder / "odd.jsonl").write_text("".join(json.dumps(one) + "\n" for one in lines))
    return "odd.jsonl"


def test_names_are_shown_as_they_stand(folder: Path, readmark_cli: Run) -> None:
    names = ["[/b]", "[bold]", "[/]", "a[red]b", ":smile:", "[link=http://x]y[/link]"]
    done = readmark_cli("stats", odd(folder, *names), cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert names[0] in done.stdout.splitlines()[0]
    assert [name for name in names if f"genre {name} " not in done.stdout] == []


def test_a_backslash_is_shown_as_it_stands(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("stats", odd(folder, "\\[a"), cwd=folder)
    assert "genre \\[a " in done.stdout


def test_splits_beside_each_other(folder: Path, readmark_cli: Run) -> None:
    short = readmark_cli("stats", "zh.jsonl", cwd=folder).stdout
    assert "share" not in rows(short.partition("by split, lengths in characters")[2])
    done = readmark_cli("stats", "zh.jsonl", "--full", cwd=folder)
    shown = done.stdout.partition("by split, lengths in characters")[2]
    table = rows(shown)
    assert table["questions"] == ["0", "4", "4"]
    assert table["longest passage"] == ["4", "16", "16"]
    assert table["answers each"] == ["–", "1.50", "1.50"]
    assert table["1"] == ["0", "1", "1", "25.0%"]
    assert table["2"] == ["0", "2", "2", "50.0%"]
    assert table["share"] == ["0.0%", "100.0%", "100.0%"]


def test_tokens(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("stats", "zh.jsonl", "--unit", "tokens", "--json", cwd=folder)
    [table] = json.loads(done.stdout)["tests"]
    assert table["unit"] == "tokens"
    assert table["lengths"]["passage"]["longest"] == 15
    assert [one["name"] for one in table["splits"]] == ["测试集", "训练集", "all"]


def test_a_plot(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("stats", "zh.jsonl", "--plot", "p.svg", "--json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "readmark: p.svg written\n")
    json.loads(done.stdout)
    assert "训练集" in (folder / "p.svg").read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "line"),
    [("p.gif", "ending in .svg or .png or .pdf"), ("t.svg", "is what is being read")],
)
def test_a_plot_that_is_refused(folder: Path, readmark_cli: Run, name: str, line: str) -> None:
    (folder / "t.svg").write_bytes((folder / "zh.jsonl").read_bytes())
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = readmark_cli("stats", "t.svg", "--plot", name, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert line in done.stderr
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
