"""A passage with answers marked in it: whole if it is short, else what is around the answers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from rich.text import Text

from readmark.core.records import Offsets

WHOLE = 800
"""Characters of a passage that is shown whole: about ten lines of a terminal."""
AROUND = 200
"""Characters shown before and after an answer of a longer one."""
_CONTROLS = str.maketrans(
    dict.fromkeys([*range(9), *range(11, 32), 127], "\N{REPLACEMENT CHARACTER}")
)
"""Characters that would steer a terminal."""
_BREAK = re.compile(r"[\s。！？；，、]")


def marked_passage(
    passage: str,
    labels: Mapping[Offsets, str],
    sentences: Sequence[Offsets],
    brackets: tuple[str, str] | None,
) -> Text:
    """The passage with the places of ``labels`` in brackets, or in colour without brackets.

    A label follows its place, and stands before it too if that overlaps another in part, so that
    brackets alone do not show which is which. The ``sentences`` of answers are underlined.
    """
    text = Text()
    for start, end in _excerpts(passage, [*labels, *sentences]):
        if len(text):
            text.append("\n")
        text.append("… " if start > 0 else "", "dim")
        text.append_text(_marked(passage, start, end, labels, sentences, brackets))
        text.append(" …" if end < len(passage) else "", "dim")
    return text


def _excerpts(text: str, places: Sequence[Offsets]) -> list[Offsets]:
    """The parts of a passage to show: all of it, or the surroundings of places, in their order."""
    if len(text) <= WHOLE:
        return [(0, len(text))]
    excerpts: list[Offsets] = []
    for start, end in sorted(places):
        begin = _word_end(text, start - AROUND, start) if start > AROUND else 0
        stop = _word_end(text, end + AROUND, end) if end + AROUND < len(text) else len(text)
        if excerpts and begin <= excerpts[-1][1]:
            excerpts[-1] = excerpts[-1][0], max(stop, excerpts[-1][1])
        else:
            excerpts.append((begin, stop))
    return excerpts


def _word_end(text: str, index: int, towards: int) -> int:
    """The nearest place from ``index`` towards another where a word ends; else ``index``."""
    if index < towards:
        match = _BREAK.search(text, index, towards)
        return index if match is None else match.end()
    places = range(index, towards, -1)
    return next((place for place in places if _BREAK.match(text, place)), index)


def _marked(
    text: str,
    start: int,
    end: int,
    labels: Mapping[Offsets, str],
    sentences: Sequence[Offsets],
    brackets: tuple[str, str] | None,
) -> Text:
    """A part of a passage, piece by piece between the places where something begins or ends."""
    opening, closing = brackets or ("", "")
    style = "dim" if brackets is None else ""
    answers = [place for place in labels if start <= place[0] and place[1] <= end]
    edges = sorted({start, end, *(edge for place in (*answers, *sentences) for edge in place)})
    marked = Text()
    for index, edge in enumerate(edges):
        if not start <= edge <= end:
            continue
        # Of answers that end together the inner one closes first, and opens last.
        ending = [place for place in answers if place[1] == edge]
        for place in sorted(ending, key=lambda place: -place[0]):
            marked.append(f"{closing}{labels[place]}", style)
        beginning = [place for place in answers if place[0] == edge]
        for place in sorted(beginning, key=lambda place: -place[1]):
            is_crossed = any(_overlap_in_part(place, other) for other in answers)
            marked.append(f"{labels[place] if is_crossed else ''}{opening}", style)
        if edge < end:
            piece = text[edge : min(edges[index + 1], end)].translate(_CONTROLS)
            marked.append(piece, _style(edge, answers, sentences))
    return marked


def _overlap_in_part(place: Offsets, other: Offsets) -> bool:
    """Whether neither of two places that overlap contains the other."""
    (start, end), (later, last) = sorted((place, other))
    return start < later < end < last


def _style(index: int, answers: Sequence[Offsets], sentences: Sequence[Offsets]) -> str:
    """An answer stands out from one around it, and that from its sentence."""
    covering = [place for place in answers if place[0] <= index < place[1]]
    if covering:
        start, end = inner = max(covering)
        contains_another = any(
            start <= place[0] and place[1] <= end for place in answers if place != inner
        )
        return "bold underline" if contains_another else "bold reverse"
    return "underline" if any(start <= index < end for start, end in sentences) else ""
