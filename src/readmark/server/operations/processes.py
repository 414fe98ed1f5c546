"""Processes of this machine: whether one is alive, and the memory and time that it uses."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class ProcessUsage:
    """What a process uses: bytes of memory, and seconds of the processor so far."""

    resident_bytes: float
    cpu_seconds: float


def is_alive(process: int) -> bool:
    """Whether a process of this machine is running, whoever owns it; Windows is not asked."""
    if os.name == "nt":
        return True  # signal 0 is Ctrl-C there
    try:
        os.kill(process, 0)
    except OSError as error:
        return not isinstance(error, ProcessLookupError)
    return True


def usage_of(process: int) -> ProcessUsage | None:
    """What a process uses; where there is no /proc, the peak of this process; None on Windows."""
    try:
        if not Path("/proc/self/statm").exists():
            return _peak_usage()
        folder = Path("/proc") / str(process)
        pages = int((folder / "statm").read_text("ascii").split()[1])
        # The name of the program comes in brackets and may have spaces: what follows is counted.
        fields = (folder / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        ticks = int(fields[11]) + int(fields[12])
        resident = float(pages * os.sysconf("SC_PAGE_SIZE"))
        return ProcessUsage(resident, ticks / os.sysconf("SC_CLK_TCK"))
    except (ImportError, OSError, ValueError, IndexError):
        return None  # Windows says neither, and a process may have ended


def _peak_usage() -> ProcessUsage:
    import resource

    usage = resource.getrusage(resource.RUSAGE_SELF)
    scale = 1 if platform.system() == "Darwin" else 1024  # macOS says bytes, others kilobytes
    return ProcessUsage(float(usage.ru_maxrss * scale), usage.ru_utime + usage.ru_stime)
