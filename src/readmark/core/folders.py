"""A folder of files, or a zip of one: the names in it, and the content of each file."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath

from readmark.core.encodings import Decoded, decoded_as
from readmark.core.errors import DataError
from readmark.core.files import (
    BOM,
    read_bytes,
    require_file,
)
from readmark.core.limits import limits
from readmark.core.numbers import first_ids
from readmark.core.zips import Zipped

SHOWN_NAMES = 4


class Folder:
    """The files of a folder or zip by name, with ``/`` between the parts; hidden ones are left out.

    A zip with nothing but one folder in it is read as that folder.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.is_zip = not path.is_dir()
        self._top = ""
        self._zip: tuple[int, Zipped] | None = None
        try:
            names = sorted(self._zipped() if self.is_zip else self._listed())
        except OSError as error:
            raise DataError(f"cannot be read ({error.strerror or error})", file=path) from None
        tops = {name.partition("/")[0] for name in names}
        if self.is_zip and len(tops) == 1 and all("/" in name for name in names):
            self._top = tops.pop() + "/"
        self.names = tuple(name.removeprefix(self._top) for name in names)
        self._folded = {name.lower(): name for name in self.names}

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __getstate__(self) -> dict[str, object]:
        """All but the open file, which no other process can take over."""
        return {**self.__dict__, "_zip": None}

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(self.names)

    def place(self, name: str) -> str:
        """The path of a file of the folder, for messages."""
        return f"{self.path}/{name}"

    def named(self, suffix: str) -> list[str]:
        """The names with a suffix, whatever its case."""
        return [name for name in self.names if PurePosixPath(name).suffix.lower() == suffix]

    def by_id(self, suffixes: Sequence[str]) -> dict[str, str]:
        """Files with one of the suffixes by id: the name without suffix, unless two share that."""
        names = [name for suffix in suffixes for name in self.named(suffix)]
        bare = {name: name.rpartition(".")[0] for name in sorted(names)}
        shared = Counter(bare.values())
        return {id if shared[id] == 1 else name: name for name, id in bare.items()}

    def read(self, name: str, *, whole: bool = False) -> bytes:
        """A file's bytes; without a byte order mark, unless ``whole``."""
        if not self.is_zip:
            require_file(self.path / name)
            return read_bytes(self.path / name, whole=whole)
        data = self._opened().read(self._top + name, place=self.place(name))
        return data if whole else data.removeprefix(BOM)

    def text(self, name: str, *, whole: bool = False) -> str:
        """A file's text, line breaks unchanged."""
        return self.decoded(name, whole=whole).text

    def decoded(self, name: str, *, whole: bool = False) -> Decoded:
        """A file's text with its encoding."""
        return decoded_as(self.read(name, whole=whole), self.place(name))

    def find(self, name: str) -> str | None:
        """The file of this name, whatever its case."""
        return self._folded.get(name.lower())

    def require_contained(self) -> None:
        """Refuse a symlink that leads out of the folder: what lies there is not part of it."""
        if self.is_zip:  # links in a zip are never followed
            return
        for parent, folders, files in os.walk(self.path):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for name in (*folders, *files):
                file = Path(parent, name)
                if file.is_symlink() and not is_within(file, self.path):
                    raise DataError("is a link that leads out of the folder", file=file)

    def shown(self) -> str:
        """The first names, for messages."""
        if not self.names:
            return "nothing"
        return first_ids(self.names, SHOWN_NAMES)

    def _listed(self) -> Iterator[str]:
        count, most = 0, limits().members
        for parent, folders, files in os.walk(self.path):
            folders[:] = sorted(name for name in folders if not name.startswith("."))
            count += len(files)
            if count > most:
                message = f"holds more than {most:,} files"
                raise limits().exceeded("members", message, file=self.path)
            for name in files:
                if not name.startswith("."):
                    yield (Path(parent) / name).relative_to(self.path).as_posix()

    def _zipped(self) -> Iterator[str]:
        for name in self._opened().names:
            parts = PurePosixPath(name).parts
            if ".." in parts or Path(name).anchor:
                raise DataError(f"names a file outside it: {name}", file=self.path)
            is_hidden = any(part.startswith(".") or part == "__MACOSX" for part in parts)
            if parts and not is_hidden and not name.endswith("/"):
                yield name

    def _opened(self) -> Zipped:
        """The zip, opened once a process: opening reads its whole directory.

        A process that was forked has a file of its own, since the place in it is shared.
        """
        if self._zip is not None and self._zip[0] == os.getpid():
            return self._zip[1]
        self._zip = os.getpid(), Zipped(self.path)
        return self._zip[1]


def is_within(file: Path, folder: Path) -> bool:
    """Whether a file lies in a folder when symlinks are followed."""
    return Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))
