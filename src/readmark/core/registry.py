"""Registries of kinds, formats, candidates, metrics, ...: lazy, and open to other packages.

What ships is an entry in ``plugins.py`` of its room (name, where it lives, one line of prose); a
plug-in is an entry point of another package. Both are imported only when they are used.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields, replace
from importlib import import_module
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_type_hints

from readmark.core.errors import ReadmarkError, UsageError, did_you_mean
from readmark.core.extras import MissingExtra, missing_module
from readmark.core.parsed_names import NAME, ParameterValue, ParsedName, parse_name, spell

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@dataclass(frozen=True, slots=True)
class Entry:
    """A registered thing: where it is, which kinds of test it serves, and a line of prose."""

    target: str
    summary: str = ""
    kinds: tuple[str, ...] = ()
    sittings: bool = True
    """Whether a format may hold sittings; one that does not is not loaded to recognise them."""
    folders: bool = False
    """Whether a folder may be of a format."""
    baseline: Literal["", "quick", "slow", "choice"] = ""
    """Whether halls let a candidate sit beside people: a ``quick`` one sits a test within a
    request, a ``slow`` one as a job, one of ``choice`` only questions with options."""
    variants: tuple[str, ...] = ()
    """Further names, with parameters, under which it is listed too."""
    package: str = "readmark"

    def load(self) -> Any:
        """Import the thing; the error names a plug-in that cannot be imported."""
        module, _, attribute = self.target.partition(":")
        try:
            return getattr(import_module(module), attribute)
        except Exception as error:
            if self.package == "readmark":
                if missing := missing_module(error):
                    raise MissingExtra(missing) from error
                if not isinstance(error, (ImportError, AttributeError)):
                    raise
            raise ReadmarkError(
                f"{self.target} of package {self.package} cannot be loaded: {error}"
            ) from error


_OBJECTS = ("readmark.formats", "readmark.kinds")
_CLASSES = tuple(
    f"readmark.{part}" for part in ("metrics", "candidates", "transforms", "analysers")
)


class Registry:
    """The names of one sort of thing, such as metrics: built-in ones and those of plug-ins."""

    def __init__(self, noun: str, group: str, builtin: Mapping[str, Entry] | None = None) -> None:
        self.noun = noun
        self.group = group
        self._builtin = builtin

    @functools.cached_property
    def builtin(self) -> Mapping[str, Entry]:
        """The entries that ship with Readmark."""
        if self._builtin is not None:
            return self._builtin
        builtin: Mapping[str, Entry] = import_module("readmark.builtin").entries(self.group)
        return builtin

    @functools.cached_property
    def entries(self) -> Mapping[str, Entry]:
        """Every entry; a plug-in cannot replace a built-in one."""
        entries = dict(self.builtin)
        for point in entry_points(group=self.group):
            entries.setdefault(point.name, _plugin(point))
        return entries

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __contains__(self, name: str) -> bool:
        return name in self.builtin or name in self.entries

    def entry(self, name: str) -> Entry:
        """The entry of a name; the error for an unknown one has a hint."""
        if name in self.builtin:
            return self.builtin[name]
        if name in self.entries:
            return self.entries[name]
        removed = import_module("readmark.builtin").REMOVED.get(self.group, {})
        if name in removed:
            raise UsageError(f"{self.noun} {name} is gone: {removed[name]}")
        raise UsageError(f"unknown {self.noun} {name!r}; {did_you_mean(name, self.names())}")

    def names(self) -> list[str]:
        """The names that a hint for an unknown one chooses from."""
        return list(self.entries)

    def load(self, name: str) -> Any:
        """The registered thing; a plug-in must have every member that its hook requires."""
        entry = self.entry(name)
        thing = entry.load()
        if entry.package != "readmark" and (problem := self._problem(name, thing)):
            raise ReadmarkError(f"{self.noun} {name} of package {entry.package} {problem}")
        return thing

    def _problem(self, name: str, thing: Any) -> str | None:
        """Why a plug-in cannot be used, if so."""
        if not NAME.fullmatch(name):
            return "cannot be named: names are lower case letters, digits, '_', '.' and '-'"
        if self.group in _OBJECTS and isinstance(thing, type):
            return f"is a class, expected an object: {thing.__name__}()"
        for member in import_module("readmark.hooks").REQUIRED.get(self.group, ()):
            if not (hasattr(thing, member) or member in parameters_of(_class_of(thing))):
                return f"has no {member}: see readmark.hooks"
        if self.group in _CLASSES and not isinstance(thing, type):
            return f"is an object, expected its class: {type(thing).__name__}"
        return None

    def working(self, *, sittings: bool = False) -> Iterator[tuple[str, Any]]:
        """Everything that can be loaded, without the broken plug-ins of other packages.

        ``sittings`` leaves out formats that hold no sittings.
        """
        for name, entry in self.entries.items():
            if sittings and not entry.sittings:
                continue
            try:
                thing = self.load(name)
            except ReadmarkError:
                if entry.package == "readmark":
                    raise
            else:
                yield name, thing

    def plugins(self) -> Iterator[tuple[str, str, str | None]]:
        """Other packages' entries: name, package, and why it cannot be used, if it cannot."""
        for name, entry in self.entries.items():
            if entry.package != "readmark":
                try:
                    self.load(name)
                    yield name, entry.package, None
                except ReadmarkError as error:
                    yield name, entry.package, str(error)
        for point in entry_points(group=self.group):
            entry, rival = self.entries[point.name], _plugin(point)
            if entry != rival:
                yield point.name, rival.package, f"not used: the name is taken by {entry.package}"

    def summary(self, name: str) -> str:
        """One line of prose: the entry's, or the first line of a plug-in's docstring."""
        entry = self.entry(name)
        line = entry.summary or (self.load(name).__doc__ or "").strip().split("\n")[0].rstrip(".")
        return line if entry.package == "readmark" else f"{line} (from {entry.package})"

    def parameters(self, name: str) -> Mapping[str, Parameter]:
        """What a name takes in brackets."""
        return parameters_of(_class_of(self.load(name)))

    def build(self, text: str | ParsedName) -> tuple[ParsedName, Any]:
        """Build ``name(key=value,...)``: the canonical name, and the object with its parameters."""
        name = parse_name(text) if isinstance(text, str) else text
        if not isinstance(name, ParsedName):
            raise UsageError(f"a {self.noun} is given by its name, not as a {type(text).__name__}")
        cls = self.load(name.base)
        canonical = self._canonical(name, cls)
        return canonical, cls(**canonical.parameters)

    def set(self, text: str) -> tuple[ParsedName, Any]:
        """The same for what is registered as an object, whose own parameters are the defaults."""
        name = parse_name(text)
        thing = self.load(name.base)
        if not name.parameters:
            return name, thing
        canonical = self._canonical(name, type(thing))
        return canonical, replace(thing, **canonical.parameters)

    def _canonical(self, name: ParsedName, cls: type) -> ParsedName:
        """The name with its parameters in declared order and type; unknown ones get a hint."""
        declared = parameters_of(cls)
        for key in name.parameters:
            if key not in declared:
                hint = did_you_mean(key, declared) if declared else "it takes none"
                raise UsageError(f"{self.noun} {name.base} has no parameter {key!r}; {hint}")
        ordered = {
            key: parameter.take(
                name.written.get(key, name.parameters[key])
                if parameter.type is str
                else name.parameters[key],
                of=f"{self.noun} {name.base}",
            )
            for key, parameter in declared.items()
            if key in name.parameters
        }
        return ParsedName(name.base, ordered)


