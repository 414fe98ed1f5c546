"""``readmark panel mark`` and ``power`` through the command line."""

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from panel_files import MACHINE, write_lines, write_machine, write_novices, write_test

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def panel(tmp_path: Path) -> list[Any]:
    write_test(tmp_path / "test.jsonl")
    write_machine(tmp_path / "machine.json")
    novices = write_novices(tmp_path)
    return [
        "test.jsonl",
        "machine.json",
        *(part for novice in novices for part in ("--novice", novice)),
    ]


def test_tables_and_json(panel: list[Any], tmp_path: Path, readmark_cli: Run) -> None:
    args = ("panel", "mark", *panel, "--draws", "200", "--by", "split")
    tables = readmark_cli(*args, cwd=tmp_path, env={"COLUMNS": "80"})
    assert tables.returncode == 0, tables.stderr
    for part in (
        "panel of boats: 6 passages, 3 experts, 3 novices",
        "passages on which all experts agree: 2 (33%)",
        "p, split train: 3 passages",
        "each novice as the machine",
        "does not show that it is better than a novice as a person",
        "200 draws, seed 1",
    ):
        assert part in " ".join(tables.stdout.split())
    lines, _, signatures = tables.stdout.partition("\nsignature ")
    assert max(map(len, lines.splitlines())) <= 80
    assert "proportional_target target:expert range|round:half up|" in signatures
    result = readmark_cli(*args, "--json", cwd=tmp_path)
    document = json.loads(result.stdout)
    target = document["raters"]["machine"]["metrics"]["proportional_target"]
    assert target["observed"] == pytest.approx(1 / 3 + 1 / 2 + 1 + 1 / 4 + 1 / 2 + 1)
    assert set(target) == {"observed", "critical", "p", "better", "low", "high", "judges"}
    assert document["zero_width"] == {"targets": 2, "share": 2 / 6}
    assert set(document["by"]["split"]) == {"train", "test"}
    assert set(document["leave_one_out"]) == {"dee", "eli", "fay"}
    assert (document["alpha"], document["draws"], document["seed"]) == (0.025, 200, 1)
    again = readmark_cli(*args, "--json", cwd=tmp_path)
    assert again.stdout == result.stdout
    other = readmark_cli(*args, "--json", "--seed", "2", cwd=tmp_path)
    assert other.stdout != result.stdout


