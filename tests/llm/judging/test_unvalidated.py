"""A judge that was not compared with people: a sign and one line in every table; its progress."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import readmark
from judge_desk import ANSWERS, SECRET, labels, mark, paper_at, strict
from llm_endpoint import Endpoint
from readmark.core.traffic import Traffic
from readmark.core.unvalidated import FOOTNOTE, is_unvalidated

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.chdir(tmp_path)
    return paper_at(tmp_path / "test.jsonl")


@pytest.mark.parametrize(
    ("signature", "is_so"),
    [
        ("judge:m|beside people:unvalidated|units:mean", True),
        ("judge:m|beside people:unvalidated kappa 0.50 n 4|units:mean", True),
        ("judge:m|beside people:kappa 0.80 (0.62 to 0.95) n 40|units:mean", False),
        ("profile:squad|units:mean", False),
        ("", False),
    ],
)
def test_a_signature_says_whether_people_agree(signature: str, is_so: bool) -> None:
    assert is_unvalidated(signature) == is_so


@pytest.mark.parametrize("many", [0, 10, 40])
def test_the_marks_carry_a_sign_until_labels_show_agreement(
    paper: Path, tmp_path: Path, many: int
) -> None:
    more = [f'labels="{labels(tmp_path / "people.csv", many=many)}"'] if many else []
    with Endpoint(strict) as endpoint:
        result, _, _ = mark(paper, endpoint, *more)
    signed = many < 30
    for printed in (str(result), repr(result), result._repr_html_()):
        assert ("judge(model=m)†" in printed) == signed
        assert (FOOTNOTE in printed.replace("\n", " ")) == signed
        assert "em†" not in printed


def test_the_table_and_the_report_carry_it_too(
    paper: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    sheet = tmp_path / "marks.jsonl"
    with Endpoint(strict) as endpoint:
        judge = f'judge(model=m,base_url="{endpoint.url}")'
        readmark.mark(
            str(paper), ANSWERS, metrics=["em", judge], marksheet=sheet, traffic=Traffic()
        )
    for extra in ((), ("--format", "markdown"), ("--by", "unanswerable")):
        done = readmark_cli("table", str(sheet), "-m", "em", "-m", "judge(model=m)", *extra)
        assert done.returncode == 0, done.stderr
        assert "judge(model=m)†" in done.stdout.replace("\n", "")
        assert done.stdout.count("† unvalidated: ") == 1
        assert "EM†" not in done.stdout
    done = readmark_cli("table", str(sheet), "-m", "em", "--json")
    assert "unvalidated" not in json.loads(done.stdout)
    done = readmark_cli("table", str(sheet), "-m", "em", "-m", "judge(model=m)", "--json")
    assert json.loads(done.stdout)["unvalidated"] == ["judge(model=m)"]
    page = tmp_path / "report.html"
    readmark.report(str(sheet), path=page)
    text = page.read_text("utf-8")
    assert "† unvalidated: too few labels" in text
    assert "† 未经验证" in text
    assert text.count("(model m)†") > 1


def test_the_report_of_other_metrics_has_no_sign(paper: Path, tmp_path: Path) -> None:
    sheet, page = tmp_path / "marks.jsonl", tmp_path / "report.html"
    readmark.mark(str(paper), ANSWERS, metrics=["em", "f1"], marksheet=sheet)
    readmark.report(str(sheet), path=page)
    assert "†" not in page.read_text("utf-8")


def test_verdicts_are_reported_as_they_come(paper: Path) -> None:
    seen: list[tuple[str, int, int]] = []
    with Endpoint(strict) as endpoint:
        judge = f'judge(model=m,base_url="{endpoint.url}")'
        readmark.mark(
            str(paper),
            ANSWERS,
            metrics=["em", judge],
            traffic=Traffic(),
            watch_replies=lambda *progress: seen.append(progress),
        )
    assert seen == [("verdicts", 1, 3), ("verdicts", 2, 3), ("verdicts", 3, 3)]


def test_the_command_shows_them(
    paper: Path, tmp_path: Path, readmark_cli: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("readmark.console.ticker.EVERY_LOG", -1.0)
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS), "utf-8")
    with Endpoint(strict) as endpoint:
        judge = f'judge(model=m,base_url="{endpoint.url}")'
        done = readmark_cli("mark", str(paper), "answers.json", "-m", "em", "-m", judge)
    assert done.returncode == 0, done.stderr
    assert "readmark: 1/3 verdicts, " in done.stderr
    assert "readmark: 3/3 verdicts, " in done.stderr
