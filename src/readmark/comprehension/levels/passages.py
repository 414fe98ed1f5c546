"""A passage cut for judging: sentences, clauses, and the statements that clauses make together.

A statement is a clause with what belongs to it: the scene that is set before it (a date, "after
the war, …") and a topic that it follows directly. Later predicates are statements of their own,
since their subject must be carried over ("SMART", example 5).
"""

from __future__ import annotations

import functools
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from readmark.comprehension.levels.cues import cues
from readmark.core.records import Offsets
from readmark.text.script import simplified
from readmark.text.segmenter import Tagged, segmenter
from readmark.text.sentences import sentences
from readmark.text.stems import stem

# A text folded for comparing: tokens with their places, what glosses in brackets say left out.


_HAN = r"[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003fffd]"
_NUMBER = r"\d+(?:[.,:]\d+)*"
_CHINESE = re.compile(rf"{_HAN}|[^\W\d_\u2e80-\U0003fffd]+|{_NUMBER}")
_ENGLISH = re.compile(rf"{_NUMBER}|(?!(?<=['’])s\b)[^\W_]+(?:['’](?!s\b)[^\W_]+)*")
_GLOSS = re.compile(
    r"（[^（）]{0,160}）|\([^()]{0,160}\)|\[[^\[\]]{0,60}\]|【[^【】]{0,60}】|-\{(?:zh[^}]*)?|\}-"
)


@dataclass(frozen=True, slots=True)
class PassageToken:
    """Where a token occurs, and what equal tokens share."""

    start: int
    end: int
    key: str


def folded(text: str, language: str) -> str:
    """The text as tokens and cues are looked up in it; offsets stay as they are."""
    return simplified(text) if language == "zh" else text


def glosses(text: str) -> list[Offsets]:
    """Bracketed glosses, which a match may pass over."""
    return [match.span() for match in _GLOSS.finditer(text)]


def holding_stretch(stretches: Sequence[Offsets], start: int, end: int) -> Offsets | None:
    """The one of some stretches, in order and apart, that holds a place whole."""
    at = bisect_right(stretches, start, key=lambda stretch: stretch[0]) - 1
    return stretches[at] if at >= 0 and end <= stretches[at][1] else None


def tokens(text: str, language: str, *, without: Sequence[Offsets] = ()) -> list[PassageToken]:
    """The tokens of a folded text, except those in the stretches left out."""
    pattern = _CHINESE if language == "zh" else _ENGLISH
    closed = cues(language).closed
    passage_tokens: list[PassageToken] = []
    left = iter(without)
    skipped = next(left, None)
    for match in pattern.finditer(text):
        start, end = match.span()
        while skipped is not None and skipped[1] <= start:
            skipped = next(left, None)
        if skipped is not None and skipped[0] <= start:
            continue
        spelt = match[0].lower()
        # What is closed-class stays as it is: the base form of "does" is no "doe" here.
        bare = language == "zh" or spelt in closed
        passage_tokens.append(PassageToken(start, end, spelt if bare else stem(spelt)))
    return passage_tokens


def keys(of: Sequence[PassageToken]) -> list[str]:
    """What the tokens are compared by."""
    return [token.key for token in of]


