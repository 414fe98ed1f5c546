"""A cache of what was computed for the newest keys, shared by the threads of a process."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class NewestCache(Generic[Value]):
    """Values by keys that say everything they depend on; at most ``most`` are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: OrderedDict[Hashable, Value] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made now if it is not there."""
        with self._lock:
            if key in self._values:
                return self._values[key]
        value = make()  # outside the lock: it may take long, and others want other keys
        with self._lock:
            self._values[key] = value
            while len(self._values) > self._most:
                self._values.popitem(last=False)
        return value
