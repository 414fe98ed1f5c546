"""Bodies that msgspec decodes, which is quick and refuses NaN and broken text.

Routes that take them describe them to OpenAPI themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeVar

import msgspec
from fastapi import Depends, HTTPException, Request
from starlette.requests import ClientDisconnect
from starlette.responses import Response

LARGEST_BODY = 1 << 20
"""Bytes of a request."""

T = TypeVar("T")


async def _body(request: Request) -> bytes:
    try:
        return await request.body()
    except ClientDisconnect:  # a tab was closed while it was sending; nobody hears the answer
        raise HTTPException(400, "The request was cut off.") from None


RequestBody = Annotated[bytes, Depends(_body)]


def decoded_body(body: bytes, type: type[T]) -> T:
    """A body as a type says it should be, or an answer that says why it is not."""
    if len(body) > LARGEST_BODY:
        raise HTTPException(413, f"The request is larger than {LARGEST_BODY >> 20} MB.")
    try:
        return msgspec.json.decode(body, type=type)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise HTTPException(422, f"The request is not valid: {error}") from None
    except RecursionError:
        raise HTTPException(422, "The request is not valid: nested too deep") from None


def _schema(type: Any) -> dict[str, Any]:
    """A JSON schema without references, as OpenAPI takes it in place."""
    (schema,), parts = msgspec.json.schema_components([type], ref_template="{name}")

    def inline(node: Any) -> Any:
        if isinstance(node, Mapping):
            if "$ref" in node:
                return inline(parts[node["$ref"]])
            return {name: inline(member) for name, member in node.items()}
        return [inline(member) for member in node] if isinstance(node, list) else node

    whole: dict[str, Any] = inline(schema)
    return whole


def described(takes: Any, returns: Any) -> dict[str, Any]:
    """The options of a route that decodes and encodes by itself, for OpenAPI to describe it."""
    answer = {"description": "Done", "content": {"application/json": {"schema": _schema(returns)}}}
    options: dict[str, Any] = {"responses": {200: answer}}
    if takes is not None:
        body = {"required": True, "content": {"application/json": {"schema": _schema(takes)}}}
        options["openapi_extra"] = {"requestBody": body}
    return options


def json_answer(value: Any) -> Response:
    """A value as JSON."""
    return Response(msgspec.json.encode(value), media_type="application/json")
