"""People's answers to queries in their own words, as values and entities.

"Formally specified queries submitted to Reading Systems will be re-formulated as natural language
questions for human readers" ("The DARPA Machine Reading Program", section 3.2.1). Values are read
by the ontology's ranges. Words for an entity are its name, or describe it: "the repair".
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from readmark.core.spans import Excerpt
from readmark.tasks.alignment import BLANK
from readmark.tasks.asked_values import AskedValue, asked_in, links_in, variables_asked
from readmark.tasks.categories.values import MONTHS
from readmark.tasks.mention_classes import PRONOUNS, is_name, mention_class, without_article
from readmark.tasks.reasoning.datatypes import TEXTS
from readmark.tasks.records import Query, Solution
from readmark.tasks.typed_values import (
    Month,
    TypedValue,
    UnreadValue,
    dates_in,
    months_in,
    read_shape,
    read_value,
)
from readmark.tasks.value_tokens import is_value, plain, token
from readmark.text.folding import folded_with_places
from readmark.text.script import simplified


@dataclass
class DocumentEntity:
    """An entity or event of a document, by what the gold answers say of it."""

    name: str
    classes: dict[str, None] = field(default_factory=dict)
    labels: dict[str, None] = field(default_factory=dict)
    """What its class is called."""
    mentions: dict[str, None] = field(default_factory=dict)
    values: dict[tuple[str, str], None] = field(default_factory=dict)
    """Property and value, of everything that answers say about it."""

    @property
    def names(self) -> list[str]:
        """Its mentions that name it, and do not only say what it is: "Repair", 这次维修."""
        kind = AskedValue(labels=tuple(self.labels))
        return [word for word in self.mentions if is_name(word) and not is_description(word, kind)]

    @property
    def is_named(self) -> bool:
        """Whether the document names it, or its own name does: ``Repair-1`` is a number."""
        if self.names:
            return True
        stem = re.fullmatch(r"(?:.*[:#/])?(\D+?)[-_]?\d+", self.name)
        kinds = {re.sub(r"\W", "", word.casefold()) for word in (*self.classes, *self.labels)}
        kinds |= {"event", "entity"}
        is_number = stem is not None and re.sub(r"\W", "", stem[1].casefold()) in kinds
        return not (self.name.startswith(BLANK) or is_number or self.mentions)


def document_entities(queries: Iterable[Query]) -> dict[str, DocumentEntity]:
    """The entities and events of a document's gold answers, by name."""
    found: dict[str, DocumentEntity] = {}
    for query in queries:
        asked = asked_in(query)
        for solution in query.key.solutions if query.key is not None else ():
            tokens = {name: token(value) for name, value in solution.values.items()}
            for variable, name in tokens.items():
                if is_value(name):
                    continue
                entity = found.setdefault(name, DocumentEntity(name))
                entity.mentions.update(dict.fromkeys(solution.mentions.get(name, ())))
                if variable in asked:
                    entity.classes.update(dict.fromkeys(asked[variable].classes))
                    entity.labels.update(dict.fromkeys(asked[variable].labels))
            for subject, property, value in links_in(query.graph):
                if subject in tokens and value in tokens and not is_value(tokens[subject]):
                    own = found[tokens[subject]]
                    own.values[property, plain(tokens[value])] = None
    return found


# What a person may choose from.


def choices_for(
    asked: AskedValue, entities: Mapping[str, DocumentEntity], language: str = "en"
) -> list[str]:
    """What a question can be about, in words: names, else descriptions that tell events apart.

    Only subjects are offered. A list of what is asked for would be the answer.
    """
    if not asked.is_subject:
        return []
    return sorted(_descriptions(asked, entities, language).values())


def offers_for(queries: Sequence[Query], language: str) -> dict[str, dict[str, list[str]]]:
    """By query and variable, what the questions on a document can be about, in words."""
    entities = document_entities(queries)
    return {query.id: _offers(query, entities, language) for query in queries}


def _offers(
    query: Query, entities: Mapping[str, DocumentEntity], language: str
) -> dict[str, list[str]]:
    asked = asked_in(query)
    choices = {
        name: choices_for(asked[name], entities, language)
        for name in variables_asked(query)
        if name in asked
    }
    return {name: words for name, words in choices.items() if words}


