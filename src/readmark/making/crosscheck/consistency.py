"""Consistency of noun phrases between the English and the Chinese test of a parallel corpus.

"Design and Development of a Bilingual Reading Comprehension Corpus", section 4.3: Chinese phrases
follow the English ones as far as they can; one without an English counterpart stays a phrase.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from readmark.core.counts import counted
from readmark.core.display import Result, headline, plain_table
from readmark.core.errors import DataError, UsageError
from readmark.core.numbers import first_ids, percent
from readmark.core.records import Layers, Offsets, Passage, Question
from readmark.core.test import Test
from readmark.formats.parallel_checks import is_far
from readmark.making.crosscheck.english import English, sentence_beads
from readmark.statistics.assignment import best_assignment
from readmark.text.answers.sentences import passage_sentences
from readmark.text.bilingual import words_with_senses
from readmark.text.script import simplified
from readmark.text.stems import stem

# Words that keep coming together in the sentence pairs of a parallel test itself.


LEAST = 2
"""Sentence pairs that two words must share; once is chance."""
ENOUGH_PAIRS = 0.75
"""Dice's coefficient from which on two words are taken to say the same."""

Translations = Mapping[str, frozenset[str]]


def cooccurring_words(pairs: Iterable[tuple[set[str], set[str]]]) -> Translations:
    """English words with the Chinese ones of the same sentence pairs, each by its best."""
    english: Counter[str] = Counter()
    chinese: Counter[str] = Counter()
    both: Counter[tuple[str, str]] = Counter()
    for english_words, chinese_words in pairs:
        english.update(english_words)
        chinese.update(chinese_words)
        both.update((a, b) for a in english_words for b in chinese_words)
    scored = {
        (a, b): 2 * count / (english[a] + chinese[b])
        for (a, b), count in both.items()
        if count >= LEAST
    }
    best: dict[str, float] = {}
    for (_, b), dice in scored.items():
        best[b] = max(best.get(b, ENOUGH_PAIRS), dice)
    found: dict[str, frozenset[str]] = {}
    for (a, b), dice in scored.items():
        if dice == best[b]:
            found[a] = found.get(a, frozenset()) | {b}
    return found


# Which English noun phrase says the same as which Chinese one, within a pair of sentences.


WEIGHTS = {"words": 1.0, "figures": 0.8, "pronoun": 0.8, "type": 0.35, "order": 0.3}
OTHER_TYPE = -0.3
"""Two entities of different types seldom say the same."""
ENOUGH = 0.45
"""What a pair must reach: the order alone is never enough."""

_PRONOUNS = {
    "i me my mine myself": "我 俺 本人",
    "you your yours": "你 您 你们 您们",
    "he him his himself": "他 自己",
    "she her hers herself": "她 自己",
    "it its itself": "它 其 自己",
    "we us our ours": "我们 咱们 咱 我",
    "they them their theirs": "他们 她们 它们 它",
    "this": "这",
    "that": "那",
    "these those": "这些 那些",
    "nobody": "谁 没人 无人",
    "nothing": "什么",
    "some somebody someone": "有人 有些",
}
PRONOUNS = {
    english: tuple(chinese.split())
    for forms, chinese in _PRONOUNS.items()
    for english in forms.split()
}
_FUNCTION = frozenset("a an the of and or to in at on for with by from as 's".split())  # noqa: SIM905
_LATIN = re.compile(r"[a-z]{2,}|\d+(?:[.,]\d+)*", re.IGNORECASE)
_FIGURE = re.compile(r"\d")
_EMPTY = re.compile(r"[的了着过们个一\s·]")
"""Chinese characters that say too little to count as not covered."""


@dataclass(frozen=True, slots=True)
class SidePhrase:
    """A noun phrase, its entity type, and where it occurs in its sentences, from 0 to 1."""

    text: str
    type: str | None
    order: float


@dataclass(frozen=True, slots=True)
class AlignedPair:
    """Two noun phrases, by their places in their lists, with a score and what spoke for it."""

    english: int
    chinese: int
    score: float
    why: tuple[str, ...]


