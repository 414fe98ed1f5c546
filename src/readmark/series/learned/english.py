"""English series as the learned rewriter sees them: phrases and places, question by question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from readmark.series.guided.answers import Expected, expected
from readmark.series.guided.edits import Rewrite
from readmark.series.guided.parses import LONGEST, ParsedText, parse_all
from readmark.series.guided.pronouns import HE, IT, SHE, THEY
from readmark.series.guided.rewriter import rewrite_parsed
from readmark.series.guided.surface import possessive_form
from readmark.series.guided.targets import SeriesTarget, read_target
from readmark.series.learned.features import Tongue
from readmark.series.learned.places import (
    LONGEST_ANSWER,
    POINTING,
    content,
    frame,
    phrases_of,
    places_of,
    why,
)
from readmark.series.learned.values import (
    HISTORY,
    MOST,
    Asking,
    EditPlace,
    MeantPhrase,
    make_asking,
)
from readmark.series.notation import PREVIOUS_ANSWER

# How a phrase goes into a place of an English question.


_AUXILIARY = re.compile(
    r"(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|might)\b", re.I
)


def filled(
    text: str, place: EditPlace, phrase: MeantPhrase, before: str
) -> tuple[int, int, str] | None:
    """The edit that says the phrase in the place, or None where it makes none."""
    if place.how == "frame":
        return _framed(text, place, phrase, before)
    if place.how == "reason":
        return _reason(text, place, before)
    said = phrase.named
    start, end = place.start, place.end
    if place.link == "besides":
        rest = text[:1].lower() + text[1:]
        return 0, len(rest.split(" ", 1)[0]), f"Besides {said}, {rest.split(' ', 1)[0]}"
    if place.how in ("after", "end"):
        return start, end, f" {place.link} {said}" if place.link else f" {said}"
    if place.how == "before":
        return start, end, f"{phrase.text} "
    if place.how == "there":
        return start, end, f"{place.link} {said}"
    if place.how == "one":
        alone = bool(re.search(r"(?:^|\b(?:become|be|is|of|have|get|buy|use)\s)$", text[:start]))
        said = said if alone else phrase.text
    elif place.how == "whose":
        said = f"{possessive_form(said, plural=phrase.plural)} {text[start:end].split(None, 1)[-1]}"
    elif place.how == "part":
        if text[:start].rstrip().lower().endswith(("the", "a", "an")) or not phrase.article:
            said = phrase.text
        if said.lower() == text[start:end].lower():
            return None
    elif place.owning:
        said = possessive_form(said, plural=phrase.plural)
    if not text[:start].strip() and said[:1].islower():
        said = said[:1].upper() + said[1:]
    return start, end, said


def _framed(
    text: str, place: EditPlace, phrase: MeantPhrase, before: str
) -> tuple[int, int, str] | None:
    """The question before with one phrase changed for the new one."""
    match = frame(text)
    if match is None or phrase.text not in before:
        return None
    new = re.sub(r"^(?:the|an?)\s+", "", match["new"], flags=re.IGNORECASE)
    if new.lower() in before.lower():
        return None
    return 0, len(text), before.replace(phrase.text, new, 1)


def _reason(text: str, place: EditPlace, before: str) -> tuple[int, int, str] | None:
    match = why(text)
    if match is None or not _AUXILIARY.match(before):
        return None
    word = match["word"]
    return 0, len(text), f"{word[:1].upper()}{word[1:]} {before[:1].lower()}{before[1:]}"


ENGLISH = Tongue(filled, content)
_OF_ANSWER, _OF_EARLIER = 12, 3
_EMPTY_ANSWERS = ("cannotanswer", "i don't know.", "unknown")


@dataclass(frozen=True)
class EnglishSeries:
    """A series that was read: what each question may draw on."""

    target: str
    questions: tuple[ParsedText, ...]
    opening: tuple[MeantPhrase, ...]
    """Phrases known before the first question: the target, names in it, the topic."""
    asked: tuple[tuple[MeantPhrase, ...], ...]
    answered: tuple[tuple[MeantPhrase, ...], ...]
    """Phrases of the answer to each question, where it is known."""
    wanted: tuple[Expected, ...]
    places: tuple[list[EditPlace], ...]
    guided: tuple[Rewrite, ...]
    known: bool

    def asking(self, index: int, rewritten: Sequence[str]) -> Asking:
        """A question with what may be done to it, the earlier ones having been rewritten."""
        asked = self.questions[index]
        words = [word.lower for word in asked.words]
        names = any(word.tag in ("NNP", "NNPS") for word in asked.words)
        return make_asking(
            asked.text,
            index,
            rewritten=rewritten,
            questions=[question.text for question in self.questions],
            target=self.target,
            guided=self.guided[index],
            content=content,
            counts={
                "knows answers": float(self.known),
                "words": min(len(words), 20) / 10,
                "pronouns": float(sum(word in HE | SHE | IT | THEY for word in words)),
                "nouns": min(sum(word.is_noun for word in asked.words), 5) / 2,
                "names": float(names),
                "demonstratives": float(sum(word in POINTING for word in words)),
            },
            places=self.places[index],
            phrases=self._phrases(index),
        )

    def _phrases(self, index: int) -> list[MeantPhrase]:
        """The nearest first, the target before all; of equals the nearest."""
        phrases: list[MeantPhrase] = list(self.opening)
        if self.target.strip():
            phrases += self._variables(index)
        for turn in _earlier(index):
            answer = self.answered[turn]
            if turn == index - 1:
                phrases += answer[:_OF_ANSWER]
            else:
                phrases += [phrase for phrase in answer if phrase.name][:_OF_EARLIER]
            phrases += self.asked[turn]
        kept: dict[tuple[str, bool], MeantPhrase] = {}
        for phrase in phrases:
            kept.setdefault((phrase.text.lower(), phrase.source == "variable"), phrase)
        return list(kept.values())[:MOST]

    def _variables(self, index: int) -> list[MeantPhrase]:
        """The nearest earlier question whose answer can be referred to."""
        for turn in _earlier(index):
            one = self.wanted[turn]
            if one.is_referent and not self.answered[turn]:
                kind = one.kind if one.kind in ("person", "organisation", "place") else "unknown"
                return [
                    MeantPhrase(
                        PREVIOUS_ANSWER, "", "variable", turn, frozenset(), one.noun,
                        plural=one.plural, kind=kind, gender=one.gender, role="asked",
                    )
                ]  # fmt: skip
        return []


def _earlier(index: int) -> range:
    """The questions that one may draw on, the nearest first."""
    return range(index - 1, max(0, index - HISTORY) - 1, -1)


def read_english(
    target: str,
    questions: Sequence[str],
    *,
    answers: Sequence[str] = (),
    topic: str | None = None,
    type: str | None = None,
) -> EnglishSeries:
    """Read a series; ``answers`` are those to each question, empty where they are not known."""
    told = [_cut(answer) for answer in answers]
    texts = [target, topic or "", *questions, *told]
    read = parse_all(texts)
    first, last = 2, 2 + len(questions)
    return series_of(
        target, read[0], read[first:last], read[last:], topic=read[1] if topic else None, type=type
    )


def _cut(answer: str) -> str:
    return "" if answer.strip().lower() in _EMPTY_ANSWERS else answer[:LONGEST_ANSWER]


def series_of(
    target: str,
    parsed: ParsedText,
    questions: Sequence[ParsedText],
    answers: Sequence[ParsedText],
    *,
    topic: ParsedText | None = None,
    type: str | None = None,
) -> EnglishSeries:
    """The same for what the analyser has read."""
    about = read_target(target[:LONGEST], parsed, questions, type) if target.strip() else None
    opening = [] if about is None else _of_target(about)
    if topic is not None and topic.text.strip():
        opening += [
            replace(phrase, source="topic") for phrase in phrases_of(topic, source="topic", turn=-1)
        ]
    parsed_texts = list(answers) + [None] * (len(questions) - len(answers))
    return EnglishSeries(
        target=target,
        questions=tuple(questions),
        opening=tuple(opening),
        asked=tuple(
            tuple(phrases_of(question, source="question", turn=index))
            for index, question in enumerate(questions)
        ),
        answered=tuple(
            () if question is None else tuple(phrases_of(question, source="answer", turn=index))
            for index, question in enumerate(parsed_texts)
        ),
        wanted=tuple(expected(question) for question in questions),
        places=tuple(places_of(question) for question in questions),
        guided=tuple(rewrite_parsed(target, parsed, questions, type=type)),
        known=any(question is not None and question.text for question in parsed_texts),
    )


def _of_target(target: SeriesTarget) -> list[MeantPhrase]:
    whole = target.subject if target.sentence else target.text
    kind = target.kind if target.kind in ("person", "organisation", "place", "event") else "thing"
    phrases = [
        MeantPhrase(
            whole, "" if target.sentence else target.article, "target", -1, content(whole),
            target.head, plural=target.plural, kind=kind, gender=target.gender, role="subject",
            name=not target.common,
        )
    ]  # fmt: skip
    for inner in target.inner:
        phrases.append(
            MeantPhrase(
                inner.text, "", "inner", -1, content(inner.text), inner.text.split()[-1].lower(),
                kind="person" if inner.person else "unknown", name=True,
            )
        )  # fmt: skip
    return phrases