def _descriptions(
    asked: AskedValue, entities: Mapping[str, DocumentEntity], language: str
) -> dict[str, str]:
    """The words for each entity of a class: the shortest that no other entity has."""
    fitting = [
        entity for entity in entities.values() if set(asked.classes[:1]) & set(entity.classes)
    ]
    kind = _label(asked, language)
    found: dict[str, str] = {}
    for entity in fitting:
        if entity.is_named:
            named = entity.names or [entity.name.replace("-", " ")]
            found[entity.name] = named[0]
            continue
        others = [other for other in fitting if other is not entity and not other.is_named]
        telling = [
            value for value in entity.values if not any(value in other.values for other in others)
        ]
        if not others or not telling:
            found[entity.name] = kind
            continue
        # A date is what people tell events by; names come next.
        telling.sort(key=lambda pair: (_day(pair[1]) is None, is_value(pair[1])))
        found[entity.name] = _described(kind, telling[0][1], entities, language)
    return found


def _label(asked: AskedValue, language: str) -> str:
    wide = [label for label in asked.labels if not label.isascii()]
    if language == "zh" and wide:
        return wide[0]
    return next((label for label in asked.labels if label.isascii()), asked.labels[0])


def _described(kind: str, value: str, entities: Mapping[str, DocumentEntity], language: str) -> str:
    day = _day(value)
    if day is not None:
        if language == "zh":
            return f"{day.year}年{day.month}月{day.day}日的{kind}"
        return f"{kind} on {day.day} {MONTHS[day.month - 1].capitalize()} {day.year}"
    entity = entities.get(value)
    shown = next(iter(entity.mentions), value) if entity is not None else value.strip('"')
    return f"{kind}（{shown}）" if language == "zh" else f"{kind} ({shown})"


def _day(value: str) -> datetime.date | None:
    try:
        return datetime.date.fromisoformat(value)
    except ValueError:
        return None


# Answers.


_QUOTED = re.compile(r'".*"', re.DOTALL)
"""Words that are meant as they stand, whatever the question asks for."""


@dataclass(frozen=True)
class UnreadField:
    """A value of an answer that could not be read, by its place from 1 and its variable."""

    place: int
    variable: str
    problem: UnreadValue


@dataclass(frozen=True)
class DoubtfulWords:
    """Words that were taken as they stand and can hardly be right, by their variable."""

    variable: str
    words: str
    is_absent: bool = True
    """The document does not have them; else they do not say which of its things is meant."""


@dataclass(frozen=True)
class ReadAnswer:
    """A person's answer, and what of it could not be read: that stays as the words typed."""

    solution: Solution
    unread: tuple[UnreadField, ...] = ()
    doubtful: tuple[DoubtfulWords, ...] = ()


def read_answer(
    query: Query,
    names: Sequence[str],
    texts: Sequence[str],
    excerpts: Iterable[Excerpt] = (),
    *,
    document: str = "",
    entities: Mapping[str, DocumentEntity] | None = None,
    offers: Mapping[str, Sequence[str]] | None = None,
) -> ReadAnswer:
    """What a person typed for each variable of a query, by what the ontology asks for there.

    With ``entities`` of the gold, words that can only mean one of them stand for it. ``offers``
    are the choices that the person had for a variable. A value that is not there is a
    ``ValueError``.
    """
    asked = asked_in(query)
    values: dict[str, TypedValue] = {}
    mentions: dict[str, tuple[str, ...]] = {}
    unread: list[UnreadField] = []
    doubtful: list[DoubtfulWords] = []
    for place, (name, text) in enumerate(zip(names, texts, strict=True), 1):
        if not text:
            raise ValueError(f"answer_{place} ({name}) is empty")
        wanted = asked.get(name, AskedValue())
        if wanted.type is not None:
            is_quoted = _QUOTED.fullmatch(text) is not None
            type = "string" if is_quoted else wanted.type
            words = _as_written(text, document) if type in TEXTS and not is_quoted else text
            try:
                values[name] = read_value(words, type, units=wanted.units, document=document)
            except UnreadValue as problem:
                unread.append(UnreadField(place, name, problem))
                values[name] = read_value(text, "string")
        elif not wanted.classes and (is_value(text) or read_shape(text) is not None):
            shape = read_shape(text)
            values[name] = text if is_value(text) or shape is None else shape
        else:
            entity = _entity(text, wanted, entities or {}, document)
            is_offered = wanted.is_subject and entity is not None
            if document and not is_offered and not _is_in(document, text, wanted):
                doubtful.append(DoubtfulWords(name, text))
            elif not is_offered and _is_unclear(text, wanted, (offers or {}).get(name, ())):
                doubtful.append(DoubtfulWords(name, text, is_absent=False))
            mentioned = (entity.mentions if entity is not None else None) or {text: None}
            values[name] = entity.name if entity is not None else _new_name(text, wanted)
            mentions[str(values[name])] = tuple(mentioned)
    solution = Solution(values=values, mentions=mentions, excerpts=tuple(excerpts))
    return ReadAnswer(solution, tuple(unread), tuple(doubtful))


