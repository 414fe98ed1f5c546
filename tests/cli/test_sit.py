"""``readmark sit`` in processes of its own: killed, interrupted, resumed, out of space."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from readmark.cli import sit as sit_cli
from readmark.sitting.runner import Progress
from understudies import plug_in, python_path, standing, timeless

Done = subprocess.CompletedProcess[str]
Run = Callable[..., Done]
Start = Callable[..., subprocess.Popen[str]]

UNITS = 60
PATIENCE = 60.0
"""Seconds that something may take before the test gives up; none waits so long."""


def lines_of_a_test(units: int) -> str:
    """A test whose every second answer is right, three questions a passage."""
    header = {"readmark": 1, "kind": "comprehension", "name": "harbour", "language": "en"}
    lines = [json.dumps(header)]
    for first in range(0, units, 3):
        questions = [
            {
                "id": f"q{at}",
                "text": f"What is {at}?",
                "key": {"answers": [{"text": f"q{at}!" if at % 2 else "码头"}], "level": at % 4},
            }
            for at in range(first, min(first + 3, units))
        ]
        passage = {"id": f"p{first}", "text": "码头上停着七条木船。 Boats.", "questions": questions}
        lines.append(json.dumps(passage, ensure_ascii=False))
    return "\n".join(lines) + "\n"


@pytest.fixture
def hall(tmp_path: Path) -> Path:
    """A folder with a test, answers to it, and a package of candidates that misbehave."""
    folder = tmp_path / "hall"
    folder.mkdir()
    (folder / "t.jsonl").write_text(lines_of_a_test(UNITS), encoding="utf-8")
    (folder / "small.jsonl").write_text(lines_of_a_test(6), encoding="utf-8")
    answers = {f"q{at}": f"q{at}!" for at in range(4)}
    (folder / "answers.json").write_text(json.dumps(answers), encoding="utf-8")
    plug_in(tmp_path / "plugged")
    return folder


@pytest.fixture
def sits(hall: Path, readmark_cli: Run) -> Run:
    """Runs a command in the hall; the exit status is checked."""

    def run(*args: str, status: int = 0) -> Done:
        done = readmark_cli(*args, cwd=hall, env=python_path(hall.parent / "plugged"))
        assert "Traceback" not in done.stderr, done.stderr
        assert done.returncode == status, done.stderr
        return done

    return run


@pytest.fixture
def start(hall: Path) -> Iterator[Start]:
    """Starts a sitting in a session of its own, as a terminal would; it never outlives the test."""
    started: list[subprocess.Popen[str]] = []

    def begin(*args: str) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [sys.executable, "-m", "readmark", "sit", *args],
            cwd=hall,
            env=os.environ | python_path(hall.parent / "plugged"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
            start_new_session=True,
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        if process.poll() is None:
            process.kill()
        process.communicate()


def wait_until(found: Callable[[], Any], process: subprocess.Popen[str]) -> None:
    """Wait for something to be so while a process runs."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found():
            return
        assert process.poll() is None, process.communicate()
        time.sleep(0.002)
    pytest.fail("it took too long")


