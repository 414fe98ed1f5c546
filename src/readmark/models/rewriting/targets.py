"""What a target is: its kind, number and article, its brackets, and the names inside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from readmark.models.rewriting.parsing import Parsed, Token, tokens
from readmark.models.rewriting.tables import kinds_of, listed

KINDS = ("person", "organisation", "event", "place", "thing")
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
_BRACKETS = re.compile(r"\s*[(\[]([^()\[\]]*)[)\]]\s*$")
_ROMAN = re.compile(r"[IVXLCDM]+|\d+")
_YEAR = re.compile(r"1\d{3}|20\d{2}")
_HE = re.compile(r"\b(?:he|him|his|himself)\b", re.IGNORECASE)
_SHE = re.compile(r"\b(?:she|her|hers|herself)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Inner:
    """A name inside a target that is not the target: a person in a trial, a craft in a disaster."""

    text: str
    tokens: tuple[Token, ...]
    person: bool
    article: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A target with everything that a rewrite needs to know of it."""

    text: str
    plain: str
    """Without the brackets at its end."""
    alias: str
    """What stands in the brackets, or nothing."""
    kind: str
    plural: bool
    article: str
    """the, a, an or nothing: what it takes in running text."""
    gender: str | None
    tokens: tuple[Token, ...]
    """Content words of the plain target."""
    head: str
    """The noun that says what it is, in lower case."""
    sentence: bool
    verb: int | None
    """Where the verb of a target that is a sentence begins."""
    verb_lemma: str
    inner: tuple[Inner, ...]

    @property
    def common(self) -> bool:
        """A lower-case noun that names a sort of thing: quarks, a cataract."""
        return self.plain[:1].islower() and self.plain.lower() == self.plain

    def named(self) -> str:
        """The target as it stands in running text."""
        return f"{self.article} {self.text}" if self.article else self.text


def kind_named(name: str | None) -> str | None:
    """The kind that a record's target_type says, by whatever name."""
    return _NAMED_KINDS.get((name or "").strip().lower())


def read_target(text: str, parsed: Parsed, series: Sequence[Parsed], type: str | None) -> Target:
    """Analyse a target; the questions of its series tell its article, gender and kind."""
    text = " ".join(text.split())
    found = _BRACKETS.search(text)
    plain, alias = (text, "") if found is None else (text[: found.start()], found[1].strip())
    if not plain.strip():
        plain, alias = text, ""
    content = tuple(one for one in tokens(plain) if not one.is_stop)
    verb = _verb(plain, parsed)
    head = _head(plain, content, verb)
    kind = kind_named(type) or _kind(plain, content, head, verb is not None, parsed, series)
    plural = _plural(plain, content, kind, parsed)
    at = None if verb is None else parsed.words[verb].start
    return Target(
        text=text,
        plain=plain,
        alias=alias,
        kind=kind,
        plural=plural,
        article=_article(plain, content, kind, head, plural, at is not None, series),
        gender=_gender(content, kind, series),
        tokens=content,
        head=head,
        sentence=at is not None,
        verb=at,
        verb_lemma="" if verb is None else parsed.words[verb].lemma,
        inner=tuple(_inner(plain, content, kind, at, parsed, series)),
    )


def _verb(plain: str, parsed: Parsed) -> int | None:
    """The verb of a headline: France wins World Cup, tourists massacred at Luxor."""
    for at, word in enumerate(parsed.words):
        if at == 0 or word.end > len(plain) or not word.text.islower():
            continue
        before = parsed.words[at - 1]
        if not before.is_noun and before.tag != "CD":
            continue
        known = word.lemma in listed("events", "verbs") or _is_headline_verb(word.lemma, word.text)
        finite = word.tag in ("VBZ", "VBD") or (word.tag == "VBN" and before.is_noun)
        if finite or (known and word.tag in ("NNS", "VBN", "VB", "VBP")):
            return at
    return None


def _is_headline_verb(lemma: str, text: str) -> bool:
    from readmark.models.rewriting.tables import table

    return lemma in table()["events"]["nouns"] and text != lemma


def _head(plain: str, content: Sequence[Token], verb: int | None) -> str:
    """The last noun before of, for or a comma; of a name with a number after it, the noun."""
    if not content:
        return ""
    stop = re.search(r"\s(?:of|for|in|at|on|to)\s|,", plain)
    early = [one for one in content if stop is None or one.end <= stop.start()]
    for one in reversed(early or content):
        if not _ROMAN.fullmatch(one.text):
            return one.base
    return content[-1].base


