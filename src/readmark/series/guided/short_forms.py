"""Initials and parts of names that an earlier question has in full: a PA, Anne."""

from __future__ import annotations

import re
from collections.abc import Sequence

from readmark.series.guided.edits import Edit
from readmark.series.guided.parses import ParsedText
from readmark.series.guided.surface import plural_of

SHORT_FORMS_GUIDELINE = "Reformulate questions so as to maximise search results"
_INITIALS = re.compile(r"([A-Z]{2,5})(s?)")
_NAMES = ("NNP", "NNPS")


def short_form_edits(asked: ParsedText, before: Sequence[ParsedText]) -> list[Edit]:
    """The full forms of a question's initials and first or last names."""
    edits: list[Edit] = []
    for index, word in enumerate(asked.words):
        match = _INITIALS.fullmatch(word.text)
        full = ""
        if match is not None:
            full = _spelled(match[1], before)
            full = plural_of(full) if full and match[2] else full
            why = "its initials, in full"
        elif word.tag in _NAMES and _is_alone(asked, index):
            full = _full_name(word.text, before)
            why = "a part of a name, in full"
        if full and full.lower() not in asked.text.lower():
            start = word.start
            before_it = asked.words[index - 1] if index else None
            if before_it is not None and before_it.lower in ("a", "an"):
                start = before_it.start
                full = f"{'an' if full[:1].lower() in 'aeiou' else 'a'} {full}"
            was = asked.text[start : word.end]
            edits.append(Edit(start, word.end, was, full, why, SHORT_FORMS_GUIDELINE))
    return edits


def _spelled(initials: str, before: Sequence[ParsedText]) -> str:
    """The last run of words of earlier questions that begin with the letters."""
    size = len(initials)
    for asked in reversed(before):
        words = [word for word in asked.words if word.tag != "POS"]
        for index in range(len(words) - size + 1):
            run = words[index : index + size]
            letters = "".join(word.text[:1] for word in run).upper()
            if letters == initials and run[-1].is_noun and all(w.text.isalpha() for w in run):
                return asked.text[run[0].start : run[-1].end]
    return ""


def _is_alone(asked: ParsedText, index: int) -> bool:
    """A name of one word, not a part of a longer one."""
    parsed_words = [asked.words[i] for i in (index - 1, index + 1) if 0 <= i < len(asked.words)]
    return index > 0 and not any(
        word.tag in _NAMES or word.tag in ("HYPH", "CD") for word in parsed_words
    )


def _full_name(name: str, before: Sequence[ParsedText]) -> str:
    for asked in reversed(before):
        for start, end, type in asked.names:
            words = asked.text[start:end].split()
            if type == "PERSON" and len(words) in (2, 3) and name in (words[0], words[-1]):
                return asked.text[start:end]
    return ""