def align(
    english: Sequence[SidePhrase],
    chinese: Sequence[SidePhrase],
    known: Translations | None = None,
) -> list[AlignedPair]:
    """The best one-to-one pairs of noun phrases that say enough of the same.

    ``known`` has translations that the list does not have. Where a single phrase is left on each
    side, of no contrary type, the two go together.
    """
    if not english or not chinese:
        return []
    found = [
        [_pair(index, phrase, to, other, known or {}) for to, other in enumerate(chinese)]
        for index, phrase in enumerate(english)
    ]
    weights = [[max(0.0, pair.score - ENOUGH) for pair in row] for row in found]
    pairs = [found[at][to] for at, to in best_assignment(weights) if found[at][to].score >= ENOUGH]
    left = [index for index in range(len(english)) if all(index != pair.english for pair in pairs)]
    alone = [to for to in range(len(chinese)) if all(to != pair.chinese for pair in pairs)]
    if len(left) == len(alone) == 1 and _may_pair(english[left[0]], chinese[alone[0]]):
        pairs.append(AlignedPair(left[0], alone[0], 0.0, ("left",)))
    return sorted(pairs, key=lambda pair: (pair.chinese, pair.english))


def _may_pair(english: SidePhrase, chinese: SidePhrase) -> bool:
    """Whether nothing speaks against two phrases: types, figures, a pronoun on one side only."""
    if english.type != chinese.type or _figures(english.text, chinese.text) < 0:
        return False
    pronouns = {form for forms in PRONOUNS.values() for form in forms}
    return (english.text.lower() in PRONOUNS) == (simplified(chinese.text) in pronouns)


def _pair(
    at: int, english: SidePhrase, to: int, chinese: SidePhrase, known: Translations
) -> AlignedPair:
    parts = {
        "words": _words(english.text, chinese.text, known),
        "figures": _figures(english.text, chinese.text),
        "pronoun": _pronoun(english.text, chinese.text),
        "type": float(english.type is not None and english.type == chinese.type),
    }
    score = sum(WEIGHTS[name] * value for name, value in parts.items())
    if english.type and chinese.type and english.type != chinese.type:
        score += OTHER_TYPE
    score += WEIGHTS["order"] * (1 - abs(english.order - chinese.order))
    why = tuple(name for name, value in parts.items() if value > 0)
    return AlignedPair(at, to, score if why else 0.0, why)


def _words(english: str, chinese: str, known: Translations) -> float:
    """How much of the two phrases the bilingual list makes the same."""
    text = simplified(chinese)
    wanted = [
        (word, senses)
        for word, senses in words_with_senses(english)
        if word.lower() not in _FUNCTION
    ]
    covered = [False] * len(text)
    matched = 0.0
    for word, senses in wanted:
        if word.lower() in PRONOUNS:
            continue
        listed = {one for sense in senses for one in sense}
        forms = sorted(listed | known.get(stem(word.lower()), frozenset()), key=len, reverse=True)
        best = next((form for form in forms if form in text), None)
        if best is not None:
            start = text.index(best)
            covered[start : start + len(best)] = [True] * len(best)
            matched += 1
        elif any(len(form) > 1 and form[-1] == text[-1:] for form in forms):
            matched += 0.5  # 书架 for 架子's like: the last character is the head's
            covered[-1] = True
    if not matched:
        return 0.0
    full = [index for index, sign in enumerate(text) if covered[index] or not _EMPTY.match(sign)]
    share = sum(covered[at] for at in full) / len(full)
    return (matched / max(1, len(wanted)) + share) / 2


def content_words(english: str) -> set[str]:
    """The stems of an English phrase's words, less the small ones and the pronouns."""
    return {
        stem(word.lower())
        for word, _ in words_with_senses(english)
        if word.lower() not in _FUNCTION and word.lower() not in PRONOUNS
    }


def _figures(english: str, chinese: str) -> float:
    """Whether the same figures or Latin words occur in both."""
    one, other = ({found.lower() for found in _LATIN.findall(text)} for text in (english, chinese))
    shared = one & other
    if shared:
        return 1.0
    return -1.0 if any(map(_FIGURE.match, one)) and any(map(_FIGURE.match, other)) else 0.0


def _pronoun(english: str, chinese: str) -> float:
    """The same pronoun alone, or at the beginning of both (my pupils, 我的学生)."""
    first, _, rest = english.lower().partition(" ")
    text = simplified(chinese)
    for form in PRONOUNS.get(first, ()):
        if not rest:
            if text == form:
                return 1.0
        elif text.startswith(form) and text != form:
            return 0.5
    return 0.0


Counterparts = list[tuple[Offsets, Offsets, AlignedPair]]
"""English and Chinese spans that say the same, with what spoke for it."""


