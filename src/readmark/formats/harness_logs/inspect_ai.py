"""A log of Inspect AI, .eval (a zip) or .json, as a sitting; one that was cut short too."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from readmark.core.errors import DataError
from readmark.core.files import JSON_ERRORS, json_fault
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Sitting
from readmark.core.source import Source
from readmark.core.zips import Zipped
from readmark.formats.harness_logs.logs import (
    LoggedAnswers,
    an_object,
    as_row,
    binding_of,
    decoded,
    error_line,
    generation_settings,
    model_settings,
)
from readmark.hooks import Kind

_HEADER, _START = "header.json", "_journal/start.json"
# An id may hold slashes; what follows it distinguishes a whole sample from one in pieces.
_WHOLE = re.compile(r"^samples/.+_epoch_\d+\.json$")
_SHELL = re.compile(r"^samples/(.+_epoch_\d+)/sample\.json$")
_ATTACHED = "attachment://"
_Log = tuple[Mapping[str, Any], Iterator[tuple[str, dict[str, Any]]]]
"""The header of a log, and its samples with their places."""
_DONE = "success"


class InspectLog:
    """Samples by id and epoch; errors and limits that left no answer are error rows."""

    def recognises(self, source: Source) -> bool:
        """A zip with a log's header, or a JSON document that is a log."""
        if source.path.is_dir():
            return False
        if source.head[:2] == b"PK":
            return source.suffixes[-1:] == (".eval",) or _START in Zipped(source.path).names
        if b'"eval"' not in source.head or not source.looks_json:
            return False
        first = source.first_line  # all of a log that is written on one line, if it is not long
        found = an_object(first if isinstance(first, dict) else source.document)
        return isinstance(found.get("eval"), dict) and (first is None or "status" in found)

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """One row per sample."""
        read = _zip_log if source.head[:2] == b"PK" else _json_log
        header, samples = read(source)
        spec = an_object(header.get("eval"))
        config = an_object(spec.get("config"))
        gathered = LoggedAnswers(kind, source.file, "inspect")
        for place, sample in samples:
            _take(gathered, place, sample)
        epochs = config.get("epochs")
        gathered.repeats = max(gathered.repeats, epochs if isinstance(epochs, int) else 1)
        asked = _asked(spec, gathered)
        _note_unfinished(gathered, header, asked)
        packages = an_object(spec.get("packages"))
        return gathered.sitting(
            candidate=str(spec.get("model") or source.path.name),
            signature={
                "version": str(packages.get("inspect_ai") or ""),
                "task": str(spec.get("task") or ""),
                **model_settings({"base_url": spec.get("model_base_url")}),
                **model_settings(spec.get("model_args")),
                "model": str(spec.get("model") or ""),
            },
            generation=generation_settings(
                an_object(header.get("plan")).get("config"), spec.get("model_generate_config")
            ),
            covers=asked,
        )


def _json_log(source: Source) -> _Log:
    document = an_object(source.json)
    found = document.get("samples") or []
    if not isinstance(found, list):
        raise DataError("samples is not a list", file=source.file)

    samples = ((f"samples[{index}]", an_object(sample)) for index, sample in enumerate(found))
    return document, samples


def _zip_log(source: Source) -> _Log:
    """The header if the run came to its end, else what was written down when it began."""
    packed = Zipped(source.path)
    name = next((one for one in (_HEADER, _START) if one in packed.names), None)
    if name is None:
        raise DataError("is not a log of Inspect AI: it has no header", file=source.file)

    def samples() -> Iterator[tuple[str, dict[str, Any]]]:
        for name in packed.names:
            shell = _SHELL.match(name)
            if shell is not None:
                yield name, _put_together(packed, shell[1], _member(packed, name))
            elif _WHOLE.match(name):
                yield name, _member(packed, name)

    return _member(packed, name), samples()


def _put_together(packed: Zipped, name: str, sample: dict[str, Any]) -> dict[str, Any]:
    """A sample in pieces: its metadata and attachments are in files of their own."""
    metadata = f"samples/{name}/metadata.json"
    if metadata in packed.names:
        sample = {**sample, "metadata": _member(packed, metadata)}
    if _ATTACHED in str(sample.get("output")):
        prefix = f"samples/{name}/attachments/"
        chunks = [name for name in packed.names if name.startswith(prefix)]
        held: list[Any] = []
        for one in sorted(chunks, key=lambda chunk: int(chunk.removeprefix(prefix)[:-5])):
            held += _decoded(packed, one)
        sample = {**sample, "attachments": {str(index): text for index, text in enumerate(held)}}
    return sample


def _member(packed: Zipped, name: str) -> dict[str, Any]:
    found = _decoded(packed, name)
    if not isinstance(found, dict):
        raise DataError("is not a JSON object", file=packed.path, where=name)
    return found


