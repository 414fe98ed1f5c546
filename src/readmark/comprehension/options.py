"""Choosing one of a question's options by the stretches of text that are likely answers."""

from __future__ import annotations

import bisect
import functools
import itertools
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from readmark.comprehension.answering import lot, options_of
from readmark.core.arrays import Floats
from readmark.core.records import Offsets, Unit
from readmark.text.chinese_numbers import NUMERALS, number_of
from readmark.text.sentences import sentences
from readmark.text.wording import word_list
from readmark.text.words import RULES as WORDS
from readmark.text.words import words

RULES = f"greatest expected f1, in zh ten figures (2); ties by lot; words {WORDS}"
"""How an option is chosen, for signatures."""
WEIGHED = 20
"""How many likely answers are weighed."""


@dataclass(frozen=True, slots=True)
class NearestOption:
    """An option, its score, and the stretch that speaks most for it."""

    option: str
    score: float
    """The expected F1; in Chinese the option's share of all that speaks for the options."""
    place: Offsets


def nearest_option(
    unit: Unit, likely: Sequence[tuple[Offsets, float]], language: str
) -> NearestOption:
    """The option with the greatest expected F1, when each stretch is the answer as often as likely.

    The best stretch alone shares no word with any option in over a third of C3's questions, so
    Chinese options are also compared with what surrounds the stretches (``ChineseOptions``).
    """
    text = unit.record.text
    options = options_of(unit)
    said = [(place, chance, _Words(text[slice(*place)], language)) for place, chance in likely]
    scores: list[float] = []
    places: list[Offsets] = []
    for option in options:
        own = _Words(option, language)
        shares = [(chance * words.f1(own), place) for place, chance, words in said]
        scores.append(sum(share for share, _ in shares))
        # The likeliest is the first, and stays so where nothing speaks for an option.
        places.append(max(shares, key=lambda share: share[0])[1])
    if language == "zh":
        scores = ChineseOptions(text, likely).scores(unit.item.text, options)
    # Ties are drawn by the words, so that no place among the options is favoured.
    best = max(range(len(options)), key=lambda at: (scores[at], lot(f"{unit.id} {options[at]}")))
    return NearestOption(options[best], scores[best], places[best])


class _Words:
    """The words of a text, as often as each occurs."""

    def __init__(self, text: str, language: str) -> None:
        self._text = text.strip()
        self._counts = Counter(words(text, language))

    def f1(self, other: _Words) -> float:
        """Twice the words shared by all words of both; 1 for equal texts, if of signs alone."""
        if self._text == other._text:
            return 1.0
        shared = (self._counts & other._counts).total()
        return 2 * shared / (self._counts.total() + other._counts.total()) if shared else 0.0


# Options in Chinese, where an option rarely repeats the words of the answer.


REACH = 12.0
"""Characters over which what surrounds a likely stretch loses its say."""
_ALIKE = 0.3
"""How alike two words must be before that counts."""
_SHARPNESS = 0.14
"""What turns totals into shares of about the accuracy."""
_FUNCTION_WORD = 0.2
_NEGATED = re.compile(
    r"哪.{0,6}(?:不(?:是|正确|对|符合|属于|包括)|没有?提|错)|不(?:正确|对|符合|属于|包括)"
    r"|没有?(?:提到|谈到|说到|包括)|错误的|除了"
)
_SIGN = re.compile(r"[\W_]+")

Pieces = Counter[str]


