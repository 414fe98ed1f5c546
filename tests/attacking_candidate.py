"""A candidate that attacks the process it runs in, on some units and in one of many ways."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from misbehaving_candidates import Understudy
from readmark.core.records import Unit
from readmark.core.sitting import Row

GARBAGE = b"\x05\x00\x00\x00garbage that is no message\n"


@dataclass
class Hostile(Understudy):
    """Attacks when it is asked one of the units named; ``held`` units are taken at a time."""

    on: str = field(default="", metadata={"help": "id:attack, with blanks between"})
    held: int = field(default=1, metadata={"help": "units that it takes before it answers"})
    skips: str = field(default="", metadata={"help": "units that it gives no row for"})
    never: str = field(default="", metadata={"help": "begins or ends"})

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        if self.never == "begins":
            time.sleep(3600)
        batch: list[Unit] = []
        for unit in units:
            batch.append(unit)
            if len(batch) == self.held:
                yield from self._rows(batch)
                batch = []
        yield from self._rows(batch)
        if self.never == "ends":
            time.sleep(3600)

    def _rows(self, batch: list[Unit]) -> Iterator[Row]:
        attacks = dict(pair.split(":") for pair in self.on.split())
        for unit in batch:
            attack = attacks.get(unit.id)
            if attack == "huge":
                yield self.says(unit.id, "x" * 2**30)
            elif attack == "stranger":
                yield self.says("x" * 100_000, "x")
            elif unit.id not in self.skips.split():
                if attack is not None:
                    ATTACKS[attack]()
                yield self.reply(unit)


def _ignore_sigterm() -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(3600)


def _hold_the_interpreter() -> None:
    """Waits in C without letting any other thread of the interpreter run."""
    ctypes.PyDLL(None).sleep(3600)


def _print_everywhere() -> None:
    print("printed by Python")
    sys.__stdout__.write("printed past sys.stdout\n")  # type: ignore[union-attr]
    sys.__stdout__.flush()  # type: ignore[union-attr]
    os.write(1, GARBAGE)
    ctypes.CDLL(None).puts(b"printed by C")
    ctypes.CDLL(None).fflush(None)
    script = "echo printed by a child; for n in 3 4 5 6 7 8 9; do echo to $n >&$n; done; true"
    subprocess.run(["sh", "-c", script], stderr=subprocess.DEVNULL, check=True)
    for number in range(3, 51):
        with contextlib.suppress(OSError):
            os.write(number, GARBAGE)


def _own_descriptors() -> list[int]:
    return [int(path.name) for path in Path("/proc/self/fd").iterdir()]


def _write_everywhere() -> None:
    for number in _own_descriptors():
        with contextlib.suppress(OSError):
            os.write(number, GARBAGE)


def _write_one_byte() -> None:
    for number in _own_descriptors():
        if number > 2:
            with contextlib.suppress(OSError):
                os.write(number, b"\x7f")


def _close_everything() -> None:
    os.closerange(0, 4096)


def _close_and_wait() -> None:
    os.closerange(3, 4096)
    time.sleep(3600)


def _leave_a_child() -> None:
    """A forked process keeps the pipes open, and its parent dies."""
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(5)


def _keep_a_child() -> None:
    if os.fork() == 0:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(3600)
    time.sleep(3600)


ATTACKS: dict[str, Callable[[], Any]] = {
    "sleep": lambda: time.sleep(3600),
    "ignore_sigterm": _ignore_sigterm,
    "stop": lambda: os.kill(os.getpid(), signal.SIGSTOP),
    "hold_the_interpreter": _hold_the_interpreter,
    "print": _print_everywhere,
    "write_everywhere": _write_everywhere,
    "write_a_byte": _write_one_byte,
    "close_everything": _close_everything,
    "close_and_wait": _close_and_wait,
    "leave_a_child": _leave_a_child,
    "keep_a_child": _keep_a_child,
    "segfault": lambda: ctypes.string_at(0),
    "exit": lambda: os._exit(3),
    "killed": lambda: os.kill(os.getpid(), signal.SIGKILL),
}


def sleep_in_process(_: object) -> None:
    """A job of a worker that never ends."""
    time.sleep(600)
