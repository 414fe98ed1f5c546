"""The model that a judge asks: its endpoint, its sampling, and how requests to it are sent."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from readmark.core.configuration_sections import ModelSettings
from readmark.core.errors import UsageError
from readmark.core.traffic import Traffic
from readmark.llm.endpoint import Endpoint

if TYPE_CHECKING:
    from readmark.llm.client import Asker

ADDRESS = "OPENAI_BASE_URL"
"""The environment variable with the endpoint, where nothing else names one."""
LONGEST = 512
"""Tokens of a verdict: a yes or no in JSON, after some reasoning."""


@dataclass(frozen=True, slots=True)
class JudgeModel:
    """A model as the judge's parameters describe it, or its section of readmark.toml."""

    endpoint: Endpoint
    temperature: float
    """Below 0 the endpoint is sent none."""
    max_tokens: int
    section: ModelSettings | None
    """The section, if the model is one of readmark.toml."""

    @classmethod
    def named(
        cls,
        name: str,
        base_url: str,
        key: str,
        *,
        temperature: float | None,
        max_tokens: int | None,
    ) -> JudgeModel:
        """The model of this name; what is set here wins over its section."""
        from readmark.core.configuration import configuration

        section = None if base_url else configuration().models.get(name)
        address = base_url or (section.base_url if section is not None else "")
        address = address or os.environ.get(ADDRESS, "")
        if not name or not address:
            raise UsageError(
                f"which judge? judge(model=NAME) of a model in readmark.toml, "
                f"judge(model=NAME,base_url=URL), or set {ADDRESS}"
            )
        # Not `or`: a temperature of 0 that somebody named wins over the section's.
        if temperature is None and section is not None:
            temperature = section.temperature
        if temperature is None:
            temperature = 0.0
        if max_tokens is None and section is not None:
            max_tokens = section.max_tokens
        if max_tokens is None:
            max_tokens = LONGEST
        sent_temperature = temperature if temperature >= 0 else None
        if section is None:
            endpoint = Endpoint(
                address, name, key, temperature=sent_temperature, max_tokens=max_tokens
            )
        else:
            endpoint = Endpoint(
                address,
                section.model or section.name,
                section.key,
                temperature=sent_temperature,
                top_p=section.top_p,
                seed=section.seed,
                max_tokens=max_tokens,
                **section.additions,
            )
        return cls(endpoint, temperature, max_tokens, section)

    def asker(self, options: Traffic | None, cache: str) -> Asker:
        """What sends requests to the model; ``cache`` is the file of replies by default."""
        from readmark.llm.cache import Cache
        from readmark.llm.client import Asker
        from readmark.llm.traffic import traffic_in_force

        traffic = traffic_in_force(options, self.section)
        file = cache if traffic.cache is None else traffic.cache
        return Asker(
            self.endpoint,
            traffic,
            price=self.section.price if self.section is not None else None,
            cache=Cache(file) if file else None,
            shape=self.section.shape if self.section is not None else "auto",
        )
