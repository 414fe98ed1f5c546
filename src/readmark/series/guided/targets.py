"""What a target is: its kind, number and article, its brackets, and the names inside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from readmark.series.guided.answers import expected
from readmark.series.guided.parses import (
    ParsedText,
    QuestionToken,
    alike,
    kinds_of,
    listed,
    singular,
    table,
    tokens,
)

# The article that a target takes in running text.


_THE = re.compile(r"\b[Tt]h(?:e|is) ([a-z]+)\b")
ROMAN = re.compile(r"[IVXLCDM]+|\d+")


def article_of(
    plain: str,
    alias: str,
    content: Sequence[QuestionToken],
    kind: str,
    head: str,
    plural: bool,
    sentence: bool,
    company: bool,
    series: Sequence[ParsedText],
) -> str:
    """What the series says before the whole target; else what such names take."""
    if not content or sentence or re.match(r"(?:the|an?)\s", plain, re.IGNORECASE):
        return ""
    if plain[0] in "\"'“‘`":  # a title: as the series has it
        seen = _seen(plain, series)
        return max(set(seen), key=lambda one: (seen.count(one), one)) if seen else ""
    if re.match(r"[A-Z]\w*['’]s\s", plain):  # Halley's Comet
        return ""
    seen = _seen(plain, series)
    if not seen and alias:
        seen = _seen(alias, series)
        seen = seen if any(seen) or not alias.isupper() else []  # WWF tells nothing
    if seen:
        return max(set(seen), key=lambda one: (seen.count(one), one))
    if kind == "person":
        return "the" if plural and not _joined(plain) else ""
    if plain.lower() == plain:
        return "the" if re.search(r"\s(?:of|in)\s", plain) and not plural else ""
    last, first = content[-1], content[0]
    if kind == "thing" and _joined(plain) and all(token.is_capital for token in content):
        return ""  # a title
    if re.search(r"\w\sof\s", plain):
        return "the"
    year = _YEAR.fullmatch(last.text) is not None and kind == "event"
    if year and head in listed("articles", "heads"):
        return "the"  # the Song Contest 2009
    if ROMAN.fullmatch(last.text) or first.base in ("mount", "lake", "hurricane"):
        return ""
    if any(after_the(last.text).search(question.text) for question in series):
        return "the"
    called = _called(series)
    if kind == "thing" and called & listed("articles", "called"):
        return "the"
    if kind == "place" and (called & listed("articles", "waters") or head == "house"):
        return "the"
    if head in listed("articles", "bare") or company:
        return ""
    the = head in listed("articles", "heads") or singular(head) in listed("articles", "heads")
    if the or kind == "event":
        return "the"
    if not last.is_capital and not plural:  # Cassini space probe
        return "the"
    return "the" if plural and kind in ("organisation", "thing") and last.is_capital else ""


def _called(series: Iterable[ParsedText]) -> set[str]:
    """The nouns that the questions speak of with the: the ship, the painting."""
    return {match[1] for asked in series for match in _THE.finditer(asked.text)}


def _joined(plain: str) -> bool:
    return " and " in plain or " & " in plain


def after_the(last: str) -> re.Pattern[str]:
    """The end of a name after the: the Big Dig."""
    return re.compile(rf"\b[Tt]he (?:[A-Z]\w+ )?{re.escape(last)}\b(?! [A-Z])(?!['’]s [a-z]+ \w)")


def _seen(plain: str, series: Iterable[ParsedText]) -> list[str]:
    """The word before each whole mention that heads its own phrase."""
    found: list[str] = []
    pattern = re.compile(rf"(?<!\w){re.escape(plain)}(?!\w)", re.IGNORECASE)
    for asked in series:
        for match in pattern.finditer(asked.text):
            after = asked.word_at(match.end() + 1)
            if asked.text[match.end() : match.end() + 1] == " " and after is not None:
                word = asked.words[after]
                if word.is_noun or word.tag in ("CD", "JJ"):
                    continue
            before = asked.text[: match.start()].rstrip(" \"'“‘").split()[-1:] or [""]
            text = before[0].lower()
            at = asked.word_at(max(0, match.start() - 2)) if match.start() else None
            if at is not None and asked.words[at].tag[:2] in ("JJ", "NN", "CD"):
                continue
            if text in ("the", "a", "an"):
                found.append(text)
            elif text not in ("first", "this", "that"):
                found.append("")
    return found


# Names inside a target that are not the target: a person in a trial, a craft in a disaster.


_PERSONAL = ("he", "she")


@dataclass(frozen=True, slots=True)
class Inner:
    """A name inside a target that is not the target: a person in a trial, a craft in a disaster."""

    text: str
    tokens: tuple[QuestionToken, ...]
    person: bool


def inner_names(
    plain: str,
    content: Sequence[QuestionToken],
    kind: str,
    verb: int | None,
    parsed: ParsedText,
    series: Sequence[ParsedText],
) -> Iterable[Inner]:
    """Runs of capitalised words of an event, or of what somebody owns, less the event's noun.

    Of a couple, each of the two.
    """
    if kind == "person" and _joined(plain):
        yield from _each_of(plain, content)
        return
    owner = re.match(r"(.+?)['’]s?\s+(?=[a-z])", plain)
    if kind != "event" and owner is None:
        return
    events = listed("kinds", "event")
    run: list[QuestionToken] = []
    runs: list[list[QuestionToken]] = []
    for token in (*content, None):
        noun = token is not None and (token.base in events or singular(token.base) in events)
        noun = noun and verb is None
        touching = run and token is not None and plain[run[-1].end : token.start] == " "
        if touching and token is not None and ROMAN.fullmatch(token.text):
            runs.append([*run, token])  # EgyptAir Flight 990: a name ends at its number
            run = []
            continue
        joined = (
            token is not None
            and token.text[:1].isupper()
            and not noun
            and (not run or plain[run[-1].end : token.start] in (" ", ". "))
            and not (verb is not None and run and run[-1].end <= verb <= token.start)
        )
        if joined and token is not None:
            run.append(token)
            if token.text.endswith(("'s", "’s", "'", "’")):  # the owner ends here
                runs.append(run)
                run = []
            continue
        if run:
            runs.append(run)
        run = [token] if token is not None and token.text[:1].isupper() and not noun else []
    wordy = any(not token.text[:1].isupper() and not token.text[:1].isdigit() for token in content)
    wordy = wordy or " of " in plain
    for own in runs:
        if len(own) == len(content):
            continue
        if not wordy and verb is None:
            own = _placed(own, (parsed, *series))
            if not own:
                continue  # the Iditarod is the race
        text = re.sub(r"['’]s?$", "", plain[own[0].start : own[-1].end])
        at = parsed.word_at(own[0].start)
        after = None if at is None or at + 1 >= len(parsed.words) else parsed.words[at + 1]
        described = at is not None and parsed.words[at].tag == "JJ" and after is not None
        if len(own) == 1 and described and after is not None and after.is_noun:
            continue  # Chinese, Pakistani
        type = parsed.name_type(own[0].start, own[-1].end)
        if at is not None and parsed.words[at].tag in ("NN", "NNS") and at == 0:
            continue  # Plane clips cable wires
        hill = own[0].base in ("mount", "mt", "lake")
        titled = own[0].base in listed("people", "titles") and len(own) > 1
        person = not hill and (type == "PERSON" or titled or _is_person(own, series))
        yield Inner(text, tuple(own), person)


def _each_of(plain: str, content: Sequence[QuestionToken]) -> Iterator[Inner]:
    """Pierre Curie and Marie Curie, of Pierre and Marie Curie."""
    at = re.search(r" (?:and|&) ", plain)
    if at is None:
        return
    left = [token for token in content if token.end <= at.start()]
    right = [token for token in content if token.start >= at.end()]
    if not left or not right:
        return
    if len(left) == 1 and len(right) > 1:
        left.append(right[-1])
    for own in (left, right):
        yield Inner(" ".join(token.text for token in own), tuple(own), True)


def _placed(own: Sequence[QuestionToken], texts: Sequence[ParsedText]) -> list[QuestionToken]:
    """The place or person in the name of an event: Nagano in Nagano Olympic Games."""
    for text in texts:
        for start, end, type in text.names:
            said = {token.base for token in tokens(text.text[start:end]) if not token.is_stop}
            inside = [token for token in own if token.base in said]
            the = text.text[:start].lower().endswith("the ")  # the Iditarod is no place
            fits = type in ("LOCATION", "PERSON") and not the
            if fits and inside and len(inside) == len(said):
                return inside
    return []


def _is_person(own: Sequence[QuestionToken], series: Sequence[ParsedText]) -> bool:
    """Whether the series speaks of a name as of a person: Mrs. McDougal, King's."""
    names = {token.base for token in own}
    for asked in series:
        for before, token in zip(asked.tokens, asked.tokens[1:], strict=False):
            title = before.base in listed("people", "titles") and before.base not in ("st", "saint")
            if token.base in names and title and before.base not in names:
                return True
        said = [index for index, token in enumerate(asked.tokens) if token.base in names]
        if said and any(token.base in _PERSONAL for token in asked.tokens[said[-1] + 1 :]):
            return True  # how old was Mbeki when he
    return False


