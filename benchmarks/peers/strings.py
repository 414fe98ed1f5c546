"""Similarity of texts: the twelve measures of the question series document.

Items are pairs of plain texts (lower-case words with one space between), so that the measures are
compared and not the ways to cut words. Peers are set as close to Readmark as their options allow.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from processes import Step, Task, Tool, Work

PAIRS = 2000
Measure = Callable[[str, str], float]
OURS = {
    "jaccard": "jaccard(u=1,b=0)",
    "dice": "dice(u=1,b=0)",
    "cosine": "cosine(u=1,b=0)",
    "block": "block(u=1,b=0)",
    "euclidean": "euclidean",
    "monge_elkan": "monge_elkan",
    "levenshtein": "levenshtein",
    "needleman_wunsch": "needleman_wunsch",
    "smith_waterman": "smith_waterman",
    "qgrams": "qgrams",
    "jaro": "jaro",
    "jaro_winkler": "jaro_winkler",
}


def tasks(data: Path | None) -> list[Task]:
    """Invented rewrites with their golds; questions of TREC with theirs, unchanged and appended."""
    from similarity import invented

    from readmark.series.words import words

    def plain(text: str) -> str:
        return " ".join(words(text))

    rewrites, golds = invented(PAIRS, alike=False)
    items = [[plain(said), plain(gold)] for said, gold in zip(rewrites, golds, strict=True)]
    found = [{"name": f"{PAIRS:,} invented rewrites", "items": items}]
    if data is not None:
        text = (data.parent / "golden" / "series_gold.json").read_text("utf-8")
        pairs = []
        for series in json.loads(text)["series"]:
            for question in series["questions"]:
                said, gold = question["question"], plain(question["gold"][0])
                pairs += [[plain(said), gold], [plain(f"{said} {series['target']}"), gold]]
        found.append({"name": "TREC questions, unchanged and appended", "items": pairs})
    return found


def case_task(case: dict[str, Any]) -> Task:
    """The example of a case."""
    return {"items": [[case["a"], case["b"]]], "only": [case["measure"]]}


def text_of(item: Any) -> str:
    """Both texts, a line each."""
    return "\n".join(item)


def _each(measures: Mapping[str, Measure]) -> Work:
    def run(task: Task) -> Iterator[Step]:
        for name, measure in measures.items():
            if name in task.get("only", OURS):
                yield name, {name: [float(measure(a, b)) for a, b in task["items"]]}

    return run


def readmark() -> Work:
    """The metrics of series, of all pairs at once where they can."""
    from readmark.marking.metrics import METRICS

    metrics = {name: METRICS.build(given)[1] for name, given in OURS.items()}

    def run(task: Task) -> Iterator[Step]:
        for name, metric in metrics.items():
            if name not in task.get("only", OURS):
                continue
            if hasattr(metric, "alike_in_each"):
                values = list(metric.alike_in_each(*map(list, zip(*task["items"], strict=True))))
            else:
                values = [metric.alike(a, b) for a, b in task["items"]]
            yield name, {name: values}

    return run


def _score(a: str, b: str) -> int:
    return 1 if a == b else -1


def py_stringmatching() -> Work:
    """Words as lists; alignments are raw scores, brought to 0 … 1 as Readmark does."""
    import py_stringmatching as peer

    aligned = peer.NeedlemanWunsch(gap_cost=1.0, sim_func=_score).get_raw_score
    local = peer.SmithWaterman(gap_cost=1.0, sim_func=_score).get_raw_score
    winkler = peer.JaroWinkler()
    monge_elkan = peer.MongeElkan(sim_func=winkler.get_sim_score).get_raw_score

    def of_words(measure: Any) -> Measure:
        return lambda a, b: measure.get_sim_score(a.split(), b.split())

    return _each(
        {
            "jaccard": of_words(peer.Jaccard()),
            "dice": of_words(peer.Dice()),
            "cosine": of_words(peer.Cosine()),
            "monge_elkan": lambda a, b: (
                (monge_elkan(a.split(), b.split()) + monge_elkan(b.split(), a.split())) / 2
            ),
            "levenshtein": peer.Levenshtein().get_sim_score,
            "needleman_wunsch": lambda a, b: (
                (aligned(a, b) + max(len(a), len(b))) / (2 * max(len(a), len(b)))
            ),
            "smith_waterman": lambda a, b: local(a, b) / min(len(a), len(b)),
            "jaro": peer.Jaro().get_sim_score,
            "jaro_winkler": winkler.get_sim_score,
        }
    )


def textdistance() -> Work:
    """Its own Python, without the libraries it can call."""
    import textdistance as peer

    own = {"external": False}
    winkler = peer.JaroWinkler(**own)
    return _each(
        {
            "jaccard": peer.Jaccard(qval=None, as_set=True, **own),
            "dice": peer.Sorensen(qval=None, as_set=True, **own),
            "cosine": peer.Cosine(qval=None, **own),
            "block": peer.Sorensen(qval=None, **own),
            "monge_elkan": peer.MongeElkan(winkler, symmetric=True, qval=None, **own),
            "levenshtein": peer.Levenshtein(**own).normalized_similarity,
            "needleman_wunsch": peer.NeedlemanWunsch(sim_func=_score, **own).normalized_similarity,
            "smith_waterman": peer.SmithWaterman(sim_func=_score, **own).normalized_similarity,
            "qgrams": peer.Sorensen(qval=3, **own),
            "jaro": peer.Jaro(**own),
            "jaro_winkler": winkler,
        }
    )


def rapidfuzz() -> Work:
    """Its distances, pair by pair."""
    from rapidfuzz.distance import Jaro, JaroWinkler, Levenshtein

    return _each(
        {
            "levenshtein": Levenshtein.normalized_similarity,
            "jaro": Jaro.normalized_similarity,
            "jaro_winkler": JaroWinkler.normalized_similarity,
        }
    )


TOOLS = {
    "readmark": Tool("Readmark", "readmark", readmark),
    "py_stringmatching": Tool("py_stringmatching", "py_stringmatching", py_stringmatching),
    "textdistance": Tool("textdistance", "textdistance", textdistance),
    "rapidfuzz": Tool("rapidfuzz", "rapidfuzz", rapidfuzz),
}
