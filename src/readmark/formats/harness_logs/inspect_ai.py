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
from readmark.formats.harness_logs.bindings import binding_of
from readmark.formats.harness_logs.decoding import decoded, object_or_empty
from readmark.formats.harness_logs.logged_answers import LoggedAnswers
from readmark.formats.harness_logs.replies import as_row
from readmark.formats.harness_logs.settings import error_line, generation_settings, model_settings
from readmark.hooks import Kind

_HEADER, _START = "header.json", "_journal/start.json"
# An id may hold slashes; what follows it distinguishes a whole sample from one in pieces.
_WHOLE = re.compile(r"^samples/.+_epoch_\d+\.json$")
_SHELL = re.compile(r"^samples/(.+_epoch_\d+)/sample\.json$")
_ATTACHED = "attachment://"
_OpenLog = tuple[Mapping[str, Any], Iterator[tuple[str, dict[str, Any]]]]
"""The header of a log, and its samples with their places."""


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
        log = object_or_empty(first if isinstance(first, dict) else source.document)
        return isinstance(log.get("eval"), dict) and (first is None or "status" in log)

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """One row per sample."""
        is_zip = source.head[:2] == b"PK"
        header, samples = _zip_log(source) if is_zip else _json_log(source)
        spec = object_or_empty(header.get("eval"))
        config = object_or_empty(spec.get("config"))
        answers = LoggedAnswers(kind, source.file, "inspect")
        for place, sample in samples:
            _add_sample(answers, place, sample)
        epochs = config.get("epochs")
        answers.repeats = max(answers.repeats, epochs if isinstance(epochs, int) else 1)
        covers = _covered_ids(spec, answers)
        _note_unfinished(answers, header, covers)
        packages = object_or_empty(spec.get("packages"))
        return answers.sitting(
            candidate=str(spec.get("model") or source.path.name),
            signature={
                "version": str(packages.get("inspect_ai") or ""),
                "task": str(spec.get("task") or ""),
                **model_settings({"base_url": spec.get("model_base_url")}),
                **model_settings(spec.get("model_args")),
                "model": str(spec.get("model") or ""),
            },
            generation=generation_settings(
                object_or_empty(header.get("plan")).get("config"), spec.get("model_generate_config")
            ),
            covers=covers,
        )


def _json_log(source: Source) -> _OpenLog:
    document = object_or_empty(source.json)
    samples = document.get("samples") or []
    if not isinstance(samples, list):
        raise DataError("samples is not a list", file=source.file)
    return document, (
        (f"samples[{index}]", object_or_empty(sample)) for index, sample in enumerate(samples)
    )


def _zip_log(source: Source) -> _OpenLog:
    """The header if the run came to its end, else what was written down when it began."""
    packed = Zipped(source.path)
    name = next((name for name in (_HEADER, _START) if name in packed.names), None)
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
        chunks = [chunk for chunk in packed.names if chunk.startswith(prefix)]
        texts: list[Any] = []
        for chunk in sorted(chunks, key=lambda chunk: int(chunk.removeprefix(prefix)[:-5])):
            texts += _decoded(packed, chunk)
        sample = {**sample, "attachments": {str(index): text for index, text in enumerate(texts)}}
    return sample


def _member(packed: Zipped, name: str) -> dict[str, Any]:
    member = _decoded(packed, name)
    if not isinstance(member, dict):
        raise DataError("is not a JSON object", file=packed.path, where=name)
    return member


def _decoded(packed: Zipped, name: str) -> Any:
    data = packed.read(name)
    try:
        return decoded(data)[0]
    except JSON_ERRORS as error:
        raise DataError(json_fault(data, error)[0], file=packed.path, where=name) from None


