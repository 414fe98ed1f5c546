"""The samples_*.jsonl of lm-evaluation-harness (--log_samples), as a sitting.

The model and its settings stand in the results of the same run beside it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError, UsageError, did_you_mean
from readmark.core.files import JSON_ERRORS, json_fault, read_lines
from readmark.core.registry import parameter
from readmark.core.row_lines import row_lines
from readmark.core.sitting import Sitting
from readmark.core.source import Source
from readmark.formats.harness_logs.logs import (
    REPLACEMENT,
    LoggedAnswers,
    an_object,
    as_row,
    binding_of,
    decoded,
    generation_settings,
    model_settings,
)
from readmark.formats.tables.shards import stem
from readmark.hooks import Kind

# What the results of a run of lm-evaluation-harness say, which are next to its samples.


_NAME = re.compile(r"^samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl$")


@dataclass(frozen=True, slots=True)
class LmEvalRun:
    """Which model it was and how it was asked; nothing where no results are next to the samples."""

    file: Path | None = None
    model: str = ""
    signature: Mapping[str, Any] = field(default_factory=dict)
    generation: Mapping[str, Any] = field(default_factory=dict)
    limited: bool = False

    @classmethod
    def beside(cls, samples: Path) -> LmEvalRun:
        """The run whose results are of the same time."""
        name = _NAME.match(samples.name)
        results = _results(samples, name["time"]) if name is not None else None
        if name is None or results is None:
            return cls()
        file, document = results
        config = document["config"]
        sizes = an_object(an_object(document.get("n-samples")).get(name["task"]))
        args = config.get("model_args")
        return cls(
            file=file,
            model=str(document.get("model_name") or ""),
            signature={
                "version": str(document.get("lm_eval_version") or ""),
                "task": name["task"],
                "runner": str(config.get("model") or ""),
                **model_settings(args if isinstance(args, dict) else _pairs(str(args or ""))),
                "shots": an_object(document.get("n-shot")).get(name["task"]),
            },
            generation=generation_settings(config.get("gen_kwargs")),
            limited=sizes.get("effective") != sizes.get("original"),
        )


def _results(samples: Path, time: str) -> tuple[Path, dict[str, Any]] | None:
    """results_TIME.json; else what ``--output_path NAME.json`` makes of it, NAME_TIME.json."""
    usual = samples.with_name(f"results_{time}.json")
    if usual.is_file():
        document = an_object(Source(usual).json)
        if not isinstance(document.get("config"), dict):
            raise DataError("is not a results file of lm-evaluation-harness", file=usual)
        return usual, document
    for other in sorted(samples.parent.glob(f"*_{time}.json")):
        document = {}
        with contextlib.suppress(DataError):  # it may be anybody's
            document = an_object(Source(other).json)
        if isinstance(document.get("config"), dict) and "n-samples" in document:
            return other, document
    return None


def _pairs(text: str) -> dict[str, str]:
    """Arguments as they are on a command line: ``model=x,base_url=y``."""
    return dict(one.split("=", 1) for one in text.split(",") if "=" in one)


_DEFAULT = "none"
"""What the harness calls the filter of a task that has none: it takes the first response."""
_NEEDED = frozenset({"doc_id", "doc", "resps", "filtered_resps"})


@dataclass
class LmEvalLog:
    """Samples by their documents' ids, one filter's responses; every further repeat is a repeat."""

    filter: str = parameter("", help="whose responses; the log's first")
    raw: bool = parameter(False, help="responses before any filter")

    def recognises(self, source: Source) -> bool:
        """JSON Lines whose first one is a sample."""
        return source.folder is None and _first(source).keys() >= _NEEDED

    def read_sitting(self, source: Source, kind: Kind) -> Sitting:
        """One row per document and repeat."""
        gathered = LoggedAnswers(kind, source.file, "lm-eval")
        filters: dict[str, None] = {}
        asked: Mapping[str, Any] = {}
        for number, sample, mended in _samples(source.file):
            named = str(sample.get("filter") or _DEFAULT)
            filters[named] = None
            if named != (self.filter or next(iter(filters))):
                continue
            doc = sample["doc"]
            if not isinstance(doc, dict) or not isinstance(doc.get("id"), (str, int)):
                raise DataError(
                    "the sample's doc has no id: the task's data do not name their questions",
                    file=source.file,
                    where=number,
                )
            asked = asked or _arguments(sample)
            binding = gathered.bind(binding_of(doc), number)
            for repeat, response in enumerate(self._responses(sample, named)):
                more = {"mended": True} if mended and REPLACEMENT in response else {}
                row = as_row(kind, response, doc.get("options"), binding, more)
                made = {"id": str(doc["id"]), **row, "repeat": repeat}
                gathered.take(row_lines(kind).convert(made))
        if self.filter and self.filter not in filters:
            hint = did_you_mean(self.filter, filters)
            raise UsageError(f"{source.file}: no filter {self.filter!r} in the log; {hint}")
        if len(filters) > 1 and not self.filter:
            gathered.note(
                f"the log has the filters {', '.join(filters)}; {next(iter(filters))} was taken"
            )
        used = "raw" if self.raw else self.filter or next(iter(filters), _DEFAULT)
        run = LmEvalRun.beside(source.path)
        asked_of = gathered.binding.units if gathered.binding is not None else 0
        if run.file is None and len(gathered.rows) < asked_of:
            gathered.note(
                f"it has {len(gathered.rows)} of the test's {asked_of} questions, and no results "
                "next to it show whether more were asked: the rest counts as unanswered"
            )
        return gathered.sitting(
            candidate=run.model or stem(source.path),
            signature={**run.signature, "filter": used},
            generation=generation_settings(asked, run.generation),
            covers=tuple(gathered.rows) if run.limited else None,
        )

    def _responses(self, sample: Mapping[str, Any], named: str) -> list[str]:
        """What the filter made of the responses; where nobody wrote one, every repeat's."""
        raw, filtered = _texts(sample["resps"]), _texts(sample["filtered_resps"])
        default = named == _DEFAULT and not self.filter and len(filtered) < len(raw)
        return raw if self.raw or default else filtered


def _first(source: Source) -> dict[str, Any]:
    head = source.head.lstrip()
    if not head.startswith(b"{") or b'"doc_id"' not in head:
        return {}
    found = source.first_line
    if found is None:  # a passage can be longer than what is looked at to know a file
        try:
            found, _ = decoded(source.long_first_line)
        except JSON_ERRORS:
            return {}
    return found if isinstance(found, dict) else {}


def _samples(file: str) -> Iterator[tuple[int, dict[str, Any], bool]]:
    """The samples with their lines, and whether one holds what no text can."""
    for number, line in read_lines(file):
        try:
            sample, mended = decoded(line)
        except JSON_ERRORS as error:
            raise DataError(json_fault(line, error)[0], file=file, where=number) from None
        if not isinstance(sample, dict) or not sample.keys() >= _NEEDED:
            raise DataError(
                f"expected a sample with {', '.join(sorted(_NEEDED))}", file=file, where=number
            )
        yield number, sample, mended


def _arguments(sample: Mapping[str, Any]) -> Mapping[str, Any]:
    """What was asked for with the first sample: the task's settings and the command's."""
    first = an_object(sample.get("arguments")).get("gen_args_0")
    return an_object(an_object(first).get("arg_1"))


def _texts(value: object) -> list[str]:
    """The texts of responses, however deep they are nested."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, list):
        return [text for one in value for text in _texts(one)]
    return [""] if value is None else [str(value)]


LM_EVAL_LOG = LmEvalLog()
