"""Candidates that misbehave in every way, and how a test plugs them in as another package would."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, GeneratorType
from typing import Any, ClassVar

import msgspec

from readmark.core.error_rows import one_by_one
from readmark.core.errors import DataError
from readmark.core.records import Unit
from readmark.core.registry import Registry
from readmark.core.sitting import Row
from readmark.hooks import Kind

TESTS = Path(__file__).resolve().parent
STUBS = {
    "readmark.candidates": {
        "slow": "misbehaving_candidates:Slow",
        "recorder": "misbehaving_candidates:Recorder",
        "local": "misbehaving_candidates:Local",
        "hungry": "misbehaving_candidates:Hungry",
        "needy": "misbehaving_candidates:Needy",
        "moody": "misbehaving_candidates:Moody",
        "repeater": "misbehaving_candidates:Repeater",
        "wilful": "misbehaving_candidates:Wilful",
        "clumsy": "misbehaving_candidates:Clumsy",
        "batcher": "misbehaving_candidates:Batcher",
        "changing": "misbehaving_candidates:Changing",
        "unready": "misbehaving_candidates:Unready",
        "wordy": "misbehaving_candidates:Wordy",
        "parametric": "misbehaving_candidates:Parametric",
        "prober": "misbehaving_candidates:Prober",
        "hostile": "attacking_candidate:Hostile",
        "guess": "stub_kinds:Guess",
        "grep": "stub_kinds:Grep",
    },
}


def plug_in(folder: Path) -> Path:
    """What pip would leave of a package with these entry points."""
    about = folder / "readmark_understudies-1.0.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: readmark-understudies\nVersion: 1"
    )
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {target}\n" for name, target in points.items())
        for group, points in STUBS.items()
    ]
    (about / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    return folder


def python_path(folder: Path) -> dict[str, str]:
    """The environment in which a process has the package."""
    more = filter(None, [os.environ.get("PYTHONPATH")])
    return {"PYTHONPATH": os.pathsep.join([str(folder), str(TESTS), *more])}


def forget(*registries: Registry) -> None:
    """Let registries look for entry points anew."""
    for registry in registries:
        registry.__dict__.pop("entries", None)


def standing(journal: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header and the rows of a journal; every line must be whole."""
    data = journal.read_bytes()
    assert data.endswith(b"\n")
    header, *rows = map(json.loads, data.splitlines())
    return header, rows


def timeless(journal: Path) -> list[dict[str, Any]]:
    """The rows without their seconds, in the order of ids and repeats."""
    rows = [
        {name: value for name, value in row.items() if name != "seconds"}
        for row in standing(journal)[1]
    ]
    return sorted(rows, key=lambda row: (row["id"], row.get("repeat", 0), row.get("attempt", 1)))


@dataclass
class Understudy:
    """Answers with the first word of the question: what the others begin with."""

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self.reply)

    def reply(self, unit: Unit) -> Row:
        return self.says(unit.id, f"{unit.id}!")

    def says(self, id: str, what: Any, **more: Any) -> Row:
        return Row(id=id, answer=what, **more)

    def signature(self) -> Mapping[str, Any]:
        return {"understudy": type(self).__name__, "seen": (1, 2)}


@dataclass
class Slow(Understudy):
    """Takes its time over every unit."""

    ms: float = field(default=5.0, metadata={"help": "milliseconds a unit"})

    def reply(self, unit: Unit) -> Row:
        time.sleep(self.ms / 1000)
        return super().reply(unit)


@dataclass
class Local(Understudy):
    """Is as slow as its node, writes down where it is, and may take the node's process along."""

    file: str = field(default="", metadata={"help": "where to"})
    on: str = field(default="", metadata={"help": "the id of the unit that its parent dies with"})
    nodes: int = field(default=1, metadata={"help": "how many nodes wait for each other"})
    differs: bool = field(default=False, metadata={"help": "whether each node has another one"})
    starts: bool = field(default=False, metadata={"help": "whether it starts processes that stay"})

    def reply(self, unit: Unit) -> Row:
        if self.starts:
            subprocess.Popen(["sleep", "600"])
        node = os.environ.get("READMARK_NODE", "")
        with Path(self.file).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"id": unit.id, "pid": os.getpid(), "node": node}) + "\n")
        end = time.monotonic() + 60
        while self.nodes > 1 and time.monotonic() < end:
            lines = Path(self.file).read_text("utf-8").splitlines()
            if len({json.loads(line)["node"] for line in lines}) >= self.nodes:
                self.nodes = 1
        if unit.id == self.on:
            os.kill(os.getppid(), signal.SIGKILL)
            time.sleep(60)
        time.sleep(float(os.environ.get("READMARK_NODE_MS", "1")) / 1000)
        return super().reply(unit)

    def signature(self) -> Mapping[str, Any]:
        library = {"library": os.environ.get("READMARK_NODE", "none")} if self.differs else {}
        return {**super().signature(), **library}


