"""The sections of ``readmark.toml``: what each key takes, its default and its meaning.

Validation, the page on configuration and ``readmark doctor`` come from here.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, field, fields
from pathlib import Path
from typing import Any, NoReturn

from readmark.core import typed_keys as takes
from readmark.core.errors import DataError, UsageError
from readmark.core.limits import Limits
from readmark.core.traffic import ATTEMPTS, PARALLEL, TIMEOUT, Price, Traffic
from readmark.core.typed_keys import ValueType, configured

FILE = "readmark.toml"


@dataclass(frozen=True, slots=True)
class ModelSettings:
    """``[models.NAME]``: a chat endpoint, by the name that candidates and judges use."""

    name: str
    base_url: str = configured(
        "",
        takes.ADDRESS,
        "address of the endpoint, such as `http://localhost:8000/v1`",
        default_words="`OPENAI_BASE_URL` of the environment",
    )
    model: str = configured(
        "", takes.TEXT, "name of the model at the endpoint", default_words="NAME"
    )
    key: str = configured("env:OPENAI_API_KEY", takes.STORED, "where the key is")
    price: Price | None = field(
        default=None, metadata={"section": Price, "default": "unknown", "help": ""}
    )
    parallel: int = configured(PARALLEL, takes.COUNT, "concurrent requests")
    requests_a_minute: float | None = configured(
        None, takes.ABOVE_ZERO, "most requests a minute", default_words="no limit"
    )
    tokens_a_minute: float | None = configured(
        None, takes.ABOVE_ZERO, "most tokens a minute, both ways", default_words="no limit"
    )
    timeout: float = configured(TIMEOUT, takes.ABOVE_ZERO, "seconds allowed for a whole reply")
    attempts: int = configured(
        ATTEMPTS, takes.COUNT, "attempts for each request, the first included"
    )
    cache: str | None = configured(
        None,
        takes.FILE,
        'file that caches replies; `""` caches none',
        default_words="next to the sitting; `judge.cache.sqlite`",
    )
    temperature: float | None = configured(
        None, takes.NUMBER, "of the sampling; below 0 none is sent", default_words="0"
    )
    top_p: float | None = configured(None, takes.SHARE, "of the sampling", default_words="not sent")
    seed: int | None = configured(None, takes.WHOLE, "of the sampling", default_words="not sent")
    max_tokens: int | None = configured(
        None,
        takes.COUNT,
        "longest reply, reasoning included",
        default_words="1024; 512 for a judge",
    )
    shape: str = configured(
        "auto",
        takes.one_of("auto", "schema", "json", "text"),
        "how JSON is asked for; `auto` tries",
    )
    stop: tuple[str, ...] = configured(
        (), takes.TEXTS, "texts that end a reply", default_words="none"
    )
    body: Mapping[str, Any] = configured(
        {},
        takes.TABLE,
        "further members of each request; secrets as `env:NAME` or `keyring:NAME`",
        default_words="none",
    )
    headers: Mapping[str, str] = configured(
        {},
        takes.TEXTS_BY_NAME,
        "further HTTP headers; secrets as `env:NAME` or `keyring:NAME`",
        default_words="none",
    )

    @property
    def traffic(self) -> Traffic:
        """How requests to this model are sent."""
        return Traffic(
            parallel=self.parallel,
            attempts=self.attempts,
            timeout=self.timeout,
            requests_a_minute=self.requests_a_minute,
            tokens_a_minute=self.tokens_a_minute,
            cache=self.cache,
        )

    @property
    def additions(self) -> dict[str, Any]:
        """What this section adds to every request."""
        return {"stop": self.stop, "parameters": self.body, "headers": self.headers}

    @property
    def sampling(self) -> dict[str, Any]:
        """The parameters of a candidate that this section sets."""
        values: dict[str, Any] = {
            "model": self.model or self.name,
            "base_url": self.base_url,
            "key": self.key,
            "shape": self.shape,
            "temperature": self.temperature,
            "top_p": self.top_p,
            "seed": self.seed,
            "max_tokens": self.max_tokens,
        }
        return {name: value for name, value in values.items() if value is not None}


@dataclass(frozen=True, slots=True)
class SpendingLimits:
    """``[limits]``: what the models of a run may take together."""

    cost: float | None = configured(
        None, takes.ABOVE_ZERO, "most that a run costs; `--max-cost`", default_words="no limit"
    )
    tokens: int | None = configured(
        None, takes.COUNT, "most tokens of a run, both ways", default_words="no limit"
    )
    total_cost: float | None = configured(
        None,
        takes.ABOVE_ZERO,
        "most that a sitting costs, the earlier runs that it resumes included",
        default_words="no limit",
    )
    total_tokens: int | None = configured(
        None,
        takes.COUNT,
        "most tokens of a sitting, earlier runs included",
        default_words="no limit",
    )

    @property
    def traffic(self) -> Traffic:
        """The limits of requests."""
        return Traffic(
            max_cost=self.cost,
            max_tokens=self.tokens,
            max_cost_total=self.total_cost,
            max_tokens_total=self.total_tokens,
        )


@dataclass(frozen=True, slots=True)
class RaySettings:
    """``[ray]``: the cluster of ``--engine ray``."""

    address: str | None = configured(
        None,
        takes.TEXT,
        "address of the cluster, such as `auto` or `10.0.0.1:6379`",
        default_words="`RAY_ADDRESS`, else this machine alone",
    )
    cpus: float = configured(1.0, takes.FROM_ZERO, "CPUs for each worker")
    gpus: float = configured(0.0, takes.FROM_ZERO, "GPUs for each worker")
    batch: int = configured(8, takes.COUNT, "records sent ahead to each worker")
    hour_price: float | None = configured(
        None,
        takes.FROM_ZERO,
        "price of an hour of one worker, for `sit --plan`",
        default_words="unknown",
    )


@dataclass(frozen=True, slots=True)
class RunSettings:
    """``[run]``: the run file of ``readmark run``."""

    tests: tuple[str, ...] = configured((), takes.FILES, "tests to sit", default_words="none")
    candidates: tuple[str, ...] = configured(
        (), takes.TEXTS, "candidates that sit each test of their kind", default_words="none"
    )
    out: str = configured(
        "out", takes.FOLDER, "folder for sittings, marksheets, tables and the report"
    )
    metrics: tuple[str, ...] = configured(
        (), takes.TEXTS, "metrics, the main one first", default_words="those of the kind"
    )
    by: tuple[str, ...] = configured(
        (),
        takes.TEXTS,
        "fields to break marks down by",
        default_words="level, type, and computed fields with large slices",
    )
    people: tuple[str, ...] = configured(
        (), takes.FILES, "sittings of people, each of the tests that it fits", default_words="none"
    )
    repeats: int = configured(1, takes.count_up_to(1_000), "times each unit is asked")
    limit: int | None = configured(
        None, takes.COUNT, "ask only so many units of each test", default_words="all"
    )
    split: str | None = configured(
        None, takes.TEXT, "split to sit, of every test", default_words="all"
    )
    splits: Mapping[str, str] = configured(
        {},
        takes.TEXTS_BY_NAME,
        "splits of single tests, by the names of their files without suffix",
        default_words="none",
    )
    workers: int = configured(
        1, takes.count_up_to(1_024), "worker processes of candidates that compute"
    )
    seed: int = configured(1, takes.WHOLE_FROM_ZERO, "seed of intervals and comparisons")
    draws: int = configured(1000, takes.count_up_to(1_000_000), "bootstrap draws of intervals")
    trials: int = configured(10_000, takes.count_up_to(1_000_000), "permutations of comparisons")


@dataclass(frozen=True, slots=True)
class RareSpanSettings:
    """``[train.span]``: settings of a span reader's training that few change."""

    distil: float = configured(
        0.7, takes.SHARE, "weight of the predictions of `--teacher`, relative to the gold answers"
    )
    accumulate: int = configured(
        1, takes.COUNT, "batches whose gradients are accumulated before each update"
    )
    average: float = configured(
        0.0,
        takes.PART,
        "share that each step retains of a running average of the weights, such as 0.999",
        default_words="no averaging",
    )
    dropout: float | None = configured(
        None, takes.PART, "dropout rate", default_words="the encoder's own"
    )
    layers: int | None = configured(
        None,
        takes.COUNT,
        "repeat the encoder's layers until there are so many",
        default_words="the encoder's own",
    )
    masked: float = configured(
        0.0,
        takes.PART,
        "share of passage tokens that are masked and predicted as an additional objective",
        default_words="none",
    )
    padded: bool = configured(
        False, takes.SWITCH, "pad the windows on a GPU too, which is slower but simpler"
    )
    export: bool = configured(
        True, takes.SWITCH, "also write the ONNX files that the span reader needs"
    )


