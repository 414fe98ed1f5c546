"""Reference: whether the statement of the fact names what the question names, and what else does.

Three ways to leave a name out: a pronoun, a noun that stands for it, or nothing at all ("SMART",
examples 4 and 5). They are one type of reasoning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from readmark.comprehension.levels.antecedents import is_sure
from readmark.comprehension.levels.cues import LevelMention, cues
from readmark.comprehension.levels.facts import (
    StatedFact,
    asked_along,
    content_share,
    covered,
    mentions,
    named,
    runs,
    tail_of,
)
from readmark.comprehension.levels.passages import (
    Clause,
    PassageReading,
    PassageStatement,
    PassageToken,
    is_verb,
    joined,
    keys,
    lowered,
    tagged,
)
from readmark.comprehension.levels.questions import LevelQuestion, QuestionTopic
from readmark.core.records import Offsets
from readmark.core.spans import clip
from readmark.text.questions.phrases import between_words
from readmark.text.segmenter import Tagged

# What was found by characters, reported in whole words of a Chinese text.


_SMALL = ("p", "c", "u", "y", "d", "f", "v", "r", "w", "e", "o")
_BREAKS = ("p", "c", "u", "y", "w")


def with_noun(text: str, start: int, end: int) -> str:
    """A determiner with the whole of its noun: 该画院 for 该画, 这张专辑 for 这张."""
    measured = text[end - 1] in between_words("zh")
    for first, last, tag in tagged(text):
        if first < end < last or (first == end and measured and tag.startswith("n")):
            return text[start:last]
    return text[start:end]


def longest_stretch(text: str, lost: Callable[[int, int], bool], folded: str = "") -> str:
    """The longest stretch of whole words that are lost, less small words at its ends."""
    found = [text[run[0][0] : run[-1][1]] for run in _runs(folded or text, lost)]
    return max(found, key=len, default="")


def _runs(text: str, lost: Callable[[int, int], bool]) -> Iterator[list[Tagged]]:
    run: list[Tagged] = []
    for word in [*tagged(text), (len(text), len(text), "w")]:
        if not word[2].startswith(_BREAKS) and lost(word[0], word[1]):
            run.append(word)
            continue
        while run and _is_small(run[0]):
            del run[0]
        while run and _is_small(run[-1]):
            run.pop()
        if run:
            yield run
        run = []


def _is_small(word: Tagged) -> bool:
    return word[1] - word[0] == 1 and word[2].startswith(_SMALL)


_NEAR = 4
_POSSESSIVE = frozenset({"其", "its", "his", "her", "their"})
_EVENT = frozenset("这此")
"""What stands for all that was said, more often than for a name."""
_PERSONAL = frozenset({"他", "她", "他们", "她们"})
_DETERMINERS = frozenset("该此这本")
_SUBJECT_TOKENS = 8
_LINK = 3
_MORE_ELSEWHERE = 0.3
_ENOUGH_ELSEWHERE = 0.5
_SOME_ELSEWHERE = 0.34
"""Of the question in a later predicate, for the subject that it leaves out to be the answer."""
_SOME_MORE = 0.1
_ADDED = 0.35
"""Of the question that another statement of the answer's sentence has, and the answer's lacks."""
_LITTLE_HERE = 0.4
_BEFORE_VERB = ("d", "c", "t", "m", "q", "x", "f", "b", "a")
_NO_VERB = ("v", "p", "l", "i")


@dataclass(frozen=True, slots=True)
class Reference:
    """A name that must be carried over: the statement, the name's sentence, what stands for it."""

    words: str
    statement: PassageStatement
    source: int | None
    mention: LevelMention

    @property
    def reason(self) -> str:
        """The reason that it makes."""
        return self.mention.reason


@dataclass(frozen=True, slots=True)
class _Word:
    """A pronoun or noun where it occurs, or nothing."""

    text: str = ""
    start: int = -1
    reason: str = "zero_pronoun"


