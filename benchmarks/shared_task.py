"""A shared task from end to end, under load, with kills, and with hostile files.

Run: python benchmarks/shared_task.py --end-to-end [--db sqlite|postgres|both]
     python benchmarks/shared_task.py --load [--kills 10] [--db …]
     python benchmarks/shared_task.py --hostile [--db …]

--end-to-end: an organiser publishes XQuAD (English, a public dev and a hidden test split), three
teams submit real predictions by a form, by `readmark submit` and through the API, Readmark's own
readers sit as baselines. Every mark, p-value and the order of the board are compared with
`readmark mark`, `compare` and `table` on the same files.
--load: 100 submissions of 3,000 answers arrive within a minute. Each row of the board is compared
with `readmark mark`. With --kills, servers and workers are killed (SIGKILL) meanwhile and started
again; clients repeat what was not acknowledged.
--hostile: files that loop, take memory or are no data, among good ones.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import random
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import msgspec
from hall import database as new_database
from sqlalchemy import func, select

import readmark
from readmark.core.ending import end_on_signals
from readmark.core.hidden_marks import rounded_mark, rounded_p
from readmark.server.access import COOKIE, Hall, Scope
from readmark.server.api_tokens import create_token
from readmark.server.shipped import shipped_configuration
from readmark.server.start import open_hall
from readmark.server.tables import (
    Job,
    LoginSession,
    Membership,
    Person,
    Project,
    Submission,
    Team,
    TeamMember,
)

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
SLUG = "task"
SUBMISSIONS, QUESTIONS, ARRIVAL, ALLOWED = 100, 3000, 60.0, 300.0
METRICS = ("em", "f1")
BASELINES = ("lead", "longest_overlap", "bow")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(readmark.__file__).resolve().parents[1])}
"""So that every process runs this copy of Readmark."""
PATIENT = readmark.ClientLimits(attempts=60, first_wait=0.2, longest_wait=2.0, silence=30.0)


# A hall in processes of its own, which can be killed.


class HallProcess:
    """A server or a worker: `readmark …` in a folder."""

    def __init__(self, role: str, folder: Path, *args: str) -> None:
        self.role = role
        self._folder = folder
        self._command = [sys.executable, "-m", "readmark", *args]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, or start it again."""
        with (self._folder / f"{self.role}.log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command,
                cwd=self._folder,
                env=ENVIRONMENT,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )

    @property
    def pids(self) -> list[int]:
        """The process and what it has started."""
        if self._process is None or self._process.poll() is not None:
            return []
        return [self._process.pid, *children(self._process.pid)]

    def kill(self) -> list[int]:
        """End it as a power cut would; the processes that it had started."""
        assert self._process is not None
        started = self.pids[1:]
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
        return started

    def terminate(self) -> None:
        """End it as an operator does."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(30)


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        try:
            found += [int(child) for child in path.read_text().split()]
        except OSError:
            continue
    return found


def resident(pid: int) -> int:
    """Bytes of memory that a process takes now; 0 if it has ended."""
    try:
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) << 10
    except OSError:
        pass
    return 0


def processor_seconds(pid: int) -> float:
    """Processor time of a process and of those that it has started and that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


class Usage:
    """The most memory that each role has taken, and all of them at a time; and processor time."""

    def __init__(self, processes: Sequence[HallProcess]) -> None:
        self.peaks: Counter[str] = Counter()
        self._processor: dict[int, float] = {}
        self._processes = processes
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def _watch(self) -> None:
        while not self._stop.wait(0.2):
            total = 0
            for process in self._processes:
                for number, pid in enumerate(process.pids):
                    size = resident(pid)
                    if number == 0:
                        self._processor[pid] = processor_seconds(pid)
                    role = process.role if number == 0 else "marking process"
                    self.peaks[role] = max(self.peaks[role], size)
                    total += size
            self.peaks["all together"] = max(self.peaks["all together"], total)

    def __enter__(self) -> Usage:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def __str__(self) -> str:
        peaks = ", ".join(f"{role} {size >> 20} MiB" for role, size in self.peaks.items())
        return f"{peaks}; processor time {sum(self._processor.values()):.0f} s"


