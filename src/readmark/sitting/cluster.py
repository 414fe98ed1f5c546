"""Workers on the nodes of a Ray cluster: the same worker processes, reached through actors.

An actor starts a worker process on its node and relays what the two sides send each other: a
candidate that crashes, hangs or writes where it should not costs no more than on one machine. An
actor that is lost, with its node or by itself, is replaced: the units that it had in hand are asked
again, each alone, and a unit that is in hand a second time is an error row.
"""

from __future__ import annotations

import functools
import logging
import os
import pickle
import secrets
import shutil
import signal
import socket
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from typing import Any, TypeVar

import msgspec

from readmark.core.candidate_run import Run
from readmark.core.configuration import configuration
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.extras import require
from readmark.core.kinds import kind_named
from readmark.core.processes import AHEAD, ordered_map, pickled_outcome, unpacked
from readmark.core.progress import Tell
from readmark.core.sitting import SittingHeader
from readmark.sitting.candidates import CANDIDATES, make_ready
from readmark.sitting.messages import Begin, End, Fatal, FromWorker, Repeat, TaskMessage
from readmark.sitting.settings import ENGINES
from readmark.sitting.workers import GRACE, MOST_DEATHS, POLL, TERM_GRACE, Pipes

LOCAL = "local"
OBJECTS = 100 * 2**20
"""Bytes of shared memory of a cluster that is started here: only messages pass through it."""
PATIENCE = 15.0
"""Seconds that an actor may take to start before the user hears that it is waited for."""
ATTEMPTS = "RAY_gcs_server_port_wait_time_s"
"""The variable that says how often Ray tries to connect, a second apart."""

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Ray cluster, and what each worker takes of it.

    ``address`` is that of a running cluster, such as ``auto`` or ``10.0.0.1:6379``; without it
    ``RAY_ADDRESS`` says so, and without that a cluster of this machine alone is started and ended
    with the sitting. ``batch`` is how many records a worker is sent ahead of need.
    """

    address: str | None = None
    cpus: float = 1.0
    gpus: float = 0.0
    batch: int = 8

    def __post_init__(self) -> None:
        for name in ("cpus", "gpus"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise UsageError(f"`{name}` {getattr(self, name):g} is not 0 or more")
        if self.batch < 1:
            raise UsageError(f"`batch` {self.batch} is less than 1")
        if (self.address or "").startswith("ray://"):
            raise UsageError(
                f"`address` {self.address}: a Ray client cannot sit; run readmark on a node of the "
                "cluster, or submit it with `ray job submit`"
            )

    @contextmanager
    def connect(self, tell: Tell) -> Iterator[ConnectedCluster]:
        """The cluster for as long as the block takes; one that is connected already stays so."""
        address = self.address or os.environ.get("RAY_ADDRESS") or LOCAL
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report to its makers
        if address != LOCAL:  # at 20 a wrong token warns as often
            os.environ.setdefault("RAY_NUM_REDIS_GET_RETRIES", "3")
        if address == LOCAL and "ray" not in sys.modules:
            _set_token()
        require("ray")
        import ray

        if ray.is_initialized():
            yield ConnectedCluster(ray, self, tell)
            return
        try:
            with _few_attempts(address), _signals_postponed() as postponed:
                context = ray.init(address, **_options(address))
        except ReadmarkError:
            raise
        except Exception as error:
            raise ReadmarkError(
                f"no Ray cluster at {address}, or its token is another one: {_line(error)}"
            ) from error
        try:
            for number in postponed:
                signal.raise_signal(number)
            yield ConnectedCluster(ray, self, tell, own=address == LOCAL)
        finally:
            ray.shutdown()
        if address == LOCAL:  # its logs are of use only after an error
            shutil.rmtree(context.address_info["session_dir"], ignore_errors=True)

    @property
    def share(self) -> str:
        """What a worker takes, in words."""
        parts = [
            f"{count:g} {name}{'' if count == 1 else 's'}"
            for name, count in (("CPU", self.cpus), ("GPU", self.gpus))
            if count
        ]
        return " and ".join(parts) or "room"


def as_cluster(engine: str | Cluster) -> Cluster | None:
    """The cluster of an engine, as readmark.toml has it; None for this machine's workers."""
    if isinstance(engine, Cluster):
        return engine
    if engine not in ENGINES:
        raise UsageError(f"unknown `engine` {engine!r}: {' or '.join(ENGINES)}")
    if engine == "local":
        return None
    ray = configuration().ray
    return Cluster(ray.address, ray.cpus, ray.gpus, ray.batch)


