"""Assertions: who does what to whom, as a reading system would extract it, and how densely."""

from __future__ import annotations

from dataclasses import dataclass

from readmark.readability.raters.features.feature import family
from readmark.readability.raters.features.imperatives import imperatives
from readmark.readability.raters.parses import ParsedPassage

ASSERTIONS = family(
    "assertions",
    ("assertions", "assertions per sentence", -1, 0.0, 6.0),
    ("assertion_density", "assertions per hundred words", 1, 0.0, 20.0),
    ("asserting", "share of sentences that assert something whole", 1, 0.0, 1.0),
    ("arguments", "arguments per assertion", -1, 1.0, 4.0),
    ("simple_subjects", "share of subjects that are one word", 1, 0.0, 1.0),
    ("negation", "share of assertions that are denied", 0, 0.0, 0.6),
)

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_OBJECTS = frozenset({"dobj", "attr", "acomp", "dative", "oprd", "ccomp", "xcomp", "agent"})
_CIRCUMSTANCES = frozenset({"prep", "advmod", "npadvmod", "advcl"})


@dataclass(frozen=True, slots=True)
class Assertion:
    """A verb with its subject, none in a command; objects, complements, circumstances if any."""

    verb: int
    subject: int | None
    objects: tuple[int, ...]
    circumstances: int
    is_denied: bool


def assertions_of(parsed: ParsedPassage) -> list[Assertion]:
    """Every verb with a subject, shared by verbs coordinated with it; and every command."""
    deps, heads = parsed.deps, parsed.heads
    subjects: dict[int, int] = {}
    objects: dict[int, list[int]] = {}
    circumstances: dict[int, int] = {}
    denied: set[int] = set()
    for index, dep in enumerate(deps):
        head = heads[index]
        if dep in _SUBJECTS:
            subjects.setdefault(head, index)
        elif dep in _OBJECTS:
            objects.setdefault(head, []).append(index)
        elif dep in _CIRCUMSTANCES:
            circumstances[head] = circumstances.get(head, 0) + 1
        elif dep == "neg":
            denied.add(head)
    commands = set(imperatives(parsed))
    assertions = []
    for index, pos in enumerate(parsed.pos):
        if pos not in ("VERB", "AUX") or deps[index] in ("aux", "auxpass"):
            continue
        subject = subjects.get(index)
        if subject is None and deps[index] == "conj":
            subject = subjects.get(heads[index])
        if subject is not None or index in commands:
            assertions.append(
                Assertion(
                    verb=index,
                    subject=subject,
                    objects=tuple(objects.get(index, ())),
                    circumstances=circumstances.get(index, 0),
                    is_denied=index in denied,
                )
            )
    return assertions


def measure_assertions(parsed: ParsedPassage) -> dict[str, float]:
    """How many assertions there are, how whole, and how much each carries."""
    assertions = assertions_of(parsed)
    count = len(assertions)
    asserting = {int(parsed.sentences[assertion.verb]) for assertion in assertions}
    modified = {head for index, head in enumerate(parsed.heads) if head != index}
    arguments = sum(1 + len(each.objects) + each.circumstances for each in assertions)
    simple = sum(assertion.subject not in modified for assertion in assertions)
    denied = sum(assertion.is_denied for assertion in assertions)
    return {
        "assertions": count / parsed.sentence_count,
        "assertion_density": 100 * count / parsed.count,
        "asserting": len(asserting) / parsed.sentence_count,
        "arguments": arguments / count if count else 2.0,
        "simple_subjects": simple / count if count else 0.5,
        "negation": denied / count if count else 0.0,
    }
