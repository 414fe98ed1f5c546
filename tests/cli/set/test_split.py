"""`readmark set split` through the real command line: splits, leaks, refusals, 80 columns."""

import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from readmark.formats.registry import open_test

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

SIGNS = "山水田林路桥村镇灯火船马牛羊花草雨雪风云石井塔寺茶米麦竹松梅"
LONG = "一个长得怎么也放不进八十列里去的非常非常长的段落标识符号甲乙丙丁戊己庚辛"


def story(seed: int) -> str:
    chance = random.Random(seed)
    return "".join(chance.choice(SIGNS) for _ in range(80)) + "。"


def lines_of(articles: int, **header: Any) -> list[dict[str, Any]]:
    """Two passages an article, a question of each of two levels on each passage."""
    made: list[dict[str, Any]] = [{"readmark": 1, "name": "小测试", "language": "zh", **header}]
    for at in range(articles):
        for part in "ab":
            id = f"{LONG if at == 0 else '段'}{at}{part}"
            text = story(10 * at + ord(part))
            questions = [
                {
                    "id": f"{id}-{level}",
                    "text": f"{text[:4]}的第{level}个问题是什么？",
                    "key": {"answers": [{"text": text[:2]}], "level": level},
                }
                for level in (1, 3)
            ]
            made.append({"id": id, "article": f"文{at}", "text": text, "questions": questions})
    return made


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "t.jsonl", lines_of(10))
    return tmp_path


