"""Makes the training records of the models that ship: what each learnt from, hashed.

    python benchmarks/span_data.py ../shared/data out/span
    python -m training.records ../shared/data out/span src/readmark

Each record is next to its model. The cards name the same data. Passages that were held out to
choose or to calibrate a model by are in its record too. Tables of words (rarity, vectors, usual
lengths) were counted on raw Wikipedia; that text is in no record.
"""

from __future__ import annotations

import lzma
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec

from readmark.formats.registry import open_test
from readmark.text.fingerprints import ByScript
from readmark.text.training_record import (
    FILE,
    POOLING,
    SCORES,
    TrainingRecord,
    TrainingSource,
    make_source,
    source_of_test,
)

RAW = ByScript(128, 256)
"""Windows of the raw passages, of which there are 100,000 a language: parts of 275 Han characters
or 559 letters are recognised, and the filters have 1 MB each."""
SETS = {
    "CMRC 2018 train": "cmrc_train.jsonl.gz",
    "DRCD subset": "drcd_subset.jsonl.gz",
    "QED": "qed.jsonl.gz",
    "FairytaleQA train": "fairytaleqa.jsonl.gz",
    "FairytaleQA validation": "fairytaleqa_val.jsonl.gz",
    "PolicyQA": "policyqa.jsonl.gz",
    "COVID-QA": "covidqa.jsonl.gz",
}


def main(data: Path, prepared: Path, package: Path) -> None:
    """Write every record."""

    def prepared_set(name: str, use: str | None = None) -> TrainingSource:
        return renamed(source_of_test(open_test(prepared / SETS[name]), use=use), name)

    def public_set(name: str, file: str, use: str | None = None) -> TrainingSource:
        return renamed(source_of_test(open_test(data / file), use=use), name)

    weights = package / "comprehension" / "span" / "weights"
    write(
        weights / "zh" / FILE,
        prepared_set("CMRC 2018 train"),
        public_set("DRCD dev", "drcd/dev.json.gz"),
        prepared_set("DRCD subset"),
        make_source("Chinese Wikipedia", raw(prepared, "zh"), use="clozes", window=RAW),
    )
    write(
        weights / "en" / FILE,
        prepared_set("QED"),
        prepared_set("FairytaleQA train"),
        prepared_set("PolicyQA"),
        make_source("English Wikipedia", raw(prepared, "en"), use="clozes", window=RAW),
        prepared_set("FairytaleQA validation", SCORES),
        make_source("ExpMRC (SQuAD) without XQuAD", expmrc(data), use=SCORES),
    )
    write(
        package / "comprehension" / "evidence" / "data" / f"ranker.{FILE}",
        prepared_set("CMRC 2018 train"),
        prepared_set("DRCD subset"),
        prepared_set("FairytaleQA train"),
        prepared_set("QED"),
        prepared_set("FairytaleQA validation", POOLING),
    )
    raters = package / "readability" / "raters" / "data"
    write(
        raters / f"rater.{FILE}",
        make_source("OneStopEnglish", onestop(data)),
        prepared_set("FairytaleQA train", "what is usual"),
    )
    write(raters / f"chinese.{FILE}", public_set("XQuAD Chinese", "xquad/zh.json"))


def renamed(source: TrainingSource, name: str) -> TrainingSource:
    return msgspec.structs.replace(source, name=name)


def raw(prepared: Path, language: str) -> Iterator[str]:
    """The passages of which clozes were made, and on which questions were asked."""
    joint = "" if language == "zh" else " "
    with lzma.open(prepared / f"{language}.passages.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            yield joint.join(line.rstrip("\n").split("\t")[1:])


def expmrc(data: Path) -> Iterator[str]:
    """The passages of ExpMRC that XQuAD does not have."""
    xquad = TrainingRecord(sources=(source_of_test(open_test(data / "xquad" / "en.json")),))
    for passage in open_test(data / "expmrc" / "squad.json").records():
        if not xquad.sources_of(passage.text):
            yield passage.text


def onestop(data: Path) -> Iterator[str]:
    """The articles at all three levels."""
    for file in sorted((data / "onestop_english").rglob("*.txt")):
        yield file.read_text(encoding="utf-8-sig", errors="replace")


def write(path: Path, *sources: TrainingSource) -> None:
    TrainingRecord(sources=sources).write(path)
    print(f"{path}: {path.stat().st_size:,} bytes")
    for source in sources:
        print(f"  {source.name}: {source.passages:,} passages, {len(source.filter):,} bytes")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:4]))
