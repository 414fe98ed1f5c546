"""The first page, and the choice of language."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse

from readmark.server.access import Asking, hall_of
from readmark.server.pages import LANGUAGE_COOKIE, local_path, render

router = APIRouter(include_in_schema=False)


@router.get("/")
def front(request: Request, caller: Asking) -> HTMLResponse:
    """What the hall is, or the person's own projects."""
    return render(request, "front.html", person=caller.person)


@router.get("/language/{language}")
def choose_language(
    request: Request, language: Literal["en", "zh"], next: str = "/"
) -> RedirectResponse:
    """Show the hall in another language from now on, beginning with the page one comes from."""
    response = RedirectResponse(local_path(next), 303)
    response.set_cookie(
        LANGUAGE_COOKIE,
        language,
        max_age=31536000,
        httponly=True,
        secure=hall_of(request).settings.is_secure,
        samesite="lax",
    )
    return response
