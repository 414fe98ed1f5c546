"""Writing the folder: data in three forms, card, metadata, licence, provenance, checksums."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import UsageError
from readmark.core.new_folders import making_folder
from readmark.core.progress import WatchCount
from readmark.core.test import Facts, Test
from readmark.core.version import __version__
from readmark.formats.inputs import SittingInput
from readmark.formats.registry import save_test
from readmark.formats.tables.columns import SPLIT, Column, answers_of, columns_of
from readmark.formats.tables.flat import write_flat
from readmark.making.corpus import corpus_table
from readmark.making.export.about import About, about
from readmark.making.export.card import Card, card_text, description_of
from readmark.making.export.croissant import PublishedFile, croissant
from readmark.making.export.front_matter import front_matter
from readmark.making.export.level_sources import level_sources
from readmark.making.export.people_figure import people_figure
from readmark.making.export.provenance import provenance
from readmark.making.export.publication import CARD, FLAT, NATIVE, SQUAD, Publication
from readmark.making.export.published_parts import PublishedPart, published_test
from readmark.making.export.reports import Reports
from readmark.making.export.unplaced_answers import unplaced_answers, without_unplaced

METADATA, SUMS, TERMS = "croissant.json", "SHA256SUMS", "LICENSE"
_JSON, _LINES = "application/json", "application/jsonlines"
_WHERE = re.compile(r" \(\d+: .*\)$")  # how often and at which ids: the native files have it all
_NAMES = re.compile(r"\((.*)\)")
_ELSEWHERE = ("the header's ", "the passage's split", "the series's split")
"""Losses that other files make up for."""
_READINGS_OF_PART, _READINGS = 4, 5
"""About how often records are read, for each part and besides: what progress is counted in."""


def publish(
    test: Test,
    target: str | Path,
    about: About,
    *,
    hidden: Sequence[str] = (),
    reports: Reports | None = None,
    terms: str | None = None,
    omit: bool = False,
    people: Sequence[SittingInput] = (),
    progress: WatchCount | None = None,
) -> Publication:
    """Write a test with all that goes with it into a new folder, whole or not at all.

    Of ``hidden`` splits the keys are left out. ``terms`` is the licence's text. ``omit`` leaves
    answers without a place out, ``people`` are sittings for people's figure. Equal input gives
    equal bytes: no time, place or machine is noted.
    """
    if Path(target).suffix.lower() in (".zip", ".json", ".jsonl"):
        raise UsageError(f"{target}: name a folder to write")
    reports = reports or Reports()
    facts = test.facts
    header = msgspec.structs.replace(
        test.header, name=about.name, licence=about.licence.name, language=test.language
    )
    read = 0

    def count() -> None:
        nonlocal read
        read += 1
        total = facts.records * (_READINGS_OF_PART * len(parts) + _READINGS)
        if progress is not None:
            progress(min(read, total), total)

    published, parts = published_test(test, hidden, header, count)
    unplaced = unplaced_answers(published, omit=omit)
    levels = level_sources(published)
    figure = people_figure(published, parts, people)
    with making_folder(target) as folder:
        # In the order of the card's list of files. The card lists those before it, and the
        # checksums cover all others.
        writer = _FolderWriter(folder)
        columns = [column for column in columns_of(published) if column.name != SPLIT]
        placed_parts = [without_unplaced(part, unplaced) for part in parts]
        flat, losses = _write_data(writer, parts, placed_parts, columns)
        if test.kind.name == "comprehension":
            losses |= _write_squad(writer, placed_parts, published.facts)
        table = corpus_table(published)
        faults = _faults(published)
        what = "corpus tables: sizes, lengths, levels and types by split"
        writer.document("statistics.json", what, asdict(table))
        if reports.screening is not None:
            what = "every passage that was screened, with reasons"
            writer.put("reports/screening.jsonl", what, _LINES, reports.screening)
        if reports.agreement is not None:
            what = "how far annotators agree"
            writer.put("reports/agreement.json", what, _JSON, reports.agreement)
        writer.document(
            "provenance.json",
            "where the test comes from and what was done to it",
            provenance(published, about, facts, parts, reports, losses, faults)
            | {
                "levels": asdict(levels),
                "people": None if figure is None else figure.as_json(),
                "answers_without_a_place": asdict(unplaced),
            },
        )
        writer.put(TERMS, "the licence", "text/plain", _terms(about, terms).encode())
        card = Card(
            about=about,
            description=description_of(about, table),
            table=table,
            paper=facts.paper,
            key=facts.key,
            parts=parts,
            files=tuple(writer.files),
            columns=columns,
            source=test.header.source,
            fields=published.header.fields,
            reports=reports,
            losses=losses,
            faults=faults,
            unplaced=unplaced,
            levels=levels,
            people=figure,
            version=__version__,
        )
        metadata = croissant(about, card.description, test.language, writer.files, flat, columns)
        writer.document(METADATA, "Croissant metadata", metadata)
        front = front_matter(
            about,
            kind=test.kind.name,
            language=test.language,
            extractive=_is_extractive(published),
            parts=flat,
            columns=columns,
        )
        readme = f"{front}\n{card_text(card)}"
        writer.put(CARD, "the data card", "text/markdown", readme.encode())
        sums = "".join(f"{file.sha256}  {file.path}\n" for file in writer.files)
        writer.put(SUMS, "checksums", "text/plain", sums.encode())
    withheld = {unit.id for part in parts if part.hidden for unit in part.test.units()}
    return Publication(
        output=str(target),
        unit=test.kind.unit_noun,
        name=about.name,
        licence=about.licence.name,
        files=tuple(writer.files),
        parts={
            part.name: {"records": part.records, "units": part.units, "withheld": part.hidden}
            for part in parts
        },
        withheld=len(withheld),
        losses=losses,
        unsaid=about.missing_options(),
        published_keys=[
            part.name for part in parts if part.name in test.header.hidden and not part.hidden
        ],
        agreement=asdict(reports.reach) if reports.reach is not None else None,
        faults=faults,
        paper=facts.paper,
        key=facts.key,
        unplaced=unplaced,
        levels=levels,
        people=None if figure is None else figure.as_json(),
        people_notes=() if figure is None else tuple(figure.marks.notes),
    )


def publish_test(
    test: Test,
    folder: str | Path,
    *,
    hidden: Sequence[str] = (),
    licence: str | None = None,
    name: str | None = None,
    description: str | None = None,
) -> Publication:
    """Write a test into a new folder as `publish` does, with what its publisher says of it."""
    words = about(test, name=name, licence=licence, description=description)
    return publish(test, folder, words, hidden=hidden)


class _FolderWriter:
    """Writes files into a folder, and lists them with their sizes and checksums."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: list[PublishedFile] = []

    def path_of(self, name: str) -> Path:
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        return path

    def list(self, name: str, about: str, media: str) -> None:
        """Add a file that was written to the list."""
        with (self.path / name).open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        size = (self.path / name).stat().st_size
        self.files.append(PublishedFile(name, about, media, size, digest))

    def put(self, name: str, about: str, media: str, data: bytes) -> None:
        self.path_of(name).write_bytes(data)
        self.list(name, about, media)

    def document(self, name: str, about: str, document: Any) -> None:
        data = msgspec.json.format(msgspec.json.encode(document), indent=2)
        self.put(name, about, _JSON, data + b"\n")


