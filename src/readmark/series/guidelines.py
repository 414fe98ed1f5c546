"""The guidelines for golds in words, in English and Chinese, and why each rule is there."""

from __future__ import annotations

import functools
import tomllib
from importlib.resources import files
from typing import Any

from readmark.series.notation import MOST_GOLDS, PREVIOUS_ANSWER


def gold_guidelines(language: str) -> list[str]:
    """How to write golds, in a language (en, zh); the first line is a title."""
    return [_filled_in(line) for line in _guidelines(language)["lines"]]


def gold_explanation(code: str, language: str) -> tuple[str, str] | None:
    """What is wrong with a gold in a few words, and why; None for a code without explanation."""
    rule = _guidelines(language)["rules"].get(code)
    return None if rule is None else (_filled_in(rule["title"]), _filled_in(rule["why"]))


@functools.cache
def _guidelines(language: str) -> dict[str, Any]:
    text = files("readmark.series").joinpath("data/guidelines.toml").read_text("utf-8")
    table: dict[str, Any] = tomllib.loads(text)[language]
    return table


def _filled_in(text: str) -> str:
    return text.format(most=MOST_GOLDS, previous=PREVIOUS_ANSWER)
