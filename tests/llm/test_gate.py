"""The gate: so many at once, in their order, fewer after a refusal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable

import pytest

from readmark.llm.gate import Gate


async def let(turns: int = 20) -> None:
    """Let the loop go round."""
    for _ in range(turns):
        await asyncio.sleep(0)


class Doorway:
    """Who went in, in which order, and how many were inside at once."""

    def __init__(self, gate: Gate) -> None:
        self.gate, self.order, self.inside, self.most = gate, [], 0, 0  # type: ignore[var-annotated]

    async def go(self, name: int, inside: Awaitable[None]) -> None:
        await self.gate.enter()
        self.order.append(name)
        self.inside += 1
        self.most = max(self.most, self.inside)
        await inside
        self.inside -= 1
        self.gate.leave()


@pytest.mark.parametrize("most", [1, 3, 50])
def test_all_go_in_in_their_order_and_never_too_many(most: int) -> None:
    async def main() -> None:
        door = Doorway(Gate(most))
        await asyncio.gather(*(door.go(at, let(1 + at % 4)) for at in range(40)))
        assert door.order == list(range(40))
        assert door.most == min(most, 40)

    asyncio.run(main())


def test_who_goes_in_again_and_again_overtakes_nobody() -> None:
    """Half of the places are gone: those inside leave and come back, and others wait."""

    async def main() -> None:
        gate = Gate(4)
        entered = await gate.enter()
        gate.leave()
        gate.too_much(entered, 0.0)
        seen: list[int] = []

        async def keep_asking(name: int) -> None:
            for _ in range(10):
                await gate.enter()
                seen.append(name)
                await let(1)
                gate.leave()

        await asyncio.gather(*map(keep_asking, range(4)))
        assert all(sorted(seen[at : at + 4]) == [0, 1, 2, 3] for at in range(0, 40, 4))

    asyncio.run(main())


def test_a_place_of_one_that_left_off_is_anothers() -> None:
    async def main() -> None:
        gate = Gate(1)
        await gate.enter()
        first, second, third = (asyncio.ensure_future(gate.enter()) for _ in range(3))
        await let()
        gate.leave()
        first.cancel()  # called, but not yet inside
        second.cancel()
        await let()
        assert third.done()
        await third

    asyncio.run(main())


def test_fewer_after_a_refusal_and_one_more_after_many_replies() -> None:
    async def main() -> None:
        gate = Gate(8)
        entered = [await gate.enter() for _ in range(8)]
        for one in entered:  # all of them were sent before the narrowing
            gate.too_much(one, 0.0)
            gate.leave()
        for _ in range(4):
            await gate.enter()
        waiting = asyncio.ensure_future(gate.enter())
        await let()
        assert not waiting.done()
        for _ in range(5):
            gate.went_well()
        gate.leave()
        await waiting
        fifth = asyncio.ensure_future(gate.enter())
        await let()
        assert fifth.done()

    asyncio.run(main())