@dataclass(frozen=True, slots=True)
class TextConsistency:
    """The noun phrases of one parallel text: how many, which go together, which stand alone."""

    record: str
    unit: str | None
    english_text: str
    chinese_text: str
    english: tuple[Offsets, ...]
    chinese: tuple[Offsets, ...]
    pairs: Counterparts

    @property
    def english_alone(self) -> list[Offsets]:
        """English phrases without a counterpart."""
        taken = {one for one, _, _ in self.pairs}
        return [span for span in self.english if span not in taken]

    @property
    def chinese_alone(self) -> list[Offsets]:
        """Chinese phrases without a counterpart: they stay."""
        taken = {other for _, other, _ in self.pairs}
        return [span for span in self.chinese if span not in taken]

    @property
    def far(self) -> bool:
        """Whether the numbers of phrases are far apart, by the rule of ``check``."""
        return is_far(len(self.english), len(self.chinese))


@dataclass(frozen=True)
class Consistency(Result):
    """The noun phrases of both sides of a parallel test."""

    english: str
    chinese: str
    texts: Sequence[TextConsistency]
    notes: tuple[str, ...] = ()
    shown: int = 10
    """How many texts are printed with their unmatched phrases."""

    def as_json(self) -> dict[str, Any]:
        return {
            "english": self.english,
            "chinese": self.chinese,
            "texts": [_document(text) for text in self.texts],
            "notes": self.notes,
        }

    def show(self, console: Console) -> None:
        """Counts a passage (questions together), then the phrases without a counterpart."""
        passages = [text for text in self.texts if text.unit is None]
        questions = [text for text in self.texts if text.unit is not None]
        files = headline("noun phrases", ": ", self.chinese, f" compared with {self.english}")
        console.print(files)
        table = plain_table("passage", "English", "Chinese", "aligned", "of Chinese", "")
        for text in passages:
            table.add_row(text.record, *_cells([text]), "far apart" if text.far else "")
        table.add_section()
        table.add_row("passages", *_cells(passages), "")
        if questions:
            table.add_row("questions", *_cells(questions), "")
        console.print(table)
        unmatched = [text for text in self.texts if text.english_alone or text.chinese_alone]
        for text in unmatched[: self.shown]:
            console.print(Text(":".join(filter(None, (text.record, text.unit))), "bold"))
            for language, whole, spans in (
                ("Chinese", text.chinese_text, text.chinese_alone),
                ("English", text.english_text, text.english_alone),
            ):
                quotes = ", ".join(" ".join(whole[slice(*span)].split()) for span in spans)
                if quotes:
                    line = Text(f"{language} without a counterpart: {quotes}")
                    console.print(Padding(line, (0, 0, 0, 2), expand=False))
        if len(unmatched) > self.shown > 0:
            more = len(unmatched) - self.shown
            console.print(
                f"and {counted(more, 'more text')}; --show {len(unmatched)} lists them all"
            )


def _cells(texts: Sequence[TextConsistency]) -> list[str]:
    english = sum(len(text.english) for text in texts)
    chinese = sum(len(text.chinese) for text in texts)
    pairs = sum(len(text.pairs) for text in texts)
    share = percent(pairs / chinese if chinese else None)
    return [f"{english:,}", f"{chinese:,}", f"{pairs:,}", share]


def compare_phrases(first: Test, second: Test, *, shown: int = 10) -> Consistency:
    """Count and align the noun phrases of every parallel passage and question of two tests.

    One of them is in English, the other in Chinese.
    """
    tests = {test.language: test for test in (first, second)}
    if set(tests) != {"en", "zh"}:
        raise UsageError(
            f"--consistency compares an English and a Chinese test; {first.file} is in "
            f"{first.language}, {second.file} in {second.language}"
        )
    english, test, language = English(tests["en"]), tests["zh"], "zh"
    alone: list[str] = []
    unmarked: list[str] = []
    sides: list[tuple[Passage, Passage]] = []
    for passage in test.records():
        own = english.passage(passage)
        if own is None:
            alone.append(passage.id)
        elif "np" not in own.layers or "np" not in passage.layers:
            unmarked.append(passage.id)
        else:
            sides.append((own, passage))
    known = translations_in_test(sides, language)
    texts = [text for own, passage in sides for text in _texts(own, passage, language, known)]
    if not texts:
        raise DataError(f"has no noun phrases parallel to those of {english.file}", file=test.file)
    notes = tuple(
        f"passages with {what} ({len(ids)}): {first_ids(ids)}"
        for ids, what in (
            (alone, "no English parallel"),
            (unmarked, "noun phrases in one language only"),
        )
        if ids
    )
    return Consistency(english.file, test.file, texts, notes, shown)


