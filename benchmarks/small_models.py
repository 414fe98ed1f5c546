"""How well small open models read: their sittings, the figures, and the tables of the page.

    python benchmarks/small_models.py sit FOLDER --model NAME --base-url URL [--until HH:MM]

lets a model behind a running chat endpoint sit everything in RUNS through ``readmark sit``, in
steps, so that an interrupted run leaves whole sittings of fewer questions; the same command
resumes. Streams run at the same time, and the questions of each one by one: give the server as
many slots as there are streams, and it reads a passage once for all its questions. A server that
answers many requests in one batch is asked with ``--parallel 32 --step 100``.

Tests are the bundled ones and the first questions of public ones in ``--data`` (XQuAD, C3).

    python benchmarks/small_models.py figures FOLDER --model NAME [--model NAME] --date DATE

takes the first questions of each test that every model has answered, lets the shipped candidates
sit the same, marks and compares them through ``readmark mark`` and ``readmark compare`` and writes
small_models.json, from which ``python docs/generate.py`` writes the tables of
docs/small-models.md: the page can be made again without the models. ``--check OTHER`` is a folder
of sittings of the same models behind another server.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import readmark
from readmark.statistics.adjustment import holm

BUNDLE = Path(readmark.__file__).parent / "bundle"
FIGURES = Path(__file__).with_suffix(".json")
STEP = 20
MAX_TOKENS = 96
"""Enough for an answer, which comes first; the evidence after it may be cut off."""
FEW = 10
"""Passages or series below which percentile intervals are too narrow."""
Rows = Iterator[dict[str, Any]]
SHIPPED = {
    "xquad": ("span",),
    "reading": ("span",),
    "c3": ("span",),
    "series": ("none", "guided"),
    "rating": ("features",),
}
"""What ships and sits the same questions, by the test."""


@dataclass(frozen=True)
class Run:
    """A sitting: of which test, how much of it, and how."""

    name: str
    test: str
    limit: int
    options: tuple[str, ...] = ()


BLIND = ("--without", "passage")
STREAMS = (
    (Run("xquad.en", "xquad/en.json", 738),),
    (Run("xquad.zh", "xquad/zh.json", 738),),
    (Run("reading.en", "reading.en.jsonl", 80),),
    (Run("reading.zh", "reading.zh.jsonl", 80),),
    (
        Run("c3", "c3/c3-d-dev.json", 500),
        Run("c3.shuffled", "c3/c3-d-dev.json", 500, ("--shuffle-options", "1")),
        Run("c3.blind", "c3/c3-d-dev.json", 500, BLIND),
    ),
    (
        Run("series.en", "series.en.jsonl", 123),
        Run("series.zh", "series.zh.jsonl", 56),
        Run("xquad.en.blind", "xquad/en.json", 738, BLIND),
        Run("xquad.zh.blind", "xquad/zh.json", 738, BLIND),
        Run("rating.en", "readability.en.jsonl", 50),
    ),
)
RUNS = {run.name: run for stream in STREAMS for run in stream}


def test_file(run: Run, data: Path) -> Path:
    """A public test in the folder of data, or a bundled one."""
    return data / run.test if "/" in run.test else BUNDLE / run.test


def sitting_file(folder: Path, model: str, run: Run) -> Path:
    """Where a model's sitting is kept."""
    return folder / f"{model}.{run.name}.jsonl"


def settings(model: str, url: str) -> dict[str, object]:
    """What sits: temperature 0, the shipped prompts, JSON objects, and time for a CPU."""
    return {
        "model": model,
        "base_url": url,
        "shape": "json",
        "max_tokens": MAX_TOKENS,
        "timeout": 900,
    }