@dataclass(frozen=True, slots=True)
class TrainSettings:
    """``[train]``: rare settings of trainings, a table for each."""

    span: RareSpanSettings = field(
        default=RareSpanSettings(), metadata={"section": RareSpanSettings, "help": ""}
    )


@dataclass(frozen=True, slots=True)
class UserConfiguration:
    """What is in force: the sections, and where each value is from."""

    models: Mapping[str, ModelSettings] = field(default_factory=dict)
    limits: SpendingLimits = field(default_factory=SpendingLimits)
    ray: RaySettings = field(default_factory=RaySettings)
    files: Limits = field(default_factory=Limits)
    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    run: RunSettings = field(default_factory=RunSettings)
    train: TrainSettings = field(default_factory=TrainSettings)
    file: Path | None = None
    origins: Mapping[tuple[str, ...], str] = field(default_factory=dict)
    """Where each key is set that is: a file with its line, or an option."""

    def origin(self, path: tuple[str, ...]) -> str:
        """Where a key, or the first key in a table, is set; empty if it has its default."""
        return next(
            (origin for key, origin in self.origins.items() if key[: len(path)] == path), ""
        )

    def place(self, path: tuple[str, ...]) -> str:
        """How a message begins that is about a key: ``readmark.toml:2: limits.cost``."""
        origin, key = self.origin(path), ".".join(path)
        if origin.startswith("--set "):
            return origin
        return f"{origin or (short_path(self.file) if self.file else FILE)}: {key}"

    def refuse(self, path: tuple[str, ...], message: str) -> NoReturn:
        """Raise the error of a key: a file has bad data, an option was bad usage."""
        error = UsageError if self.origin(path).startswith("--set ") else DataError
        raise error(f"{self.place(path)}: {message}")

    def values(self) -> Iterator[ConfiguredValue]:
        """Every key with its value and where that is from, section by section."""
        for name, model in self.models.items():
            yield from self._section(("models", name), model)
        for name in ("limits", "ray", "files"):
            yield from self._section((name,), getattr(self, name))
        for column, headings in self.columns.items():
            yield self._value(("columns", column), headings)
        for name in ("run", "train"):  # only where somebody uses them
            if any(path[0] == name for path in self.origins):
                yield from self._section((name,), getattr(self, name))

    def _section(self, path: tuple[str, ...], section: Any) -> Iterator[ConfiguredValue]:
        for spec in key_specs(type(section)):
            value = getattr(section, spec.name)
            if spec.section is not None and value is not None:
                yield from self._section((*path, spec.name), value)
            else:
                yield self._value((*path, spec.name), value, spec)

    def _value(
        self, path: tuple[str, ...], value: Any, spec: KeySpec | None = None
    ) -> ConfiguredValue:
        origin = self.origin(path)
        shown = spec.default_shown if spec is not None and not origin else shown_value(value, spec)
        return ConfiguredValue(".".join(path), value, shown, origin or "default")


