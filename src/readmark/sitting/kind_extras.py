"""What a kind of test may add to sitting: parts to leave out, files for candidates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, runtime_checkable

from readmark.core.test import Test


@runtime_checkable
class HasParts(Protocol):
    """A kind of test whose papers can lack a part, to see whether it is needed."""

    parts: tuple[str, ...]
    """What ``--without`` can leave out, such as ``passage``."""

    def leave_out(self, record: Any, part: str) -> Any:
        """A paper's record without one of its ``parts``: what is answered then is a shortcut."""


@runtime_checkable
class HasMaterials(Protocol):
    """A kind of test with files that candidates may see, besides the units."""

    def materials(self, test: Test) -> Mapping[str, bytes]:
        """Files of a test by path, for the ``Run`` of a candidate; never the key."""
