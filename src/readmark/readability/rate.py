"""Ratings of files by a machine: plain text, tests, and JSON Lines of passages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any, Protocol

import click
import msgspec
from rich.padding import Padding
from rich.text import Text

from readmark import console as options
from readmark.core.display import ABSENT, counted, make_console, plain_table
from readmark.core.encodings import UTF_8
from readmark.core.errors import UsageError
from readmark.core.files import require_apart, writing
from readmark.core.kinds import kind_named
from readmark.core.language import language_of, primary
from readmark.core.records import Unit
from readmark.core.sitting import Row
from readmark.readability.formulas.measures import foreign
from readmark.readability.measure import UNKNOWN, Given, named, passages_of
from readmark.readability.raters.explanation import in_words
from readmark.readability.records import RatedPassage
from readmark.sitting.candidates import CANDIDATES, Candidate, declared, make_ready

# ``readmark rate``.


@click.command("rate")
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "-r",
    "--rater",
    metavar="RATER",
    help="Rater to use  [default: features for English, formula for Chinese]",
)
@options.from_option
@click.option(
    "--language",
    metavar="en|zh",
    help="Language of the passages  [default: from the file, otherwise detected from the text]",
)
@click.option("--explain", is_flag=True, help="Explain what raised or lowered each rating.")
@click.option(
    "-o", "out", metavar="FILE", help="Page (.html) or picture (.svg) to write; needs --explain."
)
@options.json_option
def rate_command(
    files: tuple[str, ...],
    rater: str | None,
    from_format: str | None,
    language: str | None,
    explain: bool,
    out: str | None,
    as_json: bool,
) -> None:
    """Rate each passage in FILEs from 1 (hardest) to 5 (easiest to read)."""
    from readmark.core.encodings import UTF_8
    from readmark.core.errors import DataError

    if out is not None:
        if not explain:
            raise click.UsageError("-o is for the picture of --explain")
        if not out.endswith((".html", ".svg")):
            raise click.UsageError(f"{out} ends in neither .html nor .svg")
        check_explanation(out, files)
    done = rate_passages(
        files,
        rater=rater,
        format=from_format,
        language=language,
        tell=lambda line: options.notify([line]),
    )
    options.notify(
        f"{one.file}: read as {one.encoding}, it is not UTF-8"
        for one in done.passages
        if one.encoding != UTF_8
    )
    if as_json:
        options.print_json(ratings_json(done, explain=explain))
    else:
        from readmark.readability.measure import named

        print_ratings(done.rater, named(done.passages), explain=explain)
    if out is not None:
        write_explanation(done, out)
        options.notify([f"{out} written"])
    if done.passages and all(one.rating is None for one in done.passages):
        raise DataError("no passage could be rated")


# Ratings in a terminal, and one rating explained: in words, and as a picture.


class Passage(Protocol):
    """What is shown of a rated passage."""

    @property
    def file(self) -> str: ...
    @property
    def rating(self) -> float | None: ...
    @property
    def reason(self) -> str | None: ...
    @property
    def evidence(self) -> Any: ...


def print_ratings(rater: str, placed: Mapping[str, Passage], *, explain: bool = False) -> None:
    """A passage a row; with ``explain`` what moved each rating, below the table."""
    console = make_console()
    rated = sum(one.rating is not None for one in placed.values())
    console.print(f"{counted(rated, 'passage')} rated by {rater}", style="bold", highlight=False)
    table = plain_table("passage", "rating")
    for name, one in placed.items():
        table.add_row(name, ABSENT if one.rating is None else f"{one.rating:.2f}")
    console.print(table)
    console.print("1 is hardest and 5 easiest to read")
    notes = {_note(one) for one in placed.values()} - {None}
    for note in sorted(filter(None, notes)):
        console.print(note)
    for name, one in placed.items():
        if one.reason is not None:
            place = name if name in (one.file, Path(one.file).name) else f"{one.file}: {name}"
            console.print(f"{place}: no rating, {one.reason}", highlight=False)
        elif explain and one.rating is not None:
            console.print(f"\n{name}", style="bold", highlight=False)
            for line in in_words(one.rating, one.evidence or {}):
                console.print(Padding(Text(line), (0, 0, 0, 2)))


def explained_html(rater: str, placed: Mapping[str, Passage]) -> str:
    """One page: every rated passage with its picture and its words."""
    parts = []
    for name, one in placed.items():
        parts.append(f"<h2>{escape(name)}</h2>")
        if one.rating is None:
            parts.append(f"<p>No rating: {escape(one.reason or '')}</p>")
            continue
        told = one.evidence or {}
        parts.append(explained_svg(name, one.rating, told))
        lines = "".join(f"<li>{escape(line)}</li>" for line in in_words(one.rating, told))
        parts.append(f"<ul>{lines}</ul>")
    title = escape(f"Ratings by {rater}")
    return _PAGE.format(title=title, body="\n".join(parts))


def explained_svg(name: str, rating: float, told: Mapping[str, Any]) -> str:
    """The parts of a rating as bars: what makes it easier to the right, harder to the left."""
    bars = _bars(told)
    reach = max([abs(points) for _, points in bars], default=0.0) or 1.0
    height = _TOP + _ROW * len(bars) + 14
    drawn = [
        f'<text x="{_LEFT}" y="18" class="head">{escape(_short(name, 60))}: {rating:.2f}</text>',
        f'<text x="{_AXIS - 8}" y="36" class="side" text-anchor="end">harder</text>',
        f'<text x="{_AXIS + 8}" y="36" class="side">easier</text>',
        f'<line x1="{_AXIS}" y1="40" x2="{_AXIS}" y2="{height - 6}" class="axis"/>',
    ]
    for at, (label, points) in enumerate(bars):
        y = _TOP + at * _ROW
        wide = abs(points) / reach * _REACH
        x = _AXIS if points >= 0 else _AXIS - wide
        sort = "easier" if points >= 0 else "harder"
        beyond, anchor = (x + wide + 4, "start") if points >= 0 else (x - 4, "end")
        drawn += [
            f'<text x="{_LEFT}" y="{y + 12}">{escape(_short(label, 62))}'
            f"<title>{escape(label)}</title></text>",
            f'<rect x="{x:.1f}" y="{y}" width="{wide:.1f}" height="{_ROW - 6}" class="{sort}"/>',
            f'<text x="{beyond:.1f}" y="{y + 12}" text-anchor="{anchor}">{points:+.2f}</text>',
        ]
    about = escape(f"What moved the rating {rating:.2f} of {name}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_WIDTH}" height="{height}" '
        f'viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{about}">'
        f"<style>{_STYLE}</style>{''.join(drawn)}</svg>"
    )


_WIDTH, _LEFT, _AXIS, _REACH, _TOP, _ROW = 860, 10, 610, 150, 48, 22
_STYLE = (
    "text{font:12px sans-serif;fill:#222}.head{font:bold 14px sans-serif}.side{fill:#666}"
    ".axis{stroke:#888}.easier{fill:#2a7f62}.harder{fill:#b3472f}"
)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width,initial-scale=1">
<style>body{{font:15px/1.5 sans-serif;max-width:900px;margin:2em auto;padding:0 1em}}
svg{{max-width:100%;height:auto}}</style></head>
<body><h1>{title}</h1><p>1 is hardest and 5 easiest to read.</p>
{body}
</body></html>
"""