# What kind of thing a target is: person, organisation, event, place or thing.


_BY_HEAD = ("person", "organisation", "thing", "place", "event")
_LIVES = re.compile(r"\b(?:born|die|died|dies|marry|married|buried|wife|husband|birth name)\b")
_NAMED_KINDS = {
    "person": "person",
    "per": "person",
    "organization": "organisation",
    "organisation": "organisation",
    "org": "organisation",
    "event": "event",
    "place": "place",
    "location": "place",
    "loc": "place",
    "thing": "thing",
}
_YEAR = re.compile(r"1\d{3}|20\d{2}")


def kind_named(name: str | None) -> str | None:
    """The kind that a record's target_type says, by whatever name."""
    return _NAMED_KINDS.get((name or "").strip().lower())


def infer_kind(
    plain: str,
    content: Sequence[QuestionToken],
    head: str,
    sentence: bool,
    parsed: ParsedText,
    series: Sequence[ParsedText],
) -> str:
    """The kind of a target that its record does not tell: by its noun, then by its series."""
    nouns = kinds_of(head) | kinds_of(singular(head))
    if not nouns:  # the band Nirvana, television show Cheers
        small = [token.base for token in content if token.text.islower()]
        nouns = frozenset(kind for one in small for kind in kinds_of(one))
    year = any(_YEAR.fullmatch(token.text) for token in content)
    first = content[0].base if content else ""
    if sentence or (year and len(content) > 1) or _is_event(content, head, first):
        return "event"
    if not nouns and (beside := _kinds_before(plain, series)):
        nouns = beside
    pronoun = _first_pronoun(series)
    if pronoun in ("thing", "group"):
        nouns -= {"person"}
    if pronoun != "thing" and _lives(plain, series) and not nouns - {"person"}:
        return "person"
    things = nouns & {"thing", "place"} and plain.lower() != plain
    if pronoun == "person" and "organisation" not in nouns and not things:
        return "person"
    spoken = _spoken_of(series, content)
    if "organisation" in nouns or is_company(content):
        return "organisation"
    last = content[-1] if content else None
    type = None if last is None else parsed.name_type(last.start, last.end)
    names = len(content) in (2, 3) and all(token.is_capital for token in content)
    names = names and not any(
        after_the(content[-1].text).search(question.text) for question in series
    )
    if type == "PERSON" and pronoun != "thing" and not spoken and not nouns and names:
        return "person"
    if spoken:
        return spoken
    if nouns:
        return next(kind for kind in _BY_HEAD if kind in nouns)
    if pronoun == "group" and last is not None and last.is_capital:
        return "organisation"
    by_type = {"ORGANIZATION": "organisation", "LOCATION": "place"}
    return by_type.get(type or "", "thing") if plain[:1].isupper() else "thing"


