"""How well passages that were learnt from are known again: hits, false alarms, size, speed.

    python benchmarks/span_data.py ../shared/data out/span
    python benchmarks/seen.py ../shared/data out/span

    python benchmarks/seen.py ../shared/data --real

A hit is a passage of the record's own sets, written otherwise or cut. False alarms are counted on
evaluation sets that no record has, on articles of Wikipedia with a record of other articles, and
on passages whose words or characters are shuffled, which share only their vocabulary.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import lzma
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

import readmark
from readmark.formats.registry import open_test
from readmark.text.fingerprints import STRETCH
from readmark.text.folding import folded_points
from readmark.text.script import simplified
from readmark.text.script_conversion import to_simplified
from readmark.text.shingles import shingle_hashes
from readmark.text.training_record import TrainingRecord, make_source
from readmark.text.training_record_files import recorded_in

PACKAGE = Path(readmark.__file__).parent
SEEN = {
    "zh": ("drcd/dev.json.gz", "span_training/cmrc_train"),
    "en": ("span_training/qed", "span_training/fairytaleqa"),
}
LONG = {"zh": 83, "en": 175}
"""Letters and digits from which on a part is found."""
RECORDS = {
    "span zh": "comprehension/span/weights/zh",
    "span en": "comprehension/span/weights/en",
    "evidence": "comprehension/evidence/data/ranker.json",
    "rater zh": "readability/raters/data/chinese.json",
    "rater en": "readability/raters/data/rater.json",
}
LEARNT = {
    "span zh": ("drcd", "cmrc2018/train"),
    "span en": ("expmrc",),
    "evidence": ("cmrc2018/train",),
    "rater zh": ("xquad/zh",),
    "rater en": ("onestop",),
}
"""The sets below from which a record's candidate did learn."""
COPIED = 0.4
"""A passage that shares so much of its text with what was learnt from was seen after all."""
SHOWN = 5
LEAST = 200
"""Characters of a paragraph of Wikipedia that counts as a passage."""


def full_width(text: str) -> str:
    return "".join(chr(ord(sign) + 0xFEE0) if "!" <= sign <= "~" else sign for sign in text)


def spaced(text: str) -> str:
    return text.replace(" ", "\n  ").replace("，", " ， ").replace("。", "。\n")


def bare(text: str) -> str:
    return "".join(sign for sign in text if sign.isalnum() or sign.isspace())


