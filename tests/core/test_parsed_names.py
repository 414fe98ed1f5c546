"""Names with parameters: read, spelt canonically, and read back to the same."""

import math
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from readmark.core.errors import UsageError
from readmark.core.parsed_names import ParameterValue, ParsedName, parse_name, read_value, spell
from readmark.formats.people_names import person_by_file
from readmark.formats.registry import open_test
from readmark.settling import name_two

bases = st.from_regex(r"[a-z][a-z0-9_.-]{0,8}", fullmatch=True)
keys = st.from_regex(r"[a-z][a-z0-9_]{0,5}", fullmatch=True)
texts = st.text(st.characters(exclude_categories=("Cs",)), max_size=12) | st.sampled_from(
    ["", "true", "false", "1", "-1.50", "1e5", "1e999", "inf", "nan", "a,b", "a=b", "(", ")", '"']
)
numbers = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
values = st.booleans() | numbers | texts


@given(values)
@example(2**53 + 1)
@example(-(2**70))
@example(1e22)
@example(0.1 + 0.2)
@example("\\")
@example('\\"')
@example("line\nbreak\\\n")
@example("\u3000")
@example("３")
def test_a_value_reads_back(value: ParameterValue) -> None:
    name = parse_name(f"n(k={spell(value)})")
    found = name.parameters["k"]
    assert found == value
    assert isinstance(found, str) == isinstance(value, str)
    assert isinstance(found, bool) == isinstance(value, bool)


@given(bases, st.dictionaries(keys, values, max_size=4))
def test_a_canonical_name_is_its_own_canonical_name(
    base: str, parameters: dict[str, ParameterValue]
) -> None:
    spelt = str(ParsedName(base, parameters))
    read = parse_name(spelt)
    assert read.base == base
    assert dict(read.parameters) == parameters
    assert list(read.parameters) == list(parameters)
    assert str(read) == spelt


@given(st.text(max_size=30))
@example("f1(")
@example("f1)")
@example('f1(a="')
@example('f1(a="\\')
def test_any_text_is_a_name_or_a_usage_error(text: str) -> None:
    try:
        name = parse_name(text)
    except UsageError:
        return
    assert parse_name(str(name)) == name


@pytest.mark.parametrize(
    ("asked", "canonical"),
    [
        ("f1", "f1"),
        (" f1 ", "f1"),
        ("f1()", "f1"),
        ("f1( )", "f1"),
        ("f1 ( profile = zh , simplify = true )", "f1(profile=zh,simplify=true)"),
        ('f1(profile="zh")', "f1(profile=zh)"),
        ("jaccard(u=2.0,b=1,t=0.0)", "jaccard(u=2,b=1,t=0)"),
        ("jaccard(u=+2,b=.5,t=-0.0)", "jaccard(u=2,b=0.5,t=0)"),
        ("jaccard(u=1e2,b=1.50,t=1e-7)", "jaccard(u=100,b=1.5,t=1e-07)"),
        ("hf(model=org/model-1.5:b)", "hf(model=org/model-1.5:b)"),
        ('hf(model="a, (b) c")', 'hf(model="a, (b) c")'),
        ('llm(base_url="http://h/?a=b")', 'llm(base_url="http://h/?a=b")'),
        ('n(a="tr\\"ue")', 'n(a="tr\\"ue")'),
        ('n(a="true")', 'n(a="true")'),
        ('n(a="")', 'n(a="")'),
        ("n(a=模型)", "n(a=模型)"),
        ("n(seed=9007199254740993)", "n(seed=9007199254740993)"),
    ],
)
def test_canonical_spelling(asked: str, canonical: str) -> None:
    assert str(parse_name(asked)) == canonical


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("True", "True"),
        ("7", 7),
        ("7.0", 7),
        ("7.25", 7.25),
        ("1e3", 1000),
        ("9007199254740993", 9007199254740993),
        ("nan", "nan"),
        ("inf", "inf"),
        ("1e999", "1e999"),
        ("9" * 5000, "9" * 5000),
        ("1_000", "1_000"),
        ("0x10", "0x10"),
        ("1.2.3", "1.2.3"),
    ],
)
def test_read_value(text: str, value: ParameterValue) -> None:
    found = read_value(text)
    assert found == value
    assert type(found) is type(value)


def test_a_value_is_never_infinite() -> None:
    for text in ("1e309", "-1e309", "1" + "0" * 400):
        found = read_value(text)
        assert isinstance(found, str) or math.isfinite(found)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "(",
        "()",
        "F1",
        "1f",
        "f 1",
        "f1(profile)",
        "f1(profile=)",
        "f1(=zh)",
        "f1(profile=zh",
        "f1 profile=zh)",
        "f1(profile=zh))",
        "f1(profile=zh) x",
        "f1(profile=zh,)",
        "f1(,profile=zh)",
        "f1(profile=zh simplify=true)",
        "f1(Profile=zh)",
        'f1(profile="zh)',
        'f1(profile=z"h)',
        "f1(a=b=c)",
        "模型",
    ],
)
def test_malformed_names(text: str) -> None:
    with pytest.raises(UsageError, match="expected name") as caught:
        parse_name(text)
    assert caught.value.exit_status == 2


def test_a_parameter_given_twice() -> None:
    with pytest.raises(UsageError, match="gives u twice"):
        parse_name("jaccard(u=1,b=2,u=1)")


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("mill/river.csv", "river"),
        ("mill/p.csv", "mill"),
        ("mill/7.csv", "mill"),
        ("mill/questions.csv", "mill"),
        ("mill/data/Questions.csv", "mill"),
        ("cmrc2018/dev.csv", "cmrc2018-dev"),
        ("cmrc2018/data/test.csv", "cmrc2018-test"),
        ("tmp/out/p.csv", "p"),
        ("mill/茶.csv", "茶"),
        ("mill/dev-v1.1.csv", "dev-v1.1"),
    ],
)
def test_a_test_is_called_by_its_file_or_its_folder(
    file: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / file
    path.parent.mkdir(parents=True)
    path.write_text("passage,question,answer\nThe mill is old.,What is old?,The mill\n", "utf-8")
    assert open_test(path).header.name == name
    monkeypatch.chdir(path.parent)
    assert open_test(path.name).header.name == name


@pytest.mark.parametrize(
    ("file", "person"),
    [
        ("ann.jsonl", "ann"),
        ("harbour.ann.tsv", "harbour.ann"),
        ("dr.smith.jsonl.gz", "dr.smith"),
        ("J. Smith.answers.csv", "J. Smith"),
        ("folder/刘先生的标注.brcc", "刘先生的标注"),
        ("bo", "bo"),
        (".csv", ".csv"),
    ],
)
def test_annotators_are_called_by_their_files(file: str, person: str) -> None:
    assert person_by_file(file) == person
    assert name_two((file, "x/other.json"), (), "annotator") == (person, "other")
