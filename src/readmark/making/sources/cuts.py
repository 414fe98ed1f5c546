"""Articles cut into passages at the borders of paragraphs, then of sentences, with offsets."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from readmark.core.errors import UsageError
from readmark.text.headings import LONGEST_HEADING, MOST_HEADINGS, is_heading
from readmark.text.sentences import sentences

# How articles become passages: the recipes of the SMART and CMRC 2018 documents, with numbers.


UNITS = ("characters", "words")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Bounds of articles and passages, all in one unit; None is no bound."""

    name: str
    unit: str
    shortest: int
    """A passage has at least this; a rest that does not is left out, and listed."""
    longest: int
    """A passage has at most this."""
    shortest_article: int | None = None
    longest_article: int | None = None
    whole_paragraphs: bool = True
    """Whether a paragraph is never cut, even one that is longer than the longest passage."""
    enough: int = 0
    """Paragraphs are joined until there is this much; 0 is as much as a passage must have."""
    shortest_whole: int | None = None
    """An article that is shorter than a passage is one whole if it has this; None: it is not."""


SMART = Recipe(
    "smart",
    "characters",
    shortest=200,
    longest=1000,
    shortest_article=1000,
    longest_article=3000,
)
CMRC = Recipe("cmrc", "words", shortest=100, longest=500, whole_paragraphs=False, enough=175)
RECIPES = {"smart": SMART, "cmrc": CMRC}

CHARACTERS_A_WORD = 2
"""About as many as a Chinese word has with its share of punctuation: 2.17 in CMRC 2018."""
BOUNDS = ("shortest", "longest", "shortest_article", "longest_article")


def recipe(name: str, language: str, *, unit: str | None = None, **bounds: int | None) -> Recipe:
    """A recipe for a language, with those of its `BOUNDS` replaced that are given.

    SMART's bounds are Chinese characters: where words are counted (English always is), they are
    half as many. CMRC's are words: where characters are counted, twice as many.
    """
    chosen = RECIPES[name]
    wanted = unit or ("words" if language != "zh" else chosen.unit)
    if wanted not in UNITS:
        raise UsageError(f"no unit {wanted!r}; known: {', '.join(UNITS)}")
    if wanted != chosen.unit:
        chosen = _in_unit(chosen, wanted)
    given: dict[str, Any] = {bound: value for bound, value in bounds.items() if value is not None}
    chosen = replace(chosen, **given)
    if chosen.shortest > chosen.longest:
        raise UsageError(f"--min {chosen.shortest} is more than --max {chosen.longest}")
    least, most = chosen.shortest_article, chosen.longest_article
    if least is not None and most is not None and least > most:
        raise UsageError(f"--article-min {least} is more than --article-max {most}")
    return chosen


FEW_ARTICLES = 100
"""Fewer articles are all used, whatever their length; of more the recipe selects."""
LEAST_WHOLE = {"words": 10, "characters": 20}
"""Less is a title or a line of a menu, and no passage."""


def fit_to_articles(
    chosen: Recipe, lengths: Sequence[int], *, fixed: Container[str] = ()
) -> tuple[Recipe, str]:
    """A recipe for the first articles of a source, by their lengths; and why, in a line.

    With fewer than ``FEW_ARTICLES`` articles, or where none of them is as long as the recipe asks,
    articles of every length are used: short ones whole, long ones cut. Where the user ``fixed`` a
    bound of articles, nothing is chosen.
    """
    least, most = chosen.shortest_article or 0, chosen.longest_article
    fitting = sum(least <= length and (most is None or length <= most) for length in lengths)
    is_few = len(lengths) < FEW_ARTICLES
    is_chosen = "shortest_article" in fixed or "longest_article" in fixed
    if is_chosen or not lengths or fitting == len(lengths) or (fitting and not is_few):
        return chosen, ""
    whole: int | None = min(max(min(lengths), LEAST_WHOLE[chosen.unit]), chosen.shortest)
    if "shortest" in fixed:
        whole = None
    sizes = " to ".join(f"{size:,}" for size in sorted({min(lengths), max(lengths)}))
    articles = "article" if len(lengths) == 1 else "articles"
    count = f"{len(lengths):,}" if is_few else f"the first {len(lengths):,}"
    start = whole or chosen.shortest
    bounds = " to ".join(f"{bound:,}" for bound in (least, most) if bound is not None)
    fitted = replace(chosen, shortest_article=None, longest_article=None, shortest_whole=whole)
    return fitted, (
        f"{count} {articles} of {sizes} {chosen.unit}: articles of all lengths are used, from "
        f"{start:,} {chosen.unit} on (--min); --recipe {chosen.name} takes those of {bounds}"
    )


