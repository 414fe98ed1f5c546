"""readmark.toml: what is read, which file counts, and one line for whatever is wrong."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from readmark.cli.main import run
from readmark.core.configuration import (
    FILE_VARIABLE,
    SETTINGS_VARIABLE,
    configuration,
    lift_restriction,
    load_configuration,
    put_in_force,
    use_only_limits,
)
from readmark.core.configuration_sections import described_keys
from readmark.core.confinement import run_confined
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.limits import Limits
from readmark.core.stored_keys import looks_like_secret, stored_key
from readmark.core.typed_keys import UNLIMITED

QWEN = """\
# models of our own
[models.qwen]
base_url = "http://localhost:8000/v1/"
price = { input = 1, output = 2.5 }
stop = [
  "###",
  "END",
]

[models.qwen.headers]
X-Team = "reading"
Authorization = "env:TEAM_KEY"

[limits]
cost = 2

[files]
line = "256MB"
ratio = "none"

[columns]
question = "prompt"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, text: str) -> Path:
    path = folder / "readmark.toml"
    path.write_text(text, "utf-8")
    return path


def test_values_with_their_lines(folder: Path) -> None:
    write(folder, QWEN)
    in_force = configuration()
    model = in_force.models["qwen"]
    assert (model.base_url, model.stop, model.timeout) == (
        "http://localhost:8000/v1",
        ("###", "END"),
        120.0,
    )
    assert model.price is not None
    assert (model.price.input, model.price.output, model.price.currency) == (1.0, 2.5, "USD")
    assert in_force.files == Limits(line=256 << 20, ratio=UNLIMITED)
    assert in_force.columns == {"question": ("prompt",)}
    origins = {value.key: value.origin for value in in_force.values()}
    assert origins["models.qwen.base_url"] == "readmark.toml:3"
    assert origins["models.qwen.price.output"] == "readmark.toml:4"
    assert origins["models.qwen.stop"] == "readmark.toml:5"
    assert origins["limits.cost"] == "readmark.toml:15"
    assert origins["columns.question"] == "readmark.toml:22"
    assert origins["limits.tokens"] == "default"


def test_the_nearest_file_counts_alone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder, "[limits]\ncost = 1\ntokens = 5\n")
    inner = folder / "a" / "b"
    inner.mkdir(parents=True)
    monkeypatch.chdir(inner)
    assert configuration().limits.cost == 1
    write(folder / "a", "[limits]\ncost = 2\n")
    assert (configuration().limits.cost, configuration().limits.tokens) == (2, None)


def test_a_changed_file_is_read_again(folder: Path) -> None:
    path = write(folder, "[limits]\ncost = 1\n")
    assert configuration().limits.cost == 1
    path.write_text("[limits]\ncost = 22\n")
    assert configuration().limits.cost == 22


def test_settings_come_before_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (FILE_VARIABLE, SETTINGS_VARIABLE):
        monkeypatch.setenv(name, "")
    file = folder / "other.toml"
    file.write_text(QWEN)
    in_force = put_in_force(
        str(file),
        [
            "models.qwen.timeout=5",
            "models.qwen.model=4",
            "limits.cost=0.5",
            "columns.a=b",
            "run.by=level",
        ],
    )
    model = in_force.models["qwen"]
    assert (model.timeout, model.model, in_force.limits.cost) == (5.0, "4", 0.5)
    assert in_force.columns == {"question": ("prompt",), "a": ("b",)}
    assert in_force.run.by == ("level",)
    origins = {value.key: value.origin for value in in_force.values()}
    assert origins["models.qwen.timeout"] == "--set models.qwen.timeout"
    assert origins["models.qwen.attempts"] == "default"