@dataclass(frozen=True, slots=True)
class ConfiguredValue:
    """A key of the configuration, its value, and where that is from."""

    key: str
    value: Any
    shown: str
    origin: str


@dataclass(frozen=True, slots=True)
class KeySpec:
    """A key as its section declares it."""

    name: str
    value: ValueType | None
    section: type | None
    help: str
    default: Any
    default_words: str

    @property
    def default_shown(self) -> str:
        """The default in words, or as it is written."""
        return self.default_words or (
            "" if self.default is MISSING else shown_value(self.default, self)
        )


SECTIONS: Mapping[str, type] = {
    "models": ModelSettings,
    "limits": SpendingLimits,
    "ray": RaySettings,
    "files": Limits,
    "run": RunSettings,
    "train": TrainSettings,
}
"""The sections with declared keys; ``columns`` has a key for each field of a table."""
SECTION_NAMES = ("models", "limits", "ray", "files", "columns", "run", "train")


def key_specs(section: type) -> tuple[KeySpec, ...]:
    """The keys that a section's dataclass declares; its other fields are no keys."""
    return tuple(
        _spec(declared)
        for declared in fields(section)
        if {"type", "section"} & declared.metadata.keys()
    )


def _spec(declared: Field[Any]) -> KeySpec:
    factory = declared.default_factory
    default = declared.default if factory is MISSING else factory()
    return KeySpec(
        declared.name,
        declared.metadata.get("type"),
        declared.metadata.get("section"),
        declared.metadata.get("help", ""),
        default,
        declared.metadata.get("default", ""),
    )


def described_keys() -> Iterator[tuple[str, KeySpec]]:
    """Every key by its full name, for the page on configuration."""
    for name, section in SECTIONS.items():
        yield from _described(f"{name}.NAME" if name == "models" else name, section)


def _described(prefix: str, section: type) -> Iterator[tuple[str, KeySpec]]:
    for spec in key_specs(section):
        if spec.section is not None:
            yield from _described(f"{prefix}.{spec.name}", spec.section)
        else:
            yield f"{prefix}.{spec.name}", spec


def shown_value(value: Any, spec: KeySpec | None = None) -> str:
    """A value as TOML has it; sizes in MB, and none for a limit that was lifted."""
    from readmark.core.toml_text import toml_value

    if value == takes.UNLIMITED:
        return "none"
    if (
        spec is not None
        and spec.value is takes.SIZE
        and value >= 1 << 20
        and value % (1 << 20) == 0
    ):
        return f"{value >> 20}MB"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return toml_value(value)


def short_path(file: Path, folder: str = "") -> str:
    """A file as it is called from a folder: by its whole path where it is elsewhere."""
    folder = folder or os.fspath(Path.cwd())
    try:
        return os.fspath(file.relative_to(folder)) if file.is_absolute() else os.fspath(file)
    except ValueError:
        return os.fspath(file)
