"""``task gold`` and ``task pool`` as they are called."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from task_files import write_task

pytestmark = pytest.mark.slow

Run = Callable[..., Any]


@pytest.fixture
def runs(readmark_cli: Run, tmp_path: Path) -> Run:
    """Runs ``task`` where a task lies; without ``status`` it must be fine."""
    write_task(tmp_path / "league")

    def run(*args: str, status: int = 0) -> Any:
        group = () if args[:1] == ("check",) else ("task",)
        done = readmark_cli(*group, *args, cwd=tmp_path)
        assert "Traceback" not in done.stderr
        assert done.returncode == status, done.stderr
        return done

    return run


def test_gold_grows_by_what_was_judged(runs: Run, tmp_path: Path) -> None:
    done = runs("gold", "league", "--split", "train", "-o", "league/answers.train.jsonl")
    assert done.stderr == "readmark: league/answers.train.jsonl: 1 explicit, 1 inferred\n"
    runs("pack", "league", "-o", "packed")

    answers = {
        "otters:periods": [{"G": "Game-1", "N": 5}],
        "otters:winner": [{"G": "Game-1", "T": "Herons"}, {"G": "Game-1", "T": "Otters"}],
    }
    (tmp_path / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    done = runs("pool", "packed", "answers.json", "-o", "pool.jsonl")
    assert done.stderr == "readmark: pool.jsonl: 1 answer to judge\n"
    other = runs("pool", "packed", "answers.json", "--split", "test", "-o", "other.jsonl")
    assert other.stderr == "readmark: other.jsonl: 0 answers to judge\n"
    [row] = map(json.loads, (tmp_path / "pool.jsonl").read_text().splitlines())
    assert row["values"] == {"G": "Game-1", "T": "Herons"}
    assert (row["question"], row["candidates"]) == ("Who won?", ["answers"])
    assert (row["verdict"], row["by"], row["why"]) == ("", "", "")

    row |= {"verdict": "wrong", "by": "eva", "why": "they lost"}
    (tmp_path / "judged.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    said = runs(
        "gold",
        "league",
        "--split",
        "train",
        "-o",
        "grown.jsonl",
        "--adjudicated",
        "judged.jsonl",
        "--json",
    )
    assert json.loads(said.stdout) == {
        "output": "grown.jsonl",
        "explicit": 1,
        "inferred": 1,
        "rejected": 1,
        "out_of_bounds": 0,
        "adjudicated": 1,
        "unjudged": 0,
        "contradicted": [],
        "united": [],
        "disputed": 0,
        "version": 1,
        "recorded": 1,
        "dropped": [],
    }
    (tmp_path / "league/answers.train.jsonl").write_bytes((tmp_path / "grown.jsonl").read_bytes())
    runs("pack", "league", "-o", "again")
    assert json.loads(runs("pool", "again", "answers.json", "-o", "p", "--json").stdout) == {
        "output": "p",
        "answers": 0,
    }


def test_an_annotator_is_marked_as_people_are(runs: Run, tmp_path: Path, readmark_cli: Run) -> None:
    runs("pack", "league", "-o", "packed")
    done = runs("gold", "packed", "--annotator", "ida", "--as-sitting", "-o", "ida.jsonl")
    assert done.stderr == "readmark: ida.jsonl: ida answered 2 units\n"
    header, *rows = map(json.loads, (tmp_path / "ida.jsonl").read_text().splitlines())
    assert (header["candidate"], header["kind"]) == ("ida", "task")
    assert header["covers"] == [row["id"] for row in rows] == ["otters:periods", "otters:winner"]
    assert rows[1]["bindings"][0]["values"] == {"G": "Game-1", "T": "Otters"}
    marked = readmark_cli("mark", "packed", "ida.jsonl", "--json", cwd=tmp_path)
    marks = json.loads(marked.stdout)["marks"]
    assert (marks["facts"]["score"], marks["inferences"]["score"]) == (100.0, 100.0)
    answers = {"otters:winner": [{"G": "Game-1", "T": "Otters"}], "otters:periods": []}
    (tmp_path / "machine.json").write_text(json.dumps(answers), encoding="utf-8")
    args = ("mark", "packed", "machine.json", "--people", "ida.jsonl", "--json")
    beside = json.loads(readmark_cli(*args, cwd=tmp_path).stdout)["people"]["marks"]
    assert beside["facts"]["ratio"] == 1.0
    assert beside["inferences"]["ratio"] == 0.0


def test_a_document_that_contradicts_is_named(runs: Run, tmp_path: Path) -> None:
    graph = tmp_path / "league/annotations/otters.graph"
    graph.write_text("((Game-1 numberOfPeriods 4))", encoding="utf-8")
    done = runs("gold", "league", "-o", "gold.jsonl")
    assert done.stderr.splitlines() == [
        "readmark: gold.jsonl: 0 explicit, 0 inferred",
        "readmark: otters: no answers, it contradicts the theory (see readmark check)",
    ]


@pytest.mark.parametrize(
    ("args", "status", "words"),
    [
        (("gold", "nowhere", "-o", "g"), 1, "no such file"),
        (("gold", "league", "-o", "g", "--adjudicated", "nowhere"), 1, "no such file"),
        (("gold", "league", "-o", "g", "--as-sitting"), 2, "--as-sitting takes a packed task"),
        (("gold", "league", "-o", "g", "--as-sitting", "--annotator", "x"), 1, "league"),
        (("gold", "league", "-o", "g", "--split", "nope"), 1, "there are test, train"),
        (("gold", "league", "-o", "g", "--annotator", "eva"), 1, "there are ida"),
        (("gold", "league", "-o", "g", "--annotator", "ida", "--union"), 2, "--union goes with"),
        (("pool", "league", "x.json", "-o", "p"), 1, "x.json: no such file"),
        (("pool", "league", "-o", "p"), 2, "Missing argument"),
    ],
)
def test_bad_usage_is_one_line(
    args: tuple[str, ...], status: int, words: str, runs: Run, tmp_path: Path
) -> None:
    [line] = runs(*args, status=status).stderr.splitlines()
    assert words in line
    assert sorted(one.name for one in tmp_path.iterdir()) == ["league"]


def judged(tmp_path: Path, name: str, **verdicts: str) -> str:
    """A filled pool: teams of the query about winners, each with a verdict."""
    rows = [
        {
            "document": "otters",
            "query": "winner",
            "values": {"G": "Game-1", "T": team},
            "verdict": verdict,
            "by": "eva",
            "why": "read again",
            "candidates": ["system"],
        }
        for team, verdict in verdicts.items()
    ]
    (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return name


@pytest.mark.parametrize("packed", [None, "packed", "packed.zip"])
def test_judgements_accumulate_as_versions(packed: str | None, runs: Run, tmp_path: Path) -> None:
    task = packed or "league"
    if packed is not None:
        runs("pack", "league", "-o", packed)
    gold = ("gold", task, "--split", "train", "-o")
    runs(*gold, "one.jsonl", "--adjudicated", judged(tmp_path, "first.jsonl", Herons="wrong"))
    second = judged(tmp_path, "second.jsonl", Herons="wrong", Gulls="out_of_bounds")
    done = runs(*gold, "two.jsonl", "--adjudicated", second)
    assert done.stderr.splitlines() == [
        "readmark: two.jsonl: 1 explicit, 1 inferred, 1 judged wrong, 1 out of bounds",
        "readmark: two.jsonl: gold 2, with 1 new judgement in history.jsonl",
    ]
    # Without pools, every judgement so far counts, and nothing new is recorded.
    runs(*gold, "three.jsonl")
    runs(*gold, "old.jsonl", "--gold", "1")
    texts = {
        name: (tmp_path / f"{name}.jsonl").read_text() for name in ("one", "two", "three", "old")
    }
    assert texts["three"] == texts["two"]
    assert texts["old"] == texts["one"] != texts["two"]
    versions = json.loads(runs("gold", task, "--history", "--json").stdout)["versions"]
    found = [
        [(row["values"]["T"], row["verdict"], row["by"], row["pool"]) for row in one["judgements"]]
        for one in versions
    ]
    assert found == [
        [("Herons", "wrong", "eva", "first.jsonl")],
        [("Gulls", "out_of_bounds", "eva", "second.jsonl")],
    ]
    assert "1 by eva, second.jsonl" in runs("gold", task, "--history").stdout
    if packed is None:
        runs(*gold, "league/answers.train.jsonl")
        runs("pack", "league", "-o", "again")
        runs("check", "again")
        runs("pack", "league", "-o", "earlier.zip", "--gold", "1")
        [first] = json.loads(runs("gold", "earlier.zip", "--history", "--json").stdout)["versions"]
        assert first["version"] == 1
    else:
        runs("check", task, status=1)  # its answers were packed before anything was judged


def test_another_verdict_needs_to_be_a_revision(runs: Run, tmp_path: Path) -> None:
    gold = ("gold", "league", "--split", "train", "-o")
    runs(*gold, "one.jsonl", "--adjudicated", judged(tmp_path, "first.jsonl", Herons="wrong"))
    again = judged(tmp_path, "again.jsonl", Herons="right")
    done = runs(*gold, "two.jsonl", "--adjudicated", again, status=1)
    assert done.stderr == (
        "readmark: again.jsonl: otters:winner: ?G = Game-1, ?T = Herons was judged wrong by eva "
        "(first.jsonl), and is now judged right by eva; --revise replaces the earlier verdict\n"
    )
    assert not (tmp_path / "two.jsonl").exists()
    runs(*gold, "two.jsonl", "--adjudicated", again, "--revise")
    rows = [json.loads(line) for line in (tmp_path / "two.jsonl").read_text().splitlines()]
    assert [row["verdict"] for row in rows if row["values"].get("T") == "Herons"] == ["right"]


@pytest.mark.parametrize(
    ("file", "before", "after", "line", "message"),
    [
        (
            "rules.dsrs",
            "numberOfPeriods 5",
            "numberOfPeriods 6",
            1,
            "document otters, query periods: the gold has ?G = Game-1, ?N = 5, which neither the "
            "annotation with the rules nor a judgement gives; make the gold again",
        ),
        (
            "answers.train.jsonl",
            '"Otters"}',
            '"Herons"}',
            2,
            "document otters, query winner: the gold has ?G = Game-1, ?T = Herons, which neither "
            "the annotation with the rules nor a judgement gives",
        ),
        (
            "answers.train.jsonl",
            '"inferred": true',
            '"inferred": false',
            1,
            "document otters, query periods: the gold calls ?G = Game-1, ?N = 5 explicit, but it "
            "is inferred",
        ),
        ("rules.dsrs", None, None, 1, "document otters, query periods: the gold has"),
    ],
)
def test_check_makes_the_gold_anew(
    file: str,
    before: str | None,
    after: str | None,
    line: int,
    message: str,
    runs: Run,
    tmp_path: Path,
) -> None:
    path = tmp_path / "league" / file
    if before is None or after is None:
        path.unlink()
    else:
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")
    done = runs("pack", "league", "-o", "packed", status=1)
    expected = f"league/answers.train.jsonl:{line}: stale_gold: {message}"
    assert expected in done.stdout, done.stdout


def test_a_judged_answer_is_not_asked_again_under_another_mention(
    runs: Run, tmp_path: Path
) -> None:
    """The annotation calls the losers “the Herons” and “Herons”: one verdict is for both."""
    (tmp_path / "league/annotations/train/herons.statements").write_text(
        'document: otters\nannotator: ida\n"the Herons" -> (Herons="the Herons" type Team)\n'
        '"Herons" -> (Herons="Herons" type Team)\n',
        encoding="utf-8",
    )

    def answered(name: str, words: str) -> str:
        mentions = {name: [words]}
        binding = {"values": {"G": "Game-1", "T": name}, "mentions": mentions}
        (tmp_path / f"{name}.json").write_text(json.dumps({"otters:winner": [binding]}))
        return f"{name}.json"

    first, second = answered("Losers", "the Herons"), answered("Others", "Herons")
    for file, asked in ((first, 1), (second, 1)):
        done = runs("pool", "league", file, "-o", "pool.jsonl", "--json")
        assert json.loads(done.stdout)["answers"] == asked
    runs("pool", "league", first, "-o", "pool.jsonl")
    [row] = map(json.loads, (tmp_path / "pool.jsonl").read_text().splitlines())
    row |= {"verdict": "wrong", "by": "eva", "why": "they lost"}
    (tmp_path / "judged.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    gold = ("gold", "league", "--split", "train", "-o", "league/answers.train.jsonl")
    runs(*gold, "--adjudicated", "judged.jsonl")
    for file in (first, second):
        done = runs("pool", "league", file, "-o", "pool.jsonl", "--json")
        assert json.loads(done.stdout)["answers"] == 0
