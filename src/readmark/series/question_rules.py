"""The rules of series: what a person should look at in gold rewrites."""

from __future__ import annotations

import functools
import itertools
import re
import tomllib
from collections.abc import Iterator, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from readmark.core.language import primary
from readmark.core.question_rules import (
    RULED_LANGUAGES,
    QuestionRule,
    QuestionRules,
    RuleFinding,
    RuleSettings,
    profiles_in,
)
from readmark.core.spans import clip
from readmark.series.records import (
    MOST_GOLDS,
    PREVIOUS_ANSWER,
    Series,
    SeriesQuestion,
    bracketed,
)
from readmark.series.words import grammar_words
from readmark.text.questions.types import question_type
from readmark.text.stems import stem
from readmark.text.wording import word_list

# The words of questions and golds as the rules compare them, in English and Chinese.


_WORD = re.compile(r"\w+(?:[-_]\w+)*|['’]s\b")
STOPPED = grammar_words("rules")
"""Words that need no source: those of grammar, of asking, and "the person who"."""


class RuleWord(NamedTuple):
    """A word as written, its position, and the form that it is compared in."""

    text: str
    start: int
    base: str

    @property
    def is_name(self) -> bool:
        """Whether it is written as names are."""
        return self.text[:1].isupper() or self.text[:1].isdecimal()


def words_of(text: str, language: str) -> list[RuleWord]:
    """The words of a text in order; a possessive 's is one of its own."""
    if language == "zh":
        return _chinese(text)
    return [RuleWord(match[0], match.start(), _base(match[0])) for match in _WORD.finditer(text)]


def content_of(text: str, language: str) -> list[RuleWord]:
    """The words of a text that say something of their own."""
    return [word for word in words_of(text, language) if word.base not in STOPPED[language]]


def _base(word: str) -> str:
    lower = word.lower().replace("’", "'")
    return lower if lower in STOPPED["en"] else stem(lower)


def _chinese(text: str) -> list[RuleWord]:
    from readmark.text.segmenter import segmenter

    spans = segmenter().spans(text)
    rule_words = [RuleWord(text[start:end], start, text[start:end].lower()) for start, end in spans]
    return [word for word in rule_words if word.text[0].isalnum()]


# A series as the rules look at it: its golds, and the words that a gold may be made of.


class SeriesPage:
    """A series with its language."""

    def __init__(self, series: Series, language: str, hidden: bool = False) -> None:
        self.series = series
        self.language = primary(series.language) if series.language else language

    def keyed(self) -> Iterator[tuple[SeriesQuestion, list[str]]]:
        """The questions that have golds, with them; equal golds of two people are one."""
        for question in self.series.questions:
            rewrites = question.key.rewrites if question.key is not None else ()
            golds = list(dict.fromkeys(answer.text for answer in rewrites))
            if golds:
                yield question, golds

    def question_types(self) -> Iterator[str | None]:
        """The type of each question by rule, where the language is known."""
        for question in self.series.questions:
            known = self.language in RULED_LANGUAGES
            yield question_type(question.text, self.language) if known else None

    def words(self, text: str) -> list[RuleWord]:
        """The words of a text in the series' language."""
        return words_of(text, self.language)

    def content(self, text: str) -> list[RuleWord]:
        """The words of a text that say something."""
        return content_of(text, self.language)

    @functools.cached_property
    def target(self) -> list[RuleWord]:
        """The target's words that say something."""
        return self.content(self.series.target)

    @functools.cached_property
    def targets(self) -> list[frozenset[str]]:
        """The forms that a full target may have: whole, and those of a bracketed one."""
        texts: list[str] = [self.series.target]
        forms = bracketed(self.series.target)
        if forms is not None:
            texts += [forms.outer, *forms.inner]
        return [frozenset(word.base for word in self.content(text)) for text in texts]

    @functools.cached_property
    def sources(self) -> str:
        """Target, questions and known answers, as one text."""
        texts = [self.series.target]
        for question in self.series.questions:
            texts += [question.text, *question.previous]
        return "\n".join(texts)

    @functools.cached_property
    def known(self) -> frozenset[str]:
        """The words of target, questions and known answers."""
        return frozenset(
            word.base for line in self.sources.split("\n") for word in self.words(line)
        )


# Content words of a gold that neither its question, the target nor the series has.


_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff]+")