def sit_everything(given: argparse.Namespace) -> None:
    """All streams at the same time; each brings its sittings forward in turns, a step at a time."""
    given.folder.mkdir(parents=True, exist_ok=True)
    chosen = [tuple(run for run in runs if run.name in given.only) for runs in STREAMS]
    threads = [threading.Thread(target=_stream, args=(runs, given)) for runs in chosen if runs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _stream(runs: tuple[Run, ...], given: argparse.Namespace) -> None:
    most = {run: min(run.limit, given.most or run.limit) for run in runs}
    for limit in range(given.step, max(most.values()) + given.step, given.step):
        for run in runs:
            if limit < most[run] + given.step:
                if given.until and datetime.now(UTC).strftime("%H:%M") >= given.until:
                    return
                _sit(run, min(limit, most[run]), given)


def _sit(run: Run, limit: int, given: argparse.Namespace) -> None:
    out = sitting_file(given.folder, given.model, run)
    command = [sys.executable, "-m", "readmark"]
    for name, value in settings(given.model, given.base_url).items():
        command += ["--set", f"models.small.{name}={value}"]
    command += ["sit", str(test_file(run, given.data)), "-r", "small", "--name", given.model]
    command += ["-o", str(out), *run.options]
    command += ["--limit", str(limit), "--parallel", str(given.parallel)]
    started = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    last = done.stderr.strip().rpartition("\n")[2]
    took = time.monotonic() - started
    print(f"{given.model} {run.name} {limit}: {took:.0f} s, exit {done.returncode}, {last}")
    sys.stdout.flush()


# Figures: what the marks and the rows of the sittings say.


def write_figures(given: argparse.Namespace) -> None:
    """Mark what is whole, and keep it with its date and signatures."""
    sat = {name: _same_questions(run, given) for name, run in RUNS.items()}
    about = given.about or json.loads(FIGURES.read_text("utf-8"))["models"]
    differences = list(_differences(sat, given))
    for row, adjusted in zip(differences, holm([row["p"] for row in differences]), strict=True):
        row["adjusted_p"] = adjusted
    document = {
        "date": given.date,
        "models": about,
        "rows": [row for name, paths in sat.items() for row in _marked_rows(name, paths, given)],
        "differences": differences,
        "servers": list(_servers(given)) if given.check else [],
    }
    FIGURES.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
    print(f"{FIGURES}: {len(document['rows'])} rows")


def _same_questions(run: Run, given: argparse.Namespace) -> dict[str, Path]:
    """Sittings of the first questions that all models answered, by candidate."""
    paths = _first_answered(given.folder, run, given.model)
    if not paths or run.options:
        return paths
    count = str(len(_answers(next(iter(paths.values())))))
    for name in SHIPPED[run.name.partition(".")[0]]:
        paths[name] = given.folder / f"{name}.{run.name}.{count}.jsonl"
        _readmark("sit", str(test_file(run, given.data)), "-r", name, "-o", str(paths[name]),
                  "--limit", count)  # fmt: skip
    return paths


def _first_answered(folder: Path, run: Run, models: list[str]) -> dict[str, Path]:
    paths = {model: sitting_file(folder, model, run) for model in models}
    paths = {model: path for model, path in paths.items() if path.exists()}
    count = min(map(_count, paths.values()), default=0)
    return {model: _first(path, count) for model, path in paths.items()} if count else {}


def _count(path: Path) -> int:
    """How many questions were answered from the first on."""
    answers = _answers(path)
    asked = _header(path).get("covers", answers)
    return next((number for number, id in enumerate(asked) if id not in answers), len(asked))


def _first(path: Path, count: int) -> Path:
    """A sitting of the first questions only."""
    header, answers = _header(path), _answers(path)
    covers = header.get("covers", list(answers))[:count]
    if len(covers) == len(answers) == header.get("limit", len(answers)):
        return path
    out = path.parent / "first" / f"{count}.{path.name}"
    out.parent.mkdir(exist_ok=True)
    lines = [{**header, "limit": count, "covers": covers}, *(answers[id] for id in covers)]
    out.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), "utf-8")
    return out


def _marked_rows(name: str, paths: dict[str, Path], given: argparse.Namespace) -> Rows:
    for candidate, path in paths.items():
        replies = _replies(list(_answers(path).values())) if candidate in given.model else {}
        yield {"run": name, "candidate": candidate, **_marks(RUNS[name], path, given), **replies}