def map_with_workers(
    function: Callable[[Item], Result],
    items: Iterable[Item],
    *,
    workers: int,
    engine: str | Cluster,
) -> Generator[Result, None, None]:
    """``map`` in the order of the items, by processes of this machine or on a cluster."""
    cluster = as_cluster(engine)
    if cluster is None:
        yield from ordered_map(function, items, workers=workers)
        return
    if workers > 1:
        raise UsageError("`workers` are of this machine: a Ray cluster is used with all its CPUs")
    with cluster.connect(
        lambda message: print(f"readmark: {message}", file=sys.stderr)
    ) as connection:
        yield from connection.ordered_map(function, items)


def _options(address: str) -> dict[str, Any]:
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == LOCAL:
        options |= {"include_dashboard": False, "object_store_memory": OBJECTS}
        options |= {"_node_ip_address": "127.0.0.1"}
    return options


@contextmanager
def _few_attempts(address: str) -> Iterator[None]:
    """Have Ray give up soon: it would try for a quarter of an hour where nothing listens.

    A token that is refused it would try twenty times.
    """
    require("ray")
    from ray._private import services

    if address == LOCAL or "://" in address:
        yield
        return
    found = services.canonicalize_bootstrap_address(address)
    host, _, port = found.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
    except OSError as error:
        named = found if address == "auto" else address
        variable = " in RAY_ADDRESS" if address == os.environ.get("RAY_ADDRESS") else ""
        raise ReadmarkError(
            f"no Ray cluster answers at {named}{variable} ({error.strerror or error})"
        ) from None
    attempts = os.environ.get(ATTEMPTS)
    os.environ[ATTEMPTS] = attempts or "2"
    try:
        yield
    finally:
        if attempts is None:  # a cluster that is started here later on has its own time
            del os.environ[ATTEMPTS]


@contextmanager
def _signals_postponed() -> Iterator[list[signal.Signals]]:
    """Note Ctrl-C while Ray starts, which it may not survive; a second one is not postponed.

    Ray's own handler of SIGTERM exits, and would not close a journal later on.
    """
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    noted: list[signal.Signals] = []
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)}

    def note(*_: object) -> None:
        noted.append(signal.SIGINT)
        signal.signal(signal.SIGINT, before[signal.SIGINT])

    if callable(before[signal.SIGINT]):
        signal.signal(signal.SIGINT, note)
    ended = False
    try:
        yield noted
    except SystemExit:
        ended = True
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    if ended:
        signal.raise_signal(signal.SIGTERM)


def _set_token() -> None:
    """A cluster that is started here takes orders from this process alone.

    Ray's ports are open to all who reach the machine, and whoever reaches one can run code. Ray
    reads this once, when it is imported, so it stays.
    """
    if "RAY_AUTH_MODE" not in os.environ:
        os.environ.update(RAY_AUTH_MODE="token", RAY_AUTH_TOKEN=secrets.token_hex(32))