def _add_sample(answers: LoggedAnswers, place: str, sample: dict[str, Any]) -> None:
    id, epoch = sample.get("id"), sample.get("epoch", 1)
    if not isinstance(id, (str, int)) or not isinstance(epoch, int) or epoch < 1:
        raise DataError("the sample has no id and epoch", file=answers.file, where=place)
    binding = answers.bind(binding_of(sample.get("metadata")), place)
    time = sample.get("working_time")
    seconds = float(time) if isinstance(time, (int, float)) else None
    row: dict[str, Any] = {"id": str(id), "repeat": epoch - 1, "seconds": seconds}
    reply = _reply(sample)
    error = _error(sample, reply)
    if error is not None or reply is None:
        row["error"] = error or "the sample has no output"
    else:
        row |= as_row(
            answers.kind,
            reply,
            sample.get("choices"),
            binding,
            _early_end(sample),
            has_thoughts=_has_thoughts(sample),
        )
        row["usage"] = _usage(sample)
    answers.take(row_lines(answers.kind).convert(row))


def _reply(sample: Mapping[str, Any]) -> str | None:
    """What the model said in the end, without what it thought; None where it said nothing."""
    choice = _choice(sample)
    if choice is None:
        completion = object_or_empty(sample.get("output")).get("completion")
        return completion if isinstance(completion, str) and completion else None
    content = object_or_empty(choice.get("message")).get("content")
    if isinstance(content, list):
        parts = [part for part in map(object_or_empty, content) if part.get("type") == "text"]
        content = "".join(str(part.get("text") or "") for part in parts)
    if not isinstance(content, str):
        return None
    if content.startswith(_ATTACHED):
        attachment = content.removeprefix(_ATTACHED)
        text = object_or_empty(sample.get("attachments")).get(attachment)
        return text if isinstance(text, str) else None
    return content


def _choice(sample: Mapping[str, Any]) -> dict[str, Any] | None:
    """The first reply, where the model gave any."""
    choices = object_or_empty(sample.get("output")).get("choices")
    return object_or_empty(choices[0]) if isinstance(choices, list) and choices else None


def _has_thoughts(sample: Mapping[str, Any]) -> bool:
    content = object_or_empty((_choice(sample) or {}).get("message")).get("content")
    parts = content if isinstance(content, list) else []
    return any(object_or_empty(part).get("type") == "reasoning" for part in parts)


def _error(sample: Mapping[str, Any], reply: str | None) -> str | None:
    """Why there is no answer: an error, or a limit that came before one."""
    error = sample.get("error") or object_or_empty(sample.get("output")).get("error")
    if error:
        return error_line(error.get("message") if isinstance(error, dict) else error)
    limit = object_or_empty(sample.get("limit"))
    if limit and not reply:
        return error_line(f"limit: {limit.get('type')} {limit.get('limit')}")
    return None


def _early_end(sample: Mapping[str, Any]) -> dict[str, Any]:
    """Why the reply ended, where it did not end by itself."""
    reasons: dict[str, Any] = {}
    stop = (_choice(sample) or {}).get("stop_reason")
    if stop not in (None, "stop"):
        reasons["stop"] = stop
    limit = object_or_empty(sample.get("limit"))
    if limit:
        reasons["limit"] = limit.get("type")
    return reasons


def _usage(sample: Mapping[str, Any]) -> dict[str, Any] | None:
    tokens = object_or_empty(object_or_empty(sample.get("output")).get("usage"))
    usage = {
        name: tokens[f"{name}_tokens"]
        for name in ("input", "output")
        if isinstance(tokens.get(f"{name}_tokens"), int)
    }
    return usage or None


def _covered_ids(spec: Mapping[str, Any], answers: LoggedAnswers) -> tuple[str, ...] | None:
    """The ids that the run was to ask, when they are not all of the test's."""
    ids = object_or_empty(spec.get("dataset")).get("sample_ids")
    units = answers.binding.units if answers.binding is not None else 0
    if not isinstance(ids, list) or not ids or len(ids) >= (units or len(ids)):
        return None
    return tuple(str(id) for id in ids)


def _note_unfinished(
    answers: LoggedAnswers, header: Mapping[str, Any], covers: tuple[str, ...] | None
) -> None:
    status = str(header.get("status") or "started")
    if status == "success":
        return
    units = len(covers) if covers else answers.binding.units if answers.binding is not None else 0
    total = f" of {units * answers.repeats}" if units else ""
    samples = sum(len(rows) if isinstance(rows, tuple) else 1 for rows in answers.rows.values())
    answers.note(f"the log is not finished (status {status}): it holds {samples}{total} samples")


INSPECT_LOG = InspectLog()
