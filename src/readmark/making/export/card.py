"""The data card: a README that describes what a test contains, how it was made and marked."""

from __future__ import annotations

import json
import re
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
from readmark.making.export.about import UNSPLIT, About, LevelSources, PublishedPart, Unplaced
from readmark.making.export.croissant import Filed
from readmark.making.export.reports import PeopleFigure, ReportCoverage, Reports
from readmark.marking import Mark

# Words and tables in Markdown, whatever the words are.


def plain(text: str) -> str:
    """Words on one line that no reader of Markdown takes for HTML."""
    return " ".join(text.split()).replace("<", "&lt;")


def table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()
) -> Iterator[str]:
    """A table and the empty line after it; the columns of ``numbers`` stand to the right."""
    rules = ["---:" if index in numbers else "---" for index in range(len(header))]
    for row in (header, rules, *rows):
        yield f"| {' | '.join(plain(one).replace('|', chr(92) + '|') for one in row)} |"
    yield ""


# The card's tables: CMRC 2018's Table 1 by split, then SMART's Table 1, levels and types.


def sizes(corpus: CorpusTable, parts: Sequence[PublishedPart]) -> Iterator[str]:
    """Sizes, lengths, levels and types of what is published, in Markdown."""
    hidden = [part.name for part in parts if part.hidden]
    records, units = plural(corpus.record_noun), plural(corpus.unit_noun)
    rated = kind_named(corpus.kind).answer == "rating"
    each = "ratings each" if rated else "answers each"
    rows = list(_rows(corpus, hidden))
    if records == units:
        rows = [[split, count, *others] for split, count, _, *others in rows]
    names = dict.fromkeys((records, units))
    yield from table(["split", *names, each, "key"], rows, numbers=range(1, len(names) + 2))
    yield from table(
        [f"length in {corpus.unit}", "longest", "mean"],
        [
            [what, f"{lengths.longest:,}", numbers.decimal(lengths.mean, 1)]
            for what, lengths in corpus.lengths.items()
        ],
        numbers=(1, 2),
    )
    absent = "withheld or none" if hidden else "none"
    for field in ("level", "type"):
        counts = corpus.distributions.get(field) or (corpus.types if field == "type" else {})
        crossed = corpus.crossed.get(field)
        if crossed:
            yield from _by_split(field, crossed, [part.name for part in parts], absent)
        elif counts:
            by_split = {value: {ABSENT: count} for value, count in counts.items()}
            yield from _by_split(field, by_split, [], absent)
    if hidden:
        splits = ", ".join(f"`{name}`" for name in hidden)
        said = f"no {'rating' if rated else 'answer'} and no label of its {units}"
        yield f"The key of {splits} is withheld: {said} is in the"
        yield from ("data, and the tables are made without them.", "")
    if corpus.types and not corpus.distributions.get("type"):
        yield from ("Rules detect the types from the words of the questions.", "")


def _rows(corpus: CorpusTable, hidden: Sequence[str]) -> Iterator[list[str]]:
    if not corpus.splits:
        each = numbers.decimal(corpus.answers_per_unit)
        yield [UNSPLIT, f"{corpus.records:,}", f"{corpus.units:,}", each, "published"]
    for split in corpus.splits:
        each = "" if split.answers_each is None else numbers.decimal(split.answers_each)
        name = UNSPLIT if split.name == ABSENT else split.name
        key = "" if name == ALL_SPLITS else "withheld" if name in hidden else "published"
        yield [name, f"{split.records:,}", f"{split.units:,}", each, key]


def _by_split(
    field: str, counts: Mapping[str, Mapping[str, int]], splits: Sequence[str], absent: str
) -> Iterator[str]:
    """One row per value and one of sums, one column per split, then all of them and their share."""
    unsplit = any(ABSENT in row for row in counts.values())
    keys = [ABSENT if name == UNSPLIT and unsplit else name for name in splits]
    total = sum(sum(row.values()) for row in counts.values()) or 1
    rows = []
    for value, row in counts.items():
        every = sum(row.values())
        cells = [*(row.get(key, 0) for key in keys), every]
        name = absent if value == ABSENT else value
        rows.append([name, *(f"{cell:,}" for cell in cells), numbers.percent(every / total)])
    sums = [sum(row.get(key, 0) for row in counts.values()) for key in keys]
    rows.append([ALL_SPLITS, *(f"{one:,}" for one in (*sums, total)), "100.0%"])
    columns = range(1, len(keys) + 3)
    yield from table([field, *splits, ALL_SPLITS, "share"], rows, numbers=columns)


SHOWN = 5
_LANGUAGES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True, slots=True)
class Card:
    """The content of a card."""

    about: About
    description: str
    table: CorpusTable
    """Of the test as it is published."""
    paper: str
    key: str
    """The fingerprints of the whole test, hidden keys included."""
    parts: Sequence[PublishedPart]
    files: Sequence[Filed]
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