def test_marksheets_make_a_report(panel: list[Any], tmp_path: Path, readmark_cli: Run) -> None:
    result = readmark_cli("panel", "mark", *panel, "--draws", "99", "-o", "sheets", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    [sheet] = (tmp_path / "sheets").iterdir()
    result = readmark_cli("report", sheet, "-o", "report.html", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    assert "machine" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_error_rows_are_a_failure_unless_they_count_as_wrong(
    panel: list[Any], tmp_path: Path, readmark_cli: Run
) -> None:
    header = {"readmark": 1, "file": "sitting", "kind": "readability", "candidate": "moody"}
    rows: list[dict[str, Any]] = [
        {"id": id, "rating": rating} if id != "p3" else {"id": id, "error": "no idea"}
        for id, rating in MACHINE.items()
    ]
    write_lines(tmp_path / "moody.jsonl", [header, *rows])
    panel[1] = "moody.jsonl"
    result = readmark_cli("panel", "mark", *panel, "--draws", "50", cwd=tmp_path)
    assert result.returncode == 1
    assert "error rows: 1 (p3)" in result.stderr
    assert "with --errors-as-wrong" in result.stderr
    result = readmark_cli(
        "panel", "mark", *panel, "--draws", "50", "--errors-as-wrong", cwd=tmp_path
    )
    assert result.returncode == 0
    assert "error rows: 1 (p3); they count as wrong" in result.stderr
    assert "with --errors-as-wrong" not in result.stderr


def test_bad_usage_is_one_line(panel: list[Any], tmp_path: Path, readmark_cli: Run) -> None:
    for args, status, message in (
        (("panel", "mark", *panel[:2], "--no-experts"), 2, "--no-experts needs --novice"),
        (("panel", "mark", *panel[:4]), 2, "two novices or more"),
        (("panel", "mark", *panel, "--margin", "1"), 2, "--margin is for a panel without experts"),
        (("panel", "mark", *panel, "-m", "pearson"), 2, "--metric is for a panel without experts"),
        (("panel", "mark", *panel[:2], "--no-round"), 2, "--round is for a panel with experts"),
        (("panel", "mark", *panel, "--no-experts", "-o", "x"), 2, "--output is for a panel with"),
        (("panel", "mark", *panel, "--draws", "0"), 2, "is not from 1 to 1,000,000"),
        (("panel", "power", "--passages", "many"), 2, "is not a list of whole numbers"),
        (("panel", "power", "--rater", "novice", "--advantage", "1"), 2, "--advantage is for"),
        (("panel", "power", "--advantage", "4"), 2, "the largest here is"),
        (("panel", "power", "--rater", "drawn", "--target", "0.8"), 2, "rater with an advantage"),
        (("panel", "power", "--novice-traits", "missing=2"), 2, "share below 1"),
        (("panel", "power", "--novice-traits", "noise=x"), 2, "noise: 'x' is not a number"),
        (("panel", "power", "--expert-traits", "bais=1"), 2, "no trait 'bais'; did you mean bias?"),
    ):
        result = readmark_cli(*args, cwd=tmp_path)
        assert (result.returncode, result.stdout) == (status, ""), result.stderr
        assert message in result.stderr
        assert "Traceback" not in result.stderr


def test_power(tmp_path: Path, readmark_cli: Run) -> None:
    few = ("--panels", "20", "--passages", "20,60", "--novices", "4")
    result = readmark_cli("panel", "power", *few, "--json", cwd=tmp_path)
    assert result.returncode == 0, result.stderr
    document = json.loads(result.stdout)
    assert [size["passages"] for size in document["sizes"]] == [20, 60]
    passed = document["sizes"][0]["passed"]["score_difference"]
    assert 0 <= passed["low"] <= passed["share"] <= passed["high"] <= 1
    tables = readmark_cli(
        *("panel", "power", *few, "--advantage", "0.3", "--target", "0.8"),
        cwd=tmp_path,
        env={"COLUMNS": "80"},
    )
    assert tables.returncode == 0, tables.stderr
    assert "0.3 stars nearer the gold" in tables.stdout
    assert "passages for a power of 0.8" in tables.stdout
    assert max(map(len, tables.stdout.splitlines())) <= 80


def test_rounding_is_stated_and_names_of_metrics_stay_whole(
    panel: list[Any], tmp_path: Path, readmark_cli: Run
) -> None:
    write_machine(tmp_path / "machine.json", dict.fromkeys(MACHINE, 3.0))
    result = readmark_cli(
        "panel", "mark", *panel, "--draws", "50", cwd=tmp_path, env={"COLUMNS": "80"}
    )
    text = " ".join(result.stdout.split())
    assert "there a rating hits the target if it rounds to theirs" in text
    assert "exactly theirs" not in text
    assert "round:half up" in result.stdout
    # The reason is below the table, where it squeezes no column.
    assert "pearson: undefined: the ratings are all the same" in result.stdout
    assert result.stdout.count("proportional_target  ") == 3


def test_a_rating_far_off_the_scale_is_one_line(
    panel: list[Any], tmp_path: Path, readmark_cli: Run
) -> None:
    write_machine(tmp_path / "machine.json", {**MACHINE, "p1": 1e300})
    for command in (("panel", "mark", *panel, "--draws", "50"), ("mark", *panel[:2])):
        result = readmark_cli(*command, cwd=tmp_path)
        assert (result.returncode, result.stdout) == (1, "")
        assert "p1: the rating 1e+300 is far off the scale from 1 to 5" in result.stderr
        assert "Traceback" not in result.stderr


def test_beside_people_names_are_wrapped_at_words(
    panel: list[Any], tmp_path: Path, readmark_cli: Run
) -> None:
    people = [part for novice in panel[3::2] for part in ("--people", novice)]
    result = readmark_cli(
        *("mark", *panel[:2], *people, "--by", "split", "--full"),
        cwd=tmp_path,
        env={"COLUMNS": "80"},
    )
    beside = result.stdout.partition("compared with people")[2].partition("signature")[0]
    assert "ratio" in beside
    assert "difference   " in beside
    for word in ("proportional", "pearson"):
        assert re.search(rf"\b{word}\b", beside)
    assert not re.search(r"\bdifferenc\b|\btarge\b|\btar\b", beside)
