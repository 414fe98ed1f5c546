"""Workers on the nodes of a Ray cluster: the same worker processes, reached through actors.

An actor that is lost, with its node or by itself, is replaced: the units that it had in hand are
asked again, each alone, and a unit that is in hand a second time is an error row.
"""

from __future__ import annotations

import os
import pickle
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import monotonic, sleep
from typing import Any, TypeVar

import msgspec

from readmark.core.configuration import configuration
from readmark.core.errors import ReadmarkError, UsageError
from readmark.core.processes import AHEAD, ordered_map, unpacked
from readmark.core.progress import Tell
from readmark.core.sitting import SittingHeader
from readmark.sitting.messages import Begin
from readmark.sitting.pipes import POLL
from readmark.sitting.ray_connection import LOCAL, connected_ray, ray_error_line
from readmark.sitting.relay import ActorLine, Relay, outcome_of_shared, signature_of
from readmark.sitting.settings import ENGINES
from readmark.sitting.workers import MOST_DEATHS

PATIENCE = 15.0
"""Seconds that an actor may take to start before the user hears that it is waited for."""

Item = TypeVar("Item")
Mapped = TypeVar("Mapped")


@dataclass(frozen=True, slots=True)
class Cluster:
    """A Ray cluster, and what each worker takes of it.

    ``address`` is that of a running cluster, such as ``auto`` or ``10.0.0.1:6379``. Without it
    ``RAY_ADDRESS`` counts; without that, a cluster of this machine alone is started and ends with
    the sitting. ``batch`` is how many records a worker is sent ahead of need.
    """

    address: str | None = None
    cpus: float = 1.0
    gpus: float = 0.0
    batch: int = 8

    def __post_init__(self) -> None:
        for name in ("cpus", "gpus"):
            if not 0 <= getattr(self, name) < float("inf"):
                raise UsageError(
                    f"`{name}` {getattr(self, name):g} is not a finite number of at least 0"
                )
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
        with connected_ray(address) as (ray, is_private):
            yield ConnectedCluster(ray, self, tell, is_private=is_private)

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
    function: Callable[[Item], Mapped],
    items: Iterable[Item],
    *,
    workers: int,
    engine: str | Cluster,
) -> Generator[Mapped, None, None]:
    """``map`` in the order of the items, by processes of this machine or on a cluster."""
    cluster = as_cluster(engine)
    if cluster is None:
        yield from ordered_map(function, items, workers=workers)
        return
    if workers > 1:
        raise UsageError("`workers` is for this machine: on a Ray cluster, all CPUs are used")
    with cluster.connect(
        lambda message: print(f"readmark: {message}", file=sys.stderr)
    ) as connection:
        yield from connection.ordered_map(function, items)


def _in_ray_units(amount: float) -> int:
    """CPUs or GPUs as Ray counts them, in ten-thousandths: in floats 1 // 0.1 is 9."""
    return max(1, round(amount * 10_000)) if amount else 0


class ConnectedCluster:
    """A cluster that actors and tasks can be started on.

    A private one was started here, so that no other machine can join it.
    """

    def __init__(self, ray: Any, cluster: Cluster, tell: Tell, *, is_private: bool = False) -> None:
        self._ray = ray
        self._cluster = cluster
        self._tell = tell
        self._is_private = is_private
        self._has_told = False

    def room(self) -> int:
        """How many workers the nodes have room for, were there nothing else on them."""
        share = {"CPU": self._cluster.cpus, "GPU": self._cluster.gpus}
        room = 0
        for node in self._ray.nodes():
            if node["Alive"]:
                fits = (
                    _in_ray_units(node["Resources"].get(name, 0)) // _in_ray_units(amount)
                    for name, amount in share.items()
                    if amount
                )
                room += min(fits, default=1)  # a worker that takes nothing fits once
        if not room and self._is_private:
            raise UsageError(f"this machine does not have {self._cluster.share} for a worker")
        if not room:
            self._tell(f"no node of the Ray cluster has {self._cluster.share}: waiting for one")
        return max(1, room)

    def with_signature(self, header: SittingHeader, begin: Begin) -> SittingHeader:
        """The header of a sitting, with the candidate's signature from a node if that needs a GPU.

        Then this process has not prepared the candidate. Without GPUs the signature is the same
        everywhere, which workers check.
        """
        if not self._cluster.gpus:
            return header
        task = self._ray.remote(max_calls=1, **self._share())(signature_of)
        try:
            signature, failure = self._ray.get(task.remote(msgspec.msgpack.encode(begin)))
        except self._ray.exceptions.RayError as error:
            raise ReadmarkError(ray_error_line(error)) from error
        if failure:
            raise ReadmarkError(failure)
        return msgspec.structs.replace(header, signature={**header.signature, **signature})

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
                        raise ReadmarkError(
                            f"no Ray actor can start: {ray_error_line(error)}"
                        ) from error
                    sleep(failures)  # memory of what was just killed may not be free yet
            if monotonic() > since + PATIENCE:
                since = monotonic()
                if not any(machine["Alive"] for machine in self._ray.nodes()):
                    raise ReadmarkError(
                        "the Ray cluster has lost its last node; run the command again to resume"
                    )
                if not self._has_told:
                    self._has_told = True
                    self._tell(
                        f"waiting for room in the Ray cluster: {self._cluster.share} a worker"
                    )
        if actor is not None:
            self._ray.kill(actor)
        return None

    def ordered_map(
        self, function: Callable[[Item], Mapped], items: Iterable[Item]
    ) -> Generator[Mapped, None, None]:
        """``map`` by tasks on all nodes, as `core.processes.ordered_map` has it for processes.

        A task that is lost with its node is done again elsewhere.
        """
        task = self._ray.remote(scheduling_strategy="SPREAD", **self._share())(outcome_of_shared)
        shared = [self._ray.put(function)]  # in a list: a task would get the function itself
        most = AHEAD * self.room()
        failure: Exception | None = None
        running: deque[Any] = deque()
        source = iter(items)
        while True:
            while failure is None and len(running) < most:
                try:
                    running.append(task.remote(shared, next(source)))
                except StopIteration:
                    break
                except Exception as error:  # raised after the results of the items before it
                    failure = error
            if not running:
                break
            try:
                outcome = self._ray.get(running.popleft())
            except self._ray.exceptions.RayError as error:
                raise ReadmarkError(
                    f"a task on the Ray cluster failed: {ray_error_line(error)}"
                ) from error
            yield unpacked(pickle.loads(outcome))
        if failure is not None:
            raise failure

    def _share(self) -> dict[str, float]:
        return {"num_cpus": self._cluster.cpus, "num_gpus": self._cluster.gpus}
