"""Runs cases: a sound document is spoilt, a command reads it, and what it leaves is judged.

    python -m fuzz.run --cases 20000 --seed 7 --workers 2     (make fuzz)
    python -m fuzz.run --seed 7 --only 1234                   one case again

Case N of a seed is always the same, so ``--first N`` resumes a run that was stopped.
"""

from __future__ import annotations

import argparse
import contextlib
import faulthandler
import json
import os
import random
import re
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from fuzz.commands import COMMANDS, Result, call
from fuzz.mutators import mutate
from fuzz.seeds import ROOT, Bench, Document

STATUSES = (0, 1, 2, 3)
CPU_SECONDS = 30
"""Of a case; a share of a busy machine does not count."""
WALL_SECONDS = 300
MEGABYTES = 600
"""What a case may add to the memory of its process."""
MOST_IN_A_PROCESS = 2000
"""Cases; what libraries keep for good would add up."""
OLD = b"old and whole\n"
RESUMING = ("sit ",)
"""Commands that keep what they wrote before an error, and read what is there."""
PARTIAL = (*RESUMING, "set text ", "task explain ", "mark ", "panel mark ")
"""Commands that leave a complete output when the status reports what was found."""


@dataclass
class Case:
    """A spoilt document and the command that reads it."""

    document: Document
    command: str
    folder: Path
    number: int = 0
    args: list[str] = field(default_factory=list)
    outputs: list[Path] = field(default_factory=list)
    spoilt: str = ""
    """The file that differs from the sound document."""
    problems: list[str] = field(default_factory=list)
    result: Result | None = None


def verb(command: str) -> str:
    """A command without its arguments."""
    return " ".join(word for word in command.split()[:2] if word.isalpha())


def drawn(bench: Bench, seed: int, number: int, folder: Path) -> Case:
    """Case ``number`` of a seed: the documents take turns, the rest is drawn."""
    rng = random.Random(f"{seed}/{number}")
    documents = list(bench.documents.values())
    document = documents[number % len(documents)]
    by_verb: dict[str, list[str]] = {}
    for command in (*COMMANDS[document.role], *COMMANDS.get(document.name, ())):
        by_verb.setdefault(verb(command), []).append(command)
    command = rng.choice(by_verb[rng.choice(list(by_verb))])
    case = prepared(bench, document, command, folder, named=rng.random() < 0.5)
    case.number, case.spoilt = number, rng.choice(document.files())
    path = folder / "in" / case.spoilt
    path.write_bytes(mutate(case.spoilt, path.read_bytes(), rng))
    if rng.random() < 0.3 and not command.startswith(RESUMING):
        for output in case.outputs:
            if output.suffix:
                output.write_bytes(OLD)
    return case


def prepared(
    bench: Bench, document: Document, command: str, folder: Path, *, named: bool = True
) -> Case:
    """A sound document copied into a new folder, and a command that reads it."""
    case = Case(document, command, folder)
    shutil.copytree(document.folder, folder / "in")
    given = folder / "in" / document.path.relative_to(document.folder)
    for word in command.split():
        if word == "{from}":
            case.args += ["--from", document.format] if named and document.format else []
        else:
            case.args.append(_filled(word, case, bench, given))
    return case


def _filled(word: str, case: Case, bench: Bench, given: Path) -> str:
    def value(match: re.Match[str]) -> str:
        name = match[1]
        if name == "it":
            return str(given)
        if name == "answers":
            return str(bench.answers(case.document.name))
        if name == "sound":
            return str(case.document.path)
        if name == "test":
            return str(bench.path(case.document.test))
        if name == "it.copy" or name.startswith("out."):
            suffix = "" if name == "out.folder" else f".{name.partition('.')[2]}"
            output = case.folder / f"out{given.suffix if name == 'it.copy' else suffix}"
            if name == "it.copy":
                shutil.copy(given, output)
            else:
                case.outputs.append(output)
            return str(output)
        if name.endswith(".copied"):  # of another document, which the command writes into
            sound = bench.documents[name.removesuffix(".copied")]
            shutil.copytree(sound.folder, case.folder / name)
            return str(case.folder / name / sound.path.relative_to(sound.folder))
        return str(bench.path(name))

    filled = re.sub(r"\{([\w.]+)\}", value, word)
    return filled.replace("{{", "{").replace("}}", "}").replace("|", " ")


class OutOfTime(BaseException):
    """No ``Exception``: those become error rows of a sitting."""


def run(case: Case) -> Case:
    """Run a case and judge what it printed and left behind."""
    before = _contents(case.folder)
    memory = _memory("VmRSS")
    with _limited() as late:
        result = case.result = call(case.args)
    grown = _memory("VmHWM") - memory
    if late:
        case.problems.append(f"takes more than {CPU_SECONDS} s of processor time")
    elif result.raised:
        case.problems.append(f"raises {result.place}")
    elif result.status not in STATUSES:
        case.problems.append(f"exit status {result.status}")
    if grown > MEGABYTES:
        case.problems.append(f"takes more than {MEGABYTES} MB")
    case.problems += [*_faulty_messages(case, result), *_faulty_files(case, result, before)]
    return case


