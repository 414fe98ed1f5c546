"""The first page, and the choice of language."""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, RedirectResponse

from readmark.server.access import Asking
from readmark.server.pages import LANGUAGE_COOKIE, render

router = APIRouter(include_in_schema=False)


@router.get("/")
def front(request: Request, caller: Asking) -> HTMLResponse:
    """What the hall is, or the person's own projects."""
    return render(request, "front.html", person=caller.person)


@router.get("/language/{language}")
def choose_language(language: Literal["en", "zh"]) -> RedirectResponse:
    """Show the hall in another language from now on."""
    response = RedirectResponse("/", 303)
    response.set_cookie(LANGUAGE_COOKIE, language, max_age=31536000, httponly=True, samesite="lax")
    return response
