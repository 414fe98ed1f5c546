"""A folder of one test for each language, which a file in several languages is converted to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from readmark.core.new_folders import making_folder
from readmark.core.parsed_names import parse_name
from readmark.core.source import suffixes_of
from readmark.core.streams import is_standard
from readmark.core.test import Test
from readmark.formats.registry import format_named, save_test
from readmark.hooks import hook

_SUFFIXES = {
    **dict.fromkeys(("native", "flat"), ".jsonl"),
    **dict.fromkeys(("squad", "squad2", "drcd", "smart", "cmrc2018", "web_annotation"), ".json"),
    "table": ".csv",
    "brat": "",  # a folder
}
"""How files of a format end, if not as the format is called."""


def holds_languages(target: str | Path, to_format: str | None) -> bool:
    """Whether one file of the format to write can have several languages."""
    if to_format is not None:
        return hook(format_named(to_format), "write_languages") is not None
    return suffixes_of(target)[-1:] == (".brcc",)


def language_files(tests: Sequence[Test], target: str | Path, to_format: str | None) -> list[str]:
    """The files in the folder ``target``, one for each language; none if it is not a folder."""
    if len(tests) < 2 or is_standard(target):
        return []
    is_folder = str(target).endswith(("/", os.sep)) or Path(target).is_dir()
    has_no_suffix = not suffixes_of(target) and not holds_languages(target, to_format)
    if not (is_folder or has_no_suffix):
        return []
    name = parse_name(to_format).base if to_format else "native"
    suffix = _SUFFIXES.get(name, f".{name}")
    return [str(Path(target) / f"{test.language}{suffix}") for test in tests]


def save_languages(
    tests: Sequence[Test], folder: Path, files: Sequence[str], format: str
) -> list[str]:
    """Write a test for each language; a new folder is whole or not there."""
    is_new = not folder.is_dir() or not any(folder.iterdir())
    lost = []
    with making_folder(folder) if is_new else nullcontext(folder) as place:
        for test, file in zip(tests, files, strict=True):
            losses = save_test(test, place / Path(file).name, format=format)
            lost += [f"{test.language}: {line}" for line in losses]
    return lost
