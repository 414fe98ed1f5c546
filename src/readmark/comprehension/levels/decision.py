"""A question's level: the statement that answers it, and what it takes to see that it does."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from readmark.comprehension.levels.cues import Levelled, cues, level_of
from readmark.comprehension.levels.facts import StatedFact, fact, missing_runs, read_for
from readmark.comprehension.levels.passages import PassageReading, lowered
from readmark.comprehension.levels.questions import LevelQuestion, asked
from readmark.comprehension.levels.references import (
    Reference,
    longest_stretch,
    reference,
)
from readmark.comprehension.levels.relations import (
    causal,
    cause_is_marked,
    comparison,
    difference,
    effect,
    placed,
    temporal,
)
from readmark.core.language import primary
from readmark.core.records import Offsets, Passage, Question
from readmark.core.spans import clip
from readmark.text.analysers.registry import LANGUAGES

# Where the answer goes when it takes the place of the question phrase.


_AUXILIARY = re.compile(
    "do|does|did|is|are|was|were|has|have|had|can|could|will|would|shall|should|may|might|must"
)


_DEEDS = frozenset("做干")


@dataclass(frozen=True, slots=True)
class Filled:
    """What comes before and after the answer, and the noun that it stands for."""

    before: tuple[str, ...]
    after: tuple[str, ...]
    noun: tuple[str, ...] = ()


def readings_of(asked: LevelQuestion, language: str) -> Iterator[Filled]:
    """The ways to put an answer in the place of the question phrase."""
    if not asked.phrases:
        yield Filled(tuple(asked.keys), ())
        return
    core = asked.phrases[0]
    for start, end in asked.phrases:
        before = tuple(token.key for token in asked.tokens if token.end <= start)
        after = tuple(token.key for token in asked.tokens if token.start >= end)
        noun = tuple(token.key for token in asked.tokens if core[1] <= token.start < end)
        yield Filled(before, after, noun)
        if before and before[-1] in _DEEDS and asked.text[start:end] == "什么":
            yield Filled(before[:-1], after, noun)  # 用来做什么 asks for a verb
        if language == "en" and after and _AUXILIARY.fullmatch(after[0]):
            for cut in range(2, len(after) + 1):
                yield Filled(after[1:cut], after[cut:], noun)


# Level 1: the question with its answer in place of the question phrase occurs in the passage.


MOST_EDITS = 3
_BEYOND = 2
"""Tokens between question phrase and answer where the answer is shorter than what is said."""
_TOO_MANY = MOST_EDITS + 1

Keys = Sequence[str]
Ends = list[tuple[int, int]]
"""For every place in a text, the edits of an alignment that ends there and where it began."""


def edits(
    before: Keys,
    after: Keys,
    text: Keys,
    answer: tuple[int, int],
    closed: frozenset[str],
    *,
    noun: Keys = (),
) -> int | None:
    """The fewest closed-class edits with which the passage has ``before … answer … after``.

    ``answer`` is a range of tokens of ``text``, ``noun`` the noun of the question phrase, which may
    are next to the answer. None when it takes more than three edits, or when the question says
    next to nothing but closed-class words.
    """
    if sum(token not in closed for token in (*before, *after)) < 2:
        return None
    beside = 0 if before and after else _BEYOND
    reach = max(beside, len(noun)) + _TOO_MANY
    begin = max(0, answer[0] - len(before) - reach)
    end = min(len(text), answer[1] + len(after) + reach)
    window = list(text[begin:end])
    here = answer[0] - begin, answer[1] - begin
    mirrored = len(window) - here[1], len(window) - here[0]
    lefts = list(_ends(before, window, here, closed, noun, beside, alone=not after))
    rights = list(_ends(after[::-1], window[::-1], mirrored, closed, noun, beside, exact=True))
    costs = (
        cost + more
        for left, cost in lefts
        for back, more in rights
        if not before or not after or left < len(window) - back
    )
    fewest = min(costs, default=_TOO_MANY)
    return fewest if fewest <= MOST_EDITS else None


def _ends(
    pattern: Keys,
    text: Keys,
    answer: tuple[int, int],
    closed: frozenset[str],
    noun: Keys,
    beside: int,
    *,
    alone: bool = False,
    exact: bool = False,
) -> Iterator[tuple[int, int]]:
    """Where the words on one side of the question phrase may end, and with how many edits.

    An answer may repeat them. With ``alone`` it may be nothing else (a question for yes or no);
    with ``exact`` the word next to the phrase must then be the same ("什么是X" is not "…叫做X").
    """
    if not pattern:
        yield 0, 0
        return
    first, last = answer
    for place, (cost, began) in enumerate(_aligned(pattern, text, closed)):
        if cost > MOST_EDITS:
            continue
        between = text[place:first]
        if place <= first:
            fits = all(token in noun for token in between) or (
                len(between) <= beside and place > 0 and text[place - 1] == pattern[-1]
            )
        else:
            fits = place < last + alone and began <= first + 1
            fits = fits and (not exact or began < first or text[place - 1] == pattern[-1])
        if fits:
            yield place, cost


def _aligned(pattern: Keys, text: Keys, closed: frozenset[str]) -> Ends:
    """The pattern aligned with the text, beginning anywhere: edits and beginning for every end."""
    row: Ends = [(0, place) for place in range(len(text) + 1)]
    for token in pattern:
        loose = token in closed
        above = row
        row = [(min(above[0][0] + 1, _TOO_MANY) if loose else _TOO_MANY, 0)]
        for place, other in enumerate(text):
            if token == other:
                row.append(above[place])
                continue
            best = _TOO_MANY, place
            if loose:
                best = min(best, _with_one_edit(above[place + 1]))
            if other in closed:
                best = min(best, _with_one_edit(row[place]))
                if loose:
                    best = min(best, _with_one_edit(above[place]))
            row.append(best)
    return row


def _with_one_edit(end: tuple[int, int]) -> tuple[int, int]:
    return min(end[0] + 1, _TOO_MANY), end[1]


# How a question's wording differs from the passage's where no reasoning is needed (level 2).


def wording(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> dict[str, str]:
    """``reorder`` where the words are in another order, ``paraphrase`` where others do."""
    there = clip(passage.quote(fact.main.start, fact.main.end))
    found: dict[str, str] = {}
    if missing_runs(asked, fact):
        lost = _lost(asked, passage, fact)
        differs = f"{lost!r} is put in other words" if len(lost) > 1 else "the wording differs"
        found["paraphrase"] = f"{differs} in {there!r}"
    if _reordered(asked, passage, fact):
        found["reorder"] = f"the words are in another order in {there!r}"
    return found or {"paraphrase": f"{there!r} has other words than the question"}


def _lost(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> str:
    """The longest run of the question's words that the statement does not have."""
    runs = missing_runs(asked, fact)
    if passage.language != "zh":
        longest = max(runs, key=len)
        return asked.source[asked.tokens[longest[0]].start : asked.tokens[longest[-1]].end]
    missing = {at for run in runs for at in run}
    phrase = asked.phrases[0] if asked.phrases else (0, 0)
    said = [passage.text[statement.start : statement.end] for statement in fact.statements]

    def lost(start: int, end: int) -> bool:
        if start < phrase[1] and phrase[0] < end:
            return False
        own = [index for index, token in enumerate(asked.tokens) if start <= token.start < end]
        most = 2 * len(missing.intersection(own)) >= max(1, len(own))
        return most and not any(asked.text[start:end] in one for one in said)

    return longest_stretch(asked.source, lost, asked.text)


