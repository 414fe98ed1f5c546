"""`set blind`, `set merge` and `people`, one after the other, through the real command line."""

import csv
import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

TEXT = "磨坊在1911年烧毁了。后来，丽塔重建了它。"


@pytest.fixture
def test(tmp_path: Path) -> Path:
    record = {
        "id": "mill",
        "text": TEXT,
        "questions": [
            {
                "id": "q1",
                "text": "磨坊哪一年烧毁？",
                "key": {"answers": [{"text": "1911年", "start": 3, "annotator": "cy"}]},
            },
            {
                "id": "q2",
                "text": "谁重建了磨坊？",
                "key": {"answers": [{"text": "丽塔", "start": 15, "annotator": "cy"}]},
            },
        ],
    }
    path = tmp_path / "test.jsonl"
    header = {"readmark": 1, "name": "磨坊", "language": "zh"}
    lines = (json.dumps(one, ensure_ascii=False) for one in (header, record))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def fill(sheet: Path, answers: dict[str, str]) -> None:
    rows = list(csv.DictReader(sheet.open(encoding="utf-8-sig", newline="")))
    with sheet.open("w", encoding="gb18030", newline="") as stream:
        writer = csv.DictWriter(stream, rows[0].keys(), delimiter=";")
        writer.writeheader()
        writer.writerows({**row, "answer": answers[row["id"]]} for row in rows)


def test_three_answers_and_people_s_figure(readmark_cli: Run, test: Path, tmp_path: Path) -> None:
    names = ("--annotator", "李", "--annotator", "eva")
    done = readmark_cli("set", "blind", str(test), "-o", str(tmp_path / "out"), *names, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["questions"] == {"李": 2, "eva": 2}
    assert "cy" not in (tmp_path / "out" / "eva.paper.jsonl").read_text(encoding="utf-8")
    fill(tmp_path / "out" / "李.answers.csv", {"q1": "1911 年", "q2": "丽塔"})
    fill(tmp_path / "out" / "eva.answers.csv", {"q1": "1911年", "q2": "莉莉"})
    sheets = sorted(map(str, (tmp_path / "out").glob("*.csv")))
    merged = tmp_path / "merged.jsonl"
    done = readmark_cli("set", "merge", str(test), *sheets, "-o", str(merged))
    assert done.returncode == 0, done.stderr
    assert "q2 (eva) 莉莉" in done.stdout
    assert "q1 (李) 1911 年 → 1911年" in done.stdout
    done = readmark_cli("check", str(merged))
    assert done.returncode == 0, done.stdout
    done = readmark_cli("people", str(merged), "-m", "em", "--json")
    # q1: three people agree. q2: two agree, and the third's counts against the others' as well.
    assert json.loads(done.stdout)["marks"]["em"]["score"] == pytest.approx(250 / 3)
    free = tmp_path / "free.jsonl"
    done = readmark_cli("set", "merge", str(test), *sheets, "-o", str(free), "--drop-free")
    assert "people's figure is then flattered" in done.stderr
    done = readmark_cli("people", str(free), "-m", "em", "--json")
    assert json.loads(done.stdout)["marks"]["em"]["score"] == 100


def test_what_is_empty_or_owed_is_told(readmark_cli: Run, test: Path, tmp_path: Path) -> None:
    names = ("--annotator", "李", "--annotator", "J. Smith")
    done = readmark_cli("set", "blind", str(test), "-o", str(tmp_path / "out"), *names)
    assert done.returncode == 0, done.stderr
    fill(tmp_path / "out" / "J. Smith.answers.csv", {"q1": "1911年", "q2": ""})
    sheet, merged = str(tmp_path / "out" / "J. Smith.answers.csv"), tmp_path / "merged.jsonl"
    done = readmark_cli("set", "merge", str(test), sheet, "-o", str(merged))
    assert done.returncode == 0, done.stderr
    assert "still owed by 李: all 2 questions" in done.stdout
    done = readmark_cli("people", str(merged), "-m", "em", "--json")
    assert "1 empty answer of a person is not counted" in done.stderr
    again = tmp_path / "again.jsonl"
    done = readmark_cli("set", "merge", str(test), sheet, "-o", str(again), "--json")
    told = json.loads(done.stdout)
    assert (told["owed"], told["empty"]) == ({"李": ["q1", "q2"]}, [["q2", "J. Smith"]])


def test_a_sheet_does_not_go_onto_the_test(readmark_cli: Run, test: Path, tmp_path: Path) -> None:
    sheet = tmp_path / "ann.csv"
    sheet.write_text("id,answer\nq1,1911年\n", encoding="utf-8")
    before = test.read_bytes()
    done = readmark_cli("set", "merge", str(test), str(sheet), "-o", str(test))
    assert (done.returncode, done.stdout) == (2, "")
    assert "is what is being read" in done.stderr
    assert test.read_bytes() == before
