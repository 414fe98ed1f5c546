"""Export the annotated statements of a task as (assertion, text) pairs."""

from __future__ import annotations

from pathlib import Path

from readmark.corpus.files import writing
from readmark.corpus.formats.lines import line
from readmark.corpus.outputs import require_apart
from readmark.setting.tasks.package import open_package
from readmark.setting.tasks.pairs import pairs


def write_pairs(task: str | Path, output: str | Path) -> int:
    """Write a pair a line, JSON Lines; gives how many."""
    require_apart([output], [task])
    count = 0
    with writing(output) as stream:
        for pair in pairs(open_package(task)):
            stream.write(line(pair))
            count += 1
    return count
