"""Initials and parts of names that an earlier question has in full: a PA, Anne."""

from __future__ import annotations

import re
from collections.abc import Sequence

from readmark.models.rewriting.parsing import Parsed
from readmark.models.rewriting.surface import plural_of
from readmark.models.rewriting.values import Edit

GUIDELINE = "Reformulate questions so as to maximise search results"
_INITIALS = re.compile(r"([A-Z]{2,5})(s?)")
_NAMES = ("NNP", "NNPS")


def short_form_edits(asked: Parsed, before: Sequence[Parsed]) -> list[Edit]:
    """The full forms of a question's initials and first or last names."""
    edits: list[Edit] = []
    for at, word in enumerate(asked.words):
        found = _INITIALS.fullmatch(word.text)
        full = ""
        if found is not None:
            full = _spelled(found[1], before)
            full = plural_of(full) if full and found[2] else full
            why = "its initials, in full"
        elif word.tag in _NAMES and _is_alone(asked, at):
            full = _whole_name(word.text, before)
            why = "a part of a name, in full"
        if full and full.lower() not in asked.text.lower():
            start = word.start
            before_it = asked.words[at - 1] if at else None
            if before_it is not None and before_it.lower in ("a", "an"):
                start = before_it.start
                full = f"{'an' if full[:1].lower() in 'aeiou' else 'a'} {full}"
            was = asked.text[start : word.end]
            edits.append(Edit(start, word.end, was, full, why, GUIDELINE, 0.6))
    return edits


def _spelled(initials: str, before: Sequence[Parsed]) -> str:
    """The last run of words of earlier questions that begin with the letters."""
    size = len(initials)
    for asked in reversed(before):
        words = [word for word in asked.words if word.tag != "POS"]
        for at in range(len(words) - size + 1):
            run = words[at : at + size]
            letters = "".join(word.text[:1] for word in run).upper()
            if letters == initials and run[-1].is_noun and all(w.text.isalpha() for w in run):
                return asked.text[run[0].start : run[-1].end]
    return ""


def _is_alone(asked: Parsed, at: int) -> bool:
    """A name of one word, not a part of a longer one."""
    beside = [asked.words[i] for i in (at - 1, at + 1) if 0 <= i < len(asked.words)]
    return at > 0 and not any(one.tag in _NAMES or one.tag in ("HYPH", "CD") for one in beside)


def _whole_name(name: str, before: Sequence[Parsed]) -> str:
    for asked in reversed(before):
        for start, end, type in asked.names:
            words = asked.text[start:end].split()
            if type == "PERSON" and len(words) in (2, 3) and name in (words[0], words[-1]):
                return asked.text[start:end]
    return ""
