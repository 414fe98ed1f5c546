"""The data card: a README that tells people what a test holds, how it was made and marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.formats.flat.columns import Column
from readmark.corpus.kinds import kind_named
from readmark.corpus.values import AS_WRITTEN
from readmark.setting.publishing.about import About
from readmark.setting.publishing.croissant import Filed
from readmark.setting.publishing.markdown import plain, table
from readmark.setting.publishing.parts import Part
from readmark.setting.publishing.reach import Reach
from readmark.setting.publishing.reports import Reports
from readmark.setting.publishing.sizes import plural, sizes
from readmark.setting.tables.corpus import CorpusTable

SHOWN = 5
_LANGUAGES = {"en": "English", "zh": "Chinese"}


@dataclass(frozen=True, slots=True)
class Card:
    """All that a card tells."""

    about: About
    description: str
    table: CorpusTable
    """Of the test as it is published."""
    paper: str
    key: str
    """The fingerprints of the whole test, hidden keys included."""
    parts: Sequence[Part]
    files: Sequence[Filed]
    columns: Sequence[Column]
    source: str | None
    fields: Mapping[str, Any]
    reports: Reports
    losses: Mapping[str, Sequence[str]]
    faults: Mapping[str, Sequence[str]]
    version: str


def described(about: About, counted: CorpusTable) -> str:
    """The publisher's description, else a sentence of what is counted."""
    if about.description:
        return about.description
    language = _LANGUAGES.get(counted.language, counted.language)
    units = _counted(counted.units, counted.unit_noun)
    records = _counted(counted.records, counted.record_noun)
    whole = units if counted.unit_noun == counted.record_noun else f"{units} in {records}"
    return f"A {counted.kind} test in {language}: {whole}."