def _faulty_messages(case: Case, result: Result) -> Iterator[str]:
    if "Traceback (most recent call last)" in result.stdout + result.stderr:
        yield "prints a traceback"
    complaints = _complaints(result)
    names = {Path(arg.rpartition("=")[2].rstrip(")")).name for arg in case.args if "/" in arg}
    names |= {Path(name).name for name in case.document.files()}
    names |= {Path(name).stem for name in names}  # annotators and translators are called so
    named = any(name in line for line in complaints[-1:] for name in names if name)
    if result.status == 1 and complaints and not named:
        yield "names no file in its error message"
    strange = [line for line in result.stderr.split("\n") if line and line[:10] != "readmark: "]
    if complaints and strange:
        yield "prints more than one line for an error"
    if "--json" in case.args and result.status == 0:
        try:
            json.loads(result.stdout, parse_constant=_no_constant)
        except ValueError:
            yield "prints no JSON document"


def _complaints(result: Result) -> list[str]:
    """The error that ended a command; without one, status 1 is a failed check."""
    lines = [line for line in result.stderr.split("\n") if line.startswith("readmark: ")]
    return lines if result.status in (1, 2) and not result.stdout else []


def _no_constant(name: str) -> None:
    raise ValueError(name)


def _faulty_files(case: Case, result: Result, before: dict[str, bytes]) -> Iterator[str]:
    after = _contents(case.folder)
    if any(after.get(name) != data for name, data in before.items() if name.startswith("in/")):
        yield "changes its input"
    if any(name.endswith(".part") for name in after):
        yield "leaves a temporary file"
    failed = result.status not in (0, 3) and bool(_complaints(result) or result.raised)
    if failed and not case.command.startswith(PARTIAL):
        outputs = {path.relative_to(case.folder).parts[0] for path in case.outputs}
        for name, data in after.items():
            if name.partition("/")[0] in outputs and before.get(name) != data:
                yield "leaves an output although it failed"
                return


def _contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def _memory(field: str) -> int:
    """Megabytes of this process; reading VmRSS starts the peak, VmHWM, anew."""
    status = Path("/proc/self/status")
    if not status.exists():
        return 0
    if field == "VmRSS":
        with contextlib.suppress(OSError):
            Path("/proc/self/clear_refs").write_text("5")
    found = re.search(rf"{field}:\s+(\d+)", status.read_text())
    return int(found[1]) // 1024 if found else 0


@contextlib.contextmanager
def _limited() -> Iterator[list[bool]]:
    """End what takes too long; what does not end by an exception ends with the process."""
    late: list[bool] = []

    def end(*_: object) -> None:
        late.append(True)
        signal.setitimer(signal.ITIMER_PROF, 1)  # again, where somebody swallowed the exception
        raise OutOfTime

    before = signal.signal(signal.SIGPROF, end)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        yield late
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


# Many cases


@dataclass
class Tally:
    """Counts of a run."""

    formats: Counter[str] = field(default_factory=Counter)
    commands: Counter[str] = field(default_factory=Counter)
    statuses: Counter[str] = field(default_factory=Counter)
    failures: dict[str, list[int]] = field(default_factory=dict)
    seconds: Counter[str] = field(default_factory=Counter)

    def add(self, report: dict[str, Any]) -> None:
        self.formats[report["document"]] += 1
        self.commands[report["verb"]] += 1
        self.statuses[str(report["status"])] += 1
        self.seconds[report["verb"]] += report["seconds"]  # type: ignore[assignment]
        for problem in report["problems"]:
            self.failures.setdefault(f"{report['verb']}: {problem}", []).append(report["number"])

    def lines(self) -> Iterator[str]:
        for title, counter in (
            ("documents", self.formats),
            ("commands", self.commands),
            ("exit status", self.statuses),
        ):
            shown = ", ".join(f"{name} {count}" for name, count in sorted(counter.items()))
            yield f"{title}: {shown}"
        slowest = ", ".join(
            f"{verb} {seconds:.0f}" for verb, seconds in self.seconds.most_common(8)
        )
        yield f"seconds: {slowest}"
        for problem, numbers in sorted(self.failures.items()):
            shown = ", ".join(map(str, numbers[:5]))
            yield f"FAILED {len(numbers)} times: {problem} (cases {shown})"


def play(bench: Bench, seed: int, number: int, out: Path | None = None) -> dict[str, Any]:
    """One case, prepared and run in a folder that is kept only if it fails; what came of it."""
    with tempfile.TemporaryDirectory(prefix="fuzz-") as folder:
        case = drawn(bench, seed, number, Path(folder))
        began = time.perf_counter()
        result = run(case).result
        assert result is not None
        report = {
            "number": number,
            "document": case.document.name,
            "verb": verb(case.command),
            "status": result.status,
            "problems": case.problems,
            "seconds": time.perf_counter() - began,
        }
        if case.problems and out is not None:
            keep(case, bench, seed, out)
        return report


