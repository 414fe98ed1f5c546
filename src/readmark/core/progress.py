"""Functions that long work calls as it goes."""

from __future__ import annotations

from collections.abc import Callable

Tell = Callable[[str], None]
"""Takes a message for the user."""
WatchCount = Callable[[int, int], None]
"""Takes how many are done, of how many."""
