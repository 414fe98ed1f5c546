"""How good the span reader's scores are, and its threshold of giving no answer.

    python benchmarks/confidence.py files ../shared/data out/confidence
    python benchmarks/confidence.py measure out/confidence zh

``files`` writes what ``readmark train confidence`` is fitted to (fit.*.jsonl: none of it was learnt
from, and no passage of XQuAD is among it) and the tests that it is measured on: XQuAD, and XQuAD
with half of the questions asked of another passage (mixed.*.jsonl). They hold texts of others, so
they are not kept here. ``measure`` sits and marks the tests of a language, resuming where it
stopped.
"""

from __future__ import annotations

import sys
from pathlib import Path

from evidence_data import _passages

import readmark
from readmark.comprehension.evidence.training import _is_known, _known_runs
from readmark.comprehension.span.confidence import moved_questions
from readmark.core.sitting import Row
from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import as_sitting, open_test, save_test

FAIRY = "span_training/fairytaleqa.en.val.jsonl.gz"
LANGUAGES = ("en", "zh")
READERS = {"always": "span", "auto": "span(no_answer=auto)"}


def files(data: Path, out: Path) -> None:
    """Tests to fit and to measure."""
    out.mkdir(parents=True, exist_ok=True)
    fairy = in_memory(Header(name="fairytaleqa-val", language="en"), _passages(data / FAIRY))
    fitted = {"en.fairytaleqa": fairy}
    fitted["en.expmrc"] = open_test(data / "expmrc" / "squad.json")
    fitted["zh.cmrc_trial"] = open_test(data / "cmrc2018" / "trial.json")
    tests = {language: open_test(data / "xquad" / f"{language}.json") for language in LANGUAGES}
    known = _known_runs(list(tests.values()))
    for name, test in fitted.items():
        apart = without_known(test, known)
        save_test(apart, out / f"fit.{name}.jsonl")
        print(f"fit.{name}.jsonl", apart.facts.units, "of", test.facts.units, "questions")
    for language, test in tests.items():
        save_test(test, out / f"own.{language}.jsonl")
        mixed = moved_questions(test)
        save_test(mixed, out / f"mixed.{language}.jsonl")
        print(f"mixed.{language}.jsonl", mixed.facts.unanswerable, "of", mixed.facts.units, "moved")


def without_known(test: Test, known: dict[str, set[str]]) -> Test:
    """The test without passages that share text with XQuAD."""
    kept = [
        record
        for record in test.records()
        if not _is_known(record.text, test.language, known[test.language])
    ]
    return in_memory(test.header, kept, file=test.file)


def measure(out: Path, language: str) -> None:
    """XQuAD as it is, and mixed: always answered, and with the model's own threshold."""
    own = out / f"own.{language}.jsonl"
    print(marked(own, "span", out / f"own.{language}.sitting.jsonl").as_text(full=True))
    mixed = open_test(out / f"mixed.{language}.jsonl")
    for name, reader in READERS.items():
        path = out / f"mixed.{language}.{name}.jsonl"
        print(marked(mixed, reader, path).as_text(full=True))
        rows = as_sitting(str(path), mixed.kind).rows
        empty = {id for id, row in rows.items() if isinstance(row, Row) and not row.text}
        units = list(mixed.units())
        right = sum((unit.id in empty) is unit.key.unanswerable for unit in units)
        share = 100 * right / len(units)
        print(f"{reader}: {len(empty)} withheld, answer or none rightly decided {share:.2f}\n")


def marked(test: Test | Path, reader: str, sitting: Path) -> readmark.Marks:
    """The marks of a reader on a test, by whether there is an answer."""
    readmark.sit(test, reader, path=str(sitting))
    return readmark.mark(test, str(sitting), metrics=["em", "f1"], by=["answerable"])


if __name__ == "__main__":
    if sys.argv[1] == "files":
        files(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        measure(Path(sys.argv[2]), sys.argv[3])
