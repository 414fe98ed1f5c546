"""Readability of English texts by the classic formulas. Items are texts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from processes import Step, Task, Tool, Work

FORMULAS = (
    "flesch",
    "flesch_kincaid",
    "fog",
    "smog",
    "ari",
    "coleman_liau",
    "dale_chall",
    "words",
    "sentences",
)


def tasks(data: Path | None) -> list[Task]:
    """The passages of the bundled test of readability; graded articles."""
    from importlib.resources import as_file, files

    import readmark

    with as_file(files("readmark.bundle")) as bundle:
        test = readmark.load(bundle / "readability.en.jsonl")
        found = [{"name": "bundled passages", "items": [one.text for one in test.records()]}]
    if data is not None:
        for level in ("Ele", "Int", "Adv"):
            sources = sorted((data / "onestop_english" / f"{level}-Txt").glob("*.txt"))
            items = [source.read_text("utf-8-sig").strip() for source in sources]
            found.append({"name": f"OneStopEnglish, {level}", "items": items})
    return found


def case_task(case: dict[str, Any]) -> Task:
    """The example of a case."""
    return {"items": [case["text"]], "only": [case["measure"]]}


def text_of(item: Any) -> str:
    """The text."""
    return str(item)


def readmark() -> Work:
    """All formulas of a text at once."""
    from readmark.readability.formulas.english import english_readability

    def run(task: Task) -> Iterator[Step]:
        rows = [english_readability(text) for text in task["items"]]
        wanted = task.get("only", FORMULAS)
        yield "all formulas", {name: [getattr(row, name) for row in rows] for name in wanted}

    return run


def textstat() -> Work:
    """Its functions, a formula each; needs NLTK's corpus cmudict."""
    import nltk

    try:
        nltk.data.find("corpora/cmudict")
    except LookupError:
        raise ImportError("NLTK has no corpus cmudict here") from None
    import textstat as peer

    functions = {
        "flesch": peer.flesch_reading_ease,
        "flesch_kincaid": peer.flesch_kincaid_grade,
        "fog": peer.gunning_fog,
        "smog": peer.smog_index,
        "ari": peer.automated_readability_index,
        "coleman_liau": peer.coleman_liau_index,
        "dale_chall": peer.dale_chall_readability_score,
        "words": peer.lexicon_count,
        "sentences": peer.sentence_count,
    }

    def run(task: Task) -> Iterator[Step]:
        columns = {
            name: [float(functions[name](text)) for text in task["items"]]
            for name in task.get("only", FORMULAS)
        }
        yield "all formulas", columns

    return run


TOOLS = {
    "readmark": Tool("Readmark", "readmark", readmark),
    "textstat": Tool("textstat", "textstat", textstat, 0.0501),
}