def profile_of(recipe: Recipe, language: str) -> str | None:
    """The scoring profile of the recipe's document, where it is not the language's own."""
    return "smart" if recipe.name == "smart" and language == "zh" else None


def _in_unit(recipe: Recipe, unit: str) -> Recipe:
    def scaled(bound: int) -> int:
        return bound // CHARACTERS_A_WORD if unit == "words" else bound * CHARACTERS_A_WORD

    bounds: dict[str, Any] = {
        name: scaled(bound)
        for name in (*BOUNDS, "enough", "shortest_whole")
        if (bound := getattr(recipe, name)) is not None
    }
    return replace(recipe, unit=unit, **bounds)


Count = Callable[[str], int]
"""How long a text is, in the recipe's unit."""


class Cut(NamedTuple):
    """A stretch of an article: offsets in its text, length, first and last paragraph from 1."""

    start: int
    end: int
    length: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Pieces:
    """What an article was cut into, and what was left out of it, by reason."""

    passages: tuple[Cut, ...]
    left: tuple[tuple[str, Cut], ...] = ()


SHORT_REST = "short_rest"
LONG_SENTENCE = "long_sentence"
HEADING = "heading"
NO_SUBJECT = "no_subject"
TOO_SHORT, TOO_LONG = "too_short", "too_long"


# Which lines may begin a passage: those that name what they are about.


_DATE = (
    "(?:[在于於自至从從到]|直[到至])?(?:公元|西元)?前?[0-9一二三四五六七八九〇零○十]{1,4}年代?"
    "(?:[0-9一二三四五六七八九十正]{1,3}月[份初中底末]?)?(?:[0-9一二三四五六七八九十]{1,3}[日号號])?"
    "(?:[春夏秋冬初末底]|年[初底中])?(?:起|开始|開始|[之以]?[后後]|[时時])?[，,]?"
)
_PRONOUN = (
    "[她它牠祂]|他(?!加禄|加祿)|其|[该該](?!隐|隱|亚|亞)|此(?!木)|[这這]|"
    "那(?=[时時个個些次年天种種样樣里裡是]|[座本部名位一])"
)
_CONNECTIVE = (
    "但(?!丁|泽|澤|以理)|而(?!立)|[并並](?!州|购|購|联|聯|行|列|排)|且(?!末)|也(?!门|門|斯|速|先)|"
    "[还還](?!珠|原)|又(?=[称稱名叫有在与與因以于於])|亦|然而|然[后後]|不[过過]|可是|只是|因此|因而|"
    "所以|于是|於是|故此|故而|由此|[从從自]此|[为為]此|[对對]此|另外|另一|除此|此外|"
    "同[时時]|同[样樣年月日期]|[当當](?:[时時年天日中晚]|[选選]|局)|[随隨](?:[后後即]|之)|"
    "[之以][后後]|[后後][来來者]|前者|[两兩二双雙][者人方]|[次翌隔]年|翌日|不久|接着|接著|接下[来來]|"
    "最[后後终終]|例如|比如|[总總]之|[结結]果|上述|前述|以上|至于|至於|[虽雖]然|[尽儘盡]管|[与與]此"
)
_PREDICATE = (
    "(?:是(?!否|非|日|年|次|夜|枝|乃)|位[于於]|坐落|[属屬][于於]|[毕畢][业業]|出生|生[于於]|[师師][从從承]|"
    "[考升][入取]|入[读讀]|就[读讀]|[担擔出升兼历歷现現调調曾]任|[荣榮]?[获獲](?!加)|[夺奪赢贏]得|入[选選]|曾|"
    "被|前往|[赴返](?=[^，。]{1,6}[，。])|回[到国國]|[来來]到|移居|[离離][开開任]|退[休役]|[辞辭卸][职職任去]|"
    "[发發][表行]|推出|出版|[创創][作办辦立]|[开開]始|成[为為]|首次|再次|正式|率[领領部军軍]|"
    "逝世|去世|病[逝故]|[结結]婚|[凭憑]|主演|[饰飾出]演|[执執]教|效力|[签簽][约約]|出道|完成|更名|改[名称稱为為编編])"
)
_DEPENDENT = {
    "zh": re.compile(
        rf"(?:{_PRONOUN}|{_CONNECTIVE}|{_PREDICATE}|{_DATE}(?:{_PRONOUN}|{_PREDICATE}|[并並又亦]))"
    ),
    "en": re.compile(
        r"(?:(?:In|On|By|From|Since|After|Until|During) (?:\w+ ){0,2}\d{4},? )?"
        r"(?:[Hh]e|[Ss]he|[Ii]t|[Tt]hey|[Hh]is|[Hh]er|[Ii]ts|[Tt]heir)\b"
        r"|(?:This|These|Those|Such|However|But|And|Also|Therefore|Thus|Moreover|Furthermore|Then"
        r"|Afterwards|Later|Nevertheless|Instead|Meanwhile|Additionally)\b"
    ),
}
_OPENING = re.compile(r"[\w《「“『〈‘（(【\[\"'$€£¥]")


