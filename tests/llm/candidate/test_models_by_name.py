"""Models of readmark.toml by their names: as reader, rater, rewriter, extractor and judge."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

import readmark
from llm_endpoint import Body, Endpoint, Misdeed, Says, first_words
from llm_papers import BUNDLE, SECRET, configure, says, sit_by_name
from readmark.cli.main import run
from readmark.comprehension.kind import COMPREHENSION
from readmark.core.errors import DataError, UsageError
from readmark.formats.registry import open_sitting
from readmark.readability.rate import rate

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_reader_by_its_name(paper: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEAM_KEY", SECRET)
    with Endpoint(first_words) as endpoint:
        configure(
            folder,
            endpoint.url,
            'model = "org/Model-1"',
            'key = "env:TEAM_KEY"',
            'stop = ["###"]',
            "seed = 7",
            "[models.m.body]",
            'reasoning = { effort = "low" }',
            "[models.m.headers]",
            'X-Team = "reading"',
        )
        done = readmark.sit(str(paper), "m(max_tokens=50)", folder / "s.jsonl")
        body, headers = endpoint.asked[0], endpoint.headers[0]
        marks = readmark.mark(str(paper), done.path)
    assert done.errors == 0
    assert body["model"] == "org/Model-1"
    assert (body["stop"], body["seed"], body["max_tokens"]) == (["###"], 7, 50)
    assert body["reasoning"] == {"effort": "low"}
    assert headers["X-Team"] == "reading"
    assert headers["Authorization"] == f"Bearer {SECRET}"
    header = open_sitting(folder / "s.jsonl", COMPREHENSION).header
    assert header.candidate == marks.candidate == "m(max_tokens=50)"
    signature = header.signature
    assert signature["model"] == "org/Model-1"
    assert (signature["base_url"], signature["max_tokens"]) == (endpoint.url, 50)
    assert signature["body"] == {"reasoning": {"effort": "low"}}
    assert signature["headers"] == {"X-Team": "reading"}
    assert list(signature["stop"]) == ["###"]


def test_a_plain_section_has_the_signature_of_the_candidate(paper: Path, folder: Path) -> None:
    with Endpoint(first_words) as endpoint:
        configure(folder, endpoint.url)
        readmark.sit(str(paper), "m", folder / "a.jsonl")
        readmark.sit(str(paper), f"llm(model=m,base_url={endpoint.url})", folder / "b.jsonl")
    first, second = (open_sitting(folder / name, COMPREHENSION) for name in ("a.jsonl", "b.jsonl"))
    assert first.header.signature == second.header.signature


def test_secret_headers_are_sent_and_stored_by_name(
    paper: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEAM_TOKEN", SECRET)
    monkeypatch.delenv("OPENAI_API_KEY")

    def echo(body: Body) -> Says:
        return Says(says(f"Tom {SECRET}"))

    with Endpoint(echo) as endpoint:
        configure(folder, endpoint.url, 'headers = { Authorization = "env:TEAM_TOKEN" }')
        readmark.sit(str(paper), "m", folder / "s.jsonl")
        assert endpoint.headers[0]["Authorization"] == SECRET
        monkeypatch.delenv("TEAM_TOKEN")
        with pytest.raises(UsageError, match="set the environment variable TEAM_TOKEN"):
            readmark.sit(str(paper), "m", folder / "t.jsonl")
    written = "".join(path.read_text("utf-8", "replace") for path in folder.glob("*.*l*"))
    assert SECRET not in written
    assert "env:TEAM_TOKEN" in (folder / "s.jsonl").read_text("utf-8")


def test_a_key_that_is_named_must_be_there(
    paper: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server on this machine needs no key, but whoever names one does not go without it."""
    monkeypatch.delenv("OPENAI_API_KEY")
    with Endpoint(first_words) as endpoint:
        configure(folder, endpoint.url, 'key = "env:TEAM_KEY"')
        with pytest.raises(UsageError, match="set the environment variable TEAM_KEY"):
            readmark.sit(str(paper), "m", folder / "a.jsonl")
        assert endpoint.headers == []
        configure(folder, endpoint.url)
        readmark.sit(str(paper), "m", folder / "b.jsonl")
        assert "Authorization" not in endpoint.headers[0]


