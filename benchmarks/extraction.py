"""How well the patterns of NFL Scoring read real recaps, with and without the reasoner.

The first six recaps, by id, were developed on; the other six were read by nobody and are only
counted. Events are matched one to one on type, team, player and yards.

Recaps without one of their sentences show what a reader makes of scores that it has missed: who won
is stated, and the sum of the others says otherwise.

The last lines are documents a second on one core: reading alone, and with the reasoner as `task
extract` runs it, over the first half and the recaps of the tests again and again.

Run: python benchmarks/extraction.py [SHARED] [--half first|second|both], the folder with golden/
and data/, else ../shared
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

from readmark.tasks.extraction.domain_summary import read_summary
from readmark.tasks.extraction.extract import Extraction, build_extractor, open_domain
from readmark.tasks.records import Document

SHARED = Path(__file__).resolve().parents[1].parent / "shared"
ASKED = ("winner", "loser", "home", "away", "overtime")
DEVELOPED_ON = 6
WRITTEN = Path(__file__).resolve().parents[1] / "tests" / "written_recaps.toml"
REASONED_OVER = 500


def main() -> None:
    """Print a table for each half, and what went wrong in the first."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("shared", nargs="?", type=Path, default=SHARED)
    parser.add_argument("--half", choices=("first", "second", "both"), default="both")
    given = parser.parse_args()
    recaps = json.loads((given.shared / "data/nfl/recaps.json").read_text(encoding="utf-8"))
    gold = json.loads((given.shared / "golden/nfl_recaps.json").read_text(encoding="utf-8"))
    texts = {id: recaps[id]["passage"] for id in sorted(gold)}
    halves = {"first": list(texts)[:DEVELOPED_ON], "second": list(texts)[DEVELOPED_ON:]}
    chosen = {name: ids for name, ids in halves.items() if given.half in (name, "both")}
    wanted = {id: texts[id] for ids in chosen.values() for id in ids}
    for reason in (True, False):
        read = summaries(wanted, reason=reason)
        for name, ids in chosen.items():
            counts = compared(read, gold, ids, show=reason and name == "first")
            print(table(f"{name} half, {'with' if reason else 'without'} reasoning", counts))
    print(unfinished(texts, gold))
    print(speed(list(texts.values())))
    written = tomllib.loads(WRITTEN.read_text(encoding="utf-8")).values()
    print(
        speed_with_reasoner([*(texts[id] for id in halves["first"]), *(r["text"] for r in written)])
    )


def summaries(texts: Mapping[str, str], *, reason: bool) -> dict[str, Any]:
    """What ``task extract --json`` has of texts."""
    package = open_domain("nfl_scoring")
    extractor = build_extractor(f"patterns(reason={str(reason).lower()})", package)
    documents = [Document(id=id, text=text) for id, text in texts.items()]
    readings = {one.document.id: one for one in extractor.extract(documents)}
    result = Extraction(readings, extractor.known.ontology, read_summary(package))
    found: dict[str, Any] = result.as_json()["documents"]
    return found


def compared(
    read: Mapping[str, Any], gold: Mapping[str, Any], ids: Sequence[str], *, show: bool = False
) -> Counter[str]:
    """Counts of what was read, what is right and what there is to read."""
    counts: Counter[str] = Counter()
    for id in ids:
        ours, theirs = read[id], gold[id]
        said = Counter(_event(event) for event in ours["events"])
        there = Counter(_event(event) for event in theirs["events"])
        counts["events right"] += (said & there).total()
        counts["events read"] += said.total()
        counts["events"] += there.total()
        wrong = [f"not read: {event}" for event in (there - said).elements()]
        wrong += [f"not there: {event}" for event in (said - there).elements()]
        for name in ASKED:
            right = ours["game"][name] == theirs["game"][name]
            counts[name] += right
            if not right:
                wrong.append(f"{name}: {ours['game'][name]}, gold {theirs['game'][name]}")
        scores = {team["team"]: team["final_score"] for team in ours["teams"]}
        for team in theirs["teams"]:
            right = scores.get(team["team"]) == team["final_score"]
            counts["scores"] += 1
            counts["scores right"] += right
            if not right:
                points = scores.get(team["team"])
                wrong.append(f"{team['team']}: {points}, gold {team['final_score']}")
        counts["recaps"] += 1
        for line in wrong if show else ():
            print(f"{id}: {line}")
    return counts