def _differences(sat: dict[str, dict[str, Path]], given: argparse.Namespace) -> Rows:
    """The models against what ships and against each other, and each against itself as it was."""
    for name, paths in sat.items():
        kind, run = name.partition(".")[0], RUNS[name]
        if kind == "rating" or not paths:
            continue
        if run.options:
            usual = sat[name.rpartition(".")[0]]
            for model, path in paths.items():
                yield {"run": name, "b": model, **_difference(run, usual[model], path, given)}
            continue
        first = SHIPPED[kind][0]
        for a, b in (*((first, model) for model in given.model), *pairwise(given.model)):
            yield {"run": name, "a": a, "b": b, **_difference(run, paths[a], paths[b], given)}


def _difference(run: Run, a: Path, b: Path, given: argparse.Namespace) -> dict[str, Any]:
    count = min(_count(a), _count(b))
    a, b = _first(a, count), _first(b, count)
    found = json.loads(_readmark("compare", str(test_file(run, given.data)), str(a), str(b),
                                 "--json"))["comparisons"][0]  # fmt: skip
    names = ("metric", "units", "score_a", "score_b", "difference", "low", "high", "p", "signature")
    return {"replies": count, "same": _same(a, b), **{name: found[name] for name in names}}


def _same(a: Path, b: Path) -> int:
    """How many answers are the same in two sittings."""
    others = _answers(b)
    return sum(_given(row) == _given(others[id]) for id, row in _answers(a).items())


def _servers(given: argparse.Namespace) -> Rows:
    """The same questions behind the other server: what it took, and whether the answers agree."""
    for name, run in RUNS.items():
        for model, path in _first_answered(given.check, run, given.model).items():
            usual = _first(sitting_file(given.folder, model, run), _count(path))
            marks = [_marks(run, sitting, given) for sitting in (path, usual)]
            yield {
                "run": name,
                "candidate": model,
                "same": _same(path, usual),
                "here": marks[1]["marks"],
                **marks[0],
                **_replies(list(_answers(path).values())),
            }


def _header(path: Path) -> dict[str, Any]:
    with path.open(encoding="utf-8") as file:
        header: dict[str, Any] = json.loads(next(file))
    header["signature"].pop("base_url", None)
    return header


