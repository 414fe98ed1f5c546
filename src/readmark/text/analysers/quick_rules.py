"""The rules of a spaCy pipeline, with the same results but quicker.

The attribute ruler of the English pipelines tries some 160 patterns on every token. Nearly all of
them look at one token, at its tag, its relation and its word, so what they do is remembered by
these. The lemma rules look words up in lists of up to 57,000; sets answer the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from readmark.core.extras import require

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.matcher import Matcher
    from spacy.tokens import Doc

RuleMatch = tuple[int, int, int, int]
"""As the ruler has it: number and key of a rule, the first token, and the one after the last."""

_LOOKED_AT = ("LOWER", "TAG", "DEP", "IS_SPACE")
"""What patterns of one token may look at to be remembered."""
_WRITTEN = ("POS", "MORPH", "LEMMA")
"""What rules may write to be remembered; white space gets a tag too, and is left to spaCy."""


def quicken(nlp: Language) -> None:
    """Speed up the rules of a pipeline; those of an unusual kind stay as they are."""
    require("spacy")
    from spacy.pipeline import AttributeRuler, Lemmatizer

    for _, component in nlp.pipeline:
        if isinstance(component, AttributeRuler) and can_remember(component):
            remembered: Any = RememberedRules(component)
            component.match = remembered.match  # type: ignore[method-assign]
            component.set_annotations = remembered.set_annotations  # type: ignore[method-assign]
        elif isinstance(component, Lemmatizer) and component.lookups.has_table("lemma_index"):
            lemmas = component.lookups.get_table("lemma_index")
            for word_class, words in list(lemmas.items()):
                lemmas[word_class] = frozenset(words)


def can_remember(ruler: Any) -> bool:
    """Whether patterns of one token look at nothing but what is remembered."""
    return all(set(_LOOKED_AT).issuperset(token) for [token] in _patterns(ruler, of_one=True))


class RememberedRules:
    """What the rules of an attribute ruler do to each sort of token."""

    def __init__(self, ruler: Any) -> None:
        require("spacy")
        from spacy import attrs

        self._ruler = ruler
        self._apply = ruler.set_annotations
        self._strings = ruler.vocab.strings
        self._looked_at = [getattr(attrs, name) for name in _LOOKED_AT]
        self._written = [getattr(attrs, name) for name in _WRITTEN]
        self._of_one = _matcher(ruler, of_one=True)
        self._of_several = _matcher(ruler, of_one=False)
        self._named = NamedWords(
            [token["LOWER"] for [token] in _patterns(ruler, of_one=True) if "LOWER" in token]
        )
        self._words: dict[int, int] = {}
        self._rules: dict[tuple[int, int, int, int], tuple[tuple[int, int], ...]] = {}

    def match(self, doc: Doc) -> list[RuleMatch]:
        """Every rule that matches, in the order of the rules: a later one overwrites."""
        matches = []
        words, rules = self._words, self._rules
        for index, (lower, tag, dep, space) in enumerate(doc.to_array(self._looked_at).tolist()):
            word = words.get(lower)
            if word is None:
                # Words that no pattern names are all alike.
                word = words[lower] = lower if self._strings[lower] in self._named else 0
            sort = word, tag, dep, space
            rules_of_sort = rules.get(sort)
            if rules_of_sort is None:
                keys = self._of_one(doc[index : index + 1], allow_missing=True)
                rules_of_sort = tuple(sorted((int(self._strings[key]), key) for key, _, _ in keys))
                rules[sort] = rules_of_sort
            for rule, key in rules_of_sort:
                matches.append((rule, key, index, index + 1))
        for key, first, last in self._of_several(doc, allow_missing=True):
            matches.append((int(self._strings[key]), key, first, last))
        matches.sort()
        return matches

    def set_annotations(self, doc: Doc, matches: Iterable[RuleMatch]) -> None:
        """Write what the rules say."""
        attributes, indices = self._ruler.attrs, self._ruler.indices
        columns = {name: column for column, name in enumerate(self._written)}
        placed: list[tuple[RuleMatch, int]] = []
        left_to_spacy = set()
        for match in matches:
            rule, _, first, last = match
            place = range(first, last)[indices[rule]]
            placed.append((match, place))
            if not columns.keys() >= attributes[rule].keys():
                left_to_spacy.add(place)
        table = doc.to_array(self._written).tolist()
        for (rule, *_), place in placed:
            if place not in left_to_spacy:
                for name, value in attributes[rule].items():
                    table[place][columns[name]] = value
        cells: Any = np.array(table, np.uint64).reshape(-1, len(columns))
        doc.from_array(self._written, cells)
        # All rules of one token must be written in order, so spaCy gets all of its tokens' rules.
        self._apply(doc, [match for match, place in placed if place in left_to_spacy])


class NamedWords:
    """The words that patterns name: by themselves, in a list, or by a regular expression."""

    def __init__(self, conditions: Iterable[str | Mapping[str, Any]]) -> None:
        self._words: set[str] = set()
        self._expressions: list[re.Pattern[str]] = []
        for condition in conditions:
            if isinstance(condition, str):
                self._words.add(condition)
                continue
            self._words.update(condition.get("IN", ()), condition.get("NOT_IN", ()))
            if "REGEX" in condition:
                self._expressions.append(re.compile(condition["REGEX"]))

    def __contains__(self, word: str) -> bool:
        return word in self._words or any(
            expression.search(word) for expression in self._expressions
        )


def _patterns(ruler: Any, *, of_one: bool) -> Iterator[list[dict[str, Any]]]:
    for rule in ruler.patterns:
        yield from _of_length(rule, of_one=of_one)


def _of_length(rule: Mapping[str, Any], *, of_one: bool) -> list[list[dict[str, Any]]]:
    """The patterns of a rule for one token that is there once, or the others."""
    return [
        pattern
        for pattern in rule["patterns"]
        if (len(pattern) == 1 and "OP" not in pattern[0]) is of_one
    ]


def _matcher(ruler: Any, *, of_one: bool) -> Matcher:
    require("spacy")
    from spacy.matcher import Matcher

    matcher = Matcher(ruler.vocab)
    for number, rule in enumerate(ruler.patterns):
        patterns = _of_length(rule, of_one=of_one)
        if patterns:
            matcher.add(str(number), patterns)
    return matcher
