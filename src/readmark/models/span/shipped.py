"""The readers that come with the package, a folder a language."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path

from readmark.corpus.errors import UsageError
from readmark.models.span.shape import FILE


def shipped(language: str) -> Path:
    """The folder of a language's reader."""
    folder = Path(str(files("readmark.models.span"))) / "weights" / language
    if not (folder / FILE).is_file():
        raise UsageError(
            f"no span reader for {language!r} comes with this version: train one with "
            "readmark train span, then name its folder: span(model=FOLDER)"
        )
    return folder
