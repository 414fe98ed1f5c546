"""Makes what span readers are trained on: native tests of public files, passages for clozes.

    python benchmarks/span_data.py ../shared/data out/span

Passages that share text with an evaluation set are left out of both.
"""

from __future__ import annotations

import gzip
import json
import lzma
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from evidence_data import _passages

from readmark.core.test import Header, Test, in_memory
from readmark.formats.registry import open_test, save_test
from readmark.text.script import simplified
from training.evidence.train import is_known, known_runs
from training.span.clozes.articles import articles, passages

FILES = {
    "drcd_subset": ("span_training/drcd-subset.zh.train.jsonl.gz", "zh", "CC BY-SA 3.0"),
    "qed": ("span_training/qed-nq.en.train.jsonl.gz", "en", "CC BY-SA 3.0"),
    "fairytaleqa": ("span_training/fairytaleqa.en.train.jsonl.gz", "en", "Apache-2.0"),
    "fairytaleqa_val": ("span_training/fairytaleqa.en.val.jsonl.gz", "en", "Apache-2.0"),
    "policyqa": ("span_training/policyqa.en.dev.jsonl.gz", "en", "MIT"),
    "covidqa": ("span_training/covidqa.en.all.jsonl.gz", "en", "Apache-2.0"),
}
APART = {
    "zh": ("cmrc2018/trial.json", "drcd/dev.json.gz", "xquad/zh.json"),
    "en": ("xquad/en.json", "expmrc/squad.json"),
}
RUN = {"en": 40, "zh": 13}
STEP = 7


def main(data: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    known = known_runs([open_test(data / file) for files in APART.values() for file in files])
    for name, (file, language, licence) in FILES.items():
        header = Header(name=name, language=language, licence=licence)
        save_unknown(in_memory(header, _passages(data / file)), out / f"{name}.jsonl.gz", known)
    cmrc = open_test(data / "cmrc2018" / "train.json.gz")
    save_unknown(cmrc, out / "cmrc_train.jsonl.gz", known)
    for language in APART:
        raw_passages(data, out / f"{language}.passages.xz", language)


def save_unknown(test: Test, out: Path, known: dict[str, set[str]]) -> None:
    """The test without passages that an evaluation set has too."""
    language = test.language
    records = list(test.records())
    kept = [record for record in records if not is_known(record.text, language, known[language])]
    save_test(in_memory(test.header, kept), out)
    asked = sum(len(one.questions) for one in kept)
    print(out.name, len(kept), "passages", asked, "questions", len(records) - len(kept), "left out")


def raw_passages(data: Path, out: Path, language: str) -> None:
    """Passages of raw Wikipedia, a title and its sentences a line, simplified in Chinese."""
    known = {run for file in APART[language] for run in _known(data / file, language)}
    fold = simplified if language == "zh" else str
    kept = dropped = 0
    with (
        lzma.open(data / "wiki" / f"{language}.more.txt.xz", "rt", encoding="utf-8") as lines,
        lzma.open(out, "wt", preset=3, encoding="utf-8") as written,
    ):
        for title, paragraphs in articles(lines):
            for run in passages(paragraphs[1:], language):
                told = [fold(one).replace("\t", " ") for one in run]
                if any(piece in known for piece in _runs("".join(told), language, STEP)):
                    dropped += 1
                    continue
                written.write("\t".join([fold(title).replace("\t", " "), *told]) + "\n")
                kept += 1
    print(language, kept, "passages for clozes", dropped, "left out", flush=True)


def _known(path: Path, language: str) -> Iterator[str]:
    raw = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for text in _contexts(json.loads(raw)):
        yield from _runs(text, language, 1)


def _contexts(value: object) -> Iterator[str]:
    if isinstance(value, dict):
        for name, inner in value.items():
            if name == "context" and isinstance(inner, str):
                yield inner
            else:
                yield from _contexts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _contexts(inner)


def _runs(text: str, language: str, step: int) -> Iterator[str]:
    bare = re.sub(r"[\W_]+", "", (simplified(text) if language == "zh" else text).lower())
    wide = RUN[language]
    return (bare[at : at + wide] for at in range(0, max(1, len(bare) - wide + 1), step))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
