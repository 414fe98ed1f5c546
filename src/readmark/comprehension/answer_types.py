"""What a short answer is by its form: a time, a number, a person, a place, an organisation.

Only answers that are plainly of one type get one, so that an error is never called ``wrong_type``
on a guess.
"""

from __future__ import annotations

import functools
import re
import tomllib
from importlib.resources import files

from readmark.core.language import primary
from readmark.core.records import Layer, Offsets
from readmark.text.analysers.word_tables import table_endings, table_words

RULES = "answer-types-1"

LONGEST = {"en": 8, "zh": 16}
"""Words, or Chinese characters, beyond which an answer is a clause and of no type."""

SHAPES = ("TIME", "NUM")
"""Types that show: a text without a figure or a word of number or time is neither."""

_FIGURE = re.compile(r"[0-9０-９零〇一二两三四五六七八九十百千万亿几]")
_WORD = re.compile(r"[$£€¥#]|[^\W_]+(?:[.,:'’-][^\W_]+)*%?|%")
_NUMBER = re.compile(r"[$£€¥#]?\d+(?:[.,:]\d+)*(?:st|nd|rd|th|%|m|bn|km|kg)?")
_YEAR = re.compile(r"(?:1\d{3}|20\d{2})(?:s|'s|’s)?|\d{2}(?:'s|’s|0s)")
_CLOCK = re.compile(r"\d{1,2}:\d{2}(?::\d{2})?|\d{1,2}(?:am|pm)")
_LISTS = {
    name: frozenset(words.split())
    for name, words in tomllib.loads(
        files("readmark.comprehension").joinpath("data/answer_types.toml").read_text("utf-8")
    ).items()
}
_NUMERALS, _FUNCTION_WORDS = _LISTS["numerals"], _LISTS["function_words"]
_OF_TIME, _OF_NUMBER = _LISTS["of_time"], _LISTS["of_number"]
_CHINESE_ORGANISATIONS = tuple(
    ending for ending in table_endings("zh", "organization", "endings") if len(ending) > 1
)
_CLAUSE_MARKS = re.compile(r"[，。；：！？,;:!?]")


def answer_type(text: str, language: str) -> str | None:
    """PERSON, TIME, LOCATION, NUM or ORGANIZATION if the text plainly is one; else None."""
    return _chinese_type(text) if primary(language) == "zh" else _english_type(text)


def differ(first: str, second: str, language: str, types: tuple[str | None, str | None]) -> bool:
    """Whether two texts are of different types, given the types that are known.

    A time or a number also differs from an untyped text that has no figure and no word of time or
    number.
    """
    first_type, second_type = types
    if first_type is not None and second_type is not None:
        return first_type != second_type
    return any(
        type in SHAPES and not shows_number_or_time(other, language)
        for type, other in ((first_type, second), (second_type, first))
    )


def shows_number_or_time(text: str, language: str) -> bool:
    """Whether a text has a figure, or a word of number or time."""
    if _FIGURE.search(text):
        return True
    if primary(language) == "zh":
        return any(tag in ("t", "m", "mq") for _, tag in _tagged(text))
    return any(map(_is_plainly_number_or_time, _WORD.findall(text)))


def marked_type(span: Offsets, layer: Layer | None) -> str | None:
    """The type of the entity in an annotated layer that a span mostly consists of, and fills."""
    if layer is None:
        return None
    start, end = span
    longest, best = 0, None
    for (first, last), type in zip(layer.spans, layer.columns.get("type", ()), strict=False):
        shared = min(last, end) - max(first, start)
        if shared > longest and 2 * shared >= max(end - start, last - first):
            longest, best = shared, str(type)
    return best


def _english_type(text: str) -> str | None:
    tokens = _WORD.findall(text)
    if not tokens or len(tokens) > LONGEST["en"]:
        return None
    content = [token for token in tokens if token.lower() not in _FUNCTION_WORDS] or tokens
    times = [token for token in content if _is_time(token)]
    quantities = [token for token in content if _is_number(token)]
    numbers = [token for token in quantities if not _is_only_unit(token)]
    nouns = [token for token in content if not _is_time(token) and not _is_number(token)]
    if times and not nouns:
        return "TIME"
    if numbers and (not nouns or _are_counted(content[0], nouns)):
        return "NUM"
    if quantities:
        return None
    return _type_of_name(tokens)


