"""Makes native tests of the public training files, for ``python -m training.evidence``.

    python benchmarks/evidence_data.py ../shared/data out/evidence

Questions on one passage are put together; CMRC 2018 and DRCD are read by their own formats.
"""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

from readmark.core.records import Answer, Passage, Question, QuestionKey
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test

FILES = {
    "drcd_subset": ("span_training/drcd-subset.zh.train.jsonl.gz", "zh", "CC BY-SA 3.0"),
    "qed": ("span_training/qed-nq.en.train.jsonl.gz", "en", "CC BY-SA 3.0"),
    "fairytaleqa": ("span_training/fairytaleqa.en.train.jsonl.gz", "en", "Apache-2.0"),
}


def main(data: Path, out: Path) -> None:
    out.mkdir(parents=True, exist_ok=True)
    for name, (file, language, licence) in FILES.items():
        passages = _passages(data / file)
        test = in_memory(Header(name=name, language=language, licence=licence), passages)
        save_test(test, out / f"{name}.jsonl")
        print(name, len(passages), "passages", sum(len(passage.questions) for passage in passages))
    save_test(open_test(data / "cmrc2018" / "train.json.gz"), out / "cmrc_train.jsonl")


def _passages(path: Path) -> list[Passage]:
    by_text: dict[str, list[Question]] = {}
    titles: dict[str, str] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            answers = tuple(
                Answer(text=one["text"], start=one["start"])
                for one in row["answers"]
                if one["text"]
            )
            if answers:
                asked = by_text.setdefault(row["context"], [])
                titles.setdefault(row["context"], row["title"])
                asked.append(
                    Question(
                        id=f"{number}",
                        text=row["question"],
                        key=QuestionKey(answers=answers),
                    )
                )
    return [
        Passage(id=f"p{at}", text=text, title=titles[text] or None, questions=tuple(asked))
        for at, (text, asked) in enumerate(by_text.items(), 1)
    ]


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
