"""What the results of a run of lm-evaluation-harness say, which stand beside its samples."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from readmark.corpus.errors import DataError
from readmark.corpus.formats.harness_logs.signing import generation_settings, model_settings
from readmark.corpus.source import Source

_NAME = re.compile(r"^samples_(?P<task>.+)_(?P<time>\d{4}-\d\d-\d\dT[\d.-]+)\.jsonl$")


@dataclass(frozen=True, slots=True)
class Run:
    """Which model it was and how it was asked; nothing where no results are beside the samples."""

    file: Path | None = None
    model: str = ""
    signature: Mapping[str, Any] = field(default_factory=dict)
    generation: Mapping[str, Any] = field(default_factory=dict)
    limited: bool = False

    @classmethod
    def beside(cls, samples: Path) -> Run:
        """The run whose results are of the same time."""
        name = _NAME.match(samples.name)
        results = _results(samples, name["time"]) if name is not None else None
        if name is None or results is None:
            return cls()
        file, document = results
        config = document["config"]
        sizes = _object(_object(document.get("n-samples")).get(name["task"]))
        args = config.get("model_args")
        return cls(
            file=file,
            model=str(document.get("model_name") or ""),
            signature={
                "version": str(document.get("lm_eval_version") or ""),
                "task": name["task"],
                "runner": str(config.get("model") or ""),
                **model_settings(args if isinstance(args, dict) else _pairs(str(args or ""))),
                "shots": _object(document.get("n-shot")).get(name["task"]),
            },
            generation=generation_settings(config.get("gen_kwargs")),
            limited=sizes.get("effective") != sizes.get("original"),
        )


def _results(samples: Path, time: str) -> tuple[Path, dict[str, Any]] | None:
    """results_TIME.json; else what ``--output_path NAME.json`` makes of it, NAME_TIME.json."""
    usual = samples.with_name(f"results_{time}.json")
    if usual.is_file():
        document = _object(Source(usual).json)
        if not isinstance(document.get("config"), dict):
            raise DataError("is no lm-evaluation-harness results file", file=usual)
        return usual, document
    for other in sorted(samples.parent.glob(f"*_{time}.json")):
        document = {}
        with contextlib.suppress(DataError):  # it may be anybody's
            document = _object(Source(other).json)
        if isinstance(document.get("config"), dict) and "n-samples" in document:
            return other, document
    return None


def _pairs(text: str) -> dict[str, str]:
    """Arguments as they stand on a command line: ``model=x,base_url=y``."""
    return dict(one.split("=", 1) for one in text.split(",") if "=" in one)


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