def _event(event: Mapping[str, Any]) -> tuple[Any, ...]:
    return event["type"], event["team"], event["player"], event["yards"]


def event_f(counts: Counter[str]) -> float:
    """The harmonic mean of precision and recall of events."""
    return 2 * counts["events right"] / max(counts["events read"] + counts["events"], 1)


def table(title: str, counts: Counter[str]) -> str:
    """The counts in a few lines."""
    right, read, there = counts["events right"], counts["events read"], counts["events"]
    lines = [
        f"{title}: {counts['recaps']} recaps",
        f"  events        F {event_f(counts):.3f}  ({right} right of {read} read, {there} there)",
        f"  final scores  {counts['scores right']}/{counts['scores']}",
        *(f"  {name:<12}  {counts[name]}/{counts['recaps']}" for name in ASKED),
    ]
    return "\n".join(lines)


def unfinished(texts: Mapping[str, str], gold: Mapping[str, Any]) -> str:
    """What becomes of recaps that lack a sentence, as a reader who misses it sees them."""
    shorter = {}
    for id, text in texts.items():
        sentences = re.split(r"(?<=[.!]) (?=[A-Z])", text)
        for number in range(len(sentences)):
            rest = " ".join(sentences[:number] + sentences[number + 1 :])
            shorter[f"{id} {number}"] = rest
    counts: Counter[str] = Counter()
    for id, read in summaries(shorter, reason=True).items():
        scores = {team["team"]: team["final_score"] for team in read["teams"]}
        winner, loser = (scores.get(read["game"][name]) for name in ("winner", "loser"))
        counts["contradict"] += winner is not None and loser is not None and winner <= loser
        for team in gold[id.split()[0]]["teams"]:
            points = scores.get(team["team"])
            right = points == team["final_score"]
            counts["none" if points is None else "right" if right else "wrong"] += 1
    return (
        f"without one of their sentences: {len(shorter)} recaps, {counts['contradict']} with a "
        f"winner who has no more points; final scores {counts['right']} right, "
        f"{counts['wrong']} wrong, {counts['none']} left open"
    )


def speed(texts: Sequence[str], *, rounds: int = 5) -> str:
    """Documents read in a second on one core, the reasoner left out; the best of some rounds."""
    extractor = build_extractor("patterns", open_domain("nfl_scoring"))
    documents = [Document(id=str(number), text=text) for number, text in enumerate(texts)]
    best = 0.0
    for _ in range(rounds):
        started = time.process_time()
        for document in documents:
            extractor.read(document)
        best = max(best, len(documents) / (time.process_time() - started))
    return f"reading: {best:.0f} documents a second on one core"


def speed_with_reasoner(texts: Sequence[str], *, rounds: int = 2) -> str:
    """Documents read and reasoned over in a second on one core, in one run; the best of some."""
    extractor = build_extractor("patterns", open_domain("nfl_scoring"))
    documents = [
        Document(id=str(number), text=texts[number % len(texts)]) for number in range(REASONED_OVER)
    ]
    best, broken = 0.0, 0
    for _ in range(rounds):
        started = time.process_time()
        broken = sum(bool(reading.contradictions) for reading in extractor.extract(documents))
        best = max(best, len(documents) / (time.process_time() - started))
    return (
        f"with the reasoner: {best:.0f} documents a second on one core, {len(documents)} in one "
        f"run, of which {broken} contradict"
    )


if __name__ == "__main__":
    main()