def described(about: About, corpus: CorpusTable) -> str:
    """The publisher's description, else a sentence of what is counted."""
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
    told = {name: value for name, value in card.fields.items() if name != AS_WRITTEN}
    if told:
        yield from (f"`provenance.json` has {', '.join(f'`{plain(name)}`' for name in told)}.", "")
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
    given = [f"rules (`{plain(name)}`) gave {count:,}" for name, count in levels.rules.items()]
    given += [f"people gave {levels.people:,}"] if levels.people else []
    given += [f"the file does not say who gave {levels.unsaid:,}"] if levels.unsaid else []
    if given:
        yield from (f"Levels: {'; '.join(given)}.", "")


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
    shown = [name for name, mark in marks.marks.items() if mark.score is not None]
    rows = [
        [label, f"{count:,}", *(_mark(own[name]) for name in shown)]
        for label, count, own in [*parts, (ALL_SPLITS, marks.units, marks.marks)]
    ]
    columns = range(1, len(shown) + 2)
    yield from table(["split", units, *(f"`{name}`" for name in shown)], rows, numbers=columns)
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
            shown = (
                numbers.mark(value, 1)
                if value is not None
                else f"undefined: {figure.get('reason')}"
            )
            span = numbers.interval(low, high, 1) if low is not None and high is not None else ""
            yield [agreed.what, str(agreed.annotators), f"{agreed.units:,}", measure, shown, span]


def _marking(card: Card) -> Iterator[str]:
    shown = next((part.name for part in card.parts if not part.hidden), None)
    hidden = [part.name for part in card.parts if part.hidden]
    rated = kind_named(card.table.kind).answer == "rating"
    answers = "ratings as `{id: rating}`" if rated else "answers as `{id: text}`"
    if shown is not None:
        yield from ("## Marking", "")
        yield f"{answers[0].upper()}{answers[1:]}, or a sitting, are marked by Readmark:"
        yield from _commands(f"readmark mark native/{shown}.jsonl answers.json")
    if hidden:
        splits = ", ".join(f"`{name}`" for name in hidden)
        yield from ("## Submitting", "")
        yield f"The key of {splits} stays with the organisers. Let a candidate sit the published"
        yield f"paper and send them the sitting, or {answers} in a JSON file:"
        yield from _commands(
            *(f"readmark sit native/{name}.jsonl -r CANDIDATE -o {name}.sitting.jsonl"
              for name in hidden)
        )  # fmt: skip
        yield "The organisers mark it with the file that has the key of the split, or with the"
        yield "whole test; both know the paper by its fingerprint:"
        yield from _commands(
            *(f"readmark mark {name}.jsonl {name}.sitting.jsonl --redact -o {name}.marks.jsonl"
              for name in hidden),
            *(f"readmark mark WHOLE.jsonl {name}.sitting.jsonl --split {name}" for name in hidden),
        )  # fmt: skip
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


# The YAML at the head of a data card, which describes the folder to the Hugging Face hub.


_TASKS = {"comprehension": "question-answering", "series": "text-generation"}
_SIZES = ("n<1K", "1K<n<10K", "10K<n<100K", "100K<n<1M", "1M<n<10M", "10M<n<100M", "100M<n<1B")
_FIRST = 1000
_BREAKS = re.compile("[\x7f\x85\u2028\u2029]")  # allowed in JSON, not in YAML


def front_matter(about: About, **test: Any) -> str:
    """The lines between two rows of dashes; ``test`` as `_front_lines` takes it."""
    return "\n".join(["---", *_front_lines(about, **test), "---", ""])


def size_category(rows: int) -> str:
    """The hub's word for a number of rows: each is ten times the one before."""
    above = sum(rows >= _FIRST * 10**at for at in range(len(_SIZES) - 1))
    return _SIZES[above]


def _front_lines(
    about: About,
    *,
    kind: str,
    language: str,
    extractive: bool,
    parts: Mapping[str, PublishedPart],
    columns: Sequence[Column],
) -> Iterator[str]:
    """``parts`` are by the path of their flat file."""
    yield f"pretty_name: {_quoted(about.name)}"
    yield "language:"
    yield f"- {_quoted(language)}"
    licence = about.licence
    yield f"license: {_quoted(licence.hub or 'other')}"
    if licence.hub is None:
        # The hub takes small letters, digits, hyphens and dots.
        slug = re.sub(r"[^a-z0-9.]+", "-", licence.name.lower()).strip("-.")
        yield f"license_name: {_quoted(slug or 'see-license-file')}"
        yield f"license_link: {_quoted(licence.url or 'LICENSE')}"
    if kind in _TASKS:
        yield "task_categories:"
        yield f"- {_quoted(_TASKS[kind])}"
    if kind == "comprehension" and extractive:
        yield "task_ids:"
        yield '- "extractive-qa"'
    yield "size_categories:"
    yield f"- {_quoted(size_category(sum(part.units for part in parts.values())))}"
    if parts:
        yield "configs:"
        yield '- config_name: "default"'
        yield "  data_files:"
        for path, part in parts.items():
            yield f"  - split: {_quoted(part.name)}"
            yield f"    path: {_quoted(path)}"
        yield "dataset_info:"
        yield "  features:"
        for column in columns:
            yield from _feature(column, "  ")


def _feature(column: Column, indent: str) -> Iterator[str]:
    yield f"{indent}- name: {_quoted(column.name)}"
    if column.parts:
        yield f"{indent}  struct:"
        for part in column.parts:
            yield from _feature(part, f"{indent}  ")
    else:
        yield f"{indent}  {'sequence' if column.repeated else 'dtype'}: {_quoted(column.type)}"


def _quoted(text: str) -> str:
    """A string as JSON writes it is one as YAML reads it, and never taken for anything else."""
    return _BREAKS.sub(lambda one: f"\\u{ord(one[0]):04x}", json.dumps(text, ensure_ascii=False))
