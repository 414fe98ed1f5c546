"""Training records in files: alone, in a model's JSON or TOML file, in a model's folder."""

from __future__ import annotations

import base64
import textwrap
from pathlib import Path
from typing import Any

import msgspec

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.files import JSON_ERRORS, read_bytes, toml_of
from readmark.core.json_lines import in_words
from readmark.text.fingerprints import RULES
from readmark.text.training_record import FILE, MEMBER, SCHEMA, TrainingRecord


def recorded_in(model: str | Path) -> TrainingRecord | None:
    """The record of a model: in its folder, JSON or TOML file, or next to it; None without one.

    That of a shipped ``ranker.json`` is next to it, so that the model's hash stays as it was.
    """
    path = Path(model)
    if path.is_dir():
        return read_record(path / FILE) if (path / FILE).is_file() else None
    next_to_it = path.with_name(f"{path.stem}.{FILE}")
    if next_to_it.is_file():
        return read_record(next_to_it)
    if not path.is_file():
        return None
    if path.suffix == ".toml":
        return record_in_toml(read_bytes(path), str(path))
    try:
        note = msgspec.json.decode(read_bytes(path), type=_Model).note
    except (ReadmarkError, OSError, *JSON_ERRORS):
        return None  # not a model in JSON: it may be one of another library
    return decode_record(note[MEMBER], str(path)) if MEMBER in note else None


class _Model(msgspec.Struct):
    """The note of a model's JSON file, which says how it was made."""

    note: dict[str, Any] = {}


def read_record(path: str | Path) -> TrainingRecord:
    """The record in a file of its own."""
    try:
        document = msgspec.json.decode(read_bytes(path))
    except JSON_ERRORS as error:
        raise DataError(f"is not a training record: {error}", file=str(path)) from None
    if not isinstance(document, dict) or document.get("file") != MEMBER:
        raise DataError("is not a training record", file=str(path))
    return decode_record(document, str(path))


def record_in_toml(data: bytes, file: str) -> TrainingRecord | None:
    """The record in a TOML file; None without one."""
    document = toml_of(data, file)
    return decode_record(document[MEMBER], file) if MEMBER in document else None


def decode_record(document: Any, file: str) -> TrainingRecord:
    """A record that is a member of a file."""
    version = document.get("readmark") if isinstance(document, dict) else None
    if isinstance(version, int) and version > SCHEMA:
        raise DataError(
            f"newer_schema: the training record is of schema {version}, this Readmark reads up to "
            f"{SCHEMA}",
            file=file,
        )
    try:
        record = msgspec.convert(document, TrainingRecord)
    except (msgspec.ValidationError, ValueError) as error:
        fault = in_words(error) if isinstance(error, msgspec.ValidationError) else error
        raise DataError(f"the training record: {fault}", file=file) from None
    if record.rules != RULES:
        raise DataError(
            f"the training record compares texts by {record.rules!r}, this version by {RULES!r}",
            file=file,
        )
    return record


def toml_table(record: TrainingRecord) -> list[str]:
    """The lines of a record's table, for the end of a TOML file."""
    lines = [f"[{MEMBER}]", f"readmark = {record.readmark}", f'rules = "{record.rules}"']
    for source in record.sources:
        lines += ["", f"[[{MEMBER}.sources]]"]
        for name, value in msgspec.to_builtins(source, builtin_types=(bytes,)).items():
            if isinstance(value, bytes):
                wrapped = textwrap.wrap(base64.b64encode(value).decode(), 96)
                lines += [f'{name} = """\\', *(f"{line}\\" for line in wrapped), '"""']
            elif value is not None:
                # JSON's strings, whole numbers and lists of them are TOML's too.
                lines.append(f"{name} = {msgspec.json.encode(value).decode()}")
    return lines