def test_paths_are_those_of_the_file(folder: Path) -> None:
    (folder / "inner").mkdir()
    path = write(
        folder / "inner", '[models.m]\ncache = "c.sqlite"\n[run]\ntests = ["t.jsonl", "s3://b/t"]\n'
    )
    in_force = load_configuration(path)
    assert in_force.models["m"].cache == os.fspath(folder / "inner" / "c.sqlite")
    assert in_force.run.tests == (os.fspath(folder / "inner" / "t.jsonl"), "s3://b/t")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[limits]\ncots = 1\n", "readmark.toml:2: limits.cots: unknown key; did you mean cost?"),
        ("\n[limit]\n", "readmark.toml:2: limit: unknown section; did you mean limits?"),
        ("limits = 3\n", "readmark.toml:1: limits: expected a section [limits]"),
        ("models.m = 3\n", "readmark.toml:1: models.m: expected a section [models.m]"),
        ("models = 3\n", "readmark.toml:1: models: expected a section [models]"),
        ("[limits]\ncost = 'two'\n", 'readmark.toml:2: limits.cost: "two" is not a number above 0'),
        ("[limits]\ncost = 0\n", "readmark.toml:2: limits.cost: 0 is not a number above 0"),
        ("[limits]\ncost = nan\n", "readmark.toml:2: limits.cost: NaN is not a number above 0"),
        ("[limits]\ncost = true\n", "readmark.toml:2: limits.cost: true is not a number above 0"),
        ("[limits]\ncost = 1979-05-27\n", "readmark.toml:2: limits.cost: expected a number"),
        ("[limits]\ncost = 1\ncost = 2\n",
         "readmark.toml:3: limits.cost: is there twice, first in line 2"),
        ("[limits]\n[files]\n[limits]\n",
         "readmark.toml:3: limits: is there twice, first in line 1"),
        ("[limits]\ncost = 1\n\n[files\n", "readmark.toml:4: is not TOML: "),
        ("[limits]\ncost = [1,\n", "readmark.toml:3: is not TOML: "),
        ("[limits]\ncost = '''\n", "readmark.toml:3: is not TOML: "),
        ("[files]\nline = '5 potatoes'\n",
         'readmark.toml:2: files.line: "5 potatoes" is not a size such as "256MB"'),
        ("[files]\nratio = 1.5\n", "files.ratio: 1.5 is not a whole number from 1"),
        ("[ray]\nbatch = 0\n", "readmark.toml:2: ray.batch: 0 is not a whole number from 1"),
        ("[columns]\na = 3\n", "readmark.toml:2: columns.a: 3 is not text or a list of texts"),
        ("[columns]\na = [\"\"]\n", "readmark.toml:2: columns.a: expected the name of a column"),
        ("[columns]\na = []\n", "readmark.toml:2: columns.a: expected the name of a column"),
        ("[models.m]\nprice = { input = 1 }\n", "toml:2: models.m.price: output is missing"),
        ("[models.m.price]\ninput = -1\noutput = 1\n",
         "readmark.toml:2: models.m.price.input: -1 is not a number from 0"),
        ("[models.m]\nbase_url = 'ftp://x'\n", "toml:2: models.m.base_url: expected an http"),
        ("[models.m]\nbase_url = 'http://a:b@x/v1'\n", "models.m.base_url: expected an http"),
        ("[models.m]\nbase_url = 'http://x:port/v1'\n", "models.m.base_url: expected an http"),
        ("[models.m]\nshape = 'xml'\n", '"xml" is not auto, schema, json or text'),
        ("[models.M]\n", "readmark.toml:1: models.M: expected a name of lower-case letters"),
        ("[models.'a.b']\n", "readmark.toml:1: models.a.b: expected a name of lower-case letters"),
        ("[models.span]\n", "readmark.toml:1: models.span: a candidate is called span"),
        ("[models.m.body]\nmessages = []\n", "models.m.body.messages: Readmark fills it in"),
        ("[models.m.body]\nmax_completion_tokens = 9\n", "write models.m.max_tokens"),
        ("[models.m.body]\nmodel = 'x'\n", "models.m.body.model: write models.m.model"),
        ("[models.m.body]\nseed = 3\n", "models.m.body.seed: write models.m.seed"),
        ("[models.m.headers]\n'X Y' = 'z'\n", "is not the name of an HTTP header"),
        ("[models.m.headers]\nX-Y = 3\n", "models.m.headers: expected a table of texts"),
        ("[models.m.headers]\nX-Y = \"a\\nb\"\n", "models.m.headers.X-Y: expected printable ASCII"),
        ("[run]\nrepeats = 0\n", "readmark.toml:2: run.repeats: 0 is not a whole number from 1"),
        ("[run]\ntests = 3\n", "readmark.toml:2: run.tests: 3 is not a path or a list of paths"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_one_line(folder: Path, text: str, message: str) -> None:
    write(folder, text)
    with pytest.raises(DataError) as caught:
        configuration()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "line",
    [
        'key = "sk-proj-abcdefghijklmnop"',
        'key = "hunter2-the-password"',
        'key = "OPENAI_API_KEY_is_sk-abcdefghijkl"',
        'model = "hf_abcdefghijklmnopqrst"',
        'model = "0123456789abcdef0123456789abcdef"',
        'headers = { Authorization = "Bearer abcdefghijk" }',
        'headers = { X-Api-Key = "hunter2" }',
        'headers = { Ocp-Apim-Subscription-Key = "hunter2" }',
        'body = { user = { token = "hunter2" } }',
        'body = { accessToken = "hunter2" }',
        'body = { credentials = "hunter2" }',
        'headers = { X-Key = "hunter2" }',
        'headers = { x-functions-key = "hunter2" }',
        'body = { list = ["ghp_abcdefghijklmnopqrstuv"] }',
        'sk-abcdefghijklmnop = "x"',
        'body = { sk-abcdefghijklmnop = "x" }',
        'base_url = "http://me:hunter2@localhost/v1"',
    ],
)
def test_secrets_are_refused_and_not_repeated(folder: Path, line: str) -> None:
    write(folder, f"[models.m]\n{line}\n")
    with pytest.raises(DataError, match=r"^readmark\.toml:[12]: models\.m") as caught:
        configuration()
    for secret in ("hunter2", "abcdefghijk", "0123456789"):
        assert secret not in str(caught.value)


