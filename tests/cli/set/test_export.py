"""`readmark set export` through the real command line: the folder, refusals, 80 columns."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from readmark.formats.registry import open_test

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


def lines_of(**header: Any) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [
        {"readmark": 1, "name": "渡口", "language": "zh", "licence": "CC-BY-4.0", **header}
    ]
    for at, split in enumerate(("dev", "test")):
        text = f"第{at}个渡口在河的东边，由老周看守。"
        answers = [{"text": "老周", "start": text.index("老周"), "annotator": "甲"}]
        answers += [{"text": "由老周", "start": text.index("由老周"), "annotator": "乙"}]
        question = {
            "id": f"q{at}",
            "text": "渡口由谁看守？",
            "key": {"answers": answers, "level": 1},
        }
        made.append({"id": f"p{at}", "split": split, "text": text, "questions": [question]})
    return made


def write(path: Path, lines: list[dict[str, Any]]) -> None:
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines)
    path.write_text(text, encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "t.jsonl", lines_of(hidden=["test"]))
    write(tmp_path / "bare.jsonl", lines_of(licence=None))
    return tmp_path


def test_with_reports(folder: Path, readmark_cli: Run) -> None:
    def run(*args: str) -> subprocess.CompletedProcess[str]:
        done = readmark_cli(*args, cwd=folder)
        assert done.returncode == 0, done.stderr
        return done

    run("set", "screen", "t.jsonl", "-o", "kept.jsonl")
    # What is published is what the agreement may tell of.
    run("convert", "t.jsonl", "shown.jsonl", "--public")
    run("set", "agree", "shown.jsonl", "-o", "agree.json")
    done = run(
        "set",
        "export",
        "t.jsonl",
        "-o",
        "out",
        "--creator",
        "渡口小组",
        "--cite",
        "渡口，2026",
        "--url",
        "https://example.org/渡口",
        "--published",
        "2026-01-31",
        "--screening",
        "kept.screening.jsonl",
        "--agreement",
        "agree.json",
    )
    assert all(cell_len(line.rstrip()) <= 80 for line in done.stdout.splitlines())
    assert "test          1           1   withheld" in done.stdout
    assert "Croissant asks" not in done.stderr
    assert done.stderr.endswith("readmark: out written\n")
    card = (folder / "out/README.md").read_text("utf-8")
    assert "- 渡口小组" in card
    assert "Screening: of 2 passages" in card
    assert "| answers | 2 | 1 |" in card
    assert "Its figures cover hidden splits" not in card
    assert (folder / "out/reports/agreement.json").read_bytes() == (
        folder / "agree.json"
    ).read_bytes()
    metadata = json.loads((folder / "out/croissant.json").read_bytes())
    assert metadata["creator"] == [{"@type": "sc:Person", "name": "渡口小组"}]
    # What was published is sound, and is what it was made from.
    assert run("check", "out/native/dev.jsonl", "out/squad/dev.json")
    [hidden] = open_test(folder / "out/native/test.jsonl").units()
    assert hidden.key is None


def test_json_and_keys(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli(
        "set", "export", "t.jsonl", "-o", "out", "--with-keys", "--json", cwd=folder
    )
    said = "readmark: keys of hidden splits are published: test\n"
    assert (done.returncode, done.stderr) == (0, said)
    told = json.loads(done.stdout)
    assert (told["withheld"], told["published_keys"]) == (0, ["test"])
    assert told["parts"]["test"] == {"records": 1, "units": 1, "withheld": False}
    assert told["unsaid"] == ["--creator", "--url", "--cite", "--published"]
    assert told["losses"] == {
        "data": [],
        "squad": ["annotators cannot be stored", "levels cannot be stored"],
    }
    assert {one["path"] for one in told["files"]} >= {"README.md", "data/dev.jsonl"}
    done = readmark_cli("set", "export", "t.jsonl", "-o", "other", "--with-keys", cwd=folder)
    assert "keys of hidden splits are published: test" in done.stderr


def test_agreement_that_tells_of_hidden_splits(folder: Path, readmark_cli: Run) -> None:
    done = readmark_cli("set", "agree", "t.jsonl", "-o", "agree.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    export = ("set", "export", "t.jsonl", "-o", "out", "--agreement", "agree.json")
    done = readmark_cli(*export, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "agree.json covers hidden splits and reveals their labels (it names q1)" in done.stderr
    assert not (folder / "out").exists()
    done = readmark_cli(*export, "--agreement-covers-hidden", "--json", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stderr == (
        "readmark: agree.json: covers hidden splits, so it reveals something of their labels\n"
    )
    told = json.loads(done.stdout)["agreement"]
    assert (told["covers"], told["hidden"]) == ("hidden", 1)
    card = (folder / "out/README.md").read_text("utf-8")
    assert "Its figures cover hidden splits too" in card
    # Where every key is published there is nothing to give away.
    done = readmark_cli(*export[:4], "all", *export[5:], "--with-keys", "--json", cwd=folder)
    assert (done.returncode, json.loads(done.stdout)["agreement"]["covers"]) == (0, "published")


def test_agreement_on_another_test(folder: Path, readmark_cli: Run) -> None:
    text = (folder / "t.jsonl").read_text("utf-8").replace('"id": "', '"id": "other-')
    (folder / "other.jsonl").write_text(text, "utf-8")
    done = readmark_cli("set", "agree", "other.jsonl", "-o", "agree.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    done = readmark_cli(
        "set", "export", "t.jsonl", "-o", "out", "--agreement", "agree.json", cwd=folder
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "agree.json: is of another test: nothing that it names (other-q0" in done.stderr
    assert not (folder / "out").exists()


def test_what_is_published_is_read_again(folder: Path, readmark_cli: Run) -> None:
    whole = open_test(folder / "t.jsonl")
    done = readmark_cli(
        "set", "export", "t.jsonl", "-o", "out", "--with-keys", "--json", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    for split in ("dev", "test"):
        own, flat = (open_test(folder / f"out/{name}/{split}.jsonl") for name in ("native", "data"))
        assert (flat.facts.paper, flat.facts.key) == (own.facts.paper, own.facts.key)
    done = readmark_cli("convert", "t.jsonl", "flat.jsonl", "--to", "flat", cwd=folder)
    assert done.returncode == 0, done.stderr
    assert open_test(folder / "flat.jsonl").facts.key == whole.facts.key
    done = readmark_cli("set", "agree", "flat.jsonl", "--json", cwd=folder)
    assert json.loads(done.stdout)["what"]["answers"]["units"] == 2


def test_hide_and_licence_file(folder: Path, readmark_cli: Run) -> None:
    (folder / "terms.txt").write_text("只供研究使用。", encoding="utf-8")
    done = readmark_cli(
        "set",
        "export",
        "bare.jsonl",
        "-o",
        "out",
        "--licence",
        "Research only",
        "--licence-file",
        "terms.txt",
        "--hide",
        "dev",
        "--json",
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["withheld"] == 1
    assert (folder / "out/LICENSE").read_text("utf-8") == "只供研究使用。\n"
    assert 'license_name: "research-only"' in (folder / "out/README.md").read_text("utf-8")


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (("bare.jsonl", "-o", "out"), 2, "bare.jsonl names no licence"),
        (("t.jsonl", "-o", "full"), 1, "full: is a folder that is not empty"),
        (("t.jsonl", "-o", "t.jsonl"), 2, "t.jsonl is what is being read"),
        (("t.jsonl", "-o", "out.zip"), 2, "out.zip: name a folder to write"),
        (("t.jsonl", "-o", "note"), 1, "note: is a file, expected a folder"),
        (("t.jsonl", "-o", "no/where/out"), 1, "cannot be written"),
        (("none.jsonl", "-o", "out"), 1, "none.jsonl: no such file"),
        (("t.jsonl", "-o", "out", "--hide", "tset"), 2, "no split 'tset'; it has dev, test"),
        (("t.jsonl", "-o", "out", "--hide", "dev", "--with-keys"), 2, "exclude each other"),
        (("t.jsonl", "-o", "out", "--screening", "t.jsonl"), 1, "is not a screening report"),
        (("t.jsonl", "-o", "out", "--agreement", "gone.json"), 1, "gone.json: no such file"),
        (("t.jsonl", "-o", "out", "--agreement", "full/a.json"), 1, "is not an agreement report"),
        (("t.jsonl", "-o", "out", "--published", "soon"), 2, "is a date such as"),
        (("t.jsonl", "-o", "out", "--published", "20260131"), 2, "is a date such as"),
        (("t.jsonl", "-o", "out", "--licence", "  "), 2, "--licence is empty"),
        (("t.jsonl", "-o", "out", "--agreement-covers-hidden"), 2, "is for --agreement"),
        (("cut.jsonl", "-o", "out"), 1, "cut.jsonl:3: json: "),
    ],
)
def test_refusals(
    folder: Path, readmark_cli: Run, args: tuple[str, ...], status: int, words: str
) -> None:
    (folder / "full").mkdir()
    (folder / "full/a.json").write_text("{}")
    (folder / "note").write_text("mine")
    whole = (folder / "t.jsonl").read_bytes()
    (folder / "cut.jsonl").write_bytes(whole[:-40])
    before = sorted(folder.rglob("*"))
    done = readmark_cli("set", "export", *args, cwd=folder)
    assert (done.returncode, done.stdout) == (status, "")
    [line] = done.stderr.splitlines()
    assert words in line
    assert sorted(folder.rglob("*")) == before
    assert (folder / "t.jsonl").read_bytes() == whole


def test_a_folder_does_not_get_its_own_export(folder: Path, readmark_cli: Run) -> None:
    (folder / "brat").mkdir()
    (folder / "brat/a.txt").write_text("A short text.\n")
    (folder / "brat/a.ann").write_text("")
    done = readmark_cli("set", "export", "brat", "-o", "brat/out", "--licence", "MIT", cwd=folder)
    assert done.returncode == 2
    assert "brat/out is within brat" in done.stderr
