"""Which sentence of a passage an answer stands in, and which sentences are marked as answers.

Annotators, readers and judges cut sentences each in their own way, so a stretch of text is
carried over to the passage's sentences: it takes those that it covers by half or more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from readmark.corpus.parts import parts_of
from readmark.corpus.spans import places
from readmark.corpus.values import Answer, Offsets
from readmark.text.sentences import RULES, sentences

SOURCE = f"file's, else {RULES}"


def passage_sentences(record: Any, language: str, *, story_only: bool = False) -> list[Offsets]:
    """The sentences that the passage's own layer gives, else those of the rules.

    A passage that says where its title, dateline and story stand (``fields["parts"]``) is cut
    part by part; ``story_only`` leaves title and dateline out.
    """
    parts = parts_of(record)
    story = parts.get("story")
    layer = record.layers.get("sentence")
    if layer is not None:
        found = list(layer.spans)
    elif parts:
        found = [
            (start + first, end + first)
            for first, last in parts.values()
            for start, end in sentences(record.text[first:last], language)
        ]
    else:
        found = sentences(record.text, language)
    if story_only and story is not None:
        return [one for one in found if one[0] >= story[0]]
    return found


def taken_by(span: Offsets, among: list[Offsets]) -> list[int]:
    """The sentences that a stretch covers by half or more, else the one it is most in."""
    shares = [_shared(span, one) for one in among]
    covered = [
        at for at, (start, end) in enumerate(among) if shares[at] and 2 * shares[at] >= end - start
    ]
    if covered:
        return covered
    most = max(shares, default=0)
    return [shares.index(most)] if most else []


def chosen_sentence(answer: Answer, text: str, among: list[Offsets]) -> int | None:
    """The one sentence that an answer chose; None when it is none, or several."""
    span = answer.sentence or answer.offsets
    if span is None:
        found = places(text, answer.text.strip())
        span = (found[0], found[0] + len(answer.text.strip())) if len(found) == 1 else None
    taken = taken_by(span, among) if span is not None else []
    return taken[0] if len(taken) == 1 else None


def holding(answers: Iterable[Answer], text: str, among: list[Offsets]) -> frozenset[int]:
    """The sentences that hold answers which are spans.

    Without offsets it is wherever the text stands by itself: *six* is not in *sixth*.
    """
    found: set[int] = set()
    for answer in answers:
        spans = (
            [answer.offsets]
            if answer.offsets is not None
            else [
                (at, at + len(answer.text))
                for at in places(text, answer.text)
                if not _inside_a_word(text, at, at + len(answer.text))
            ]
        )
        for span in spans:
            shares = [_shared(span, one) for one in among]
            if any(shares):
                found.add(shares.index(max(shares)))
    return frozenset(found)


def recalled(keys: Sequence[frozenset[str]], said: Sequence[frozenset[str]]) -> list[float]:
    """How much of a key's words each sentence has, best over the key's alternatives."""
    known = [key for key in keys if key]
    return [max((len(one & key) / len(key) for key in known), default=0.0) for one in said]


def _inside_a_word(text: str, start: int, end: int) -> bool:
    """Whether a stretch begins or ends amid letters or digits; Han characters stand alone."""
    return any(
        0 < at < len(text) and _joined(text[at - 1]) and _joined(text[at]) for at in (start, end)
    )


def _joined(sign: str) -> bool:
    return sign.isalnum() and not "\u2e80" <= sign <= "\U0003ffff"


def _shared(one: Offsets, other: Offsets) -> int:
    return max(0, min(one[1], other[1]) - max(one[0], other[0]))