@dataclass
class Hungry(Understudy):
    """Takes more and more memory over one unit, up to a limit, and writes down that it begins."""

    file: str = field(default="", metadata={"help": "where to"})
    on: str = field(default="", metadata={"help": "the id of that unit"})
    most: int = field(default=0, metadata={"help": "megabytes"})

    def reply(self, unit: Unit) -> Row:
        if unit.id == self.on:
            with Path(self.file).open("a", encoding="utf-8") as stream:
                stream.write(f"{os.getpid()}\n")
            eaten = []
            for _ in range(self.most // 64):
                eaten.append(b"x" * (64 << 20))
                time.sleep(0.05)
        return super().reply(unit)


def everything(value: Any) -> Iterator[Any]:
    """A value and all that can be reached from it by attributes, members and items."""
    todo, seen = [value], set()
    while todo:
        one = todo.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        if isinstance(one, Mapping):
            todo += [*one.keys(), *one.values()]
        elif isinstance(one, (tuple, list, set, frozenset)):
            todo += one
        elif isinstance(one, msgspec.Struct):
            names = (name for name in dir(one) if not name.startswith("__"))
            todo += [found for name in names if not callable(found := getattr(one, name))]
            todo += [one.scalars()] if isinstance(one, Unit) else []


@dataclass
class Recorder(Understudy):
    """Writes down every text that it was given, and what it was given it on."""

    file: str = field(default="", metadata={"help": "where to"})
    ms: float = field(default=0.0, metadata={"help": "milliseconds that it then waits"})

    def reply(self, unit: Unit) -> Row:
        found = list(everything(unit))
        note = {
            "id": unit.id,
            "pid": os.getpid(),
            "group": os.getpgrp(),
            "open": open_files(),
            "texts": [one for one in found if isinstance(one, str)],
            "repr": repr(unit),
            "record": msgspec.to_builtins(unit.record),
        }
        with Path(self.file).open("a", encoding="utf-8") as stream:
            stream.write(json.dumps(note) + "\n")
        time.sleep(self.ms / 1000)
        return super().reply(unit)


def open_files() -> list[str]:
    """The files that this process has open, where the system tells."""
    found = []
    for one in Path("/proc/self/fd").iterdir() if Path("/proc/self/fd").is_dir() else ():
        with contextlib.suppress(OSError):
            found.append(str(one.readlink()))
    return found


@dataclass
class Needy(Recorder):
    """Needs the gold mentions."""

    needs: ClassVar[frozenset[str]] = frozenset({"mention"})
    kinds: ClassVar[tuple[str, ...]] = ("comprehension",)


@dataclass
class Moody(Understudy):
    """Fails on some units, in some way, until a file is there."""

    on: str = field(default="", metadata={"help": "the ids, with blanks between"})
    how: str = field(default="raise", metadata={"help": "what it does then"})
    until: str = field(default="", metadata={"help": "a file that puts it right"})

    def reply(self, unit: Unit) -> Row:
        if unit.id in self.on.split() and not (self.until and Path(self.until).exists()):
            WAYS[self.how]()
        return super().reply(unit)


def _raise() -> None:
    raise ValueError("no\nidea   \ud800")


def _memory() -> None:
    raise RuntimeError("out of memory")


def _noise() -> None:
    print("Loading the model...")
    os.write(1, b"\x04\x00\x00\x00from C\n")
    sys.stdout.flush()


def _read() -> None:
    if sys.stdin.read() or os.read(0, 10):
        raise ValueError("there was something to read")


def _cancel() -> None:
    raise asyncio.CancelledError


def _interrupt() -> None:
    raise KeyboardInterrupt


def _close() -> None:
    raise GeneratorExit


def _swallow() -> None:
    """Goes on whatever happens."""
    while True:
        with contextlib.suppress(BaseException):
            time.sleep(3600)


WAYS: dict[str, Callable[[], Any]] = {
    "raise": _raise,
    "memory": _memory,
    "exit": lambda: sys.exit(0),
    "end": lambda: os._exit(0),
    "end7": lambda: os._exit(7),
    "kill": lambda: os.kill(os.getpid(), signal.SIGKILL),
    "print": _noise,
    "read": _read,
    "cancel": _cancel,
    "interrupt": _interrupt,
    "close": _close,
    "hang": lambda: time.sleep(3600),
    "swallow": _swallow,
    "thread": lambda: threading.Thread(target=time.sleep, args=(3600,)).start(),
    "fork": lambda: os.fork(),
}


@dataclass
class Repeater(Understudy):
    """Answers with its repeat, writes down who loads it, and fails once in the second repeat."""

    file: str = field(default="", metadata={"help": "where to"})
    on: str = field(default="", metadata={"help": "the unit that it fails on, or begin"})
    how: str = field(default="kill", metadata={"help": "what it does then"})
    repeat: int = field(default=-1, init=False)

    def prepare(self, kind: Kind, language: str) -> None:
        super().prepare(kind, language)
        with Path(self.file).open("a", encoding="utf-8") as stream:
            stream.write(f"{os.getpid()}\n")

    def begin_repeat(self, number: int) -> None:
        self.repeat = number
        self._fail_at("begin")

    def reply(self, unit: Unit) -> Row:
        self._fail_at(unit.id)
        return self.says(unit.id, f"{unit.id} {self.repeat}")

    def _fail_at(self, place: str) -> None:
        if (place, self.repeat) == (self.on, 1):
            with contextlib.suppress(FileExistsError):
                Path(f"{self.file}.failed").touch(exist_ok=False)
                WAYS[self.how]()


@dataclass
class Wilful(Understudy):
    """Does not keep to what it was asked."""

    how: str = field(default="twice", metadata={"help": "in which way"})

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        if self.how == "early":
            raise OSError("no model here")
        for at, unit in enumerate(units):
            if at == 2 and self.how == "stops":
                return
            yield self.reply(unit)
            if at == 1 and self.how == "twice":
                yield self.reply(unit)
            if at == 1 and self.how == "strange":
                yield self.says("nobody", "x")
        if self.how == "late":
            raise OSError("the model went away")


@dataclass
class Clumsy(Understudy):
    """Gives rows that no journal can hold, for the unit named."""

    on: str = ""
    how: str = "empty"

    def reply(self, unit: Unit) -> Row:
        if unit.id != self.on:
            return super().reply(unit)
        made: dict[str, Any] = {
            "empty": Row(id=unit.id),
            "number": self.says(unit.id, 5),
            "object": self.says(unit.id, "x", evidence=object()),
            "surrogate": self.says(unit.id, "\ud83d"),
            "offsets": self.says(unit.id, "x", sentence=(1,)),
            "astray": self.says(unit.id, "x", start=3, end=10**9),
            "big": self.says(unit.id, "x", evidence={"seed": 2**70, "less": -(2**70)}),
            "nan": self.says(unit.id, "x", score=float("nan")),
            "infinite": self.says(unit.id, "x", score=float("-inf")),
            "tuple": (unit.id, "x"),
            "nothing": None,
        }
        return made[self.how]  # type: ignore[no-any-return]


@dataclass
class Batcher(Understudy):
    """Takes several units before it answers, and breaks off in the middle of a batch."""

    size: int = 3
    on: str = ""
    how: str = "memory"

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        batch: list[Unit] = []
        for unit in units:
            batch.append(unit)
            if len(batch) == self.size:
                yield from self._said(batch)
                batch = []
        yield from self._said(batch)

    def _said(self, batch: list[Unit]) -> Iterator[Row]:
        for unit in reversed(batch):
            if unit.id in self.on.split():
                WAYS[self.how]()
            yield self.reply(unit)


@dataclass
class Changing(Understudy):
    """Says the words of a list one after another, each time that it is asked a unit."""

    words: str = ""
    _asked: dict[str, int] = field(default_factory=dict, init=False)

    def reply(self, unit: Unit) -> Row:
        at = self._asked.get(unit.id, 0)
        self._asked[unit.id] = at + 1
        return self.says(unit.id, self.words.split()[at])


@dataclass
class Unready(Understudy):
    """Cannot sit at all."""

    how: str = "prepare"

    def prepare(self, kind: Kind, language: str) -> None:
        if self.how == "exit":
            sys.exit(3)
        if self.how == "prepare":
            raise RuntimeError("no CUDA\ndevice")
        if self.how == "data":
            raise DataError("is no model", file="weights.bin")

    def signature(self) -> Mapping[str, Any]:
        return {"model": object()} if self.how == "signature" else {}


@dataclass
class Wordy(Understudy):
    """Gives long answers, so that pipes fill."""

    length: int = 20_000

    def reply(self, unit: Unit) -> Row:
        return self.says(unit.id, "x" * self.length)


@dataclass
class Parametric(Understudy):
    """Has parameters named like what other candidates declare."""

    paper: str = "a4"
    needs: str = "quiet"
    earlier: bool = False
    begin_repeat: int = 0


@dataclass
class Prober(Understudy):
    """Looks for the key in all that its process holds, and writes down what it found."""

    file: str = field(default="", metadata={"help": "where to"})

    def reply(self, unit: Unit) -> Row:
        found = [repr(dict(os.environ)), repr(sys.argv), *open_files()]
        frame: FrameType | None = sys._getframe()
        while frame is not None:
            found += [repr(value) for name, value in frame.f_locals.items() if name != "found"]
            frame = frame.f_back
        for one in gc.get_objects():
            if isinstance(one, GeneratorType) and one.gi_frame is not None:
                found += [repr(value) for value in one.gi_frame.f_locals.values()]
            elif type(one).__module__.startswith("readmark"):
                found.append(repr(one))
        Path(self.file).write_text("\n".join(found), encoding="utf-8", errors="replace")
        return super().reply(unit)