def opens(text: str, language: str) -> bool:
    """Whether a text can begin a passage.

    It cannot with a pronoun, a connective, a predicate without its subject or punctuation: those
    need what comes before. Predicates are a short list; a subject dropped before another stays.
    """
    if text and not _OPENING.match(text):
        return False
    return _DEPENDENT["zh" if language == "zh" else "en"].match(text) is None


def paragraphs(text: str, count: Count | None = None) -> list[Cut]:
    """The paragraphs of a text, which are its lines; without ``count`` in characters."""
    cuts: list[Cut] = []
    at = 0
    for number, line in enumerate(text.split("\n"), 1):
        end = at + len(line)
        if line and not line.isspace():
            cuts.append(Cut(at, end, count(line) if count else end - at, number, number))
        at = end + 1
    return cuts


def cut(text: str, recipe: Recipe, language: str, count: Count | None = None) -> Pieces | str:
    """The passages of an article, or why it gives none: ``too_short`` or ``too_long``.

    ``count`` is None where characters are counted; line breaks are not.
    """
    least, most = recipe.shortest_article, recipe.longest_article
    if not (least is most is recipe.shortest_whole is None):
        length = len(text) - text.count("\n") if count is None else count(text)
        if length < (least or 0):
            return TOO_SHORT
        if most is not None and length > most:
            return TOO_LONG
        if recipe.shortest_whole is not None and length < recipe.shortest:
            recipe = replace(recipe, shortest=recipe.shortest_whole, enough=length)
    blocks = paragraphs(text, count)
    headings = {
        block.start
        for block in blocks
        if block.end - block.start <= LONGEST_HEADING
        and is_heading(text[block.start : block.end], language)
    }
    left: list[tuple[str, Cut]] = []
    if not recipe.whole_paragraphs:
        blocks = _cuttable(text, blocks, recipe, language, count, left)
    dependent = {
        block.start
        for block in blocks[1:]
        if not opens(text[block.start : block.end], language)
        and (block.start not in headings or text[block.end - 1] in ":：")
    }
    for block, following in pairwise(blocks):  # what is announced goes with the announcement
        if block.start in headings and block.start in dependent:
            dependent.add(following.start)
    for following, block in pairwise(reversed(blocks)):  # a heading is no subject
        if block.start in headings and following.start in dependent:
            dependent.add(block.start)
    dependent.discard(blocks[0].start if blocks else 0)
    passages = _Joining(recipe, left, headings, dependent).passages(blocks)
    left.sort(key=lambda one: one[1].start)
    return Pieces(tuple(passages), tuple(left))


def _cuttable(
    text: str,
    blocks: list[Cut],
    recipe: Recipe,
    language: str,
    count: Count | None,
    left: list[tuple[str, Cut]],
) -> list[Cut]:
    """The paragraphs, those that are too long in sentences; a sentence too long goes to left."""
    if not blocks or max(map(_LENGTH, blocks)) <= recipe.longest:
        return blocks
    cuts: list[Cut] = []
    for block in blocks:
        if block.length <= recipe.longest:
            cuts.append(block)
            continue
        for sentence in _sentences(text, block, language, count):
            if sentence.length <= recipe.longest:
                cuts.append(sentence)
            else:
                left.append((LONG_SENTENCE, sentence))
    return cuts