def reference(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> Reference | None:
    """What must be resolved between the question and the statement that answers it."""
    compared = cues(passage.language).asks_comparison.search(lowered(asked.text, passage))
    if _told_elsewhere(asked, passage, fact):
        found = _answer_left_out(asked, passage, fact)
        if found is not None:
            return found
    for index, topic in enumerate(asked.topics):
        if not topic.strong and (index or compared):  # one of the things compared is no topic
            continue
        found = _left_out(topic, asked, passage, fact)
        if found is not None:
            return found
    return (
        _answer_left_out(asked, passage, fact)
        or _other_left_out(asked, passage, fact)
        or _first_person(asked, passage, fact)
    )


def _told_elsewhere(asked: LevelQuestion, passage: PassageReading, fact: StatedFact) -> bool:
    """Whether another statement names what the question is about, and the answer's does not."""
    other = fact.elsewhere
    if other is None or not asked.topics or fact.effect:
        return False

    def names(statements: Sequence[PassageStatement]) -> bool:
        return any(
            named(asked.topics[0], passage, clause, fact.answer, anywhere=True)
            for one in statements
            for clause in one.clauses
        )

    return names([other]) and not names(fact.statements)


def _left_out(
    topic: QuestionTopic, asked: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    stated = (fact.main,) if fact.effect else fact.statements
    clauses = [clause for one in stated for clause in one.clauses]
    second = topic is not asked.topics[0]
    anywhere = second or not topic.strong
    carried = passage.language == "zh" and _carried(topic, passage, fact.main)
    naming = [
        clause
        for clause in clauses
        if named(topic, passage, clause, fact.answer, anywhere=anywhere, as_subject=carried)
    ]
    word = _overt(asked, passage, fact.main, topic)
    if naming and not second and _is_later_predicate(asked, passage, fact, naming):
        return _reference(passage, word, topic, fact.main)
    if naming:
        later = [clause for clause in fact.main.clauses if clause.first > naming[-1].first]
        if passage.language == "en":  # only as a subject: "When Ito retired, he …"
            later = [
                _beginning(clause, passage) for clause in later if clause.first <= fact.answer[0]
            ]
        pronoun = _pronoun(asked, passage, later, topic, fact.answer)
        if pronoun.text in (_POSSESSIVE if passage.language == "en" else _EVENT):
            pronoun = _Word()
        if not pronoun.text:
            pronoun = _subject_pronoun(asked, passage, naming, topic)
        if not pronoun.text:
            pronoun = _in_the_cause(asked, passage, fact, topic)
        if pronoun.text and not second:
            return _reference(passage, pronoun, topic, fact.main)
        return None
    if not topic.strong and not (
        word.text or _carried(topic, passage, fact.main) or _opens_bare(passage, fact.main)
    ):
        return None
    if word.reason == "zero_pronoun" and (link := _link(topic, passage, fact)):
        there = fact.main.clauses[-1]
        start = passage.tokens[there.first].start
        return _reference(passage, _Word(link, start, "multi_sentence"), topic, fact.main)
    return _reference(passage, word, topic, fact.main)


def _is_later_predicate(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact, naming: Sequence[Clause]
) -> bool:
    """Whether the answer's statement has no subject, and the name is in one that comes before.

    The question may repeat that one, but what it asks is about a subject that is carried over
    ("SMART", example 5).
    """
    if passage.language != "zh" or fact.effect or len(fact.statements) < 2:
        return False
    if cues("zh").asks_cause.search(asked.text):  # a cause follows its effect
        return False
    if any(clause.first >= fact.main.first for clause in naming):
        return False
    own = content_share(asked, covered(asked, passage, fact.main.first, fact.main.last))
    return own < _LITTLE_HERE and _lacks_subject(passage, fact.main)


def _link(topic: QuestionTopic, passage: PassageReading, fact: StatedFact) -> str:
    """The class that another sentence puts the topic in, and that the statement is about.

    "X is a reservoir. Reservoirs are drained …": two facts must be joined, no name is left out.
    """
    known = cues(passage.language)
    subject = fact.main.clauses[-1]
    own = passage.keys[subject.first : subject.first + _SUBJECT_TOKENS]
    for statement in passage.statements:
        text = passage.text[statement.start : statement.end]
        member = known.membership.search(text if passage.language == "zh" else text.lower())
        if statement.sentence == fact.main.sentence or member is None:
            continue
        there = passage.keys[statement.first : statement.last]
        if not any(at <= 1 for at, size in mentions(topic, there) if size == len(topic.keys)):
            continue
        first, last = passage.within(statement.start + member.end(), statement.end)
        link = _shared(own, passage.keys[first:last], topic, known.closed)
        if link:
            return link
    return ""


def _shared(
    own: Sequence[str], of: Sequence[str], topic: QuestionTopic, closed: frozenset[str]
) -> str:
    """The longest run that a subject begins with and that ends a statement of membership."""
    for size in range(len(own), 0, -1):
        run = own[:size]
        long = size >= _LINK or any(len(key) > 2 for key in run)
        if long and run[0] not in closed and tuple(of[-size:]) == tuple(run):
            return (" " if of and len(of[-1]) > 2 else "").join(run)
    return ""


def _subject_pronoun(
    asked: LevelQuestion, passage: PassageReading, naming: Sequence[Clause], topic: QuestionTopic
) -> _Word:
    """A pronoun that begins a clause which has the name further on ("SMART", example 6)."""
    for clause in naming if topic.strong else ():
        if any(at == 0 for at, _ in mentions(topic, passage.keys[clause.first : clause.last])):
            continue
        pronoun = _pronoun(asked, passage, [_beginning(clause, passage)], topic)
        if pronoun.text and pronoun.text not in _POSSESSIVE:
            return pronoun
    return _Word()


def _in_the_cause(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact, topic: QuestionTopic
) -> _Word:
    """A pronoun for the topic in a cause that occurs in another sentence than its effect."""
    others = [
        statement for statement in fact.statements if statement.sentence != fact.main.sentence
    ]
    if not fact.effect or not others:
        return _Word()
    clauses = [clause for other in others for clause in other.clauses]
    if any(named(topic, passage, clause, fact.answer, anywhere=True) for clause in clauses):
        return _Word()
    return _pronoun(asked, passage, clauses, topic)


def _beginning(clause: Clause, passage: PassageReading) -> Clause:
    """A clause up to the end of its first token, 们 included."""
    end = passage.tokens[clause.first].end
    return replace(clause, end=end + (passage.text[end : end + 1] == "们"))


def _leads(passage: PassageReading, main: PassageStatement, word: str) -> bool:
    """Whether a pronoun or noun occurs where a subject does, near the beginning of a clause."""
    return bool(word) and any(
        0 <= lowered(passage.text[clause.start : clause.end], passage).find(word) <= _NEAR
        for clause in main.clauses
    )


def _opens_bare(passage: PassageReading, main: PassageStatement) -> bool:
    """Whether a Chinese statement begins with its verb, and no topic is in front of it."""
    first = _said(passage, main)[:1] if passage.language == "zh" else []
    return bool(first) and len(main.clauses) == 1 and first[0].startswith(_NO_VERB)


def _carried(topic: QuestionTopic, passage: PassageReading, main: PassageStatement) -> bool:
    """Whether an earlier statement of the same sentence begins with the topic."""
    before = [
        statement
        for statement in passage.statements[: main.place]
        if statement.sentence == main.sentence
    ]
    return any(
        at <= 1 and size == len(topic.keys)
        for one in before
        for at, size in mentions(topic, passage.keys[one.first : one.last])
    )


def _overt(
    asked: LevelQuestion, passage: PassageReading, statement: PassageStatement, topic: QuestionTopic
) -> _Word:
    """The pronoun or noun that stands for a name, with the reason that it makes."""
    text = lowered(passage.text[statement.start : statement.end], passage)
    pronoun = _pronoun(asked, passage, statement.clauses, topic)
    match = cues(passage.language).nominal.search(text)
    if match is not None and match[0].strip() in lowered(asked.text, passage):
        match = None
    if match is not None:
        start = statement.start + match.start() + len(match[0]) - len(match[0].lstrip())
        if not pronoun.text or start < pronoun.start:
            return _Word(match[0].strip(), start, "nominal_reference")
    if pronoun.text:
        return pronoun
    tail = tail_of(topic, passage.keys[statement.first : statement.last])
    if tail:
        return _Word(tail, statement.start + max(0, text.find(tail)), "nominal_reference")
    return _Word()


def _pronoun(
    asked: LevelQuestion,
    passage: PassageReading,
    clauses: Sequence[Clause],
    topic: QuestionTopic | None = None,
    answer: tuple[int, int] = (0, 0),
) -> _Word:
    """The first pronoun that the question does not have itself, outside the answer.

    A title or a place is no 他.
    """
    own = asked.text if passage.language == "zh" else set(asked.text.lower().split())
    for clause in clauses:
        text = lowered(passage.text[clause.start : clause.end], passage)
        for match in cues(passage.language).pronoun.finditer(text):
            start = clause.start + match.start()
            at = passage.within(start, clause.start + match.end())[0]
            if match[0] in own or answer[0] <= at < answer[1]:
                continue
            if topic is not None and topic.thing and match[0] in _PERSONAL:
                continue
            return _Word(match[0], start, "pronoun")
    return _Word()


def _other_left_out(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """A pronoun in the statement where the question has a word that the passage had before.

    "… talked the council out of selling it" for "selling the ferry".
    """
    clauses = fact.main.clauses
    if passage.language == "zh":  # the clause that has the answer
        start = passage.tokens[fact.answer[0]].start
        clauses = tuple(one for one in clauses if one.start <= start < one.end)
    pronoun = _pronoun(asked, passage, clauses, answer=fact.answer)
    if not pronoun.text or (passage.language == "en" and pronoun.text in _POSSESSIVE):
        return None
    first, last = fact.main.first, fact.main.last
    had = fact.covered
    begin = first
    if passage.language == "zh":
        first, last = clauses[0].first, clauses[0].last
        had = covered(asked, passage, first, last)
        scenes = [one for one in fact.main.clauses if one.first < first]
        if not any(asked_along(asked, passage, one) for one in scenes):
            begin = first
    before = joined(passage.keys[:begin])
    for run in runs(asked.content - had):
        own: Sequence[PassageToken] = [asked.tokens[at] for at in run]
        if passage.language == "zh":
            own = _longest_had(own, before, asked, person=pronoun.text in _PERSONAL)
        if not own:
            continue
        spelt = asked.source[own[0].start : own[-1].end]
        topic = QuestionTopic(tuple(token.key for token in own), spelt, strong=False)
        here = any(True for _ in mentions(topic, passage.keys[first:last]))
        if joined(topic.keys) in before and not here:
            return _reference(passage, pronoun, topic, fact.main)
    return None


def _longest_had(
    own: Sequence[PassageToken], before: str, asked: LevelQuestion, *, person: bool
) -> Sequence[PassageToken]:
    """The longest noun of a run, or name of a ``person``, that the passage had before."""
    for size in range(len(own), 1, -1):
        for first in range(len(own) - size + 1):
            part = own[first : first + size]
            if joined(keys(part)) in before and _is_noun(part, asked.words, person=person):
                return part
    return ()


def _is_noun(part: Sequence[PassageToken], words: Sequence[Tagged], *, person: bool) -> bool:
    """Whether part of a question is whole words, and those a noun phrase."""
    start, end = part[0].start, part[-1].end
    inside = [word for word in words if start <= word[0] and word[1] <= end]
    if not inside or (inside[0][0], inside[-1][1]) != (start, end):
        return False
    tags = [tag for _, _, tag in inside]
    noun = tags[-1].startswith(("nr", "x") if person else ("n", "j"))
    return noun and not any(map(is_verb, tags))


def _first_person(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """Who says "I" or "we" is for the reader to find out, whatever the question calls them."""
    known = cues(passage.language).first_person
    if known.search(lowered(asked.text, passage)):
        return None
    for clause in fact.main.clauses:
        start = passage.tokens[clause.first].start
        match = known.match(lowered(passage.text[start : clause.end], passage))
        if match is not None:
            topic = QuestionTopic((), asked.topics[0].spelt if asked.topics else "", strong=False)
            return _reference(passage, _Word(match[0], start, "pronoun"), topic, fact.main)
    return None


def _answer_left_out(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> Reference | None:
    """Another statement that has more of the question, and refers to the answer."""
    place = _place(passage, fact)
    topic = QuestionTopic(
        tuple(passage.keys[slice(*fact.answer)]), passage.quote(*place), strong=True
    )
    for one in fact.statements if passage.language == "zh" and not fact.effect else ():
        pronoun = _pronoun(asked, passage, one.clauses)
        if one is not fact.main and pronoun.text and pronoun.text not in _POSSESSIVE:
            here = content_share(asked, covered(asked, passage, one.first, one.last))
            own = covered(asked, passage, fact.main.first, fact.main.last)
            if here >= content_share(asked, own) + _MORE_ELSEWHERE:
                return _reference(passage, pronoun, topic, one, antecedent=place)
    others = [] if fact.elsewhere is None else [(fact.elsewhere, fact.elsewhere_share)]
    if passage.language == "zh":
        others += _near(asked, passage, fact)
    for other, share in others:
        word = _overt(asked, passage, other, topic)
        if _means_answer(asked, passage, fact, other, share, word):
            if not word.text and not _is_subject(passage, fact):
                place = _subject(passage, fact) or place
                topic = replace(topic, spelt=passage.quote(*place))
            return _reference(passage, word, topic, other, antecedent=place)
    return None


def _near(
    asked: LevelQuestion, passage: PassageReading, fact: StatedFact
) -> list[tuple[PassageStatement, float]]:
    """The other statements of the answer's sentence, those with most of the question first."""
    used = {one.place for one in fact.statements}
    near = [
        (one, content_share(asked, covered(asked, passage, one.first, one.last)))
        for one in passage.statements
        if one.sentence == fact.main.sentence and one.place not in used
    ]
    return sorted(near, key=lambda found: -found[1])


def _means_answer(
    asked: LevelQuestion,
    passage: PassageReading,
    fact: StatedFact,
    other: PassageStatement,
    share: float,
    word: _Word,
) -> bool:
    """Whether what another statement leaves out, or has a word for, is the answer."""
    enough = share >= max(_ENOUGH_ELSEWHERE, fact.share + _MORE_ELSEWHERE)
    near = other.sentence == fact.main.sentence
    if passage.language == "zh" and near:
        there = covered(asked, passage, other.first, other.last)
        enough = enough or content_share(asked, there - fact.covered) >= _ADDED
    if other.place < fact.main.place:
        # Before the answer, only a pronoun shows that it is meant.
        return enough and near and word.reason == "pronoun" and word.text not in _POSSESSIVE
    if passage.language == "en" or not near:
        return enough
    if word.reason != "zero_pronoun":
        leads = word.text in _PERSONAL and _leads(passage, other, word.text)
        more = share >= max(_SOME_ELSEWHERE, fact.share + _MORE_ELSEWHERE)
        return enough or (leads and more)
    some = share >= max(_SOME_ELSEWHERE, fact.share + _SOME_MORE) and _is_subject(passage, fact)
    return (enough or some) and _lacks_subject(passage, other)


def _place(passage: PassageReading, fact: StatedFact) -> Offsets:
    """Where the answer is."""
    return passage.tokens[fact.answer[0]].start, passage.tokens[fact.answer[1] - 1].end


def _is_subject(passage: PassageReading, fact: StatedFact) -> bool:
    """Whether the answer comes before the verb of its clause, as its subject or the subject's."""
    start, end = _place(passage, fact)
    clause = next((one for one in fact.main.clauses if one.start <= start < one.end), None)
    verb = passage.predicate(clause.start, clause.end) if clause is not None else None
    if clause is None or verb is None or end > verb[0]:
        return False
    first = passage.tokens[clause.first].start == start
    return first or passage.text[end : end + 1] != "的"


def _subject(passage: PassageReading, fact: StatedFact) -> Offsets | None:
    """The nouns before the verb of the answer's clause, where the answer itself is no subject."""
    start, end = _place(passage, fact)
    clause = fact.main.clauses[-1]
    verb = passage.predicate(clause.start, clause.end)
    nouns: list[Tagged] = []
    for word in passage.words_in(clause.start, verb[0]) if verb is not None else ():
        apart = word[1] <= start or end <= word[0]
        if apart and word[2].startswith(("n", "j", "eng")):
            nouns = [*nouns, word] if nouns and nouns[-1][1] == word[0] else [word]
    return (nouns[0][0], nouns[-1][1]) if nouns else None


def _said(passage: PassageReading, statement: PassageStatement) -> list[str]:
    """The tags of a statement's last clause, without what may come before a verb."""
    clause = statement.clauses[-1]
    return [
        "n" if passage.text[end - 1] == "朝" else "v" if passage.text[start] == "被" else tag
        for start, end, tag in passage.words_in(clause.start, clause.end)
        if not tag.startswith(_BEFORE_VERB) or passage.text[end - 1] == "朝"
    ]


def _lacks_subject(passage: PassageReading, statement: PassageStatement) -> bool:
    """Whether a statement begins with its verb, as a later predicate does, or with a bare noun."""
    said = _said(passage, statement)
    if said[:1] == ["n"]:  # a bare noun, whose owner is left out: 制法与豆浆相似
        return said[1:2] == [] or said[1].startswith(_NO_VERB)
    return bool(said) and said[0].startswith(_NO_VERB)


def _reference(
    passage: PassageReading,
    word: _Word,
    topic: QuestionTopic,
    statement: PassageStatement,
    *,
    antecedent: Offsets | None = None,
) -> Reference:
    """A reference in words, with its place and the last sentence before it that names the topic."""
    there = clip(passage.quote(statement.start, statement.end))
    text, start = word.text, word.start
    if word.reason == "nominal_reference" and text[:1] in _DETERMINERS:
        said = passage.text[statement.start : statement.end]
        at = start - statement.start
        text = with_noun(said, at, at + len(text))
    before = ""
    if not text:
        start, before = _gap(passage, statement)
    end = start + len(text)
    text = passage.source[start:end] if passage.language == "zh" else text
    source = None
    if antecedent is None:
        source, antecedent = _antecedent(passage, topic, statement, start)
    name = ""
    if is_sure(passage, statement, (start, end), word.reason, antecedent, topic.spelt):
        name = clip(topic.spelt)
    else:
        antecedent = None
    if word.reason == "multi_sentence":
        words = f"{word.text!r} joins {clip(topic.spelt)!r} with {there!r}"
    elif text and not topic.keys:
        words = f"{text!r} refers to the speaker in {there!r}"
    elif text in _EVENT and statement.place and antecedent is None:
        words = f"{text!r} refers to what comes before {there!r}"
    elif text:
        stands = f"stands for {name!r}" if name else "must be resolved"
        words = f"{text!r} {stands} in {there!r}"
    elif before and name:
        words = f"{name!r} is left out before {before!r} in {there!r}"
    else:
        words = f"{name!r} is left out of {there!r}" if name else f"{there!r} leaves a name out"
    mention = LevelMention(word.reason, text, start, end, name, antecedent, before)
    return Reference(words, statement, source, mention)


def _gap(passage: PassageReading, statement: PassageStatement) -> tuple[int, str]:
    """Where a Chinese statement leaves a name out: before its verb, or a first noun."""
    acting = [one for one in statement.clauses if passage.predicate(one.start, one.end)]
    clause = (acting or statement.clauses)[-1]
    start = passage.tokens[clause.first].start
    for first, last, tag in passage.words_in(start, clause.end):
        if is_verb(tag) or tag.startswith("n"):
            return first, passage.source[first:last]
    return start, ""


def _antecedent(
    passage: PassageReading, topic: QuestionTopic, statement: PassageStatement, start: int
) -> tuple[int | None, Offsets | None]:
    """The last sentence before a mention that names the topic, and the name's place there."""
    for one in reversed(passage.statements[: statement.place + 1]):
        there = passage.keys[one.first : one.last]
        places = [
            (passage.tokens[one.first + at], passage.tokens[one.first + at + size - 1])
            for at, size in mentions(topic, there)
        ]
        before = [(first.start, last.end) for first, last in places if last.end <= start]
        if before:
            return one.sentence, before[0]
    return None, None
