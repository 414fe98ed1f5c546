"""The queue of jobs and its workers: nothing is done twice at a time, lost, or left behind."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update
from sqlalchemy.exc import OperationalError

from attacking_candidate import sleep_in_process
from halls import hall_in
from readmark.server.database import Database
from readmark.server.shared_tasks import job_work, jobs, marker, worker
from readmark.server.shared_tasks.job_work import JobLimits
from readmark.server.shared_tasks.jobs import (
    LEASE,
    MOST_ATTEMPTS,
    ClaimedJob,
    add_job,
    claim_job,
    finish_job,
    is_waiting,
    renew_lease,
    return_job,
)
from readmark.server.shared_tasks.options import options_of
from readmark.server.shared_tasks.submissions import NewSubmission, mark_all_again, receive
from readmark.server.shared_tasks.worker import Worker, start_workers, stop_workers
from readmark.server.tables import BoardVersion, Job, Submission, SubmissionFile, Team
from readmark.server.views import newest_configuration
from shared_task_hall import ANSWERS, TaskHall, comprehension_test, open_task

ROOT = Path(__file__).resolve().parents[2]


class Clock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self, session: object) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(jobs, "clock", made)
    return made


def claim(database: Database, name: str = "a") -> ClaimedJob | None:
    with database.writing() as session:
        return claim_job(session, name)


def add(database: Database, kind: Any = "mark", subject: str = "s") -> None:
    with database.writing() as session:
        add_job(session, kind, subject)


def finish(database: Database, job: ClaimedJob, error: str = "") -> bool:
    with database.writing() as session:
        return finish_job(session, job, error)


def states(database: Database) -> list[tuple[str, str, int]]:
    with database.reading() as session:
        rows = session.scalars(select(Job).order_by(Job.number))
        return [(row.kind, row.state, row.attempts) for row in rows]


# The queue alone, on both databases.


def test_work_that_waits_is_added_once_and_work_that_runs_is_added_again(
    either_app: Any, clock: Clock
) -> None:
    database = hall_in(either_app).database
    add(database)
    add(database)
    job = claim(database)
    assert job is not None
    assert claim(database, "b") is None
    add(database)  # what it is to see may have changed since it began
    assert states(database) == [("mark", "running", 1), ("mark", "waiting", 0)]
    assert claim(database, "b") is None, "the same work runs once at a time"
    assert finish(database, job)
    assert not finish(database, job)
    again = claim(database, "b")
    assert again is not None
    assert again.number != job.number


def test_a_lease_that_runs_out_gives_the_job_to_another_worker(
    either_app: Any, clock: Clock
) -> None:
    database = hall_in(either_app).database
    add(database)
    first = claim(database, "a")
    assert first is not None
    clock.now += LEASE - 1
    with database.writing() as session:
        assert renew_lease(session, first)
    clock.now += LEASE - 1
    assert claim(database, "b") is None, "a renewed lease holds"
    clock.now += 2
    second = claim(database, "b")
    assert second is not None
    assert (second.number, second.attempt) == (first.number, 2)
    with database.writing() as session:
        assert not renew_lease(session, first)
    assert not finish(database, first), "the first worker's result is not taken"
    assert finish(database, second)
    assert states(database) == [("mark", "done", 2)]


def test_a_clock_that_was_set_back_holds_no_job_for_long(either_app: Any, clock: Clock) -> None:
    database = hall_in(either_app).database
    add(database)
    assert claim(database, "dead") is not None
    clock.now -= 3600
    assert claim(database, "b") is not None


def test_a_job_that_was_left_makes_way_for_the_same_one_that_waits(
    either_app: Any, clock: Clock
) -> None:
    database = hall_in(either_app).database
    add(database)
    assert claim(database, "dead") is not None
    add(database)
    clock.now += LEASE + 1
    job = claim(database, "b")
    assert job is not None
    assert states(database) == [("mark", "done", 1), ("mark", "running", 1)]
    with database.writing() as session:
        return_job(session, job)
    assert states(database)[1] == ("mark", "waiting", 0), "giving a job back is no attempt"


def test_submissions_go_first_unless_a_board_has_waited_long(
    either_app: Any, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = hall_in(either_app).database
    for kind, subject in (("sit", "x"), ("board", "p"), ("people", "p"), ("mark", "y")):
        add(database, kind, subject)
    with database.writing() as session:
        session.execute(update(Job).values(created=clock.now))
    order = []
    while (job := claim(database)) is not None:
        order.append(job.kind)
        finish(database, job)
        if job.kind == "mark":
            add(database, "mark", "z") if len(order) == 1 else None
            clock.now += jobs.BOARD_DELAY + 1
    assert order == ["mark", "board", "mark", "people", "sit"]


def test_boards_that_take_long_are_made_less_often(either_app: Any, clock: Clock) -> None:
    database = hall_in(either_app).database
    add(database, "board", "p")
    job = claim(database)
    assert job is not None
    clock.now += 30  # it takes long
    finish(database, job)
    add(database, "board", "p")
    with database.writing() as session:
        session.execute(update(Job).where(Job.state == "waiting").values(created=clock.now))
    for seconds, kind in ((jobs.BOARD_DELAY + 1, "mark"), (jobs.BOARD_SHARE * 30, "board")):
        clock.now += seconds
        add(database, "mark", "y")
        job = claim(database)
        assert job is not None
        assert job.kind == kind
        finish(database, job)


@pytest.mark.parametrize("seed", range(12))
def test_any_interleaving_of_workers_does_all_work_and_none_twice_at_a_time(
    hall_app: Any, clock: Clock, seed: int
) -> None:
    """Two workers and a caller do what they like; each job is also left behind now and then."""
    database, chance = hall_in(hall_app).database, random.Random(seed)
    asked: dict[tuple[str, str], int] = defaultdict(int)
    """How often work was asked for; a run begins with a look at it."""
    seen: dict[tuple[str, str], int] = {}
    """The newest request that a finished run has seen."""
    held: dict[str, tuple[ClaimedJob, int]] = {}

    def step(move: str) -> None:
        if move == "ask":
            work = chance.choice((("mark", "s"), ("mark", "t"), ("board", "p")))
            add(database, *work)
            asked[work] += 1
        elif move == "wait":
            clock.now += chance.choice((1.0, LEASE / 2, LEASE + 1))
        elif move in held:
            job, version = held.pop(move)
            if chance.random() < 0.3:
                return  # the worker dies
            if finish(database, job):
                work = (job.kind, job.subject)
                assert seen.get(work, 0) <= version, "an older result took the place of a newer one"
                seen[work] = version
        elif (job := claim(database, move)) is not None:
            held[move] = (job, asked[job.kind, job.subject])

    for _ in range(60):
        step(chance.choice(("ask", "wait", "a", "a", "b", "b")))
        with database.reading() as session:
            running = select(func.count()).where(Job.state == "running", Job.lease >= clock.now)
            each = session.execute(running.group_by(Job.kind, Job.subject)).scalars()
            assert max(each, default=0) <= 1
    held.clear()
    clock.now += LEASE + 1
    while (job := claim(database, "last")) is not None:
        assert finish(database, job)
        seen[job.kind, job.subject] = asked[job.kind, job.subject]
    assert seen == asked, "what was asked for last was seen by a finished run"


def test_a_job_begins_after_what_it_is_to_see(either_app: Any) -> None:
    """A request that finds its job waiting must not be overtaken by the start of that job."""
    database = hall_in(either_app).database
    add(database, "board", "p")
    is_added = threading.Event()

    def change() -> None:
        with database.writing() as session:
            add_job(session, "board", "p")
            add_job(session, "mark", "change")
            is_added.set()
            time.sleep(0.3)

    changing = threading.Thread(target=change)
    changing.start()
    assert is_added.wait(10)
    job = None
    while job is None or job.kind != "board":
        job = claim(database)
    with database.reading() as session:
        assert session.scalar(select(Job.number).where(Job.kind == "mark")) is not None
    changing.join()


def test_many_workers_at_once_take_each_job_once_and_end_with_the_newest_board(
    either_app: Any,
) -> None:
    database = hall_in(either_app).database
    marks, boards, lock = 30, [], threading.Lock()
    done: list[str] = []
    for number in range(marks):
        add(database, "mark", f"s{number}")

    def work(name: str) -> None:
        idle = 0
        while idle < 5:
            job = claim(database, name)
            if job is None:
                idle += 1
                time.sleep(0.02)
                continue
            idle = 0
            if job.kind == "mark":
                with database.writing() as session:
                    assert finish_job(session, job)
                    add_job(session, "board", "p")
                with lock:
                    done.append(job.subject)
                continue
            with database.reading() as session:
                is_done = (Job.kind == "mark") & (Job.state == "done")
                count = session.scalar(select(func.count()).where(is_done))
            with lock:
                boards.append(count)
            assert finish(database, job)

    threads = [threading.Thread(target=work, args=(f"w{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(done) == sorted(f"s{number}" for number in range(marks))
    assert boards == sorted(boards)
    assert boards[-1] == marks


# Workers on a real task.


def submit(task: TaskHall, answers: bytes, system: str = "mill reader") -> str:
    person = task.people["arlo"]
    with hall_in(task.app).database.writing() as session:
        options = options_of(newest_configuration(session, task.project.id))
        team = session.get_one(Team, task.teams["Arlo"])
        new = NewSubmission(system=system, file_name="answers.json")
        return receive(session, task.project, options, team, new, answers, by=person)[0].id


def own_state(task: TaskHall, submission: str) -> tuple[str, str]:
    with hall_in(task.app).database.reading() as session:
        row = session.get_one(Submission, submission)
        return row.state, row.error


@pytest.fixture
def task(hall_app: Any, tmp_path: Path) -> TaskHall:
    made = open_task(hall_app, comprehension_test(tmp_path / "mills.jsonl"), per_day=100)
    made.add_team("Arlo")
    with hall_in(hall_app).database.writing() as session:
        session.execute(delete(Job))  # people's marks, which a new task asks for
    return made


GOOD = repr(ANSWERS).replace("'", '"').encode()


def test_what_is_marked_again_while_it_is_marked_is_marked_by_the_newest_rules(
    task: TaskHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    submission = submit(task, GOOD)
    database = hall_in(task.app).database
    real, runs = job_work.run_confined, []

    def meanwhile(work: Callable[[Any], Any], asked: Any, **options: Any) -> Any:
        if work is marker.mark_submission:
            runs.append(asked["metrics"])
            if len(runs) == 1:
                task.configure(per_day=100, metrics=["em"])
                with database.writing() as session:
                    mark_all_again(session, task.project.id)
        return work(asked) if work is not marker.mark_people else real(work, asked, **options)

    monkeypatch.setattr(job_work, "run_confined", meanwhile)
    task.work()
    assert runs == [[], ["em"]]
    with database.reading() as session:
        row = session.get_one(Submission, submission)
        assert row.state == "marked"
        assert '"f1"' not in row.marks


def fail_in_process(work: Any, asked: Any, **options: Any) -> Any:
    from readmark.core.confinement import ProcessFailed

    raise ProcessFailed("KeyError: 'burned down in 1861'", -9, "marking it")


def test_a_process_that_ends_is_tried_again_and_its_last_words_are_not_shown(
    task: TaskHall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    submission, database = submit(task, GOOD), hall_in(task.app).database
    monkeypatch.setattr(job_work, "run_confined", fail_in_process)
    for _ in range(worker.FAULTS):
        assert Worker(database).run_once()
        with database.writing() as session:
            session.execute(update(Job).where(Job.state == "running").values(lease=1.0))
    assert own_state(task, submission) == ("failed", worker.FAULT)
    assert "1861" not in caplog.text


def test_a_job_that_ends_its_workers_fails_in_the_end(task: TaskHall) -> None:
    submission, database = submit(task, GOOD), hall_in(task.app).database
    with database.writing() as session:
        session.execute(update(Job).values(attempts=MOST_ATTEMPTS))
    assert Worker(database).run_once()
    state, error = own_state(task, submission)
    assert state == "failed"
    assert "not tried again" in error


def test_a_database_that_is_away_ends_no_worker(
    task: TaskHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: list[Exception] = [
        OperationalError("x", {}, Exception("away")),
        RuntimeError("anything"),
    ]
    real = worker.has_work

    def has_work(session: Any) -> bool:
        if faults:
            raise faults.pop()
        return real(session)

    monkeypatch.setattr(worker, "has_work", has_work)
    monkeypatch.setattr(worker, "AWAY", 0.01)
    monkeypatch.setattr(worker, "POLL", 0.01)
    monkeypatch.setattr(job_work, "run_confined", lambda work, asked, **options: work(asked))
    submission = submit(task, GOOD)
    workers = start_workers(hall_in(task.app).database, 2)
    wait_until(lambda: own_state(task, submission)[0] == "marked")
    stop_workers(workers)
    assert not faults


def test_a_sitting_that_cannot_be_closed_holds_up_no_job(
    task: TaskHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    def close(database: Any) -> None:
        raise OSError("no space left")

    monkeypatch.setattr(worker, "close_overdue_sittings", close)
    monkeypatch.setattr(job_work, "run_confined", lambda work, asked, **options: work(asked))
    submission, doing = submit(task, GOOD), Worker(hall_in(task.app).database)
    with pytest.raises(OSError, match="no space"):
        doing.run_once()
    while doing.run_once():
        pass
    assert own_state(task, submission)[0] == "marked"


class Stopwatch:
    """A clock of a process that the test sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = time.monotonic()
        monkeypatch.setattr(worker.time, "monotonic", lambda: self.now)