def lines_of(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def alive(pid: int) -> bool:
    """Whether a process runs; one that only waits to be reaped does not."""
    try:
        os.kill(pid, 0)
        return ") Z " not in Path(f"/proc/{pid}/stat").read_text()
    except (ProcessLookupError, FileNotFoundError):
        return False


def children(pid: int) -> list[int]:
    """The processes that a process has started, where the system tells."""
    told = [one.read_text() for one in Path(f"/proc/{pid}/task").glob("*/children")]
    return [int(one) for text in told for one in text.split()]


def wait_gone(pids: set[int]) -> set[int]:
    """The processes that still run after a bounded wait."""
    end = time.monotonic() + 10
    while time.monotonic() < end and any(map(alive, pids)):
        time.sleep(0.02)
    return {pid for pid in pids if alive(pid)}


def pids_in(path: Path) -> set[int]:
    lines = path.read_text(encoding="utf-8").split("\n")[:-1] if path.exists() else []
    return {json.loads(line)["pid"] for line in lines}


def marked(sits: Run, sitting: str, test: str = "t.jsonl") -> str:
    return sits("mark", test, sitting, "--json", "--by", "level", "--draws", "50").stdout


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 2])
def test_killed_at_random_times_it_gives_the_same_marks(
    sits: Run, start: Start, hall: Path, workers: int
) -> None:
    candidate = "slow(ms=4)"
    sits("sit", "t.jsonl", "-r", candidate, "-o", "straight.jsonl")
    journal = hall / "killed.jsonl"
    chance = random.Random(workers)
    args = ("t.jsonl", "-r", candidate, "-o", "killed.jsonl", "--workers", str(workers))
    for _ in range(4):
        process = start(*args)
        goal = lines_of(journal) + chance.randint(1, 12)
        wait_until(lambda goal=goal: lines_of(journal) >= goal, process)
        time.sleep(chance.random() / 200)
        process.kill()
        assert process.wait() == -signal.SIGKILL
        assert lines_of(journal) < UNITS + 1
    sits("sit", *args)
    assert timeless(journal) == timeless(hall / "straight.jsonl")
    assert marked(sits, "killed.jsonl") == marked(sits, "straight.jsonl")


@pytest.mark.parametrize("cut", [1, 20, 7 + len("码头上停着七条木船。".encode())])
def test_a_torn_line_is_taken_out_and_said(sits: Run, hall: Path, cut: int) -> None:
    args = ("sit", "small.jsonl", "-r", "lead", "-o", "s.jsonl")
    sits(*args)
    whole = marked(sits, "s.jsonl", "small.jsonl")
    journal = hall / "s.jsonl"
    journal.write_bytes(journal.read_bytes()[:-cut])
    done = sits(*args)
    assert done.stderr == (
        "readmark: s.jsonl: the last line was cut off and has been taken out\n"
        "readmark: s.jsonl: lead sat 6 units: 1 answered, 5 before\n"
    )
    assert done.stdout == ""
    assert marked(sits, "s.jsonl", "small.jsonl") == whole


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_leaves_a_whole_journal(sits: Run, start: Start, hall: Path, workers: int) -> None:
    journal = hall / "s.jsonl"
    seen = hall / "seen.jsonl"
    candidate = "recorder(file=seen.jsonl,ms=10)"
    args = ("t.jsonl", "-r", candidate, "-o", "s.jsonl", "--workers", str(workers))
    process = start(*args)
    wait_until(lambda: lines_of(journal) > 5, process)
    os.killpg(process.pid, signal.SIGINT)  # a terminal interrupts everything in the foreground
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out, err.strip()) == (130, "", "readmark: interrupted")
    assert 5 <= len(standing(journal)[1]) < UNITS
    assert not wait_gone(pids_in(seen))
    done = sits("sit", *args)
    assert re.search(r"sat 60 units: \d+ answered, \d+ before", done.stderr)
    assert len(timeless(journal)) == UNITS


@pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="needs /proc to see the workers")
def test_ctrl_c_while_workers_begin(start: Start, hall: Path) -> None:
    process = start("t.jsonl", "-r", "slow", "-o", "s.jsonl", "--workers", "2")
    wait_until(lambda: children(process.pid), process)
    time.sleep(0.05)  # they are still importing
    os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err.strip()) == (130, "readmark: interrupted")


@pytest.mark.slow
def test_workers_do_not_outlive_a_killed_parent(start: Start, hall: Path) -> None:
    seen = hall / "seen.jsonl"
    # A minute a unit: they are in the middle of one when the parent goes.
    process = start(
        *("t.jsonl", "-r", "recorder(file=seen.jsonl,ms=60000)", "-o", "s.jsonl"),
        *("--workers", "2"),
    )
    wait_until(lambda: len(pids_in(seen)) == 2, process)
    pids = pids_in(seen)
    assert all(map(alive, pids))
    process.kill()
    process.wait()
    assert wait_gone(pids) == set()


