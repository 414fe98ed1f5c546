"""Guidelines for authors of questions: what a document asks for, and its levels by examples."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any

from readmark.core.errors import UsageError, did_you_mean

@functools.cache
def _table(language: str) -> dict[str, Any]:
    path = files("readmark.comprehension") / "data" / "guidelines" / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))


def guideline_profiles() -> tuple[str, ...]:
    """The documents whose rules authors can be given."""
    return tuple(_table("en")["profiles"])


def question_guidelines(
    language: str, *, choices: bool = False, profile: str | None = None
) -> list[str]:
    """The guidelines in a language (en, zh), with the rules of a document where one is named.

    Every level has an example, a line each.
    """
    table = _table(language)
    if profile is not None and profile not in table["profiles"]:
        hint = did_you_mean(profile, table["profiles"])
        raise UsageError(f"no guidelines of {profile!r}; {hint}")
    levels = table["levels"]
    return [
        table["title"],
        *table["lines"],
        table["choices" if choices else "answers"],
        *(table["profiles"][profile] if profile is not None else ()),
        table["type"],
        table["closing"],
        levels["title"],
        *levels["lines"],
        *(levels["example"].format_map(one) for one in levels["examples"]),
    ]