def _lemma(noun: str) -> str:
    for ending, single in (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh")):
        if noun.endswith(ending):
            return noun[: -len(ending)] + single
    return noun[:-1] if noun.endswith("s") and not noun.endswith(("ss", "us", "is")) else noun


def same_noun(one: str, other: str) -> bool:
    """Whether two words are one noun but for number."""
    return one == other or _lemma(one) == _lemma(other)


def _kind(
    plain: str,
    content: Sequence[Token],
    head: str,
    sentence: bool,
    parsed: Parsed,
    series: Sequence[Parsed],
) -> str:
    nouns = kinds_of(head) | kinds_of(_lemma(head))
    year = bool(content) and bool(_YEAR.fullmatch(content[0].text))
    first = content[0].base if content else ""
    if sentence or (year and len(content) > 1) or _is_event(content, head, first):
        return "event"
    pronoun = _first_pronoun(series)
    if pronoun == "person" and "organisation" not in nouns and plain[:1] != "":
        if not nouns & {"thing", "place"} or plain.lower() == plain:
            return "person"
    spoken = _spoken_of(series, content)
    if "organisation" in nouns or _is_company(content):
        return "organisation"
    type = parsed.name_type(0, len(plain))
    names = len(content) in (2, 3) and all(one.is_capital for one in content)
    if type == "PERSON" and pronoun != "thing" and not spoken and not nouns and names:
        return "person"
    if spoken:
        return spoken
    if nouns:
        return next(kind for kind in KINDS if kind in nouns)
    if pronoun == "group" and plain[:1].isupper():
        return "organisation"
    by_type = {"ORGANIZATION": "organisation", "LOCATION": "place", "PERSON": "person"}
    if type == "PERSON" and pronoun == "thing":
        return "thing"
    return by_type.get(type or "", "thing") if plain[:1].isupper() else "thing"


def _is_event(content: Sequence[Token], head: str, first: str) -> bool:
    events = listed("kinds", "event")
    firm = events - {"show", "series", "fair", "cup", "game", "games", "fire", "mission", "return"}
    if first == "hurricane" or (head in firm or _lemma(head) in firm):
        return True
    loose = head in events or _lemma(head) in events
    return loose and any(_ROMAN.fullmatch(one.text) for one in content)


def _is_company(content: Sequence[Token]) -> bool:
    return any(one.base in ("corp", "inc", "co", "ltd", "corporation", "company") for one in content)


def _first_pronoun(series: Sequence[Parsed]) -> str | None:
    """What the first pronoun of the series that can mean the target says of it."""
    for at, asked in enumerate(series):
        for word in asked.words:
            lower = word.lower
            if lower in ("he", "him", "his", "she", "her", "hers"):
                before = series[at - 1].text.lower() if at else ""
                return None if before.startswith(("who ", "whom ")) and at == 1 else "person"
            if lower in ("it", "its"):
                return "thing"
            if lower in ("they", "them", "their") and not _plural_before(asked, word.start):
                return "group"
    return None


def _plural_before(asked: Parsed, offset: int) -> bool:
    return any(word.tag in ("NNS", "NNPS") and word.end <= offset for word in asked.words)


def _spoken_of(series: Sequence[Parsed], content: Sequence[Token]) -> str | None:
    """The kind of the noun that a series calls its target by: the company, this facility."""
    own = {one.base for one in content}
    for asked in series:
        for at, word in enumerate(asked.words[1:], 1):
            the = asked.words[at - 1].lower
            last = at + 1 >= len(asked.words) or not asked.words[at + 1].is_noun
            if the not in ("the", "this") or not word.is_noun or not last or word.lower in own:
                continue
            found = kinds_of(word.lemma)
            if "organisation" in found:
                return "organisation"
            if the == "this" and found:
                return next(kind for kind in KINDS if kind in found)
    return None


def _plural(plain: str, content: Sequence[Token], kind: str, parsed: Parsed) -> bool:
    if kind == "person" or not content:
        return False
    last = next((word for word in reversed(parsed.words) if word.end <= len(plain)), None)
    if last is None:
        return False
    stem = last.text.endswith("s") and not last.text.endswith(("ss", "us", "is", "'s", "’s"))
    if plain.lower() == plain:
        return last.tag in ("NNS", "NNPS") or (stem and last.is_noun)
    return last.tag in ("NNPS", "NNS") and stem


def _gender(content: Sequence[Token], kind: str, series: Sequence[Parsed]) -> str | None:
    if kind != "person":
        return None
    for one in content:
        if one.base in listed("people", "male_titles"):
            return "male"
        if one.base in listed("people", "female_titles"):
            return "female"
    for asked in series:
        he, she = _HE.search(asked.text), _SHE.search(asked.text)
        if he and (she is None or he.start() < she.start()):
            return "male"
        if she:
            return "female"
    return None


def _article(
    plain: str,
    content: Sequence[Token],
    kind: str,
    head: str,
    plural: bool,
    sentence: bool,
    series: Sequence[Parsed],
) -> str:
    """What the series says before the whole target; else what such names take."""
    if not content or sentence or re.match(r"(?:the|an?)\s|[\"'“‘`]", plain, re.IGNORECASE):
        return ""
    seen = list(_seen(plain, series))
    if seen:
        return max(set(seen), key=lambda one: (seen.count(one), one))
    if kind == "person":
        return ""
    if plain.lower() == plain:
        return "the" if re.search(r"\s(?:of|in)\s", plain) and not plural else ""
    last, first = content[-1], content[0]
    if _ROMAN.fullmatch(last.text) or first.base in listed("articles", "bare"):
        return ""
    if head in listed("articles", "bare") or _is_company(content):
        return "the" if re.search(r"\s(?:of)\s", plain) else ""
    the = head in listed("articles", "heads") or _lemma(head) in listed("articles", "heads")
    if the or kind == "event" or re.search(r"\w\sof\s", plain):
        return "the"
    if not last.is_capital and not plural:  # Cassini space probe
        return "the"
    return "the" if plural and kind in ("organisation", "thing") and len(content) > 0 else ""


def _seen(plain: str, series: Iterable[Parsed]) -> list[str]:
    """The word before each whole mention that heads its own phrase."""
    found: list[str] = []
    whole = re.compile(rf"(?<!\w){re.escape(plain)}(?!\w)", re.IGNORECASE)
    for asked in series:
        for one in whole.finditer(asked.text):
            after = asked.at(one.end() + 1)
            if asked.text[one.end() : one.end() + 1] == " " and after is not None:
                word = asked.words[after]
                if word.is_noun or word.tag in ("CD", "JJ"):
                    continue
            before = asked.text[: one.start()].split()[-1:] or [""]
            said = before[0].lower()
            if said in ("the", "a", "an"):
                found.append(said)
            elif said not in ("first", "of", "this", "that") or said == "of":
                found.append("")
    return found


def _inner(
    plain: str,
    content: Sequence[Token],
    kind: str,
    verb: int | None,
    parsed: Parsed,
    series: Sequence[Parsed],
) -> Iterable[Inner]:
    """Runs of capitalised words of an event, or of what somebody owns, less the event's noun."""
    owner = re.match(r"(.+?)['’]s?\s+(?=[a-z])", plain)
    if kind != "event" and owner is None:
        return
    events = listed("kinds", "event")
    run: list[Token] = []
    runs: list[list[Token]] = []
    for one in (*content, None):
        noun = one is not None and (one.base in events or _lemma(one.base) in events)
        joined = (
            one is not None
            and one.text[:1].isupper()
            and not noun
            and (not run or plain[run[-1].end : one.start] in (" ", ". "))
            and not (verb is not None and run and run[-1].end <= verb <= one.start)
        )
        if joined and one is not None:
            run.append(one)
            if one.text.endswith(("'s", "’s", "'", "’")):  # the owner ends here
                runs.append(run)
                run = []
            continue
        if run:
            runs.append(run)
        run = [one] if one is not None and one.text[:1].isupper() and not noun else []
    wordy = any(not one.text[:1].isupper() and not one.text[:1].isdigit() for one in content)
    for own in runs:
        text = re.sub(r"['’]s?$", "", plain[own[0].start : own[-1].end])
        if len(own) == len(content):
            continue
        type = parsed.name_type(own[0].start, own[-1].end)
        yield Inner(text, tuple(own), type == "PERSON" or _is_person(own, series, wordy))


def _is_person(own: Sequence[Token], series: Sequence[Parsed], wordy: bool) -> bool:
    """Whether the series speaks of a name as of a person: Mrs. McDougal, King's."""
    names = {one.base for one in own}
    for asked in series:
        for before, one in zip(asked.tokens, asked.tokens[1:], strict=False):
            if one.base in names and before.base in listed("people", "titles"):
                return True
    return False