def _answers(path: Path) -> dict[str, dict[str, Any]]:
    """The last row of each question, errors not counted."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
    last = {row["id"]: row for row in rows if "id" in row}
    return {id: row for id, row in last.items() if "error" not in row}


def _marks(run: Run, path: Path, given: argparse.Namespace) -> dict[str, Any]:
    command = ["mark", str(test_file(run, given.data)), str(path), "--json", "--no-units"]
    marked = json.loads(_readmark(*command))
    clusters = min(mark["clusters"] for mark in marked["marks"].values() if mark["clusters"])
    if clusters < FEW:
        marked = json.loads(_readmark(*command, "--interval", "jackknife"))
    marks = {
        name: [mark[part] for part in ("score", "low", "high")]
        for name, mark in marked["marks"].items()
        if mark["score"] is not None
    }
    return {
        "units": marked["units"],
        "clusters": clusters,
        "marks": marks,
        "people": {
            name: [mark["machine"], mark["people"]]
            for name, mark in marked.get("people", {}).get("marks", {}).items()
        },
        "signatures": {name: marked["marks"][name]["signature"] for name in marks},
        "asked": _header(path)["signature"],
    }


def _replies(answers: list[dict[str, Any]]) -> dict[str, Any]:
    """What the replies took, and how they broke the form that was asked for."""
    evidence = [row.get("evidence") or {} for row in answers]
    usage = [row.get("usage") or {} for row in answers]
    reasons = [one["reason"] for one in evidence if "reason" in one]
    return {
        "replies": len(answers),
        "input": statistics.mean(one.get("input", 0) for one in usage),
        "output": statistics.mean(one.get("output", 0) for one in usage),
        "seconds": statistics.median(row.get("seconds", 0.0) for row in answers),
        "refused": reasons.count("refused"),
        "cut_off": reasons.count("cut off"),
        "cut_early": sum(one.get("reason") == "cut off" and "quote" not in one for one in evidence),
        "no_answer": sum(reason not in ("refused", "cut off") for reason in reasons),
        "form": sum("form" in one for one in evidence),
        "different": len({str(_given(row)) for row in answers}),
        "letters": Counter(
            said
            for one in evidence
            if len(said := str(one.get("said", ""))) == 1 and said in "ABCD"
        ),
        "statements": sum(map(_is_statement, answers)),
        "elsewhere": sum(
            one.get("in_passage") is False or one.get("in_options") is False for one in evidence
        ),
    }


def _is_statement(row: dict[str, Any]) -> bool:
    """Whether a question, the last text but a fence of its prompt, was rewritten as none."""
    asked = row["evidence"]["prompt"].rstrip().split("\n")[-2].rstrip()
    return "rewrite" in row and asked.endswith(("?", "？")) and row["rewrite"].endswith((".", "。"))


def _given(row: dict[str, Any]) -> Any:
    """The answer of a row, whatever the kind of test."""
    return next((row[name] for name in ("text", "rating", "rewrite") if name in row), None)


def _readmark(*arguments: str) -> str:
    command = [sys.executable, "-m", "readmark", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr}")
    return done.stdout


# Tables of the page: a header and rows of cells, by the name of the table.


def page_table(name: str) -> tuple[list[str], list[list[str]]]:
    """One of the tables of docs/small-models.md, out of the figures that are kept."""
    figures = json.loads(FIGURES.read_text("utf-8"))
    return TABLES[name](figures)


def _models(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    header = ["model", "file", "SHA-256", "measured"]
    return header, [
        [name, about["file"], f"{about['sha256'][:16]}…", figures["date"]]
        for name, about in figures["models"].items()
    ]


def _spans(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    header = ["test", "candidate", "questions", "passages", "EM", "F1", "same sets F1", "people F1"]
    rows = [
        [
            row["run"],
            row["candidate"],
            *_size(row),
            _interval(row, "em"),
            _interval(row, "f1"),
            *(f"{value:.1f}" for value in row["people"].get("f1", ())),
        ]
        for row in figures["rows"]
        if row["run"] in ("xquad.en", "xquad.zh", "reading.en", "reading.zh")
    ]
    return header, [[*row, *["-"] * (len(header) - len(row))] for row in rows]


def _options(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    header = ["how", "candidate", "questions", "passages", "accuracy", "chose A/B/C/D"]
    ways = {"c3": "as they are", "c3.shuffled": "shuffled", "c3.blind": "without the passage"}
    return header, [
        [
            ways[row["run"]],
            row["candidate"],
            *_size(row),
            _interval(row, "accuracy"),
            "/".join(str(row["letters"].get(one, 0)) for one in "ABCD")
            if "letters" in row
            else "-",
        ]
        for row in figures["rows"]
        if row["run"] in ways
    ]


def _others(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    header = ["test", "candidate", "units", "groups", "different", "statements"]
    return [*header, "Jaccard or Pearson", "exact or Spearman"], [
        [
            row["run"],
            row["candidate"],
            *_size(row),
            *(str(row.get(name, "-")) for name in ("different", "statements")),
            *(_interval(row, metric, places=2) for metric in OTHERS[row["run"].partition(".")[0]]),
        ]
        for row in figures["rows"]
        if row["run"].partition(".")[0] in OTHERS
    ]


def _compared(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """A row for each test, a column for each pair."""
    rows: dict[str, list[str]] = {}
    header = ["test", "questions"]
    for row in figures["differences"]:
        if "a" not in row:
            continue
        cells = rows.setdefault(row["run"], [str(row["units"])])
        cells.append(f"{_much(row)}, {row['adjusted_p']:.3f}")
        pair = f"{row['b']} − {row['a']}".replace(f" − {SHIPPED['series'][0]}", " − span")
        header += [pair] if pair not in header else []
    return header, [[name, *cells] for name, cells in rows.items()]


def _changed(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    header = ["sitting", "model", "questions", "same answers", "as usual", "here", "difference"]
    return [*header, "p"], [
        [
            row["run"],
            row["b"],
            str(row["units"]),
            _share(row),
            *(f"{row[name]:.1f}" for name in ("score_a", "score_b")),
            _much(row),
            f"{row['adjusted_p']:.3f}",
        ]
        for row in figures["differences"]
        if "a" not in row
    ]


def _much(row: dict[str, Any]) -> str:
    places = 2 if row["metric"] == "jaccard" else 1
    much, low, high = (f"{row[name]:+.{places}f}" for name in ("difference", "low", "high"))
    return f"{much} ({low} to {high})"


def _share(row: dict[str, Any]) -> str:
    return f"{100 * row['same'] / row['replies']:.0f}%"


def _agreement(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    header = ["test", "model", "questions", "same answers", "EM there", "EM here", "F1 there"]
    return [*header, "F1 here"], [
        [
            row["run"],
            row["candidate"],
            str(row["units"]),
            _share(row),
            *(
                f"{row[server][metric][0]:.1f}"
                for metric in ("em", "f1")
                for server in ("marks", "here")
            ),
        ]
        for row in figures["servers"]
    ]


def _costs(figures: dict[str, Any]) -> tuple[list[str], list[list[str]]]:
    """A row for each sitting, with the models' figures in their order in each cell."""
    columns = {"tokens in": ("input", 0), "tokens out": ("output", 0), "wait in s": ("seconds", 1)}
    columns |= {"refused": ("refused", 0), "cut off": ("cut_off", 0), "early": ("cut_early", 0)}
    columns |= {"no answer": ("no_answer", 0), "no plain JSON": ("form", 0)}
    columns |= {"not in the text": ("elsewhere", 0)}
    sittings: dict[str, list[dict[str, Any]]] = {}
    for row in figures["rows"]:
        if "input" in row:
            sittings.setdefault(row["run"], []).append(row)
    for row in figures["servers"]:
        sittings.setdefault(f"{row['run']}.cpu", []).append(row)
    return ["sitting", "replies", *columns], [
        [
            name,
            str(rows[0]["replies"]),
            *(
                "/".join(f"{row[part]:.{places}f}" for row in rows)
                for part, places in columns.values()
            ),
        ]
        for name, rows in sittings.items()
    ]