SEPARATOR = "\x1f"
_CUTS = {
    "zh": re.compile(r"[，,；;：:。！？!?…\n]|——|(?<=[\u4e00-\u9fff])\.(?!\d)"),
    "en": re.compile(r"[;:,—–\n](?!\d)|\s-\s"),
}
_TITLE = re.compile(r"《[^《》\n]{1,40}》")
_COLONS = "：:"
_LISTED = re.compile("\\s*以及")
_LONGEST_TOPIC = 20
_LONGEST_SCENE = 24
_PLACING = frozenset("在于自从到经对除")
_CONNECTIVES = frozenset(("与此同时", "然而", "但是", "此外", "另外", "不过", "同时"))
_AFTERWARDS = frozenset(("后来", "其后", "随后", "最后", "之后", "此后"))
_NO_PREDICATE = frozenset({"vn", "vd"})
# English clauses go on until one begins with a coordinator of its own.
_COORDINATED = re.compile(r"\s*(?:and|but|so|yet|while|whereas|then)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clause:
    """A stretch between commas, as a range of the passage's tokens."""

    start: int
    end: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class PassageStatement:
    """Clauses that say one thing, and the sentence that they occur in."""

    clauses: tuple[Clause, ...]
    sentence: int
    place: int

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


@dataclass(frozen=True, slots=True)
class PassageReading:
    """A passage as its questions are judged by."""

    text: str
    language: str
    sentences: tuple[Offsets, ...]
    tokens: tuple[PassageToken, ...]
    keys: tuple[str, ...]
    statements: tuple[PassageStatement, ...]
    joined: str
    """The keys in one string, clause by clause, to look runs of them up in."""
    source: str = ""
    """The text as given, to quote from; ``text`` is folded."""
    words: tuple[Tagged, ...] = ()
    """The tagged words of a Chinese text."""
    glosses: tuple[Offsets, ...] = ()
    """The brackets whose words are no tokens."""

    def quote(self, start: int, end: int) -> str:
        """A stretch as the passage spells it, without white space and marks at its ends."""
        return self.source[start:end].strip(" ，,。；;：:\n")

    def words_in(self, start: int, end: int) -> tuple[Tagged, ...]:
        """The tagged words that begin in a stretch."""
        first = bisect_left(self.words, start, key=lambda word: word[0])
        return self.words[first : bisect_left(self.words, end, key=lambda word: word[0])]

    def predicate(self, start: int, end: int) -> Tagged | None:
        """The first verb of a stretch of Chinese."""
        return next((word for word in self.words_in(start, end) if is_verb(word[2])), None)

    def has(self, run: Sequence[str]) -> bool:
        """Whether a run of keys occurs in the passage."""
        return joined(run) in self.joined

    def holding(self, first: int, last: int) -> list[PassageStatement]:
        """The statements that share tokens with a range of them."""
        at = bisect_right(self.statements, first, key=lambda statement: statement.first) - 1
        found = []
        for statement in self.statements[max(0, at) :]:
            if statement.first >= last:
                break
            if statement.last > first:
                found.append(statement)
        return found

    def within(self, start: int, end: int) -> tuple[int, int]:
        """The range of tokens in a stretch of the text."""
        first = bisect_left(self.tokens, start, key=lambda token: token.end - 1)
        last = bisect_left(self.tokens, end, key=lambda token: token.start)
        return first, max(first, last)


def lowered(text: str, passage: PassageReading) -> str:
    """A text as cues are looked up in it: English in small letters."""
    return text if passage.language == "zh" else text.lower()


@functools.lru_cache(maxsize=64)
def reading(text: str, language: str, answers: tuple[Offsets, ...] = ()) -> PassageReading:
    """Prepare a passage; ``answers`` are bracketed spans that contain an answer."""
    plain = folded(text, language)
    brackets = glosses(plain)
    needed = {holding_stretch(brackets, *span) for span in answers}
    left_out = [span for span in brackets if span not in needed]
    passage_tokens = tuple(tokens(plain, language, without=left_out))
    own = tuple(sentences(text, language))
    starts = [token.start for token in passage_tokens]
    words = segmenter().tagged(plain) if language == "zh" else []
    bare = [word for word in words if holding_stretch(left_out, word[0], word[1]) is None]
    bare_starts = [start for start, _, _ in bare]
    uncut = sorted([*left_out, *(title.span() for title in _TITLE.finditer(plain))])
    statements: list[PassageStatement] = []
    for index, (begin, end) in enumerate(own):
        clauses = []
        for start, stop in _cut(plain, begin, end, language, uncut):
            first, last = bisect_left(starts, start), bisect_left(starts, stop)
            if first < last:
                clauses.append(Clause(start, stop, first, last))
        for group in _grouped(plain, clauses, language, bare, bare_starts, passage_tokens):
            statements.append(PassageStatement(tuple(group), index, len(statements)))
    every = tuple(keys(passage_tokens))
    by_clause = "\n".join(
        joined(every[clause.first : clause.last])
        for statement in statements
        for clause in statement.clauses
    )
    return PassageReading(
        plain,
        language,
        own,
        passage_tokens,
        every,
        tuple(statements),
        by_clause,
        source=text,
        words=tuple(words),
        glosses=tuple(left_out),
    )


def joined(run: Sequence[str]) -> str:
    """Keys in one string, with a mark around each."""
    return f"{SEPARATOR}{SEPARATOR.join(run)}{SEPARATOR}"


def tagged(text: str) -> list[Tagged]:
    """The words of a folded Chinese text with their tags."""
    return segmenter().tagged(text)


def _cut(
    text: str, begin: int, end: int, language: str, uncut: Sequence[Offsets]
) -> Iterator[Offsets]:
    start = begin
    for mark in _CUTS[language].finditer(text, begin, end):
        if holding_stretch(uncut, mark.start(), mark.start() + 1) is not None:
            continue
        yield start, mark.end()
        start = mark.end()
    if start < end:
        yield start, end


def _grouped(
    text: str,
    clauses: Sequence[Clause],
    language: str,
    words: Sequence[Tagged],
    word_starts: Sequence[int],
    found: Sequence[PassageToken],
) -> Iterator[list[Clause]]:
    """Clauses by statement: scenes and a bare topic go with the clause that follows."""
    group: list[Clause] = []
    opening = True

    def tags_of(clause: Clause) -> list[str]:
        own = words[bisect_left(word_starts, clause.start) : bisect_left(word_starts, clause.end)]
        return [tag for _, _, tag in own]

    def first_word(clause: Clause) -> str:
        at = bisect_left(word_starts, found[clause.first].start)
        return text[words[at][0] : words[at][1]] if at < len(words) else ""

    def has_predicate(clause: Clause) -> bool:
        return _has_predicate(tags_of(clause))

    for index, clause in enumerate(clauses):
        if language == "en":
            if group and _breaks(text, clause, clauses[index - 1]):
                yield group
                group = []
            group.append(clause)
            continue
        group.append(clause)
        spelt = "".join(token.key for token in found[clause.first : clause.last])
        tags = tags_of(clause)
        if index + 1 < len(clauses) and (
            text[clause.end - 1] in _COLONS
            or text[clause.start : clause.end].endswith("——")
            or _goes_on(text, clauses[index + 1 :], has_predicate)
        ):
            continue  # what follows a colon, or the last of a list, says what comes before it
        scene = _is_scene(spelt, tags, first_word(clause))
        if scene or (opening and _is_topic(spelt, tags)):
            opening = opening and len(group) == index + 1 and scene
            continue
        yield group
        group, opening = [], False
    if group:
        yield group


def _goes_on(
    text: str, following: Sequence[Clause], has_predicate: Callable[[Clause], bool]
) -> bool:
    """Whether a list goes on: nouns between commas, the last after 以及."""
    for clause in following:
        if _LISTED.match(text, clause.start, clause.end):
            return True
        if has_predicate(clause):
            return False
    return False


def _breaks(text: str, clause: Clause, before: Clause) -> bool:
    ended = text[before.end - 1] in ";:"
    return ended or _COORDINATED.match(text, clause.start, clause.end) is not None


def _is_scene(spelt: str, tags: Sequence[str], first: str) -> bool:
    known = cues("zh")
    if known.time.fullmatch(spelt):
        return True
    if len(spelt) > _LONGEST_SCENE:
        return False
    if known.scene_ends.search(spelt):
        return True
    begins = known.scene_begins.match(spelt)
    if begins is None or len(begins[0]) < len(first):  # 当选 is no 当
        return False
    if begins[0] == "为":  # for a purpose, or for somebody
        return len(tags) > 1 and is_verb(tags[1])
    loose = begins[0] in _PLACING or begins[0] in _CONNECTIVES | _AFTERWARDS
    return not loose or not _has_predicate(tags) or spelt[-1] in "中上下里内间"


def _is_topic(spelt: str, tags: Sequence[str]) -> bool:
    """Whether a clause is a name or noun phrase and nothing more."""
    words = [tag for tag in tags if tag != "x"]
    measured = any(tag in ("q", "mq") for tag in words) or words[-1:] == ["m"]
    described = words[-1:] in (["a"], ["z"])  # 球风凶猛
    acts = described or "zg" in tags or _has_predicate(tags)
    return len(spelt) <= _LONGEST_TOPIC and not measured and not acts


def _has_predicate(tags: Sequence[str]) -> bool:
    return any(map(is_verb, tags))


def is_verb(tag: str) -> bool:
    """Whether a tag is that of a verb that makes a predicate."""
    return tag.startswith("v") and tag not in _NO_PREDICATE
