"""The folder of a call on what a program sends, and the process that makes the call in it."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from readmark.core.errors import ReadmarkError
from readmark.tasks.service.reasoner import SECONDS
from readmark.works import run_call

_LONGEST = 3 * SECONDS
"""How long a call may take in all, with reading what was sent."""


@contextmanager
def call_folder() -> Iterator[Path]:
    """A folder for the files of a call; errors do not name it."""
    with tempfile.TemporaryDirectory(prefix="readmark-call-") as name:
        try:
            yield Path(name)
        except ReadmarkError as error:
            error.args = (str(error).replace(f"{name}/", ""),)
            raise


def result_of(
    work: Callable[[Any], Any], task: dict[str, Any], folder: Path, seconds: float = _LONGEST
) -> Any:
    """What a call returns, whose texts do not name its folder either."""
    result = run_call(work, {"folder": str(folder), **task}, seconds=seconds)
    return without_folder(result, folder)


def without_folder(result: Any, folder: Path) -> Any:
    """A result whose texts name files without their folder."""
    return json.loads(json.dumps(result).replace(f"{folder}/", ""))
