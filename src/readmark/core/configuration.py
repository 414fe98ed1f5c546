"""The configuration: ``readmark.toml`` of this folder or a parent, and ``--set KEY=VALUE``.

Each section is a dataclass below whose fields say what a key takes, its default and its meaning.
Validation, the page on configuration and ``readmark doctor`` come from there.
"""

from __future__ import annotations

import functools
import json
import os
import re
import stat
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import MISSING, Field, dataclass, field, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

from readmark.core import typed_keys as takes
from readmark.core.errors import DataError, ReadmarkError, UsageError, did_you_mean
from readmark.core.limits import Limits
from readmark.core.toml_lines import read_toml
from readmark.core.traffic import ATTEMPTS, PARALLEL, TIMEOUT, Price, Traffic
from readmark.core.typed_keys import ValueType, configured, looks_like_secret, names_secret

FILE = "readmark.toml"
FILE_VARIABLE, SETTINGS_VARIABLE = "READMARK_CONFIG", "READMARK_SET"
"""How the processes that a command starts learn of ``--config`` and ``--set``."""

_MODEL_NAME = re.compile(r"[a-z][a-z0-9_-]*")
_RESERVED = (
    "model",
    "messages",
    "max_tokens",
    "max_completion_tokens",
    "response_format",
    "stream",
)
"""Members of a request that Readmark fills in."""


# The sections.


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
        (), takes.TEXTS, "fields to break marks down by", default_words="none"
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
    """``[train.span]``: what few trainings of a span reader change."""

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
    """``[train]``: the trainings."""

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
    """Where the keys are set: a file with its line, or the option. Others have their defaults."""

    def values(self) -> Iterator[ConfiguredValue]:
        """Every key with its value and where that is from, section by section."""
        for name, model in self.models.items():
            yield from self._section(("models", name), model)
        for name in ("limits", "ray", "files"):
            yield from self._section((name,), getattr(self, name))
        for column, theirs in self.columns.items():
            yield self._value(("columns", column), theirs)
        for name in ("run", "train"):  # only where somebody uses them
            if any(path[0] == name for path in self.origins):
                yield from self._section((name,), getattr(self, name))

    def _section(self, path: tuple[str, ...], section: Any) -> Iterator[ConfiguredValue]:
        for spec in _specs(type(section)):
            value = getattr(section, spec.name)
            if spec.section is not None and value is not None:
                yield from self._section((*path, spec.name), value)
            else:
                yield self._value((*path, spec.name), value, spec)

    def _value(
        self, path: tuple[str, ...], value: Any, spec: KeySpec | None = None
    ) -> ConfiguredValue:
        inside = (origin for at, origin in self.origins.items() if at[: len(path)] == path)
        origin = next(inside, "")
        shown = spec.default_shown if spec is not None and not origin else _shown(value, spec)
        return ConfiguredValue(".".join(path), value, shown, origin or "default")


@dataclass(frozen=True, slots=True)
class ConfiguredValue:
    """A key of the configuration, its value, and where that is from."""

    key: str
    value: Any
    shown: str
    origin: str


# What the sections declare.


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
        return self.default_words or ("" if self.default is MISSING else _shown(self.default, self))


SECTIONS: Mapping[str, type] = {
    "models": ModelSettings,
    "limits": SpendingLimits,
    "ray": RaySettings,
    "files": Limits,
    "run": RunSettings,
    "train": TrainSettings,
}
"""The sections with declared keys; ``columns`` has a key for each field of a table."""
_NAMES = ("models", "limits", "ray", "files", "columns", "run", "train")
_Section = TypeVar("_Section")


def _specs(section: type) -> tuple[KeySpec, ...]:
    return tuple(
        _spec(each) for each in fields(section) if {"type", "section"} & each.metadata.keys()
    )


def _spec(each: Field[Any]) -> KeySpec:
    default = each.default if each.default_factory is MISSING else each.default_factory()
    told = each.metadata
    return KeySpec(
        each.name,
        told.get("type"),
        told.get("section"),
        told.get("help", ""),
        default,
        told.get("default", ""),
    )


def described_keys() -> Iterator[tuple[str, KeySpec]]:
    """Every key by its full name, for the page on configuration."""
    for name, section in SECTIONS.items():
        yield from _described(f"{name}.NAME" if name == "models" else name, section)


def _described(prefix: str, section: type) -> Iterator[tuple[str, KeySpec]]:
    for spec in _specs(section):
        if spec.section is not None:
            yield from _described(f"{prefix}.{spec.name}", spec.section)
        else:
            yield f"{prefix}.{spec.name}", spec