def _reordered(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> bool:
    """Whether the answer is on another side of the shared words than the question phrase."""
    if not asked.phrases:
        return False
    phrase = asked.phrases[0][0]
    after = 0
    keys = passage.keys
    for at in sorted(fact.covered & asked.content):
        asked_before = asked.tokens[at].start < phrase
        places = [
            place
            for statement in fact.statements
            for place in range(statement.first, statement.last)
            if keys[place] == asked.tokens[at].key and not fact.answer[0] <= place < fact.answer[1]
        ]
        if not places:
            continue
        told_before = places[0] < fact.answer[0]
        after += asked_before != told_before
    return after >= (2 if passage.language == "zh" else 1)


def levelled(question: Question, passage: Passage, language: str) -> Levelled:
    """The level of a question on a passage; None, and why, where it cannot be judged."""
    own = primary(language)
    answers = question.key.answers if question.key is not None else ()
    missing = _missing(question, own)
    if missing:
        return Levelled(None, why=missing)
    view, spans = read_for(passage.text, answers, own)
    words = asked(question.text, view, passage.title or "")
    if not spans:
        sought = cues(own).asks_difference.search(lowered(words.text, view))
        worked_out = f", and {sought[0]!r} asks for a calculation" if sought else ""
        return Levelled(None, why=f"no answer occurs in the passage{worked_out}")
    matched = _matched(words, view, spans)
    if matched is not None:
        return Levelled(
            1, ("match",), _sentences(view, matched), _match_words(words, view, matched)
        )
    stated_fact = fact(words, view, spans)
    if stated_fact is None:
        return Levelled(None, why="the answer has no words")
    return _reasoned(words, view, stated_fact)


def _missing(question: Question, language: str) -> str:
    if language not in LANGUAGES:
        return f"no rules for language {language!r}"
    if question.language and primary(question.language) != language:
        return "the question is in another language than the passage"
    if not any(map(str.isalnum, question.text)):
        return "the question has no words"
    key = question.key
    if key is None or not (key.answers or key.unanswerable):
        return "the question has no answer"
    return "the question is unanswerable" if key.unanswerable and not key.answers else ""


def _reasoned(words: LevelQuestion, view: PassageReading, found: StatedFact) -> Levelled:
    """Level 2 or more: every reason for reasoning, else how the wording differs."""
    said: dict[str, str] = {}
    used = [statement.sentence for statement in found.statements]
    back = placed(words, view, found)
    if back and found.elsewhere is not None:
        said["temporal"] = f"{back!r} must be placed at the answer"
        there = found.elsewhere
        share = found.elsewhere_share
        found = replace(found, statements=(there,), main=there, share=share, elsewhere=None)
    found = effect(words, view, found)
    resolved = None
    # A difference to be worked out is stated nowhere, so no statement refers to it.
    if not difference(words, view, found):
        resolved = reference(words, view, found)
    if resolved is not None:
        said[resolved.reason] = resolved.words
    for reason, why in (
        ("temporal", temporal(words, view, found, refers=resolved is not None)),
        ("comparison", comparison(words, view, found)),
        ("causal", causal(words, view, found, refers=resolved is not None)),
    ):
        if why:
            said.setdefault(reason, why)
    if not said:
        said = wording(words, view, found)
    used += [*(statement.sentence for statement in found.statements), *_named_in(resolved)]
    sentences = tuple(view.sentences[at] for at in sorted(set(used)))
    mentions = () if resolved is None else (resolved.mention,)
    return Levelled(level_of(said), tuple(said), sentences, "; ".join(said.values()), mentions)


def _named_in(resolved: Reference | None) -> list[int]:
    """The sentences of the statement that refers and of the name that it refers to."""
    if resolved is None:
        return []
    return [
        resolved.statement.sentence,
        *([resolved.source] if resolved.source is not None else []),
    ]


def _matched(
    words: LevelQuestion, view: PassageReading, spans: Sequence[Offsets]
) -> Offsets | None:
    """The place of the answer where the question with it filled in occurs in the passage."""
    closed = cues(view.language).closed
    best: tuple[int, Offsets] | None = None
    for filled in readings_of(words, view.language):
        for span in spans:
            first, last = view.within(*span)
            if first >= last or not cause_is_marked(words, view, span):
                continue
            begin, stop = _sentence_tokens(view, span)
            text = view.keys[begin:stop]
            answer = first - begin, last - begin
            cost = edits(filled.before, filled.after, text, answer, closed, noun=filled.noun)
            if cost is not None and (best is None or cost < best[0]):
                best = cost, span
    return None if best is None else best[1]


def _sentence_tokens(view: PassageReading, span: Offsets) -> tuple[int, int]:
    """The tokens of the sentences that a stretch lies in: a match does not leave them."""
    own = _sentences(view, span)
    return view.within(own[0][0], own[-1][1]) if own else (0, len(view.keys))


def _sentences(view: PassageReading, span: Offsets) -> tuple[Offsets, ...]:
    return tuple(
        sentence for sentence in view.sentences if sentence[0] < span[1] and span[0] < sentence[1]
    )


def _match_words(words: LevelQuestion, view: PassageReading, span: Offsets) -> str:
    phrase = words.source[slice(*words.phrases[-1])] if words.phrases else ""
    answer = clip(view.source[slice(*span)])
    if not phrase:
        return f"the question occurs in the passage next to {answer!r}"
    return f"{answer!r} in the place of {phrase!r} makes words of the passage"
