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

# The relations of spaCy's English parser.
_SUBJECTS = frozenset({"nsubj", "csubj", "expl"})
_PASSIVE_SUBJECTS = frozenset({"nsubjpass", "csubjpass"})
_OBJECTS = frozenset({"dobj", "attr", "oprd", "acomp", "ccomp"})
_OBLIQUES = frozenset({"npadvmod", "advmod", "dative", "prt"})
_CLAUSES_OF_NOUNS = frozenset({"relcl", "acl"})
_SHARING_A_SUBJECT = frozenset({"conj", "xcomp", "advcl"})
_VERBS = frozenset({"VERB", "AUX"})
_RELATIVE_PRONOUNS = frozenset({"WDT", "WP", "WP$", "WRB"})
_PAST = frozenset({"VBN", "VBD"})

_CLAUSE_ENDS = frozenset("，。；：？！,;:?!")
_COPULAS = frozenset({"是", "为"})
_BEFORE_OBJECT = frozenset({"把", "将"})
_BEFORE_ACTOR = frozenset({"被", "由", "受", "遭"})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "X"})
_WITHIN_PHRASE = frozenset({"NUM", "ADJ", "SYM"})
_LINKS = frozenset({"的", "之", "和", "与", "及", "或", "、", "·", "•"})
_TIMES = ("年", "月", "日", "时", "时候", "世纪", "年代", "期间", "时期", "年间")


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


def _english(
    relations: Sequence[str], heads: Sequence[int], pos: Sequence[str], tags: Sequence[str]
) -> Iterator[Dependency]:
    arguments: dict[int, list[tuple[str, int]]] = {}
    subjects: dict[int, list[int]] = {}  # as the sentence has them, of passives too
    passives: set[int] = set()
    joined: dict[int, list[int]] = {}  # what is coordinated with a noun, and the words of a name
    for token, (relation, head) in enumerate(zip(relations, heads, strict=True)):
        if relation in ("conj", "compound"):
            joined.setdefault(head, []).append(token)

    def add(verb: int, role: str, argument: int) -> None:
        for token in (argument, *joined.get(argument, ())):
            arguments.setdefault(verb, []).append((role, token))

    for token, (relation, head) in enumerate(zip(relations, heads, strict=True)):
        if pos[head] in _VERBS:
            if relation in _SUBJECTS | _PASSIVE_SUBJECTS:
                subjects.setdefault(head, []).append(token)
            if relation in _PASSIVE_SUBJECTS:
                passives.add(head)
            if relation in _SUBJECTS:
                add(head, SUBJECT, token)
            elif relation in _PASSIVE_SUBJECTS or relation in _OBJECTS:
                add(head, OBJECT, token)
            elif relation in _OBLIQUES:
                add(head, OBLIQUE, token)
        if relation == "pobj":
            governor = heads[head]
            while relations[head] == "prep" and relations[governor] == "prep":  # out of the house
                head, governor = governor, heads[governor]
            if pos[governor] in _VERBS:
                add(governor, SUBJECT if relations[head] == "agent" else OBLIQUE, token)
    for token, relation in enumerate(relations):
        if relation in _CLAUSES_OF_NOUNS and pos[token] in _VERBS:
            roles = dict(arguments.get(token, ()))
            has_relative_subject = SUBJECT in roles and tags[roles[SUBJECT]] in _RELATIVE_PRONOUNS
            # the bridge built in May, the bridge that they built; but the man who built it
            is_acting = has_relative_subject or (SUBJECT not in roles and tags[token] not in _PAST)
            add(token, SUBJECT if is_acting else OBJECT, heads[token])
    for token, relation in enumerate(relations):  # flew the kite and lost it: one subject
        head = heads[token]
        if relation in _SHARING_A_SUBJECT and pos[token] in _VERBS and head in subjects:
            if token in subjects:
                continue
            is_passive = tags[token] == "VBN" and (relation == "advcl" or head in passives)
            for subject in subjects[head]:
                add(token, OBJECT if is_passive else SUBJECT, subject)
    for verb, of_verb in arguments.items():
        yield from (Dependency(verb, role, argument) for role, argument in of_verb)


def _chinese(words: Sequence[str], pos: Sequence[str]) -> Iterator[Dependency]:
    """A clause has its subject before the verb and its object after it, unless 把 and 被 say
    otherwise; a clause without a subject has the one before."""
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
            nouns = [token for token in range(place, end) if pos[token] in _NOMINAL]
            is_time = words[end - 1].endswith(_TIMES)
            yield from clause.phrase(nouns, is_time=is_time)
        elif words[place] == "的":
            clause.described = clause.current
        elif _CLAUSE_ENDS.intersection(words[place]):
            clause = _Clause(clause.subject)
        place = end


def _is_verb(word: str, pos: str) -> bool:
    return word in _COPULAS or (pos == "VERB" and word not in word_list("modals"))


def _phrase_end(place: int, words: Sequence[str], pos: Sequence[str]) -> int:
    """Where a run of nouns ends; numbers, adjectives, 的 and 和 may be inside."""
    end = following = place + 1
    while following < len(words) and not _is_verb(words[following], pos[following]):
        if pos[following] in _NOMINAL or pos[following] in _WITHIN_PHRASE:
            end = following + 1
        elif words[following] not in _LINKS:
            break
        following += 1
    return end


class _Clause:
    """What has been read of a Chinese clause; each word may complete some arguments."""

    def __init__(self, subject: Sequence[int] = ()) -> None:
        self.subject = subject
        """What the clause is about, or the one before it: in a passive, what is acted on."""
        self.current: int | None = None
        """The verb that was read last."""
        self.described: int | None = None
        """The verb before a 的, which describes the noun after it."""
        self.marker = ""
        """The preposition that was read last."""
        self._with_object: set[int] = set()
        self._before_verb: dict[str, Sequence[int]] = {}

    def phrase(self, nouns: Sequence[int], *, is_time: bool) -> Iterator[Dependency]:
        """A noun phrase: an argument of the verb before, or one that waits for the next verb."""
        marker, self.marker = self.marker, ""
        described, self.described = self.described, None
        if not nouns:
            return
        if described is not None:  # 村民修建的桥: the bridge is built, and what follows is about it
            role = SUBJECT if described in self._with_object else OBJECT
            yield from (Dependency(described, role, noun) for noun in nouns)
            self.subject, self.current = nouns, None
        elif marker in _BEFORE_OBJECT:
            self._before_verb[OBJECT] = nouns
        elif marker in _BEFORE_ACTOR:
            self._before_verb[SUBJECT] = nouns
        elif marker or is_time:
            if self.current is None:
                self._before_verb[OBLIQUE] = (*self._before_verb.get(OBLIQUE, ()), *nouns)
            else:
                yield from (Dependency(self.current, OBLIQUE, noun) for noun in nouns)
        elif self.current is None:
            self.subject = nouns
        elif self.current not in self._with_object:
            self._with_object.add(self.current)
            yield from (Dependency(self.current, OBJECT, noun) for noun in nouns)

    def verb(self, place: int) -> Iterator[Dependency]:
        """A verb takes what waits for it; its subject serves the next verb too."""
        is_passive = SUBJECT in self._before_verb or self.marker in _BEFORE_ACTOR
        role = OBJECT if is_passive else SUBJECT
        yield from (Dependency(place, role, noun) for noun in self.subject)
        for role, nouns in self._before_verb.items():
            yield from (Dependency(place, role, noun) for noun in nouns)
        if OBJECT in self._before_verb:
            self._with_object.add(place)
        self._before_verb, self.marker = {}, ""
        self.current, self.described = place, None
