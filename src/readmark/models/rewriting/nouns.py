"""Nouns but for their number."""

from __future__ import annotations


def singular(noun: str) -> str:
    """A noun in the singular, by its ending."""
    for ending, single in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh")):
        if noun.endswith(ending):
            return noun[: -len(ending)] + single
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def same_noun(one: str, other: str) -> bool:
    """Whether two words are one noun but for number."""
    return one == other or singular(one) == singular(other)
