"""The samples_*.jsonl of lm-evaluation-harness (--log_samples), as a sitting.

The model and its settings stand in the results of the same run beside it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import JSON_ERRORS, json_fault, read_lines
from readmark.core.registry import parameter
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Sitting
from readmark.core.source import Source
from readmark.formats.harness_logs.bindings import binding_of
from readmark.formats.harness_logs.decoding import REPLACEMENT, decoded, object_or_empty
from readmark.formats.harness_logs.lm_eval_runs import LmEvalRun
from readmark.formats.harness_logs.logged_answers import LoggedAnswers
from readmark.formats.harness_logs.replies import as_row
from readmark.formats.harness_logs.settings import generation_settings
from readmark.formats.tables.shards import stem
from readmark.hooks import Kind

_NO_FILTER = "none"
"""What the harness calls the filter of a task that has none: it takes the first response."""
_SAMPLE_MEMBERS = frozenset({"doc_id", "doc", "resps", "filtered_resps"})


@dataclass
class LmEvalLog:
    """Samples by their documents' ids, one filter's responses; every further repeat is a repeat."""

    filter: str = parameter("", help="whose responses; the log's first")
    raw: bool = parameter(False, help="responses before any filter")

    def recognises(self, source: Source) -> bool:
        """JSON Lines whose first one is a sample."""
        return source.folder is None and _first_sample(source).keys() >= _SAMPLE_MEMBERS

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """One row per document and repeat."""
        answers = LoggedAnswers(kind, source.file, "lm-eval")
        filters: dict[str, None] = {}
        arguments: Mapping[str, Any] = {}
        for number, sample, is_repaired in _samples(source.file):
            filter = str(sample.get("filter") or _NO_FILTER)
            filters[filter] = None
            if filter != (self.filter or next(iter(filters))):
                continue
            doc = sample["doc"]
            if not isinstance(doc, dict) or not isinstance(doc.get("id"), (str, int)):
                raise DataError(
                    "the sample's doc has no id: the task's data do not name their questions",
                    file=source.file,
                    where=number,
                )
            arguments = arguments or _arguments(sample)
            binding = answers.bind(binding_of(doc), number)
            for repeat, response in enumerate(self._responses(sample, filter)):
                repaired = {"mended": True} if is_repaired and REPLACEMENT in response else {}
                row = as_row(kind, response, doc.get("options"), binding, repaired)
                row = {"id": str(doc["id"]), **row, "repeat": repeat}
                answers.take(row_lines(kind).convert(row))
        if self.filter and self.filter not in filters:
            hint = did_you_mean(self.filter, filters)
            raise UsageError(f"{source.file}: no filter {self.filter!r} in the log; {hint}")
        if len(filters) > 1 and not self.filter:
            answers.note(
                f"the log has the filters {', '.join(filters)}; {next(iter(filters))} was taken"
            )
        run = LmEvalRun.beside(source.path)
        units = answers.binding.units if answers.binding is not None else 0
        if run.file is None and len(answers.rows) < units:
            answers.note(
                f"it has {len(answers.rows)} of the test's {units} questions, and no results "
                "next to it show whether more were asked: the rest counts as unanswered"
            )
        used = "raw" if self.raw else self.filter or next(iter(filters), _NO_FILTER)
        return answers.sitting(
            candidate=run.model or stem(source.path),
            signature={**run.signature, "filter": used},
            generation=generation_settings(arguments, run.generation),
            covers=tuple(answers.rows) if run.limited else None,
        )

    def _responses(self, sample: Mapping[str, Any], filter: str) -> list[str]:
        """What the filter made of the responses; without any filter, the responses of all repeats.

        The harness keeps only the first response of a task without a filter.
        """
        raw, filtered = _texts(sample["resps"]), _texts(sample["filtered_resps"])
        has_no_filter = filter == _NO_FILTER and not self.filter and len(filtered) < len(raw)
        return raw if self.raw or has_no_filter else filtered


def _first_sample(source: Source) -> dict[str, Any]:
    head = source.head.lstrip()
    if not head.startswith(b"{") or b'"doc_id"' not in head:
        return {}
    sample = source.first_line
    if sample is None:  # a passage can be longer than what is looked at to know a file
        try:
            sample, _ = decoded(source.long_first_line)
        except JSON_ERRORS:
            return {}
    return object_or_empty(sample)


def _samples(file: str) -> Iterator[tuple[int, dict[str, Any], bool]]:
    """The samples with their lines, and whether words of theirs had to be repaired."""
    for number, line in read_lines(file):
        try:
            sample, is_repaired = decoded(line)
        except JSON_ERRORS as error:
            raise DataError(json_fault(line, error)[0], file=file, where=number) from None
        if not isinstance(sample, dict) or not sample.keys() >= _SAMPLE_MEMBERS:
            raise DataError(
                f"expected a sample with {', '.join(sorted(_SAMPLE_MEMBERS))}",
                file=file,
                where=number,
            )
        yield number, sample, is_repaired


def _arguments(sample: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was asked for with the first sample: the task's settings and the command's."""
    first = object_or_empty(sample.get("arguments")).get("gen_args_0")
    return object_or_empty(object_or_empty(first).get("arg_1"))


def _texts(value: object) -> list[str]:
    """The texts of responses, however deep they are nested."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for item in value for text in _texts(item)]
    return [""] if value is None else [str(value)]


LM_EVAL_LOG = LmEvalLog()