def test_long_records_and_long_answers_do_not_block_each_other(start: Start, hall: Path) -> None:
    """The parent sends while the worker sends: neither may wait for the other."""
    header = {"readmark": 1, "kind": "comprehension", "name": "long"}
    passages = [
        {
            "id": f"p{at}",
            "text": "word " * 60_000,
            "questions": [{"id": f"p{at}q{one}", "text": "?"} for one in range(12)],
        }
        for at in range(5)
    ]
    lines = [json.dumps(one) + "\n" for one in [header, *passages]]
    (hall / "long.jsonl").write_text("".join(lines))
    args = ("long.jsonl", "-r", "wordy(length=30000)", "-o", "s.jsonl", "--workers", "2")
    _, err = start(*args).communicate(timeout=PATIENCE)
    assert "sat 60 units: 60 answered" in err


REFUSED: dict[str, tuple[list[str], str]] = {
    "a candidate": (["-r", "longest_overlap"], r"another candidate \(lead, now longest_overlap\)"),
    "repeats": (["-r", "lead", "--repeats", "3"], r"another --repeats \(1, now 3\)"),
    "a limit": (["-r", "lead", "--limit", "2"], r"another --limit \(none, now 2\)"),
    "a part": (
        ["-r", "lead", "--without", "question"],
        r"another --without \(none, now question\)",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_another_sitting_is_refused(sits: Run, hall: Path, what: str) -> None:
    sits("sit", "small.jsonl", "-r", "lead", "-o", "s.jsonl")
    journal = hall / "s.jsonl"
    with journal.open("ab") as stream:
        stream.write(b'{"id": "q')
    before = journal.read_bytes()
    args, said = REFUSED[what]
    done = sits("sit", "small.jsonl", *args, "-o", "s.jsonl", status=1)
    assert re.fullmatch(
        f"readmark: s.jsonl: was begun with {said}; choose another file\n", done.stderr
    )
    assert (done.stdout, journal.read_bytes()) == ("", before)


def test_another_paper_is_refused(sits: Run, hall: Path) -> None:
    sits("sit", "small.jsonl", "-r", "lead", "-o", "s.jsonl")
    before = (hall / "s.jsonl").read_bytes()
    done = sits("sit", "t.jsonl", "-r", "lead", "-o", "s.jsonl", status=1)
    assert re.fullmatch(
        r"readmark: s.jsonl: was begun with another paper \(\w{32}, now \w{32}\); "
        "choose another file\n",
        done.stderr,
    )
    assert (hall / "s.jsonl").read_bytes() == before
    done = sits("mark", "t.jsonl", "s.jsonl", status=1)
    assert re.fullmatch(r"readmark: s.jsonl: is a sitting of another paper .*\n", done.stderr)


@pytest.mark.parametrize("target", ["t.jsonl", "answers.json", "."])
def test_inputs_are_never_written_over(sits: Run, hall: Path, target: str) -> None:
    before = {path.name: path.read_bytes() for path in hall.iterdir()}
    done = sits("sit", "t.jsonl", "-r", "keyed(file=answers.json)", "-o", target, status=1)
    assert re.fullmatch(rf"readmark: {re.escape(target)}: is .*\n", done.stderr)
    assert {path.name: path.read_bytes() for path in hall.iterdir()} == before


def test_json_is_all_that_stands_on_stdout(sits: Run) -> None:
    for workers in ("1", "2"):
        args = ("small.jsonl", "-r", 'moody(on="q1 q2",how=print)', "--workers", workers)
        done = sits("sit", *args, "-o", f"s{workers}.jsonl", "--json")
        told = json.loads(done.stdout)
        assert told.pop("progress").pop("seconds") > 0
        assert told == {
            "sitting": f"s{workers}.jsonl",
            "candidate": 'moody(on="q1 q2",how=print)',
            "repaired": None,
            "errors": 0,
            "unanswered": 0,
        }
        assert "Loading the model..." in done.stderr


def test_errors_end_in_status_1_and_a_hint(sits: Run, hall: Path) -> None:
    args = ("sit", "small.jsonl", "-r", "moody(on=q3,until=cure)", "-o", "s.jsonl")
    for attempt, counts in ((1, "5 answered, 1 error"), (2, "0 answered, 5 before, 1 error")):
        done = sits(*args, status=1)
        assert done.stderr == (
            f"readmark: s.jsonl: moody(on=q3,until=cure) sat 6 units: {counts}\n"
            "readmark: s.jsonl: run the command again to try the error rows again\n"
        )
        last = timeless(hall / "s.jsonl")
        assert [row.get("attempt", 1) for row in last if row["id"] == "q3"][-1] == attempt
    sits("mark", "small.jsonl", "s.jsonl", status=1)
    (hall / "cure").touch()
    assert "1 answered, 5 before\n" in sits(*args).stderr
    assert json.loads(marked(sits, "s.jsonl", "small.jsonl"))["errors"] == []


def test_a_limited_ablation_says_so_in_the_marks(sits: Run, hall: Path) -> None:
    args = ("--limit", "4", "--without", "passage", "--repeats", "2")
    sits("sit", "small.jsonl", "-r", "slow(ms=0)", "-o", "s.jsonl", *args)
    header = standing(hall / "s.jsonl")[0]
    assert (header["limit"], header["without"], header["repeats"]) == (4, "passage", 2)
    assert header["covers"] == ["q0", "q1", "q2", "q3"]
    told = json.loads(sits("mark", "small.jsonl", "s.jsonl", "--json", "-m", "em").stdout)
    assert (told["units"], told["answered"]) == (4, 4)
    assert told["covers"] == "the first 4 units, without the passage"
    # q1 and q3 are right each time
    assert told["repeats"] == {"em": {"scores": [50.0, 50.0], "deviation": 0.0}}
    shown = sits("mark", "small.jsonl", "s.jsonl", "-m", "em").stdout
    assert "covers the first 4 units, without the passage only" in shown
    assert "em by repeat: 50.00, 50.00; standard deviation 0.00" in shown


USAGE: dict[str, tuple[list[str], str]] = {
    "no candidate": ([], "Missing option '-r' / '--candidate'"),
    "a misspelt one": (["-r", "leed"], "unknown candidate 'leed'; did you mean lead?"),
    "one of another kind": (["-r", "append"], "candidate append sits series tests"),
    "a misspelt parameter": (["-r", "keyed(fil=a)"], "no parameter 'fil'; did you mean file?"),
    "a parameter of another type": (["-r", "slow(ms=x)"], "ms=x is not a number"),
    "an unknown part": (["-r", "lead", "--without", "questions"], "did you mean question?"),
    "no workers": (["-r", "lead", "--workers", "0"], "--workers 0 is less than 1"),
    "a limit of words": (["-r", "lead", "--limit", "few"], "'few' is not a valid integer"),
    "a keyed candidate without a file": (["-r", "keyed"], "candidate keyed needs a file"),
}


@pytest.mark.parametrize("what", USAGE)
def test_bad_usage_is_one_line_and_no_file(sits: Run, hall: Path, what: str) -> None:
    args, said = USAGE[what]
    done = sits("sit", "small.jsonl", *args, "-o", "s.jsonl", status=2)
    [line] = done.stderr.splitlines()
    assert line.startswith("readmark: ")
    assert said in line
    assert not (hall / "s.jsonl").exists()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["none.jsonl", "-r", "lead", "-o", "s.jsonl"], "none.jsonl: no such file"),
        (["small.jsonl", "-r", "keyed(file=n.json)", "-o", "s.jsonl"], "n.json: no such file"),
        (["small.jsonl", "-r", "lead", "-o", "no/s.jsonl"], "no/s.jsonl: cannot be written (No"),
        (["small.jsonl", "-r", "lead", "-o", "s.jsonl.gz"], "cannot be compressed"),
        (["small.jsonl", "-r", "unready", "-o", "s.jsonl"], "cannot sit: RuntimeError: no CUDA d"),
        (["answers.json", "-r", "lead", "-o", "s.jsonl"], "not a test of a format that is known"),
    ],
)
def test_bad_data_is_one_line_and_no_file(
    sits: Run, hall: Path, args: list[str], said: str
) -> None:
    done = sits("sit", *args, status=1)
    [line] = done.stderr.splitlines()
    assert line.startswith("readmark: ")
    assert said in line
    assert not (hall / args[-1]).exists()