def test_split_then_check(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli(
        "set", "split", "t.jsonl", "-o", "out.jsonl", "--hidden", "test", "--json", cwd=folder
    )
    assert (done.returncode, done.stderr) == (0, "")
    told = json.loads(done.stdout)
    assert {name: one["questions"] for name, one in told["splits"].items()} == {
        "train": 32,
        "dev": 4,
        "test": 4,
    }
    assert told["strata"]["level"] == {
        "1": {"train": 16, "dev": 2, "test": 2},
        "3": {"train": 16, "dev": 2, "test": 2},
    }
    assert told["largest"]["questions"] == 4
    before, after = open_test(folder / "t.jsonl"), open_test(folder / "out.jsonl")
    assert (before.facts.paper, before.facts.key) == (after.facts.paper, after.facts.key)
    assert after.header.hidden == ("test",)
    assert {one.id: one.split for one in after.records()} == told["split_of"]
    assert readmark_cli("check", "out.jsonl", cwd=folder).returncode == 0
    done = readmark_cli("set", "split", "out.jsonl", "--check", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert "nothing found" in done.stdout


def test_the_order_of_the_records_has_no_say(folder: Path, readmark_cli: Run) -> None:
    header, *passages = lines_of(10)
    write(folder / "turned.jsonl", [header, *passages[::-1]])
    found = []
    for name in ("t.jsonl", "turned.jsonl"):
        done = readmark_cli(
            *("set", "split", name, "-o", "out.jsonl", "--seed", "7", "--json"), cwd=folder
        )
        found.append(json.loads(done.stdout)["split_of"])
    assert found[0] == found[1]


def test_a_terminal_of_eighty_columns(folder: Path, readmark_cli: Run) -> None:
    lines = lines_of(10)
    lines[5]["text"] = lines[1]["text"]  # the long id's text again, in another article
    write(folder / "t.jsonl", lines)
    done = readmark_cli("set", "split", "t.jsonl", "-o", "out.jsonl", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "readmark: out.jsonl written as native\n"
    assert max(map(cell_len, done.stdout.splitlines())) <= 80
    assert "小测试: 40 questions in 10 articles, seed 1" in done.stdout
    assert LONG[:20] in done.stdout  # its end is folded under it
    assert "articles kept together" in done.stdout


def test_leaks_are_listed(folder: Path, readmark_cli: Run) -> None:
    lines = lines_of(4)
    for at, line in enumerate(lines[1:]):
        line["split"] = "train" if at < 5 else "dev"  # the third article is in both
    lines[8]["text"] = lines[1]["text"][:-1] + "！"
    write(folder / "leaky.jsonl", lines)
    done = readmark_cli("set", "split", "leaky.jsonl", "--check", cwd=folder)
    assert done.returncode == 1
    assert done.stderr == ""
    assert max(map(cell_len, done.stdout.splitlines())) <= 80
    assert "train and dev: 2 pairs" in done.stdout
    done = readmark_cli("set", "split", "leaky.jsonl", "--check", "--json", cwd=folder)
    assert done.returncode == 1
    pairs = json.loads(done.stdout)["pairs"]
    assert [
        (one["shared"], one["first"]["passage"], one["second"]["passage"]) for one in pairs
    ] == [
        ("passage", f"{LONG}0a", "段3b"),
        ("article", "段2a", "段2b"),
    ]
    assert pairs[0]["resemblance"] == 1.0


def test_leaks_between_tests(folder: Path, readmark_cli: Run) -> None:
    header, *passages = lines_of(10)
    write(folder / "some.jsonl", [header, *passages[:3]])
    done = readmark_cli("set", "split", "t.jsonl", "some.jsonl", "--check", cwd=folder)
    assert done.returncode == 1
    assert "t.jsonl" in done.stdout
    assert "3 pairs" in done.stdout
    write(folder / "other.jsonl", [header, {"id": "x", "text": story(999)}])
    done = readmark_cli("set", "split", "t.jsonl", "other.jsonl", "--check", cwd=folder)
    assert done.returncode == 0


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (("t.jsonl",), 2, "name the file to write with -o OUT"),
        (("t.jsonl", "--check", "-o", "x.jsonl"), 2, "--check writes nothing"),
        (("t.jsonl", "--check"), 2, "one part and nothing to compare it with"),
        (("t.jsonl", "t.jsonl", "--check"), 2, "are one file"),
        (("t.jsonl", "few.jsonl", "-o", "x.jsonl"), 2, "one test is split at a time"),
        (("t.jsonl", "-o", "t.jsonl"), 2, "t.jsonl is what is being read"),
        (("t.jsonl", "-o", "x.jsonl", "--proportions", "80"), 2, "expected two or three"),
        (("t.jsonl", "-o", "x.jsonl", "--hidden", "tset"), 2, "did you mean test?"),
        (("t.jsonl", "-o", "x.jsonl", "--threshold", "0"), 2, "threshold of 0.0"),
        (("t.jsonl", "-o", "x.jsonl", "--article", "titel"), 2, "no passage has titel"),
        (("t.jsonl", "-o", "x.data"), 2, "name the format with --to"),
        (("has.jsonl", "-o", "x.jsonl"), 2, "has splits already (dev); --force replaces them"),
        (("few.jsonl", "-o", "x.jsonl"), 1, "few.jsonl: 2 articles"),
        (("none.jsonl", "-o", "x.jsonl"), 1, "none.jsonl: no such file"),
    ],
)
def test_what_cannot_be_done_is_one_line(
    folder: Path, readmark_cli: Run, args: tuple[str, ...], status: int, line: str
) -> None:
    write(folder / "few.jsonl", lines_of(2))
    write(
        folder / "has.jsonl",
        [{**one, "split": "dev"} if "id" in one else one for one in lines_of(4)],
    )
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    done = readmark_cli("set", "split", *args, cwd=folder)
    assert (done.returncode, done.stdout) == (status, "")
    [told] = done.stderr.splitlines()
    assert line in told
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_field_that_no_question_has(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("set", "split", "t.jsonl", "-o", "x.jsonl", "--by", "levle", cwd=folder)
    assert done.returncode == 0
    assert "readmark: no question has 'levle': it has no effect" in done.stderr.splitlines()


def test_force(folder: Path, readmark_cli: Run) -> None:
    write(
        folder / "has.jsonl",
        [{**one, "split": "old"} if "id" in one else one for one in lines_of(4)],
    )
    done = readmark_cli(
        "set",
        "split",
        "has.jsonl",
        "-o",
        "x.jsonl",
        "--force",
        "--proportions",
        "a=1,b=1",
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    splits = [one.split for one in open_test(folder / "x.jsonl").records()]
    assert (splits.count("a"), splits.count("b")) == (4, 4)


def parallel(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same passages under other ids, in the other order."""
    header, *passages = lines
    mine = [
        {
            **one,
            "id": f"en-{at}",
            "parallel": one["id"],
            "questions": [
                {**q, "id": f"en-{q['id']}", "parallel": q["id"]} for q in one["questions"]
            ],
        }
        for at, one in enumerate(passages)
    ]
    return [{**header, "name": "other side"}, *mine[::-1]]


def test_parallel_by_their_questions(folder: Path, readmark_cli: Run) -> None:
    header, *passages = lines_of(10)
    bare = [{name: one[name] for name in one if name != "id"} for one in passages]
    for one in bare:
        one["text"] = one["text"][::-1]
    write(folder / "bare.jsonl", [header, *bare])
    readmark_cli("set", "split", "t.jsonl", "-o", "zh.jsonl", cwd=folder)
    arguments = ("set", "split", "bare.jsonl", "-o", "x.jsonl", "--like", "zh.jsonl")
    done = readmark_cli(*arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    theirs = [one.split for one in open_test(folder / "zh.jsonl").records()]
    assert [one.split for one in open_test(folder / "x.jsonl").records()] == theirs


def test_both_sides_of_a_parallel_corpus(folder: Path, readmark_cli: Run) -> None:
    write(folder / "en.jsonl", parallel(lines_of(10)))
    readmark_cli("set", "split", "t.jsonl", "-o", "zh.jsonl", cwd=folder)
    done = readmark_cli(
        "set", "split", "en.jsonl", "-o", "x.jsonl", "--like", "zh.jsonl", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    assert "other side: 40 questions in 10 articles, as in 小测试" in done.stdout
    theirs = {one.id: one.split for one in open_test(folder / "zh.jsonl").records()}
    other = open_test(folder / "x.jsonl")
    assert {one.parallel: one.split for one in other.records()} == theirs
    assert other.header.fields["splitting"]["like"] == "小测试"


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (
            {"parallel": "none", "questions": []},
            "en.jsonl:en-19: no passage of zh.jsonl has the parallel id 'none'",
        ),
        ({"article": "文0"}, "en.jsonl:文0: an article would be parted, as in zh.jsonl"),
    ],
)
def test_sides_that_do_not_match(
    folder: Path, readmark_cli: Run, change: dict[str, Any], line: str
) -> None:
    lines = parallel(lines_of(10))
    for at in (1, 4, 8, 12):
        lines[at] |= change
    write(folder / "en.jsonl", lines)
    readmark_cli("set", "split", "t.jsonl", "-o", "zh.jsonl", "--proportions", "1/1/1", cwd=folder)
    done = readmark_cli(
        "set", "split", "en.jsonl", "-o", "x.jsonl", "--like", "zh.jsonl", cwd=folder
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert line in done.stderr
    assert not (folder / "x.jsonl").exists()
