"""Assertions: who does what to whom, as a reading system would extract it, and how densely."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.readability.raters.features.families import Feature, bounded
from readmark.readability.raters.parses import Parsed, imperatives

FEATURES = tuple(
    Feature(name, "assertions", says, easier, low, high)
    for name, says, easier, low, high in (
        ("assertions", "assertions a sentence", -1, 0.0, 6.0),
        ("assertion_density", "assertions a hundred words", 1, 0.0, 20.0),
        ("asserting", "share of sentences that assert something whole", 1, 0.0, 1.0),
        ("arguments", "arguments an assertion", -1, 1.0, 4.0),
        ("simple_subjects", "share of subjects that are one word", 1, 0.0, 1.0),
        ("negation", "share of assertions that are denied", 0, 0.0, 0.6),
    )
)

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_OBJECTS = frozenset({"dobj", "attr", "acomp", "dative", "oprd", "ccomp", "xcomp", "agent"})
_AROUND = frozenset({"prep", "advmod", "npadvmod", "advcl"})


@dataclass(frozen=True, slots=True)
class Assertion:
    """A verb with its subject, none in a command; objects, complements, circumstances if any."""

    verb: int
    subject: int | None
    objects: tuple[int, ...]
    around: int
    denied: bool


def assertions_of(parsed: Parsed) -> list[Assertion]:
    """Every verb with a subject, shared by verbs coordinated with it; and every command."""
    pos, deps, heads = parsed.pos, parsed.deps, parsed.heads
    subjects: dict[int, int] = {}
    objects: dict[int, list[int]] = {}
    around: dict[int, int] = {}
    denied: set[int] = set()
    for at, dep in enumerate(deps):
        head = heads[at]
        if dep in _SUBJECTS:
            subjects.setdefault(head, at)
        elif dep in _OBJECTS:
            objects.setdefault(head, []).append(at)
        elif dep in _AROUND:
            around[head] = around.get(head, 0) + 1
        elif dep == "neg":
            denied.add(head)
    commands = set(imperatives(parsed))
    found = []
    for at, tag in enumerate(pos):
        if tag not in ("VERB", "AUX") or deps[at] in ("aux", "auxpass"):
            continue
        subject = subjects.get(at)
        if subject is None and deps[at] == "conj":
            subject = subjects.get(heads[at])
        if subject is not None or at in commands:
            mine = tuple(objects.get(at, ()))
            found.append(Assertion(at, subject, mine, around.get(at, 0), at in denied))
    return found


def measure(parsed: Parsed) -> dict[str, float]:
    """How many assertions, how whole, and how much each carries."""
    found = assertions_of(parsed)
    count = len(found)
    with_one = {int(parsed.sentences[one.verb]) for one in found}
    held = {parsed.heads[at] for at in range(len(parsed.heads)) if parsed.heads[at] != at}
    values = {
        "assertions": count / parsed.sentence_count,
        "assertion_density": 100 * count / parsed.count,
        "asserting": len(with_one) / parsed.sentence_count,
        "arguments": sum(1 + len(one.objects) + one.around for one in found) / count
        if count
        else 2.0,
        "simple_subjects": sum(one.subject not in held for one in found) / count if count else 0.5,
        "negation": sum(one.denied for one in found) / count if count else 0.0,
    }
    return bounded(FEATURES, values)
