"""Sentences cut into clauses, and clauses put together as statements.

A statement is a clause with what belongs to it: the scene that is set before it (a date, "after
the war, …") and a topic that it follows directly. Later predicates are statements of their own,
since their subject must be carried over ("SMART", example 5).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.comprehension.levels.cues import cues
from readmark.comprehension.levels.tokens import PassageToken, stretch_around
from readmark.core.records import Offsets
from readmark.text.segmenter import Tagged

_CUTS = {
    "zh": re.compile(r"[，,；;：:。！？!?…\n]|——|(?<=[\u4e00-\u9fff])\.(?!\d)"),
    "en": re.compile(r"[;:,—–\n](?!\d)|\s-\s"),
}
_TITLE = re.compile(r"《[^《》\n]{1,40}》")
_COLONS = "：:"
_LAST_OF_LIST = re.compile(r"\s*以及")
_LONGEST_TOPIC, _LONGEST_SCENE = 20, 24  # characters
_VERBLESS = frozenset("在于自从到经对除") | {
    *("与此同时", "然而", "但是", "此外", "另外", "不过", "同时"),
    *("后来", "其后", "随后", "最后", "之后", "此后"),
}
"""Beginnings of a scene only without a verb: 在北京出生 and 后来去了北京 are statements."""
_NO_PREDICATE = frozenset({"vn", "vd"})
"""Tags of verbs that stand for a noun or an adverb."""
# English clauses go on until one begins with a coordinator of its own.
_COORDINATOR = re.compile(r"\s*(?:and|but|so|yet|while|whereas|then)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch between commas."""

    start: int
    end: int
    first: int
    """The first of its tokens in the passage."""
    last: int
    """The token after its last one."""


@dataclass(frozen=True, slots=True)
class PassageStatement:
    """Clauses that say one thing."""

    clauses: tuple[Clause, ...]
    sentence: int
    """The number of its sentence in the passage, from 0."""
    place: int
    """Its own number among the statements of the passage, from 0."""

    @property
    def start(self) -> int:
        """Where it begins in the text."""
        return self.clauses[0].start

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.clauses[-1].end

    @property
    def first(self) -> int:
        """Its first token."""
        return self.clauses[0].first

    @property
    def last(self) -> int:
        """The token after its last one."""
        return self.clauses[-1].last


