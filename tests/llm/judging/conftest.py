"""What tests of judging share: a folder to be in, a key, and a small test."""

from pathlib import Path

import pytest

from judge_desk import SECRET, paper_at


@pytest.fixture
def at_the_desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("readmark.llm.traffic.FIRST_WAIT", 0.001)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)


@pytest.fixture
def paper(tmp_path: Path, at_the_desk: None) -> Path:
    return paper_at(tmp_path / "test.jsonl")