def _kinds_before(plain: str, series: Sequence[ParsedText]) -> frozenset[str]:
    """The kinds of a noun right before the name: the movie "…", the publishing company …."""
    shape = re.compile(rf"\bthe (?:\w+ )?([a-z]+) [\"'“‘]?{re.escape(plain)}(?!\w)")
    for asked in series:
        match = shape.search(asked.text)
        if match is not None and kinds_of(match[1]):
            return kinds_of(match[1])
    return frozenset()


def _is_event(content: Sequence[QuestionToken], head: str, first: str) -> bool:
    events = listed("kinds", "event")
    firm = events - {"show", "series", "fair", "cup", "game", "games", "fire", "mission", "return"}
    if first == "hurricane" or (head in firm or singular(head) in firm):
        return True
    loose = head in events or singular(head) in events
    return loose and any(ROMAN.fullmatch(token.text) for token in content)


def _lives(plain: str, series: Sequence[ParsedText]) -> bool:
    """Whether the series asks of the target what is asked of people."""
    names = {token.base for token in tokens(plain) if not token.is_stop}
    return any(
        _LIVES.search(question.text) and any(word.base in names for word in question.tokens)
        for question in series
    )


def is_company(content: Sequence[QuestionToken]) -> bool:
    """Whether a name ends like a company's."""
    return any(
        token.base in ("corp", "inc", "co", "ltd", "corporation", "company") for token in content
    )


