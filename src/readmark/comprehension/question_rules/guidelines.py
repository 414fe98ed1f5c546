"""What authors of questions are given to read: the documents' rules, and levels by examples."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any

from readmark.comprehension.question_rules.rules import QUESTION_RULES
from readmark.core.errors import UsageError, did_you_mean
from readmark.core.question_rules import RuleSettings


def question_guidelines(
    language: str, *, choices: bool = False, profile: str | None = None
) -> list[str]:
    """The guidelines in a language (en, zh), with the rules of a document where one is named.

    Every level has an example, a line each.
    """
    table = _guidelines(language)
    if profile is not None and profile not in table["profiles"]:
        hint = did_you_mean(profile, table["profiles"])
        raise UsageError(f"no guidelines of {profile!r}; {hint}")
    levels = table["levels"]
    return [
        table["title"],
        *table["lines"],
        *([] if profile == "smart" else [table["wording"]]),  # SMART asks for all levels alike
        table["choices" if choices else "answers"],
        *(table["profiles"][profile] if profile is not None else ()),
        table["type"],
        table["closing"],
        levels["title"],
        *levels["lines"],
        *(levels["example"].format_map(example) for example in levels["examples"]),
    ]


def guideline_profiles() -> tuple[str, ...]:
    """The documents whose rules authors can be given."""
    return tuple(_guidelines("en")["profiles"])


def rule_explanation(code: str, language: str, settings: RuleSettings) -> tuple[str, str] | None:
    """What a rule says in a few words, and why there is such a rule, in a language (en, zh).

    ``settings`` are its thresholds. None for a rule that has no explanation.
    """
    explanations: dict[str, dict[str, str]] = _guidelines(language)["rules"]
    explanation = explanations.get(code)
    if explanation is None:
        return None
    defaults = next((rule.settings for rule in QUESTION_RULES.rules if rule.code == code), {})
    return explanation["title"], explanation["why"].format_map({**defaults, **settings})


@functools.cache
def _guidelines(language: str) -> dict[str, Any]:
    path = files("readmark.comprehension") / "data" / "guidelines" / f"{language}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8"))
