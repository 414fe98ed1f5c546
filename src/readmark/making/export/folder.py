"""Writing the folder: data in three shapes, card, metadata, licence, provenance, checksums."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console

from readmark.core.display import Result, counted, plain_table
from readmark.core.distinct_files import require_distinct_files
from readmark.core.encodings import decoded_as
from readmark.core.errors import UsageError
from readmark.core.files import read_bytes
from readmark.core.new_folders import making_folder, require_new_folder
from readmark.core.progress import WatchCount
from readmark.core.records import AS_WRITTEN
from readmark.core.splits import select_split
from readmark.core.test import SCHEMA, Facts, Test
from readmark.core.version import __version__
from readmark.formats.inputs import SittingInput
from readmark.formats.registry import save_test
from readmark.formats.tables.columns import SPLIT, Column, answers_of, columns_of
from readmark.formats.tables.flat import write_flat
from readmark.making.corpus import corpus_table
from readmark.making.export.about import (
    About,
    LevelSources,
    PublishedPart,
    Unplaced,
    about,
    level_sources,
    placed_part,
    published,
    unplaced,
)
from readmark.making.export.card import Card, card_text, described, front_matter
from readmark.making.export.croissant import Filed, croissant
from readmark.making.export.reports import Reports, people_figure, read_reports

KEEP, OMIT = "keep", "omit"
"""What becomes of answers without a place in their passages, in both folders of SQuAD's shape."""
FLAT, NATIVE, SQUAD = "data", "native", "squad"
CARD, METADATA, SUMS, TERMS = "README.md", "croissant.json", "SHA256SUMS", "LICENSE"
_JSON, _LINES = "application/json", "application/jsonlines"
_WHERE = re.compile(r" \(\d+: .*\)$")  # how often and at which ids: the native files have it all
_NAMES = re.compile(r"\((.*)\)")
_ELSEWHERE = ("the header's ", "the passage's split", "the series's split")
"""Losses that other files make up for."""
_READINGS_EACH, _READINGS = 4, 5  # how often records are read, a part and besides; about
_GIVEN_AWAY = {
    "hidden": "covers hidden splits, so it reveals something of their labels",
    "unknown": "does not say whether it is of hidden splits too, whose labels it would give away",
}


@dataclass(frozen=True, slots=True)
class Publication(Result):
    """What was published: files in order, parts, keys withheld, what a format could not hold."""

    output: str
    name: str
    licence: str
    files: tuple[Filed, ...]
    parts: Mapping[str, Mapping[str, Any]]
    withheld: int
    """Questions whose key was left out."""
    losses: Mapping[str, Sequence[str]]
    unsaid: Sequence[str]
    """Options that Croissant asks for and nobody gave."""
    published_keys: Sequence[str]
    """Splits that the header hides and whose keys are published all the same."""
    agreement: Mapping[str, Any] | None
    """The splits of the agreement report: published, hidden, or unknown."""
    faults: Mapping[str, Sequence[str]]
    """Ids by the code of what is wrong with them, as `check` reports it."""
    paper: str
    key: str
    unplaced: Unplaced = field(default_factory=Unplaced)
    """The answers that have no place in their passages."""
    levels: LevelSources = field(default_factory=LevelSources)
    people: Mapping[str, Any] | None = None
    """People's figure on what is published, as `people --json` prints it; nobody is named."""
    people_notes: Sequence[str] = ()
    """What there is to know of people's sittings."""
    unit: str = "question"
    """What a unit of the test is."""
    warnings: tuple[str, ...] = ()
    """What is given away of hidden splits."""
    keys: Mapping[str, str] = field(default_factory=dict)
    """The file with the key of each hidden split, outside the published folder."""

    @property
    def card(self) -> Path:
        """The data card."""
        return Path(self.output) / CARD

    def as_json(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if name != "warnings"}

    def show(self, console: Console) -> None:
        console.print(f"{self.name}: licence {self.licence}")
        table = plain_table("split", "records", f"{self.unit}s")
        table.add_column("key")
        for name, part in self.parts.items():
            key = "withheld" if part["withheld"] else "published"
            table.add_row(name, f"{part['records']:,}", f"{part['units']:,}", key)
        console.print(table)
        files = plain_table("file", "bytes")
        files.add_column("what it is", overflow="fold")
        for file in self.files:
            files.add_row(file.path, f"{file.size:,}", file.about)
        console.print(files)
        if self.withheld:
            console.print(f"without their key: {counted(self.withheld, self.unit)}")
        for split, path in self.keys.items():
            console.print(f"key of {split}, not to be published: {path}", soft_wrap=True)
        console.print(f"paper {self.paper}", style="dim")
        console.print(f"key   {self.key}", style="dim")

    @property
    def notes(self) -> tuple[str, ...]:
        """What the formats lost, what is wrong in the data, and what Croissant misses."""
        notes = [f"{format}/: {'; '.join(lost)}" for format, lost in self.losses.items() if lost]
        where = " and ".join(f"{name}/" for name in (FLAT, SQUAD) if name in self.losses)
        notes += [f"{where}: {line}" for line in self.unplaced.lines]
        if self.unplaced.answers and not self.unplaced.omitted:
            notes.append("--unplaced omit leaves such answers out of these folders")
        notes += self.people_notes
        if self.faults:
            codes = ", ".join(f"{code} {len(ids)}" for code, ids in self.faults.items())
            notes.append(f"problems listed in the card: {codes}; `readmark check` lists them")
        if self.unsaid:
            notes.append(f"Croissant requires fields that are missing: {', '.join(self.unsaid)}")
        return tuple(notes)


