"""A person's API tokens: listed, made and revoked; page and API."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, HTTPException, Request
from pydantic import Field
from starlette.responses import RedirectResponse, Response

from readmark.server.access import (
    Asking,
    Id,
    InBrowser,
    Permitted,
    Reading,
    Scope,
    SignedIn,
    hall_of,
)
from readmark.server.account_errors import AccountError
from readmark.server.api_tokens import create_token, revoke_token
from readmark.server.bodies import HallRoute, Sent
from readmark.server.routes.account_page import TokenShown, show_account, shown_token, shown_tokens
from readmark.server.tables import Person

pages = APIRouter(route_class=HallRoute, include_in_schema=False)
api = APIRouter(route_class=HallRoute, prefix="/api", tags=["people"])


class TokenWanted(Sent):
    """A token to make."""

    name: str = Field(min_length=1, max_length=100)
    scopes: list[Scope] = Field(min_length=1, max_length=10)
    days: int = Field(90, ge=1, le=365)


@api.get("/tokens")
def list_tokens(session: Reading, permitted: SignedIn) -> list[TokenShown]:
    """Your tokens that are not revoked."""
    return shown_tokens(session, permitted.person)


@pages.post("/account/tokens")
def make_token_on_page(
    request: Request,
    caller: Asking,
    session: Reading,
    permitted: InBrowser,
    name: Annotated[str, Form(min_length=1, max_length=100)],
    scopes: Annotated[list[Scope], Form(min_length=1)],
    days: Annotated[int, Form(ge=1, le=365)] = 90,
) -> Response:
    """Make a token, and show it this once."""
    person = permitted.person
    try:
        token = _make_token(request, person, name, scopes, days)
    except AccountError as error:
        return show_account(request, session, caller, person, status=422, fault=error.word)
    with hall_of(request).database.reading() as fresh:
        return show_account(request, fresh, caller, person, secret=token.secret or "")


@api.post("/tokens", status_code=201)
def make_token(request: Request, wanted: TokenWanted, permitted: InBrowser) -> TokenShown:
    """Make a token; its secret is never shown again."""
    return _make_token(request, permitted.person, wanted.name, wanted.scopes, wanted.days)


def _make_token(
    request: Request, person: Person, name: str, scopes: list[Scope], days: int
) -> TokenShown:
    hall = hall_of(request)
    with hall.database.writing() as session:
        row, secret = create_token(session, hall, person.id, name=name, scopes=scopes, days=days)
        return shown_token(row, secret)


@pages.post("/account/tokens/{token}/revoke")
def end_token_on_page(request: Request, token: Id, permitted: InBrowser) -> Response:
    """Revoke one of your tokens."""
    _end_token(request, permitted, token)
    return RedirectResponse("/account", 303)


@api.delete("/tokens/{token}", status_code=204)
def end_token(request: Request, token: Id, permitted: InBrowser) -> Response:
    """Revoke one of your tokens."""
    _end_token(request, permitted, token)
    return Response(status_code=204)


def _end_token(request: Request, permitted: Permitted, token: str) -> None:
    with hall_of(request).database.writing() as session:
        if not revoke_token(session, permitted.person.id, token):
            raise HTTPException(404, "Not found.")
