"""Derivations and contradictions as indented text, down to the excerpts, and the same read again.

Answers keep their derivation as this text, also those of systems that write their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice

from readmark.core.counts import counted
from readmark.core.numbers import significant
from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.contradictions import Contradiction
from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.engine.chance import chance_text
from readmark.tasks.reasoning.graphs import PARTS, write_triple
from readmark.tasks.reasoning.rules.values import (
    Builtin,
    Condition,
    Rule,
    write_condition,
    write_denied,
)

MOST_LINES = 200
"""Of a longer derivation, an answer keeps the first so many lines."""
DEEPEST = 40
"""Deeper lines are read as of this level: the text may be anybody's, and pages nest it."""

_STEP = "  "
_QUOTED = re.compile(
    r"(statement|subject|predicate|object) “(.*)” (.+):(\d{1,9})-(\d{1,9})", re.DOTALL
)
_MOST_QUOTED_LINES = 20
"""Lines that a quotation may run over, which are tried one after the other."""


def derivation_text(derivation: Derivation) -> str:
    """The tree of a statement: what a statement rests on is below it, indented.

    A statement that was already explained above is only named again.
    """
    return "\n".join(_tree_lines([derivation], 0))


def derivations_text(derivations: Sequence[Derivation], *, most: int = MOST_LINES) -> str:
    """Several trees, one under the other; of more lines than ``most`` the first."""
    lines = list(islice(_tree_lines(derivations, 0), most + 1))
    if len(lines) > most:
        lines[most:] = ["…"]
    return "\n".join(lines)


def contradiction_text(contradiction: Contradiction) -> str:
    """A contradiction: the rule, what met it, and the inputs that cannot all be right."""
    inputs = (f"{_STEP * 2}{write_triple(statement)}" for statement in contradiction.inputs)
    return "\n".join([conflict_text(contradiction), f"{_STEP}repair one of:", *inputs])


def conflict_text(contradiction: Contradiction) -> str:
    """A contradiction without its inputs: the rule, and the derivations of what met it."""
    rule = contradiction.rule
    lines = [f"{contradiction.graph}: contradicts {rule.contradicts} by {rule_title(rule)}"]
    if contradiction.probability != 1:
        lines[0] += f", probability {chance_text(contradiction.probability, contradiction.bound)}"
    lines.extend(_tree_lines(contradiction.antecedents, 1))
    lines.extend(_condition_lines(contradiction.computed, contradiction.denied, 1))
    return "\n".join(lines)


def rule_title(rule: Rule) -> str:
    """A rule's name and comment; of a default, that it is one."""
    assumed = " (a default)" if rule.assumes else ""
    return f"{rule.name}{assumed}" + (f": {rule.comment}" if rule.comment else "")


_Pending = tuple[Derivation | list[str], int]
"""What is still to be written, and at which level: a tree, or lines as they are."""


def _tree_lines(roots: Sequence[Derivation], depth: int) -> Iterator[str]:
    # A stack of its own: derivations of thousands of steps are deeper than Python's.
    explained: set[int] = set()
    stack: list[_Pending] = [(root, depth) for root in reversed(roots)]
    while stack:
        derivation, level = stack.pop()
        if isinstance(derivation, list):
            yield from derivation
            continue
        line = f"{_STEP * level}{write_triple(derivation.statement)}"
        if derivation.probability != 1:
            line += f"  probability {chance_text(derivation.probability, derivation.bound)}"
        if derivation.rule is None:
            yield from _asserted_lines(derivation, line, level)
            stack.extend(reversed(_other_ways(derivation, level + 1)))
            stack.extend((link, level + 1) for link in reversed(derivation.links))
            continue
        rule = f"by {rule_title(derivation.rule)}"
        if id(derivation) in explained:
            yield f"{line}  {rule}, as above"
            continue
        explained.add(id(derivation))
        if derivation.others and derivation.alone is not None:
            ways = counted(len(derivation.others) + 1, "way")
            rule = f"in {ways}: with probability {significant(derivation.alone)} {rule}"
        yield f"{line}  {rule}"
        conditions = list(_condition_lines(derivation.computed, derivation.denied, level + 1))
        below: list[_Pending] = [(each, level + 1) for each in derivation.antecedents]
        below += [(conditions, level), *_other_ways(derivation, level + 1)]
        stack.extend(reversed(below))


def _asserted_lines(derivation: Derivation, line: str, level: int) -> Iterator[str]:
    """An input: with which probability, in which documents, by whom; and the text it quotes."""
    line += "  asserted"
    if derivation.stated is not None:
        line += f" with probability {significant(derivation.stated)}"
    if derivation.documents:
        line += f" in {', '.join(derivation.documents)}"
    if derivation.annotators:
        line += f" by {', '.join(derivation.annotators)}"
    yield line
    for part, excerpt in derivation.support.excerpts():
        place = f"{excerpt.document}:{excerpt.start}-{excerpt.end}"
        yield f"{_STEP * (level + 1)}{part} “{excerpt.quote}” {place}"


def _other_ways(derivation: Derivation, level: int) -> list[_Pending]:
    ways: list[_Pending] = []
    for way in derivation.others:
        assert way.rule is not None
        chance = f"or with probability {significant(way.probability)}"
        ways.append(([f"{_STEP * level}{chance} by {rule_title(way.rule)}"], level))
        ways.extend((each, level + 1) for each in way.antecedents)
        ways.append((list(_condition_lines(way.computed, way.denied, level + 1)), level))
    return ways


def _condition_lines(
    computed: Iterable[Builtin], denied: Iterable[Sequence[Condition]], level: int
) -> Iterator[str]:
    for builtin in computed:
        yield f"{_STEP * level}{write_condition(builtin)}  holds"
    for group in denied:
        yield f"{_STEP * level}no {write_denied(group)}"


@dataclass(frozen=True, slots=True)
class DerivationLine:
    """A line of a derivation, and what is below it: what it rests on."""

    text: str
    level: int = 0
    excerpt: Excerpt | None = None
    """What the line quotes, where it is text provenance."""
    below: list[DerivationLine] = field(default_factory=list)


def read_derivation(text: str, *, most: int = MOST_LINES) -> list[DerivationLine]:
    """The trees of a derivation's text: each line with those that are indented below it."""
    roots: list[DerivationLine] = []
    above: list[tuple[int, DerivationLine]] = []
    lines = text.splitlines()
    index = 0
    while index < len(lines) and index < most:
        bare = lines[index].lstrip(" ")
        indent = min((len(lines[index]) - len(bare)) // len(_STEP), DEEPEST)
        index += 1
        if not bare:
            continue
        excerpt = None
        if bare.startswith(tuple(f"{part} “" for part in PARTS)):
            for end in range(index, min(index + _MOST_QUOTED_LINES, len(lines) + 1)):
                quotation = "\n".join([bare, *lines[index:end]])
                if match := _QUOTED.fullmatch(quotation):
                    bare, index = quotation, end
                    excerpt = Excerpt(match[3], int(match[4]), int(match[5]), match[2])
                    break
        while above and above[-1][0] >= indent:
            above.pop()
        line = DerivationLine(bare, len(above), excerpt)
        (above[-1][1].below if above else roots).append(line)
        above.append((indent, line))
    return roots