def _first_pronoun(series: Sequence[ParsedText]) -> str | None:
    """What the first pronoun of the series that can mean the target says of it."""
    for index, asked in enumerate(series):
        for word in asked.words:
            lower = word.lower
            if lower in ("he", "him", "his", "she", "her", "hers"):
                own = expected(asked)
                asking = own.kind == "person" and bool(own.noun)
                if asking or any(
                    expected(question).kind == "person" for question in series[:index]
                ):
                    continue  # an answer may be meant
                return "person"
            if lower in ("it", "its"):
                return "thing"
            if lower in ("they", "them", "their") and not _plural_before(asked, word.start):
                return "group"
    return None


def _plural_before(asked: ParsedText, offset: int) -> bool:
    return any(word.tag in ("NNS", "NNPS") and word.end <= offset for word in asked.words)


def _spoken_of(series: Sequence[ParsedText], content: Sequence[QuestionToken]) -> str | None:
    """The kind of the noun that a series calls its target by: the company, this facility."""
    own = {token.base for token in content}
    asked_for: set[str] = set()
    for number, asked in enumerate(series):
        if number:
            earlier = expected(series[number - 1])
            asked_for |= earlier.calls | alike(earlier.noun)
        for index, word in enumerate(asked.words[1:], 1):
            the = asked.words[index - 1].lower
            last = index + 1 >= len(asked.words) or not asked.words[index + 1].is_noun
            if the not in ("the", "this") or not word.is_noun or not last or word.lower in own:
                continue
            found = kinds_of(word.lemma)
            if word.lemma in asked_for or len(found) != 1:
                continue
            if found & {"organisation", "place"} or the == "this":
                return next(iter(found))
    return None


_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")
_COMPLEMENT = re.compile(r"\s(?:of|for|in|at|on|to)\s|,")
_LINKED = re.compile(r"[A-Z]\w+s (?:of|for|[Ww]ithout|[Aa]gainst|in) ")
_PROSE = re.compile(r"[a-z]{2}[.?!](?:\s+[A-Z]|$)")
LEAST_PROSE, MOST_WORDS = 5, 20
_HE = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)
_SHE = re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class SeriesTarget:
    """A target with everything that a rewrite needs to know of it."""

    text: str
    plain: str
    """Without the brackets at its end."""
    alias: str
    """The content of the brackets, or an empty text."""
    kind: str
    plural: bool
    article: str
    """the, a, an or nothing: what it takes in running text."""
    gender: str | None
    tokens: tuple[QuestionToken, ...]
    """Content words of the plain target."""
    head: str
    """The noun that says what it is, in lower case."""
    sentence: bool
    verb: int | None
    """Where the verb of a target that is a sentence begins."""
    verb_lemma: str
    inner: tuple[Inner, ...]
    called: frozenset[str] = frozenset()
    """Nouns that the series uses with the: the mountain, the company."""
    caseless: bool = False
    """Whether the series writes it in small letters too: Multiple Myeloma, multiple myeloma."""

    @property
    def common(self) -> bool:
        """A lower-case noun that names a sort of thing: quarks, a cataract."""
        return self.plain[:1].islower() and self.plain.lower() == self.plain

    plain_first: bool = False
    """Whether its first word is a common noun with a capital: Plane clips cable wires."""

    @property
    def prose(self) -> bool:
        """Whether it is no name or headline but a text: more than one sentence, or a question."""
        size = len(self.text.split())
        return size > MOST_WORDS or (size > LEAST_PROSE and bool(_PROSE.search(self.text)))

    @property
    def subject(self) -> str:
        """Who or what a target that is a sentence is about."""
        own = self.plain[: self.verb].strip()
        if self.plain_first:
            own = own[:1].lower() + own[1:]
        small = own[:1].islower() or any(word[:1].islower() for word in own.split())
        the = small and not own.endswith("s") and not own.lower().startswith("the ")
        return f"the {own}" if the else own

    def named(self) -> str:
        """The target as written in running text; for a sentence, the person it is about."""
        if self.sentence:
            return self.subject
        return f"{self.article} {self.text}" if self.article else self.text


