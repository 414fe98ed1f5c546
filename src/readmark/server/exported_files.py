"""Files that the hall writes for people to take away: their sums, and a zip of them."""

from __future__ import annotations

import hashlib
import io
import zipfile
from pathlib import Path

import msgspec

from readmark.works import PEOPLE


class ExportedFile(msgspec.Struct, frozen=True):
    """A file that was written, and its sum."""

    name: str
    sha256: str


def files_below(folder: Path) -> list[Path]:
    """All files of a folder and its subfolders, in the order of their names."""
    return sorted(path for path in folder.rglob("*") if path.is_file())


def sums_of(folder: Path) -> tuple[ExportedFile, ...]:
    """The files of a folder with their sums."""
    return tuple(
        ExportedFile(
            path.relative_to(folder).as_posix(), hashlib.sha256(path.read_bytes()).hexdigest()
        )
        for path in files_below(folder)
    )


def zipped(folder: Path) -> bytes:
    """The files of a folder as a zip; the same files give the same bytes."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in files_below(folder):
            # A ``ZipInfo`` of its own has a fixed date; ``archive.write`` takes the file's.
            info = zipfile.ZipInfo(path.relative_to(folder).as_posix())
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, path.read_bytes())
    return stream.getvalue()


def without_folder(message: str, folder: str | Path) -> str:
    """A message about files without the temporary folder that they were in."""
    return message.replace(f"{folder}/{PEOPLE}/", "").replace(f"{folder}/", "")