def _decoded(packed: Zipped, name: str) -> Any:
    data = packed.read(name)
    try:
        return decoded(data)[0]
    except JSON_ERRORS as error:
        raise DataError(json_fault(data, error)[0], file=packed.path, where=name) from None


def _take(gathered: LoggedAnswers, place: str, sample: dict[str, Any]) -> None:
    id, epoch = sample.get("id"), sample.get("epoch", 1)
    if not isinstance(id, (str, int)) or not isinstance(epoch, int) or epoch < 1:
        raise DataError("the sample has no id and epoch", file=gathered.file, where=place)
    binding = gathered.bind(binding_of(sample.get("metadata")), place)
    time = sample.get("working_time")
    seconds = float(time) if isinstance(time, (int, float)) else None
    base = {"id": str(id), "repeat": epoch - 1, "seconds": seconds}
    said = _completion(sample)
    why = _why_not(sample, said)
    if why is not None or said is None:
        row = {**base, "error": why or "the sample has no output"}
    else:
        options, ended = sample.get("choices"), _ended(sample)
        answered = as_row(gathered.kind, said, options, binding, ended, thought=_thought(sample))
        row = {**base, **answered, "usage": _usage(sample)}
    gathered.take(row_lines(gathered.kind).convert(row))


def _completion(sample: Mapping[str, Any]) -> str | None:
    """What the model said in the end, without what it thought; None where it said nothing."""
    choice = _choice(sample)
    if choice is None:
        said = an_object(sample.get("output")).get("completion")
        return said if isinstance(said, str) and said else None
    content = an_object(choice.get("message")).get("content")
    if isinstance(content, list):
        parts = [one for one in map(an_object, content) if one.get("type") == "text"]
        content = "".join(str(part.get("text") or "") for part in parts)
    if not isinstance(content, str):
        return None
    if content.startswith(_ATTACHED):
        attached = an_object(sample.get("attachments")).get(content.removeprefix(_ATTACHED))
        return attached if isinstance(attached, str) else None
    return content


def _choice(sample: Mapping[str, Any]) -> dict[str, Any] | None:
    """The first reply, where the model gave any."""
    choices = an_object(sample.get("output")).get("choices")
    return an_object(choices[0]) if isinstance(choices, list) and choices else None


def _thought(sample: Mapping[str, Any]) -> bool:
    content = an_object((_choice(sample) or {}).get("message")).get("content")
    parts = content if isinstance(content, list) else []
    return any(an_object(part).get("type") == "reasoning" for part in parts)


def _why_not(sample: Mapping[str, Any], said: str | None) -> str | None:
    """Why there is no answer: an error, or a limit that came before one."""
    error = sample.get("error") or an_object(sample.get("output")).get("error")
    if error:
        return error_line(an_object(error).get("message") if isinstance(error, dict) else error)
    limit = an_object(sample.get("limit"))
    if limit and not said:
        return error_line(f"limit: {limit.get('type')} {limit.get('limit')}")
    return None


def _ended(sample: Mapping[str, Any]) -> dict[str, Any]:
    """How the reply ended, where it did not end by itself."""
    stop = (_choice(sample) or {}).get("stop_reason")
    found: dict[str, Any] = {}
    if stop not in (None, "stop"):
        found["stop"] = stop
    limit = an_object(sample.get("limit"))
    if limit:
        found["limit"] = limit.get("type")
    return found


def _usage(sample: Mapping[str, Any]) -> dict[str, Any] | None:
    usage = an_object(an_object(sample.get("output")).get("usage"))
    found = {
        ours: usage[theirs]
        for ours, theirs in (("input", "input_tokens"), ("output", "output_tokens"))
        if isinstance(usage.get(theirs), int)
    }
    return found or None


def _asked(spec: Mapping[str, Any], gathered: LoggedAnswers) -> tuple[str, ...] | None:
    """The ids that the run was to ask, when they are not all of the test's."""
    ids = an_object(spec.get("dataset")).get("sample_ids")
    units = gathered.binding.units if gathered.binding is not None else 0
    if not isinstance(ids, list) or not ids or len(ids) >= (units or len(ids)):
        return None
    return tuple(str(one) for one in ids)


def _note_unfinished(
    gathered: LoggedAnswers, header: Mapping[str, Any], asked: tuple[str, ...] | None
) -> None:
    status = str(header.get("status") or "started")
    if status == _DONE:
        return
    units = len(asked) if asked else gathered.binding.units if gathered.binding is not None else 0
    of = f" of {units * gathered.repeats}" if units else ""
    held = sum(
        len(rows) if isinstance(rows := gathered.rows[id], tuple) else 1 for id in gathered.rows
    )
    gathered.note(f"the log is not finished (status {status}): it holds {held}{of} samples")


INSPECT_LOG = InspectLog()
