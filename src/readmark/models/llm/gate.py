"""How many may be under way just now: fewer after a server has said that it is too much.

Half as many after each refusal, one more after as many replies as there are places: what TCP does.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque


class Gate:
    """Lets requests through; a server's own "not before" holds all of them back."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._places = float(most)
        self._inside = 0
        self._not_before = 0.0
        self._narrowed = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> float:
        """Wait for a place and for the time; when that was is given back."""
        while True:
            await self._until_then()
            if not self._is_free or self._waiting:
                await self._given_a_place()
            else:
                self._inside += 1
            if self._not_before <= time.monotonic():
                return time.monotonic()
            self.leave()

    async def _until_then(self) -> None:
        while (wait := self._not_before - time.monotonic()) > 0:
            await asyncio.sleep(wait)

    async def _given_a_place(self) -> None:
        """Wait for one's turn."""
        place = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        self._call()
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave()
            raise

    def leave(self) -> None:
        """A place is free."""
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
        """A reply came: a little more may be under way."""
        self._places = min(self._most, self._places + 1 / self._places)

    def too_much(self, entered: float, wait: float) -> None:
        """A request that entered then was refused; nobody asks again before ``wait`` is over."""
        now = time.monotonic()
        self._not_before = max(self._not_before, now + wait)
        if entered >= self._narrowed:  # those sent before the last narrowing say nothing new
            self._places = max(1.0, self._places / 2)
            self._narrowed = now