def aligned(
    english: Passage, chinese: Passage, language: str, known: Translations | None = None
) -> Counterparts:
    """Noun phrases of two parallel passages that go together, sentence by sentence."""
    return [
        found
        for here, there in _sentence_pairs(english, chinese, language)
        for found in _within(english, chinese, here, there, known)
    ]


def translations_in_test(sides: Iterable[tuple[Passage, Passage]], language: str) -> Translations:
    """Translations learned from a parallel test: words that occur in the same noun phrases."""
    pairs = []
    for english, chinese in sides:
        for here, there in _sentence_pairs(english, chinese, language):
            _, phrases = _phrases(english.text, english.layers, here)
            words = {word for phrase in phrases for word in content_words(phrase.text)}
            pairs.append((words, _words_within(chinese, there)))
    return cooccurring_words(pairs)


def _words_within(chinese: Passage, within: Offsets) -> set[str]:
    """The words of Chinese noun phrases, of two characters or more: shorter ones say too little."""
    tokens = chinese.layers.get("token")
    spans, _ = _phrases(chinese.text, chinese.layers, within)
    return {
        chinese.text[start:end]
        for start, end in (tokens.spans if tokens is not None else ())
        if end - start > 1 and any(first <= start and end <= last for first, last in spans)
    }


def _sentence_pairs(
    english: Passage, chinese: Passage, language: str
) -> Iterator[tuple[Offsets, Offsets]]:
    ours, theirs = passage_sentences(english, "en"), passage_sentences(chinese, language)
    for mine, those in sentence_beads(english, chinese, language):
        if mine and those:
            here = ours[mine[0]][0], ours[mine[-1]][1]
            yield here, (theirs[those[0]][0], theirs[those[-1]][1])


def _texts(
    english: Passage, chinese: Passage, language: str, known: Translations
) -> Iterator[TextConsistency]:
    """The passage, and each question of which either side has noun phrases."""
    id = chinese.shared_id
    spans = _spans(english.layers), _spans(chinese.layers)
    pairs = aligned(english, chinese, language, known)
    yield TextConsistency(id, None, english.text, chinese.text, *spans, pairs)
    asked = {question.shared_id: question for question in english.questions}
    for other in chinese.questions:
        own = asked.get(other.shared_id)
        if own is None or not ("np" in own.layers or "np" in other.layers):
            continue
        whole = (0, len(own.text)), (0, len(other.text))
        pairs = _within(own, other, *whole, known)
        spans = _spans(own.layers), _spans(other.layers)
        yield TextConsistency(id, other.shared_id, own.text, other.text, *spans, pairs)


def _within(
    english: Passage | Question,
    chinese: Passage | Question,
    here: Offsets,
    there: Offsets,
    known: Translations | None,
) -> Counterparts:
    """The phrases of two stretches of text that go together."""
    own, phrases = _phrases(english.text, english.layers, here)
    other, others = _phrases(chinese.text, chinese.layers, there)
    pairs = align(phrases, others, known)
    return [(own[pair.english], other[pair.chinese], pair) for pair in pairs]


def _phrases(text: str, layers: Layers, within: Offsets) -> tuple[list[Offsets], list[SidePhrase]]:
    first, last = within
    ne = layers.get("ne")
    types = dict(zip(ne.spans, ne.columns.get("type", ()), strict=False)) if ne is not None else {}
    spans = [span for span in _spans(layers) if first <= span[0] and span[1] <= last]
    length = max(1, last - first)
    return spans, [
        SidePhrase(text[start:end], types.get((start, end)), ((start + end) / 2 - first) / length)
        for start, end in spans
    ]


def _spans(layers: Layers) -> tuple[Offsets, ...]:
    np = layers.get("np")
    return tuple(sorted(np.spans)) if np is not None else ()


def _document(one: TextConsistency) -> dict[str, Any]:
    return {
        "id": one.record,
        "unit": one.unit,
        "english": len(one.english),
        "chinese": len(one.chinese),
        "aligned": [
            {
                "english": _quoted(one.english_text, own),
                "chinese": _quoted(one.chinese_text, other),
                "score": round(pair.score, 3),
                "why": list(pair.why),
            }
            for own, other, pair in one.pairs
        ],
        "english_alone": [_quoted(one.english_text, span) for span in one.english_alone],
        "chinese_alone": [_quoted(one.chinese_text, span) for span in one.chinese_alone],
        "far": one.far,
    }


def _quoted(text: str, span: Offsets) -> dict[str, Any]:
    return {"span": list(span), "quote": text[slice(*span)]}
