"""Verb–argument structures: who does what to whom, where, when and how.

English is read off spaCy's parse. There is no free Chinese parser that runs offline without a
download, so Chinese goes by rules: words and their tags, and the order in a clause.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from readmark.core.records import Layer
from readmark.text.wording import word_list

RULES = {"en": "verb arguments-1 of the parse", "zh": "verb arguments-1 by word order"}
"""Where structures come from, for signatures."""

SUBJECT, OBJECT, OBLIQUE = "subject", "object", "oblique"
"""Who acts; what is acted on, becomes or is named; all else: places, times, means."""


class Dependency(NamedTuple):
    """An argument of a verb: tokens by their places. A passive's subject is an object."""

    verb: int
    role: str
    argument: int


def dependencies(text: str, tokens: Layer, language: str) -> list[Dependency]:
    """The arguments of the verbs of a text, by the token layer of the language's analyser."""
    if language == "en":
        columns = (tokens.columns[name] for name in ("dep", "head", "pos", "tag"))
        return list(dict.fromkeys(_english(*columns)))
    words = [text[start:end] for start, end in tokens.spans]
    return list(dict.fromkeys(_chinese(words, tokens.columns["pos"])))


# English: the relations of spaCy's parser, active and passive alike.


_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_PASSIVE = frozenset({"nsubjpass", "csubjpass"})
_OBJECTS = frozenset({"dobj", "attr", "oprd", "acomp", "ccomp"})
_OBLIQUES = frozenset({"npadvmod", "advmod", "dative", "prt"})
_VERBS = frozenset({"VERB", "AUX"})
_RELATIVE = frozenset({"WDT", "WP", "WP$", "WRB"})
_PAST = frozenset({"VBN", "VBD"})
_SHARING = frozenset({"conj", "xcomp", "advcl"})


def _english(
    relations: Sequence[str], heads: Sequence[int], pos: Sequence[str], tags: Sequence[str]
) -> Iterator[Dependency]:
    found: dict[int, list[tuple[str, int]]] = {}
    subjects: dict[int, list[int]] = {}  # as the sentence has them, of passives too
    patients: set[int] = set()
    joined: dict[int, list[int]] = {}  # what is coordinated with a noun, and the words of a name
    for token, (relation, head) in enumerate(zip(relations, heads, strict=True)):
        if relation in ("conj", "compound"):
            joined.setdefault(head, []).append(token)

    def add(verb: int, role: str, argument: int) -> None:
        for place in (argument, *joined.get(argument, ())):
            found.setdefault(verb, []).append((role, place))

    for token, (relation, head) in enumerate(zip(relations, heads, strict=True)):
        if pos[head] in _VERBS:
            if relation in _SUBJECTS | _PASSIVE:
                subjects.setdefault(head, []).append(token)
            if relation in _PASSIVE:
                patients.add(head)
            if relation in _SUBJECTS:
                add(head, SUBJECT, token)
            elif relation in _PASSIVE or relation in _OBJECTS:
                add(head, OBJECT, token)
            elif relation in _OBLIQUES:
                add(head, OBLIQUE, token)
        if relation == "pobj":
            governor = heads[head]
            while relations[head] == "prep" and relations[governor] == "prep":
                head, governor = governor, heads[governor]
            if pos[governor] in _VERBS:
                add(governor, SUBJECT if relations[head] == "agent" else OBLIQUE, token)
    for token, relation in enumerate(relations):
        if relation in ("relcl", "acl") and pos[token] in _VERBS:
            own = dict(found.get(token, ()))
            relative = tags[own[SUBJECT]] in _RELATIVE if SUBJECT in own else False
            # the bridge built in May, the bridge that they built; but the man who built it
            acting = relative or (SUBJECT not in own and tags[token] not in _PAST)
            add(token, SUBJECT if acting else OBJECT, heads[token])
    for token, relation in enumerate(relations):  # flew the kite and lost it: one subject
        head = heads[token]
        if relation in _SHARING and pos[token] in _VERBS and head in subjects:
            if token in subjects:
                continue
            passive = tags[token] == "VBN" and (relation == "advcl" or head in patients)
            for subject in subjects[head]:
                add(token, OBJECT if passive else SUBJECT, subject)
    for verb, arguments in found.items():
        yield from (Dependency(verb, role, argument) for role, argument in arguments)