@dataclass(frozen=True, slots=True)
class Parameter:
    """A declared parameter: its type, default, allowed values and one line of prose."""

    name: str
    type: type
    default: ParameterValue | None
    choices: tuple[str, ...]
    help: str
    spelt: Callable[[Any], ParameterValue] | None = None
    """Gives the one canonical spelling of a value that can be written in several ways."""

    def take(self, value: ParameterValue, *, of: str) -> ParameterValue:
        """The value in the declared type; the error says what is allowed."""
        if self.type is float and isinstance(value, int) and not isinstance(value, bool):
            return float(value)
        if self.type is str and not isinstance(value, str):
            value = spell(value)
        if not isinstance(value, self.type) or (self.type is int and isinstance(value, bool)):
            raise UsageError(f"{of}: {self.name}={spell(value)} is not {_WORDS[self.type]}")
        if self.choices and value not in self.choices:
            hint = did_you_mean(str(value), self.choices)
            raise UsageError(
                f"{of}: {self.name}={spell(value)} is not one of {'|'.join(self.choices)}; {hint}"
            )
        return value if self.spelt is None else self.spelt(value)


_WORDS = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}


@functools.cache
def parameters_of(cls: type) -> Mapping[str, Parameter]:
    """The parameters that a dataclass declares, in order; any other class has none."""
    if not hasattr(cls, "__dataclass_fields__"):
        return {}
    try:
        hints = get_type_hints(cls)
    except NameError as error:  # a name that only a type checker imports
        raise ReadmarkError(
            f"the parameters of {cls.__qualname__} cannot be determined: {error}"
        ) from None
    parameters = {}
    for declared in fields(cls):
        if not declared.init or declared.metadata.get("internal"):
            continue
        types = get_args(hints[declared.name]) or (hints[declared.name],)
        plain_type = next((type for type in types if type in _WORDS), None)
        if plain_type is None:
            continue  # nothing that could be written in a name
        parameters[declared.name] = Parameter(
            declared.name,
            plain_type,
            None if declared.default is MISSING else declared.default,
            tuple(declared.metadata.get("choices", ())),
            declared.metadata.get("help", ""),
            declared.metadata.get("spelt"),
        )
    return parameters