def middle(text: str) -> str:
    return text[len(text) // 4 : -len(text) // 4]


def first_half(text: str) -> str:
    return text[: len(text) // 2]


def with_notes(text: str) -> str:
    """A note after every 150 characters."""
    return "".join(f"{text[at : at + 150]}[{at}]" for at in range(0, len(text), 150))


CHANGES: dict[str, Callable[[str], str]] = {
    "as it was": str,
    "upper case": str.upper,
    "full width": full_width,
    "white space": spaced,
    "without punctuation": bare,
    "with notes put in": with_notes,
    "simplified, one for one": simplified,
    "simplified by OpenCC and phrases": to_simplified,
    "the first half": first_half,
    "the middle half": middle,
}


def passages(data: Path, prepared: Path, name: str) -> list[str]:
    path = data / name
    if name.startswith("span_training/"):
        path = prepared / f"{name.partition('/')[2]}.jsonl.gz"
    if name == "c3":
        files = sorted(path.glob("*.json*"))
        return [one.text for file in files for one in open_test(file).records()]
    return [one.text for one in open_test(path).records()]


def unseen_sets(data: Path) -> dict[str, list[str]]:
    """Real passages of every public set."""
    sets = {
        name: [one.text for one in open_test(data / name).records()]
        for name in (
            "cmrc2018/train.json.gz",
            "cmrc2018/trial.json",
            "drcd/dev.json.gz",
            "xquad/zh.json",
            "xquad/en.json",
            "expmrc/squad.json",
            "cbc4kids",
        )
    }
    sets["c3"] = [
        one.text
        for name in ("c3-d-dev.json", "c3-m-dev.json.gz")
        for one in open_test(data / "c3" / name).records()
    ]
    with gzip.open(data / "clear" / "clear.csv.gz", "rt", encoding="utf-8") as rows:
        sets["clear"] = [row["Excerpt"] for row in csv.DictReader(rows)]
    sets["onestop"] = [
        path.read_text("utf-8", errors="replace")
        for path in sorted((data / "onestop_english").rglob("*.txt"))
    ]
    for language in ("zh", "en"):
        with gzip.open(data / "wiki" / f"{language}.txt.gz", "rt", encoding="utf-8") as lines:
            least = LEAST // 3 if language == "zh" else LEAST
            sets[f"wiki {language}"] = [line for line in lines if len(line) > least]
    return sets


def false_alarms(data: Path) -> None:
    """How many real passages each shipped record flags, of sets that it did not learn from."""
    sets = unseen_sets(data)
    for name, path in RECORDS.items():
        record = recorded_in(PACKAGE / path)
        assert record is not None
        flagged: list[str] = []
        count = 0
        for title, texts in sets.items():
            if title.startswith(LEARNT[name]):
                continue
            alarms = [text for text in texts if record.sources_of(text)]
            flagged, count = flagged + alarms, count + len(texts)
            if alarms:
                print(f"  {name}, {title}: {len(alarms)} of {len(texts):,}", flush=True)
        shares = shares_in_training(flagged, data)
        wrong = [text for text, share in zip(flagged, shares, strict=True) if share < COPIED]
        for text in wrong[:SHOWN]:
            print(f"    {record.sources_of(text)}: {' '.join(text.split())[:90]}")
        print(
            f"{name}: {len(flagged)} of {count:,} passages flagged; {len(wrong)} share less than "
            f"{COPIED:.0%} of their text with the training sets",
            flush=True,
        )


def shares_in_training(texts: list[str], data: Path) -> list[float]:
    """How much of each text the training sets have, by all of its stretches, not by a filter."""
    own = [stretches(text, _language(text)) for text in texts]
    sought = np.unique(np.concatenate(own)) if own else np.empty(0, np.uint64)
    known = np.zeros(len(sought), np.bool_)
    for block in training_text(data):
        for language in ("zh", "en"):
            hashes = stretches(block, language)
            known[np.searchsorted(sought, np.intersect1d(sought, hashes))] = True
    return [
        float(known[np.searchsorted(sought, each)].mean()) if len(each) else 0.0 for each in own
    ]


def training_text(data: Path) -> Iterator[str]:
    """All that candidates learnt from, in blocks."""
    for path in sorted((data / "span_training").glob("*.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            yield "\n".join(dict.fromkeys(json.loads(line)["context"] for line in lines))
    for name in ("cmrc2018/train.json.gz", "drcd/dev.json.gz", "xquad/zh.json"):
        yield "\n".join(one.text for one in open_test(data / name).records())
    for path in sorted((data / "onestop_english").rglob("*.txt")):
        yield path.read_text("utf-8", errors="replace")
    for language in ("zh", "en"):
        path = data / "wiki" / f"{language}.more.txt.xz"
        with lzma.open(path, "rt", encoding="utf-8") as text:
            while block := text.read(1 << 22):
                yield block


def _language(text: str) -> str:
    return "zh" if sum("\u3400" <= sign < "\ua000" for sign in text) > 0.3 * len(text) else "en"


def articles(prepared: Path, language: str) -> Iterator[tuple[str, str]]:
    """Passages of raw Wikipedia with their titles."""
    joint = "" if language == "zh" else " "
    with lzma.open(prepared / f"{language}.passages.xz", "rt", encoding="utf-8") as lines:
        for line in lines:
            title, *sentences = line.rstrip("\n").split("\t")
            yield title, joint.join(sentences)


def shuffled(text: str, language: str, draw: Random) -> str:
    parts = list(text) if language == "zh" else text.split()
    draw.shuffle(parts)
    return ("" if language == "zh" else " ").join(parts)


def shared_share(text: str, known: NDArray[np.uint64], language: str) -> float:
    """How much of a text other texts have, by all of its stretches and without a filter."""
    return float(np.isin(stretches(text, language), known).mean())


def stretches(text: str, language: str) -> NDArray[np.uint64]:
    return shingle_hashes(folded_points(text), STRETCH.han if language == "zh" else STRETCH.letters)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("prepared", type=Path, nargs="?", default=Path("out/span"))
    parser.add_argument("--wiki", type=int, default=40_000, help="passages of Wikipedia a language")
    parser.add_argument("--shuffled", type=int, default=40_000, help="shuffled passages a language")
    parser.add_argument("--real", action="store_true", help="real passages of other sets alone")
    given = parser.parse_args()
    false_alarms(given.data)
    if given.real:
        return
    for language in ("zh", "en"):
        record = recorded_in(PACKAGE / "comprehension" / "span" / "weights" / language)
        assert record is not None
        size = sum(len(source.filter) for source in record.sources)
        count = sum(source.passages for source in record.sources)
        print(f"\n{language}: {count:,} passages in {size:,} bytes, {size / count:.1f} a passage")

        seen = [
            text for name in SEEN[language] for text in passages(given.data, given.prepared, name)
        ]
        for name, change in CHANGES.items():
            if language == "zh" or "simplified" not in name:
                texts = [change(text) for text in seen]
                if "half" in name:  # shorter parts are not promised to be found
                    texts = [text for text in texts if len(folded_points(text)) >= LONG[language]]
                hits = sum(bool(record.sources_of(text)) for text in texts)
                print(f"  {name}: {hits:,} of {len(texts):,} found ({hits / len(texts):.2%})")

        started = time.process_time()
        for text in seen[:2000]:
            record.sources_of(text)
        each = (time.process_time() - started) / min(2000, len(seen))
        print(
            f"  {1000 * each:.2f} ms of CPU a passage of {sum(map(len, seen)) // len(seen)} signs"
        )

        draw = Random(1)
        mixed = [shuffled(draw.choice(seen), language, draw) for _ in range(given.shuffled)]
        alarms = sum(bool(record.sources_of(text)) for text in mixed)
        print(f"  unseen, shuffled: {alarms} of {len(mixed):,} flagged")

        titled = list(islice(articles(given.prepared, language), given.wiki))
        titles = sorted({title for title, _ in titled})
        draw.shuffle(titles)
        learnt = set(titles[::2])
        half = TrainingRecord(
            sources=(make_source("half", (text for title, text in titled if title in learnt)),)
        )
        rest = [text for title, text in titled if title not in learnt]
        flagged = [text for text in rest if half.sources_of(text)]
        known = np.unique(
            np.concatenate([stretches(text, language) for title, text in titled if title in learnt])
        )
        # Articles copy each other: what shares half of its text was seen after all.
        wrong = [text for text in flagged if shared_share(text, known, language) < 0.4]
        print(
            f"  other articles: {len(flagged)} of {len(rest):,} flagged; {len(wrong)} share "
            "less than 40% of their text with the articles of the record"
        )


if __name__ == "__main__":
    main()