def test_secrets_in_the_body_are_sent_and_stored_by_name(
    paper: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TEAM_TOKEN", SECRET)

    def echo(body: Body) -> Says:
        return Says(says(f"Tom {body['auth']['list'][0]['token']}"))

    with Endpoint(echo) as endpoint:
        section = 'body = { auth = { list = [{ token = "env:TEAM_TOKEN" }] }, top_k = 5 }'
        configure(folder, endpoint.url, section)
        readmark.sit(str(paper), "m", folder / "s.jsonl")
        assert endpoint.asked[0]["auth"] == {"list": [{"token": SECRET}]}
        assert endpoint.probes[0]["auth"] == {"list": [{"token": SECRET}]}
        assert endpoint.asked[0]["top_k"] == 5
        monkeypatch.delenv("TEAM_TOKEN")
        with pytest.raises(UsageError, match="set the environment variable TEAM_TOKEN"):
            readmark.sit(str(paper), "m", folder / "t.jsonl")
    written = b"".join(path.read_bytes() for path in folder.glob("*.*l*"))
    assert SECRET.encode() not in written
    header = open_sitting(folder / "s.jsonl", COMPREHENSION).header
    assert header.signature["body"]["auth"] == {"list": [{"token": "env:TEAM_TOKEN"}]}


def test_another_model_of_the_name_does_not_resume(paper: Path, folder: Path) -> None:
    with Endpoint(first_words) as endpoint:
        configure(folder, endpoint.url)
        readmark.sit(str(paper), "m", folder / "s.jsonl", limit=1)
        configure(folder, endpoint.url, 'model = "other"')
        with pytest.raises(DataError, match="another candidate's signature"):
            readmark.sit(str(paper), "m", folder / "s.jsonl")


def test_settings_of_the_section_are_in_force(paper: Path, folder: Path) -> None:
    with Endpoint(first_words, delay=0.02) as endpoint:
        configure(folder, endpoint.url, "parallel = 1", 'cache = ""')
        readmark.sit(str(paper), "m", folder / "s.jsonl")
        assert endpoint.most_at_once == 1
        assert [path.name for path in folder.glob("*.sqlite")] == []


def test_limits_of_the_configuration_stop_a_run(paper: Path, folder: Path) -> None:
    """A reply costs 0.02; the most that the next may cost is about 0.02 for the prompt's bytes."""

    def spending(body: Body) -> Says:
        return Says(says("Tom"), usage={"prompt_tokens": 1000, "completion_tokens": 10})

    with Endpoint(spending) as endpoint:
        configure(folder, endpoint.url, "parallel = 1", "[limits]", "cost = 0.04")
        rows = sit_by_name(paper, "m(max_tokens=10)", folder / "s.jsonl")
        assert [row.error is None for row in rows.values()] == [True, False, False]
        configure(folder, endpoint.url, "parallel = 1", "[limits]", "tokens = 1200")
        rows = sit_by_name(paper, "m(max_tokens=10)", folder / "t.jsonl")
        assert [row.error is None for row in rows.values()] == [True, False, False]
        assert "may exceed the limit of 1,200 tokens" in rows["q2"].error


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("n", "unknown candidate 'n'"),
        ("mm", "unknown candidate 'mm'; did you mean m?"),
        ("m(shotz=1)", "candidate m has no parameter 'shotz'; did you mean shots?"),
        ("m(model=x)", "m(model=…): readmark.toml decides it; for once, --set models.m.model=…"),
        ("m(base_url=http://x)", "m(base_url=…): readmark.toml decides it"),
        ("llm(model=m)", "m is a model of readmark.toml: write m, not llm(…)"),
    ],
)
def test_names_that_do_not_go(
    paper: Path, folder: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    configure(folder, "http://127.0.0.1:9/v1")
    with pytest.raises(UsageError) as caught:
        readmark.sit(str(paper), name, folder / "s.jsonl")
    assert message in str(caught.value)


def test_a_section_without_an_address(
    paper: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    (folder / "readmark.toml").write_text("[models.m]\n")
    with pytest.raises(UsageError, match=r"set models\.m\.base_url, or OPENAI_BASE_URL"):
        readmark.sit(str(paper), "m", folder / "s.jsonl")


def test_a_rater_and_a_rewriter(folder: Path) -> None:
    (folder / "a.txt").write_text("The boat is blue.")

    def reply(body: Body) -> str:
        schema = json.dumps(body.get("response_format", ""))
        return '{"rating": 4}' if "rating" in schema else '{"question": "Who?"}'

    with Endpoint(reply) as endpoint:
        configure(folder, endpoint.url)
        rated = rate(["a.txt"], rater="m")
        assert (rated.rater, [each.rating for each in rated.passages]) == ("m", [4.0])
        sat = readmark.sit(str(BUNDLE / "series.en.jsonl"), "m", folder / "s.jsonl", limit=2)
    assert (sat.errors, sat.progress.answered) == (0, 2)


def test_a_judge_by_its_name(paper: Path, folder: Path) -> None:
    def judge(body: Body) -> str:
        return '{"verdict": "right"}'

    answers = {"q1": "Tom", "q2": "the red kite", "q3": "nine"}
    with Endpoint(judge) as endpoint:
        configure(folder, endpoint.url, 'model = "org/Judge-1"', 'cache = ""', "max_tokens = 99")
        marks = readmark.mark(str(paper), answers, metrics=["em", "judge(model=m)"])
        body = endpoint.asked[0]
    assert (body["model"], body["max_tokens"]) == ("org/Judge-1", 99)
    signature = marks.marks["judge(model=m)"].signature
    assert "org/Judge-1" in signature
    assert endpoint.url in signature


def test_a_judge_s_own_sampling_wins_over_its_section(paper: Path, folder: Path) -> None:
    """Also where it is what a judge without a section would use."""
    answers = {"q1": "Tom", "q2": "the red kite", "q3": "nine"}
    with Endpoint(lambda body: '{"verdict": "right"}') as endpoint:
        configure(folder, endpoint.url, 'cache = ""', "temperature = 0.7", "max_tokens = 900")
        for name in ("judge(model=m)", "judge(model=m,temperature=0,max_tokens=512)"):
            readmark.mark(str(paper), answers, metrics=["em", name])
    sampling = {(body["temperature"], body["max_tokens"]) for body in endpoint.asked}
    assert sampling == {(0.7, 900), (0.0, 512)}


def test_a_judge_sends_no_temperature_below_0(paper: Path, folder: Path) -> None:
    """As the candidate: some endpoints refuse any temperature."""
    answers = {"q1": "Tom", "q2": "the red kite", "q3": "nine"}
    with Endpoint(lambda body: '{"verdict": "right"}') as endpoint:
        configure(folder, endpoint.url, 'cache = ""', "temperature = -1")
        for name in ("judge(model=m)", "judge(model=m,temperature=-0.5)"):
            marks = readmark.mark(str(paper), answers, metrics=["em", name])
            assert "|temperature:-" in marks.marks[name].signature
    assert len(endpoint.asked) > 0
    assert not any("temperature" in body for body in endpoint.asked)


# readmark doctor --models.


class Listing(Endpoint):
    """An endpoint that also lists its models."""

    def __init__(self, *args: Any, names: list[str], **more: Any) -> None:
        super().__init__(*args, **more)
        handler = self._server.RequestHandlerClass

        def do_get(self: BaseHTTPRequestHandler) -> None:
            body = json.dumps({"data": [{"id": name} for name in names]}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        handler.do_GET = do_get  # type: ignore[attr-defined]


def test_doctor_asks_each_model(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def reply(body: Body) -> Any:
        if body["model"] == "qwen2.5":
            return '{"answer": "yes"}'
        return Misdeed(404, b'{"error": {"message": "model not found"}}')

    with Listing(reply, names=["qwen2.5", "qwen3"], probed=True) as endpoint:
        text = "".join(
            f'[models.{name}]\nbase_url = "{endpoint.url}"\nmodel = "{model}"\n'
            for name, model in (("good", "qwen2.5"), ("bad", "qwen2.6"))
        )
        (folder / "readmark.toml").write_text(
            text + '[models.away]\nbase_url = "http://127.0.0.1:9/v1"\n'
        )
        assert run(["doctor", "--models"]) == 1
        shown = capsys.readouterr().out
        assert len(endpoint.probes) >= 2
        assert run(["doctor", "--models", "--json"]) == 1
        checks = {one["name"]: one for one in json.loads(capsys.readouterr().out)["models"]}
    assert "model good: qwen2.5 takes a JSON schema, temperature, max_tokens (" in shown
    assert "model bad: the endpoint has no model 'qwen2.6'; did you mean qwen2.5?" in shown
    assert "its endpoint has: qwen2.5, qwen3" in shown
    assert "model away: http://127.0.0.1:9/v1 does not answer: " in shown
    assert checks["good"]["answers"]
    assert checks["bad"]["known"] == ["qwen2.5", "qwen3"]
    assert not checks["away"]["answers"]


def test_doctor_asks_a_model_whose_price_the_limits_lack(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Listing(lambda body: '{"answer": "yes"}', names=[], probed=True) as endpoint:
        text = f'[models.m]\nbase_url = "{endpoint.url}"\n'
        (folder / "readmark.toml").write_text(f"{text}[limits]\ncost = 1\ntokens = 1\n")
        assert run(["doctor", "--models"]) == 0
        shown = capsys.readouterr().out
        assert len(endpoint.probes) == 1
    assert "max_tokens; the limits on cost need its price: set models.m.price (" in shown


def test_doctor_without_models(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["doctor", "--models"]) == 2
    assert "no model is configured: [models.NAME] of readmark.toml" in capsys.readouterr().err