def test_the_lists_of_candidates(sits: Run) -> None:
    told = json.loads(sits("candidates", "--json").stdout)
    assert told["lead"]["kinds"] == ["comprehension"]
    assert told["keyed"]["parameters"]["file"]["help"]
    assert told["needy"]["package"] == "readmark-understudies"
    found = {name: set(json.loads(sits(name, "--json").stdout)) for name in KINDS_OF}
    for name, members in KINDS_OF.items():
        assert members <= found[name]
        others = set().union(*(more for other, more in KINDS_OF.items() if other != name))
        assert not (others - members) & found[name]
    shown = sits("readers").stdout
    assert "keyed(file)" in shown
    assert "append" not in shown


KINDS_OF = {
    "readers": {"lead", "longest_overlap", "keyed"},
    "rewriters": {"none", "append", "keyed"},
    "raters": {"guess", "keyed"},
    "extractors": {"grep", "keyed"},
}


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[None]:
    """A small file system in memory, where one may be mounted."""
    folder.mkdir()
    if os.geteuid() != 0 or not shutil.which("mount"):
        pytest.skip("mounting a small file system needs root")
    command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"no small file system can be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_full_disk_loses_nothing(sits: Run, hall: Path, workers: str) -> None:
    args = ("sit", "t.jsonl", "-r", "wordy(length=1000)", "--workers", workers)
    sits(*args, "-o", "straight.jsonl")
    with mounted(hall / "disk", "size=16k"):
        done = sits(*args, "-o", "disk/s.jsonl", status=1)
        assert re.fullmatch(
            r"readmark: disk/s.jsonl: the answer to 'q\d+' cannot be written "
            r"\(No space left on device\); what was journalled before it stands\n",
            done.stderr,
        )
        journal = hall / "disk" / "s.jsonl"
        stands = standing(journal)[1]
        assert 10 <= len(stands) <= 16
        told = json.loads(marked(sits, "disk/s.jsonl"))
        assert told["answered"] == len(stands)
        assert sits(*args, "-o", "disk/s.jsonl", status=1).stderr.count("\n") == 1
        remount = ["mount", "-o", "remount,size=1m", str(hall / "disk")]
        subprocess.run(remount, check=True)
        done = sits(*args, "-o", "disk/s.jsonl")
        assert f"{60 - len(stands)} answered, {len(stands)} before" in done.stderr
        # The candidate's name is in the marks, and so is nothing of where they were kept.
        assert marked(sits, "disk/s.jsonl") == marked(sits, "straight.jsonl")