class ChineseOptions:
    """What a passage and its likely stretches say for each option.

    Each figure is standardised over the options of a question. Eight count alike: expected F1 in
    characters and pairs of them, how near the stretches they are, how much of them one sentence
    has, the same for words with similar vectors, and four of ``OptionSupport``. Two count twice,
    where options are scenes or quantities: what is typical of them, and what equals them. A
    question for what is not so takes the least.
    """

    def __init__(self, text: str, likely: Sequence[tuple[Offsets, float]]) -> None:
        from readmark.text.word_vectors import small_simplified

        self._text = small_simplified(text)
        self._likely = likely
        self._places = sentences(self._text, "zh") or [(0, len(text))]
        self._sentences = [self._text[start:end] for start, end in self._places]
        self._pieces = [_pieces(sentence) for sentence in self._sentences]
        self._spread = Counter(piece for pieces in self._pieces for piece in pieces)

    def scores(self, question: str, options: Sequence[str]) -> list[float]:
        """Each option's share of what speaks for the options."""
        from readmark.text.word_vectors import small_simplified

        read = [small_simplified(option) for option in options]
        near = self._nearness()
        figures = (
            [self._expected(option) for option in read],
            [self._near(option, near) for option in read],
            [max(self._covered(option, pieces) for pieces in self._pieces) for option in read],
            self._similar(read),
            *OptionSupport(self._text, self._places, small_simplified(question)).figures(read),
        )
        typical = typical_of_scenes(self._text, read), equal_quantities(self._text, near, read)
        totals = np.sum(
            [_standardised(figure) for figure in (*figures, *typical, *typical)], axis=0
        )
        raised = np.exp(_SHARPNESS * (-totals if _NEGATED.search(question) else totals))
        return [round(float(share), 9) for share in raised / raised.sum()]

    def _expected(self, option: str) -> float:
        own, total = _pieces(option), 0.0
        for (start, end), chance in self._likely:
            pieces = _pieces(self._text[start:end])
            shared = (own & pieces).total()
            total += chance * 2 * shared / max(1, own.total() + pieces.total())
        return total

    def _nearness(self) -> Floats:
        """How near each character is to likely stretches."""
        index = np.arange(len(self._text) + 1)
        near = np.zeros(len(index))
        for (start, end), chance in self._likely:
            distance = np.maximum(np.maximum(start - index, index - end + 1), 0)
            near += chance * np.exp(-distance / REACH)
        return near

    def _near(self, option: str, near: Floats) -> float:
        total = best = 0.0
        for piece in _pieces(option):
            worth = self._worth(piece)
            total += worth
            found = re.finditer(re.escape(piece), self._text)
            best += worth * max((float(near[match.start()]) for match in found), default=0.0)
        return best / total if total else 0.0

    def _covered(self, option: str, pieces: Pieces) -> float:
        own = _pieces(option)
        total = math.fsum(self._worth(piece) for piece in own)
        shared = math.fsum(self._worth(piece) for piece in own if piece in pieces)
        return shared / total if total else 0.0

    def _worth(self, piece: str) -> float:
        """What is in few sentences is worth more, and what is in none most."""
        count = len(self._sentences)
        spread = self._spread.get(piece, 0)
        rarity = math.log((count + 1) / (spread + 0.5)) if spread else math.log(count + 2)
        return max(0.1, rarity) * len(piece)

    def _similar(self, options: Sequence[str]) -> list[float]:
        """How much of each option the best sentence has in the same or similar words."""
        read = [_vectors(sentence) for sentence in self._sentences]
        return [max(_alike(_vectors(option), sentence) for sentence in read) for option in options]


@functools.lru_cache(maxsize=4096)
def _pieces(text: str) -> Pieces:
    """Characters and pairs of neighbours, without signs."""
    runs = [run for run in _SIGN.split(text) if run]
    found = Counter(character for run in runs for character in run)
    found.update(run[at : at + 2] for run in runs for at in range(len(run) - 1))
    return found


@functools.lru_cache(maxsize=4096)
def _vectors(text: str) -> tuple[tuple[str, ...], Floats, Floats]:
    """The words of a text, what each is worth, and their vectors."""
    from readmark.text.word_vectors import lexicon, words_in

    found = tuple(word for word, _ in words_in(text, "zh"))
    return found, _worth_of(found), lexicon("zh").vectors_of(found).astype(np.float64)


def _alike(
    option: tuple[tuple[str, ...], Floats, Floats], read: tuple[tuple[str, ...], Floats, Floats]
) -> float:
    own, worth, vectors = option
    if not own or not worth.sum():
        return 0.0
    content = read[1] > _FUNCTION_WORD
    near = (vectors @ read[2][content].T).max(axis=1, initial=0.0) if content.any() else 0.0
    similar = np.maximum(near - _ALIKE, 0.0) * np.ones(len(own))
    there = np.array([word in read[0] for word in own])
    return float((worth * np.where(there, 1.0, similar)).sum() / worth.sum())


def _standardised(values: Sequence[float]) -> Floats:
    centred = np.asarray(values) - np.mean(values)
    spread = float(centred.std())
    return np.asarray(centred / spread if spread > _LEAST_SPREAD else centred * 0.0)


_LEAST_SPREAD = 1e-9


# How far the passage supports an option, word by word.


