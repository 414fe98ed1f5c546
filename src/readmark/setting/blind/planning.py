"""Who answers what: every question by as many people as are wanted, nobody's own, loads even."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.corpus.errors import DataError, UsageError
from readmark.corpus.test import Test
from readmark.corpus.values import Passage
from readmark.setting.blind.names import answered_by, folded_name, require_name, twice

PROPOSER = "proposer"
"""The field of a question, key or passage that names who wrote the question."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The passages that each annotator answers; a passage's questions stay together."""

    passages: dict[str, tuple[str, ...]]
    questions: dict[str, int]
    """How many questions each annotator has."""
    each: int
    seed: int
    paper: str


def planned(test: Test, annotators: Sequence[str], *, each: int = 2, seed: int = 1) -> Plan:
    """Deal the passages out; the order of the file does not matter.

    Nobody gets a passage of which they proposed or answered a question: they know its key.
    """
    names = _distinct(annotators)
    if each < 1:
        raise UsageError(f"a question is answered by one person or more, not {each}")
    if len(names) < each:
        raise UsageError(
            f"{each} people are to answer every question and {len(names)} {_is(names)} named: "
            "--annotator NAME once a person, or a smaller --each"
        )
    if test.kind.name == "readability":
        raise UsageError(f"{test.file}: is a readability test; `readmark panel plan` hands it out")
    paper = test.facts.paper
    draw = random.Random(seed)
    asked = {
        record.id: (len(record.questions), _knowing(record))
        for record in test.records()
        if record.questions
    }
    if not asked:
        raise DataError("the test has no questions", file=test.file)
    order = sorted(asked)
    draw.shuffle(order)
    order.sort(key=lambda id: -asked[id][0])  # large passages first, so that small ones even out
    load = dict.fromkeys(names, 0)
    dealt: dict[str, set[str]] = {name: set() for name in names}
    for id in order:
        count, knowing = asked[id]
        free = [name for name in names if folded_name(name) not in knowing]
        if len(free) < each:
            known = [name for name in names if name not in free]
            raise DataError(
                f"{each} people are wanted who do not know its key, and {len(free)} of "
                f"{len(names)} {_is(free)} left: {' and '.join(known)} proposed or answered a "
                "question of it",
                file=test.file,
                where=id,
            )
        draw.shuffle(free)
        for name in sorted(free, key=lambda one: load[one])[:each]:
            load[name] += count
            dealt[name].add(id)
    return Plan(
        passages={name: tuple(sorted(ids)) for name, ids in dealt.items()},
        questions=load,
        each=each,
        seed=seed,
        paper=paper,
    )


def _distinct(annotators: Sequence[str]) -> list[str]:
    if not annotators:
        raise UsageError("nobody is named: --annotator NAME, once a person")
    names = [require_name(name.strip(), "annotator", is_file=True) for name in annotators]
    if (pair := twice(names)) is not None:
        raise UsageError(
            f"two annotators are called {pair[0]!r}"
            if pair[0] == pair[1]
            else f"{pair[0]!r} and {pair[1]!r} differ in case alone, and files are called by them"
        )
    return names


def _knowing(passage: Passage) -> frozenset[str]:
    """Who has seen the key of a question of a passage: who wrote or answered it."""
    found: set[object] = {passage.fields.get(PROPOSER)}
    for question in passage.questions:
        found.add(question.fields.get(PROPOSER))
        if question.key is not None:
            found.add(question.key.fields.get(PROPOSER))
            found.update(answered_by(question.key))
    return frozenset(folded_name(name) for name in found if isinstance(name, str))


def _is(many: Sequence[str]) -> str:
    return "is" if len(many) == 1 else "are"