def test_a_disk_without_room_for_a_header(sits: Run, hall: Path) -> None:
    with mounted(hall / "disk", "size=4k"):
        (hall / "disk" / "full").write_bytes(bytes(4096))
        done = sits("sit", "t.jsonl", "-r", "lead", "-o", "disk/s.jsonl", status=1)
        said = "readmark: disk/s.jsonl: cannot be written (No space left on device)\n"
        assert done.stderr == said
        (hall / "disk" / "full").unlink()
        sits("sit", "small.jsonl", "-r", "lead", "-o", "disk/s.jsonl")


def test_a_read_only_folder(sits: Run, hall: Path) -> None:
    with mounted(hall / "disk", "size=64k"):
        sits("sit", "small.jsonl", "-r", "lead", "--limit", "2", "-o", "disk/old.jsonl")
        subprocess.run(["mount", "-o", "remount,ro", str(hall / "disk")], check=True)
        for name in ("s.jsonl", "old.jsonl"):
            done = sits("sit", "small.jsonl", "-r", "lead", "-o", f"disk/{name}", status=1)
            said = f"readmark: disk/{name}: cannot be written (Read-only file system)\n"
            assert done.stderr == said
        assert json.loads(marked(sits, "disk/old.jsonl", "small.jsonl"))["answered"] == 2