def _class_of(thing: Any) -> type:
    return thing if isinstance(thing, type) else type(thing)


def entry_points(*, group: str) -> Iterable[EntryPoint]:
    """The entry points of other packages; importlib.metadata is slow to import, so not always."""
    paths = tuple(sys.path)
    return _all_points(paths).select(group=group) if _may_have_plugins(paths) else ()


@functools.lru_cache(maxsize=4)
def _all_points(_: tuple[str, ...]) -> Any:  # on Python 3.11 another type than later
    """The entry points of every group: to look through all packages takes a tenth of a second."""
    from importlib import metadata

    return metadata.entry_points()


@functools.lru_cache(maxsize=4)
def _may_have_plugins(paths: tuple[str, ...]) -> bool:
    """Whether a package on the path has a group of Readmark's, or might: looks at files alone."""
    finders = [finder for finder in sys.meta_path if hasattr(finder, "find_distributions")]
    if any(finder is not PathFinder for finder in finders):
        return True
    for path in paths:
        folder = Path(path or os.curdir)
        if folder.is_file():  # a zip
            return True
        try:
            packages = [entry for entry in folder.iterdir() if entry.name.endswith(_PACKAGES)]
        except OSError:  # missing or unreadable: nothing is imported from it either
            continue
        if any(_names_group(package / "entry_points.txt") for package in packages):
            return True
    return False


_PACKAGES = (".dist-info", ".egg-info", ".egg")


def _names_group(file: Path) -> bool:
    try:
        return b"[readmark." in file.read_bytes()
    except OSError:
        return file.parent.suffix == ".egg"  # its metadata is elsewhere


def _plugin(point: EntryPoint) -> Entry:
    package = point.dist.name if point.dist is not None else "another package"
    return Entry(point.value, package=package)


def parameter(
    default: Any = MISSING,
    *,
    help: str,
    choices: Sequence[str] = (),
    unnamed: bool = False,
    spelt: Callable[[Any], Any] | None = None,
) -> Any:
    """A parameter of what is registered: its default, allowed values, and one line of prose.

    Without a default it must be given. An ``unnamed`` one is not part of a metric's name in tables
    and files. ``spelt`` makes the one spelling of a value of which there are several.
    """
    metadata = {"help": help, "choices": tuple(choices), "unnamed": unnamed, "spelt": spelt}
    return field(default=default, metadata=metadata)