@dataclass
class Scene:
    """A hall with an organiser and teams."""

    url: str
    folder: Path
    hall: Hall
    port: int
    organiser: str = ""
    """The organiser's token."""
    teams: dict[str, str] = field(default_factory=dict)
    """The token of each team."""
    sessions: dict[str, str] = field(default_factory=dict)
    processes: list[HallProcess] = field(default_factory=list)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def page(self) -> str:
        return f"{self.address}/tasks/{SLUG}"

    def client(self, team: str = "") -> readmark.Client:
        token = self.teams[team] if team else self.organiser
        return readmark.Client(self.address, token, limits=PATIENT)

    def run(self, *, markers: int = 1, workers: int = 0, job_seconds: float = 120.0) -> None:
        """Start a server, and workers."""
        db, port = ("--db", self.url), ("--port", str(self.port))
        serve = ("serve", *db, *port, "--markers", str(markers))
        self.processes = [HallProcess("server", self.folder, *serve)]
        self.processes += [
            HallProcess(
                "worker", self.folder, "hall", "worker", *db, "--job-seconds", str(job_seconds)
            )
            for _ in range(workers)
        ]
        for process in self.processes:
            process.start()
        self.wait_until_up()

    def wait_until_up(self) -> None:
        while True:
            with closing(socket.socket()) as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.1)

    def add_people(self, teams: Sequence[str]) -> None:
        """An organiser, and a person with a token for each team, straight into the tables."""
        with self.hall.database.writing() as session:
            owner = Person(login="olga", name="Olga", password="!", is_owner=True)
            session.add(owner)
            session.flush()
            scopes = [Scope.READ, Scope.ORGANISE, Scope.SUBMIT]
            self.organiser = create_token(
                session, self.hall, owner.id, name="run", scopes=scopes, days=1
            )[1]
            for name in teams:
                person = Person(login=name.lower(), name=name, password="!")
                session.add(person)
                session.flush()
                scopes = [Scope.READ, Scope.SUBMIT]
                self.teams[name] = create_token(
                    session, self.hall, person.id, name="run", scopes=scopes, days=1
                )[1]
                self.sessions[name] = secret = secrets.token_urlsafe(32)
                expires = time.time() + 86_400
                session.add(
                    LoginSession(
                        secret=self.hall.hashed(secret), person_id=person.id, expires=expires
                    )
                )

    def publish(self, test: Path, **options: Any) -> None:
        """The organiser publishes the task with one request, and invites the teams."""
        configuration = shipped_configuration("shared_task").partition("[options]")[0]
        lines = [f"{name} = {json.dumps(value)}" for name, value in options.items()]
        configuration += "[options]\n" + "\n".join(lines) + "\n"
        reply = httpx.post(
            f"{self.address}/api/projects",
            headers={"authorization": f"Bearer {self.organiser}"},
            data={"slug": SLUG},
            files={
                "test": (test.name, test.read_bytes()),
                "configuration": ("task.toml", configuration.encode()),
            },
            timeout=120,
        )
        assert reply.status_code == 201, reply.text
        with self.hall.database.writing() as session:
            project = session.scalars(select(Project).where(Project.slug == SLUG)).one()
            for name in self.teams:
                person = session.scalars(select(Person).where(Person.name == name)).one()
                session.add(team := Team(project_id=project.id, name=name))
                session.flush()
                ids = {"project_id": project.id, "person_id": person.id}
                session.add(TeamMember(**ids, team_id=team.id))
                session.add(Membership(**ids, role="team"))

    def counts(self) -> Counter[str]:
        """How many submissions are in each state, and jobs that are left."""
        with self.hall.database.reading() as session:
            states = session.execute(
                select(Submission.state, func.count()).group_by(Submission.state)
            )
            found = Counter({row[0]: row[1] for row in states})
            jobs = select(func.count()).where(Job.state.in_(("waiting", "running")))
            found["jobs"] = session.scalar(jobs) or 0
            return found

    def wait_for_marks(self, submissions: int, *, seconds: float) -> None:
        """Wait until that many submissions are marked or failed and nothing is left to do."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            counts = self.counts()
            if counts["marked"] + counts["failed"] >= submissions and not counts["jobs"]:
                return
            time.sleep(0.5)


@contextmanager
def scene(kind: str, teams: Sequence[str]) -> Iterator[Scene]:
    """A new hall on one kind of database."""
    with (
        tempfile.TemporaryDirectory(prefix="readmark-shared-") as folder,
        new_database(kind, folder) as url,
    ):
        hall: Hall = open_hall(url, folder=Path(folder)).state.hall
        with closing(socket.socket()) as free:
            free.bind(("127.0.0.1", 0))
            port = int(free.getsockname()[1])
        made = Scene(url, Path(folder), hall, port)
        made.add_people(teams)
        try:
            yield made
        finally:
            for process in made.processes:
                process.terminate()
            hall.database.close()


def fail_unless(holds: bool, words: str, problems: list[str]) -> None:
    """Print what was checked, and note what does not hold."""
    print(f"  {'ok' if holds else 'WRONG'}: {words}")
    if not holds:
        problems.append(words)


# From end to end.


def command(*args: str | os.PathLike[str]) -> Any:
    """What a command of Readmark prints with --json."""
    line = [sys.executable, "-m", "readmark", *map(os.fspath, args), "--json"]
    done = subprocess.run(line, env=ENVIRONMENT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def end_to_end(kind: str) -> bool:
    """A shared task as teams see it; whether everything is equal to the command line."""
    print(f"{kind}: a shared task from end to end")
    problems: list[str] = []
    predictions = DATA / "squad_predictions"
    with scene(kind, ("Alpha", "Beta", "Gamma")) as task, tempfile.TemporaryDirectory() as own:
        test = Path(own) / "xquad.jsonl"
        command(
            *("set", "split", DATA / "xquad" / "en.json", "--proportions", "dev=40,test=60"),
            *("--hidden", "test", "-o", test),
        )
        task.run(markers=2)
        task.publish(test, per_day=10, ladder=False)
        submit_by_form(task, "Alpha", predictions / "logistic_regression_baseline.json")
        done = subprocess.run(
            [
                *(sys.executable, "-m", "readmark", "submit", task.page),
                *(str(predictions / "match-lstm_with_ans-ptr.json"), "--description", "Match-LSTM"),
            ],
            env={**ENVIRONMENT, "READMARK_TOKEN": task.teams["Beta"]},
            capture_output=True,
            text=True,
        )
        print(done.stdout.rstrip())
        fail_unless(done.returncode == 0, "readmark submit printed the marks", problems)
        sat = task.client("Gamma").sit(SLUG, "span", system="span")
        print(f"  through the API: {sat.answered} of {sat.units} units answered by span")
        organiser = {"authorization": f"Bearer {task.organiser}"}
        for candidate in BASELINES:
            reply = httpx.post(
                f"{task.address}/api/projects/{SLUG}/baselines",
                headers=organiser,
                json={"candidate": candidate},
                timeout=60,
            )
            assert reply.status_code == 201, reply.text
        task.wait_for_marks(3 + len(BASELINES), seconds=600)
        client = task.client()
        board = client.board(SLUG)
        print(board)
        compare_with_commands(task, board.document, test, Path(own), problems)
    print(f"{kind}: {problems or 'everything is equal'}")
    return not problems


def submit_by_form(task: Scene, team: str, file: Path) -> None:
    """What a browser sends, without a browser."""
    reply = httpx.post(
        f"{task.page}/submissions",
        cookies={COOKIE: task.sessions[team]},
        headers={"origin": task.address},
        data={"system": file.stem},
        files={"file": (file.name, file.read_bytes())},
        timeout=60,
    )
    assert reply.status_code == 303, reply.text


def compare_with_commands(
    task: Scene, board: Any, test: Path, folder: Path, problems: list[str]
) -> None:
    """Each mark, each p-value, and the order of the board against the command line."""
    names = [split["name"] for split in board["splits"]]
    files, sheets = {}, []
    for row in board["rows"]:
        files[row["submission"]] = file = answers_file(task, row["submission"], folder)
        for split in names:
            sheet = folder / f"{row['submission']}-{split}.jsonl"
            metrics = [part for metric in row["splits"][split]["marks"] for part in ("-m", metric)]
            own = command(
                *("mark", test, file, "--split", split, "--no-units", "-o", sheet, *metrics)
            )
            shown = row["splits"][split]["marks"]
            expected = released(own["marks"], split, own["units"])
            equal = expected == {name: _numbers(mark) for name, mark in shown.items()}
            words = ", ".join(f"{name} {own['marks'][name]['score']:.2f}" for name in METRICS)
            fail_unless(equal, f"{row['system']} on {split}: {words} as readmark mark", problems)
            sheets.append(f"{split}={sheet}")
    for better, worse in zip(board["rows"], board["rows"][1:], strict=False):
        metric, split = board["order"]["metric"], board["order"]["split"]
        found = command(
            *("compare", test, files[worse["submission"]], files[better["submission"]]),
            *("-m", metric, "--split", split, "--errors-as-wrong"),
        )["comparisons"][0]
        same = rounded_p(found["p"]) == better["next"]["p"]
        pair = f"{better['system']} against {worse['system']}"
        fail_unless(same, f"{pair}: p = {found['p']:.4f} as readmark compare", problems)
    standings = command("table", *sheets)["rows"]
    order = {entry["name"]: entry["mean"] for entry in standings}
    ranked = {
        row["system"]: row["splits"]["test"]["marks"]["average"]["score"] for row in board["rows"]
    }
    fail_unless(
        list(order) == list(ranked)
        and all(abs(order[name] - ranked[name]) < 0.2 for name in order),  # rounded to one unit
        f"the order of readmark table: {', '.join(order)}",
        problems,
    )


def released(marks: Mapping[str, Any], split: str, units: int) -> dict[str, tuple[Any, ...]]:
    """The numbers that a board has of marks: those of the hidden split are rounded."""
    return {
        name: _numbers(rounded_mark(mark, units) if split == "test" else mark)
        for name, mark in marks.items()
    }


def _numbers(mark: Any) -> tuple[Any, ...]:
    return tuple(mark[name] for name in ("score", "low", "high"))


def answers_file(task: Scene, submission: str, folder: Path) -> Path:
    """The answers of a submission as the hall has them."""
    reply = httpx.get(
        f"{task.address}/api/tasks/{SLUG}/submissions/{submission}/answers",
        headers={"authorization": f"Bearer {task.organiser}"},
        timeout=60,
    )
    assert reply.status_code == 200, reply.text
    name = reply.headers["content-disposition"].partition('filename="')[2].rstrip('"')
    (place := folder / submission).mkdir()
    (file := place / (name or "answers.json")).write_bytes(reply.content)
    return file


# Under load.


def load_test(path: Path) -> None:
    """A test of 3,000 questions of CMRC 2018, of which 500 are public."""
    whole, count, records = readmark.load(DATA / "cmrc2018" / "train.json.gz"), 0, []
    for record in whole.records():
        split = "dev" if count < QUESTIONS // 6 else "test"
        records.append(msgspec.structs.replace(record, split=split))
        count += len(record.questions)
        if count >= QUESTIONS:
            break
    header = msgspec.structs.replace(whole.header, name="load", hidden=("test",))
    readmark.save(readmark.in_memory(header, records), path)


def write_predictions(test: Path, folder: Path, count: int) -> list[Path]:
    """Files of answers of more and more able systems."""
    units = [
        (unit.id, unit.key.answers[0].text, unit.record.text)
        for unit in readmark.load(test).units()
    ]
    files = []
    for number in range(count):
        chance, ability = random.Random(number), 0.3 + 0.5 * number / count
        answers = {}
        for id, gold, text in units:
            start = chance.randrange(len(text))
            is_right = chance.random() < ability
            answers[id] = gold if is_right else text[start : start + len(gold) + 2]
        (file := folder / f"system-{number:03}.json").write_text(
            json.dumps(answers, ensure_ascii=False), encoding="utf-8"
        )
        files.append(file)
    return files


def own_marks(job: tuple[str, str]) -> dict[str, Any]:
    """The marks of `readmark mark` on both splits."""
    test, file = job
    found = {}
    for split in ("dev", "test"):
        marks = readmark.mark(readmark.load(test, split=split), file, classes=False)
        found[split] = released(marks.as_json()["marks"], split, marks.units)
    return found


class Killer:
    """Kills a server or a worker at random moments, and starts it again."""

    def __init__(self, task: Scene, kills: int, seconds: float) -> None:
        self.killed: Counter[str] = Counter()
        self.orphans: list[int] = []
        """What the killed processes had started."""
        self._task, self._kills, self._seconds = task, kills, seconds
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        chance, began = random.Random(7), time.monotonic()
        moments = sorted(chance.uniform(2.0, self._seconds) for _ in range(self._kills))
        for number, moment in enumerate(moments):
            time.sleep(max(0.0, began + moment - time.monotonic()))
            process = self._task.processes[number % len(self._task.processes)]
            self.orphans += process.kill()
            self.killed[process.role] += 1
            process.start()

    def __enter__(self) -> Killer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.join()

    def left(self) -> int:
        """How many processes of killed ones still run."""
        return sum(resident(pid) > 0 for pid in self.orphans)


def load(kind: str, kills: int) -> bool:
    """Many submissions within a minute; whether all were marked, and marked right."""
    problems: list[str] = []
    teams = [f"Team{number}" for number in range(20)]
    with scene(kind, teams) as task, tempfile.TemporaryDirectory() as own, ExitStack() as stack:
        load_test(test := Path(own) / "load.jsonl")
        files = write_predictions(test, Path(own), SUBMISSIONS)
        task.run(markers=1, workers=1)
        task.publish(test, per_day=100, ladder=False)
        before = os.getloadavg()[0]
        usage = stack.enter_context(Usage(task.processes))
        killer = Killer(task, kills, 1.5 * ARRIVAL)
        chance, began = random.Random(1), time.monotonic()
        due = sorted(chance.uniform(0, ARRIVAL) for _ in files)
        waits: list[float] = []

        def submit(number: int) -> str:
            time.sleep(max(0.0, began + due[number] - time.monotonic()))
            client, start = task.client(teams[number % len(teams)]), time.monotonic()
            sent = client.submit(SLUG, files[number], system=files[number].stem, wait=False)
            waits.append(time.monotonic() - start)
            return sent.submission

        with killer, ThreadPoolExecutor(len(files)) as pool:
            ids = list(pool.map(submit, range(len(files))))
        arrived = time.monotonic() - began
        task.wait_for_marks(SUBMISSIONS, seconds=2 * ALLOWED)
        marked = time.monotonic() - began
        killed = ", ".join(f"{count} {role}s" for role, count in killer.killed.items()) or "none"
        print(
            f"{kind}: {SUBMISSIONS} submissions of {QUESTIONS:,} answers; killed: {killed}\n"
            f"  the last was acknowledged after {arrived:.0f} s (the slowest took "
            f"{max(waits):.1f} s), everything was marked and on the board after {marked:.0f} s\n"
            f"  peak memory: {usage}; load average {before:.1f} before, "
            f"{os.getloadavg()[0]:.1f} after, on {os.cpu_count()} cores"
        )
        counts = task.counts()
        fail_unless(marked <= ALLOWED, f"marked within {ALLOWED:.0f} s", problems)
        fail_unless(len(set(ids)) == SUBMISSIONS, "each acknowledged once", problems)
        fail_unless(counts["marked"] == SUBMISSIONS, f"all marked: {dict(counts)}", problems)
        fail_unless(sum(counts.values()) == SUBMISSIONS, "none twice, no job left", problems)
        fail_unless(killer.left() == 0, "no process of a killed one is left", problems)
        if task.url.startswith("sqlite"):  # PostgreSQL checks references itself
            fail_unless(is_clean(task), "the database is whole", problems)
        task.wait_until_up()
        check_board(task, test, files, problems)
    return not problems


def is_clean(task: Scene) -> bool:
    """Whether SQLite's file is whole: pages and references."""
    with closing(sqlite3.connect(task.url.removeprefix("sqlite:///"))) as connection:
        pages = connection.execute("PRAGMA integrity_check").fetchall()
        return pages == [("ok",)] and not connection.execute("PRAGMA foreign_key_check").fetchall()


