"""Boards over HTTP: the form that a client asks for, and a tag, so that nothing is sent twice."""

from __future__ import annotations

import hashlib

from starlette.requests import Request
from starlette.responses import Response


def tagged(request: Request, response: Response) -> Response:
    """A response with the tag of its content; without content (304) if the client has that."""
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
    """Whether an ``If-None-Match`` header names the tag: then the client has that content."""
    return tag in (part.strip().removeprefix("W/") for part in if_none_match.split(","))
