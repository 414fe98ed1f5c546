"""The registry: hints for unknown names, declared parameters, their types and their order."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from readmark.console import CommandGroup
from readmark.core import registry as module
from readmark.core.errors import DataError, ReadmarkError, UsageError, did_you_mean
from readmark.core.kinds import KINDS
from readmark.core.parsed_names import ParsedName
from readmark.core.problems import ReportProblem
from readmark.core.records import Passage
from readmark.core.registry import Entry, Registry, parameters_of
from readmark.core.source import Source
from readmark.core.test import Header, Placed, Test
from readmark.formats.inputs import load
from readmark.formats.registry import FORMATS, reads_sittings, save_test
from readmark.hooks import MetricFacts
from readmark.marking.metrics import METRICS


@dataclass(frozen=True)
class Weighing:
    """Weighs n-grams.

    The second paragraph is not shown.
    """

    u: float = 1.0
    b: float = 1.0
    size: int = 2
    folded: bool = False
    label: str | None = None
    mode: str = field(default="bag", metadata={"choices": ("bag", "run"), "help": "which"})
    made: str = field(default="", init=False)
    own: str = field(default="", metadata={"internal": True})
    where: str = field(default="", metadata={"spelt": str.lower})


class Plain:
    """Takes no parameters."""


class OneFormat:
    """One passage, if that."""

    broken = ""

    def recognises(self, source: Source) -> bool:
        self.fail("recognises")
        return source.suffixes[-1:] == (".lines",)

    def read(self, source: Source) -> Test:
        self.fail("read")

        def stream(report: ReportProblem) -> Iterator[Placed]:
            yield 1, Passage(id="1", text=source.path.read_bytes().decode("utf-8"))

        return Test(Header(name="lines"), stream, source.file)

    def write(self, test: Test, path: Path) -> list[str]:
        raise LookupError("cannot write")

    def fail(self, member: str) -> None:
        if self.broken == member:
            raise KeyError(f"no {member}")


FORMAT = OneFormat()


class OneMetric:
    """One for every unit."""

    facts = MetricFacts(kinds=("comprehension",))
    statistics = aggregate = signature = None


METRIC = OneMetric()


@pytest.fixture
def things(monkeypatch: pytest.MonkeyPatch) -> Registry:
    """A registry of the two classes above, one that is broken, and no plug-ins."""
    monkeypatch.setattr(module, "entry_points", lambda group: ())
    registry = Registry(
        "thing",
        "readmark.things",
        {
            "weighing": Entry("here:Weighing", "weighs", ("series",)),
            "plain": Entry("here:Plain"),
            "absent": Entry("readmark.no_such_module:Thing", package="elsewhere"),
            "nameless": Entry("readmark.core.registry:NoSuchThing", package="elsewhere"),
        },
    )
    found = {"here:Weighing": Weighing, "here:Plain": Plain}
    load = Entry.load
    monkeypatch.setattr(Entry, "load", lambda one: found.get(one.target) or load(one))
    return registry


@pytest.mark.parametrize(
    ("wanted", "hint"),
    [
        ("wieghing", "did you mean weighing?"),
        ("plane", "did you mean plain?"),
        ("xyz", "known: weighing, plain, absent, nameless"),
        ("", "known: weighing, plain, absent, nameless"),
    ],
)
def test_an_unknown_name_gets_a_hint(things: Registry, wanted: str, hint: str) -> None:
    assert wanted not in things
    with pytest.raises(UsageError) as caught:
        things.load(wanted)
    assert str(caught.value) == f"unknown thing {wanted!r}; {hint}"


def test_a_hint_names_a_few_of_many_names() -> None:
    names = [f"property{number:04}" for number in range(1, 1235)]
    assert did_you_mean("xyz", names) == (
        "known: property0001, property0002, property0003, property0004, property0005, "
        "… (1,234 in all)"
    )
    assert did_you_mean("property0700x", names) == "did you mean property0700?"
    assert did_you_mean("xyz", []) == "none is known"


def test_an_object_is_no_name(things: Registry) -> None:
    with pytest.raises(UsageError, match="a thing is given by its name, not as a Plain"):
        things.build(Plain())  # type: ignore[arg-type]


def test_did_you_mean_of_nothing() -> None:
    assert did_you_mean("a", []) == "none is known"


def test_parameters_come_in_declared_order(things: Registry) -> None:
    name, made = things.build("weighing(folded=true,size=3,b=2,u=0.5)")
    assert str(name) == "weighing(u=0.5,b=2,size=3,folded=true)"
    assert made == Weighing(u=0.5, b=2.0, size=3, folded=True)
    assert things.build(str(name)) == (name, made)


def test_parameters_that_were_not_given_are_not_added(things: Registry) -> None:
    name, made = things.build("weighing(b=1)")
    assert str(name) == "weighing(b=1)"
    assert made == Weighing()
    assert str(things.build(ParsedName("weighing"))[0]) == "weighing"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("weighing(u=heavy)", "thing weighing: u=heavy is not a number"),
        ("weighing(u=true)", "thing weighing: u=true is not a number"),
        ("weighing(size=2.5)", "thing weighing: size=2.5 is not a whole number"),
        ("weighing(size=true)", "thing weighing: size=true is not a whole number"),
        ('weighing(size="2")', 'thing weighing: size="2" is not a whole number'),
        ("weighing(folded=1)", "thing weighing: folded=1 is not true or false"),
        ("weighing(folded=True)", "thing weighing: folded=True is not true or false"),
        (
            "weighing(mode=bga)",
            "thing weighing: mode=bga is not one of bag|run; did you mean bag?",
        ),
        ("weighing(mode=7)", 'thing weighing: mode="7" is not one of bag|run; known: bag, run'),
        ("weighing(w=1)", "thing weighing has no parameter 'w'; known: u, b, size, folded, "),
        ("weighing(sise=1)", "thing weighing has no parameter 'sise'; did you mean size?"),
        ("weighing(made=x)", "thing weighing has no parameter 'made'"),
        ("weighing(own=x)", "thing weighing has no parameter 'own'"),
        ("plain(a=1)", "thing plain has no parameter 'a'; it takes none"),
    ],
)
def test_wrong_parameters(things: Registry, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        things.build(text)
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("weighing(label=5)", "5"),
        ("weighing(label=true)", "true"),
        ('weighing(label="01")', "01"),
    ],
)
def test_text_parameters_take_what_looks_like_a_number(
    things: Registry, text: str, label: str
) -> None:
    name, made = things.build(text)
    assert made.label == label
    assert things.build(str(name))[1] == made


def test_what_can_be_written_in_several_ways_has_one_name(things: Registry) -> None:
    name, made = things.build("weighing(where=HERE)")
    assert (str(name), made.where) == ("weighing(where=here)", "here")


def test_whole_numbers_pass_for_numbers(things: Registry) -> None:
    _, made = things.build("weighing(u=2)")
    assert isinstance(made.u, float)


def test_declared_parameters() -> None:
    found = parameters_of(Weighing)
    assert list(found) == ["u", "b", "size", "folded", "label", "mode", "where"]
    assert [one.type for one in found.values()] == [float, float, int, bool, str, str, str]
    assert found["mode"].choices == ("bag", "run")
    assert found["mode"].help == "which"
    assert found["label"].default is None
    assert parameters_of(Plain) == {}


@pytest.mark.parametrize("name", ["absent", "nameless"])
def test_what_cannot_be_loaded_is_named_with_its_package(things: Registry, name: str) -> None:
    with pytest.raises(ReadmarkError, match="of package elsewhere cannot be loaded"):
        things.load(name)


def test_summaries(things: Registry) -> None:
    assert things.summary("weighing") == "weighs"
    assert things.summary("plain") == "Takes no parameters"


def test_plug_ins_join_but_do_not_replace(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("own", "readmark.core.registry:ParsedName", "readmark.things"),
        EntryPoint("plain", "readmark.core.registry:ParsedName", "readmark.things"),
    ]
    monkeypatch.setattr(module, "entry_points", lambda group: points)
    registry = Registry("thing", "readmark.things", {"plain": Entry("here:Plain", "built in")})
    assert list(registry) == ["plain", "own"]
    assert registry.load("own") is ParsedName
    assert registry.entry("plain").summary == "built in"
    assert registry.summary("own").endswith("(from another package)")


@pytest.mark.parametrize(
    ("group", "name", "target", "problem"),
    [
        ("formats", "lines", "OneFormat", "is a class, expected an object: OneFormat()"),
        ("formats", "lines", "FORMAT", None),
        ("formats", "native", "FORMAT", "not used: the name is taken by readmark"),
        ("metrics", "Share", "OneMetric", "cannot be named: names are lower case"),
        ("metrics", "share", "METRIC", "is an object, expected its class: OneMetric"),
        ("metrics", "share", "OneMetric", None),
    ],
)
def test_doctor_learns_what_is_wrong_with_a_plug_in(
    monkeypatch: pytest.MonkeyPatch, group: str, name: str, target: str, problem: str | None
) -> None:
    point = EntryPoint(name, f"{__name__}:{target}", f"readmark.{group}")
    monkeypatch.setattr(module, "entry_points", lambda group: [point])
    [(own, _, found)] = Registry("part", f"readmark.{group}").plugins()
    assert own == name
    assert found is None if problem is None else problem in (found or "")


def test_help_lists_a_command_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    broken = Entry(f"{__name__}:Plain", package="elsewhere")
    commands = Registry("command", "readmark.commands", {"plain": broken})
    monkeypatch.setattr(module, "entry_points", lambda group: ())
    assert CommandGroup(registry=commands).summary("plain") == "cannot be loaded (from elsewhere)"


@pytest.mark.parametrize(
    ("member", "line"),
    [
        ("recognises", "failed in recognises: KeyError: 'no recognises'"),
        ("read", "failed in read: KeyError: 'no read'"),
        ("stream", "failed in read: UnicodeDecodeError: 'utf-8' codec can't decode byte 0xb1"),
    ],
)
def test_a_plug_in_format_that_fails_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, member: str, line: str
) -> None:
    broken = Entry(f"{__name__}:FORMAT", package="elsewhere")
    monkeypatch.setattr(FORMATS, "entries", {**FORMATS.builtin, "lines": broken})
    monkeypatch.setattr(OneFormat, "broken", member)
    file = tmp_path / "test.lines"
    file.write_bytes("北京".encode("gbk"))
    with pytest.raises(DataError) as caught:
        list(load(file).units())
    assert str(caught.value).startswith(f"{file}: format lines of package elsewhere {line}")
    if member != "recognises":
        small = Test(Header(name="small"), lambda report: iter(()), "small")
        with pytest.raises(DataError, match="out: format lines of package elsewhere failed in wri"):
            save_test(small, tmp_path / "out", format="lines")


@pytest.mark.parametrize("registry", [FORMATS, KINDS, METRICS], ids=lambda one: one.noun)
def test_everything_built_in_loads_and_has_one_line(registry: Registry) -> None:
    for name in registry:
        assert registry.load(name) is not None
        line = registry.summary(name)
        assert line
        assert "\n" not in line


@pytest.mark.parametrize("name", list(METRICS))
def test_metrics_build_by_their_bare_name(name: str) -> None:
    canonical, _ = METRICS.build(name)
    assert str(canonical) == name


def test_formats_that_are_not_asked_for_sittings_hold_none() -> None:
    tests_only = [name for name in FORMATS if not FORMATS.entry(name).sittings]
    assert tests_only
    assert not [name for name in tests_only if reads_sittings(FORMATS.load(name))]
    asked = dict(FORMATS.working(sittings=True))
    assert asked.keys() == set(FORMATS) - set(tests_only)


@pytest.mark.parametrize(
    ("folder", "text", "found"),
    [
        ("plug-1.0.dist-info", "[console_scripts]\nplug = plug:main\n", False),
        ("plug-1.0.dist-info", "[readmark.metrics]\nslips = plug:Slips\n", True),
        ("plug.egg-info", "[console_scripts]\na = b:c\n\n[readmark.kinds]\na = b:c\n", True),
        ("plug.egg", None, True),  # its entry points are elsewhere in it
        ("plug-1.0.dist-info", None, False),
    ],
)
def test_plug_ins_are_looked_for_only_where_a_package_names_a_group(
    folder: str, text: str | None, found: bool, tmp_path: Path
) -> None:
    (tmp_path / folder).mkdir()
    if text is not None:
        (tmp_path / folder / "entry_points.txt").write_text(text)
    search = module._may_have_plugins.__wrapped__
    paths = (str(tmp_path / "nowhere"), str(tmp_path))
    expected = found or any(
        hasattr(finder, "find_distributions") and finder is not PathFinder
        for finder in sys.meta_path
    )
    assert search(paths) == expected


def test_a_zip_on_the_path_may_hold_plug_ins(tmp_path: Path) -> None:
    (tmp_path / "packages.zip").write_bytes(b"PK\x05\x06" + bytes(18))
    assert module._may_have_plugins.__wrapped__((str(tmp_path / "packages.zip"),))
