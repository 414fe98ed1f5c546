"""Derivations and contradictions as indented text, down to the excerpts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from readmark.core.spans import Excerpt
from readmark.tasks.reasoning.contradictions import Contradiction
from readmark.tasks.reasoning.derivations import Derivation
from readmark.tasks.reasoning.graphs import write_triple
from readmark.tasks.reasoning.rules.layout import write_condition, write_denied
from readmark.tasks.reasoning.rules.values import Builtin, Condition, Rule

_STEP = "  "
MOST_LINES = 200
"""Of a longer derivation, an answer keeps the first so many lines."""


def derivation_text(derivation: Derivation) -> str:
    """The tree of a statement: what a statement rests on stands below it, further in.

    A statement that was already explained above is only named again.
    """
    return "\n".join(_tree([derivation], 0))


def derivations_text(derivations: Sequence[Derivation], *, most: int = MOST_LINES) -> str:
    """Several trees, one under the other; of more lines than ``most`` the first."""
    lines = list(islice(_tree(derivations, 0), most + 1))
    if len(lines) > most:
        lines[most:] = ["…"]
    return "\n".join(lines)


def contradiction_text(one: Contradiction) -> str:
    """A contradiction: the rule, what met it, and the inputs that cannot all be right."""
    lines = [f"{one.graph}: contradicts {one.rule.contradicts} by {_title(one.rule)}"]
    if one.probability != 1:
        lines[0] += f", probability {one.probability:.4g}"
    lines.extend(_tree(one.antecedents, 1))
    lines.extend(_conditions(one.computed, one.denied, 1))
    lines.append(f"{_STEP}repair one of:")
    lines.extend(f"{_STEP * 2}{write_triple(statement)}" for statement in one.inputs)
    return "\n".join(lines)


def _tree(roots: Sequence[Derivation], depth: int) -> Iterator[str]:
    seen: set[int] = set()
    stack: list[tuple[Derivation | list[str], int]] = [(one, depth) for one in reversed(roots)]
    while stack:
        one, level = stack.pop()
        if isinstance(one, list):
            yield from one
            continue
        indent = _STEP * level
        line = f"{indent}{write_triple(one.statement)}"
        if one.probability != 1:
            line += f"  probability {one.probability:.4g}"
        if one.rule is None:
            by = f" by {', '.join(one.annotators)}" if one.annotators else ""
            yield f"{line}  asserted{by}"
            yield from _excerpts(one, level + 1)
            continue
        again = id(one) in seen
        seen.add(id(one))
        yield f"{line}  by {_title(one.rule)}" + (", as above" if again else "")
        if not again:
            stack.append((list(_conditions(one.computed, one.denied, level + 1)), level))
            stack.extend((each, level + 1) for each in reversed(one.antecedents))


def _title(rule: Rule) -> str:
    assumed = " (a default)" if rule.assumes else ""
    return f"{rule.name}{assumed}" + (f": {rule.comment}" if rule.comment else "")


def _conditions(
    computed: Iterable[Builtin], denied: Iterable[Sequence[Condition]], level: int
) -> Iterator[str]:
    for builtin in computed:
        yield f"{_STEP * level}{write_condition(builtin)}  holds"
    for group in denied:
        yield f"{_STEP * level}no {write_denied(group)}"


def _excerpts(one: Derivation, level: int) -> Iterator[str]:
    for part in ("statement", "subject", "predicate", "object"):
        excerpts: tuple[Excerpt, ...] = getattr(one.support, part)
        for excerpt in excerpts:
            place = f"{excerpt.document}:{excerpt.start}-{excerpt.end}"
            yield f"{_STEP * level}{part} “{excerpt.quote}” {place}"
