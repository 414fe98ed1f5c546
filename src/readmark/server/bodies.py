"""Bodies of requests, which are decoded and checked outside the event loop if they are large.

FastAPI does both in the loop: two megabytes with 900,000 faults kept every other request waiting
for ten seconds.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar
from urllib.parse import parse_qsl

import anyio.to_thread
import msgspec
from anyio import CapacityLimiter
from fastapi import HTTPException, Request
from fastapi.exceptions import RequestValidationError
from fastapi.params import Form
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError
from starlette.datastructures import FormData
from starlette.responses import Response

from readmark.server.access import giving_back

QUICK_BODY = 16 << 10
"""Bytes that are decoded in the event loop; more would make every other request wait."""
DECODERS = CapacityLimiter(2)
"""How many large bodies are decoded at a time: more threads would leave the loop too little of
the interpreter, and threads that save people's work are others."""
FORM_DECODERS = CapacityLimiter(1)
"""The same for forms, which take ten times as long: nobody's JSON waits for them."""
MOST_FAULTS = 100
"""Faults of a body that are described; to describe 100,000 takes a second in one call."""

T = TypeVar("T")


class Sent(BaseModel):
    """A request's body: unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")


async def decoded(
    body: bytes,
    decode: Callable[[bytes], T],
    *,
    quick: int = QUICK_BODY,
    limiter: CapacityLimiter = DECODERS,
) -> T:
    """What a function makes of a body, called in a thread if it has more bytes than ``quick``."""
    if len(body) <= quick:
        return decode(body)
    return await anyio.to_thread.run_sync(decode, body, limiter=limiter)


def decode_json(body: bytes) -> Any:
    """Decode JSON as the standard library does, whose error says where a document is broken."""
    try:
        return msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return json.loads(body.decode("utf-8-sig"))


class HallRequest(Request):
    """A request whose large body is decoded outside the event loop."""

    async def json(self) -> Any:
        """The body as JSON."""
        if not hasattr(self, "_json"):
            self._json = await decoded(await self.body(), decode_json)
        return self._json

    async def _get_form(
        self,
        *,
        max_files: float = 1000,
        max_fields: float = 1000,
        max_part_size: int = 1 << 20,
    ) -> FormData:
        content_type = self.headers.get("content-type", "").partition(";")[0].strip().lower()
        is_encoded = content_type == "application/x-www-form-urlencoded"
        if self._form is not None or not is_encoded or len(await self.body()) <= QUICK_BODY:
            # Uploads come in pieces between which the loop does other things: see `limited_body`.
            return await super()._get_form(
                max_files=max_files, max_fields=max_fields, max_part_size=max_part_size
            )

        def decode(body: bytes) -> FormData:
            if any(len(field) > max_part_size for field in body.split(b"&")):
                raise HTTPException(400, f"A field is larger than {max_part_size >> 10} KB.")
            try:
                fields = parse_qsl(
                    body.decode("latin-1"), keep_blank_values=True, max_num_fields=int(max_fields)
                )
            except ValueError:
                raise HTTPException(400, f"The form has more than {max_fields} fields.") from None
            return FormData([*fields])

        self._form = await decoded(await self.body(), decode, limiter=FORM_DECODERS)
        return self._form


class HallRoute(APIRoute):
    """A route of the hall: it decodes and checks a large body outside the event loop.

    Its function gives the connection to the database back before the answer is sent.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:
        super().__init__(path, giving_back(endpoint), **options)

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request."""
        handle = super().get_route_handler()
        check: TypeAdapter[Any] | None = None
        field = self.body_field.field_info if self.body_field is not None else None
        if field is not None and field.annotation is not None and not isinstance(field, Form):
            check = TypeAdapter(field.annotation)

        async def answer(request: Request) -> Response:
            request = HallRequest(request.scope, request.receive)
            if check is not None and len(await request.body()) > QUICK_BODY:
                content = await _json_or_none(request)
                await anyio.to_thread.run_sync(_check, check, content, limiter=DECODERS)
            return await handle(request)

        return answer


async def _json_or_none(request: Request) -> Any:
    try:
        return await request.json()
    except ValueError:
        return None  # FastAPI says where it is broken


def _check(check: TypeAdapter[Any], content: Any) -> None:
    """Refuse what does not have the type; with a few of the faults, if there are few."""
    if content is None:
        return
    try:
        check.validate_python(content)
    except ValidationError as error:
        count = error.error_count()
        if count > MOST_FAULTS:
            fault = {"loc": ("body",), "msg": f"{count:,} members are not valid"}
            raise RequestValidationError([fault]) from None
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError(
            [{**fault, "loc": ("body", *fault["loc"])} for fault in faults]
        ) from None