def _type_of_name(tokens: list[str]) -> str | None:
    """The type of a title and a name, or of names that end in a word for a place or body."""
    names = [token for token in tokens if token.lower() not in ("the", "of", "and")]
    if not all(name[:1].isupper() for name in names) or len(names) < 2:
        return None
    last = names[-1].lower()
    if names[0].lower().rstrip(".") in table_words("en", "person", "titles"):
        return "PERSON"
    if last in table_words("en", "location", "sure"):
        return "LOCATION"
    return "ORGANIZATION" if last in table_words("en", "organization", "kinds") else None


def _are_counted(first: str, nouns: list[str]) -> bool:
    """Whether nouns are counted: 25 students, but not 25 Broad Street, nor one student."""
    if not _is_number(first) or _is_only_unit(first) or first.lower() == "one":
        return False
    return len(nouns) < 3 and all(noun[:1].islower() for noun in nouns)


def _is_number(token: str) -> bool:
    lower = token.lower()
    if _NUMBER.fullmatch(lower) or lower in _NUMERALS or lower in _OF_NUMBER:
        return True
    if all(part.removesuffix("s") in _NUMERALS for part in lower.split("-")):
        return True
    forms = {lower, lower.removesuffix("s")}
    lists = (table_words("en", "number", name) for name in ("words", "units"))
    return any(not forms.isdisjoint(word_list) for word_list in lists)


def _is_only_unit(token: str) -> bool:
    """A unit alone is no number: *a mark*, *one foot*."""
    lower = token.lower()
    singular = lower.removesuffix("s")
    units = table_words("en", "number", "units")
    is_unit = not {lower, singular}.isdisjoint(units) and singular not in _NUMERALS
    return lower in _OF_NUMBER or is_unit


def _is_time(token: str) -> bool:
    lower = token.lower()
    if _YEAR.fullmatch(lower) or _CLOCK.fullmatch(lower) or lower in _OF_TIME:
        return True
    if token in table_words("en", "time", "capitalised"):
        return True
    forms = {lower, lower.removesuffix("s")}
    if lower.endswith("ies"):
        forms.add(lower.removesuffix("ies") + "y")
    lists = (table_words("en", "time", name) for name in ("units", "words", "seasons"))
    return any(not forms.isdisjoint(word_list) for word_list in lists)


def _is_plainly_number_or_time(token: str) -> bool:
    if token.lower() in ("second", "may", "one", "once"):  # as often words of grammar
        return False
    return _is_number(token) or _is_time(token)


def _chinese_type(text: str) -> str | None:
    """A time or number by the analyser's rules; a place or organisation by its tag or ending.

    Nobody is taken for a person: most of what jieba tags as one is none.
    """
    from readmark.text.analysers.chinese_entities import entity_type
    from readmark.text.script import simplified

    text = simplified(text.strip("，。；：！？ 　\"'“”‘’《》（）()"))
    if not text or len(text) > LONGEST["zh"] or _CLAUSE_MARKS.search(text):
        return None
    tagged = _tagged(text)
    if not tagged or any(tag in _LISTS["tags_of_no_name"] for _, tag in tagged):
        return None
    type = entity_type([word for word, _ in tagged], [tag for _, tag in tagged])
    if type in SHAPES:
        return type
    if _counted_people().match(text):
        return "NUM"
    if text.endswith(_CHINESE_ORGANISATIONS):
        return "ORGANIZATION"
    return {"ns": "LOCATION", "nt": "ORGANIZATION"}.get(tagged[-1][1])


@functools.lru_cache(maxsize=2**12)
def _tagged(text: str) -> tuple[tuple[str, str], ...]:
    from readmark.text.script import simplified
    from readmark.text.segmenter import segmenter

    plain = simplified(text)
    return tuple((plain[start:end], tag) for start, end, tag in segmenter().tagged(plain))


@functools.cache
def _counted_people() -> re.Pattern[str]:
    from readmark.text.chinese_numbers import NUMERALS

    return re.compile(rf"[{NUMERALS}][{NUMERALS}.,]*[多余]?[名位人个]")