OTHERS = {"series": ("jaccard", "exact"), "rating": ("pearson", "spearman")}
TABLES = {
    "models": _models,
    "spans": _spans,
    "options": _options,
    "others": _others,
    "compared": _compared,
    "changed": _changed,
    "servers": _agreement,
    "costs": _costs,
}


def _size(row: dict[str, Any]) -> list[str]:
    return [str(row["units"]), str(row["clusters"])]


def _interval(row: dict[str, Any], metric: str, places: int = 1) -> str:
    if metric not in row["marks"]:
        return "undefined"
    score, low, high = row["marks"][metric]
    if low is None:
        return f"{score:.{places}f}"
    return f"{score:.{places}f} ({low:.{places}f}–{high:.{places}f})"


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    verbs = asked.add_subparsers(required=True)
    sitting = verbs.add_parser("sit")
    sitting.add_argument("folder", type=Path)
    sitting.add_argument("--model", required=True)
    sitting.add_argument("--base-url", required=True)
    sitting.add_argument("--data", type=Path, default=Path("../shared/data"))
    sitting.add_argument("--step", type=int, default=STEP)
    sitting.add_argument("--most", type=int, help="questions a test, at most")
    sitting.add_argument("--parallel", type=int, default=1, help="concurrent requests a stream")
    sitting.add_argument("--only", nargs="+", choices=RUNS, default=list(RUNS), metavar="RUN")
    sitting.add_argument("--until", help="begin no step after this time, UTC")
    sitting.set_defaults(verb=sit_everything)
    figures = verbs.add_parser("figures")
    figures.add_argument("folder", type=Path)
    figures.add_argument("--model", action="append", required=True)
    figures.add_argument(
        "--about", type=json.loads, help="what the models are, JSON [default: as it was]"
    )
    figures.add_argument("--date", required=True)
    figures.add_argument("--check", type=Path, help="sittings behind another server")
    figures.add_argument("--data", type=Path, default=Path("../shared/data"))
    figures.set_defaults(verb=write_figures)
    given = asked.parse_args()
    given.verb(given)


if __name__ == "__main__":
    main()
