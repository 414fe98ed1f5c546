"""Clauses of parsed English: subject, verb, and what stands around them, each a part of its own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from readmark.models.span.clozes.values import word_set

SUBJECTS = word_set("nsubj nsubjpass")
_AUXILIARIES = word_set("aux auxpass")
_OUTSIDE = word_set("punct cc conj parataxis dep meta intj preconj mark")
"""What hangs on a verb and belongs to no part of its clause."""
_FINITE = word_set("VBD VBZ VBP")
_DO = {"VBD": "did", "VBZ": "does", "VBP": "do"}


@dataclass(frozen=True, slots=True)
class Part:
    """What hangs on the verb at one place: its first word and all words below it, in order."""

    head: Any
    tokens: tuple[Any, ...]
    before: bool
    """Whether it stands before the subject: "In 1990 she went"."""

    @property
    def role(self) -> str:
        return str(self.head.dep_)


@dataclass(frozen=True, slots=True)
class Clause:
    """A verb with its auxiliaries, its subject, and its other parts in their order."""

    verb: Any
    auxiliaries: tuple[Any, ...]
    subject: Part
    parts: tuple[Part, ...]

    def asking(self) -> tuple[str, str]:
        """What goes before the subject in a question, and what is left of the verb."""
        if self.auxiliaries:
            first, *rest = (one.text.lower() for one in self.auxiliaries)
            return first, " ".join([*rest, self.verb.text])
        if self.verb.lemma_ == "be":
            return self.verb.text.lower(), ""
        return _DO[self.verb.tag_], self.verb.lemma_

    def telling(self) -> str:
        """Auxiliaries and verb as they stand."""
        return " ".join([*(one.text for one in self.auxiliaries), self.verb.text])


def clauses(sentence: Any) -> Iterator[Clause]:
    """The main clause of a sentence, and those joined to it that have a verb of their own."""
    verbs = [sentence.root]
    verbs += [one for one in sentence.root.conjuncts if one.pos_ in ("VERB", "AUX")]
    for verb in verbs:
        found = _clause(verb, sentence.root)
        if found is not None:
            yield found


def _clause(verb: Any, main: Any) -> Clause | None:
    if verb.pos_ not in ("VERB", "AUX"):
        return None
    children = list(verb.children)
    subject = next((one for one in children if one.dep_ in SUBJECTS), None)
    own = subject is not None
    if not own:
        # "She wrote the book and sold it": who wrote also sold.
        subject = next((one for one in main.children if one.dep_ in SUBJECTS), None)
    if subject is None or any(one.dep_ in ("expl", "csubj", "csubjpass") for one in children):
        return None
    if own and subject.i > verb.i:
        return None
    auxiliaries = tuple(
        one for one in children if one.i < verb.i and one.dep_ in {*_AUXILIARIES, "neg"}
    )
    if auxiliaries and (auxiliaries[0].dep_ == "neg" or auxiliaries[0].text.startswith("'")):
        return None
    if any(one.text == "n't" or one.tag_ == "TO" for one in auxiliaries):
        return None
    if not auxiliaries and (verb.tag_ not in _FINITE or verb.text.startswith("'")):
        return None
    parts = tuple(
        Part(one, tuple(one.subtree), one.i < subject.i)
        for one in children
        if one != subject
        and one.dep_ not in _OUTSIDE
        and one.dep_ not in SUBJECTS
        and one not in auxiliaries
    )
    return Clause(verb, auxiliaries, Part(subject, tuple(subject.subtree), False), parts)
