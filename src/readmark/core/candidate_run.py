"""The run of a sitting, as its candidate sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readmark.core.spent import Spent
from readmark.core.traffic import Traffic


@dataclass(slots=True)
class Run:
    """What a candidate may use while it sits, and what it tells the runner."""

    materials: Mapping[str, bytes] = field(default_factory=dict)
    """The kind's ``materials`` of the test."""
    languages: str = ""
    """The languages of questions and passages if they differ, such as ``en-zh``."""
    traffic: Traffic | None = None
    """The limits of a candidate that sends requests; None for any other."""
    journal: Path | None = None
    """The file that is written, if there is one."""
    may_ask: bool = False
    """Whether ``prepare`` may send requests, to find out what a service takes."""
    before: Mapping[str, Any] = field(default_factory=dict)
    """The ``fields`` that an earlier run left, for a candidate that sends requests."""
    spent: Spent = field(default_factory=Spent)
    """What earlier runs cost; known when the first repeat begins."""
    fields: dict[str, Any] = field(default_factory=dict)
    """Set by ``prepare``: members for the header of the sitting, which may change between runs."""
    notes: list[str] = field(default_factory=list)
    """Set by ``prepare``: what is to be reported, one per line."""
    overhead: Mapping[str, Any] | None = None
    """Set by ``answer``: what the run cost besides its rows, as the usage of a row."""
