"""The scopes of a document as it is read: what holds, and which findings inherited it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

from readmark.tasks.extraction.ownership import Finding
from readmark.tasks.extraction.pattern_set import ScopeRule


class OpenScopes:
    """The values of scopes up to a place in the text."""

    def __init__(self, rules: Mapping[str, ScopeRule]) -> None:
        self.rules = rules
        self.values: dict[str, Any] = {}
        self._set_in: dict[str, int] = {}
        """The sentence in which each was last set."""
        self._last_set: dict[str, Any] = {}
        """What the text last said, where the scope's value may be what comes after that."""
        self._inheriting: dict[str, list[Finding]] = defaultdict(list)
        """Findings of later sentences that inherited a scope's present value."""

    def begin_sentence(self) -> None:
        """End what holds in one sentence only."""
        for scope, rule in self.rules.items():
            if rule.brief:
                self.values.pop(scope, None)

    def is_fixed(self, scope: str) -> bool:
        """Whether the first value holds for the whole document, and is known."""
        return self.rules[scope].first and self._last_set.get(scope) is not None

    def set_owner(self, scope: str, owner: tuple[str, str], sentence: int) -> None:
        """Set a scope to the owner that a title states."""
        if scope in self.rules:
            self.values[scope] = owner
            self._set_in[scope] = sentence

    def change(self, scope: str, value: Any, sentence: int, *, is_over: bool) -> bool:
        """Set a scope to a value, or to what follows one that ``is_over``.

        Returns whether values between the last one and this were passed over.
        """
        rule = self.rules[scope]
        before = self._last_set.get(scope)
        self.values[scope] = rule.following(value) if is_over else value
        self._last_set[scope] = value
        self._set_in[scope] = sentence
        is_later = isinstance(before, int) and isinstance(value, int) and value > before + 1
        return rule.ordered and is_later

    def release(self, scope: str, *, drop: bool) -> None:
        """Leave what findings inherited as it is, or drop it where nobody can know it."""
        for finding in self._inheriting[scope] if drop else ():
            finding.inherited.pop(scope, None)
        self._inheriting[scope] = []

    def fresh(self, sentence: int) -> set[str]:
        """The scopes that were set in a sentence."""
        return {scope for scope, number in self._set_in.items() if number == sentence}

    def add(self, finding: Finding, sentence: int) -> None:
        """Take the owners that a finding states, and note what it inherits from before."""
        for scope, owner in finding.decided.items():
            if scope in self.rules:
                self.values[scope] = owner
        for scope in self.rules:
            if scope in finding.inherited and self._set_in.get(scope) != sentence:
                self._inheriting[scope].append(finding)