def keep(case: Case, bench: Bench, seed: int, out: Path) -> None:
    """Write a failed case: its files, the command, and how to run it again."""
    target = out / f"{seed}-{case.number}"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(case.folder, target)
    args = [arg.replace(str(case.folder), str(target)) for arg in case.args]
    sound = str(bench.folder)
    for index, arg in enumerate(args):
        if sound in arg:
            args[index] = arg.replace(sound, str(target / "sound"))
            part = Path(arg[arg.index(sound) + len(sound) + 1 :].rstrip(")")).parts[0]
            copied = target / "sound" / part
            shutil.copytree(bench.folder / part, copied, dirs_exist_ok=True)
    assert case.result is not None
    text = [
        f"readmark {shlex.join(args)}",
        f"again: PYTHONPATH=tests python -m fuzz.run --seed {seed} --only {case.number}",
        f"spoilt: {case.spoilt}",
        *(f"problem: {problem}" for problem in case.problems),
        f"exit status: {case.result.status}",
        f"stderr:\n{case.result.stderr[:4000]}",
        f"stdout:\n{case.result.stdout[:2000]}",
        case.result.raised,
    ]
    (target / "case.txt").write_text("\n".join(text) + "\n", "utf-8", "backslashreplace")


def work(connection: Connection, seed: int, numbers: range, out: Path) -> None:
    """A process that plays its share of the cases and reports each."""
    log = (out / f"hang-{os.getpid()}.txt").open("w")
    with tempfile.TemporaryDirectory(prefix="fuzz-bench-") as folder:
        bench = Bench(Path(folder))
        for number in numbers[:MOST_IN_A_PROCESS]:
            connection.send({"began": number})
            faulthandler.dump_traceback_later(WALL_SECONDS, exit=True, file=log)
            connection.send(play(bench, seed, number, out))
            faulthandler.cancel_dump_traceback_later()
    log.close()
    Path(log.name).unlink()


def play_all(seed: int, numbers: range, workers: int, out: Path) -> Tally:
    """Deal the cases out; a process that ends before its time is a failed case and is replaced."""
    out.mkdir(parents=True, exist_ok=True)
    tally, context = Tally(), get_context("spawn")
    running: dict[Any, tuple[Any, range, int | None]] = {}

    def start(share: range) -> None:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=work, args=(theirs, seed, share, out), daemon=True)
        process.start()
        theirs.close()
        running[ours] = (process, share, None)

    for worker in range(workers):
        start(numbers[worker::workers])
    while running:
        for connection in wait(list(running)):
            process, share, current = running[connection]
            try:
                message = connection.recv()  # type: ignore[union-attr]
            except EOFError:
                process.join()
                del running[connection]
                if process.exitcode and current is None:
                    raise SystemExit("fuzz: the sound documents cannot be made") from None
                if process.exitcode:
                    problem = f"ends the process with status {process.exitcode}"
                    tally.failures.setdefault(problem, []).append(current)
                if current is not None and share[share.index(current) + 1 :]:
                    start(share[share.index(current) + 1 :])
                continue
            if "began" in message:
                running[connection] = (process, share, message["began"])
                continue
            tally.add(message)
            done = sum(tally.statuses.values())
            if message["problems"]:
                print(f"case {message['number']}: {'; '.join(message['problems'])}", flush=True)
            if done % 500 == 0:
                print(f"{done} of {len(numbers)} cases", flush=True)
    return tally


def main() -> int:
    parser = argparse.ArgumentParser(description="Spoil documents and run commands on them.")
    parser.add_argument("--cases", type=int, default=2000, help="how many [default: 2000]")
    parser.add_argument("--seed", type=int, help="repeats a run [default: drawn, and printed]")
    parser.add_argument("--first", type=int, default=0, help="the first case [default: 0]")
    parser.add_argument("--only", type=int, help="one case, into the output folder")
    parser.add_argument("--workers", type=int, default=1, help="processes [default: 1]")
    parser.add_argument("--out", type=Path, default=ROOT / "out/fuzz", help="for failed cases")
    options = parser.parse_args()
    seed = random.randrange(10**6) if options.seed is None else options.seed
    if options.only is not None:
        with tempfile.TemporaryDirectory(prefix="fuzz-bench-") as folder:
            bench = Bench(Path(folder))
            report = play(bench, seed, options.only, options.out)
            print(json.dumps(report))
        return 1 if report["problems"] else 0
    print(f"seed {seed}, cases {options.first} to {options.cases - 1}", flush=True)
    numbers = range(options.first, options.cases)
    tally = play_all(seed, numbers, options.workers, options.out)
    print("\n".join(tally.lines()))
    if tally.failures:
        print(f"Failed cases are in {options.out}: run again with SEED={seed}")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
