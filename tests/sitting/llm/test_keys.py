"""`llm`: a key that is refused, and one that is nowhere to be seen."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from llm_endpoint import Answer, Endpoint, Misdeed, Says, completion, in_turn
from llm_papers import SECRET, says, sit_paper

Run = Callable[..., subprocess.CompletedProcess[str]]


def test_a_refused_key_ends_the_sitting_at_once(
    paper: Path, tmp_path: Path, readmark_cli: Run
) -> None:
    no = Misdeed(401, json.dumps({"error": {"message": "bad key"}}).encode())
    with Endpoint(lambda body: no) as endpoint:
        done = readmark_cli(
            "sit", str(paper), "-r", f'llm(model=m,base_url="{endpoint.url}")', "-o", "s.jsonl",
            "--parallel", "1", cwd=tmp_path,
        )  # fmt: skip
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1
        assert "the key is refused: HTTP 401: bad key" in done.stderr
        assert len(endpoint.asked) == 1


def test_the_key_is_nowhere(paper: Path, tmp_path: Path, readmark_cli: Run) -> None:
    """Not in the journal, the cache, the marksheet, the report, the messages or the errors."""
    replies = in_turn(
        Misdeed(500, b"no"), Misdeed(400, b'{"error": {"message": "bad"}}'), says("Tom")
    )
    with Endpoint(replies) as endpoint:
        for _ in range(2):
            done = readmark_cli(
                "sit", str(paper), "-r", f'llm(model=m,base_url="{endpoint.url}",shape=text)',
                "-o", "s.jsonl", "--parallel", "1", cwd=tmp_path, env={"OPENAI_API_KEY": SECRET},
            )  # fmt: skip
            assert SECRET not in done.stdout + done.stderr
        assert all(one["Authorization"] == f"Bearer {SECRET}" for one in endpoint.headers)
    readmark_cli("mark", str(paper), "s.jsonl", "-o", "m.jsonl", cwd=tmp_path)
    readmark_cli("report", "m.jsonl", "-o", "r.html", cwd=tmp_path)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert {"s.jsonl", "m.jsonl", "r.html", "s.jsonl.cache.sqlite"} <= {one.name for one in files}
    for path in files:
        assert SECRET.encode() not in path.read_bytes(), path


ESCAPED = "".join(f"\\u{ord(sign):04x}" for sign in SECRET)
SPELT_OTHERWISE = completion(f"Answer: {SECRET}", {"messages": []}).replace(
    SECRET.encode(), ESCAPED.encode()
)


@pytest.mark.parametrize(
    "said",
    [
        Misdeed(400, json.dumps({"error": {"message": f"Bad key: {SECRET}"}}).encode()),
        Misdeed(400, json.dumps({"error": {"message": "x" * 190 + SECRET}}).encode()),
        Misdeed(200, b"y" * 110 + SECRET.encode()),
        Says(None, refusal=f"I know {SECRET}"),
        Says(says(SECRET), finish=SECRET),
        Says('{"answer": "' + ESCAPED + '", "evidence": "' + ESCAPED + '"}'),
        Misdeed(200, SPELT_OTHERWISE),
        Misdeed(400, b'{"error": {"message": "' + b"x" * 190 + ESCAPED.encode() + b'"}}'),
        Misdeed(200, b'{"error": {"message": "' + b"x" * 190 + ESCAPED.encode() + b'"}}'),
    ],
)
def test_a_server_that_repeats_the_key_is_not_repeated(
    paper: Path, tmp_path: Path, said: Answer
) -> None:
    with Endpoint(lambda body: said) as endpoint:
        sit_paper(paper, endpoint, tmp_path / "s.jsonl", "shape=text", attempts=1)
    for path in filter(Path.is_file, tmp_path.rglob("*")):
        assert SECRET[:8].encode() not in path.read_bytes(), path
