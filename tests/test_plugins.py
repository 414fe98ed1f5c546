"""A separate package that adds to Readmark by entry points, through the real command."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from command_line import BUILTINS, copies

pytestmark = pytest.mark.slow

PACKAGE = Path(__file__).parent / "plugin_package"
Run = Callable[..., subprocess.CompletedProcess[str]]

LINES = [
    "q1\tThe tram leaves at ten.\tWhen does it leave?\tat ten",
    "q2\tIda keeps bees on the roof.\tWhat does she keep?\tbees",
    "q3\tThe mill stands by the river.\tWhere is the mill?\tby the river",
]
ANSWERS = {"q1": "ten", "q2": "honey bees"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The package, installed from a copy into a folder of its own: nothing else sees it."""
    folder = tmp_path_factory.mktemp("plugin")
    shutil.copytree(PACKAGE, folder / "source")
    target = folder / "installed"
    command = [
        *(sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"),
        "--no-deps",
        "--no-build-isolation",
        "--no-index",
        "--no-compile",
        *("--target", str(target), str(folder / "source")),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return target


def with_path(folder: Path) -> dict[str, str]:
    """The environment of a process that finds the packages in a folder."""
    parts = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {"PYTHONPATH": os.pathsep.join(parts)}


@pytest.fixture(scope="module")
def having_it(installed: Path) -> Iterator[Run]:
    """The command in copies of a process that has the package on its path."""
    with copies("numpy", *BUILTINS, env=with_path(installed)) as run:
        yield run


@pytest.fixture
def plugged(having_it: Run, tmp_path: Path) -> Run:
    """The command, in a folder with a test of the package's format."""
    (tmp_path / "small.tsv").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    (tmp_path / "answers.json").write_text(json.dumps(ANSWERS), encoding="utf-8")

    def run(*args: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        done = having_it(*args, cwd=tmp_path)
        assert done.returncode == status, done.stderr
        return done

    return run


def as_json(done: subprocess.CompletedProcess[str]) -> Any:
    return json.loads(done.stdout)


def test_the_lists_name_what_a_package_adds(plugged: Run) -> None:
    metrics = as_json(plugged("list", "metrics", "--json"))["metrics"]
    assert metrics["length_ratio"]["package"] == "readmark-shouting"
    assert metrics["length_ratio"]["kinds"] == ["comprehension"]
    assert metrics["length_ratio"]["parameters"]["by"] == {
        "default": "characters",
        "choices": ["characters", "words"],
        "help": "what is counted",
    }
    formats = as_json(plugged("list", "formats", "--json"))["formats"]
    assert formats["shout"]["package"] == "readmark-shouting"
    assert formats["shout"]["holds"] == ["tests"]
    assert "(from readmark-shouting)" in " ".join(plugged("list", "metrics").stdout.split())
    assert "shout" in plugged("list", "formats").stdout


def test_without_the_package_there_is_nothing_of_it(readmark_cli: Run, tmp_path: Path) -> None:
    assert "length_ratio" not in json.loads(readmark_cli("list", "--json").stdout)["metrics"]
    assert "shout" not in json.loads(readmark_cli("list", "--json").stdout)["formats"]
    (tmp_path / "small.tsv").write_text("\n".join(LINES), encoding="utf-8")
    done = readmark_cli("check", tmp_path / "small.tsv")
    assert done.returncode == 1
    assert "text that begins" in done.stdout


def test_mark_with_its_metric_on_its_format(plugged: Run) -> None:
    found = as_json(
        plugged(
            "mark",
            "small.tsv",
            "answers.json",
            "--json",
            "-m",
            "length_ratio",
            "-m",
            "length_ratio(by=words)",
            "-m",
            "em",
        )
    )
    # characters: 3 + 10 + 0 of 6 + 4 + 12; words: 1 + 2 + 0 of 2 + 1 + 3
    marks = found["marks"]
    assert marks["length_ratio"]["score"] == pytest.approx(13 / 22)
    assert marks["length_ratio(by=words)"]["score"] == 0.5
    assert marks["length_ratio"]["scale"] == 1
    assert marks["em"]["score"] == 0
    assert found["per_unit"]["q2"]["length_ratio"] == 2.5
    assert found["unanswered"] == ["q3"]
    signature = marks["length_ratio(by=words)"]["signature"]
    assert "lengths:words|units:ratio of sums|clusters:passage|" in signature
    low, high = marks["length_ratio"]["low"], marks["length_ratio"]["high"]
    assert 0 <= low < 13 / 22 < high <= 2.5


def test_everything_else_comes_with_it(plugged: Run, tmp_path: Path) -> None:
    (tmp_path / "more.json").write_text(
        json.dumps({**ANSWERS, "q3": "by the river"}), encoding="utf-8"
    )
    for name in ("answers", "more"):
        command = ("mark", "small.tsv", f"{name}.json", "-m", "length_ratio")
        plugged(*command, "-o", f"{name}.jsonl", "--people", "more.json", "--by", "id")
    compare = ("compare", "small.tsv", "-m", "length_ratio", "--json")
    direct = plugged(*compare, "answers.json", "more.json").stdout
    sheets = plugged(*compare, "answers.jsonl", "more.jsonl").stdout
    assert direct == sheets
    assert json.loads(direct)["comparisons"][0]["difference"] == pytest.approx(12 / 22)
    people = as_json(plugged("people", "small.tsv", "more.json", "-m", "length_ratio", "--json"))
    assert people["marks"]["length_ratio"]["score"] == pytest.approx(25 / 22)


def test_its_mistakes_are_told_like_ours(plugged: Run) -> None:
    done = plugged("mark", "small.tsv", "answers.json", "-m", "length_ratio(by=lines)", status=2)
    assert "by=lines is not one of characters|words" in done.stderr
    done = plugged("mark", "small.tsv", "answers.json", "-m", "length_ration", status=2)
    assert "did you mean length_ratio?" in done.stderr


def test_commands_and_report_sections(plugged: Run, tmp_path: Path) -> None:
    assert plugged("loudness", "small.tsv").stdout == "capitals: 3\n"
    assert "Count the capital letters of a test (from readmark-shouting)" in " ".join(
        plugged("--help").stdout.split()
    )
    plugged("mark", "small.tsv", "answers.json", "-m", "length_ratio", "-o", "marks.jsonl")
    plugged("report", "marks.jsonl", "-o", "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "1 CANDIDATES" in page
    table = page[page.index("small BY length_ratio") :].partition("</table>")[0]
    cells = re.findall(r"<t[hd].*?>([^<>]+)</t[hd]>", re.sub(r"</?(?:span|bdi).*?>", "", table))
    assert cells == ["WHO", "UNITS", "MARK", "ANSWERS", "3", "0.59"]  # 13 / 22


def test_a_broken_command_is_one_line(plugged: Run) -> None:
    done = plugged("broken", status=1)
    assert done.stderr.startswith("readmark: readmark_shouting.page:no_such_command of package")
    assert done.stderr.count("\n") == 1
    plugged("--help")


def test_a_paper_transform(plugged: Run, tmp_path: Path) -> None:
    """Applied through --transform; its parameters are in the sitting's signature."""
    done = plugged(
        "sit",
        "small.tsv",
        "-r",
        "longest_overlap",
        "-o",
        "loud.jsonl",
        "--transform",
        'shout_questions(mark="?!")',
    )
    assert "loud.jsonl: questions in capitals: 3" in done.stderr
    header = json.loads((tmp_path / "loud.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["signature"]["shout"] == "?!"
    done = plugged(
        "sit",
        "small.tsv",
        "-r",
        "longest_overlap",
        "-o",
        "loud.jsonl",
        "--transform",
        "shout_questions",
        status=1,
    )
    assert "(shout ?!, now shout !)" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_plug_in_that_breaks_the_contract_is_one_line(plugged: Run) -> None:
    done = plugged("sit", "small.tsv", "-r", "mute", "-o", "mute.jsonl", status=1)
    assert done.stderr == (
        "readmark: candidate mute of package readmark-shouting has no answer: see readmark.hooks\n"
    )


def test_doctor_lists_plug_ins_and_what_failed(plugged: Run) -> None:
    found = as_json(plugged("doctor", "--json"))
    listed = {(one["kind"], one["name"]): one["problem"] for one in found["plugins"]}
    assert {one["package"] for one in found["plugins"]} == {"readmark-shouting"}
    assert listed["metric", "length_ratio"] is None
    assert listed["paper transform", "shout_questions"] is None
    assert "has no answer" in str(listed["candidate", "mute"])
    assert "no_such_command" in str(listed["command", "broken"])
    assert set(found["broken_plugins"]) == {"candidate mute", "command broken"}
    shown = plugged("doctor").stdout
    assert "plug-in format shout: from readmark-shouting" in shown


def test_convert_to_and_fro(plugged: Run, tmp_path: Path) -> None:
    plugged("convert", "small.tsv", "small.jsonl")
    plugged("convert", "small.jsonl", "loud.tsv", "--to", "shout")
    assert (tmp_path / "loud.tsv").read_text().splitlines()[1] == LINES[1].upper()
    plugged("convert", "loud.tsv", "loud.json", "--from", "shout")
    assert '"text":"BEES"' in (tmp_path / "loud.json").read_text().replace(" ", "")
    (tmp_path / "torn.tsv").write_text("q1\tonly two\n")
    done = plugged("check", "torn.tsv", status=1)
    assert "torn.tsv:1: columns: 2 columns, expected 4" in done.stdout


def test_a_broken_package_is_named(installed: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(installed, broken)
    (broken / "readmark_shouting" / "length_ratio.py").unlink()
    (tmp_path / "t.jsonl").write_text(
        '{"readmark": 1, "kind": "comprehension"}\n'
        '{"text": "A cat.", "questions": [{"id": "q", "text": "Who?", '
        '"key": {"answers": [{"text": "A cat"}]}}]}\n'
    )
    (tmp_path / "p.json").write_text('{"q": "A cat"}')
    with copies(env=with_path(broken)) as run:
        done = run("list", "metrics", cwd=tmp_path)
        assert done.returncode == 0  # the others still work
        assert "\nf1 " in done.stdout
        assert "length_ratio" not in done.stdout
        assert "readmark-shouting" in run("doctor", cwd=tmp_path).stdout
        done = run("mark", "t.jsonl", "p.json", "-m", "length_ratio", cwd=tmp_path)
    assert done.returncode == 1
    assert "readmark-shouting" in done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
