"""A tool's work in a process of its own: what it computes, its CPU time and its peak memory.

The worker imports nothing but the tool: it runs in the peers' environment, without Readmark.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
TASKS = "tasks"
"""What a process is asked for when it makes the tasks."""
SETTINGS = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
    **dict.fromkeys(("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"), "1"),
}
"""One thread, no network."""
Task = dict[str, Any]
"""``name``, ``items``, and what the area must know about them; ``warm`` are a few items that make
a tool import all it needs."""
Columns = dict[str, list[float | None]]
"""A value of each item, by measure."""
Step = tuple[str, Columns]
"""What was timed (empty: not timed), and the values it gave."""
Work = Callable[[Task], Iterator[Step]]


@dataclass(frozen=True)
class Tool:
    """What is measured: Readmark, or a peer."""

    title: str
    package: str
    """As pip calls it."""
    load: Callable[[], Work]
    """Imports the package and returns what works on a task; both are timed."""
    tolerance: float = 1e-6
    """How far its values may be from Readmark's without being different: it rounds."""


@dataclass
class Result:
    """What a process measured; with ``missing`` it could not start."""

    version: str = ""
    licence: str = ""
    imported: float = 0.0
    memory: float = 0.0
    """Peak, in MB."""
    seconds: dict[str, dict[str, float]] = field(default_factory=dict)
    """CPU seconds by task and step."""
    values: dict[str, Columns] = field(default_factory=dict)
    missing: str = ""

    def total(self) -> float:
        """CPU seconds of all timed steps."""
        return sum(sum(steps.values()) for steps in self.seconds.values())


def work(area: str, tool: str, tasks: Sequence[Task]) -> Result:
    """Do the tasks in this process."""
    chosen: Tool = importlib.import_module(area).TOOLS[tool]
    try:
        metadata = importlib.metadata.metadata(chosen.package)
        began = time.process_time()
        run = chosen.load()
        if tasks:  # what is imported only when it is needed counts as imported too
            first = tasks[0]
            list(run({**first, "items": first.get("warm", first["items"][:1])}))
        imported = time.process_time() - began
    except ImportError as missing:
        return Result(missing=str(missing) or type(missing).__name__)
    result = Result(metadata["Version"], _licence(metadata), imported)
    for task in tasks:
        seconds = result.seconds.setdefault(task["name"], {})
        values = result.values.setdefault(task["name"], {})
        began = time.process_time()
        for step, columns in run(task):
            if step and task.get("timed", True):
                seconds[step] = seconds.get(step, 0.0) + time.process_time() - began
            values.update(columns)
            began = time.process_time()
    result.memory = _peak()
    return result


def _licence(metadata: Any) -> str:
    named = metadata.get("License-Expression") or ""
    classified = [
        line.rpartition(" :: ")[2].replace(" License", "")
        for line in metadata.get_all("Classifier") or []
        if line.startswith("License ::")
    ]
    text = named or ", ".join(classified) or (metadata.get("License") or "").split("\n")[0]
    return re.sub(r"\(.*?\)|Software", "", text).strip() or "not stated"


def _peak() -> float:
    """The peak since this program began; ``ru_maxrss`` would count what the parent had."""
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(re.findall(r"VmHWM:\s+(\d+) kB", status)[0]) / 1024
    except (OSError, IndexError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def in_process(python: str, area: str, what: str, given: Any, *, path: Path | None = None) -> Any:
    """Do the same in a process of another Python: a tool's work, or the making of the tasks.

    ``path`` goes before what is installed there. An error there is an error here.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, sink = Path(folder, "given.json"), Path(folder, "got.json")
        source.write_text(json.dumps(given, ensure_ascii=False), encoding="utf-8")
        command = [python, str(HERE / "processes.py"), area, what, str(source), str(sink)]
        environment = {**os.environ, **SETTINGS, "PYTHONPATH": str(path or "")}
        done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
        if done.returncode:
            raise SystemExit(f"{area}, {what}: {done.stderr.strip()[-2000:]}")
        return json.loads(sink.read_text(encoding="utf-8"))


if __name__ == "__main__":
    area, what, source, sink = sys.argv[1:]
    sys.path[:0] = [str(HERE), str(HERE.parent)]
    given = json.loads(Path(source).read_text(encoding="utf-8"))
    if what == TASKS:
        made = importlib.import_module(area).tasks(Path(given) if given else None)
    else:
        made = vars(work(area, what, given))
    Path(sink).write_text(json.dumps(made, ensure_ascii=False), encoding="utf-8")