@pytest.mark.parametrize(
    "name",
    ["Qwen2.5-Coder-1.5B-Instruct-Q4_K_M", "meta-llama/Meta-Llama-3.1-8B-Instruct", "gpt-4o-mini",
     "http://localhost:8000/v1", "qwen2.5:7b-instruct-q4_K_M", "claude-3-5-sonnet-20241022"],
)  # fmt: skip
def test_names_of_models_are_no_secrets(name: str) -> None:
    assert not looks_like_secret(name)


@pytest.mark.parametrize(
    "text",
    [
        '[models.m]\nbase_url = "https://api.example/accounts/0123456789abcdef0123456789abcdef/v1"',
        '[models.m]\ncache = "0123456789abcdef0123456789abcdef.sqlite"',
        '[models.m]\nbody = { prompt_cache_key = "reading", max_new_tokens = 5 }',
        '[models.m]\nheaders = { Idempotency-Key = "1", X-Monkey = "2" }',
        '[run]\ncandidates = "hf(model=hub/snapshots/0123456789abcdef0123456789abcdef)"',
        '[run]\ntests = "0123456789abcdef0123456789abcdef.jsonl"',
    ],
)
def test_hashes_and_names_that_people_make_up_are_no_secrets(folder: Path, text: str) -> None:
    write(folder, text)
    assert configuration().origins


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["limits.cots=1"], "--set limits.cots: unknown key; did you mean cost?"),
        (["limits.cost=much"], '--set limits.cost: "much" is not a number above 0'),
        (["limits.cost"], "--set limits.cost: expected KEY=VALUE, such as limits.cost=1.50"),
        (["=3"], "--set =3: expected KEY=VALUE"),
        (["limits.cost=1", "limits.cost=2"], "--set limits.cost is given twice"),
        (["limit.cost=1"], "--set limit.cost: unknown section; did you mean limits?"),
        (["models.m.key=sk-abcdefghijklmnop"], "--set models.m.key: looks like a secret"),
        (["models.lead.timeout=3"], "--set models.lead.timeout: a candidate is called lead"),
        (["files.line=0"], "--set files.line: 0 is not a size"),
    ],
)
def test_settings_that_are_wrong(
    folder: Path, monkeypatch: pytest.MonkeyPatch, settings: list[str], message: str
) -> None:
    monkeypatch.setenv(SETTINGS_VARIABLE, json.dumps(settings))
    with pytest.raises(UsageError) as caught:
        configuration()
    assert message in str(caught.value)
    assert "abcdefgh" not in str(caught.value)