def export(
    test: Test,
    output: str | Path,
    *,
    public: bool = True,
    hide: Sequence[str] = (),
    screening: str | Path | None = None,
    agreement: str | Path | None = None,
    covers_hidden: bool = False,
    licence_file: str | Path | None = None,
    keys: str | Path | None = None,
    unplaced: str = KEEP,
    people: Sequence[SittingInput] = (),
    progress: WatchCount | None = None,
    **words: Any,
) -> Publication:
    """Write a test and its data card into a new folder.

    ``public`` leaves out the keys of the splits that the header or ``hide`` names. ``screening``
    and ``agreement`` are reports to include; one that covers hidden splits needs
    ``covers_hidden``. ``keys`` is the folder that gets a test with its key for each hidden split,
    ``OUTPUT.keys`` by default. ``unplaced`` is ``omit`` to leave answers out of ``data/`` and
    ``squad/`` that have no place in their passages. ``people`` are sittings that people's figure
    on the card is of. ``words`` are the publisher's, as `about` takes them.
    """
    if hide and not public:
        raise UsageError("--hide and --with-keys exclude each other")
    if covers_hidden and (agreement is None or not public):
        raise UsageError("--agreement-covers-hidden is for --agreement where keys are withheld")
    if unplaced not in (KEEP, OMIT):
        raise UsageError(f"unplaced {unplaced!r} is not one of {KEEP}|{OMIT}")
    require_distinct_files([output], [test.file, screening, agreement, licence_file])
    folder, source = Path(output).resolve(), Path(test.file).resolve()
    if source.is_dir() and folder.is_relative_to(source):
        raise UsageError(f"{output} is within {test.file}: write to another place")
    private = Path(f"{folder}.keys") if keys is None else Path(keys).resolve()
    if private.is_relative_to(folder):
        raise UsageError(
            f"{private.name} is within {output}, which is published: name a folder outside"
        )
    said = about(test, **words)
    terms = None
    if licence_file is not None:
        terms = decoded_as(read_bytes(licence_file), str(licence_file)).text
    hidden = tuple(dict.fromkeys((*test.header.hidden, *hide))) if public else ()
    if not hidden and keys is not None:
        raise UsageError("`keys` is for the keys of hidden splits, and nothing is hidden")
    if hidden and private.exists():
        raise UsageError(f"{keys or f'{output}.keys'} exists: name another folder with `keys`")
    reports = read_reports(
        test,
        screening=screening,
        agreement=agreement,
        hidden=hidden,
        covers_hidden=covers_hidden,
    )
    done = publish(
        test,
        output,
        said,
        hidden=hidden,
        reports=reports,
        terms=terms,
        omit=unplaced == OMIT,
        people=people,
        progress=progress,
    )
    written = _put_keys(test, hidden, private, str(keys or f"{output}.keys")) if hidden else {}
    warnings = []
    if done.published_keys:
        warnings.append(f"keys of hidden splits are published: {', '.join(done.published_keys)}")
    if reports.reach is not None and reports.reach.covers in _GIVEN_AWAY:
        warnings.append(f"{agreement}: {_GIVEN_AWAY[reports.reach.covers]}")
    return replace(done, warnings=tuple(warnings), keys=written)