class ConnectedCluster:
    """A connected cluster."""

    def __init__(self, ray: Any, cluster: Cluster, tell: Tell, *, own: bool = False) -> None:
        self._ray = ray
        self._cluster = cluster
        self._tell = tell
        self._own = own
        """Whether it was started here, so that no other machine can join it."""
        self._waits = False

    def room(self) -> int:
        """How many workers the nodes have room for, were there nothing else on them."""
        share = {"CPU": self._cluster.cpus, "GPU": self._cluster.gpus}
        nodes = [node["Resources"] for node in self._ray.nodes() if node["Alive"]]
        room = sum(
            min(int(node.get(name, 0) // much) for name, much in share.items() if much)
            if any(share.values())
            else 1
            for node in nodes
        )
        if not room and self._own:
            raise UsageError(f"this machine does not have {self._cluster.share} for a worker")
        if not room:
            self._tell(f"no node of the Ray cluster has {self._cluster.share}: waiting for one")
        return max(1, room)

    def checked(self, header: SittingHeader, begin: Begin) -> SittingHeader:
        """The header of a sitting, with what the candidate is on a node that has GPUs.

        The driver then did not prepare it. Without GPUs it is the same everywhere, and workers see
        that it is.
        """
        if not self._cluster.gpus:
            return header
        task = self._ray.remote(max_calls=1, **self._share())(signature_of)
        try:
            found, failure = self._ray.get(task.remote(msgspec.msgpack.encode(begin)))
        except self._ray.exceptions.RayError as error:
            raise ReadmarkError(_line(error)) from error
        if failure:
            raise ReadmarkError(failure)
        return msgspec.structs.replace(header, signature={**header.signature, **found})

    def open_line(self, begin: Begin, is_needed: Callable[[], bool]) -> ActorLine | None:
        """Start an actor with a worker, and wait for it as long as it is needed."""
        options = {"max_concurrency": 2, "scheduling_strategy": "SPREAD", **self._share()}
        # A worker without its actor ends itself and what its candidate started, Ray only itself.
        options["runtime_env"] = {"env_vars": {"RAY_kill_child_processes_on_worker_exit": "0"}}
        since, failures = monotonic(), 0
        actor = node = None
        while is_needed():
            if actor is None:
                actor = self._ray.remote(**options)(Relay).remote(msgspec.msgpack.encode(begin))
                node = actor.node.remote()
            if self._ray.wait([node], timeout=POLL)[0]:
                try:
                    return ActorLine(self._ray, actor, self._ray.get(node))
                except self._ray.exceptions.RayError as error:
                    actor, failures = None, failures + 1
                    has_failed = getattr(error, "actor_init_failed", False)
                    if has_failed or failures >= MOST_DEATHS:
                        raise ReadmarkError(f"no Ray actor can start: {_line(error)}") from error
                    sleep(failures)  # memory of what was just killed may not be free yet
            if monotonic() > since + PATIENCE:
                since = monotonic()
                if not any(node["Alive"] for node in self._ray.nodes()):
                    raise ReadmarkError(
                        "the Ray cluster has lost its last node; run the command again to resume"
                    )
                if not self._waits:
                    self._waits = True
                    self._tell(
                        f"waiting for room in the Ray cluster: {self._cluster.share} a worker"
                    )
        if actor is not None:
            self._ray.kill(actor)
        return None

    def ordered_map(
        self, function: Callable[[Item], Result], items: Iterable[Item]
    ) -> Generator[Result, None, None]:
        """``map`` by tasks on all nodes, as `core.processes.ordered_map` has it for processes.

        A task that is lost with its node is done again elsewhere.
        """
        task = self._ray.remote(scheduling_strategy="SPREAD", **self._share())(outcome_of_shared)
        shared = [self._ray.put(function)]  # in a list: a task would get the function itself
        most = AHEAD * self.room()
        failed: Exception | None = None
        waiting: deque[Any] = deque()
        source = iter(items)
        while True:
            while failed is None and len(waiting) < most:
                try:
                    waiting.append(task.remote(shared, next(source)))
                except StopIteration:
                    break
                except Exception as error:
                    failed = error
            if not waiting:
                break
            try:
                outcome = self._ray.get(waiting.popleft())
            except self._ray.exceptions.RayError as error:
                raise ReadmarkError(f"a task on the Ray cluster failed: {_line(error)}") from error
            yield unpacked(pickle.loads(outcome))
        if failed is not None:
            raise failed

    def _share(self) -> dict[str, float]:
        return {"num_cpus": self._cluster.cpus, "num_gpus": self._cluster.gpus}


class RelayedMessages(msgspec.Struct):
    """What an actor has for the driver: messages of its worker, or that there will be none."""

    messages: list[FromWorker]
    over: bool = False
    silent: bool = False
    failure: str = ""


class ActorLine:
    """The line to a worker process of another machine, by way of an actor there."""

    def __init__(self, ray: Any, actor: Any, node: str) -> None:
        self.silent = self.lost = False
        self._ray = ray
        self._actor, self._node = actor, node
        self._unsent: list[Repeat | TaskMessage | End] = []
        self._messages: deque[Any] = deque()
        self._over = False
        self._failure = ""

    def send(self, message: Repeat | TaskMessage | End) -> None:
        """Send with the next look for messages."""
        self._unsent.append(message)

    def receive(self, seconds: float | None) -> Any:
        """The next message, or None: the worker or the actor is gone, or so long ``silent``."""
        while not self._messages and not self._over:
            self._exchange(seconds)
        if not self._messages:
            return None
        message = self._messages.popleft()
        if isinstance(message, Fatal):
            return Fatal(_on_node(message.message, self._node))
        return message

    def failure(self) -> str:
        """Why the worker or its actor did not end well."""
        return self._failure

    def end(self, *, wait: bool) -> None:
        """End the worker, then its actor."""
        if not self.lost:
            with suppress(self._ray.exceptions.RayError):
                self._ray.get(self._actor.end.remote(wait), timeout=2 * GRACE + TERM_GRACE)
        self._ray.kill(self._actor)

    def stop(self) -> None:
        """Have the worker killed, so that whoever receives is done."""
        self._actor.stop.remote()

    def _exchange(self, seconds: float | None) -> None:
        data = msgspec.msgpack.encode(self._unsent)
        self._unsent = []
        try:
            found = self._ray.get(self._actor.exchange.remote(data, seconds))
        except self._ray.exceptions.RayError as error:  # no actor's where memory ran out on a node
            self.lost = self._over = True
            self._failure = f"its Ray actor died twice: {_line(error)}"
        else:
            reply = msgspec.msgpack.decode(found, type=RelayedMessages)
            self._messages.extend(reply.messages)
            self._over, self.silent, self._failure = reply.over, reply.silent, reply.failure


def _line(error: BaseException) -> str:
    """The line of an error of Ray's that says most: the last of a traceback, else the first."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    if not lines:
        return type(error).__name__
    return lines[-1] if any(line.startswith("File ") for line in lines) else lines[0]


def _on_node(message: str, node: str) -> str:
    return (
        f"{message} (on node {node}: the candidate with its plug-ins and files has to be on every "
        "node)"
    )


# What runs on the nodes.


class Relay:
    """An actor: it has a worker process, and passes on what the driver and the worker send.

    One thread exchanges, and another may end the worker meanwhile.
    """

    def __init__(self, begin: bytes) -> None:
        self._pipes = Pipes(_here(begin))

    def node(self) -> str:
        """The name of the machine, once the actor is there."""
        return socket.gethostname()

    def exchange(self, sent: bytes, seconds: float | None) -> bytes:
        """Send messages, wait for one, and return it with those that have come meanwhile."""
        pipes = self._pipes
        for message in msgspec.msgpack.decode(sent, type=list[Repeat | TaskMessage | End]):
            pipes.send(message)
        first = pipes.receive(seconds)
        if first is not None:
            return msgspec.msgpack.encode(RelayedMessages([first, *pipes.received()]))
        failure = "" if pipes.silent else pipes.failure()
        return msgspec.msgpack.encode(RelayedMessages([], True, pipes.silent, failure))

    def stop(self) -> None:
        """Kill the worker and what it started."""
        self._pipes.stop()

    def end(self, wait: bool) -> None:
        """End the worker and what it started."""
        self._pipes.end(wait=wait)


def signature_of(begin: bytes) -> tuple[dict[str, Any], str]:
    """The signature of a candidate that is made here, or why it cannot be made."""
    wanted = _here(begin)
    sys.path[:] = wanted.path
    kind = kind_named(wanted.kind)
    try:
        name, candidate = CANDIDATES.build(wanted.candidate)
        run = Run(materials=wanted.materials, languages=wanted.languages)
        made = make_ready(str(name), candidate, kind, wanted.language, run)
    except ReadmarkError as error:
        return {}, _on_node(str(error), socket.gethostname())
    return made, ""


def outcome_of_shared(shared: list[Any], item: Any) -> bytes:
    """The outcome of a function that all tasks share, with an item."""
    return pickled_outcome(_function_at(shared[0]), item)


@functools.lru_cache(maxsize=1)
def _function_at(reference: Any) -> Callable[[Any], Any]:
    """Fetched once by a process, so that it keeps what the function has loaded."""
    require("ray")
    import ray

    function: Callable[[Any], Any] = ray.get(reference)
    return function


def _here(begin: bytes) -> Begin:
    """What a worker begins with on this node: folders that only the driver has come last."""
    wanted = msgspec.msgpack.decode(begin, type=Begin)
    more = [path for path in wanted.path if path not in sys.path and Path(path).exists()]
    return msgspec.structs.replace(wanted, path=[*sys.path, *more])