def _bars(told: Mapping[str, Any]) -> list[tuple[str, float]]:
    if "groups" not in told:
        return []
    bars = [(group["says"], group["points"]) for group in told["groups"]]
    if "words" in told:
        bars.append(("learned words", told["words"]["points"]))
    if "embedding" in told:
        bars.append(("its embedding", told["embedding"]))
    if abs(told["ends"]) >= 0.01:
        bars.append(("the ends of the scale", told["ends"]))
    return bars


def _note(one: Passage) -> str | None:
    told = one.evidence
    if not isinstance(told, Mapping) or "note" not in told:
        return None
    return f"{told.get('formula', 'the rating')} is {told['note']}"


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


Tell = Callable[[str], None]
EVERY = 500
"""Passages after which progress is told."""
DEFAULT = {"en": "features", "zh": "formula"}
"""Who rates a language when nobody is asked for."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A passage and its rating, or the reason why it has none."""

    file: str
    id: str
    language: str
    rating: float | None
    reason: str | None = None
    rater: str = ""
    evidence: Any = None
    encoding: str = UTF_8


@dataclass(frozen=True, slots=True)
class Ratings:
    """Every passage of some files, who rated them, and by what."""

    rater: str
    passages: tuple[Rated, ...]
    signatures: dict[str, dict[str, Any]] = field(default_factory=dict)


