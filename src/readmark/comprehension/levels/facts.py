"""The statement of a passage that answers a question: around an answer, the one that says most.

The sentence that states the fact counts, not the first place where the answer's words occur; of
two statements the easier one does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.naming import mentions
from readmark.comprehension.levels.passages import PassageReading, reading
from readmark.comprehension.levels.questions import LevelQuestion
from readmark.comprehension.levels.statements import Clause, PassageStatement
from readmark.comprehension.levels.tokens import folded, glosses, keys, stretch_around, tokens
from readmark.core.records import Answer, Offsets
from readmark.core.spans import places

_WORD = re.compile(r"\d\d|[^\W\d_\u2e80-\U0003fffd]{2}")
_MOST_PLACES = 40
"""Of a short answer in a long passage: more would take long, and say nothing new."""
_BETTER_PART = 0.6
_QUOTED_SHARE = 0.7
"""Of a neighbouring statement's words in the question, for it to count as asked along."""


@dataclass(frozen=True, slots=True)
class StatedFact:
    """Where the answer occurs, and the statements that say the fact."""

    answer: tuple[int, int]
    """As a range of the passage's tokens."""
    statements: tuple[PassageStatement, ...]
    main: PassageStatement
    """The one that has most of the question's words."""
    covered: frozenset[int]
    """The question's tokens that the statements have."""
    share: float
    """How much of the question's content they have."""
    elsewhere: PassageStatement | None
    """Another statement, without the answer, that has more of the question."""
    elsewhere_share: float
    effect: bool = False
    """Whether ``main`` states the effect whose cause the answer is."""


def read_for(
    text: str, answers: Iterable[Answer], language: str
) -> tuple[PassageReading, list[Offsets]]:
    """The passage, with the brackets that contain answers, and where those occur."""
    plain = folded(text, language)
    answers = tuple(answers)
    spans = answer_places(plain, answers, language) or _reworded(text, answers, language)
    brackets = glosses(plain)
    in_brackets = [span for span in spans if stretch_around(brackets, *span) is not None]
    return reading(text, language, tuple(in_brackets)), spans


def answer_places(text: str, answers: Sequence[Answer], language: str) -> list[Offsets]:
    """Every place where an answer occurs in a folded text."""
    spans: set[Offsets] = set()
    for answer in answers:
        spelt = folded(answer.text, language).strip()
        starts = places(text, spelt) if spelt else []
        whole_words = (
            (start, start + len(spelt))
            for start in starts
            if not _cuts_a_word(text, start) and not _cuts_a_word(text, start + len(spelt))
        )
        spans.update(islice(whole_words, _MOST_PLACES))
    if not spans:  # no answer is in the text as it is written: what was marked is what there is
        spans = {answer.offsets for answer in answers if answer.offsets is not None}
    return sorted(spans)


def _cuts_a_word(text: str, offset: int) -> bool:
    """Whether a place is inside a word or number: 200 does not occur in 2004."""
    return 0 < offset < len(text) and _WORD.match(text, offset - 1) is not None


def _reworded(text: str, answers: Sequence[Answer], language: str) -> list[Offsets]:
    """Where the better part of an answer in somebody's own words occurs: its longest run."""
    passage = reading(text, language)
    for answer in answers:
        answer_keys = keys(tokens(folded(answer.text, language), language))
        first, size = longest_run(answer_keys, passage.keys)
        if size and size >= _BETTER_PART * len(answer_keys):
            return [(passage.tokens[first].start, passage.tokens[first + size - 1].end)]
    return []


def longest_run(tokens: Sequence[str], text: Sequence[str]) -> tuple[int, int]:
    """Where in a text its longest run of another's tokens begins, and how long it is."""
    best = (0, 0)
    run_ending_at: dict[int, int] = {}
    places_of: dict[str, list[int]] = {}
    for index, token in enumerate(text):
        places_of.setdefault(token, []).append(index)
    for token in tokens:
        run_ending_at = {
            place: run_ending_at.get(place - 1, 0) + 1 for place in places_of.get(token, ())
        }
        for last, size in run_ending_at.items():
            if size > best[1]:
                best = (last - size + 1, size)
    return best


def covered(
    question: LevelQuestion, passage: PassageReading, first: int, last: int
) -> frozenset[int]:
    """The question's tokens that a stretch of the passage has: pairs in Chinese, words else."""
    stretch = passage.keys[first:last]
    in_stretch, pairs = set(stretch), set(pairwise(stretch))
    question_keys = question.keys
    start, end = question.phrase
    outside = [not start <= token.start < end for token in question.tokens]
    indices: set[int] = set()
    for index, key in enumerate(question_keys):
        if not outside[index]:
            continue
        if (passage.language == "en" or len(key) > 1) and key in in_stretch:
            indices.add(index)
        elif (
            index + 1 < len(question_keys)
            and outside[index + 1]
            and (key, question_keys[index + 1]) in pairs
        ):
            indices.update((index, index + 1))
    return frozenset(indices)


