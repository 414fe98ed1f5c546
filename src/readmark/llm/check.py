"""Whether the models of the configuration answer: one short question to each endpoint."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from readmark.core.configuration_sections import ModelSettings, SpendingLimits, UserConfiguration
from readmark.core.errors import ReadmarkError, did_you_mean
from readmark.core.extras import require
from readmark.llm.candidate import Llm
from readmark.llm.client import Asker
from readmark.llm.endpoint import Endpoint
from readmark.llm.exchange import LARGEST

_ATTEMPTS = 2
"""For each request: fewer than usual, since somebody waits."""
_SUGGESTED = 20
"""How many of an endpoint's models a name is compared with to suggest another."""


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What became of the question to one model."""

    name: str
    model: str
    answers: bool
    message: str
    seconds: float | None = None
    known: tuple[str, ...] = ()
    """The models that the endpoint lists, where it has none of this name."""


def check_models(configuration: UserConfiguration) -> Iterator[ModelCheck]:
    """Ask each model of a configuration one question."""
    for name, settings in configuration.models.items():
        yield _check(name, settings, configuration.limits)


def _check(name: str, settings: ModelSettings, limits: SpendingLimits) -> ModelCheck:
    model = settings.model or name
    try:
        # Without the limits: one question is asked of a model whose price nobody stated, too.
        traffic = replace(settings.traffic, attempts=_ATTEMPTS, cache=None)
        asker = Asker(_endpoint(settings), traffic, price=settings.price, shape=settings.shape)
    except ReadmarkError as error:
        return ModelCheck(name, model, False, str(error))
    started = time.perf_counter()
    try:
        line = asker.probe() or "answers"
    except ReadmarkError as error:
        known = _listed_models(asker)
        message = str(error)
        if known and model not in known:
            message = (
                f"the endpoint has no model {model!r}; {did_you_mean(model, known[:_SUGGESTED])}"
            )
        return ModelCheck(name, model, False, message, known=() if model in known else known)
    seconds = round(time.perf_counter() - started, 3)
    if settings.price is None and (limits.cost or limits.total_cost):
        line += f"; the limits on cost need its price: set models.{name}.price"
    return ModelCheck(name, model, True, line, seconds)


def _endpoint(settings: ModelSettings) -> Endpoint:
    """The endpoint of a model, as a candidate asks it."""
    candidate = Llm(**settings.sampling, settings=settings)
    return candidate.endpoint()


def _listed_models(asker: Asker) -> tuple[str, ...]:
    """The names at ``/models`` of the endpoint, or none where it does not list them."""
    try:
        body: Any = asyncio.run(asyncio.wait_for(_get_models(asker), 30))
        names = (each.get("id") for each in msgspec.json.decode(body)["data"])
        return tuple(name for name in names if isinstance(name, str))
    except Exception:  # a list that cannot be read is no list
        return ()


async def _get_models(asker: Asker) -> bytes:
    require("aiohttp")
    import aiohttp

    destination = asker.destination
    async with (
        aiohttp.ClientSession() as client,
        client.get(
            f"{asker.endpoint.base_url}/models",
            headers=destination.headers,
            proxy=destination.proxy,
            allow_redirects=False,
        ) as response,
    ):
        response.raise_for_status()
        return await response.content.read(LARGEST)
