"""What part of a test a candidate sat, as a label beside its name and as a clause."""

from __future__ import annotations

from collections.abc import Sequence

from readmark.corpus.marksheet import MarksheetHeader
from readmark.marking.people import told_apart
from readmark.reporting.html.sheets import Sheet
from readmark.reporting.html.words import Both, Isolated, Text, counted, isolated, joined, noun, say


def labels(names: Sequence[str], sheets: Sequence[Sheet]) -> list[Both]:
    """Every candidate's name with the part that it sat; names that are still equal are numbered."""
    sides = []
    for at in range(2):
        parts = [(part.en, part.zh)[at] for part in map(_part, sheets)]
        said = [
            f"{isolated(name)}{part}" if part else isolated(name)
            for name, part in zip(names, parts, strict=True)
        ]
        sides.append([Isolated(one) for one in told_apart(said)])
    return [Both(en, zh) for en, zh in zip(*sides, strict=True)]


def _part(sheet: Sheet) -> Both:
    """What stands after the name of a candidate that did not sit the whole test."""
    header = sheet.header
    said: list[Text] = []
    if header.limit is not None:
        said.append(say("sat.first", count=f"{header.limit:,}"))
    elif _chosen(header):
        said.append(say("sat.chosen", count=f"{len(sheet.units):,}"))
    if header.without is not None:
        said.append(say("sat.without", what=noun(header.without)))
    if header.cross is not None:
        said.append(say("sat.cross", cross=header.cross))
    if header.rewrite is not None:
        said.append(say("sat.rewrite", rewrite=header.rewrite))
    if not said and header.covers:
        said.append(header.covers)
    if not said:
        return Both("", "")
    return say("sat.beside", part=joined(said, zh="、"))


def coverage(sheet: Sheet) -> list[Text]:
    """The same in clauses of a sentence."""
    header, unit = sheet.header, sheet.kind.unit_noun
    said: list[Text] = []
    if header.limit is not None:
        said.append(say("summary.first_units", units=counted(header.limit, unit)))
    elif _chosen(header):
        said.append(say("summary.chosen_units", units=counted(len(sheet.units), unit)))
    if header.without is not None:
        said.append(say("summary.without", what=noun(header.without)))
    if header.cross is not None:
        said.append(say("summary.cross", cross=header.cross))
    if header.rewrite is not None:
        said.append(say("summary.rewrite", rewrite=header.rewrite))
    if not said and header.covers:
        said.append(say("summary.covers", covers=header.covers))
    return said


def _chosen(header: MarksheetHeader) -> bool:
    return header.covers is not None and "chosen units" in header.covers