def test_files_that_cannot_be_read(folder: Path) -> None:
    with pytest.raises(DataError, match=r"none\.toml: cannot be read: No such file"):
        load_configuration("none.toml")
    (folder / "bytes.toml").write_bytes(b"[limits]\n# \xff\n")
    with pytest.raises(DataError, match=r"bytes.toml: is not UTF-8"):
        load_configuration("bytes.toml")
    (folder / "deep.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(DataError, match=r"deep\.toml"):
        load_configuration("deep.toml")
    (folder / "large.toml").write_text("#" * (2 << 20))
    with pytest.raises(DataError, match="is larger than 1 MB"):
        load_configuration("large.toml")


def test_keys_are_where_they_are_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAM_KEY", " abc ")
    assert stored_key("env:TEAM_KEY") == "abc"
    monkeypatch.delenv("TEAM_KEY")
    with pytest.raises(UsageError, match="set the environment variable TEAM_KEY"):
        stored_key("env:TEAM_KEY")
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ReadmarkError, match="keyring:team needs the package keyring: pip install"):
        stored_key("keyring:team")


def test_a_keyring_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    class Keyring:
        @staticmethod
        def get_password(service: str, name: str) -> str | None:
            return "secret" if (service, name) == ("readmark", "team") else None

    monkeypatch.setitem(sys.modules, "keyring", Keyring)
    assert stored_key("keyring:team") == "secret"
    with pytest.raises(UsageError, match="store it with `keyring set readmark other`"):
        stored_key("keyring:other")


@pytest.mark.command
def test_every_command_reports_a_file_that_is_wrong(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, "[limits]\ncots = 1\n")
    assert run(["doctor"]) == 1
    assert capsys.readouterr().err == (
        "readmark: readmark.toml:2: limits.cots: unknown key; did you mean cost?\n"
    )
    assert run(["--set", "limits.cost=x", "--config", "/none.toml", "doctor"]) == 1
    assert "/none.toml: cannot be read" in capsys.readouterr().err
    assert FILE_VARIABLE not in os.environ


@pytest.mark.command
@pytest.mark.parametrize(
    ("args", "text", "status", "message"),
    [
        ((), "qestion = 'Q'", 1, "readmark.toml:2: columns.qestion: unknown field; did you mean"),
        (
            ("--set", "columns.qestion=Q"),
            "",
            2,
            "--set columns.qestion: unknown field; did you mean",
        ),
        (
            (),
            "answer = 'A'\nAnswer = 'B'",
            1,
            "readmark.toml:3: columns.Answer: answer is there twice",
        ),
    ],
)
def test_doctor_checks_the_names_of_fields(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    args: tuple[str, ...],
    text: str,
    status: int,
    message: str,
) -> None:
    """With the status of any other unknown key: a file is bad data, an option bad usage."""
    write(folder, f"[columns]\n{text}\n")
    assert run([*args, "doctor"]) == status
    assert capsys.readouterr().err.startswith(f"readmark: {message}")


def test_doctor_shows_where_values_are_from(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(folder, QWEN)
    assert run(["--set", "limits.tokens=5", "doctor", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["file"] == os.fspath(folder / "readmark.toml")
    origins = {value["key"]: value["origin"] for value in shown["configuration"]}
    assert origins["limits.cost"] == "readmark.toml:15"
    assert origins["limits.tokens"] == "--set limits.tokens"
    assert origins["limits.total_cost"] == "default"


def files_and_models(_: object) -> object:
    """What a confined process has of the configuration."""
    in_force = configuration()
    return [in_force.files.line, sorted(in_force.models), in_force.limits.cost]


def test_confined_processes_have_the_limits_on_files_alone(folder: Path) -> None:
    write(folder, QWEN)
    environment = {**os.environ, "PYTHONPATH": os.fspath(Path(__file__).parents[2])}
    reply = run_confined(files_and_models, None, seconds=60, environment=environment)
    assert reply == [256 << 20, [], None]


def test_only_files_stay(folder: Path) -> None:
    write(folder, QWEN)
    try:
        use_only_limits(configuration().files)
        assert configuration().files.line == 256 << 20
        assert configuration().models == {}
    finally:
        lift_restriction()
    assert "qwen" in configuration().models


def test_every_key_has_a_meaning() -> None:
    keys = dict(described_keys())
    assert "models.NAME.price.input" in keys
    assert [name for name, spec in keys.items() if not spec.help] == []
