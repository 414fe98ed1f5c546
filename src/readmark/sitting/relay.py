"""A worker on another machine: the actor there that starts it, and the line to it from here.

The actor relays what the two sides send each other. The worker is the process of `pipes`: a
candidate that crashes, hangs or writes where it should not costs no more than on one machine.
"""

from __future__ import annotations

import functools
import socket
import sys
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.candidate_run import Run
from readmark.core.errors import ReadmarkError
from readmark.core.extras import require
from readmark.core.kinds import kind_named
from readmark.core.processes import pickled_outcome
from readmark.sitting.candidates import CANDIDATES, make_ready
from readmark.sitting.messages import Begin, End, Fatal, FromWorker, Repeat, TaskMessage
from readmark.sitting.pipes import GRACE, TERM_GRACE, Pipes
from readmark.sitting.ray_connection import ray_error_line


class RelayedMessages(msgspec.Struct):
    """What an actor has for the driver: messages of its worker, or that there will be none."""

    messages: list[FromWorker]
    over: bool = False
    silent: bool = False
    failure: str = ""


class Relay:
    """The actor, on a node: it has a worker process and passes messages on.

    One thread exchanges, and another may end the worker meanwhile.
    """

    def __init__(self, begin: bytes) -> None:
        self._pipes = Pipes(_begin_here(begin))

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
        """Send with the next exchange: a call of an actor takes a millisecond."""
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
            reply = self._ray.get(self._actor.exchange.remote(data, seconds))
        except self._ray.exceptions.RayError as error:  # not an actor's if a node is out of memory
            self.lost = self._over = True
            self._failure = f"its Ray actor died twice: {ray_error_line(error)}"
        else:
            relayed = msgspec.msgpack.decode(reply, type=RelayedMessages)
            self._messages.extend(relayed.messages)
            self._over, self.silent, self._failure = relayed.over, relayed.silent, relayed.failure


def signature_of(begin: bytes) -> tuple[dict[str, Any], str]:
    """A task on a node: the signature of the candidate there, or why it cannot be built."""
    there = _begin_here(begin)
    sys.path[:] = there.path
    kind = kind_named(there.kind)
    try:
        name, candidate = CANDIDATES.build(there.candidate)
        run = Run(materials=there.materials, languages=there.languages)
        return make_ready(str(name), candidate, kind, there.language, run), ""
    except ReadmarkError as error:
        return {}, _on_node(str(error), socket.gethostname())


def outcome_of_shared(shared: list[Any], item: Any) -> bytes:
    """A task on a node: the outcome of a function that all tasks share, with an item."""
    return pickled_outcome(_fetched(shared[0]), item)


@functools.lru_cache(maxsize=1)
def _fetched(reference: Any) -> Callable[[Any], Any]:
    """A shared function, fetched once by a process, so that it keeps what it has loaded."""
    require("ray")
    import ray

    function: Callable[[Any], Any] = ray.get(reference)
    return function


def _begin_here(begin: bytes) -> Begin:
    """What a worker begins with on this node: folders that only the driver has come last."""
    message = msgspec.msgpack.decode(begin, type=Begin)
    more = [path for path in message.path if path not in sys.path and Path(path).exists()]
    return msgspec.structs.replace(message, path=[*sys.path, *more])


def _on_node(message: str, node: str) -> str:
    return (
        f"{message} (on node {node}: the candidate with its plug-ins and files has to be on every "
        "node)"
    )
