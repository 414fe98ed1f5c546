"""Ratings of files by a machine: plain text, tests, and JSON Lines of passages."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Any

import msgspec

from readmark.corpus.decoding import UTF_8
from readmark.corpus.errors import UsageError
from readmark.corpus.files import writing
from readmark.corpus.kinds import kind_named
from readmark.corpus.language import language_of, primary
from readmark.corpus.outputs import require_apart
from readmark.corpus.sitting import Row
from readmark.corpus.values import RatedPassage, Unit
from readmark.sitting.candidates import CANDIDATES, Candidate, declared, make_ready
from readmark.text.readability.foreign import foreign
from readmark.workflows.readability import UNKNOWN, Given, named, passages_of

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


def rate(
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


def as_json(done: Ratings, *, explain: bool = False) -> dict[str, Any]:
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
    from readmark.reporting.rating import explained_html, explained_svg

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
