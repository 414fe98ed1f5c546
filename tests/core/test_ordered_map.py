"""Work by several processes: order, bounds, errors, and nobody left behind."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from readmark.core.errors import DataError, ReadmarkError
from readmark.core.processes import AHEAD, PER_WORKER, ordered_map

# What workers are given must be importable by them: functions of the standard library.
slow = pytest.mark.slow


def numbers(upto: int, taken: list[int]) -> Iterator[int]:
    for at in range(upto):
        taken.append(at)
        yield at


@pytest.mark.parametrize("workers", [0, 1])
def test_one_worker_is_a_lazy_map(workers: int) -> None:
    taken: list[int] = []
    results = ordered_map(str, numbers(10, taken), workers=workers)
    assert [next(results), next(results)] == ["0", "1"]
    assert taken == [0, 1]


@slow
def test_results_come_in_the_order_of_the_items() -> None:
    # Sleeps that would end in the opposite order.
    waits = [0.2, 0.1, 0.0] * 4
    taken: list[int] = []
    assert list(ordered_map(time.sleep, waits, workers=2)) == [None] * 12
    assert list(ordered_map(hex, numbers(50, taken), workers=2)) == [hex(n) for n in range(50)]


@slow
def test_items_are_taken_only_some_ahead() -> None:
    taken: list[int] = []
    results = ordered_map(hex, numbers(10**9, taken), workers=2)
    assert [next(results) for _ in range(5)] == [hex(n) for n in range(5)]
    assert len(taken) <= 5 + 2 * AHEAD
    results.close()


@slow
def test_who_is_free_goes_on_while_another_is_busy_with_one_item(tmp_path: Path) -> None:
    # The first item ends when the tenth has been done, which only the other worker can do.
    file = str(tmp_path / "done")
    modules = "(lambda os, time: {})(*map(__import__, ('os', 'time')))"
    first = f"any(os.path.exists({file!r}) or time.sleep(0.05) for _ in range(600))"
    items = [modules.format(first), *["0"] * 8, f"open({file!r}, 'w').close()", "0"]
    assert list(ordered_map(eval, items, workers=2)) == [True, *[0] * 8, None, 0]


@slow
@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_among_the_items_comes_after_the_results_before_it(workers: int) -> None:
    def items() -> Iterator[int]:
        yield from range(4)
        raise DataError("cut off", file="dump.xml", where=7)

    results = ordered_map(hex, items(), workers=workers)
    assert [next(results) for _ in range(4)] == ["0x0", "0x1", "0x2", "0x3"]
    with pytest.raises(DataError, match=r"dump\.xml:7: cut off"):
        next(results)


@slow
def test_this_process_is_one_of_the_workers() -> None:
    # It does what the other has no room for: that one takes longer to begin.
    found = list(ordered_map(eval, ["__import__('os').getpid()"] * 40, workers=2))
    assert found[0] != os.getpid()
    assert found[PER_WORKER] == os.getpid()
    assert len(set(found)) == 2


@slow
@pytest.mark.parametrize("at", [1, PER_WORKER], ids=["there", "here"])
def test_an_error_of_the_function_is_raised_in_its_turn(at: int) -> None:
    results = ordered_map(int, [*["1"] * at, "x", "2"], workers=2)
    assert [next(results) for _ in range(at)] == [1] * at
    with pytest.raises(ValueError, match="invalid literal"):
        next(results)


@slow
def test_a_worker_that_dies_is_one_clear_error() -> None:
    with pytest.raises(ReadmarkError, match="a worker process died"):
        list(ordered_map(os._exit, [3], workers=2))


def descendants(pid: int) -> list[int]:
    told = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True)
    return [int(one) for one in told.stdout.split()]


@slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("how", ["kill", "interrupt", "close"])
def test_nobody_is_left_behind(how: str, tmp_path: Path) -> None:
    program = (
        "import time, sys\n"
        "from readmark.core.processes import ordered_map\n"
        "if __name__ == '__main__':\n"
        "    results = ordered_map(time.sleep, [0, 0, 60, 60] + [0] * 9, workers=3)\n"
        "    print([next(results) for _ in range(2)], flush=True)\n"
        "    if sys.argv[1] == 'close':\n"
        "        sys.stdin.readline(); results.close()\n"
        "    else:\n"
        "        list(results)\n"
    )
    script = tmp_path / "program.py"
    script.write_text(program)
    parent = subprocess.Popen(
        [sys.executable, script, how],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert parent.stdout is not None
    assert parent.stdin is not None
    assert b"None" in parent.stdout.readline()
    workers = descendants(parent.pid)
    assert len(workers) >= 2
    if how == "close":
        parent.stdin.write(b"\n")
        parent.stdin.flush()
    else:
        parent.send_signal(9 if how == "kill" else 2)
    parent.wait(30)
    until = time.monotonic() + 20
    while any(Path(f"/proc/{one}").exists() for one in workers):
        assert time.monotonic() < until, "a worker is left"
        time.sleep(0.05)
    parent.stdin.close()
    parent.stdout.close()


@slow
def test_ending_early_never_waits_for_a_message_that_was_begun(tmp_path: Path) -> None:
    # Results larger than a pipe holds: workers are amid one whenever the end comes.
    program = (
        "from readmark.core.processes import ordered_map\n"
        "if __name__ == '__main__':\n"
        "    for _ in range(8):\n"
        "        results = ordered_map(bytes, [3_000_000] * 20, workers=2)\n"
        "        assert len(next(results)) == 3_000_000\n"
        "        results.close()\n"
    )
    script = tmp_path / "program.py"
    script.write_text(program)
    subprocess.run([sys.executable, script], check=True, timeout=60)


@slow
def test_large_items_and_large_results_do_not_wait_for_each_other() -> None:
    large = [bytes([at]) * 2_000_000 for at in range(20)]
    assert list(ordered_map(bytes, large, workers=2)) == large