def _write_data(
    writer: _FolderWriter,
    parts: Sequence[PublishedPart],
    placed_parts: Sequence[PublishedPart],
    columns: Sequence[Column],
) -> tuple[dict[str, PublishedPart], dict[str, list[str]]]:
    """Flat files where the kind has columns, then Readmark's own; the flat ones by path."""
    flat: dict[str, PublishedPart] = {}
    lost: list[str] = []
    for part in placed_parts if columns else ():
        name = f"{FLAT}/{part.name}.jsonl"
        lost += write_flat(part.test, writer.path_of(name), columns)
        writer.list(name, f"the questions of {part.name}, one per line", _LINES)
        flat[name] = part
    lost_native: list[str] = []
    for part in parts:
        name = f"{NATIVE}/{part.name}.jsonl"
        lost_native += save_test(part.test, writer.path_of(name))
        writer.list(name, f"{part.name} as a Readmark test", _LINES)
    losses = {FLAT: _merged(lost)} if flat else {}
    return flat, {**losses, NATIVE: _merged(lost_native)} if lost_native else losses


def _write_squad(
    writer: _FolderWriter, parts: Sequence[PublishedPart], published: Facts
) -> dict[str, list[str]]:
    """SQuAD's files; the version is that of what is published, so that it reveals nothing else."""
    format, version = ("squad2", "2.0") if published.count("unanswerable") else ("squad", "1.1")
    lost: list[str] = []
    for part in parts:
        name = f"{SQUAD}/{part.name}.json"
        lost += save_test(part.test, writer.path_of(name), format=format)
        writer.list(name, f"{part.name} as SQuAD {version}", _JSON)
    return {SQUAD: _merged(lost)}


def _merged(lost: Sequence[str]) -> list[str]:
    """What several files lost, one line per sort: no counts or ids, names in brackets joined."""
    sorts: dict[str, dict[str, None]] = {}
    for line in lost:
        if line.startswith(_ELSEWHERE):
            continue
        without_ids = _WHERE.sub("", line)
        match = _NAMES.search(without_ids)
        names = match[1].split(", ") if match else ()
        sorts.setdefault(_NAMES.sub("()", without_ids), {}).update(dict.fromkeys(names))
    return [sort.replace("()", f"({', '.join(names)})") for sort, names in sorts.items()]


def _faults(test: Test) -> dict[str, list[str]]:
    """What is structurally wrong in what is published: ids by code, each once."""
    faults: dict[str, dict[str, None]] = {}
    for record in test.records():
        for owner, code, _ in test.kind.findings(record):
            faults.setdefault(code, {})[owner] = None
    return {code: list(ids) for code, ids in faults.items()}


def _terms(about: About, terms: str | None) -> str:
    if terms is not None:
        return terms if terms.endswith("\n") else terms + "\n"
    licence = about.licence
    address = f"\n{licence.url}" if licence.url not in (None, licence.name) else ""
    return f"{about.name} is published under this licence:\n{licence.name}{address}\n"


def _is_extractive(test: Test) -> bool:
    """Whether every answer that is published occurs in its passage."""
    if test.kind.name != "comprehension":
        return False
    return all(
        answer.text in unit.record.text for unit in test.units() for answer in answers_of(unit)
    )
