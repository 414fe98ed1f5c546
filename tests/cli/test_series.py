"""``readmark series`` through the real command line."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.cells import cell_len

pytestmark = pytest.mark.slow

Run = Callable[..., subprocess.CompletedProcess[str]]

SERIES = {
    "quill": ("Marta Quill", [("When was she born?", "When was Marta Quill born?"),
                              ("Who founded the Quill Press?", "Who founded the Quill Press?")]),
    "ferry": ("Lindow ferry", [("How long is it?", "How long is the Lindow ferry?"),
                               ("Who steers it?", "Who steers the Lindow ferry?")]),
    "mill": ("Orrin mill", [("Who built it?", "Who built the Orrin mill?"),
                            ("When did it burn down?", "When did the Orrin mill burn down?")]),
    "harp": ("Dunmore harp", [("Who carved it?", "Who carved the Dunmore harp?"),
                              ("Where is it kept?", "Where is the Dunmore harp kept?")]),
}  # fmt: skip


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    lines: list[dict[str, object]] = [
        {"readmark": 1, "file": "test", "kind": "series", "name": "made", "language": "en"}
    ]
    for id, (target, asked) in SERIES.items():
        questions = [
            {"id": f"{id}-{at}", "text": text, "key": {"rewrites": [{"text": gold}]}}
            for at, (text, gold) in enumerate(asked, 1)
        ]
        lines.append({"id": id, "target": target, "questions": questions})
    text = "\n".join(map(json.dumps, lines)) + "\n"
    (tmp_path / "s.jsonl").write_text(text, encoding="utf-8")
    for name in ("good", "bad"):
        said = {
            f"{id}-{at}": gold if name == "good" or at == 2 else text
            for id, (_, asked) in SERIES.items()
            for at, (text, gold) in enumerate(asked, 1)
        }
        (tmp_path / f"{name}.json").write_text(json.dumps(said), encoding="utf-8")
    return tmp_path


@pytest.fixture
def run(readmark_cli: Run, desk: Path) -> Run:
    """A verb of series in that folder, with the status it must have."""

    def call(*args: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = readmark_cli("series", *args, cwd=desk)
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == status, done.stderr
        if "--json" not in args:  # a signature is one line, however long
            assert all(cell_len(line) <= 80 or "|" in line for line in done.stdout.splitlines())
        return done

    return call


@pytest.mark.parametrize(
    ("verb", "now"),
    [("rewrite", "readmark sit SERIES -r REWRITER"), ("mark", "readmark mark SERIES SITTING")],
)
def test_rewriting_and_marking_are_sit_and_mark(run: Run, verb: str, now: str) -> None:
    told = run(verb, "s.jsonl", "-o", "a.jsonl", status=2).stderr
    assert told == f"readmark: readmark series {verb} is gone: use {now}\n"


def test_a_rewriter_sits_and_is_marked(desk: Path, readmark_cli: Run) -> None:
    readmark_cli("sit", "s.jsonl", "-r", "append", "-o", "a.jsonl", cwd=desk)
    rows = [json.loads(line) for line in (desk / "a.jsonl").read_text("utf-8").splitlines()[1:]]
    assert rows[0]["rewrite"] == "When was she born? Marta Quill"
    marked = readmark_cli("mark", "s.jsonl", "a.jsonl", "-m", "exact", "--json", cwd=desk).stdout
    told = json.loads(marked)
    assert (told["units"], told["marks"]["exact"]["score"]) == (8, 0.0)  # each has the target added


def test_the_tables(run: Run) -> None:
    shown = run("table", "s.jsonl", "-w", "keyed(file=good.json)").stdout
    assert shown.startswith("rewriting of made: 8 questions\nevery metric, words alone\n")
    assert "weights U:2, B:1, T:0" in shown
    told = json.loads(run("table", "s.jsonl", "-s", "bad.json", "--json").stdout)
    assert (told["strategies"], told["rewriters"]) == (["none", "append", "bad", "gold"], ["bad"])
    for table in told["tables"]:
        for line in table["lines"]:
            assert line["gap"] == line["marks"]["append"] - line["marks"]["none"]
            assert line["gains"]["bad"] == line["marks"]["bad"] - line["marks"]["append"]
    one = run("table", "s.jsonl", "-m", "jaccard", "-m", "exact").stdout
    assert [line.split()[0] for line in one.splitlines()[4:6]] == ["jaccard", "exact"]
    assert "signature" in one


def test_printed_gaps_are_those_of_the_printed_columns(run: Run) -> None:
    shown = run("table", "s.jsonl", "-s", "bad.json").stdout
    heads: list[str] = []
    words: dict[str, float] = {}
    seen = 0
    for line in shown.splitlines():
        cells = line.split()
        if cells[:1] == ["metric"]:
            heads = line.replace(" - ", "-").split()
        elif heads and cells and cells[0] in ("dice", "cosine", "jaccard", "block"):
            row = dict(zip(heads[1:], cells[1:], strict=False))
            if "gap" in row:
                gap = float(row["append"]) - float(row["none"])
                assert float(row["gap"]) == pytest.approx(gap, abs=1e-9)
                words.setdefault(cells[0], gap)
                seen += 1
            if "change" in row:
                assert float(row["change"]) == pytest.approx(gap - words[cells[0]], abs=1e-9)
            if "bad-append" in row and "append" in row:
                gain = float(row["bad"]) - float(row["append"])
                assert float(row["bad-append"]) == pytest.approx(gain, abs=1e-9)
    assert seen == 20


def test_the_variants_are_told_apart(run: Run) -> None:
    shown = run("table", "s.jsonl", "--variant", "simmetrics").stdout
    assert "weights U:2, B:1, T:0, simmetrics\n" in shown
    assert "  jaro(variant=simmetrics) " in shown
    assert "signature " in run("table", "s.jsonl").stdout


def test_no_blank_ends_a_line_of_the_distribution(run: Run) -> None:
    shown = run("worst", "s.jsonl", "bad.json", "--show", "0").stdout
    bars = [line for line in shown.splitlines() if line.startswith("[")]
    assert bars
    assert all(line == line.rstrip() for line in bars)
    assert "signature " in shown


def test_errors_end_worst_and_tune_in_exit_1(run: Run, desk: Path) -> None:
    header = {"readmark": 1, "file": "sitting", "kind": "series", "candidate": "torn"}
    rows = [header, {"id": "quill-1", "error": "Gone: no more"}]
    (desk / "torn.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    done = run("worst", "s.jsonl", "torn.jsonl", "--json", status=1)
    assert json.loads(done.stdout)["errors"] == ["quill-1"]
    assert "torn: error rows, counted as wrong: 1 (quill-1); resume the sitting" in done.stderr
    assert "--errors-as-wrong" not in done.stderr
    done = run("tune", "s.jsonl", "torn.jsonl", "good.json", "--json", status=1)
    assert json.loads(done.stdout)["errors"] == {"torn": ["quill-1"]}
    assert "torn: unanswered, counted as wrong: 7" in done.stderr


def test_no_weights_end_in_exit_1(run: Run) -> None:
    shown = run("tune", "s.jsonl", "--order-cost", "0.9", status=1).stdout
    assert "no weighting meets the requirements" in shown


def test_a_rewriter_that_fails_ends_in_exit_1(run: Run, desk: Path) -> None:
    header = {"readmark": 1, "file": "sitting", "kind": "series", "candidate": "torn"}
    rows = [header, {"id": "quill-1", "error": "Gone: no more"}]
    (desk / "torn.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n", encoding="utf-8")
    done = run("table", "s.jsonl", "-s", "torn.jsonl", "-m", "exact", "--json", status=1)
    assert json.loads(done.stdout)["failed"] == {"torn": ["quill-1"]}
    assert "readmark: torn: " in done.stderr


def test_what_got_worse_ends_in_exit_1(run: Run, desk: Path) -> None:
    run("worst", "s.jsonl", "good.json", "--baseline", "bad.json")
    done = run("worst", "s.jsonl", "bad.json", "--baseline", "good.json", "--json", status=1)
    told = json.loads(done.stdout)
    worse = [one["id"] for one in told["baseline"]["worse"]]
    assert sorted(worse) == ["ferry-1", "harp-1", "mill-1", "quill-1"]
    assert told["failures"]["missing target"]["questions"] == 4
    assert told["failures"]["perfect"] == {"questions": 4, "mean": 1.0}
    assert sum(told["distribution"]["counts"]) == 8
    shown = run("worst", "s.jsonl", "bad.json", "--show", "1").stdout
    assert "the worst 1 of 4\nmissing target: 1\n" in shown
    assert shown.count("  gold ") == 1
    assert "When was Marta" in run("worst", "s.jsonl", "bad.json").stdout


@pytest.mark.parametrize("name", ["plot.svg", "plot.png"])
def test_the_distribution_is_drawn(run: Run, desk: Path, name: str) -> None:
    run("worst", "s.jsonl", "good.json", "--plot", name, "--baseline", "bad.json")
    data = (desk / name).read_bytes()
    assert b"jaccard, 8 questions" in data if name.endswith("svg") else data[1:4] == b"PNG"


def test_weights_are_searched_and_fitted(run: Run, desk: Path) -> None:
    told = json.loads(run("tune", "s.jsonl", "--order-cost", "0.02", "--json").stdout)
    assert (told["low"], told["high"], told["tried"]) == ("none", "append", 175)
    assert all(one["meets"] for one in told["found"])
    assert len(told["halves"]["train"]) == len(told["halves"]["held"]) == 2
    assert (
        "train: 2 series, 4 questions: " in run("tune", "s.jsonl", "bad.json", "good.json").stdout
    )
    rows = "".join(
        f"{id}-{at},{5 if at == 2 else 1 + len(id) % 2}\n" for id in SERIES for at in (1, 2)
    )
    (desk / "j.csv").write_text(f"id,score\n{rows}", encoding="utf-8")
    fit = ("tune", "s.jsonl", "bad.json", "--judgements", "j.csv")
    fitted = json.loads(run(*fit, "--json").stdout)
    assert fitted["held"]["pearson"] > 0.9
    assert sum(fitted["regression"]["weights"]) == pytest.approx(1, abs=1e-4)
    assert "judgement = " in run(*fit).stdout


@pytest.mark.parametrize(
    ("args", "status", "line"),
    [
        (["tabel", "s.jsonl"], 2, "did you mean table?"),
        (["table", "s.jsonl", "-w", "nobody"], 2, "unknown candidate 'nobody'"),
        (["table", "s.jsonl", "-m", "f1"], 2, "metric f1 marks comprehension tests"),
        (["worst", "s.jsonl", "bad.json", "--show", "-1"], 2, "--show -1 is negative"),
        (["worst", "s.jsonl", "bad.json", "--plot", "p.txt"], 2, "ending in .svg or .png or .pdf"),
        (["worst", "s.jsonl", "gone.json"], 1, "gone.json"),
        (["tune", "s.jsonl", "bad.json"], 2, "the worse first; found 1"),
        (["tune", "s.jsonl", "--most", "0"], 2, "expected 1 or more"),
        (["tune", "s.jsonl", "--most", "2", "--real"], 2, "--most is for whole weights"),
        (
            [
                "tune",
                "s.jsonl",
                "bad.json",
                "--judgements",
                "j.csv",
                "--real",
                "--order-cost",
                "0.3",
            ],
            2,
            "--real, --order-cost cannot be combined with",
        ),
        (["table", "s.jsonl", "--variant", "simmetrics", "-m", "jaro"], 2, "jaro(variant="),
        (["tune", "s.jsonl", "bad.json", "--judgements", "gone.csv"], 1, "gone.csv"),
    ],
)
def test_bad_usage_is_one_line(run: Run, args: list[str], status: int, line: str) -> None:
    done = run(*args, status=status)
    [told] = done.stderr.splitlines()
    assert line in told
    assert done.stdout == ""
