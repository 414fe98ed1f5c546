"""A folder into which another lends some files, and in which some have new content."""

from __future__ import annotations

from collections.abc import Mapping

from readmark.core.folders import Folder


class JoinedFolder(Folder):
    """The files of a folder and those lent to it, read from wherever they are.

    ``lent`` says which folder has a file that ``folder`` has not, ``contents`` what takes the place
    of a file of either.
    """

    def __init__(
        self, folder: Folder, lent: dict[str, Folder], contents: Mapping[str, bytes] | None = None
    ) -> None:
        # Not `super().__init__`: it would list the folder again, without what is lent.
        self.path = folder.path
        self.is_zip = folder.is_zip
        self.names = (*folder.names, *lent)
        self._own = folder
        self._lent = lent
        self._contents = contents or {}
        self._folded = {name.lower(): name for name in self.names}

    def place(self, name: str) -> str:
        """What a file is called in a message."""
        return f"{self._lent.get(name, self._own).path}/{name}"

    def read(self, name: str, *, whole: bool = False) -> bytes:
        """A file's bytes, from whichever folder has it."""
        if name in self._contents:
            return self._contents[name]
        return self._lent.get(name, self._own).read(name, whole=whole)
