"""Exporting a test: the published folder, and the keys of hidden splits beside it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.distinct_files import require_distinct_files
from readmark.core.encodings import decoded_as
from readmark.core.errors import UsageError
from readmark.core.files import read_bytes
from readmark.core.new_folders import making_folder, require_new_folder
from readmark.core.progress import WatchCount
from readmark.core.splits import select_split
from readmark.core.test import Test
from readmark.formats.inputs import SittingInput
from readmark.formats.registry import save_test
from readmark.making.export.about import about
from readmark.making.export.folder import publish
from readmark.making.export.publication import Publication
from readmark.making.export.reports import read_reports

KEEP, OMIT = "keep", "omit"
"""What becomes of answers without a place in their passages, in both folders of SQuAD's shape."""
_GIVEN_AWAY = {
    "hidden": "covers hidden splits, so it reveals something of their labels",
    "unknown": "does not say whether it covers hidden splits too, whose labels it would reveal",
}


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
    ``squad/`` that have no place in their passages. ``people`` are sittings for people's figure
    on the card. ``words`` are the publisher's, as `about` takes them.
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
    publisher = about(test, **words)
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
    publication = publish(
        test,
        output,
        publisher,
        hidden=hidden,
        reports=reports,
        terms=terms,
        omit=unplaced == OMIT,
        people=people,
        progress=progress,
    )
    key_files = {}
    if hidden:
        key_files = _write_keys(test, hidden, private, str(keys or f"{output}.keys"))
    warnings = []
    if publication.published_keys:
        splits = ", ".join(publication.published_keys)
        warnings.append(f"keys of hidden splits are published: {splits}")
    if reports.reach is not None and reports.reach.covers in _GIVEN_AWAY:
        warnings.append(f"{agreement}: {_GIVEN_AWAY[reports.reach.covers]}")
    return replace(publication, warnings=tuple(warnings), keys=key_files)


def export_languages(
    tests: Sequence[Test],
    output: str | Path,
    *,
    screening: str | Path | None = None,
    keys: str | Path | None = None,
    people: Sequence[SittingInput] = (),
    **how: Any,
) -> dict[str, Publication]:
    """Export parallel tests, each to the folder of its language in ``output``.

    One test goes to ``output`` itself, under the name "". The keys of hidden splits are in
    folders by language too. ``how`` is what `export` takes.
    """
    if len(tests) == 1:
        only = export(tests[0], output, screening=screening, keys=keys, people=people, **how)
        return {"": only}
    languages = {test.language: test for test in tests}
    if len(languages) < len(tests):
        raise UsageError(
            f"{tests[0].file} and {tests[1].file} are tests in one language: export one at a time"
        )
    for name, value in (("screening", screening), ("people", people)):
        if value:
            raise UsageError(f"`{name}` is about one test: export one at a time")
    for language in languages:  # refused before the first is written
        require_new_folder(Path(output) / language)
    private = Path(f"{Path(output)}.keys" if keys is None else keys)
    if private.resolve().is_relative_to(Path(output).resolve()):
        raise UsageError(
            f"{private.name} is within {output}, which is published: name a folder outside"
        )
    publications = {}
    for language, test in languages.items():
        has_keys = keys is not None or test.header.hidden or how.get("hide")
        keys_folder = private / language if has_keys and how.get("public", True) else keys
        folders = [Path(output) / language, *([keys_folder] if keys_folder is not None else [])]
        for folder in folders:
            Path(folder).parent.mkdir(parents=True, exist_ok=True)
        publications[language] = export(test, folders[0], keys=keys_folder, **how)
    return publications


def _write_keys(test: Test, hidden: Sequence[str], folder: Path, printed: str) -> dict[str, str]:
    """A test with its key for each hidden split, as its organiser marks submissions with."""
    keyed = replace(test, header=msgspec.structs.replace(test.header, hidden=tuple(hidden)))
    with making_folder(folder) as new_folder:
        for name in hidden:  # fit for file names: the published folder has files of these names
            save_test(select_split(keyed, name), new_folder / f"{name}.jsonl")
    return {name: f"{printed}/{name}.jsonl" for name in hidden}
