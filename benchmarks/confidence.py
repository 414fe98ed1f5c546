"""How good the span reader's scores are, and its threshold of giving no answer.

    python benchmarks/confidence.py files ../shared/data out/confidence
    python benchmarks/confidence.py measure out/confidence zh

``files`` writes what ``readmark train span --scores`` is fitted to (fit.*.jsonl: none of it was
learnt from, and no passage of XQuAD is among it) and the tests that it is measured on: XQuAD, and
XQuAD with half of the questions asked of another passage (mixed.*.jsonl). They hold texts of
others, so they are not kept here. ``measure`` sits and marks the tests of a language, resuming
where it stopped.
"""

from __future__ import annotations

import sys
from pathlib import Path

from evidence_data import _passages
from msgspec.structs import replace

import readmark
from readmark.comprehension.span.confidence import SpanConfidence
from readmark.comprehension.span.model import shipped_model
from readmark.comprehension.span.moved_questions import moved_questions
from readmark.comprehension.span.shape import read_shape
from readmark.core.sitting import Row, Sitting, SittingHeader
from readmark.core.test import Header, Test, in_memory
from readmark.formats.inputs import as_sitting
from readmark.formats.registry import open_test, save_test
from training.evidence.train import is_known, known_runs

FAIRY = "span_training/fairytaleqa.en.val.jsonl.gz"
LANGUAGES = ("en", "zh")


def files(data: Path, out: Path) -> None:
    """Tests to fit and to measure."""
    out.mkdir(parents=True, exist_ok=True)
    fairy = in_memory(Header(name="fairytaleqa-val", language="en"), _passages(data / FAIRY))
    fitted = {"en.fairytaleqa": fairy}
    fitted["en.expmrc"] = open_test(data / "expmrc" / "squad.json")
    fitted["zh.cmrc_trial"] = open_test(data / "cmrc2018" / "trial.json")
    tests = {language: open_test(data / "xquad" / f"{language}.json") for language in LANGUAGES}
    known = known_runs(list(tests.values()))
    for name, test in fitted.items():
        apart = without_known(test, known)
        save_test(apart, out / f"fit.{name}.jsonl")
        print(f"fit.{name}.jsonl", apart.facts.units, "of", test.facts.units, "questions")
    for language, test in tests.items():
        save_test(test, out / f"own.{language}.jsonl")
        mixed = moved_questions(test)
        save_test(mixed, out / f"mixed.{language}.jsonl")
        save_test(moved_alone(mixed), out / f"moved.{language}.jsonl")
        print(
            f"mixed.{language}.jsonl",
            mixed.facts.count("unanswerable"),
            "of",
            mixed.facts.units,
            "moved",
        )


def moved_alone(mixed: Test) -> Test:
    """The questions that were moved, and nothing else."""
    records = []
    for record in mixed.records():
        questions = tuple(one for one in record.questions if one.key and one.key.unanswerable)
        records += [replace(record, questions=questions)] if questions else []
    return in_memory(mixed.header, records)


def without_known(test: Test, known: dict[str, set[str]]) -> Test:
    """The test without passages that share text with XQuAD."""
    kept = [
        record
        for record in test.records()
        if not is_known(record.text, test.language, known[test.language])
    ]
    return in_memory(test.header, kept, file=test.file)


def measure(out: Path, language: str) -> None:
    """XQuAD as it is, and mixed: always answered, and with the model's own threshold.

    Questions that were moved are sat alone, and answers above the threshold are taken out after:
    a question is read once on each passage.
    """
    own, mixed = (open_test(out / f"{name}.{language}.jsonl") for name in ("own", "mixed"))
    sat = {}
    for name in ("own", "moved"):
        path = out / f"{name}.{language}.sitting.jsonl"
        test = open_test(out / f"{name}.{language}.jsonl")
        readmark.sit(test, "span", path=path)
        sat[name] = as_sitting(str(path), test.kind)
    print(readmark.mark(own, sat["own"], metrics=["em", "f1"]).as_text(full=True))
    fitted = read_shape(shipped_model(language)).confidence
    assert fitted is not None
    units = list(mixed.units())
    rows = {
        unit.id: sat["moved" if unit.key.unanswerable else "own"].rows[unit.id] for unit in units
    }
    for name, threshold in (("always", 1000.0), ("auto", fitted.no_answer)):
        kept = {id: decided(row, threshold, fitted) for id, row in rows.items()}
        sitting = Sitting(SittingHeader(candidate=name), kept)
        # CMRC 2018's rules never accept an empty answer.
        profile = "(profile=zh)" if language == "zh" else ""
        metrics = [f"em{profile}", f"f1{profile}"]
        marks = readmark.mark(mixed, sitting, metrics=metrics, by=["answerable"])
        print(marks.as_text(full=True))
        right = sum((not kept[unit.id].text) is unit.key.unanswerable for unit in units)
        empty = sum(not row.text for row in kept.values())
        share = 100 * right / len(units)
        print(f"{name}: {empty} withheld, answer or none rightly decided {share:.2f}\n")


def decided(row: Row, threshold: float, fitted: SpanConfidence) -> Row:
    """A row as ``span(no_answer=THRESHOLD)`` gives it."""
    none, probability = row.evidence["none"], row.evidence["likely"][0]["probability"]
    if none > threshold:
        score = fitted.none_score(probability, none)
        return Row(id=row.id, answer="", score=score, evidence={"none": none})
    return replace(row, score=fitted.score(probability, none, mixed=True))


if __name__ == "__main__":
    if sys.argv[1] == "files":
        files(Path(sys.argv[2]), Path(sys.argv[3]))
    else:
        measure(Path(sys.argv[2]), sys.argv[3])