class DocumentAnswers:
    """Reads what people type as answers to the queries on a document, by its gold where known."""

    def __init__(self, text: str, queries: Iterable[Query] = ()) -> None:
        self._text = text
        self._entities = document_entities(queries)

    def read(
        self,
        query: Query,
        typed: Mapping[str, str],
        excerpts: Iterable[Excerpt] = (),
        *,
        offers: Mapping[str, Sequence[str]] | None = None,
    ) -> ReadAnswer:
        """An answer by its variables, as `read_answer` reads it."""
        return read_answer(
            query,
            list(typed),
            list(typed.values()),
            excerpts,
            document=self._text,
            entities=self._entities,
            offers=offers,
        )


def _entity(
    text: str, wanted: AskedValue, entities: Mapping[str, DocumentEntity], document: str
) -> DocumentEntity | None:
    """The only entity that words can mean: by its name, by a description, by its values."""
    fitting = [
        entity
        for entity in entities.values()
        if not wanted.classes or set(wanted.classes[:1]) & set(entity.classes)
    ]
    said = _spellings(text, wanted)
    called = [entity for entity in fitting if said & _names_of(entity, wanted)]
    if not called and (untitled := mention_class([without_title(text)])) != mention_class([text]):
        called = [entity for entity in fitting if untitled & _names_of(entity, wanted)]
    if not called and wanted.is_subject:
        # The question says what it can be about, so a part of a name is enough: "Clara".
        called = [
            entity
            for entity in fitting
            if any(_has_words(name, part) for name in _names_of(entity, wanted) for part in said)
        ]
    if len(called) == 1:
        return called[0]
    if wanted.is_subject and len(fitting) == 1 and _is_pronoun(text):
        return fitting[0]
    if called or not is_description(text, wanted):
        return None
    unnamed = [entity for entity in fitting if not entity.is_named]
    described = [
        entity
        for entity in unnamed
        for language in ("en", "zh")
        if mention_class([_descriptions(wanted, entities, language)[entity.name]]) & said
    ]
    if described and len({entity.name for entity in described}) == 1:
        return described[0]
    days = set(dates_in(text, document))
    months = () if days else tuple(months_in(text))
    telling = [entity for entity in unnamed if _has_value_in(entity, text, days, months, entities)]
    if len(telling) == 1:
        return telling[0]
    if wanted.is_subject and len(fitting) == 1 and not days and not _COUNTED.search(text):
        return fitting[0]
    is_bare = bool(said & mention_class(wanted.labels))
    return unnamed[0] if len(unnamed) == 1 and is_bare else None


def _is_pronoun(text: str) -> bool:
    return text.strip().casefold() in PRONOUNS


def _is_unclear(text: str, wanted: AskedValue, offered: Sequence[str]) -> bool:
    """Whether words may mean several of the choices: a pronoun, a surname of two people."""
    if _is_pronoun(text):
        return len(offered) > 1
    said = _spellings(text, wanted)
    names = [_spellings(words, wanted) for words in offered]
    if any(said & spelt for spelt in names):
        return False
    if is_description(text, wanted):
        return len(offered) > 1
    having = [
        spelt for spelt in names if any(_has_words(name, part) for name in spelt for part in said)
    ]
    return len(having) > 1


_TITLE = re.compile(
    r"(?:Mr|Mrs|Ms|Miss|Dr|Prof|Professor|Sir|Lady|Lord|Father|Sister|Captain|Councillor)\.?\s+"
    r"(?=\S+\s+\S)",  # Mr Harlow is not Mrs Harlow, so a surname alone keeps its title
    re.IGNORECASE,
)
_WIDE_TITLE = re.compile(r"(?<=[\u4e00-\u9fff]{2})(?:先生|女士|小姐|太太|教授|博士|医生|老师)$")


def without_title(name: str) -> str:
    """A full name without a title: "Mr Victor Desmond", 贺知远先生."""
    return _WIDE_TITLE.sub("", _TITLE.sub("", " ".join(name.split()), count=1))


def _has_words(name: str, part: str) -> bool:
    """Whether a name has these words; a single character is too little to go by."""
    if len(part) < 2:
        return False
    if part.isascii():
        return re.search(rf"(?<!\w){re.escape(part)}(?!\w)", name) is not None
    return part in name


def _spellings(text: str, wanted: AskedValue) -> frozenset[str]:
    """Words, and the same without the class that comes before a name: "Pump P-7" is "P-7"."""
    words = without_article(" ".join(text.split()))
    found = [words, _THIS.sub("", words), words.rstrip(".,;:!?。，；：！？")]
    for label in wanted.labels:
        if words.casefold().startswith(label.casefold()) and len(words) > len(label):
            found.append(words[len(label) :].strip())
    return mention_class(found)


