"""The data card: a README that describes what a test contains, how it was made and marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.core import numbers
from readmark.core.display import counted, plural
from readmark.core.kinds import kind_named
from readmark.core.labels import ABSENT
from readmark.core.marksheet import LEAVE_ONE_OUT, PANEL, REFERENCES
from readmark.core.numbers import listed_ids
from readmark.core.records import AS_WRITTEN
from readmark.core.signatures import signature_parts
from readmark.formats.tables.columns import Column
from readmark.making.corpus import ALL_SPLITS, CorpusTable
from readmark.making.export.about import About
from readmark.making.export.card_tables import sizes
from readmark.making.export.croissant import PublishedFile
from readmark.making.export.level_sources import LevelSources
from readmark.making.export.markdown import plain, table
from readmark.making.export.people_figure import PeopleFigure
from readmark.making.export.published_parts import UNSPLIT, PublishedPart
from readmark.making.export.report_coverage import ReportCoverage
from readmark.making.export.reports import Reports
from readmark.making.export.unplaced_answers import Unplaced
from readmark.marking import Mark

SHOWN = 5
"""Ids that a line of the card names; the data has them all."""
_LANGUAGES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True, slots=True)
class Card:
    """The content of a card."""

    about: About
    description: str
    table: CorpusTable
    """The tables of the test as it is published."""
    paper: str
    key: str
    """The fingerprints of the whole test, hidden keys included."""
    parts: Sequence[PublishedPart]
    files: Sequence[PublishedFile]
    columns: Sequence[Column]
    source: str | None
    fields: Mapping[str, Any]
    reports: Reports
    losses: Mapping[str, Sequence[str]]
    faults: Mapping[str, Sequence[str]]
    unplaced: Unplaced
    levels: LevelSources
    people: PeopleFigure | None
    version: str


def description_of(about: About, corpus: CorpusTable) -> str:
    """The publisher's description, else a sentence with the counts."""
    if about.description:
        return about.description
    language = _LANGUAGES.get(corpus.language, corpus.language)
    units = counted(corpus.units, corpus.unit_noun)
    records = counted(corpus.records, corpus.record_noun)
    whole = units if corpus.unit_noun == corpus.record_noun else f"{units} in {records}"
    return f"A {corpus.kind} test in {language}: {whole}."


