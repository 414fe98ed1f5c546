"""Chinese series as the learned rewriter sees them, for weights that were learnt from English.

Pronouns, nominals and dropped subjects are found by patterns, phrases by the target, what is
known of answers, and names in earlier questions; the features say the same as in English.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from readmark.series.guided.chinese import rewrite_chinese
from readmark.series.guided.chinese_questions import BRACKETS, NAMED
from readmark.series.guided.edits import Rewrite
from readmark.series.guided.targets import kind_named
from readmark.series.learned.values import (
    HISTORY,
    MOST,
    Asking,
    EditPlace,
    MeantPhrase,
    make_asking,
)
from readmark.series.notation import PREVIOUS_ANSWER
from readmark.text.word_vectors import FUNCTION, simplified, simplified_words, words_in

_MEASURE = "个位名所部本条座家场次种首项届支艘架件片篇幅颗"
_PLACES = (
    ("person", re.compile(r"[他她](?!们)"), {"plural": False, "personal": True}),
    ("thing", re.compile(r"它(?!们)"), {"plural": False, "personal": False}),
    ("group", re.compile(r"[他她它]们"), {"plural": True}),
    ("own", re.compile(r"(?<![尤极与])其(?![他它中实次余间])"), {"owning": True}),
    ("there", re.compile(r"(?:这里|那里|此地|当地)"), {"personal": False}),
)
_POINTING = re.compile(rf"(?:[该此]|[这那][{_MEASURE}]?)(?=[\u4e00-\u9fff])")
_LONGEST_NOUN = 3
_ASKS_PERSON = re.compile(r"谁|哪位|哪个人|何人|什么人")


@functools.lru_cache(maxsize=4_096)
def chinese_content(text: str) -> frozenset[str]:
    """The content words of a Chinese text."""
    return frozenset(word for word, _ in words_in(text, "zh") if word not in FUNCTION["zh"])


def chinese_filled(
    text: str, place: EditPlace, phrase: MeantPhrase, before: str
) -> tuple[int, int, str] | None:
    """The edit that says the phrase in the place; what is owned is joined with 的."""
    now = phrase.text
    if place.how in ("own", "whose") and not text[place.end :].startswith("的"):
        now = f"{now}的"
    return place.start, place.end, now


@dataclass(frozen=True)
class ChineseSeries:
    """A Chinese series that was read."""

    target: str
    questions: tuple[str, ...]
    opening: tuple[MeantPhrase, ...]
    asked: tuple[tuple[MeantPhrase, ...], ...]
    answers: tuple[str, ...]
    guided: tuple[Rewrite, ...]

    def asking(self, index: int, rewritten: Sequence[str]) -> Asking:
        """A question with what may be done to it, the earlier ones having been rewritten."""
        text = self.questions[index]
        places = list(_places(text))
        pronouns = sum(place.how in ("person", "thing", "group", "own") for place in places)
        return make_asking(
            text,
            index,
            rewritten=rewritten,
            questions=self.questions,
            target=self.target,
            guided=self.guided[index],
            content=chinese_content,
            counts={
                "words": min(len(words_in(text, "zh")), 20) / 10,
                "pronouns": float(pronouns),
                "nouns": min(len(chinese_content(text)), 5) / 2,
                "names": float(NAMED.search(text) is not None),
                "demonstratives": float(sum(place.how == "this" for place in places)),
            },
            places=places,
            phrases=self._phrases(index),
            language="zh",
        )

    def _phrases(self, index: int) -> list[MeantPhrase]:
        phrases = list(self.opening)
        for turn in range(index - 1, max(0, index - HISTORY) - 1, -1):
            answer = self.answers[turn]
            if answer:
                phrases.append(_phrase(answer, "answer", turn))
            elif turn == index - 1 and self.target:
                person = _ASKS_PERSON.search(simplified(self.questions[turn])) is not None
                kind = "person" if person else "unknown"
                phrases.append(
                    MeantPhrase(PREVIOUS_ANSWER, "", "variable", turn, frozenset(), "", kind=kind)
                )
            phrases += self.asked[turn]
        kept: dict[str, MeantPhrase] = {}
        for phrase in phrases:
            kept.setdefault(phrase.text, phrase)
        return list(kept.values())[:MOST]


def read_chinese(
    target: str,
    questions: Sequence[str],
    *,
    answers: Sequence[str] = (),
    type: str | None = None,
) -> ChineseSeries:
    """Read a series; ``answers`` are those to each question, empty where they are not known."""
    text = target.strip()
    kind = kind_named(type) or "unknown"
    opening = [] if not text else [_phrase(text, "target", -1, kind=kind)]
    found = BRACKETS.search(text)
    if found is not None and found.start():
        opening.append(_phrase(text[: found.start()], "inner", -1, kind=kind))
    told = [*answers, *[""] * (len(questions) - len(answers))]
    return ChineseSeries(
        target=text,
        questions=tuple(questions),
        opening=tuple(opening),
        asked=tuple(
            tuple(_phrase(match[0], "question", index) for match in NAMED.finditer(question))
            for index, question in enumerate(questions)
        ),
        answers=tuple(told),
        guided=tuple(rewrite_chinese(target, questions, type=type)),
    )


def _phrase(text: str, source: str, turn: int, *, kind: str = "unknown") -> MeantPhrase:
    named = source != "target" or kind == "person"
    return MeantPhrase(
        text, "", source, turn, chinese_content(text), text[-1:], kind=kind, name=named
    )


def _places(text: str) -> Iterator[EditPlace]:
    """Where words begin and end alone: 他 is no pronoun in 其他 and 吉他, 这所大 is no nominal."""
    plain = simplified(text)
    words = simplified_words(plain)
    starts = {index for _, index in words}
    ends = sorted(index + len(word) for word, index in words)
    for how, pattern, told in _PLACES:
        for match in pattern.finditer(plain):
            start, end = match.span()
            if start in starts and (end in ends or how == "own"):
                flags = {"subject": float(start == 0), "late": float(start > 4)}
                yield EditPlace(start, end, how, text[start:end], flags=flags, **told)  # type: ignore[arg-type]
    for match in _POINTING.finditer(plain):
        start = match.start()
        end = next((index for index in ends if index > match.end()), len(plain))
        if start in starts and end - match.end() <= _LONGEST_NOUN:
            said = text[start:end]
            yield EditPlace(start, end, "this", said, noun=plain[end - 1], flags={"bare": 1.0})
    if text.strip():
        yield EditPlace(0, 0, "before", "")
        yield EditPlace(0, 0, "whose", "", owning=True)
