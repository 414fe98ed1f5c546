"""Boards as HTTP sends them: with a tag, so that nothing that a client has is sent again."""

from __future__ import annotations

import hashlib

from starlette.requests import Request
from starlette.responses import Response


def tagged(request: Request, response: Response) -> Response:
    """An answer that clients may keep and ask for again: with a tag, or 304 if they have it."""
    tag = f'"{hashlib.sha256(response.body).hexdigest()[:32]}"'
    headers = {"etag": tag, "cache-control": "no-cache", "vary": "Accept, Accept-Language, Cookie"}
    if has_tag(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=304, headers=headers)
    response.headers.update(headers)
    return response


def accepted_form(accept: str) -> str:
    """The form in which a client wants a board: ``csv``, ``md`` or ``json``."""
    media = {"csv": "text/csv", "md": "text/markdown"}
    return next((name for name, kind in media.items() if kind in accept), "json")


def has_tag(if_none_match: str, tag: str) -> bool:
    """Whether a client has the answer of a tag, by its ``If-None-Match``."""
    return tag in (part.strip().removeprefix("W/") for part in if_none_match.split(","))