def content_share(question: LevelQuestion, indices: frozenset[int]) -> float:
    """How much of the question's content some of its tokens are."""
    return len(indices & question.content) / len(question.content) if question.content else 0.0


def covered_share(question: LevelQuestion, passage: PassageReading, first: int, last: int) -> float:
    """How much of the question's content a stretch of the passage has."""
    return content_share(question, covered(question, passage, first, last))


def find_fact(
    question: LevelQuestion, passage: PassageReading, spans: Sequence[Offsets]
) -> StatedFact | None:
    """The best statement around any place of the answer; None if no token is the answer's."""
    best: tuple[float, StatedFact] | None = None
    shares = [
        covered_share(question, passage, statement.first, statement.last)
        for statement in passage.statements
    ]
    ranked = sorted(passage.statements, key=lambda statement: -shares[statement.place])
    share_of_sentences: dict[tuple[int, int], float] = {}
    for start, end in spans:
        answer = passage.tokens_in(start, end)
        around = passage.statements_in(*answer)
        if answer[0] >= answer[1] or not around:
            continue
        fact = _fact_around(question, passage, answer, around, shares, ranked)
        sentences = passage.tokens_in(
            passage.sentences[around[0].sentence][0], passage.sentences[around[-1].sentence][1]
        )
        if sentences not in share_of_sentences:
            share_of_sentences[sentences] = covered_share(question, passage, *sentences)
        score = fact.share + 0.5 * share_of_sentences[sentences]
        if best is None or score > best[0]:
            best = score, fact
    return None if best is None else best[1]


def _fact_around(
    question: LevelQuestion,
    passage: PassageReading,
    answer: tuple[int, int],
    around: Sequence[PassageStatement],
    shares: Sequence[float],
    ranked: Sequence[PassageStatement],
) -> StatedFact:
    """The fact that the statements around an answer say, with neighbours that are asked along."""

    def rank(statement: PassageStatement) -> float:
        statement_keys = passage.keys[statement.first : statement.last]
        names_topic = bool(question.topics) and any(
            True for _ in mentions(question.topics[0], statement_keys)
        )
        return shares[statement.place] + 0.25 * names_topic

    main = max(around, key=rank)
    statements = [main]
    for step in (-1, 1):
        place = main.place + step
        while 0 <= place < len(passage.statements):
            neighbour = passage.statements[place]
            is_near = neighbour.sentence == main.sentence
            if not is_near or not is_asked_along(question, passage, neighbour):
                break
            if step > 0 and shares[neighbour.place] > shares[main.place]:
                break  # that one has the predicate that is asked of, and main its subject
            statements.append(neighbour)
            place += step
    statements.sort(key=lambda statement: statement.place)
    indices: frozenset[int] = frozenset()
    for statement in statements:
        indices |= covered(question, passage, statement.first, statement.last)
    share = content_share(question, indices)
    used = {statement.place for statement in (*statements, *around)}
    elsewhere = next((statement for statement in ranked if statement.place not in used), None)
    elsewhere_share = shares[elsewhere.place] if elsewhere is not None else 0.0
    return StatedFact(answer, tuple(statements), main, indices, share, elsewhere, elsewhere_share)


def is_asked_along(
    question: LevelQuestion, passage: PassageReading, stretch: PassageStatement | Clause
) -> bool:
    """Whether the question repeats a neighbouring statement, so that nothing is carried over."""
    ignored = question.topic_keys | cues(passage.language).closed
    content = [key for key in passage.keys[stretch.first : stretch.last] if key not in ignored]
    repeated = set(question.keys)
    return bool(content) and (
        sum(key in repeated for key in content) >= _QUOTED_SHARE * len(content)
    )


def missing_runs(question: LevelQuestion, fact: StatedFact) -> list[list[int]]:
    """Runs of the question's content that the statements do not have."""
    return runs(question.content - fact.covered)


def runs(places: Iterable[int]) -> list[list[int]]:
    """Numbers in stretches without a gap."""
    stretches: list[list[int]] = []
    for place in sorted(places):
        if stretches and stretches[-1][-1] == place - 1:
            stretches[-1].append(place)
        else:
            stretches.append([place])
    return stretches