def check_board(task: Scene, test: Path, files: Sequence[Path], problems: list[str]) -> None:
    """Whether each row is what `readmark mark` says of its file, and the order is that of it."""
    reply = httpx.get(f"{task.address}/api/tasks/{SLUG}/board?show=all", timeout=60)
    rows = {row["system"]: row for row in reply.json()["rows"]}
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        expected = list(pool.map(own_marks, [(str(test), str(file)) for file in files]))
    wrong = []
    for file, marks in zip(files, expected, strict=True):
        shown = {
            split: {name: _numbers(mark) for name, mark in part["marks"].items()}
            for split, part in rows[file.stem]["splits"].items()
        }
        wrong += [
            file.stem
            for split in marks
            if any(shown[split].get(name) != mark for name, mark in marks[split].items())
        ]
    fail_unless(
        not wrong, f"{len(files)} rows with the marks of readmark mark {wrong[:3]}", problems
    )
    means = [
        sum(expected[int(name[-3:])]["test"][metric][0] for metric in METRICS) for name in rows
    ]
    fail_unless(means == sorted(means, reverse=True), "the order is that of the marks", problems)


# Hostile files.


def hostile_files(test: Path) -> dict[str, tuple[str, bytes]]:
    """Files that try to keep a worker busy, to fill its memory, or to be no data at all."""
    ids = [unit.id for unit in readmark.load(test).units()]
    long = "长" * 3_000
    return {
        "loops": ("loops.json", json.dumps(dict.fromkeys(ids, long), ensure_ascii=False).encode()),
        "nested": ("nested.json", b"[" * 5_000_000),
        "wide": ("wide.json", b'{"x": [' + b"[]," * 8_000_000 + b"[]]}"),
        "bomb": ("bomb.json.gz", gzip.compress(b"[" + b"0," * (1 << 28) + b"0]", 9)),
        "bytes": ("bytes.json", random.Random(1).randbytes(1 << 20)),
        "empty": ("empty.json", b""),
    }


