"""Long lists in parts: numbered pages for people, an offset and a limit for programs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Query
from starlette.responses import Response

PAGE = 100
"""Rows of a page."""
TOTAL = "x-total-count"
"""The header that says how many rows there are, of which ``limit`` come from ``offset`` on."""

PageQuery = Annotated[int, Query(ge=1, le=100_000)]
Offset = Annotated[int, Query(ge=0, le=10**9)]
Limit = Annotated[int, Query(ge=1, le=10_000)]

Row = TypeVar("Row")


@dataclass(frozen=True)
class ListPart:
    """Which rows of a list are wanted."""

    offset: int
    limit: int


def part_of_page(number: int) -> ListPart:
    """The rows of a page; the first page has number 1."""
    return ListPart((number - 1) * PAGE, PAGE)


@dataclass(frozen=True)
class Listed(Generic[Row]):
    """A part of a list, and how many rows the list has in all."""

    rows: list[Row]
    count: int
    part: ListPart

    @property
    def page(self) -> int:
        """The number of this page."""
        return self.part.offset // self.part.limit + 1

    @property
    def pages(self) -> int:
        """How many pages there are; an empty list has one."""
        return max(1, -(-self.count // self.part.limit))

    def send(self, response: Response) -> list[Row]:
        """The rows, with the count in the response's header."""
        response.headers[TOTAL] = str(self.count)
        return self.rows
