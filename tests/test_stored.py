"""What earlier versions wrote is read, and what they promised is there.

`tests/stored` has a folder for each of them. Numbers are worked by hand: of four questions, one is
unanswered, "nine" and "stone" are right, and "Mara sells" has one of two words right (F1 2/3).
"""

from __future__ import annotations

import json
import re
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

import readmark
from readmark.cli import moved
from readmark.cli.main import cli
from readmark.sitting import preparation
from version_promises import STORED, commands, lost, promised, replacement

VERSIONS = sorted(path for path in STORED.iterdir() if path.is_dir())
FEW = readmark.MarkSettings(draws=20)


@pytest.fixture(params=VERSIONS, ids=lambda path: path.name)
def stored(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A copy of what a version wrote."""
    return Path(shutil.copytree(request.param, tmp_path / "stored"))


# Promises.


def test_nothing_that_was_promised_is_gone_without_a_replacement(
    stored: Path, tmp_path: Path
) -> None:
    """Its replacement is in `cli/moved.py`, `builtin.py` or `readmark/__init__.py`."""
    before = json.loads((stored / "promises.json").read_text("utf-8"))
    assert len(before["names"]) > 50
    assert len(before["commands"]) > 90
    losses = lost(before, json.loads(json.dumps(promised(stored, tmp_path))))
    assert [loss for loss in losses if replacement(loss) is None] == []


def test_commands_and_options_that_are_gone_name_what_to_use(
    stored: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line on stderr and exit status 2, whatever else is on the command line."""
    from readmark.cli.main import run

    before = json.loads((stored / "promises.json").read_text("utf-8"))["commands"]
    now = json.loads(json.dumps(dict(commands())))
    for loss in lost(before, now):
        path, _, option = loss.removeprefix("/").partition(": ")
        words = path.split()[1:]
        assert run([*words, option] if option else [*words, "x", "--json"]) == 2
        output, errors = capsys.readouterr()
        gone = f"{option} is gone: " if option else f"{path} is gone: use "
        assert output == ""
        assert errors == f"readmark: {gone}{replacement(f'/commands{loss}')}\n"


def test_names_that_are_gone_name_what_to_use(monkeypatch: pytest.MonkeyPatch) -> None:
    from readmark.builtin import REMOVED
    from readmark.sitting.candidates import CANDIDATES

    monkeypatch.setitem(REMOVED["readmark.candidates"], "oracle", "use keyed")
    with pytest.raises(readmark.UsageError, match=r"^candidate oracle is gone: use keyed$"):
        CANDIDATES.build("oracle(file=a.jsonl)")
    monkeypatch.setitem(readmark.REMOVED_NAMES, "grade", "use readmark.mark")
    with pytest.raises(AttributeError, match=r"^readmark\.grade is gone: use readmark\.mark$"):
        readmark.grade  # noqa: B018
    with pytest.raises(AttributeError, match=r"^readmark\.hooks\.TestFormat is gone: use hooks"):
        readmark.hooks.TestFormat  # noqa: B018


@pytest.mark.parametrize(
    ("loss", "table", "key"),
    [
        ("/commands/readmark series rewrite", "MOVED", "series rewrite"),
        ("/commands/readmark mark: --side", "REMOVED_OPTIONS", "--side"),
        ("/commands/readmark sit: --timeout", "REMOVED_OPTIONS", "sit --timeout"),
        ("/commands/readmark: --allow", "REMOVED_OPTIONS", "--allow"),
        ("/names/Settings", "REMOVED_NAMES", "Settings"),
        ("/names/sit: timeout", "REMOVED_NAMES", "sit(timeout)"),
        ("/hooks/TransformHooks/open_test", "REMOVED_NAMES", "hooks.TransformHooks.open_test"),
        ("/hooks/Kind/paper: record", "REMOVED_NAMES", "hooks.Kind.paper(record)"),
        ("/names/sit: in another order", None, None),
        ("/json/mark/members: units", None, None),
    ],
)
def test_a_loss_is_forgiven_only_where_its_replacement_is_named(
    loss: str, table: str | None, key: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module, name in ((moved, "MOVED"), (moved, "REMOVED_OPTIONS"), (readmark, "REMOVED_NAMES")):
        monkeypatch.setattr(module, name, {key: "use something else"} if name == table else {})
    assert replacement(loss) == (table and "use something else")


@pytest.mark.parametrize(
    ("before", "now", "expected"),
    [
        ({"a": ["x"]}, {"a": ["x", "y"], "b": []}, []),
        ({"a": ["x"], "b": []}, {"a": ["x"]}, ["/b"]),
        ({"a": {"c": ["x", "y"]}}, {"a": {"c": ["y"]}}, ["/a/c: x"]),
        ({"a": ["x", "y"]}, {"a": ["y", "x"]}, ["/a: in another order"]),
        ({"a": ["x", "y", "z"]}, {"a": ["x", "*", "z", "y"]}, []),
        ({"a": ["x", "y", "z"]}, {"a": ["y", "x", "*", "z"]}, ["/a: in another order"]),
    ],
)
def test_a_loss_is_noticed(before: Any, now: Any, expected: list[str]) -> None:
    assert lost(before, now) == expected


@pytest.mark.parametrize(
    ("args", "status"),
    [
        (("mark", "reading.jsonl", "answers.json"), 0),
        (("mark", "reading.jsonl", "ratings.json"), 1),  # no id is in the test
        (("mark", "reading.jsonl", "answers.json", "-m", "nonesuch"), 2),
        (("mark", "reading.jsonl", "answers.json", "--fail-under", "f1=67"), 3),
        (("mark", "reading.jsonl", "answers.json", "--fail-under", "f1=66"), 0),
        (("mark", "reading.jsonl", "ratings.json", "--fail-under", "f1=67"), 1),
    ],
)
def test_exit_statuses(
    args: tuple[str, ...], status: int, monkeypatch: pytest.MonkeyPatch, stored: Path
) -> None:
    from readmark.cli.main import run

    monkeypatch.chdir(stored)
    assert run([*args]) == status


# Files.


def test_tests_of_every_kind_are_read_and_marked(stored: Path) -> None:
    reading = readmark.load(stored / "reading.jsonl")
    assert reading.facts.paper == "5f78070ccc053d10aa2aea969d84230d"
    assert reading.facts.key == "a007be69e7adf38dc1f901683cc84494"
    marks = readmark.mark(reading, stored / "answers.json", metrics=["em", "f1"], settings=FEW)
    assert marks["em"].score == 50
    assert marks["f1"].score == pytest.approx(100 * (1 + 2 / 3 + 1) / 4)
    in_parts = readmark.load(stored / "parts")
    assert (in_parts.facts.paper, in_parts.facts.key) == (reading.facts.paper, reading.facts.key)
    rewritten = readmark.mark(
        stored / "series.jsonl", stored / "series-sitting.jsonl", metrics="exact", settings=FEW
    )
    assert rewritten["exact"].score == 1
    # A sitting of a rewriter that is gone.
    rewritten = readmark.mark(
        stored / "series.jsonl", stored / "series-sitting-learned.jsonl", settings=FEW
    )
    assert (rewritten.candidate, rewritten["exact"].score) == ("learned", 1)
    # Of "easy" people say 4 to 5, and 4 is within; of "hard" they say 2, and 3 is not.
    rated = readmark.mark(stored / "readability.jsonl", stored / "ratings.json", settings=FEW)
    assert rated["proportional_target"].score == 0.5


def test_sittings_and_marksheets_are_read(stored: Path, tmp_path: Path) -> None:
    marks = readmark.mark(stored / "reading.jsonl", stored / "sitting.jsonl", settings=FEW)
    assert (marks.candidate, marks.answered) == ("longest_overlap", 4)
    table = readmark.table(stored / "marksheet.jsonl").as_json()
    assert "50.0" in json.dumps(table)
    done = readmark.report(stored / "marksheet.jsonl", path=tmp_path / "report.html")
    assert (done.tests, done.units) == (["pier"], 4)


def test_a_sitting_is_finished_by_the_version_that_began_it(
    stored: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (stored / "sitting.jsonl").read_bytes()
    begun = stored / "begun.jsonl"
    begun.write_bytes(whole[:-30])  # killed while it wrote the last row
    version = json.loads(whole.splitlines()[0])["signature"]["readmark"]
    monkeypatch.setattr(preparation, "__version__", version + ".1")
    with pytest.raises(readmark.DataError, match=r"signature \(readmark .*; choose another file"):
        readmark.sit(stored / "reading.jsonl", "longest_overlap", begun)
    assert begun.read_bytes() == whole[:-30]
    monkeypatch.setattr(preparation, "__version__", version)
    done = readmark.sit(stored / "reading.jsonl", "longest_overlap", begun)
    assert (done.progress.before, done.progress.answered) == (3, 1)


def test_a_reading_task_is_read(stored: Path) -> None:
    pytest.importorskip("duckdb")
    done = CliRunner().invoke(cli, ["check", str(stored / "task.zip")])
    assert done.exit_code == 0, done.output
    assert len(list(readmark.load(stored / "task.zip").stream(lambda problem: None))) == 2


def test_a_hall_is_restored(stored: Path, tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    from readmark.server.database import Database, known_revisions
    from readmark.server.operations.restoring import restore
    from stored_halls import SECRET, rows_of

    database = Database(f"sqlite:///{tmp_path}/hall.db")
    restore(stored / "hall.zip", database, secret=tmp_path / "secret")
    try:
        assert database.revision() == known_revisions()[0]
        assert len(rows_of(database)["events"]) >= 1
    finally:
        database.close()
    assert (tmp_path / "secret").read_bytes() == SECRET


# Files of a version that is still to come.


def rewritten(path: Path, change: Callable[[bytes], bytes], member: str | None = None) -> Path:
    """The file, or a member of a zip, with something changed."""
    if member is None:
        path.write_bytes(change(path.read_bytes()))
        return path
    with zipfile.ZipFile(path) as packed:
        held = {name: packed.read(name) for name in packed.namelist()}
    with zipfile.ZipFile(path, "w") as packed:
        for name, data in held.items():
            packed.writestr(name, change(data) if name == member else data)
    return path


def newer(data: bytes) -> bytes:
    """The first version number is one higher, and there is a member that nobody knows."""
    changed, count = re.subn(rb'"readmark": ?1', b'"readmark":2,"unheard_of":[]', data, count=1)
    assert count == 1
    return changed


NEWER = {
    "test": (("check", "reading.jsonl"), None),
    "parts": (("check", "parts/part-00000-of-00002.jsonl"), None),
    "series": (("stats", "series.jsonl"), None),
    "sitting": (("mark", "reading.jsonl", "sitting.jsonl"), None),
    "journal": (("sit", "reading.jsonl", "-r", "longest_overlap", "-o", "sitting.jsonl"), None),
    "marksheet": (("report", "-o", "report.html", "marksheet.jsonl"), None),
    "task": (("check", "task.zip"), "task.json"),
}


@pytest.mark.parametrize("what", NEWER)
def test_a_newer_file_is_one_line(
    what: str,
    stored: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    from readmark.cli.main import run

    args, member = NEWER[what]
    monkeypatch.chdir(stored)
    file = rewritten(Path(args[-1]), newer, member)
    before = file.read_bytes()
    assert run([*args]) == 1
    output, errors = capsys.readouterr()
    [line] = [line for line in (output + errors).splitlines() if "newer_schema" in line]
    assert line.endswith("made for schema 2, this Readmark reads up to 1; install a newer one")
    assert file.name in line
    assert file.read_bytes() == before
    assert "Traceback" not in errors


def test_a_newer_backup_is_one_line(stored: Path, tmp_path: Path) -> None:
    pytest.importorskip("sqlalchemy")
    from readmark.server.database import Database
    from readmark.server.operations.backup_file import MANIFEST
    from readmark.server.operations.restoring import restore

    def change(data: bytes) -> bytes:
        manifest = msgspec.json.decode(data)
        return msgspec.json.encode({**manifest, "readmark_hall": 99, "version": "9.0"})

    file = rewritten(stored / "hall.zip", change, MANIFEST)
    database = Database(f"sqlite:///{tmp_path}/hall.db")
    with pytest.raises(readmark.DataError, match=r"newer version of Readmark \(9\.0\)"):
        restore(file, database, secret=tmp_path / "secret")
    database.close()


def evidence_model(data: bytes, file: str) -> object:
    from readmark.comprehension.evidence.ranker_files import from_json

    return from_json(data.decode(), file=file)


def rater_model(data: bytes, file: str) -> object:
    from readmark.readability.raters.rater_files import from_json

    return from_json(data, file)


def span_model(data: bytes, file: str) -> object:
    from readmark.comprehension.span.shape import read_shape

    Path(file).write_bytes(data)
    return read_shape(Path(file).parent)


@pytest.mark.parametrize(
    ("read", "member"),
    [
        (evidence_model, "readmark"),
        (rater_model, "readmark_rater"),
        (span_model, "readmark_span"),
    ],
)
def test_a_newer_model_is_one_line(
    read: Callable[[bytes, str], object], member: str, tmp_path: Path
) -> None:
    data = msgspec.json.encode({member: 2, "unheard_of": []})
    with pytest.raises(
        readmark.DataError, match=r"^\S+span\.json.* newer_schema: made for schema 2"
    ):
        read(data, str(tmp_path / "span.json"))