def foreign_words(page: SeriesPage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """A line a gold with such words."""
    for question, golds in page.keyed():
        for gold in golds:
            found = list(
                _foreign_words_chinese(page, gold)
                if page.language == "zh"
                else _english(page, gold)
            )
            if found:
                named = ", ".join(repr(fromkey) for fromkey in dict.fromkeys(found))
                stand = "stands" if len(set(found)) == 1 else "stand"
                message = f"{named} {stand} neither in target nor series: {clip(gold)!r}"
                yield question.id, message


def _english(page: SeriesPage, gold: str) -> Iterator[str]:
    for word in page.content(gold):
        known = word.text == PREVIOUS_ANSWER or word.base in page.known
        parts = word.base.split("-")
        if not known and not (len(parts) > 1 and all(part in page.known for part in parts)):
            yield word.text


def _foreign_words_chinese(page: SeriesPage, gold: str) -> Iterator[str]:
    """Runs of characters that stand nowhere: the same ones may be cut otherwise elsewhere."""
    known = {*page.sources, *"".join(STOPPED["zh"])}
    for run in _HAN.findall(gold):
        new = "".join(one if one not in known else " " for one in run)
        yield from new.split()


# Pronouns that a gold leaves unresolved: nothing before them in it can be their referent.


_PERSONAL = frozenset({"he", "him", "himself", "she", "herself", "it", "itself", "they", "them"})
_PERSONAL |= {"themselves"}
_OWNING = frozenset({"his", "her", "hers", "its", "their", "theirs"})
_POINTING = frozenset({"this", "these", "those"})
_RELATIVE = frozenset({"who", "whom", "whose", "which", "that", "of"})
_ASKING = frozenset({"which", "what", "whose"})
_AUXILIARY = frozenset({"be", "am", "is", "are", "was", "were", "do", "does", "did", "have", "has"})
_AUXILIARY |= {"had", "can", "could", "will", "would", "shall", "should", "may", "might", "must"}
_IMPERSONAL = frozenset(["take", "cost", "mean", "matter", "rain", "snow"])
_BE = frozenset({"be", "been", "is", "are", "was", "were", "will", "would", "can", "could", "has"})
_BE |= {"have", "had", "may", "might", "must", "should"}
_PLACING = frozenset({"in", "at", "on", "near", "from", "to", "into"})
_REACH = 4
"""Words after "this person" in which "who ..." may begin and say who."""


def unresolved_pronouns(page: SeriesPage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """A line a gold with such pronouns."""
    for question, golds in page.keyed():
        for gold in golds:
            left = (
                _pronouns_chinese(page, gold)
                if page.language == "zh"
                else _pronouns_english(page, gold)
            )
            if left:
                named = ", ".join(repr(fromkey) for fromkey in dict.fromkeys(left))
                yield question.id, f"{named} may be unresolved in {clip(gold)!r}"


def _pronouns_english(page: SeriesPage, gold: str) -> list[str]:
    words = page.words(gold)
    aside = _place_aside(page, gold, words)
    meant = [
        index for index, word in enumerate(words) if index >= aside and _names(page, word, index)
    ]
    first = meant[0] if meant else len(words)
    left = [index for index in range(first) if _is_open(words, index)]
    left = [
        index
        for index in left
        if not (words[index].base in _OWNING and _subject_asked(words, index))
    ]
    left += [
        index
        for index in range(len(words))
        if _is_nowhere(page, words, index) or _is_unnamed_choice(words, index)
    ]
    left.sort()
    if meant and words[0].base not in _ASKING:
        # "After his death, who played Hamlet?": what opens a question may point forward.
        opening = gold.rfind(",", 0, words[first].start)
        left = [
            index
            for index in left
            if words[index].base in _POINTING or words[index].start > opening
        ]
    return [words[index].text for index in left]


def _names(page: SeriesPage, word: RuleWord, index: int) -> bool:
    """Whether a word may be what a pronoun after it means: a name, or a word of the target."""
    if word.text == PREVIOUS_ANSWER or _is_of_target(page, word):
        return True
    return index > 0 and word.text[:1].isupper() and word.base not in STOPPED["en"]


def _is_of_target(page: SeriesPage, word: RuleWord) -> bool:
    return any(word.base == rule_word.base for rule_word in page.target)


def _place_aside(page: SeriesPage, gold: str, words: Sequence[RuleWord]) -> int:
    """How many words open a question with a place, which no person after it is: In Paris, …."""
    if not words or words[0].base not in _PLACING:
        return 0
    comma = gold.find(",")
    opening = [word for word in words if word.start < comma]
    return 0 if any(_is_of_target(page, word) for word in opening) else len(opening)


def _is_nowhere(page: SeriesPage, words: Sequence[RuleWord], index: int) -> bool:
    """Whether "there" is a place that nothing before it names; "there were" is none."""
    if words[index].base != "there":
        return False
    around = {
        word.base for word in (*words[max(index - 1, 0) : index], *words[index + 1 : index + 2])
    }
    if around & _BE:
        return False
    placed = (
        before.base in _PLACING and _names(page, rule_word, 1)
        for before, rule_word in itertools.pairwise(
            word for word in words[:index] if word.base != "the"
        )
    )
    return not any(placed)


def _is_unnamed_choice(words: Sequence[RuleWord], index: int) -> bool:
    """Whether "which one" asks among things that the question does not name."""
    if index == 0 or words[index].base not in ("one", "ones") or words[index - 1].base != "which":
        return False
    return not any(word.base in ("of", "among") for word in words[index + 1 : index + 1 + _REACH])


def _is_open(words: Sequence[RuleWord], index: int) -> bool:
    base = words[index].base
    after = [word.base for word in words[index + 1 : index + 1 + _REACH]]
    if base in _POINTING:
        return not _RELATIVE & set(after)
    if base == "it" and after and after[0] in _IMPERSONAL:
        return False
    return base in _PERSONAL or base in _OWNING


def _subject_asked(words: Sequence[RuleWord], index: int) -> bool:
    """Whether what is asked for does something: "What company sold its shares?"."""
    if index < 3 or words[0].base not in _ASKING:
        return False
    return not any(word.base in _AUXILIARY for word in words[1:index])


def _pronouns_chinese(page: SeriesPage, gold: str) -> list[str]:
    words = page.words(gold)
    pronouns = word_list("pronouns") | {"其"}
    pointing = word_list("demonstratives")
    own = {word.base for word in page.target}
    left = []
    for word in words:
        if word.base in own or word.text == PREVIOUS_ANSWER:
            break
        if word.text in pronouns or word.text in pointing:
            left.append(word.text)
    return left


# A part of the target that every gold of a question leaves short.


EVENT = "event"


def short_targets(page: SeriesPage, settings: RuleSettings) -> Iterator[RuleFinding]:
    """One line per question whose golds have a part of the target and none the whole."""
    names = {word.base for word in page.target if word.is_name}
    for question, golds in page.keyed():
        content = [frozenset(word.base for word in page.content(gold)) for gold in golds]
        if any(form and form <= one for form in page.targets for one in content):
            continue
        for gold, bases in zip(golds, content, strict=True):
            part = [word for word in page.target if word.base in bases]
            if not part or (names and not names & bases):
                continue
            chinese = page.language == "zh"  # where names are not written as such
            if page.series.target_type == EVENT and (
                chinese or all(rule_word.is_name for rule_word in part)
            ):
                continue  # who or what figured in it
            shown = " ".join(dict.fromkeys(word.text for word in part))
            yield (
                question.id,
                f"has {shown!r} of the target {clip(page.series.target)!r}: {clip(gold)!r}",
            )
            break


QUESTION_RULES = QuestionRules(
    rules=(
        QuestionRule(
            "unresolved_pronoun",
            "a gold with a pronoun that nothing before it explains",
            unresolved_pronouns,
            needs_language=True,
        ),
        QuestionRule(
            "foreign_word",
            "a gold with a word that neither question, target nor series has",
            foreign_words,
            needs_language=True,
        ),
        QuestionRule(
            "short_target",
            "golds that have a part of the target and none the whole",
            short_targets,
            needs_language=True,
        ),
    ),
    profiles=profiles_in(files("readmark.series").joinpath("data/question_rules"), "series"),
    page=SeriesPage,
)


# The guidelines in words, and why each rule is there.


@functools.cache
def _guidelines(language: str) -> dict[str, Any]:
    text = files("readmark.series").joinpath("data/guidelines.toml").read_text("utf-8")
    table: dict[str, Any] = tomllib.loads(text)[language]
    return table


def gold_guidelines(language: str) -> list[str]:
    """How to write golds, in a language (en, zh); the first line is a title."""
    return [_filled_in(line) for line in _guidelines(language)["lines"]]


def gold_explanation(code: str, language: str) -> tuple[str, str] | None:
    """What is wrong with a gold in a few words, and why; None for a code without explanation."""
    rule = _guidelines(language)["rules"].get(code)
    return None if rule is None else (_filled_in(rule["title"]), _filled_in(rule["why"]))


def _filled_in(text: str) -> str:
    return text.format(most=MOST_GOLDS, previous=PREVIOUS_ANSWER)
