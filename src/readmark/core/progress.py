"""The functions by which long work reports how it goes."""

from __future__ import annotations

from collections.abc import Callable

Tell = Callable[[str], None]
"""Takes a message for the user."""
WatchCount = Callable[[int, int], None]
"""Takes how many items are done, and how many there are."""