BAD_ROWS: dict[str, tuple[list[Any], int, str]] = {
    "offsets that are no offsets": (
        [{"id": "q1", "text": "x", "sentence": [1]}],
        1,
        "b.jsonl:2: schema: expected array of length 2 - at $.sentence",
    ),
    "an offset in words": (
        [{"id": "q1", "text": "x", "start": "three"}],
        1,
        "b.jsonl:2: schema: expected int | null, got str - at $.start",
    ),
    "truncated inside a character": (['{"id": "q1", "text": "码'.encode()[:-1]], 0, "cut off"),
    "a newer schema": ([{"readmark": 4}], 1, "newer_schema: made for schema 4"),
}


@pytest.mark.parametrize("what", BAD_ROWS)
def test_bad_rows_are_told_in_one_line(sits: Run, hall: Path, what: str) -> None:
    rows, status, said = BAD_ROWS[what]
    header: dict[str, Any] = {"readmark": 1, "file": "sitting", "candidate": "ann"}
    if what == "a newer schema":
        header, rows = header | rows[0], []
    data = json.dumps(header).encode() + b"\n"
    data += b"\n".join(one if isinstance(one, bytes) else json.dumps(one).encode() for one in rows)
    (hall / "b.jsonl").write_bytes(data)
    for args in (
        ("mark", "small.jsonl", "b.jsonl"),
        ("compare", "small.jsonl", "b.jsonl", "b.jsonl"),
    ):
        done = sits(*args, status=status)
        told = [one for one in done.stderr.splitlines() if "unanswered" not in one]
        assert all(said in line for line in told)
        assert done.stderr
    keyed = sits("sit", "small.jsonl", "-r", "keyed(file=b.jsonl)", "-o", "k.jsonl", status=status)
    if status:
        assert said in keyed.stderr
        assert not (hall / "k.jsonl").exists()


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (0, "0:00"),
        (0.6, "0:01"),
        (59.4, "0:59"),
        (61, "1:01"),
        (3599.6, "1:00:00"),
        (7325, "2:02:05"),
    ],
)
def test_durations_are_shown_as_people_read_them(seconds: float, shown: str) -> None:
    assert sit_cli.clock(seconds) == shown


@pytest.mark.parametrize("terminal", [True, False])
def test_progress_has_rate_and_time_left(
    terminal: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = [100.0]
    monkeypatch.setattr(sys.stderr, "isatty", lambda: terminal)
    monkeypatch.setattr(sit_cli.time, "monotonic", lambda: now[0])
    ticker = sit_cli.Ticker()
    for later, answered, errors in ((0.05, 1, 0), (0.06, 2, 0), (40.0, 5, 1), (0.01, 6, 1)):
        now[0] += later
        ticker.show(Progress(total=100, before=40, answered=answered, errors=errors, seconds=2.0))
    ticker.end()
    told = capsys.readouterr()
    assert told.out == ""
    last = "46/100 units, 3.0/s, 0:18 left, 1 error"
    if terminal:
        begin = "\r\033[K"
        assert told.err == f"{begin}42/100 units, 1.0/s, 0:58 left{begin}{last}{begin}"
    else:
        assert told.err == f"readmark: {last}\n"
