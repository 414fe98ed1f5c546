"""``panel pool``, ``plan`` and ``collect`` as they are called, and what they say to bad input."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from panel_judges import Change, Row, passages, prose, rate, rows_of, written
from readmark.core.json_lines import json_line
from readmark.core.test import Header
from readmark.formats.native import header_line

pytestmark = pytest.mark.slow

Run = Callable[..., Any]


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """A folder with a test of twenty passages, and candidates of two genres."""
    header = header_line(Header(kind="readability", name="small", language="en"))
    (tmp_path / "test.jsonl").write_bytes(header + b"".join(map(json_line, passages())))
    rows = [
        {"id": f"{genre}{index}", "genre": genre, "text": prose(10 * index + len(genre))}
        for genre in ("forum", "weblog")
        for index in range(6)
    ]
    rows.append({"id": "empty", "genre": "forum", "text": ""})
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "candidates.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


@pytest.fixture
def runs(readmark_cli: Run, room: Path) -> Run:
    """Runs ``panel`` in the room; without ``status`` it must succeed."""

    def run(*args: str, status: int = 0) -> Any:
        result = readmark_cli("panel", *args, cwd=room)
        assert "Traceback" not in result.stderr, result.stderr
        assert result.returncode == status, result.stderr
        if status:
            assert result.stdout == ""
            assert len(result.stderr.splitlines()) == 1
        return result

    return run


def fill(room: Path, changes: dict[str, Change] | None = None) -> list[str]:
    """Every sheet of the plan filled in; the files."""
    files: list[str] = []
    for path in sorted((room / "plan").glob("*.csv")):
        rows = rows_of(path.read_text(encoding="utf-8"))
        rate(rows, shift=len(files) % 2)
        if changes and path.stem in changes:
            changes[path.stem](rows)
        files.append(written(room / "back", path.stem, rows))
    return files


def test_the_whole_way(runs: Run, room: Path, readmark_cli: Run) -> None:
    runs("pool", "candidates.jsonl", "--sheet", "vet.csv")
    with (room / "vet.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    rows[0]["decision"], rows[0]["reason"] = "discard", "an advert"
    written(room, "vet", rows)
    result = runs(
        "pool",
        "candidates.jsonl",
        "--vetted",
        "vet.csv",
        "-o",
        "pool.jsonl",
        "--per-genre",
        "5",
        "--json",
    )
    pool = json.loads(result.stdout)
    assert pool["genres"]["forum"] == {
        "candidates": 7,
        "discarded": 2,
        "wanted": 5,
        "selected": 5,
        "short": 0,
    }
    reasons = {candidate["id"]: candidate["reasons"] for candidate in pool["candidates"]}
    assert {id: of_candidate for id, of_candidate in reasons.items() if of_candidate} == {
        "forum0": ["vet: an advert"],
        "empty": ["empty: there is no text"],
    }
    assert len((room / "pool.pool.jsonl").read_text().splitlines()) == 13
    assert readmark_cli("check", "pool.jsonl", cwd=room).returncode == 0

    runs("plan", "pool.jsonl", "-o", "plan", "--experts", "ann,bo", "--novices", "3")
    files = fill(room)
    result = runs(
        *("collect", "pool.jsonl", "plan", *files, "-o", "rated.jsonl", "--novices", "novices"),
        "--report",
        "report.jsonl",
        "--json",
    )
    collected = json.loads(result.stdout)
    assert (collected["rated"], collected["expected"]) == (50, 50)
    assert collected["findings"] == []
    assert collected["novices"] == ["n1", "n2", "n3"]
    assert (room / "report.jsonl").read_text() == ""
    assert readmark_cli("check", "rated.jsonl", cwd=room).returncode == 0
    marked = readmark_cli(
        "mark", "rated.jsonl", "novices/n1.jsonl", "-m", "pearson", "--json", cwd=room
    )
    assert marked.returncode == 0, marked.stderr
    assert json.loads(marked.stdout)["answered"] == 10


def test_tables_are_printed(runs: Run, room: Path) -> None:
    result = runs("pool", "candidates.jsonl", "-o", "pool.jsonl", "--per-genre", "9")
    assert "forum: 6 of the 9 wanted" in result.stderr
    assert "empty: there is no text" in result.stdout
    result = runs("plan", "test.jsonl", "-o", "plan", "--round", "9")
    assert "the last round is small" in result.stderr
    assert "2 rounds of 9, 1 round of 2" in result.stdout
    files = fill(room)[:-1]
    result = runs("collect", "test.jsonl", "plan", *files, "--remaining", "left")
    assert "nothing was rated (20 of 20)" in result.stdout
    assert "alpha(ordinal)" in result.stdout
    assert "clear words" in result.stdout
    assert "what is left for n5" in result.stderr
    assert sorted(path.name for path in (room / "left").iterdir()) == ["n5.csv", "n5.html"]


def test_a_chinese_panel(runs: Run, room: Path) -> None:
    rows = [
        {"id": f"新{index}", "genre": "newswire", "text": f"河口社3月{index + 1}日电 {text * 16}"}
        for index, text in enumerate(
            ("河水上涨了。", "鸟飞走了。", "孩子们上学去。", "火车晚点了。")
        )
    ]
    lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    (room / "中文.jsonl").write_text(lines, encoding="utf-8")
    runs("pool", "中文.jsonl", "-o", "池.jsonl")
    header, *records = map(json.loads, (room / "池.jsonl").read_text("utf-8").splitlines())
    assert header["language"] == "zh"
    assert {record["fields"]["original"]["rules"][0] for record in records} == {"dateline"}
    result = runs("plan", "池.jsonl", "-o", "plan", "--experts", "王芳", "--novices", "1")
    assert "one expert: the gold is one person's opinion" in result.stderr
    assert "one novice is not enough" in result.stderr
    assert "读起来容易吗" in (room / "plan" / "王芳.html").read_text(encoding="utf-8")
    result = runs("collect", "池.jsonl", "plan", *fill(room), "-o", "评.jsonl", "--json")
    assert json.loads(result.stdout)["counts"] == {"one_expert": 4, "one_novice": 4}


def test_numbers_by_genre(runs: Run) -> None:
    result = runs("pool", "candidates.jsonl", "-o", "p.jsonl", "--per-genre", "forum=2", "--json")
    genres = json.loads(result.stdout)["genres"]
    assert {name: (genre["wanted"], genre["selected"]) for name, genre in genres.items()} == {
        "forum": (2, 2),
        "weblog": (0, 0),
    }


def test_a_seed_makes_the_same_plan_again(runs: Run, room: Path) -> None:
    for name in ("one", "two"):
        runs("plan", "test.jsonl", "-o", name, "--seed", "7")
    runs("plan", "test.jsonl", "-o", "three", "--seed", "8")
    for path in (room / "one").iterdir():
        assert path.read_bytes() == (room / "two" / path.name).read_bytes()
    assert (room / "one" / "e1.csv").read_bytes() != (room / "three" / "e1.csv").read_bytes()


def test_half_finished_rounds_unknown_passages_and_haste_lose_nothing(
    runs: Run, room: Path
) -> None:
    def odd(rows: list[Row]) -> None:
        rows[0]["id"] = "p77"
        rows[1]["seconds"] = "1"
        for row in rows[15:]:
            row.update(stars="", rank="", seconds="")

    runs("plan", "test.jsonl", "-o", "plan", "--experts", "2", "--novices", "2")
    files = fill(room, {"n1": odd})
    result = runs(
        *("collect", "test.jsonl", "plan", *files, "-o", "r.jsonl", "--novices", "n"),
        "--report",
        "report.jsonl",
        "--json",
    )
    collected = json.loads(result.stdout)
    assert collected["rated"] == 80 - 6
    assert {"unknown_passage", "too_fast", "half_round", "missing"} <= set(collected["counts"])
    report = [json.loads(line) for line in (room / "report.jsonl").read_text().splitlines()]
    assert len(report) == len(collected["findings"])
    unknown = next(finding for finding in report if finding["code"] == "unknown_passage")
    assert unknown["file"].endswith("n1.csv")
    assert unknown["line"] == 2
    assert len((room / "n" / "n1.jsonl").read_text().splitlines()) == 1 + 14


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (("pool", "-o", "x.jsonl"), 2, "no candidates"),
        (("pool", "candidates.jsonl"), 2, "name what to write"),
        (("pool", "nowhere.jsonl", "-o", "x.jsonl"), 1, "nowhere.jsonl"),
        (("pool", "candidates.jsonl", "-o", "candidates.jsonl"), 2, "is what is being read"),
        (("pool", "--genre", "forum", "-o", "x.jsonl"), 2, "expected NAME=FILE"),
        (("pool", "candidates.jsonl", "-o", "x.jsonl", "--per-genre", "0"), 2, "a number from 1"),
        (("pool", "candidates.jsonl", "-o", "x.jsonl", "--per-genre", "forum=x"), 2, "from 1, or"),
        (("pool", "candidates.jsonl", "-o", "x.jsonl", "--per-genre", "fourm=2"), 2, "mean forum?"),
        (("pool", "candidates.jsonl", "-o", "x.jsonl", "--test-share", "2"), 2, "not 2"),
        (("pool", "candidates.jsonl", "-o", "x.jsonl", "--language", "zh"), 1, "no candidate was"),
        (("pool", "candidates.jsonl", "-o", "x.jsonl", "--language", "fr"), 2, "not in 'fr'"),
        (("pool", "candidates.jsonl", "-o", "x.jsonl", "--least", "500"), 2, "500 to 400 words"),
        (("plan", "candidates.jsonl", "-o", "x"), 1, "candidates.jsonl"),
        (("plan", "test.jsonl", "-o", "x", "--round", "1"), 2, "two passages or more, not 1"),
        (
            ("plan", "test.jsonl", "-o", "x", "--experts", "0", "--novices", "0"),
            2,
            "no judge is named",
        ),
        (("plan", "test.jsonl", "-o", "x", "--experts", "-1"), 2, "expected 0 to 1000"),
        (("plan", "test.jsonl", "-o", "x", "--experts", "a", "--novices", "b,A"), 2, "both panels"),
        (("plan", "test.jsonl", "-o", "test.jsonl"), 1, "is a file, expected a folder"),
        (("collect", "test.jsonl", "test.jsonl", "candidates.jsonl"), 1, "is not the plan"),
        (("collect", "test.jsonl", "nowhere", "candidates.jsonl"), 1, "nowhere"),
        (("collect", "test.jsonl"), 2, "Missing argument"),
        (("colect",), 2, "did you mean collect"),
    ],
)
def test_bad_usage_is_one_line(
    runs: Run, room: Path, args: tuple[str, ...], status: int, line: str
) -> None:
    before = sorted(path.name for path in room.iterdir())
    assert line in runs(*args, status=status).stderr
    assert sorted(path.name for path in room.iterdir()) == before


def test_bad_ratings_are_one_line_and_write_nothing(runs: Run, room: Path) -> None:
    runs("plan", "test.jsonl", "-o", "plan", "--experts", "2", "--novices", "2")
    files = fill(room)
    before = sorted(path.name for path in room.iterdir())

    def refused(line: str, *ratings: str, test: str = "test.jsonl", status: int = 1) -> None:
        out = ("-o", "rated.jsonl", "--novices", "novices", "--report", "report.jsonl")
        assert line in runs("collect", test, "plan", *ratings, *out, status=status).stderr
        assert sorted(path.name for path in room.iterdir()) == before

    twin = written(
        room / "back", "x", [{"judge": "e1", "panel": "novice", "id": "p01", "stars": "3"}]
    )
    refused("'e1' is a novice here and in the plan expert", *files, twin)
    refused("is named twice", files[0], files[0], status=2)
    refused("no expert rated any passage", *(file for file in files if "n1" in file))
    cut = room / "back" / "cut.csv"
    cut.write_text('id,stars\np01,"3', encoding="utf-8")
    refused("cut.csv:2: is not a valid table", str(cut))
    text = (room / "test.jsonl").read_text(encoding="utf-8").replace('"text":"', '"text":"Now ', 1)
    (room / "back" / "other.jsonl").write_text(text, encoding="utf-8")
    refused("is not the one that the plan was made for", *files, test="back/other.jsonl")


def test_a_passage_without_text_cannot_be_planned(runs: Run, room: Path) -> None:
    with (room / "test.jsonl").open("a", encoding="utf-8") as stream:
        stream.write('{"id":"blank","text":""}\n')
    assert (
        "blank: the passage has no text" in runs("plan", "test.jsonl", "-o", "x", status=1).stderr
    )


def test_no_output_takes_the_place_of_the_plan_or_of_a_sheet(runs: Run, room: Path) -> None:
    runs("plan", "test.jsonl", "-o", "plan", "--experts", "2", "--novices", "2")
    files = fill(room)
    before = {path.name: path.read_bytes() for path in (room / "plan").iterdir()}
    for plan in ("plan", "plan/plan.json"):
        for name in ("plan.json", "e1.csv", "n2.html"):
            for option in ("--report", "-o"):
                out = (option, f"plan/{name}")
                result = runs("collect", "test.jsonl", plan, *files, *out, status=2)
                assert f"plan/{name} is what is being read" in result.stderr
    runs("collect", "test.jsonl", "plan", *files, "--report", "plan/report.jsonl")
    assert {name: (room / "plan" / name).read_bytes() for name in before} == before


def test_a_sheet_that_was_filled_in_is_not_written_over(runs: Run, room: Path) -> None:
    again = ("pool", "candidates.jsonl", "--sheet", "vet.csv")
    runs(*again)
    runs(*again)  # nobody has written on it
    with (room / "vet.csv").open(encoding="utf-8-sig", newline="") as stream:
        rows = list(csv.DictReader(stream))
    rows[0]["decision"] = "discard"
    written(room, "vet", rows)
    kept = (room / "vet.csv").read_bytes()
    stderr = runs(*again, status=2).stderr
    assert "vet.csv has been filled in (1 of 12 rows): write another sheet, or" in stderr
    assert (room / "vet.csv").read_bytes() == kept
    stderr = runs("pool", "candidates.jsonl", "--sheet", "test.jsonl", status=2).stderr
    assert "test.jsonl exists and is not a sheet for vetting" in stderr


def test_experts_of_two_panels_are_not_mixed(runs: Run, room: Path) -> None:
    runs("plan", "test.jsonl", "-o", "plan", "--experts", "2", "--novices", "2")
    files = fill(room)
    runs("collect", "test.jsonl", "plan", *files, "-o", "rated.jsonl")
    result = runs("collect", "rated.jsonl", "plan", *files, "-o", "twice.jsonl", status=1)
    assert "rated.jsonl: has ratings already, by e1, e2" in result.stderr
    assert not (room / "twice.jsonl").exists()


def test_commands_for_other_kinds_take_a_rated_test(
    runs: Run, room: Path, readmark_cli: Run
) -> None:
    runs("plan", "test.jsonl", "-o", "plan", "--experts", "2", "--novices", "2")
    runs("collect", "test.jsonl", "plan", *fill(room), "-o", "rated.jsonl")
    result = readmark_cli("stats", "rated.jsonl", cwd=room)
    assert result.returncode == 0
    assert "longest answer" not in result.stdout
    assert result.stdout.count("\npassages") == 1
    result = readmark_cli("set", "agree", "rated.jsonl", "--draws", "0", cwd=room)
    assert result.returncode == 0, result.stderr
    assert "rating (labels, ordinal): 20 units by all" in result.stdout
    split = ("set", "split", "rated.jsonl", "-o", "split.jsonl")
    result = readmark_cli(*split, cwd=room)
    assert result.returncode == 0, result.stderr
    assert "20 passages in 20 articles" in result.stdout
    assert "questions" not in result.stdout
    assert "caption" in result.stdout
    result = readmark_cli("set", "export", "split.jsonl", "-o", "out", "--licence", "MIT", cwd=room)
    assert result.returncode == 0, result.stderr
    assert "questions" not in result.stdout
    card = (room / "out" / "README.md").read_text("utf-8")
    assert "A readability test in English: 20 passages." in card
    assert "| split | passages | ratings each | key |" in card
    assert "Ratings as `{id: rating}`" in card
    assert "made up" not in card
    text = (room / "rated.jsonl").read_text("utf-8")
    text = text.replace('"fields":{', '"fields":{"synthetic":true,"note":"All made up.",', 1)
    (room / "false.jsonl").write_text(text, encoding="utf-8")
    result = readmark_cli("set", "export", "false.jsonl", "-o", "o2", "--licence", "MIT", cwd=room)
    assert result.returncode == 0, result.stderr
    assert "\n**All made up.**\n" in (room / "o2" / "README.md").read_text("utf-8")
