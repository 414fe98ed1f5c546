"""What was read and written over all sources, counted by reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from rich.console import Console
from rich.text import Text

from readmark.core.counts import counted
from readmark.core.display import Result, plain_table
from readmark.core.test import Header
from readmark.making.sources.articles import NotTaken
from readmark.text.cleaning import RULES

OTHER_SHARE = 0.05
"""Share of articles in another language: a wiki has some, a mistake has more."""
REASONS = {
    "redirect": "a redirect",
    "namespace": "a page that is not an article",
    "not_wikitext": "a page of another content model",
    "disambiguation": "a disambiguation page",
    "empty": "no text",
    "too_short": "shorter than articles are to be",
    "too_long": "longer than articles are to be",
    "too_large": "larger than a wiki lets a page be",
    "no_passage": "too little text for a passage",
    "repeated": "an id that was there before",
    "not_text": "a file that is not text",
    "unclosed": "damaged: the end is missing",
    "outside": "damaged: text between articles",
    "encoding": "damaged: not UTF-8",
    "json": "damaged: not a JSON object",
    "markup": "damaged: wikitext that cannot be parsed",
    "short_rest": "a rest too short for a passage",
    "long_sentence": "a sentence longer than a passage",
    "no_subject": "begins without its subject",
    "heading": "a heading with no passage after it",
    "tail": "references, notes, links and the like",
}
"""Every reason in words."""


@dataclass(slots=True)
class Counts:
    """Counts of what was read and written."""

    articles: int = 0
    """Articles and pages that were looked at."""
    used: int = 0
    """Articles that gave passages."""
    passages: int = 0
    characters: int = 0
    converted: int = 0
    """Passages that the script conversion changed."""
    mixed: int = 0
    """Passages that still have traditional characters."""
    other_language: int = 0
    """Articles in Chinese that were cut as another language, or the reverse."""
    bytes: int = 0
    not_taken: Counter[str] = field(default_factory=Counter)
    """Articles that gave no passage, by reason."""
    left_out: Counter[str] = field(default_factory=Counter)
    """Stretches of articles that are in no passage, by reason."""
    cleaned: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Built(Result):
    """The test that was written, with counts."""

    output: str
    header: Header
    counts: Counts
    unsound: tuple[NotTaken, ...]
    """The first articles that were damaged."""
    skipped: str | None = None
    """The file that lists what was skipped."""
    chosen: str = ""
    """Which lengths were chosen for what is there, and why; empty where the recipe's were."""

    def as_json(self) -> dict[str, object]:
        header = self.header
        numbers = ("articles", "used", "passages", "characters", "converted", "mixed")
        return {
            "output": self.output,
            **{name: getattr(header, name) for name in ("name", "language", "licence")},
            **{name: header.fields[name] for name in ("recipe", "script")},
            **{name: getattr(self.counts, name) for name in numbers},
            **{
                name: dict(getattr(self.counts, name))
                for name in ("not_taken", "left_out", "cleaned")
            },
        }

    def show(self, console: Console) -> None:
        counts = self.counts
        passages = counted(counts.passages, "passage")
        used = f"{counts.used:,} of {counted(counts.articles, 'article')}"
        line = f": {passages}, {counted(counts.characters, 'character')}, from {used}"
        console.print(Text.assemble((self.output, "bold"), line))
        for what, number in (
            ("converted to simplified characters", counts.converted),
            ("with traditional characters that stay", counts.mixed),
        ):
            if number:
                console.print(f"{what}: {counted(number, 'passage')}")
        for title, by_name, words in (
            ("not taken", counts.not_taken, REASONS),
            ("left out of articles", counts.left_out, REASONS),
            ("cleaned", counts.cleaned, RULES),
        ):
            if not by_name:
                continue
            table = plain_table(title, "count", "what it is")
            table.columns[-1].justify = "left"
            for name, count in sorted(by_name.items(), key=lambda item: (-item[1], item[0])):
                table.add_row(name, f"{count:,}", words.get(name, ""))
            console.print(table)

    @property
    def notes(self) -> tuple[str, ...]:
        """Damage, another language, no rules, no licence."""
        notes = [self.chosen] if self.chosen else []
        notes += [f"damaged, and passed over: {article}" for article in self.unsound]
        counts, language = self.counts, self.header.language
        if counts.other_language > OTHER_SHARE * counts.articles:
            other = "not Chinese" if language == "zh" else "Chinese"
            share = f"{counts.other_language:,} of {counts.articles:,} articles"
            notes.append(
                f"{share} are {other} and were cut as {language}: separate them (--language)"
            )
        if language not in ("en", "zh"):
            notes.append(f"there are no sentence rules for {language!r}: it was cut as English is")
        if self.header.licence is None:
            notes.append("the header names no licence: give --licence (Wikipedia's is CC BY-SA)")
        if self.skipped is not None:
            notes.append(f"{self.skipped}: everything that was not taken, with its reason")
        return tuple(notes)