def export_languages(
    tests: Sequence[Test],
    output: str | Path,
    *,
    screening: str | Path | None = None,
    keys: str | Path | None = None,
    people: Sequence[SittingInput] = (),
    **wanted: Any,
) -> dict[str, Publication]:
    """Export parallel tests, each to the folder of its language in ``output``.

    One test goes to ``output`` itself, under the name "". The keys of hidden splits are in
    folders by language too. ``wanted`` is what `export` takes.
    """
    if len(tests) == 1:
        only = export(tests[0], output, screening=screening, keys=keys, people=people, **wanted)
        return {"": only}
    languages = {test.language: test for test in tests}
    if len(languages) < len(tests):
        raise UsageError(
            f"{tests[0].file} and {tests[1].file} are tests in one language: export one at a time"
        )
    for name, value in (("screening", screening), ("people", people)):
        if value:
            raise UsageError(f"`{name}` is about one test: export one at a time")
    for language in languages:  # before the first is written
        require_new_folder(Path(output) / language)
    private = Path(f"{Path(output)}.keys" if keys is None else keys)
    if private.resolve().is_relative_to(Path(output).resolve()):
        raise UsageError(
            f"{private.name} is within {output}, which is published: name a folder outside"
        )
    publications = {}
    for language, test in languages.items():
        has_keys = keys is not None or test.header.hidden or wanted.get("hide")
        own_keys = private / language if has_keys and wanted.get("public", True) else keys
        folders = [Path(output) / language, *([own_keys] if own_keys is not None else [])]
        for folder in folders:
            Path(folder).parent.mkdir(parents=True, exist_ok=True)
        publications[language] = export(test, folders[0], keys=own_keys, **wanted)
    return publications


