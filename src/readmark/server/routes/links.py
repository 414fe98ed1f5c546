"""Links to the hall that people are sent."""

from __future__ import annotations

from fastapi import Request

from readmark.server.access import hall_of


def origin_of(request: Request) -> str:
    """The hall's own address, as people reach it."""
    return hall_of(request).settings.origin or f"{request.url.scheme}://{request.url.netloc}"


def link_to(request: Request, secret: str) -> str:
    """The whole address of an invitation."""
    return f"{origin_of(request)}/invitation/{secret}"