def card_text(card: Card) -> str:
    """The card in Markdown, without its front matter."""
    warning = []
    if card.fields.get("synthetic"):  # goes before everything else
        note = card.fields.get("note") or "The key is made up by a program."
        warning = [f"**{plain(str(note))}**", ""]
    lines = [
        f"# {plain(card.about.name)}",
        "",
        card.description,
        "",
        *warning,
        "## What it holds",
        "",
        *sizes(card.table, card.parts),
        *_files(card),
        *_columns(card),
        *_making(card),
        *_people(card),
        *_marking(card),
        *_faults(card),
        *_terms(card),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _files(card: Card) -> Iterator[str]:
    yield from ("## Files", "")
    rows = [[f"`{file.path}`", file.about, f"{file.size:,}"] for file in card.files]
    yield from table(["file", "what it is", "bytes"], rows, numbers=(2,))
    yield "`croissant.json` describes them for machines; `SHA256SUMS` has their checksums"
    yield from ("(`sha256sum -c SHA256SUMS`).", "")
    if card.unplaced.answers:
        yield f"Of {counted(card.unplaced.answers, 'answer')} `data/` and `squad/` have no offset:"
        yield ""
        yield from (f"- {plain(line)}" for line in card.unplaced.lines)
        yield ""
        yield from ("`native/` has all answers as they are.", "")
    for format, lost in card.losses.items():
        if lost:
            yield from (f"Of `{format}/`, which cannot hold all that `native/` does:", "")
            yield from (f"- {plain(line)}" for line in lost)
            yield ""


def _columns(card: Card) -> Iterator[str]:
    if not card.columns:
        return
    yield from ("## Columns of `data/`", "")
    rows = []
    for column in card.columns:
        for part in column.parts or (column,):
            name = f"{column.name}.{part.name}" if column.parts else part.name
            rows.append([f"`{name}`", f"{'list of ' * part.repeated}{part.type}", part.about])
    yield from table(["column", "type", "what it is"], rows)


def _making(card: Card) -> Iterator[str]:
    yield from ("## How it was made", "")
    if card.source:
        yield from (f"Source: {plain(card.source)}", "")
    fields = ", ".join(f"`{plain(name)}`" for name in card.fields if name != AS_WRITTEN)
    if fields:
        yield from (f"`provenance.json` has {fields}.", "")
    yield from _levels(card.levels)
    screened = card.reports.screened
    if screened is not None:
        yield (
            f"Screening: of {counted(screened.passages, 'passage')} {screened.kept:,} were kept "
            f"and {screened.discarded:,} discarded; `reports/screening.jsonl` has each with its "
            "reasons."
        )
        yield ""
        if screened.reasons:
            rows = [[name, f"{count:,}"] for name, count in screened.reasons.items()]
            yield from table(["discarded for", "passages"], rows, numbers=(1,))
        if screened.unscreened:
            yield f"{counted(screened.unscreened, 'passage')} of this test are not in the report."
            yield ""
        if screened.against:
            yield f"Published although the report discards them: {_first_ids(screened.against)}."
            yield ""
    if card.reports.agreed:
        yield from ("Agreement of annotators; `reports/agreement.json` has it in full.", "")
        yield from table(
            ["what", "annotators", "units", "measure", "value", "interval"],
            list(_agreement(card.reports)),
            numbers=(1, 2, 4),
        )
        yield from _reach(card.reports.reach)


def _levels(levels: LevelSources) -> Iterator[str]:
    """Who gave the levels: rules, people, or nobody that the file names."""
    givers = [f"rules (`{plain(name)}`) gave {count:,}" for name, count in levels.rules.items()]
    if levels.people:
        givers.append(f"people gave {levels.people:,}")
    if levels.unsaid:
        givers.append(f"the file does not say who gave {levels.unsaid:,}")
    if givers:
        yield from (f"Levels: {'; '.join(givers)}.", "")


_METHODS = {
    LEAVE_ONE_OUT: "leave-one-out: each person's answer is marked against the others'",
    PANEL: "a panel: people who did not write the key sat the test, and their answers are marked "
    "against the key",
}


def _people(card: Card) -> Iterator[str]:
    """People's figure by split, with its intervals and how it was made."""
    figure = card.people
    is_references = figure is not None and figure.marks.who == REFERENCES
    yield from ("## References" if is_references else "## People", "")
    if figure is None:
        unit = card.table.unit_noun
        yield f"There is no human figure: no published {unit} has answers of two people, and no"
        yield from ("sittings of people were given.", "")
        return
    marks, units = figure.marks, plural(card.table.unit_noun)
    if marks.who == REFERENCES:
        most = f"up to {counted(figure.people, 'reference')} each"
        yield f"Each reference on what is published ({most}) is marked against the others."
        yield "Scores are averaged."
        wrote = (
            "The test's authors wrote them" if figure.authors else "Nobody is named as their author"
        )
        yield f"{wrote}, so this is not a study of people."
    else:
        people = "1 person" if figure.people == 1 else f"{figure.people:,} people"
        yield f"Estimated human performance on what is published ({people}), by"
        yield f"{_METHODS[marks.method]}. Scores are averaged."
    yield ""
    parts = [
        (UNSPLIT if label == ABSENT else label, part.units, part.marks)
        for values in marks.by.values()
        for label, part in values.items()
    ]
    metrics = [name for name, mark in marks.marks.items() if mark.score is not None]
    rows = [
        [label, f"{count:,}", *(_mark(marks_of_part[name]) for name in metrics)]
        for label, count, marks_of_part in [*parts, (ALL_SPLITS, marks.units, marks.marks)]
    ]
    columns = range(1, len(metrics) + 2)
    yield from table(["split", units, *(f"`{name}`" for name in metrics)], rows, numbers=columns)
    if marks.skipped:
        fewer = "fewer than two references" if is_references else "answers of fewer than two people"
        yield f"{marks.skipped:,} {units} with {fewer} are not counted."
    signature = next(iter(marks.marks.values())).signature if marks.marks else ""
    settings = signature_parts(signature)
    drawn = f", {settings['draws']} draws, seed {settings['seed']}" if "draws" in settings else ""
    yield (
        f"In brackets: {numbers.percent(float(settings['confidence']), 0)} "
        f"{settings['interval']} intervals over {plural(settings['clusters'])}{drawn}. "
        "`provenance.json` has the signatures."
    )
    yield from marks.interval_notes
    yield ""


def _mark(mark: Mark) -> str:
    """A score with its interval."""
    if mark.score is None:
        return "undefined"
    written = numbers.interval(mark.low, mark.high, mark.scale)
    interval = f" ({written})" if mark.low is not None else ""
    return f"{numbers.mark(mark.score, mark.scale)}{interval}"


def _reach(reach: ReportCoverage | None) -> Iterator[str]:
    if reach is None:
        return
    if reach.covers == "hidden":
        yield "Its figures cover hidden splits too, so they reveal something of a withheld key."
        yield ""
    elif reach.covers == "unknown":
        yield from ("The report does not say whether its figures are of hidden splits too.", "")
    if reach.strange:
        yield f"Of the {reach.units:,} questions and passages that it names, {reach.strange:,} are"
        yield from ("not in this test.", "")
    if not reach.units:
        yield "It names no question or passage, so nothing shows that it is of this test."
        yield ""


def _agreement(reports: Reports) -> Iterator[list[str]]:
    for agreed in reports.agreed:
        for measure, figure in agreed.figures.items():
            value, low, high = (figure.get(name) for name in ("value", "low", "high"))
            written = f"undefined: {figure.get('reason')}"
            if value is not None:
                written = numbers.mark(value, 1)
            interval = ""
            if low is not None and high is not None:
                interval = numbers.interval(low, high, 1)
            annotators, units = str(agreed.annotators), f"{agreed.units:,}"
            yield [agreed.what, annotators, units, measure, written, interval]


def _marking(card: Card) -> Iterator[str]:
    published = next((part.name for part in card.parts if not part.hidden), None)
    hidden = [part.name for part in card.parts if part.hidden]
    is_rated = kind_named(card.table.kind).answer == "rating"
    answers = "ratings as `{id: rating}`" if is_rated else "answers as `{id: text}`"
    if published is not None:
        yield from ("## Marking", "")
        yield f"{answers[0].upper()}{answers[1:]}, or a sitting, are marked by Readmark:"
        yield from _commands(f"readmark mark native/{published}.jsonl answers.json")
    if hidden:
        splits = ", ".join(f"`{name}`" for name in hidden)
        yield from ("## Submitting", "")
        yield f"The key of {splits} stays with the organisers. Let a candidate sit the published"
        yield f"paper and send them the sitting, or {answers} in a JSON file:"
        yield from _commands(
            *(
                f"readmark sit native/{name}.jsonl -r CANDIDATE -o {name}.sitting.jsonl"
                for name in hidden
            )
        )
        yield "The organisers mark it with the file that has the key of the split, or with the"
        yield "whole test; both know the paper by its fingerprint:"
        yield from _commands(
            *(
                f"readmark mark {name}.jsonl {name}.sitting.jsonl --redact -o {name}.marks.jsonl"
                for name in hidden
            ),
            *(f"readmark mark WHOLE.jsonl {name}.sitting.jsonl --split {name}" for name in hidden),
        )
        for part in card.parts:
            if part.hidden:
                yield f"Paper of `{part.name}`: `{part.test.facts.paper}`."
        yield ""
    yield from ("## Fingerprints", "")
    yield f"Fingerprint of the paper (ids and texts): `{card.paper}`; of the key: `{card.key}`."
    yield "They are of the whole test, hidden keys included, so they show that it has not changed."
    yield from (f"Made with Readmark {card.version}.", "")


def _commands(*lines: str) -> Iterator[str]:
    yield from ("", "```sh", *lines, "```", "")


def _faults(card: Card) -> Iterator[str]:
    if card.faults:
        yield from ("## Known faults", "")
        rows = [[f"`{code}`", _first_ids(ids)] for code, ids in card.faults.items()]
        yield from table(["what `readmark check` finds", "where"], rows)
        if "offset" in card.faults:
            yield "Where an offset does not point at its answer, marks go by the answer's words."
            yield ""


def _terms(card: Card) -> Iterator[str]:
    about = card.about
    yield from ("## Licence", "")
    link = f" ({about.licence.url})" if about.licence.url not in (None, about.licence.name) else ""
    yield from (f"{plain(about.licence.name)}{link}; see `LICENSE`.", "")
    if about.creators or about.citation:
        yield from ("## Who made it", "")
        if about.creators:
            yield from (f"- {plain(creator)}" for creator in about.creators)
            yield ""
        if about.citation:
            yield from ("```", about.citation.replace("```", "'''"), "```", "")


def _first_ids(ids: Sequence[str]) -> str:
    return listed_ids([plain(id) for id in ids], shown=SHOWN)
