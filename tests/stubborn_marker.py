"""A marker that some files loop, starve or end: it runs in confined processes of the tests."""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from readmark.server.shared_tasks.marker import mark_submission


def stubborn_marker(task: Mapping[str, Any]) -> dict[str, Any]:
    """Mark a submission, unless its file is named after an attack."""
    name = Path(task["files"][0]).name
    if name.startswith("loop"):
        while True:
            pass
    if name.startswith("greedy"):
        hoard = [bytearray(1 << 26) for _ in range(1 << 10)]
        return {"error": f"{len(hoard)} blocks"}
    if name.startswith("deadly"):
        os.kill(os.getpid(), signal.SIGKILL)
    found: dict[str, Any] = mark_submission(task)
    return found