_SAME = 0.6
"""How much two words must mean the same before that counts."""
_INSIDE = {True: 0.9, False: 0.6}
"""What a word counts that is in a longer one, if it has two characters or more, and if one."""
_DENIED, _EXCLUDED = -0.3, 0.7
"""What a word counts that one side denies, and one that excludes a word of the other side."""
_REACH_OF_NOT = 4
"""Words over which a negation denies."""
_NO_NEGATION = re.compile(
    "不[错但仅过少同久断管论光然如]|不得不|不客气|不见得|不好意思|没[错关问].?|无[论数]|别[人的]"
)
_RHETORICAL = re.compile("哪儿?能|哪里能|怎么能|怎么会|怎么可能|难道|谁说|哪有|何必|何苦|用得着")
_CLAUSE = re.compile(r"[，。？！；：,?!;:\n]")
_SPEAKER = re.compile(r"^[ \t]*([^\s：:]{1,4})[：:]", re.MULTILINE)

WordedOptions = Sequence[tuple[str, int]]


class OptionSupport:
    """How far clauses, denials, the last sentence and one speaker support the words of options."""

    def __init__(self, text: str, places: Sequence[Offsets], question: str) -> None:
        from readmark.text.word_vectors import simplified_words

        plain = _SPEAKER.sub(lambda label: " " * len(label[0]), text)
        worded = simplified_words(plain)
        self._starts = np.array([start for _, start in worded], int)
        self._denied = _denied(plain, worded)
        self._words = sorted({word for word, _ in worded})
        columns = {word: index for index, word in enumerate(self._words)}
        self._columns = [columns[word] for word, _ in worded]
        self._sentences = self._parts([start for start, _ in places])
        self._clauses = self._parts([0, *(sign.end() for sign in _CLAUSE.finditer(plain))])
        self._asked = _said_by_the_asked(text, self._starts, question)

    def figures(self, options: Sequence[str]) -> list[list[float]]:
        """How much of each option is in a clause, is asserted and not denied, is in the last
        sentence, and in the turns of the speaker that the question asks about."""
        return [list(column) for column in zip(*map(self._of, options), strict=True)]

    def _of(self, option: str) -> tuple[float, float, float, float]:
        from readmark.text.word_vectors import simplified_words

        worded = simplified_words(option)
        own = [word for word, _ in worded]
        weights = _worth_of(own)
        if not weights.sum() or not self._words:
            return 0.0, 0.0, 0.0, 0.0
        weights /= weights.sum()
        same, apart = self._table(_same, own), self._table(_excludes, own)
        contrary = _denied(option, worded)[:, None] != self._denied[None, :]
        agreed = same * np.where(contrary, _DENIED, 1.0)
        agreed = np.where(apart, np.where(contrary, _EXCLUDED, -_EXCLUDED), agreed)

        def covered(part: slice | NDArray[np.bool_]) -> float:
            return float(weights @ same[:, part].max(axis=1, initial=0.0))

        there = [covered(sentence) for sentence in self._sentences]
        best = agreed[:, self._sentences[int(np.argmax(there))]]
        most, least = best.max(axis=1, initial=0.0), best.min(axis=1, initial=0.0)
        signed = float(weights @ np.where(most >= -least, most, least))
        return max(map(covered, self._clauses)), signed, there[-1], covered(self._asked)

    def _table(self, compare: Callable[[str, str], float], own: Sequence[str]) -> Floats:
        """A row for each word of an option, a column for each of the text."""
        rows = [[compare(word, other) for other in self._words] for word in own]
        return np.array(rows, float)[:, self._columns]

    def _parts(self, starts: Sequence[int]) -> list[slice]:
        cuts = [*np.searchsorted(self._starts, starts).tolist(), len(self._starts)]
        return [slice(*both) for both in itertools.pairwise(cuts)]


def _worth_of(found: Sequence[str]) -> Floats:
    """What words are worth: rare ones more, those without content little."""
    from readmark.text.function_words import FUNCTION
    from readmark.text.word_vectors import lexicon

    known, function = lexicon("zh"), FUNCTION["zh"]
    return np.array(
        [known.rarity(word) * (_FUNCTION_WORD if word in function else 1.0) for word in found]
    )


def _said_by_the_asked(text: str, starts: NDArray[np.int_], question: str) -> NDArray[np.bool_]:
    """Which words the one speaker says whom the question names: 男的, 女士, or the label."""
    turns = [(turn.end(), turn[1]) for turn in _SPEAKER.finditer(text)]
    named = {label for _, label in turns if re.search(_naming(label), question)}
    said = np.zeros(len(starts), bool)
    if len({label[0] for label in named}) == 1:
        ends = [start for start, _ in turns[1:]] + [len(text) + 1]
        for (start, label), end in zip(turns, ends, strict=True):
            said |= (label in named) & (start <= starts) & (starts < end)
    return said


