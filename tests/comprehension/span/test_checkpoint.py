"""A training that was broken off: what it resumes from, and what is refused."""

from pathlib import Path
from typing import Any

import pytest

from readmark.comprehension.span import training
from readmark.core.errors import ReadmarkError, UsageError
from span_training import save_question, train_briefly

pytestmark = pytest.mark.torch


def test_a_checkpoint_of_other_settings_is_refused(tmp_path: Path, encoder: Path) -> None:
    test = save_question(tmp_path / "t.jsonl", "anna")
    other_test = save_question(tmp_path / "u.jsonl", "red")
    out = tmp_path / "out"

    def stop(line: str) -> None:
        if line.startswith("epoch 2"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_briefly(test, out, encoder, epochs=3, resume=True, progress=stop)
    for lessons, more, setting in (
        (other_test, {}, "lessons"),
        (test, {"layers": 3}, "encoder"),
        (test, {"masked": 0.2}, "masked"),
        (test, {"check": [test]}, "checks"),
    ):
        with pytest.raises(UsageError, match=rf"other settings \({setting}\); remove it"):
            train_briefly(lessons, out, encoder, epochs=3, resume=True, **more)
    messages: list[str] = []
    result = train_briefly(test, out, encoder, epochs=3, resume=True, progress=messages.append)
    assert "resumed after epoch 1" in messages
    assert len(result.epochs) == 3
    assert not list(out.glob("checkpoint*"))


def test_nothing_is_learnt_again_where_the_export_failed(
    tmp_path: Path, encoder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fill_the_disk(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    test, out = save_question(tmp_path / "t.jsonl", "anna"), tmp_path / "out"
    monkeypatch.setattr(training, "write_exports", fill_the_disk)
    with pytest.raises(OSError, match="No space"):
        train_briefly(test, out, encoder, resume=True, export=True)
    monkeypatch.setattr(training, "write_exports", lambda *_: None)
    messages: list[str] = []
    train_briefly(test, out, encoder, resume=True, export=True, progress=messages.append)
    assert messages[-1] == "resumed after epoch 1"
    assert not list(out.glob("checkpoint*"))


@pytest.mark.parametrize("data", [b"garbage", b"PK\x03\x04" + bytes(2000), b""])
def test_a_damaged_checkpoint_is_refused_and_kept(
    tmp_path: Path, encoder: Path, data: bytes
) -> None:
    test = save_question(tmp_path / "t.jsonl", "anna")
    out = tmp_path / "out"
    out.mkdir()
    (out / "checkpoint.pt").write_bytes(data)
    with pytest.raises(ReadmarkError, match=r"checkpoint.pt is damaged; remove it") as refusal:
        train_briefly(test, out, encoder, resume=True)
    assert "\n" not in str(refusal.value)
    assert (out / "checkpoint.pt").read_bytes() == data