def _put_keys(test: Test, hidden: Sequence[str], folder: Path, shown: str) -> dict[str, str]:
    """A test with its key for each hidden split, as its organiser marks submissions with."""
    keyed = replace(test, header=msgspec.structs.replace(test.header, hidden=tuple(hidden)))
    with making_folder(folder) as made:
        for name in hidden:  # their names have become names of files in the published folder
            save_test(select_split(keyed, name), made / f"{name}.jsonl")
    return {name: f"{shown}/{name}.jsonl" for name in hidden}


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
        total = facts.records * (_READINGS_EACH * len(parts) + _READINGS)
        if progress is not None:
            progress(min(read, total), total)

    shown, parts = published(test, hidden, header, count)
    no_place = unplaced(shown, omit=omit)
    levels = level_sources(shown)
    figure = people_figure(shown, parts, people)
    with making_folder(target) as folder:
        made = _Folder(folder)
        columns = [column for column in columns_of(shown) if column.name != SPLIT]
        placed = [placed_part(part, no_place) for part in parts]
        flat, losses = _put_data(made, parts, placed, columns)
        if test.kind.name == "comprehension":
            losses |= _put_squad(made, placed, shown.facts)
        table = corpus_table(shown)
        faults = _faults(shown)
        what = "corpus tables: sizes, lengths, levels and types by split"
        made.document("statistics.json", what, asdict(table))
        for name, what, data in (
            ("screening.jsonl", "every passage that was screened, with reasons", reports.screening),
            ("agreement.json", "how far annotators agree", reports.agreement),
        ):
            if data is not None:
                made.put(f"reports/{name}", what, _LINES if name[-1] == "l" else _JSON, data)
        made.document(
            "provenance.json",
            "where the test comes from and what was done to it",
            _provenance(shown, about, facts, parts, reports, losses, faults)
            | {
                "levels": asdict(levels),
                "people": None if figure is None else figure.as_json(),
                "answers_without_a_place": asdict(no_place),
            },
        )
        made.put(TERMS, "the licence", "text/plain", _terms(about, terms).encode())
        told = Card(
            about=about,
            description=described(about, table),
            table=table,
            paper=facts.paper,
            key=facts.key,
            parts=parts,
            files=tuple(made.files),
            columns=columns,
            source=test.header.source,
            fields=shown.header.fields,
            reports=reports,
            losses=losses,
            faults=faults,
            unplaced=no_place,
            levels=levels,
            people=figure,
            version=__version__,
        )
        metadata = croissant(about, told.description, test.language, made.files, flat, columns)
        made.document(METADATA, "Croissant metadata", metadata)
        front = front_matter(
            about,
            kind=test.kind.name,
            language=test.language,
            extractive=_extractive(shown),
            parts=flat,
            columns=columns,
        )
        made.put(CARD, "the data card", "text/markdown", f"{front}\n{card_text(told)}".encode())
        sums = "".join(f"{file.sha256}  {file.path}\n" for file in made.files)
        made.put(SUMS, "checksums", "text/plain", sums.encode())
    unseen = {unit.id for part in parts if part.hidden for unit in part.test.units()}
    return Publication(
        output=str(target),
        unit=test.kind.unit_noun,
        name=about.name,
        licence=about.licence.name,
        files=tuple(made.files),
        parts={
            part.name: {"records": part.records, "units": part.units, "withheld": part.hidden}
            for part in parts
        },
        withheld=len(unseen),
        losses=losses,
        unsaid=about.unsaid(),
        published_keys=[
            part.name for part in parts if part.name in test.header.hidden and not part.hidden
        ],
        agreement=asdict(reports.reach) if reports.reach is not None else None,
        faults=faults,
        paper=facts.paper,
        key=facts.key,
        unplaced=no_place,
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


class _Folder:
    """A folder that notes what is put into it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.files: list[Filed] = []

    def place(self, name: str) -> Path:
        path = self.path / name
        path.parent.mkdir(exist_ok=True)
        return path

    def note(self, name: str, about: str, media: str) -> None:
        with (self.path / name).open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        size = (self.path / name).stat().st_size
        self.files.append(Filed(name, about, media, size, digest))

    def put(self, name: str, about: str, media: str, data: bytes) -> None:
        self.place(name).write_bytes(data)
        self.note(name, about, media)

    def document(self, name: str, about: str, document: Any) -> None:
        data = msgspec.json.format(msgspec.json.encode(document), indent=2)
        self.put(name, about, _JSON, data + b"\n")


def _put_data(
    made: _Folder,
    parts: Sequence[PublishedPart],
    placed: Sequence[PublishedPart],
    columns: Sequence[Column],
) -> tuple[dict[str, PublishedPart], dict[str, list[str]]]:
    """Flat files where the kind has columns, then Readmark's own; the flat ones by path."""
    flat: dict[str, PublishedPart] = {}
    lost: list[str] = []
    for part in placed if columns else ():
        name = f"{FLAT}/{part.name}.jsonl"
        lost += write_flat(part.test, made.place(name), columns)
        made.note(name, f"the questions of {part.name}, one a line", _LINES)
        flat[name] = part
    own: list[str] = []
    for part in parts:
        name = f"{NATIVE}/{part.name}.jsonl"
        own += save_test(part.test, made.place(name))
        made.note(name, f"{part.name} as a Readmark test", _LINES)
    losses = {FLAT: _merged(lost)} if flat else {}
    return flat, {**losses, NATIVE: _merged(own)} if own else losses


def _put_squad(made: _Folder, parts: Sequence[PublishedPart], shown: Facts) -> dict[str, list[str]]:
    """SQuAD's files; what is ``shown`` decides the version, so that it reveals nothing else."""
    format, version = ("squad2", "2.0") if shown.count("unanswerable") else ("squad", "1.1")
    lost: list[str] = []
    for part in parts:
        name = f"{SQUAD}/{part.name}.json"
        lost += save_test(part.test, made.place(name), format=format)
        made.note(name, f"{part.name} as SQuAD {version}", _JSON)
    return {SQUAD: _merged(lost)}


def _merged(lost: Sequence[str]) -> list[str]:
    """What several files lost, one line per sort: no counts or ids, names in brackets joined."""
    sorts: dict[str, dict[str, None]] = {}
    for told in lost:
        if told.startswith(_ELSEWHERE):
            continue
        bare = _WHERE.sub("", told)
        match = _NAMES.search(bare)
        names = match[1].split(", ") if match else ()
        sorts.setdefault(_NAMES.sub("()", bare), {}).update(dict.fromkeys(names))
    return [sort.replace("()", f"({', '.join(names)})") for sort, names in sorts.items()]


def _provenance(
    test: Test,
    about: About,
    facts: Facts,
    parts: Sequence[PublishedPart],
    reports: Reports,
    losses: Mapping[str, Sequence[str]],
    faults: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    header = test.header
    return {
        "made_with": {"readmark": __version__, "schema": SCHEMA},
        "test": {
            "name": about.name,
            "kind": header.kind,
            "language": test.language,
            "licence": about.licence.name,
            "source": header.source,
            "profile": header.profile,
            "fields": {name: it for name, it in header.fields.items() if name != AS_WRITTEN},
        },
        "fingerprints": {
            "whole": {"paper": facts.paper, "key": facts.key},
            **{
                part.name: {"paper": part.test.facts.paper, "key": part.test.facts.key}
                for part in parts
            },
        },
        "withheld": [part.name for part in parts if part.hidden],
        "screening": asdict(reports.screened) if reports.screened is not None else None,
        "agreement": [asdict(agreed) for agreed in reports.agreed],
        "agreement_covers": asdict(reports.reach) if reports.reach is not None else None,
        "known_faults": faults,
        "not_held": losses,
    }


def _faults(test: Test) -> dict[str, list[str]]:
    """What is structurally wrong in what is published: ids by code, each once."""
    found: dict[str, dict[str, None]] = {}
    for record in test.records():
        for owner, code, _ in test.kind.findings(record):
            found.setdefault(code, {})[owner] = None
    return {code: list(ids) for code, ids in found.items()}


def _terms(about: About, terms: str | None) -> str:
    if terms is not None:
        return terms if terms.endswith("\n") else terms + "\n"
    where = f"\n{about.licence.url}" if about.licence.url not in (None, about.licence.name) else ""
    return f"{about.name} is published under this licence:\n{about.licence.name}{where}\n"


def _extractive(test: Test) -> bool:
    """Whether every answer that is published occurs in its passage."""
    if test.kind.name != "comprehension":
        return False
    return all(
        answer.text in unit.record.text for unit in test.units() for answer in answers_of(unit)
    )