def hostile(kind: str) -> bool:
    """Good files are marked whatever comes with them."""
    problems: list[str] = []
    seconds = 20.0
    with scene(kind, ("Good", "Bad")) as task, tempfile.TemporaryDirectory() as own:
        load_test(test := Path(own) / "load.jsonl")
        good = write_predictions(test, Path(own), 6)
        task.run(markers=0, workers=2, job_seconds=seconds)
        task.publish(test, per_day=100, ladder=False)
        with Usage(task.processes) as usage:
            bad, client = {}, task.client("Bad")
            for system, (name, content) in hostile_files(test).items():
                (file := Path(own) / name).write_bytes(content)
                try:
                    bad[system] = client.submit(SLUG, file, system=system, wait=False).submission
                except readmark.ClientError as error:
                    print(f"  {system}: refused at once: {str(error)[:150]}")
            began = time.monotonic()
            sent = [
                task.client("Good").submit(SLUG, file, system=file.stem, wait=False)
                for file in good
            ]
            task.wait_for_marks(len(bad) + len(sent), seconds=300)
        print(f"{kind}: hostile files; peak memory: {usage}")
        for system, submission in bad.items():
            state = client.submission(SLUG, submission)
            shown = f"{system}: {state.state}: {state.error[:120]}"
            fail_unless(not state.is_waiting, shown, problems)
        done = [task.client("Good").submission(SLUG, entry.submission) for entry in sent]
        slowest = max((entry.marked or 1e12) - (entry.received or 0) for entry in done)
        fail_unless(
            all(entry.state == "marked" for entry in done),
            f"{len(done)} good files marked, the slowest after {slowest:.0f} s "
            f"({time.monotonic() - began:.0f} s in all)",
            problems,
        )
    return not problems


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--end-to-end", action="store_true")
    parser.add_argument("--load", action="store_true")
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--hostile", action="store_true")
    parser.add_argument("--db", choices=("sqlite", "postgres", "both"), default="both")
    options = parser.parse_args()
    end_on_signals()  # so that the processes of a hall end too
    runs: list[Callable[[str], bool]] = []
    runs += [end_to_end] if options.end_to_end else []
    runs += [lambda kind: load(kind, options.kills)] if options.load else []
    runs += [hostile] if options.hostile else []
    if not runs:
        parser.error("one of --end-to-end, --load, --hostile")
    kinds = ("sqlite", "postgres") if options.db == "both" else (options.db,)
    results = [run(kind) for run in runs for kind in kinds]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
