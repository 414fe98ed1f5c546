"""What part of a test a candidate sat, as a label next to its name and as a clause."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.core.marksheet import MarksheetHeader
from readmark.core.records import distinct_names
from readmark.marking import Marksheet
from readmark.reporting.page.bilingual import Bilingual, Text, joined
from readmark.reporting.page.isolation import Isolated, isolated
from readmark.reporting.page.nouns import counted, noun
from readmark.reporting.page.words import phrase


def labels(names: Sequence[str], sheets: Sequence[Marksheet]) -> list[Bilingual]:
    """Every candidate's name with the part that it sat; names that are still equal are numbered.

    A part that several candidates sat, and nobody another, is named once for all of them.
    """
    sides = []
    shared = shared_part(sheets) is not None
    for language in range(2):
        parts = ["" if shared else (part.en, part.zh)[language] for part in map(_part, sheets)]
        named = [
            f"{isolated(name)}{part}" if part else isolated(name)
            for name, part in zip(names, parts, strict=True)
        ]
        sides.append([Isolated(distinct_name) for distinct_name in distinct_names(named)])
    return [Bilingual(en, zh) for en, zh in zip(*sides, strict=True)]


def shared_part(sheets: Sequence[Marksheet]) -> Bilingual | None:
    """What part of the test all of several candidates sat, as it follows a name."""
    parts = {part.en: part for part in map(_part, sheets)}
    if len(sheets) < 2 or len(parts) != 1 or "" in parts:
        return None
    return next(iter(parts.values()))


def _part(sheet: Marksheet) -> Bilingual:
    """What follows the name of a candidate that did not sit the whole test."""
    header = sheet.header
    parts: list[Text] = []
    if header.limit is not None:
        parts.append(phrase("sat.first", count=f"{header.limit:,}"))
    elif _chosen(header):
        parts.append(phrase("sat.chosen", count=f"{len(sheet.units):,}"))
    if header.without is not None:
        parts.append(phrase("sat.without", what=noun(header.without)))
    if header.cross is not None:
        parts.append(phrase("sat.cross", cross=header.cross))
    if header.rewrite is not None:
        parts.append(phrase("sat.rewrite", rewrite=header.rewrite))
    if not parts and header.covers:
        parts.append(header.covers)
    if not parts:
        return Bilingual("", "")
    return phrase("sat.beside", part=joined(parts, zh="、"))


def coverage(sheet: Marksheet) -> list[Text]:
    """The same in clauses of a sentence."""
    header, unit = sheet.header, sheet.kind.unit_noun
    parts: list[Text] = []
    if header.limit is not None:
        parts.append(phrase("summary.first_units", units=counted(header.limit, unit)))
    elif _chosen(header):
        parts.append(phrase("summary.chosen_units", units=counted(len(sheet.units), unit)))
    if header.without is not None:
        parts.append(phrase("summary.without", what=noun(header.without)))
    if header.cross is not None:
        parts.append(phrase("summary.cross", cross=header.cross))
    if header.rewrite is not None:
        parts.append(phrase("summary.rewrite", rewrite=header.rewrite))
    if not parts and header.covers:
        parts.append(phrase("summary.covers", covers=header.covers))
    return parts


def _chosen(header: MarksheetHeader) -> bool:
    return header.covers is not None and "chosen units" in header.covers