def _naming(label: str) -> str:
    return f"{label[0]}[的士人方]" if label[0] in "男女" else re.escape(label)


def _denied(text: str, worded: WordedOptions) -> NDArray[np.bool_]:
    """Whether each word is denied: an odd number of negations before it in its clause."""
    found = np.zeros(len(worded), bool)
    clauses = [0, *(sign.end() for sign in _CLAUSE.finditer(text))]
    for index, (_, start) in enumerate(worded):
        clause = clauses[bisect.bisect_right(clauses, start) - 1]
        before = worded[max(0, index - _REACH_OF_NOT) : index]
        count = sum(place >= clause and _is_negation(word) for word, place in before)
        found[index] = (count + bool(_RHETORICAL.search(text, clause, start))) % 2
    return found


@functools.lru_cache(maxsize=4096)
def _is_negation(word: str) -> bool:
    if _NO_NEGATION.fullmatch(word):
        return False
    return word in word_list("negations") or (word[0] in "不没无未别甭" and len(word) <= 3)


@functools.lru_cache(maxsize=400_000)
def _same(one: str, other: str) -> float:
    """How much two words mean the same: one has the other, or English words translate both."""
    from readmark.text.glosses import translations
    from readmark.text.synonyms import synonymous

    if one == other:
        return 1.0
    if one in other or other in one:
        return _INSIDE[min(len(one), len(other)) > 1]
    first, second = translations(one), translations(other)
    shared = max((first[word] * second[word] for word in first.keys() & second), default=0.0)
    if shared >= _SAME**2:
        return min(math.sqrt(shared), _INSIDE[True])
    return 0.8 if synonymous(one, other) else 0.0


@functools.lru_cache(maxsize=400_000)
def _excludes(one: str, other: str) -> bool:
    from readmark.text.function_words import FUNCTION
    from readmark.text.synonyms import opposite

    return not {one, other} & FUNCTION["zh"] and opposite(one, other)


# Places, people and moods by what is typically said there, by them and in them.


def typical_of_scenes(text: str, options: Sequence[str]) -> list[float]:
    """How much of what is typical of each option the text has; zeros if fewer than two are known.

    A cue counts less the more scenes have it, and a scene's hits less the more cues it has.
    """
    scenes, spread = _scenes()
    found: list[float | None] = []
    for option in options:
        hits = [
            math.fsum(spread[cue] ** -0.5 for cue in cues if cue in text) / math.sqrt(len(cues))
            for names, cues in scenes
            if any(name in option and 2 * len(name) >= len(option) for name in names)
        ]
        found.append(max(hits, default=None))
    if len(options) - found.count(None) < 2:
        return [0.0] * len(options)
    return [hit or 0.0 for hit in found]


@functools.cache
def _scenes() -> tuple[list[tuple[list[str], list[str]]], Counter[str]]:
    source = files("readmark.comprehension").joinpath("data", "scenes.zh.txt").read_text("utf-8")
    lines = [line.split(":") for line in source.splitlines() if not line.startswith("#")]
    scenes = [(names.split(), cues.split()) for names, cues in lines]
    return scenes, Counter(cue for _, cues in scenes for cue in cues)


# Quantities, however they are written, and what follows from two of them.


_N = rf"[{NUMERALS}]{{1,15}}(?:\.[0-9]{{1,9}})?"
_DIGIT = "[1-9一二三四五六七八九]"
_QUANTITY = re.compile(
    rf"差(?P<short>{_N}|一刻)分?钟?(?:到|就)?(?P<next>{_N})点"
    rf"|(?P<longer>{_N})个半(?:小时|钟头)|(?P<hours>{_N}|半)个?多?(?:小时|钟头)"
    rf"|(?P<minutes>{_N})分钟|(?P<quarters>{_N})刻钟"
    rf"|(?!一点(?![钟半{NUMERALS}]))(?P<hour>{_N})(?:点钟?过?|[:：](?=\d\d))(?P<part>半|一刻|三刻|{_N})?分?"
    r"|(?:星期|周|礼拜)(?P<day>[一二三四五六日天])"
    rf"|(?P<whole>{_N})[块元]钱?(?P<tenths>{_DIGIT}(?![十百千万0-9]))?|(?P<dimes>{_N})[毛角]"
    rf"|(?P<discount>{_N})折|(?P<number>{_N})"
)
_PARTS = {"半": 30.0, "一刻": 15.0, "三刻": 45.0}
_DIAL = 12 * 60
_EARLIER = re.compile("差|还有|提前|早|前")
_LATER = re.compile("晚|推迟|迟到|后|再过|过了|还要|还得")
_SUM = re.compile("一共|总共|加|多(?!少)|大|又|再")
_DIFFERENCE = re.compile("差|(?<!多)少|便宜|减|小|优惠|找|剩")
_DAYS = {"大后天": 3, "后天": 2, "明天": 1, "昨天": -1, "前天": -2}
_AROUND = 6
_FEW = 30
"""From more quantities than this nearly everything follows, so nothing is derived."""