def card_text(card: Card) -> str:
    """The card in Markdown, without its front matter."""
    lines = [
        f"# {plain(card.about.name)}",
        "",
        card.description,
        "",
        *_warning(card),
        "## What it holds",
        "",
        *sizes(card.table, card.parts),
        *_files(card),
        *_columns(card),
        *_making(card),
        *_marking(card),
        *_faults(card),
        *_terms(card),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _warning(card: Card) -> Iterator[str]:
    """That the key is made up goes before everything else."""
    if card.fields.get("synthetic"):
        yield f"**{plain(str(card.fields.get('note') or 'The key is made up by a program.'))}**"
        yield ""


def _files(card: Card) -> Iterator[str]:
    yield from ("## Files", "")
    rows = [[f"`{one.path}`", one.about, f"{one.size:,}"] for one in card.files]
    yield from table(["file", "what it is", "bytes"], rows, numbers=(2,))
    yield "`croissant.json` describes them for machines; `SHA256SUMS` has their checksums"
    yield "(`sha256sum -c SHA256SUMS`)."
    yield ""
    for format, lost in card.losses.items():
        if lost:
            yield f"Of `{format}/`, which cannot hold all that `native/` does:"
            yield ""
            yield from (f"- {plain(line)}" for line in lost)
            yield ""


def _columns(card: Card) -> Iterator[str]:
    if not card.columns:
        return
    yield from ("## Columns of `data/`", "")
    rows = []
    for column in card.columns:
        for one in column.parts or (column,):
            name = f"{column.name}.{one.name}" if column.parts else one.name
            rows.append([f"`{name}`", f"{'list of ' * one.repeated}{one.type}", one.about])
    yield from table(["column", "type", "what it is"], rows)


def _making(card: Card) -> Iterator[str]:
    yield from ("## How it was made", "")
    if card.source:
        yield from (f"Source: {plain(card.source)}", "")
    told = {name: value for name, value in card.fields.items() if name != AS_WRITTEN}
    if told:
        yield f"`provenance.json` has {', '.join(f'`{plain(name)}`' for name in told)}."
        yield ""
    screened = card.reports.screened
    if screened is not None:
        yield (
            f"Screening: of {_counted(screened.passages, 'passage')} {screened.kept:,} were kept "
            f"and {screened.discarded:,} discarded; `reports/screening.jsonl` has each with its "
            "reasons."
        )
        yield ""
        if screened.reasons:
            rows = [[name, f"{count:,}"] for name, count in screened.reasons.items()]
            yield from table(["discarded for", "passages"], rows, numbers=(1,))
        if screened.unscreened:
            yield f"{_counted(screened.unscreened, 'passage')} of this test are not in the report."
            yield ""
        if screened.against:
            yield f"Published although the report discards them: {_some(screened.against)}."
            yield ""
    if card.reports.agreed:
        yield "Agreement of annotators; `reports/agreement.json` has it in full."
        yield ""
        yield from table(
            ["what", "annotators", "units", "measure", "value", "interval"],
            list(_agreement(card.reports)),
            numbers=(1, 2, 4),
        )
        yield from _reach(card.reports.reach)


def _reach(reach: Reach | None) -> Iterator[str]:
    if reach is None:
        return
    if reach.covers == "hidden":
        yield "Its figures are of hidden splits too, so they tell something of a withheld key."
        yield ""
    elif reach.covers == "unknown":
        yield "The report does not say whether its figures are of hidden splits too."
        yield ""
    if reach.strange:
        yield f"Of the {reach.units:,} questions and passages that it names, {reach.strange:,} are"
        yield "not in this test."
        yield ""
    if not reach.units:
        yield "It names no question or passage, so nothing shows that it is of this test."
        yield ""


def _agreement(reports: Reports) -> Iterator[list[str]]:
    for one in reports.agreed:
        for measure, figure in one.figures.items():
            value, low, high = (figure.get(name) for name in ("value", "low", "high"))
            shown = f"{value:.3f}" if value is not None else f"undefined: {figure.get('reason')}"
            span = f"{low:.3f} to {high:.3f}" if low is not None and high is not None else ""
            yield [one.what, str(one.annotators), f"{one.units:,}", measure, shown, span]


def _marking(card: Card) -> Iterator[str]:
    part = next((one for one in card.parts if not one.hidden), None)
    yield from ("## Marking", "")
    if part is not None:
        rated = kind_named(card.table.kind).answer == "rating"
        what = "Ratings as `{id: rating}`" if rated else "Answers as `{id: text}`"
        yield f"{what}, or a sitting, are marked by Readmark:"
        yield from ("", "```sh", f"readmark mark native/{part.name}.jsonl answers.json", "```", "")
    yield f"Fingerprint of the paper (ids and texts): `{card.paper}`; of the key: `{card.key}`."
    yield "They are of the whole test, hidden keys included, so they show that it has not changed."
    yield f"Made with Readmark {card.version}."
    yield ""


def _faults(card: Card) -> Iterator[str]:
    if card.faults:
        yield from ("## Known faults", "")
        rows = [[f"`{code}`", _some(ids)] for code, ids in card.faults.items()]
        yield from table(["what `readmark check` finds", "where"], rows)
        if "offset" in card.faults:
            yield "Where an offset does not point at its answer, marks go by the answer's words."
            yield ""


def _terms(card: Card) -> Iterator[str]:
    about = card.about
    yield from ("## Licence", "")
    link = f" ({about.licence.url})" if about.licence.url not in (None, about.licence.name) else ""
    yield f"{plain(about.licence.name)}{link}; see `LICENSE`."
    yield ""
    if about.creators or about.citation:
        yield from ("## Who made it", "")
        if about.creators:
            yield from (f"- {plain(one)}" for one in about.creators)
            yield ""
        if about.citation:
            yield from ("```", about.citation.replace("```", "'''"), "```", "")


def _some(ids: Sequence[str]) -> str:
    more = ", …" if len(ids) > SHOWN else ""
    return f"{len(ids):,} ({', '.join(plain(one) for one in ids[:SHOWN])}{more})"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun if count == 1 else plural(noun)}"
