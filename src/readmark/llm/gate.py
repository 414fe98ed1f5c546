"""How many requests may be in flight just now: fewer after a server has said that it is busy."""

from __future__ import annotations

import asyncio
import time
from collections import deque


class Gate:
    """Lets requests through; a server's own "not before" holds all of them back."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._places = float(most)
        """Halved when a server is busy, and one more after as many replies as there are places."""
        self._inside = 0
        self._not_before = 0.0
        """When a server that was busy may be asked again."""
        self._narrowed_at = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> float:
        """Wait for a place and until requests may go; returns when the request went in."""
        while True:
            await self._wait_until_allowed()
            if not self._is_free or self._waiting:
                await self._wait_for_a_place()
            else:
                self._inside += 1
            if self._not_before <= time.monotonic():
                return time.monotonic()
            self.leave()

    async def _wait_until_allowed(self) -> None:
        while (wait := self._not_before - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    async def _wait_for_a_place(self) -> None:
        """Stand in line until `_call` gives this request a place."""
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._call()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():  # it got the place while it was cancelled
                self.leave()
            raise

    def leave(self) -> None:
        """Give the place back."""
        self._inside -= 1
        self._call()

    def _call(self) -> None:
        """Give away as many places as there are: who is called has one, and nobody takes it."""
        while self._waiting and self._is_free:
            place = self._waiting.popleft()
            if not place.done():
                self._inside += 1
                place.set_result(None)

    @property
    def _is_free(self) -> bool:
        return self._inside < max(1, int(self._places))

    def went_well(self) -> None:
        """A reply came: a little more may be in flight."""
        self._places = min(self._most, self._places + 1 / self._places)

    def too_much(self, entered: float, wait: float) -> None:
        """A request that entered then was refused; nobody asks again before ``wait`` is over."""
        now = time.monotonic()
        self._not_before = max(self._not_before, now + wait)
        if entered >= self._narrowed_at:  # those sent before the last narrowing say nothing new
            self._places = max(1.0, self._places / 2)
            self._narrowed_at = now