def _sentences(text: str, block: Cut, language: str, count: Count | None) -> Iterator[Cut]:
    said = text[block.start : block.end]
    for start, end in sentences(said, language):
        length = end - start if count is None else count(said[start:end])
        yield Cut(block.start + start, block.start + end, length, block.first, block.last)


class _Joining:
    """Neighbours joined in order, until there is enough.

    Nothing is joined across a gap, where something was left out. A paragraph that must be cut is
    cut evenly, and begins a passage of its own when what comes before it is long enough. A heading
    goes with what follows it: no passage ends on one. What is ``dependent`` begins no passage.
    """

    def __init__(
        self,
        recipe: Recipe,
        left: list[tuple[str, Cut]],
        headings: set[int],
        dependent: set[int],
    ) -> None:
        self._recipe = recipe
        self._left = left
        self._gaps = {cut.start for _, cut in left}
        self._headings = headings
        self._dependent = dependent
        self._passages: list[Cut] = []

    def passages(self, blocks: list[Cut]) -> list[Cut]:
        shortest, longest = self._recipe.shortest, self._recipe.longest
        shares = self._shares(blocks)
        cuts: list[Cut] = []
        length = 0
        for block in blocks:
            start, _, size, paragraph, _ = block
            dependent = start in self._dependent
            if cuts:
                before = cuts[-1]
                solid = length
                if before.start in self._headings:
                    solid -= _length(cuts[len(cuts) - self._trailing(cuts) :])
                begins = paragraph in shares and paragraph != before.last
                enough = shares.get(before.last) or max(shortest, self._recipe.enough)
                gap = bool(self._gaps) and self._gap(before.end, start)
                complete = solid >= enough or (begins and solid >= shortest)
                if (complete and not dependent) or length + size > longest or gap:
                    cuts = self._close(cuts)
                    if gap or dependent or _length(cuts) + size > longest:
                        self._leave(cuts, NO_SUBJECT if dependent else HEADING)
                        cuts = []
                    length = _length(cuts)
            if dependent and not cuts:
                self._leave([block], NO_SUBJECT)
                continue
            cuts.append(block)
            length += size
        self._leave(self._close(cuts))
        return self._passages

    def _shares(self, blocks: list[Cut]) -> dict[int, int]:
        """Of the paragraphs that are cut into sentences: how long a passage of each is to be."""
        lengths: dict[int, int] = {}
        for block, other in pairwise(blocks):
            if block.first == other.first:
                lengths[block.first] = lengths.get(block.first, block.length) + other.length
        longest = self._recipe.longest
        return {number: -(-size // -(-size // longest)) for number, size in lengths.items()}

    def _trailing(self, held: list[Cut]) -> int:
        """How many headings are at the end; a list's lines are none."""
        count = 0
        while count < len(held) and held[-1 - count].start in self._headings:
            count += 1
            if count > MOST_HEADINGS:
                return 0
        return count

    def _close(self, held: list[Cut]) -> list[Cut]:
        """Take a passage in; the headings at its end come back, for the next one."""
        following = len(held) - self._trailing(held)
        held, headings = held[:following], held[following:]
        if not held:
            return headings
        done = Cut(held[0].start, held[-1].end, _length(held), held[0].first, held[-1].last)
        before = self._passages[-1] if self._passages else None
        if done.length >= self._recipe.shortest:
            self._passages.append(done)
        elif (
            # A rest is better kept with what comes before it than lost.
            before is not None
            and before.length + done.length <= self._recipe.longest
            and not self._gap(before.end, done.start)
        ):
            length = before.length + done.length
            self._passages[-1] = Cut(before.start, done.end, length, before.first, done.last)
        else:
            self._left.append((SHORT_REST, done))
            self._gaps.add(done.start)
        return headings

    def _leave(self, cuts: list[Cut], reason: str = HEADING) -> None:
        self._left += [(reason, cut) for cut in cuts]
        self._gaps.update(cut.start for cut in cuts)

    def _gap(self, before: int, after: int) -> bool:
        return any(before <= gap < after for gap in self._gaps)


_LENGTH = operator.attrgetter("length")


def _length(held: list[Cut]) -> int:
    return sum(map(_LENGTH, held))
