"""`readmark run`: a run file becomes sittings, marksheets, one table and one page."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import readmark
from llm_endpoint import Body, Endpoint, Misdeed, Says
from llm_papers import says
from readmark.cli.main import run as command
from readmark.cli.run.folder import LOCK
from readmark.cli.run.plans import plan_run
from readmark.core.configuration_sections import described_keys
from readmark.core.writing import lock
from readmark.formats.registry import open_sitting

QUESTIONS = {
    "en": ("Ann rows a boat.", "Who rows?", "Ann"),
    "zh": ("安妮划船。", "谁划船？", "安妮"),
}


def write_test(path: Path, language: str, units: int = 3) -> None:
    text, question, answer = QUESTIONS[language]
    lines: list[dict[str, Any]] = [{"readmark": 1, "kind": "comprehension", "language": language}]
    for number in range(units):
        key = {"answers": [{"text": answer}], "level": 1 + number % 2}
        asked = {"id": f"{language}{number}", "text": question, "key": key}
        lines.append({"id": f"p{number}", "text": f"{text} {number}", "questions": [asked]})
    path.write_text("\n".join(json.dumps(line, ensure_ascii=False) for line in lines), "utf-8")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a run file of two languages and two readers."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OPENAI_API_KEY", "x" * 20)
    monkeypatch.setattr("readmark.llm.traffic.FIRST_WAIT", 0.001)
    for language in QUESTIONS:
        write_test(tmp_path / f"{language}.jsonl", language)
    write_run(tmp_path)
    return tmp_path


def write_run(folder: Path, *lines: str, candidates: str = '["lead", "longest_overlap"]') -> Path:
    path = folder / "readmark.toml"
    text = ["[run]", 'tests = ["en.jsonl", "zh.jsonl"]', f"candidates = {candidates}"]
    path.write_text("\n".join([*text, "draws = 20", "trials = 50", *lines, ""]), "utf-8")
    return path


def test_two_languages_become_one_table_and_one_page(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command(["run"]) == 0
    shown = capsys.readouterr().out
    assert "en" in shown
    assert "zh" in shown
    done = readmark.run(folder / "readmark.toml")
    [standings] = done.tables.values()
    assert list(standings.splits) == ["en", "zh"]
    assert {row.name for row in standings.rows if row.method is None} == {
        "lead",
        "longest_overlap",
    }
    names = {path.name for path in (folder / "out").iterdir()}
    assert {"en.lead.sitting.jsonl", "zh.longest_overlap.marks.jsonl", "report.html"} <= names
    assert {"table.txt", "table.md", "table.csv", "run.json"} <= names
    assert "lead" in (folder / "out" / "table.csv").read_text("utf-8")
    assert (folder / "out" / "report.html").read_text("utf-8").startswith("<!doctype html>")
    assert len(done.tests[0].comparisons or ()) >= 1
    document = json.loads(json.dumps(done.as_json()))
    assert [test["name"] for test in document["tests"]] == ["en", "zh"]
    assert document["failures"] == []


def test_nothing_is_asked_twice_and_a_new_candidate_alone_is_asked(folder: Path) -> None:
    with Endpoint(lambda body: says("Ann")) as endpoint:
        section = f'[models.m]\nbase_url = "{endpoint.url}"\ncache = ""'
        write_run(folder, section, candidates='["m"]')
        readmark.run()
        assert len(endpoint.asked) == 6
        before = (folder / "out" / "en.m.sitting.jsonl").read_bytes()
        write_run(folder, section, candidates='["m", "lead"]')
        done = readmark.run()
        assert len(endpoint.asked) == 6
    assert (folder / "out" / "en.m.sitting.jsonl").read_bytes() == before
    assert "out: run.candidates has changed since the last run" in done.notes
    assert [one.pairing.candidate for one in done.tests[0].marked] == ["m", "lead"]


def test_a_run_that_was_killed_is_finished_by_the_next(folder: Path) -> None:
    """Killed when the first three of six answers are in the journals."""
    done = 0

    def slow(body: Body) -> Any:
        nonlocal done
        done += 1
        return says("Ann") if done <= 3 else Misdeed(200, b"{}", wait=60)

    command_line = [sys.executable, "-m", "readmark", "run"]
    with Endpoint(slow) as endpoint:
        lines = f'[models.m]\nbase_url = "{endpoint.url}"\ncache = ""\nparallel = 1'
        write_run(folder, lines, candidates='["m"]')
        with subprocess.Popen(command_line, cwd=folder, stderr=subprocess.DEVNULL) as process:
            while len(endpoint.asked) < 4:
                assert process.poll() is None
                time.sleep(0.02)
            process.send_signal(signal.SIGKILL)
        answered = sum(
            line.count('"text"')
            for path in (folder / "out").glob("*.sitting.jsonl")
            for line in path.read_text("utf-8").splitlines()[1:]
        )
        assert answered == 3
    with Endpoint(lambda body: says("Ann")) as second:
        # The address is in the signature, so the second endpoint answers in place of the first.
        lines = lines.replace(endpoint.url, second.url)
        write_run(folder, lines, candidates='["m"]')
        for path in (folder / "out").glob("*.sitting.jsonl"):
            text = path.read_text("utf-8").replace(endpoint.url, second.url)
            path.write_text(text, "utf-8")
        finished = readmark.run()
        assert len(second.asked) == 3
    assert finished.failures == []
    assert all(
        candidate.marks is not None for test in finished.tests for candidate in test.candidates
    )


def test_a_plan_writes_nothing_and_knows_the_cost(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = '[models.m]\nbase_url = "http://127.0.0.1:9/v1"\nprice = { input = 10, output = 1000 }'
    write_run(folder, lines, candidates='["m", "lead"]')
    assert command(["run", "--plan"]) == 0
    shown = capsys.readouterr().out
    assert "nothing was asked" in shown
    assert not (folder / "out").exists()
    planned = plan_run()
    left = {(one.test, one.candidate): one.plan.left for one in planned.candidates if one.plan}
    assert left == {("en", "m"): 3, ("en", "lead"): 3, ("zh", "m"): 3, ("zh", "lead"): 3}
    [(currency, (about, most))] = planned.costs.items()
    assert currency == "USD"
    # 60 tokens a reply by rule of thumb, 1,024 at most
    assert 6 * 60 * 1000 / 1e6 < about < 6 * 60 * 1000 / 1e6 + 0.05
    assert most > 6 * 1024 * 1000 / 1e6


def test_limits_are_of_the_whole_run(folder: Path) -> None:
    """Two models share 2,600 tokens: a reply takes 1,010, and the next may take about as much."""

    def spending(body: Body) -> Says:
        return Says(says("Ann"), usage={"prompt_tokens": 1000, "completion_tokens": 10})

    with Endpoint(spending) as endpoint:
        models = "".join(
            f'[models.{name}]\nbase_url = "{endpoint.url}"\nparallel = 1\nmax_tokens = 10\n'
            for name in ("m", "n")
        )
        write_run(folder, models + "[limits]\ntokens = 2600", candidates='["m", "n"]')
        done = readmark.run()
        assert len(endpoint.asked) <= 2
    assert done.failures
    assert command(["run"]) == 1


def test_what_fails_stops_nobody_else(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = '[models.away]\nbase_url = "http://127.0.0.1:9/v1"\nattempts = 1'
    write_run(folder, lines, candidates='["away", "lead", "longest_overlap"]')
    assert command(["run"]) == 1
    shown = capsys.readouterr().out
    assert "en: away: http://127.0.0.1:9/v1 does not answer" in shown
    assert "longest_overlap" in (folder / "out" / "table.txt").read_text("utf-8")


def test_two_runs_of_one_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "out").mkdir()
    with (folder / "out" / LOCK).open("ab") as stream:
        assert lock(stream.fileno())
        assert command(["run"]) == 1
    assert (
        "out: another run is writing here; wait for it, or change run.out"
        in capsys.readouterr().err
    )
    assert command(["run"]) == 0
    (folder / "readmark.toml").rename(folder / "other.toml")
    assert command(["run", "other.toml"]) == 1
    error = capsys.readouterr().err
    assert "belongs to the run of readmark.toml; change run.out" in error


def test_people_metrics_and_fields_go_where_they_fit(folder: Path) -> None:
    rows = "".join(json.dumps({"id": f"en{at}", "text": "Ann"}) + "\n" for at in range(3))
    paper = open_sitting(_sat(folder), readmark.load("en.jsonl").kind).header
    header = {"readmark": 1, "paper": paper.paper, "candidate": "ann"}
    (folder / "ann.jsonl").write_text(json.dumps(header) + "\n" + rows, "utf-8")
    write_run(folder, 'people = "ann.jsonl"', 'by = "level"', 'metrics = ["em"]')
    done = readmark.run()
    english, chinese = done.tests
    assert english.marked[0].marks is not None
    assert chinese.marked[0].marks is not None
    assert english.marked[0].marks.people is not None
    assert list(english.marked[0].marks.by["level"]) == ["1", "2"]
    assert list(chinese.marked[0].marks.marks) == ["em"]


def test_metrics_that_are_named_are_the_columns_and_the_first_decides(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(folder, 'metrics = ["precision", "f1"]')
    done = readmark.run()
    [standings] = done.tables.values()
    assert [metric.name for metric in standings.columns.metrics] == ["precision", "f1"]
    assert command(["run"]) == 0
    verdicts = [line for line in capsys.readouterr().out.splitlines() if "difference from" in line]
    assert len(verdicts) == 2
    assert all(line.startswith("  longest_overlap, precision: ") for line in verdicts)


def test_the_page_has_computed_slices_unless_fields_are_named(folder: Path) -> None:
    """As a page of `readmark report TEST SITTING` has."""
    bundled = Path(readmark.__file__).parent / "bundle" / "reading.en.jsonl"
    (folder / "en.jsonl").write_bytes(bundled.read_bytes())
    write_run(folder, candidates='"lead"')
    done = readmark.run(folder / "readmark.toml")
    assert done.report is not None
    page = done.report.read_text("utf-8")
    for field in ("answer length", "question length", "word overlap"):
        assert f"By {field}" in page
    english, chinese = (test.marked[0].marks for test in done.tests)
    assert english is not None
    assert chinese is not None
    assert {"level", "type", "answer_length", "overlap"} <= english.by.keys()
    assert "answer_length" in chinese.by  # whose slices are too small for the page
    write_run(folder, 'by = "level"', candidates='"lead"')
    again = readmark.run(folder / "readmark.toml")
    assert "By answer length" not in (folder / "out" / "report.html").read_text("utf-8")
    assert again.tests[0].marked[0].marks is not None
    assert list(again.tests[0].marked[0].marks.by) == ["level"]


def test_a_run_file_is_named_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["--config", "readmark.toml", "run", "readmark.toml", "--plan"]) == 2
    assert "name the run file once: as FILE or with --config" in capsys.readouterr().err
    assert command(["--config", "readmark.toml", "run", "--plan"]) == 0


def test_keys_of_settings_are_named_once(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command(["--set", "run.candidates=leed", "run"]) == 2
    assert capsys.readouterr().err == (
        "readmark: --set run.candidates: unknown candidate 'leed'; did you mean lead?\n"
    )


def _sat(folder: Path) -> Path:
    readmark.sit("en.jsonl", "lead", folder / "sat.jsonl")
    return folder / "sat.jsonl"


@pytest.mark.parametrize(
    ("text", "status", "message"),
    [
        ("", 2, "readmark.toml has no section [run]"),
        ("[run]\n", 2, "readmark.toml: run.tests: is empty, so there is nothing to run"),
        ("[run]\ntests = 'en.jsonl'\n", 2,
         "readmark.toml: run.candidates: is empty, so there is nothing to run"),
        ("[run]\ntests = ['en.jsonl', 'en.jsonl']\ncandidates = 'lead'\n", 2,
         "readmark.toml:2: run.tests: en.jsonl is listed twice"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = ['lead', 'lead']\n", 2,
         "readmark.toml:3: run.candidates: lead is listed twice"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = ['leed']\n", 2,
         "readmark.toml:3: run.candidates: unknown candidate 'leed'; did you mean lead?"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = ['append']\n", 2,
         "readmark.toml:3: run.candidates: none of these candidates can sit en.jsonl, a "
         "comprehension test"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = ['lead', 'append']\n", 2,
         "readmark.toml:3: run.candidates: append cannot sit any of the tests"),
        ("[run]\ntests = 'none.jsonl'\ncandidates = 'lead'\n", 1,
         "readmark.toml:2: run.tests: none.jsonl: no such file"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = 'lead'\nmetrics = 'jaccard'\n", 2,
         "readmark.toml:4: run.metrics: jaccard cannot mark any of the tests"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = 'lead'\nmetrics = 'emm'\n", 2,
         "readmark.toml:4: run.metrics: unknown metric 'emm'; did you mean em?"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = 'lead'\nby = 'colour'\n", 2,
         "readmark.toml:4: run.by: en.jsonl has no field 'colour'"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = 'lead'\npeople = 'zh.jsonl'\n", 1, "zh.jsonl"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = 'lead'\nsplits = { zh = 'dev' }\n", 2,
         "readmark.toml:4: run.splits: no test is called zh"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = 'lead'\nsplit = 'dve'\n", 2,
         "readmark.toml:4: run.split: en.jsonl has no split 'dve'"),
        ("[run]\ntests = 'zh.jsonl'\ncandidates = 'lead'\n[run.splits]\nzh = 'dve'\n", 2,
         "readmark.toml:5: run.splits.zh: zh.jsonl has no split 'dve'"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = ['random(seed=1)', 'random( seed = 1 )']\n", 2,
         "readmark.toml:3: run.candidates: random( seed = 1 ) is listed twice"),
        ("[run]\ntests = 'en.jsonl'\ncandidates = 'lead'\npeople = 'ann.jsonl'\n", 1,
         "readmark.toml:4: run.people: ann.jsonl: no such file"),
        ("[run]\nseed = -1\n", 1, "readmark.toml:2: run.seed: -1 is not a whole number from 0"),
        ("[run]\nrepeats = 1001\n", 1,
         "readmark.toml:2: run.repeats: 1001 is not a whole number from 1 to 1,000"),
        ("[run]\ntets = 'en.jsonl'\n", 1,
         "readmark.toml:2: run.tets: unknown key; did you mean tests?"),
        ("[run]\nrepeats = 'two'\n", 1,
         'readmark.toml:2: run.repeats: "two" is not a whole number from 1 to 1,000'),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(
    folder: Path, capsys: pytest.CaptureFixture[str], text: str, status: int, message: str
) -> None:
    (folder / "readmark.toml").write_text(text, "utf-8")
    for words in (["run"], ["run", "--plan"]):
        assert command(words) == status
        error = capsys.readouterr().err
        assert message in error
        assert error.count("\n") == 1
    assert not (folder / "out").exists()


def test_a_folder_that_cannot_be_written_is_said_with_its_line(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(folder, 'out = "en.jsonl"')
    assert command(["run"]) == 1
    error = capsys.readouterr().err
    assert error == "readmark: readmark.toml:6: run.out: en.jsonl cannot be written: File exists\n"


def test_bounds_are_those_of_the_settings_that_a_run_fills() -> None:
    for name, most, settings in (
        ("repeats", 1_000, readmark.SitSettings),
        ("workers", 1_024, readmark.SitSettings),
        ("draws", 1_000_000, readmark.MarkSettings),
        ("trials", 1_000_000, readmark.MarkSettings),
    ):
        assert f"from 1 to {most:,}" in str(dict(described_keys())[f"run.{name}"].value)
        settings(**{name: most})
        with pytest.raises(readmark.UsageError, match=r"more than|is not from"):
            settings(**{name: most + 1})


def test_a_run_in_which_nobody_could_sit_says_only_why(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_run(folder, '[models.away]\nbase_url = "http://127.0.0.1:9/v1"\nattempts = 1',
              candidates='["away"]')  # fmt: skip
    assert command(["run"]) == 1
    output, error = capsys.readouterr()
    assert "en: away: http://127.0.0.1:9/v1 does not answer" in output
    assert "no table" not in output + error


def test_without_a_run_file(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "readmark.toml").unlink()
    assert command(["run"]) == 2
    assert "no readmark.toml in this folder or a parent: name a run file" in capsys.readouterr().err
    assert command(["run", "none.toml"]) == 1
    assert "none.toml: cannot be read" in capsys.readouterr().err
    assert "READMARK_CONFIG" not in os.environ
