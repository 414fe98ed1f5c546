"""`readmark set screen` through the real command line."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from installed import require

pytestmark = pytest.mark.slow

require("rjieba")

Run = Callable[..., subprocess.CompletedProcess[str]]

STORY = (
    "老桥的旁边有一家面馆，已经开了四十年。每天早上五点，老板就起来和面，六点钟第一批客人就到了。"
    "他们大多是住在附近的老人，吃完面以后还要在店里坐一会儿，说说昨天的新闻。"
)
FOREIGN = "他写了三本书：Green Hills、The Long Road 和 Rain at Night，都很受欢迎。"
ENGLISH = "The ferry leaves at noon. It carries bread, letters and two goats to the island."


@pytest.fixture
def source(tmp_path: Path) -> str:
    return write(tmp_path, "zh", {"a": STORY, "b": FOREIGN, "c": STORY + "真的。"})


def write(folder: Path, language: str, texts: dict[str, str]) -> str:
    header = {"readmark": 1, "kind": "comprehension", "language": language}
    lines = [header, *({"id": id, "text": text} for id, text in texts.items())]
    (folder / "in.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", "utf-8")
    return "in.jsonl"


def test_the_table_and_the_report_beside_it(readmark_cli: Run, source: str, tmp_path: Path) -> None:
    done = readmark_cli("set", "screen", source, "-o", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 passages: 1 kept, 2 discarded\n")
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "out.screening.jsonl: every passage with its reasons" in done.stderr
    rows = (tmp_path / "out.screening.jsonl").read_text("utf-8").splitlines()
    assert json.loads(rows[0])["file"] == "screening"
    assert [json.loads(row)["verdict"] for row in rows[1:]] == ["keep", "discard", "discard"]


def test_json_and_english(readmark_cli: Run, tmp_path: Path) -> None:
    write(tmp_path, "en", {"a": ENGLISH})
    done = readmark_cli("set", "screen", "in.jsonl", "-o", "o.jsonl", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["kept"], told["language"], told["report"]) == (1, "en", "o.screening.jsonl")
    checks = ["non_latin", "symbols", "holes", "list_like", "terms", "near_duplicates"]
    assert list(told["checks"]) == checks
    assert done.stderr == ""


def test_a_form_goes_out_and_comes_back(readmark_cli: Run, source: str, tmp_path: Path) -> None:
    run = ("set", "screen", source, "-o", "out.jsonl")
    assert readmark_cli(*run, "--form", "form.csv", cwd=tmp_path).returncode == 0
    with (tmp_path / "form.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert [row["id"] for row in rows] == ["a", "b", "c"]
    assert "rules" not in rows[0]
    rows[1] |= {"decision": "keep", "person": "安"}
    with (tmp_path / "安.csv").open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
    done = readmark_cli(*run, "--decisions", "安.csv", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "3 passages: 2 kept, 1 discarded" in done.stdout
    assert "people against the rules: 1 passage" in done.stdout
    write(tmp_path, "zh", {"a": STORY, "b": FOREIGN.replace("三", "两"), "c": OTHER})
    done = readmark_cli(*run, "--decisions", "安.csv", cwd=tmp_path)
    assert done.returncode == 1
    assert "differs at character 3" in done.stderr


OTHER = "夏天的傍晚，大家都到河边去散步。"


def test_the_format_is_by_suffix_or_by_name(readmark_cli: Run, source: str, tmp_path: Path) -> None:
    run = ("set", "screen", source)
    done = readmark_cli(*run, "-o", "a.json", "--discarded", "b.jsonl", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert [
        one["id"]
        for one in json.loads((tmp_path / "a.json").read_text("utf-8"))["data"][0]["paragraphs"]
    ] == ["a"]
    assert json.loads((tmp_path / "b.jsonl").read_text("utf-8").splitlines()[0])["readmark"] == 1
    assert "a.json: squad: the header's (language) cannot be stored" in done.stderr
    done = readmark_cli(*run, "-o", "c.json", "--to", "native", "--json", cwd=tmp_path)
    assert json.loads(done.stdout)["format"] == "native"
    assert json.loads(done.stdout)["lost"] == []
    assert json.loads((tmp_path / "c.json").read_text("utf-8").splitlines()[0])["readmark"] == 1


def test_show_config_is_a_config(readmark_cli: Run, source: str, tmp_path: Path) -> None:
    shown = readmark_cli("set", "screen", "--show-config")
    assert shown.returncode == 0
    (tmp_path / "own.toml").write_text(shown.stdout.replace("most = 0.30", "most = 0.95"), "utf-8")
    done = readmark_cli(
        *("set", "screen", source, "-o", "out.jsonl", "--profile", "own.toml", "--json"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["checks"]["non_chinese"] == {
        "threshold": 0.95,
        "discarded": 0,
        "alone": 0,
    }


@pytest.mark.parametrize(
    ("options", "status", "line"),
    [
        (("-o", "in.jsonl"), 2, "in.jsonl is what is being read"),
        (("-o", "out.jsonl", "--report", "out.jsonl"), 2, "out.jsonl is to be written twice"),
        (("-o", "out.jsonl", "--profile", "bad.toml"), 1, "did you mean topic?"),
        (("-o", "out.jsonl", "--decisions", "none.csv"), 1, "none.csv: no such file"),
        (("-o", "out.jsonl", "--decisions", "odd.csv"), 1, "in.jsonl has no passage 'zz'"),
        (("-o", "out.jsonl", "--workers", "0"), 2, "0 is not in the range"),
        (("-o", "out.jsonl", "--report", "no/r.jsonl"), 1, "no/r.jsonl: cannot be written"),
        (("-o", "out.jsonl", "--report", "/dev/full"), 1, "/dev/full: cannot be written"),
        (("-o", "out"), 2, "out: name the format with --to"),
        (("-o", "out.jsonl", "--to", "nativ"), 2, "did you mean native?"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    readmark_cli: Run,
    source: str,
    tmp_path: Path,
    options: tuple[str, ...],
    status: int,
    line: str,
) -> None:
    (tmp_path / "bad.toml").write_text("[zh.topik]\n")
    (tmp_path / "odd.csv").write_text("id,decision\nzz,keep\n")
    (tmp_path / "out.jsonl").write_text("as it was")
    done = readmark_cli("set", "screen", source, *options, cwd=tmp_path)
    assert done.returncode == status
    assert done.stdout == ""
    assert line in done.stderr
    assert "Traceback" not in done.stderr
    assert (tmp_path / "out.jsonl").read_text() == "as it was"


def test_another_language(readmark_cli: Run, tmp_path: Path) -> None:
    write(tmp_path, "fr", {"a": "Il pleut."})
    done = readmark_cli("set", "screen", "in.jsonl", "-o", "out.jsonl", cwd=tmp_path)
    assert done.returncode == 2
    assert "no checks for language 'fr'; known: zh, en" in done.stderr