def _as_written(text: str, document: str) -> str:
    """Words as the document writes them, in whatever case, width and script they were typed."""
    if text in document:
        return text
    known, origins = folded_with_places(document)
    spelt = set()
    for words in dict.fromkeys((text, without_article(text))):
        sought, _ = folded_with_places(words)
        for match in re.finditer(re.escape(sought), known) if sought else ():
            start, end = int(origins[match.start()]), int(origins[match.end() - 1]) + 1
            if not any(_IN_WORD.match(document, at - 1) for at in (start, end) if at):
                spelt.add(document[start:end])
        if spelt:
            break
    return spelt.pop() if len(spelt) == 1 else text


_IN_WORD = re.compile(r"\w\w", re.ASCII)


def _is_in(document: str, text: str, wanted: AskedValue) -> bool:
    """Whether words describe an entity, or the document has them, in any case and width.

    It does not depend on the gold, which a person could otherwise guess by trying.
    """
    if is_description(text, wanted):
        return True
    [whole] = mention_class([document]) or [""]
    return any(
        re.search(rf"(?<!\w){re.escape(words)}(?!\w)", whole) if words.isascii() else words in whole
        for words in _spellings(text, wanted) | _spellings(without_title(text), wanted)
    )


def _names_of(entity: DocumentEntity, wanted: AskedValue) -> frozenset[str]:
    spelt = (entity.name, re.sub(r"[-_]", " ", entity.name))
    return frozenset().union(
        *(_spellings(words, wanted) for words in (*entity.mentions, *spelt)),
    )


def _has_value_in(
    entity: DocumentEntity,
    text: str,
    days: set[str],
    months: Sequence[Month],
    entities: Mapping[str, DocumentEntity],
) -> bool:
    """Whether a description says one of the entity's values: a day, a month or year, a name."""
    words = next(iter(mention_class([text])), "")
    for _, value in entity.values:
        if value in days:
            return True
        day = _day(value)
        if day is not None and any(
            year in (None, day.year) and month in (None, day.month) for year, month in months
        ):
            return True
        other = entities.get(value)
        if other is not None and any(
            re.search(rf"(?<!\w){re.escape(name)}(?!\w)", words)
            for name in mention_class((*filter(is_name, other.mentions), other.name))
        ):
            return True
    return False


_BEFORE = r"(?:(?:first|second|third|last|other|same|next|only|\d+(?:st|nd|rd|th)) )?"
_AFTER = r"(?:$|,| ?\(| (?:on|in|of|at|by|from|after|before|during|that|which|with|for|to)\b)"
_MEASURE = "[个次台场座位名艘辆条件]?"
_THIS = re.compile(rf"^[这那该此]{_MEASURE}|^(?:this|that) (?=\S)", re.IGNORECASE)
_NTH = re.compile(rf"^第.{{1,3}}{_MEASURE}")
_WIDE_DAY = re.compile(r"[\d零〇一二三四五六七八九十廿卅年月日号 ]+")
_MODIFIERS = r"(?:(?!(?:is|are|was|were|not)\b)\S+ )+"
_COUNTED = re.compile(r"\b(?:first|second|third|last|other|next|\d+(?:st|nd|rd|th))\b|[第另其]")
"""Words for one of several."""


def is_description(text: str, wanted: AskedValue) -> bool:
    """Whether words say what kind of thing is meant, not its name: "the repair in August"."""
    spelt = _THIS.sub("", without_article(" ".join(text.split())))
    words = simplified(spelt.casefold())  # 維修 is the label 维修
    for label in (simplified(label.casefold()) for label in wanted.labels):
        if label.isascii():
            if re.match(rf"{_BEFORE}{re.escape(label)}{_AFTER}", words):
                return True
            if wanted.is_subject and re.fullmatch(_MODIFIERS + re.escape(label), spelt):
                return True  # P-7's repair, the August repair
        elif label in words:
            rest = words.replace(label, "", 1)
            if not _NTH.sub("", _THIS.sub("", rest)) or rest.endswith("的"):
                return True
            if _WIDE_DAY.fullmatch(rest):
                return True
    return False


def _new_name(text: str, wanted: AskedValue) -> str:
    """A name for an entity; one that is described has none, and is known by its other values."""
    slug = re.sub(r"[^\w.:-]+", "-", text).strip("-") or "x"
    return f"{BLANK}{slug}" if is_description(text, wanted) else slug


def unread_lines(unread: Iterable[UnreadField]) -> Iterator[str]:
    """What could not be read, a line each."""
    for each in unread:
        yield f"answer_{each.place} ({each.variable}): {each.problem}"