def test_the_database_may_be_away_for_a_moment_while_a_process_works(
    task: TaskHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = hall_in(task.app).database
    submission = submit(task, GOOD)
    stopwatch = Stopwatch(monkeypatch)
    away = [True, False]
    real = worker.renew_lease

    def renew(*args: Any) -> bool:
        if away.pop(0):
            raise OperationalError("x", {}, Exception("away"))
        return real(*args)

    def working(work: Any, asked: Any, *, watch: Callable[[], None], **options: Any) -> Any:
        for _ in range(2):
            stopwatch.now += LEASE / 4
            watch()
        return work(asked)

    monkeypatch.setattr(worker, "renew_lease", renew)
    monkeypatch.setattr(job_work, "run_confined", working)
    assert Worker(database).run_once()
    assert away == []
    assert own_state(task, submission)[0] == "marked"


def test_many_short_processes_keep_the_lease_as_a_long_one_does(
    task: TaskHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board is made by several processes, each of which may end before it is looked at."""
    stopwatch, renewals = Stopwatch(monkeypatch), []

    def renew(*_: Any) -> bool:
        renewals.append(stopwatch.now)
        return True

    def short(work: Any, asked: Any, **options: Any) -> Any:
        stopwatch.now += LEASE / 6
        return {"comparisons": []}

    def refresh(database: Any, project: str, compare: Any) -> None:
        for _ in range(8):
            compare("dev", "em", [])

    monkeypatch.setattr(worker, "renew_lease", renew)
    monkeypatch.setattr(job_work, "run_confined", short)
    monkeypatch.setattr(job_work, "refresh_board", refresh)
    add(hall_in(task.app).database, "board", task.project.id)
    assert Worker(hall_in(task.app).database).run_once()
    assert len(renewals) == 4


def wait_until(holds: Callable[[], bool], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it takes too long"
        time.sleep(0.05)


def let_marking_sleep(monkeypatch: pytest.MonkeyPatch) -> None:
    """Do in the process what a hostile file might make of it."""
    paths = (ROOT / "src", ROOT / "tests", os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(map(str, paths)))
    monkeypatch.setattr(marker, "mark_submission", sleep_in_process)


def test_a_worker_that_is_stopped_gives_its_job_back(
    task: TaskHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit(task, GOOD)
    database = hall_in(task.app).database
    let_marking_sleep(monkeypatch)
    workers = start_workers(database, 1)
    wait_until(lambda: states(database)[0][1] == "running")
    stop_workers(workers)
    assert states(database) == [("mark", "waiting", 0)]


def test_a_file_that_takes_too_long_fails_alone(
    task: TaskHall, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process loops until its time is up; the submission after it is marked."""
    database = hall_in(task.app).database
    looping, good = submit(task, GOOD, "loops"), submit(task, GOOD, "good")
    with monkeypatch.context() as patched:
        let_marking_sleep(patched)
        assert Worker(database, limits=JobLimits(seconds=0.5)).run_once()
    task.work()
    assert own_state(task, looping) == ("failed", "marking it took longer than 0.5 seconds")
    assert own_state(task, good) == ("marked", "")


def children(pid: int) -> list[int]:
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return [int(child) for path in listed for child in path.read_text().split()]


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's /proc")
def test_killing_a_worker_loses_nothing_and_leaves_no_process(
    task: TaskHall, tmp_path: Path
) -> None:
    submission, database = submit(task, GOOD), hall_in(task.app).database
    process = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "readmark",
            "hall",
            "worker",
            "--db",
            f"sqlite:///{tmp_path}/hall.db",
        ],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        stderr=subprocess.DEVNULL,
    )
    marking: list[int] = []

    def is_marking() -> bool:
        marking[:] = children(process.pid)
        return bool(marking)

    try:
        wait_until(is_marking)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    wait_until(lambda: not any(_is_alive(child) for child in marking))
    assert states(database) == [("mark", "running", 1)]
    with database.writing() as session:
        session.execute(update(Job).values(lease=1.0))
    task.work()
    assert own_state(task, submission) == ("marked", "")
    assert [state for _, state, _ in states(database)] == ["done", "done"]
    with database.reading() as session:
        sheets = select(func.count()).select_from(SubmissionFile)
        assert session.scalar(sheets.where(SubmissionFile.role == "marksheet")) == 2
        assert session.scalar(select(func.count()).select_from(BoardVersion)) == 1
        assert not is_waiting(session, "mark", submission)


def _is_alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