def _shown(value: Any, spec: KeySpec | None = None) -> str:
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


# Which configuration is in force.


_restricted: UserConfiguration | None = None


def configuration() -> UserConfiguration:
    """The configuration in force in this process: the file of the folder, and what was set."""
    if _restricted is not None:
        return _restricted
    # Every file that is read asks for its limits here: strings and stat alone, no Path.
    try:
        folder = os.getcwd()  # noqa: PTH109
    except OSError:  # the folder is gone
        folder = ""
    settings = os.environ.get(SETTINGS_VARIABLE, "")
    if chosen := os.environ.get(FILE_VARIABLE):
        return _load(chosen, settings, folder)
    for file in _candidates(folder):
        try:
            state = os.stat(file)  # noqa: PTH116
        except OSError:
            continue
        if stat.S_ISREG(state.st_mode):
            return _read(file, (state.st_mtime_ns, state.st_size), settings, folder)
    return _read("", (0, 0), settings, folder) if settings else NO_CONFIGURATION


@functools.lru_cache(maxsize=8)
def _candidates(folder: str) -> tuple[str, ...]:
    """The ``readmark.toml`` of a folder and of its parents, the nearest first."""
    if not folder:
        return ()
    return tuple(os.fspath(each / FILE) for each in (Path(folder), *Path(folder).parents))


def _load(file: str, settings: str, folder: str) -> UserConfiguration:
    """The configuration of a file that was named, which must be there."""
    try:
        state = Path(file).stat()
    except OSError as error:
        raise DataError(f"cannot be read: {error.strerror}", file=file) from None
    return _read(file, (state.st_mtime_ns, state.st_size), settings, folder)


NO_CONFIGURATION = UserConfiguration()


def use_only_files(files: Limits) -> None:
    """From here on this process has no configuration but the limits on files.

    The exam hall does this: what its users write must not reach models, addresses and files
    of whoever runs it.
    """
    global _restricted
    _restricted = UserConfiguration(files=files)


def lift_restriction() -> None:
    """End ``use_only_files`` where a process runs several commands, as tests do."""
    global _restricted
    _restricted = None


def load_configuration(file: str | Path, settings: Sequence[str] = ()) -> UserConfiguration:
    """The configuration of a file, with ``KEY=VALUE`` settings over it."""
    encoded = json.dumps(list(settings)) if settings else ""
    return _load(os.fspath(file), encoded, os.fspath(Path.cwd()))


@functools.lru_cache(maxsize=8)
def _read(file: str, _state: tuple[int, int], settings: str, folder: str) -> UserConfiguration:
    reader = _Reader(Path(file) if file else None, folder)
    for pair in json.loads(settings) if settings else ():
        reader.set(pair)
    return reader.configuration()


