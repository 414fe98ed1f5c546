"""What the results of a run of lm-evaluation-harness say, which are next to its samples."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readmark.core.errors import DataError
from readmark.core.source import Source
from readmark.formats.harness_logs.decoding import object_or_empty
from readmark.formats.harness_logs.settings import generation_settings, model_settings

_SAMPLES = re.compile(r"^samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl$")


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
        name = _SAMPLES.match(samples.name)
        results = _results(samples, name["time"]) if name is not None else None
        if name is None or results is None:
            return cls()
        file, document = results
        config = document["config"]
        sizes = object_or_empty(object_or_empty(document.get("n-samples")).get(name["task"]))
        arguments = config.get("model_args")
        if not isinstance(arguments, dict):
            arguments = _command_line_arguments(str(arguments or ""))
        return cls(
            file=file,
            model=str(document.get("model_name") or ""),
            signature={
                "version": str(document.get("lm_eval_version") or ""),
                "task": name["task"],
                "runner": str(config.get("model") or ""),
                **model_settings(arguments),
                "shots": object_or_empty(document.get("n-shot")).get(name["task"]),
            },
            generation=generation_settings(config.get("gen_kwargs")),
            limited=sizes.get("effective") != sizes.get("original"),
        )


def _results(samples: Path, time: str) -> tuple[Path, dict[str, Any]] | None:
    """results_TIME.json; else what ``--output_path NAME.json`` makes of it, NAME_TIME.json."""
    usual = samples.with_name(f"results_{time}.json")
    if usual.is_file():
        document = object_or_empty(Source(usual).json)
        if not isinstance(document.get("config"), dict):
            raise DataError("is not a results file of lm-evaluation-harness", file=usual)
        return usual, document
    for file in sorted(samples.parent.glob(f"*_{time}.json")):
        document = {}
        with contextlib.suppress(DataError):  # it may be anybody's
            document = object_or_empty(Source(file).json)
        if isinstance(document.get("config"), dict) and "n-samples" in document:
            return file, document
    return None


def _command_line_arguments(text: str) -> dict[str, str]:
    """Arguments as they are on a command line: ``model=x,base_url=y``."""
    return dict(argument.split("=", 1) for argument in text.split(",") if "=" in argument)
