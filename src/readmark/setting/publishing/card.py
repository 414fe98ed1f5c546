"""The data card: a README that tells people what a test holds, how it was made and marked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from readmark.corpus.values import AS_WRITTEN
from readmark.setting.publishing.about import About
from readmark.setting.publishing.columns import Column
from readmark.setting.publishing.croissant import Filed
from readmark.setting.publishing.parts import Part
from readmark.setting.publishing.reports import Reports
from readmark.setting.tables import WHOLE, CorpusTable

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


def described(about: About, table: CorpusTable) -> str:
    """The publisher's description, else a sentence of what is counted."""
    if about.description:
        return about.description
    language = _LANGUAGES.get(table.language, table.language)
    units = _counted(table.units, table.unit_noun)
    records = _counted(table.records, table.record_noun)
    return f"A {table.kind} test in {language}: {units} in {records}."


def card_text(card: Card) -> str:
    """The card in Markdown, without its front matter."""
    lines = [
        f"# {_plain(card.about.name)}",
        "",
        card.description,
        "",
        *_sizes(card),
        *_files(card),
        *_columns(card),
        *_making(card),
        *_marking(card),
        *_faults(card),
        *_terms(card),
    ]
    return "\n".join(lines).rstrip("\n") + "\n"


def _sizes(card: Card) -> Iterator[str]:
    table = card.table
    yield from ("## What it holds", "")
    hidden = {part.name: part.hidden for part in card.parts}
    rows = []
    for one in table.splits:
        each = "" if one.answers_each is None else f"{one.answers_each:.2f}"
        name = "unsplit" if one.name == "-" else one.name
        key = "" if name == WHOLE else "withheld" if hidden.get(name) else "published"
        rows.append([name, f"{one.records:,}", f"{one.units:,}", each, key])
    if not rows:
        rows = [["unsplit", f"{table.records:,}", f"{table.units:,}",
                 f"{table.answers_per_unit:.2f}", "published"]]  # fmt: skip
    noun, unit = _plural(table.record_noun), _plural(table.unit_noun)
    yield from _table(["split", noun, unit, "answers each", "key"], rows, numbers=(1, 2, 3))
    yield from _table(
        [f"length in {table.unit}", "longest", "mean"],
        [[what, f"{one.longest:,}", f"{one.mean:.1f}"] for what, one in table.lengths.items()],
        numbers=(1, 2),
    )
    for field in ("level", "type"):
        counts = table.distributions.get(field) or (table.types if field == "type" else {})
        if counts:
            total = sum(counts.values())
            named = {"-": "withheld or none" if any(hidden.values()) else "none"}
            yield from _table(
                [field, unit, "share"],
                [[named.get(name, name), f"{count:,}", f"{100 * count / total:.1f}%"]
                 for name, count in counts.items()],
                numbers=(1, 2),
            )  # fmt: skip
    if any(hidden.values()):
        names = ", ".join(f"`{name}`" for name, one in hidden.items() if one)
        yield f"The key of {names} is withheld: no answer and no label of its questions is in the"
        yield "data, and the tables are made without them."
        yield ""
    if table.types and not table.distributions.get("type"):
        yield "Types are told by rules from the words of the questions."
        yield ""


def _files(card: Card) -> Iterator[str]:
    yield from ("## Files", "")
    rows = [[f"`{one.path}`", one.about, f"{one.size:,}"] for one in card.files]
    yield from _table(["file", "what it is", "bytes"], rows, numbers=(2,))
    yield "`croissant.json` describes them for machines; `SHA256SUMS` has their checksums"
    yield "(`sha256sum -c SHA256SUMS`)."
    yield ""
    for format, lost in card.losses.items():
        if lost:
            yield f"Of `{format}/`, which cannot hold all that `native/` does:"
            yield ""
            yield from (f"- {_plain(line)}" for line in lost)
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
    yield from _table(["column", "type", "what it is"], rows)


def _making(card: Card) -> Iterator[str]:
    yield from ("## How it was made", "")
    if card.source:
        yield from (f"Source: {_plain(card.source)}", "")
    told = {name: value for name, value in card.fields.items() if name != AS_WRITTEN}
    if told:
        yield f"`provenance.json` has {', '.join(f'`{_plain(name)}`' for name in told)}."
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
            yield from _table(["discarded for", "passages"], rows, numbers=(1,))
        if screened.unscreened:
            yield f"{_counted(screened.unscreened, 'passage')} of this test are not in the report."
            yield ""
        if screened.against:
            yield f"Published although the report discards them: {_some(screened.against)}."
            yield ""
    if card.reports.agreed:
        yield "Agreement of annotators; `reports/agreement.json` has it in full."
        yield ""
        yield from _table(
            ["what", "annotators", "units", "measure", "value", "interval"],
            list(_agreement(card.reports)),
            numbers=(1, 2, 4),
        )


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
        yield "Answers as `{id: text}`, or a sitting, are marked by Readmark:"
        yield from ("", "```sh", f"readmark mark native/{part.name}.jsonl answers.json", "```", "")
    yield f"Fingerprint of the paper (ids and texts): `{card.paper}`; of the key: `{card.key}`."
    yield "They are of the whole test, hidden keys included, so they show that it has not changed."
    yield f"Made with Readmark {card.version}."
    yield ""


def _faults(card: Card) -> Iterator[str]:
    if card.faults:
        yield from ("## Known faults", "")
        rows = [[f"`{code}`", _some(ids)] for code, ids in card.faults.items()]
        yield from _table(["what `readmark check` finds", "where"], rows)
        if "offset" in card.faults:
            yield "Where an offset does not point at its answer, marks go by the answer's words."
            yield ""


def _terms(card: Card) -> Iterator[str]:
    about = card.about
    yield from ("## Licence", "")
    link = f" ({about.licence.url})" if about.licence.url not in (None, about.licence.name) else ""
    yield f"{_plain(about.licence.name)}{link}; see `LICENSE`."
    yield ""
    if about.creators or about.citation:
        yield from ("## Who made it", "")
        if about.creators:
            yield from (f"- {_plain(one)}" for one in about.creators)
            yield ""
        if about.citation:
            yield from ("```", about.citation.replace("```", "'''"), "```", "")


def _table(
    header: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: Sequence[int] = ()
) -> Iterator[str]:
    yield f"| {' | '.join(header)} |"
    rules = ["---:" if at in numbers else "---" for at in range(len(header))]
    yield f"| {' | '.join(rules)} |"
    for row in rows:
        yield f"| {' | '.join(_cell(one) for one in row)} |"
    yield ""


def _cell(text: str) -> str:
    return _plain(text).replace("|", "\\|")


def _plain(text: str) -> str:
    """Words on one line that no reader of Markdown takes for HTML."""
    return " ".join(text.split()).replace("<", "&lt;")


def _some(ids: Sequence[str]) -> str:
    more = ", …" if len(ids) > SHOWN else ""
    return f"{len(ids):,} ({', '.join(_plain(one) for one in ids[:SHOWN])}{more})"


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") else f"{noun}s"


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun if count == 1 else _plural(noun)}"