class StatementCutter:
    """Cuts the sentences of one passage; ``text`` is folded, ``glosses`` are left out of it."""

    def __init__(
        self,
        text: str,
        language: str,
        tokens: Sequence[PassageToken],
        words: Sequence[Tagged],
        glosses: Sequence[Offsets],
    ) -> None:
        self._text = text
        self._language = language
        self._tokens = tokens
        self._token_starts = [token.start for token in tokens]
        self._words = [word for word in words if stretch_around(glosses, word[0], word[1]) is None]
        self._word_starts = [start for start, _, _ in self._words]
        titles = [title.span() for title in _TITLE.finditer(text)]
        self._uncut = sorted([*glosses, *titles])

    def statements(self, sentences: Sequence[Offsets]) -> list[PassageStatement]:
        """The statements of all sentences, in their order."""
        statements: list[PassageStatement] = []
        group = self._chinese_groups if self._language == "zh" else self._english_groups
        for index, (start, end) in enumerate(sentences):
            for clauses in group(list(self._clauses(start, end))):
                statements.append(PassageStatement(tuple(clauses), index, len(statements)))
        return statements

    def _clauses(self, start: int, end: int) -> Iterator[Clause]:
        """The clauses of a sentence that have a token; glosses and titles are not cut."""
        marks = [
            mark.end()
            for mark in _CUTS[self._language].finditer(self._text, start, end)
            if stretch_around(self._uncut, mark.start(), mark.start() + 1) is None
        ]
        starts = [start, *marks]
        for clause_start, clause_end in zip(starts, [*marks, end], strict=True):
            first = bisect_left(self._token_starts, clause_start)
            last = bisect_left(self._token_starts, clause_end)
            if first < last:
                yield Clause(clause_start, clause_end, first, last)

    def _english_groups(self, clauses: Sequence[Clause]) -> Iterator[list[Clause]]:
        group: list[Clause] = []
        for clause in clauses:
            if group and (
                self._text[group[-1].end - 1] in ";:"
                or _COORDINATOR.match(self._text, clause.start, clause.end)
            ):
                yield group
                group = []
            group.append(clause)
        if group:
            yield group

    def _chinese_groups(self, clauses: Sequence[Clause]) -> Iterator[list[Clause]]:
        """Scenes, and the topic that a sentence opens with, go with the clause that follows."""
        text = self._text
        group: list[Clause] = []
        is_opening = True
        for index, clause in enumerate(clauses):
            group.append(clause)
            if index + 1 < len(clauses) and (
                text[clause.end - 1] in _COLONS
                or text[clause.start : clause.end].endswith("——")
                or self._is_in_list(clauses[index + 1 :])
            ):
                continue  # what follows a colon, or the last of a list, says what comes before it
            spelt = "".join(token.key for token in self._tokens[clause.first : clause.last])
            tags = self._tags(clause)
            is_scene = _is_scene(spelt, tags, self._first_word(clause))
            if is_scene or (is_opening and _is_topic(spelt, tags)):
                is_opening = is_opening and is_scene  # a sentence opens with one topic
                continue
            yield group
            group, is_opening = [], False
        if group:
            yield group

    def _is_in_list(self, following: Sequence[Clause]) -> bool:
        """Whether a list goes on: nouns between commas, the last after 以及."""
        for clause in following:
            if _LAST_OF_LIST.match(self._text, clause.start, clause.end):
                return True
            if _has_predicate(self._tags(clause)):
                return False
        return False

    def _tags(self, clause: Clause) -> list[str]:
        first = bisect_left(self._word_starts, clause.start)
        last = bisect_left(self._word_starts, clause.end)
        return [tag for _, _, tag in self._words[first:last]]

    def _first_word(self, clause: Clause) -> str:
        index = bisect_left(self._word_starts, self._tokens[clause.first].start)
        return self._text[slice(*self._words[index][:2])] if index < len(self._words) else ""


def _is_scene(spelt: str, tags: Sequence[str], first_word: str) -> bool:
    """Whether a clause only sets a scene, such as a time."""
    patterns = cues("zh")
    if patterns.time.fullmatch(spelt):
        return True
    if len(spelt) > _LONGEST_SCENE:
        return False
    if patterns.scene_ends.search(spelt):
        return True
    match = patterns.scene_begins.match(spelt)
    if match is None or len(match[0]) < len(first_word):  # 当选 is no 当
        return False
    beginning = match[0]
    if beginning == "为":  # for a purpose, or for somebody
        return len(tags) > 1 and is_verb(tags[1])
    if beginning in _VERBLESS and _has_predicate(tags):
        return spelt[-1] in "中上下里内间"  # 在他居住的地方里
    return True


def _is_topic(spelt: str, tags: Sequence[str]) -> bool:
    """Whether a clause is a name or noun phrase and nothing more."""
    tags = [tag for tag in tags if tag != "x"]
    is_measured = any(tag in ("q", "mq") for tag in tags) or tags[-1:] == ["m"]
    is_described = tags[-1:] in (["a"], ["z"])  # 球风凶猛
    acts = is_described or "zg" in tags or _has_predicate(tags)
    return len(spelt) <= _LONGEST_TOPIC and not is_measured and not acts


def _has_predicate(tags: Sequence[str]) -> bool:
    return any(map(is_verb, tags))


def is_verb(tag: str) -> bool:
    """Whether a tag is that of a verb that makes a predicate."""
    return tag.startswith("v") and tag not in _NO_PREDICATE
