"""What a candidate prints goes to standard error, so that results alone are on standard output."""

from __future__ import annotations

import os

import pytest

from readmark.console.candidate_output import candidate_output_to_stderr


def test_what_libraries_print_goes_to_stderr(capfd: pytest.CaptureFixture[str]) -> None:
    os.write(1, b"before\n")
    with candidate_output_to_stderr():
        os.write(1, b"by a library\n")
    os.write(1, b"after\n")
    assert capfd.readouterr() == ("before\nafter\n", "by a library\n")


def test_stdout_comes_back_after_an_error(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(RuntimeError), candidate_output_to_stderr():
        raise RuntimeError
    os.write(1, b"after\n")
    assert capfd.readouterr().out == "after\n"


def test_no_descriptor_is_lost_where_stderr_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    duplicates: list[int] = []
    dup = os.dup

    def noted_dup(descriptor: int) -> int:
        duplicates.append(dup(descriptor))
        return duplicates[-1]

    def refused_dup2(source: int, target: int) -> int:
        raise OSError("Bad file descriptor")

    with monkeypatch.context() as patched:
        patched.setattr("os.dup", noted_dup)
        patched.setattr("os.dup2", refused_dup2)
        with candidate_output_to_stderr():
            pass
    (duplicate,) = duplicates
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(duplicate)
