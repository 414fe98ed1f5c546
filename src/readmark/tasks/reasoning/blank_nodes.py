"""Blank nodes of several files kept apart: "RDF 1.1 Concepts" gives each document its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from pathlib import PurePath

from readmark.tasks.reasoning.graphs import Asserted, Statement
from readmark.tasks.reasoning.rdf_terms import BLANK
from readmark.tasks.reasoning.terms import Literal, Name

_NOT_IN_LABELS = re.compile(r"[^A-Za-z0-9_-]")


def scopes(files: Iterable[str]) -> dict[str, str]:
    """What the labels of each file's blank nodes begin with: nothing, where there is one file.

    It is the file's name as far as a label can have it, with a number where two are alike. Up to
    its full stop no other scope is the same, so that no label of one file becomes another's.
    """
    names = list(dict.fromkeys(files))
    if len(names) < 2:
        return dict.fromkeys(names, "")
    scope_of: dict[str, str] = {}
    taken: set[str] = set()
    for file in names:
        plain = _NOT_IN_LABELS.sub("-", PurePath(file).stem)
        plain = plain if plain[:1].isalpha() else f"_{plain}"  # RDF/XML wants a letter first.
        name, number = plain, 1
        while name in taken:
            number += 1
            name = f"{plain}-{number}"
        taken.add(name)
        scope_of[file] = f"{name}."
    return scope_of


def scoped(asserted: Asserted, scope: str) -> Asserted:
    """The statement with the scope in the labels of its blank nodes."""
    subject, object_ = asserted.statement.subject, asserted.statement.object
    if not scope or not (_is_blank(subject) or _is_blank(object_)):
        return asserted
    if _is_blank(subject):
        subject = _with_scope(subject, scope)
    if isinstance(object_, Name) and _is_blank(object_):
        object_ = _with_scope(object_, scope)
    return replace(asserted, statement=Statement(subject, asserted.statement.predicate, object_))


def _is_blank(term: Name | Literal) -> bool:
    return isinstance(term, Name) and term.text.startswith(BLANK)


def _with_scope(blank: Name, scope: str) -> Name:
    return Name(f"{BLANK}{scope}{blank.text[len(BLANK) :]}")