class _Reader:
    """Values of a file and of settings, with where each is from; then checked against sections."""

    def __init__(self, file: Path | None, folder: str) -> None:
        self._file = file
        self._name = "" if file is None else short_path(file, folder)
        self._folder = Path() if file is None else file.parent
        document = read_toml(file, self._name) if file is not None else None
        self._values: dict[str, Any] = _copy(document.values) if document is not None else {}
        self._lines = dict(document.lines) if document is not None else {}
        self._settings: dict[tuple[str, ...], str] = {}

    def set(self, setting: str) -> None:
        """Take over ``KEY=VALUE``; the value is TOML, or a text without quotes."""
        name, sign, text = setting.partition("=")
        path = _path_of(name)
        if not sign or not path:
            shown = "KEY" if looks_like_secret(setting) else setting
            raise UsageError(f"--set {shown}: expected KEY=VALUE, such as limits.cost=1.50")
        if path in self._settings:
            raise UsageError(f"--set {'.'.join(path)} is given twice")
        spec = _find(path)
        table = self._values
        for part in path[:-1]:
            table = table.setdefault(part, {})
            if not isinstance(table, dict):
                raise UsageError(f"--set {'.'.join(path)}: {part} is a value, not a table")
        if spec is not None and spec.value is not None and spec.value.is_text:
            value: Any = text.strip()
            if len(value) > 1 and value[0] == value[-1] == '"':
                value = value[1:-1]
        else:
            try:
                value = tomllib.loads(f"value = {text}")["value"]
            except (tomllib.TOMLDecodeError, RecursionError):
                value = text.strip()
        table[path[-1]] = value
        self._settings[path] = f"--set {'.'.join(path)}"

    def configuration(self) -> UserConfiguration:
        for name in self._values:
            if name not in _NAMES:
                self._refuse((name,), f"unknown section; {did_you_mean(name, _NAMES)}")
            if not isinstance(self._values[name], dict):
                self._refuse((name,), f"expected a section [{name}]")
        models = {}
        for name in self._values.get("models", {}):
            models[name] = self._model(name)
        columns = {}
        for name, theirs in self._values.get("columns", {}).items():
            self._check_secret(("columns", name), theirs)
            columns[name] = self._value(("columns", name), takes.TEXTS, theirs)
            if not all(columns[name]):
                self._refuse(("columns", name), "expected the name of a column")
        return UserConfiguration(
            models=models,
            limits=self._section(SpendingLimits, ("limits",)),
            ray=self._section(RaySettings, ("ray",)),
            files=self._section(Limits, ("files",)),
            columns=columns,
            run=self._run(),
            train=self._section(TrainSettings, ("train",)),
            file=self._file,
            origins={
                **{path: f"{self._name}:{line}" for path, line in self._lines.items()},
                **self._settings,
            },
        )

    def _run(self) -> RunSettings:
        run = self._section(RunSettings, ("run",))
        is_default = "out" not in self._values.get("run", {})
        return replace(run, out=self._at(run.out)) if is_default else run

    def _model(self, name: str) -> ModelSettings:
        from readmark.core.registry import Registry

        path = ("models", name)
        if looks_like_secret(name):
            self._refuse(("models",), "a name looks like a secret")
        if not _MODEL_NAME.fullmatch(name):
            self._refuse(path, "expected a name of lower-case letters, digits, '-' and '_'")
        if name in Registry("candidate", "readmark.candidates"):
            self._refuse(path, f"a candidate is called {name}; expected another name")
        model = self._section(ModelSettings, path, name=name)
        for member in model.body:
            if member in _RESERVED:
                self._refuse((*path, "body", member), "Readmark fills it in")
            if member in ("temperature", "top_p", "seed", "stop"):
                self._refuse((*path, "body", member), f"write {'.'.join(path)}.{member}")
        for header, value in model.headers.items():
            at = (*path, "headers", header)
            if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+.^_`|~-]+", header):
                self._refuse(at, "is not the name of an HTTP header")
            if not value.isascii() or not value.isprintable():
                self._refuse(at, "expected printable ASCII text")
        return model

    def _section(self, cls: type[_Section], path: tuple[str, ...], **more: Any) -> _Section:
        table: Any = self._values
        for part in path:
            table = table.get(part, {})
        if not isinstance(table, dict):
            self._refuse(path, f"expected a section [{'.'.join(path)}]")
        specs = {spec.name: spec for spec in _specs(cls)}
        values: dict[str, Any] = dict(more)
        for name, value in table.items():
            at = (*path, name)
            if name not in specs:
                if looks_like_secret(name):
                    self._refuse(path, "has a key that looks like a secret")
                self._refuse(at, f"unknown key; {did_you_mean(name, specs)}")
            self._check_secret(at, value)
            spec = specs[name]
            if spec.section is not None:
                values[name] = self._section(spec.section, at)
            elif spec.value is not None:
                values[name] = self._value(at, spec.value, value)
        for name, spec in specs.items():
            if spec.default is MISSING and name not in values:
                self._refuse(path, f"{name} is missing")
        return cls(**values)

    def _value(self, path: tuple[str, ...], type: ValueType, value: Any) -> Any:
        try:
            read = type.read(value)
        except ValueError:
            is_shown = type not in (takes.STORED, takes.ADDRESS) and _may_be_shown(value)
            found = f"{_shown(value)} is not " if is_shown else "expected "
            self._refuse(path, f"{found}{type.words}")
        if not type.is_path or path in self._settings:
            return read
        return self._at(read) if isinstance(read, str) else tuple(map(self._at, read))

    def _at(self, path: str) -> str:
        """A path from where the file is; an address and an empty name stay as they are."""
        return path if not path or "://" in path else os.fspath(self._folder / path)

    def _check_secret(self, path: tuple[str, ...], value: Any) -> None:
        """Refuse what looks like a secret, without showing it."""
        if isinstance(value, dict):
            for name, member in value.items():
                if looks_like_secret(name):
                    self._refuse(path, "has a key that looks like a secret")
                self._check_secret((*path, name), member)
        elif isinstance(value, list):
            for member in value:
                self._check_secret(path, member)
        elif isinstance(value, str) and not takes.STORED_KEY.fullmatch(value):
            is_sent = "headers" in path[2:-1] or "body" in path[2:-1]
            if looks_like_secret(value) or (is_sent and names_secret(path[-1])):
                self._refuse(
                    path,
                    "looks like a secret; write env:NAME or keyring:NAME, never the key itself",
                )

    def _refuse(self, path: tuple[str, ...], message: str) -> Any:
        """Raise the error of a key, with its line or the option that set it."""
        name = ".".join(path)
        if option := next((self._settings[at] for at in self._settings if _meets(at, path)), None):
            raise UsageError(f"{option}: {message}")
        near = (line for at, line in self._lines.items() if at[: len(path)] == path)
        upwards = (
            self._lines[path[:size]]
            for size in range(len(path), 0, -1)
            if path[:size] in self._lines
        )
        line = next(near, None) or next(upwards, None)
        raise DataError(f"{name}: {message}", file=self._name, where=line)


def _meets(option: tuple[str, ...], path: tuple[str, ...]) -> bool:
    """Whether an option set a key, a member of it, or the table that it is in."""
    return option[: len(path)] == path or path[: len(option)] == option


def _path_of(name: str) -> tuple[str, ...]:
    """The parts of a key with dots, or none where it is no key."""
    try:
        values = tomllib.loads(f"{name.strip()} = 0")
    except (tomllib.TOMLDecodeError, RecursionError):
        return ()
    path: tuple[str, ...] = ()
    while isinstance(values, dict) and len(values) == 1:
        [(part, values)] = values.items()
        path = (*path, part)
    return path


def _find(path: tuple[str, ...]) -> KeySpec | None:
    """The declared key of a path, if there is one."""
    section = SECTIONS.get(path[0])
    rest = path[2:] if path[0] == "models" else path[1:]
    for part in rest:
        spec = (
            next((each for each in _specs(section) if each.name == part), None) if section else None
        )
        if spec is None:
            return None
        if spec.section is None:
            return spec if part == rest[-1] else None
        section = spec.section
    return None


def _may_be_shown(value: Any) -> bool:
    """Whether a value that is wrong may be in a message: one that may be a key is not."""
    if isinstance(value, str):
        return len(value) <= 60 and not looks_like_secret(value)
    return isinstance(value, int | float)


def short_path(file: Path, folder: str = "") -> str:
    """A file as it is called from a folder: by its whole path where it is elsewhere."""
    folder = folder or os.fspath(Path.cwd())
    try:
        return os.fspath(file.relative_to(folder)) if file.is_absolute() else os.fspath(file)
    except ValueError:
        return os.fspath(file)


def _copy(values: Any) -> Any:
    return (
        {name: _copy(each) for name, each in values.items()}
        if isinstance(values, Mapping)
        else values
    )


# What --config and --set put into force for a command and the processes that it starts.


def put_in_force(file: str | None, settings: Sequence[str]) -> UserConfiguration:
    """Make ``--config`` and ``--set`` hold in this process and in those that it starts."""
    if file is not None:
        os.environ[FILE_VARIABLE] = os.fspath(Path(file).absolute())
    if settings:
        os.environ[SETTINGS_VARIABLE] = json.dumps(list(settings))
    return configuration()


@contextmanager
def using(file: str | Path) -> Iterator[UserConfiguration]:
    """A configuration file in force for a while, also in processes that are started meanwhile."""
    before = os.environ.get(FILE_VARIABLE)
    os.environ[FILE_VARIABLE] = os.fspath(Path(file).absolute())
    try:
        yield configuration()
    finally:
        os.environ.pop(FILE_VARIABLE)
        if before is not None:
            os.environ[FILE_VARIABLE] = before


def stored_key(place: str) -> str:
    """The secret that ``env:NAME`` or ``keyring:NAME`` stands for; a missing one is named."""
    where, _, name = place.partition(":")
    if where == "env":
        if secret := os.environ.get(name, "").strip():
            return secret
        raise UsageError(f"no key: set the environment variable {name}")
    try:
        keyring = import_module("keyring")
    except ImportError:
        raise ReadmarkError(f"{place} needs the package keyring: pip install keyring") from None
    try:
        secret = keyring.get_password("readmark", name)
    except Exception as error:  # each system's keyring raises its own
        raise ReadmarkError(f"{place} cannot be read: {type(error).__name__}") from None
    if not secret:
        raise UsageError(f"no key: store it with `keyring set readmark {name}`")
    return str(secret)
