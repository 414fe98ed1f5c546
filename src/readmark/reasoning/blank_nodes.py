"""Blank nodes of several files kept apart: "RDF 1.1 Concepts" gives each document its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath

from readmark.reasoning.graphs import Asserted, Statement
from readmark.reasoning.rdf_terms import BLANK
from readmark.reasoning.terms import Literal, Name

_ODD = re.compile(r"[^A-Za-z0-9_-]")


def scopes(files: Iterable[str]) -> dict[str, str]:
    """What the labels of each file's blank nodes begin with: nothing, where there is one file.

    It is the file's name as far as a label can have it, with a number where two are alike. Up to
    its full stop no other scope is the same, so that no label of one file becomes another's.
    """
    every = list(dict.fromkeys(files))
    if len(every) < 2:
        return dict.fromkeys(every, "")
    found: dict[str, str] = {}
    taken: set[str] = set()
    for file in every:
        plain = _ODD.sub("-", PurePath(file).stem)
        plain = plain if plain[:1].isalpha() else f"_{plain}"  # RDF/XML wants a letter first.
        name, number = plain, 1
        while name in taken:
            number += 1
            name = f"{plain}-{number}"
        taken.add(name)
        found[file] = f"{name}."
    return found


def scoped(one: Asserted, scope: str) -> Asserted:
    """The statement with the scope in the labels of its blank nodes."""
    said = one.statement
    if not scope or not (_is_blank(said.subject) or _is_blank(said.object)):
        return one
    subject = _within(said.subject, scope)
    object_ = said.object if isinstance(said.object, Literal) else _within(said.object, scope)
    return replace(one, statement=Statement(subject, said.predicate, object_))


def _is_blank(term: Name | Literal) -> bool:
    return isinstance(term, Name) and term.text.startswith(BLANK)


def _within(name: Name, scope: str) -> Name:
    return Name(f"{BLANK}{scope}{name.text[len(BLANK) :]}") if _is_blank(name) else name
