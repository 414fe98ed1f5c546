"""How articles become passages: the recipes of the SMART and CMRC 2018 documents, with numbers."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any

from readmark.core.errors import UsageError

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
    chosen_unit = unit or ("words" if language != "zh" else chosen.unit)
    if chosen_unit not in UNITS:
        raise UsageError(f"no unit {chosen_unit!r}; known: {', '.join(UNITS)}")
    if chosen_unit != chosen.unit:
        chosen = _in_unit(chosen, chosen_unit)
    new_bounds: dict[str, Any] = {
        bound: value for bound, value in bounds.items() if value is not None
    }
    chosen = replace(chosen, **new_bounds)
    if chosen.shortest > chosen.longest:
        raise UsageError(f"--min {chosen.shortest} is more than --max {chosen.longest}")
    shortest, longest = chosen.shortest_article, chosen.longest_article
    if shortest is not None and longest is not None and shortest > longest:
        raise UsageError(f"--article-min {shortest} is more than --article-max {longest}")
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
