"""What a target is: its kind, number and article, its brackets, and the names inside it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from readmark.series.guided.inner_names import Inner, inner_names
from readmark.series.guided.parses import ParsedText, QuestionToken, tokens
from readmark.series.guided.target_articles import ROMAN, article_of, is_joined, nouns_called
from readmark.series.guided.target_kinds import first_pronoun, infer_kind, is_company, kind_named
from readmark.series.guided.word_tables import listed, table

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
    if plural and one_body and first_pronoun(series) == "thing":
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
        called=frozenset(nouns_called(series)),
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
        return is_joined(plain) or any(token.base in groups for token in content)
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