def rate_passages(
    files: Sequence[str],
    *,
    rater: str | None = None,
    format: str | None = None,
    language: str | None = None,
    tell: Tell = lambda _: None,
) -> Ratings:
    """Rate every passage of some files; one that cannot be rated says why.

    A rater that is not for a language rates the others; where that leaves nothing, it is an error.
    """
    if language is not None and primary(language) not in DEFAULT:
        raise UsageError(f"no rater for {language!r}; there are raters for en and zh")
    ready: dict[str, tuple[str, Candidate]] = {}
    refused: dict[str, UsageError] = {}
    signatures: dict[str, dict[str, Any]] = {}
    found: list[Rated] = []
    if rater is not None:
        _built(rater)  # a name that is wrong is told before anything is read
    for file in files:
        given = (_placed(file, one, language) for one in passages_of(file, format))
        for (tongue, _), together in groupby(given, key=lambda one: (one[1], one[2] is None)):
            some = list(together)
            if some[0][2] is not None:
                found += [
                    Rated(file, one.id, tongue, None, why, encoding=one.encoding)
                    for one, _, why in some
                ]
                continue
            if tongue not in ready and tongue not in refused:
                name, candidate = _built(rater or DEFAULT[tongue])
                kind = kind_named("readability")
                try:
                    signatures[tongue] = make_ready(name, candidate, kind, tongue)
                    ready[tongue] = name, candidate
                except UsageError as error:
                    refused[tongue] = error
            if tongue in refused:
                found += [
                    Rated(file, one.id, tongue, None, str(refused[tongue]), encoding=one.encoding)
                    for one, _, _ in some
                ]
                continue
            found += _rated(file, tongue, [one for one, _, _ in some], *ready[tongue], tell)
    if refused and not ready:
        raise next(iter(refused.values()))
    names = list(dict.fromkeys(name for name, _ in ready.values()))
    asked = str(_built(rater)[0]) if rater is not None else DEFAULT["en"]
    return Ratings(", ".join(names) or asked, tuple(found), signatures)


def ratings_json(done: Ratings, *, explain: bool = False) -> dict[str, Any]:
    """What ``readmark rate --json`` prints; reasons stand beside ratings that are null."""
    placed = named(done.passages)
    why = {name: one.evidence for name, one in placed.items() if one.evidence is not None}
    return {
        "rater": done.rater,
        "ratings": {name: one.rating for name, one in placed.items()},
        "reasons": {name: one.reason for name, one in placed.items() if one.reason is not None},
        "raters": {name: one.rater for name, one in placed.items() if one.rater},
        "signature": done.signatures,
    } | ({"evidence": why} if explain else {})


def check_explanation(out: str, files: Sequence[str]) -> None:
    """Refuse a page that would take the place of an input, or that has no folder to be in."""
    require_apart([out], files)
    if out.endswith(".svg") and len(files) > 1:
        raise UsageError(f"a picture shows one passage, here are {len(files)} files: take .html")
    if Path(out).is_dir() or not Path(out).parent.is_dir():
        raise UsageError(f"{out} cannot be written: its folder must be there, and it be a file")


def write_explanation(done: Ratings, out: str) -> None:
    """Write why: a page of all passages, or the picture of one."""

    placed = named(done.passages)
    if out.endswith(".svg"):
        rated = [(name, one) for name, one in placed.items() if one.rating is not None]
        if len(rated) != 1:
            raise UsageError(f"a picture shows one passage, here are {len(rated)}: take .html")
        [(name, one)] = rated
        text = explained_svg(name, one.rating or 0.0, one.evidence or {})
    else:
        text = explained_html(done.rater, placed)
    with writing(out) as stream:
        stream.write(text.encode())


def _built(asked: str) -> tuple[str, Candidate]:
    name, candidate = CANDIDATES.build(asked)
    kinds = CANDIDATES.entry(name.base).kinds or declared(candidate, "kinds", ())
    if kinds and "readability" not in kinds:
        raise UsageError(f"{name.base} is no rater: it sits {', '.join(kinds)} tests")
    return str(name), candidate


def _placed(file: str, one: Given, language: str | None) -> tuple[Given, str, str | None]:
    """A passage with its language, and why it cannot be rated."""
    said = language or one.language
    doubt = None if said else foreign(one.text)
    if doubt is not None:
        return one, UNKNOWN, f"{doubt}; there are raters for English and Chinese"
    tongue = primary(said or one.likely or language_of([one.text]))
    if tongue not in DEFAULT:
        return one, tongue, f"there is no rater for {tongue}"
    return one, tongue, None


def _rated(
    file: str,
    language: str,
    given: Sequence[Given],
    name: str,
    candidate: Candidate,
    tell: Tell,
) -> Iterator[Rated]:
    """The passages of one file and language in their order."""
    records = [RatedPassage(id=one.id, text=one.text, language=language) for one in given]
    rows: dict[str, Row] = {}
    for done, made in enumerate(candidate.answer(Unit(r.id, r.id, r, r) for r in records), 1):
        rows[made.id] = made
        if done % EVERY == 0:
            tell(f"{file}: {done} of {len(given)} passages rated")
    for one in given:
        row = rows.get(one.id)
        rating = None if row is None or isinstance(row.rating, msgspec.UnsetType) else row.rating
        reason = None if rating is not None else _why(row.error if row is not None else None)
        told = row.evidence if row is not None else None
        yield Rated(file, one.id, language, rating, reason, name, told, one.encoding)


def _why(error: str | None) -> str:
    """The words of an error row without the name of the exception."""
    if error is None:
        return "the rater gave none"
    return error.removeprefix("DataError: ")