# Chinese: a clause has its subject before the verb and its object after it, unless 把 and 被 say
# otherwise; a clause without a subject has the one before.


_ENDS = frozenset("，。；：？！,;:?!")
_COPULAS = frozenset({"是", "为"})
_BEFORE_OBJECT = frozenset({"把", "将"})
_BEFORE_ACTOR = frozenset({"被", "由", "受", "遭"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "X"})
_WITHIN_PHRASE = frozenset({"NUM", "ADJ", "SYM"})
_LINKS = frozenset({"的", "之", "和", "与", "及", "或", "、", "·", "•"})
_TIMES = ("年", "月", "日", "时", "时候", "世纪", "年代", "期间", "时期", "年间")


def _chinese(words: Sequence[str], pos: Sequence[str]) -> Iterator[Dependency]:
    clause = _Clause()
    place = 0
    while place < len(words):
        end = place + 1
        if _is_verb(words[place], pos[place]):
            yield from clause.verb(place)
        elif pos[place] == "ADP":
            clause.marker = words[place]
        elif pos[place] in _NOMINAL or pos[place] in _WITHIN_PHRASE:
            end = _phrase_end(place, words, pos)
            inside = [one for one in range(place, end) if pos[one] in _NOMINAL]
            is_time = words[end - 1].endswith(_TIMES)
            yield from clause.phrase(inside, is_time=is_time)
        elif words[place] == "的":
            clause.described = clause.current
        elif _ENDS.intersection(words[place]):
            clause = _Clause(clause.subject)
        place = end


def _is_verb(word: str, pos: str) -> bool:
    return word in _COPULAS or (pos == "VERB" and word not in word_list("modals"))


def _phrase_end(place: int, words: Sequence[str], pos: Sequence[str]) -> int:
    """Where a run of nouns ends; numbers, adjectives, 的 and 和 may be inside."""
    end = stop = place + 1
    while stop < len(words) and not _is_verb(words[stop], pos[stop]):
        if pos[stop] in _NOMINAL or pos[stop] in _WITHIN_PHRASE:
            end = stop + 1
        elif words[stop] not in _LINKS:
            break
        stop += 1
    return end


class _Clause:
    """What has been read of a clause; each word may complete some arguments."""

    def __init__(self, subject: Sequence[int] = ()) -> None:
        self.subject = subject
        """What the clause is about, or the one before it: in a passive, what is acted on."""
        self.current: int | None = None
        self.described: int | None = None
        """The verb before a 的, which describes the noun after it."""
        self.marker = ""
        self._filled: set[int] = set()
        self._waiting: dict[str, Sequence[int]] = {}

    def phrase(self, inside: Sequence[int], *, is_time: bool) -> Iterator[Dependency]:
        """A noun phrase: an argument of the verb before, or one that waits for the next verb."""
        marker, self.marker = self.marker, ""
        described, self.described = self.described, None
        if not inside:
            return
        if described is not None:  # 村民修建的桥: the bridge is built, and what follows is about it
            role = SUBJECT if described in self._filled else OBJECT
            yield from (Dependency(described, role, one) for one in inside)
            self.subject, self.current = inside, None
        elif marker in _BEFORE_OBJECT:
            self._waiting[OBJECT] = inside
        elif marker in _BEFORE_ACTOR:
            self._waiting[SUBJECT] = inside
        elif marker or is_time:
            if self.current is None:
                self._waiting[OBLIQUE] = (*self._waiting.get(OBLIQUE, ()), *inside)
            else:
                yield from (Dependency(self.current, OBLIQUE, one) for one in inside)
        elif self.current is None:
            self.subject = inside
        elif self.current not in self._filled:
            self._filled.add(self.current)
            yield from (Dependency(self.current, OBJECT, one) for one in inside)

    def verb(self, place: int) -> Iterator[Dependency]:
        """A verb takes what waits for it; its subject serves the next verb too."""
        passive = SUBJECT in self._waiting or self.marker in _BEFORE_ACTOR
        role = OBJECT if passive else SUBJECT
        yield from (Dependency(place, role, one) for one in self.subject)
        for role, places in self._waiting.items():
            yield from (Dependency(place, role, one) for one in places)
        if OBJECT in self._waiting:
            self._filled.add(place)
        self._waiting, self.marker = {}, ""
        self.current, self.described = place, None