OptionQuantity = tuple[str, float, int, int]
"""Clock, duration, day, money, discount or number; its value, and where it begins and ends."""


def quantities(text: str) -> list[OptionQuantity]:
    """The quantities of a text: times in minutes, days from Monday, money in yuan."""
    found = []
    for match in _QUANTITY.finditer(text):
        part = {name: value for name, value in match.groupdict().items() if value is not None}
        read = {name: _PARTS.get(value) or number_of(value) or 0.0 for name, value in part.items()}
        match next(iter(part)):
            case "short":
                kind, value = "clock", read["next"] * 60 - read["short"]
            case "hour":
                kind, value = "clock", read["hour"] * 60 + read.get("part", 0.0)
            case "longer":
                kind, value = "duration", read["longer"] * 60 + 30
            case "hours":
                kind, value = "duration", 30.0 if part["hours"] == "半" else read["hours"] * 60
            case "minutes" | "quarters" as name:
                kind, value = "duration", read[name] * (1 if name == "minutes" else 15)
            case "day":
                kind, value = "day", float(min("一二三四五六日天".index(part["day"]), 6))
            case "whole":
                kind, value = "money", read["whole"] + read.get("tenths", 0.0) / 10
            case "dimes":
                kind, value = "money", read["dimes"] / 10
            case name:
                kind, value = name, read[name]
        found.append((kind, value % _DIAL if kind == "clock" else value, *match.span()))
    return found


def equal_quantities(text: str, near: Floats, options: Sequence[str]) -> list[float]:
    """How much a text has of options that are quantities, or of what follows from its own.

    A quantity of the text counts by how near the likely stretches it is. Zeros where more than
    one option is no quantity.
    """
    asked = [_sole(option) for option in options]
    if len(asked) - asked.count(None) < max(2, len(options) - 1):
        return [0.0] * len(options)
    there = quantities(text)
    derived = _derived(text, there) if len(there) <= _FEW else []
    top = float(near.max(initial=0.0)) or 1.0
    found = []
    for quantity in asked:
        if quantity is None:
            found.append(0.0)
            continue
        kind, value, _, _ = quantity
        alike = [
            0.3 + float(near[start]) / top
            for other, known, start, _ in there
            if math.isclose(known, value) and (kind == other or "number" in (kind, other))
        ]
        follows = any(math.isclose(known, value) and kind in kinds for kinds, known in derived)
        found.append(max([*alike, 1.2 if follows else 0.0]))
    return found


def _sole(option: str) -> OptionQuantity | None:
    found = quantities(option)
    if len(found) != 1 or found[0][3] - found[0][2] < 0.4 * len(option):
        return None
    return found[0]


def _derived(text: str, there: Sequence[OptionQuantity]) -> list[tuple[tuple[str, ...], float]]:
    """What follows from two quantities where a word between or around them asks for it."""
    found: list[tuple[tuple[str, ...], float]] = []
    for kind, value, start, end in there:
        around = text[max(0, start - _AROUND) : end + _AROUND]
        for other, base, begins, _ in there:
            if kind == "duration" and other == "clock":
                signs = (-1, _EARLIER), (1, _LATER)
                found += [
                    (("clock",), (base + sign * value) % _DIAL)
                    for sign, cue in signs
                    if cue.search(around)
                ]
            elif kind == "discount" and other in ("money", "number"):
                found.append((("money", "number"), base * value / (10 if value < 10 else 100)))
            elif kind == other and begins < start and kind in ("money", "number", "duration"):
                found += [((kind, "number"), base + value)] if _SUM.search(text) else []
                found += [((kind, "number"), abs(base - value))] if _DIFFERENCE.search(text) else []
        if kind == "day":
            away = [days for name, days in _DAYS.items() if name in text]
            found += [(("day",), (value + sign * days) % 7) for days in away for sign in (-1, 1)]
    return found