def read_target(
    text: str, parsed: ParsedText, series: Sequence[ParsedText], type: str | None
) -> SeriesTarget:
    """Analyse a target; the questions of its series tell its article, gender and kind."""
    text = " ".join(text.split())
    match = _BRACKETS.search(text)
    plain, alias = (text, "") if match is None else (text[: match.start()], match[1].strip())
    if not plain.strip():
        plain, alias = text, ""
    content = tuple(token for token in tokens(plain) if not token.is_stop)
    verb = _verb(plain, parsed)
    head = _head(plain, content)
    kind = kind_named(type) or infer_kind(plain, content, head, verb is not None, parsed, series)
    plural = _plural(plain, content, kind, parsed)
    one_body = kind == "organisation" and _LINKED.search(plain) is not None
    if plural and one_body and _first_pronoun(series) == "thing":
        plural = False  # Doctors Without Borders: it
    index = None if verb is None else parsed.words[verb].start
    return SeriesTarget(
        text=text,
        plain=plain,
        alias=alias,
        kind=kind,
        plural=plural,
        article=article_of(
            plain,
            alias,
            content,
            kind,
            head,
            plural,
            index is not None,
            is_company(content),
            series,
        ),
        gender=_gender(content, kind, series),
        tokens=content,
        head=head,
        sentence=index is not None,
        verb=index,
        verb_lemma="" if verb is None else parsed.words[verb].lemma,
        inner=tuple(inner_names(plain, content, kind, index, parsed, series)),
        plain_first=index is not None and parsed.words[0].tag in ("NN", "NNS"),
        called=frozenset(_called(series)),
        caseless=any(plain.lower() in question.text for question in series),
    )


def _verb(plain: str, parsed: ParsedText) -> int | None:
    """The verb of a headline: France wins World Cup, tourists massacred at Luxor."""
    for index, word in enumerate(parsed.words):
        if index == 0 or word.end > len(plain) or not word.text.islower():
            continue
        before = parsed.words[index - 1]
        if not before.is_noun and before.tag != "CD":
            continue
        known = word.lemma in listed("events", "verbs") or _is_headline_verb(word.lemma, word.text)
        finite = word.tag in ("VBZ", "VBD") or (word.tag == "VBN" and before.is_noun)
        after = parsed.words[index + 1] if index + 1 < len(parsed.words) else None
        if index == 1 and word.tag == "NNS" and after is not None and len(parsed.words) > 4:
            # A noun in the plural before another noun is a verb: Plane clips cable wires.
            finite = finite or (after.is_noun and after.text.islower())
        last = word.end >= len(plain.rstrip())
        if last and word.text.endswith("s") and not known:
            continue  # Beijing swifts
        if finite or (known and word.tag in ("NNS", "VBN", "VB", "VBP")):
            return index
    return None


def _is_headline_verb(lemma: str, text: str) -> bool:
    return lemma in table()["events"]["nouns"] and text != lemma


def _head(plain: str, content: Sequence[QuestionToken]) -> str:
    """The last noun before of, for or a comma; of a name with a number after it, the noun."""
    if not content:
        return ""
    stop = _COMPLEMENT.search(plain)
    early = [token for token in content if stop is None or token.end <= stop.start()]
    for token in reversed(early or content):
        if not ROMAN.fullmatch(token.text):
            return token.base
    return content[-1].base


def _plural(plain: str, content: Sequence[QuestionToken], kind: str, parsed: ParsedText) -> bool:
    if not content:
        return False
    if kind == "person" and not content[-1].text.islower():
        groups = listed("people", "groups")
        return _joined(plain) or any(token.base in groups for token in content)
    stop = _COMPLEMENT.search(plain)
    end = len(plain) if stop is None else stop.start()
    last = next((word for word in reversed(parsed.words) if word.end <= end), None)
    if last is None:
        return False
    stem = last.text.endswith("s") and not last.text.endswith(("ss", "us", "is", "'s", "’s"))
    if plain.lower() == plain:
        return last.tag in ("NNS", "NNPS") or (stem and last.is_noun)
    return last.tag in ("NNPS", "NNS", "VBZ") and stem


def _gender(
    content: Sequence[QuestionToken], kind: str, series: Sequence[ParsedText]
) -> str | None:
    if kind != "person":
        return None
    for token in content:
        if token.base in listed("people", "male_titles"):
            return "male"
        if token.base in listed("people", "female_titles"):
            return "female"
    for asked in series:
        he, she = _HE.search(asked.text), _SHE.search(asked.text)
        if he and (she is None or he.start() < she.start()):
            return "male"
        if she:
            return "female"
    return None
