"""How articles become passages: the recipes of the SMART and CMRC 2018 documents, with numbers.

SMART: articles of 1,000 to 3,000 characters, passages of one or more whole paragraphs. CMRC 2018:
passages of at most 500 words. What the documents leave open is set here and recorded.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from readmark.corpus.errors import UsageError

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
    fill: bool = False
    """Whether paragraphs are joined as long as they fit, and not only until there are enough."""


SMART = Recipe(
    "smart",
    "characters",
    shortest=200,
    longest=1000,
    shortest_article=1000,
    longest_article=3000,
)
CMRC = Recipe("cmrc", "words", shortest=100, longest=500, whole_paragraphs=False, fill=True)
RECIPES = {"smart": SMART, "cmrc": CMRC}

CHARACTERS_A_WORD = 2
"""About as many as a Chinese word has with its share of punctuation: 2.17 in CMRC 2018."""


def recipe(
    name: str,
    language: str,
    *,
    unit: str | None = None,
    shortest: int | None = None,
    longest: int | None = None,
    shortest_article: int | None = None,
    longest_article: int | None = None,
) -> Recipe:
    """A recipe for a language, with what is asked for changed.

    SMART's bounds are Chinese characters: where words are counted (English always is), they are
    half as many. CMRC's are words: where characters are counted, twice as many.
    """
    found = RECIPES[name]
    wanted = unit or ("words" if language != "zh" else found.unit)
    if wanted not in UNITS:
        raise UsageError(f"no unit {wanted!r}; known: {', '.join(UNITS)}")
    if wanted != found.unit:
        found = _in_unit(found, wanted)
    found = replace(
        found,
        shortest=found.shortest if shortest is None else shortest,
        longest=found.longest if longest is None else longest,
        shortest_article=found.shortest_article if shortest_article is None else shortest_article,
        longest_article=found.longest_article if longest_article is None else longest_article,
    )
    if found.shortest > found.longest:
        raise UsageError(f"--min {found.shortest} is more than --max {found.longest}")
    if (found.shortest_article or 0) > (found.longest_article or found.shortest_article or 0):
        raise UsageError(
            f"--article-min {found.shortest_article} is more than --article-max "
            f"{found.longest_article}"
        )
    return found


def _in_unit(one: Recipe, unit: str) -> Recipe:
    def scaled(bound: int) -> int:
        if unit == "words":
            return bound // CHARACTERS_A_WORD
        return bound * CHARACTERS_A_WORD

    return replace(
        one,
        unit=unit,
        shortest=scaled(one.shortest),
        longest=scaled(one.longest),
        shortest_article=None if one.shortest_article is None else scaled(one.shortest_article),
        longest_article=None if one.longest_article is None else scaled(one.longest_article),
    )
