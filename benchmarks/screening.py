"""How fast passages are screened, whether memory stays, and what near-duplicates cost.

Rates are of UTF-8 text on one core, by processor time. The text is invented (Han characters in
sentences, from a seed) unless a test file is named: ``python benchmarks/screening.py FILE``.

With ``--labels FOLDER`` it measures instead how often the rules of CMRC 2018 are right:
screening_labels.csv has passages of the folder's zh.txt.gz and zh.more.txt.xz (article and offsets,
no text) that were labelled before any verdict was seen; making.md describes them.

Run: python benchmarks/screening.py [FILE] [--quick] [--labels FOLDER]
"""

from __future__ import annotations

import argparse
import csv
import hashlib
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from figures import Figure

from readmark.formats.registry import open_test
from readmark.making.screening.checks import CHECKS
from readmark.making.screening.config import Settings, load_config
from readmark.making.screening.examination import BATCH, examine
from readmark.making.screening.findings import ScreenedText
from readmark.making.screening.report_rows import Examined
from readmark.making.sources.articles import Article
from readmark.making.sources.shapes import articles_in, chunks
from readmark.text.near_duplicates import near_duplicates
from readmark.text.sketches import Sketcher

LABELS = Path(__file__).with_name("screening_labels.csv")
FILES = {"zh": "zh.txt.gz", "more": "zh.more.txt.xz"}
RULES = {
    "non_chinese": ("non_chinese",),
    "specialised": ("terms", "topic"),
    "symbols": ("symbols",),
    "classical": ("classical",),
}
"""The rules of the document, and the checks any of which discards by each."""
DRAWS = ("develop", "first", "second", "third", "fourth", "fifth", "sixth", "seventh")
FIRES, LEAST_RIGHT = 10, 0.85
ROUNDS = 5
TURNS = 3
SHARED = 20
"""How many times over the text is that two workers share: each takes half a second to begin, for
its word lists."""
PASSAGES = 3_000
_WORDS = """
    我们 他们 今天 昨天 孩子 老师 学校 火车 城市 河边 春天 下雨 回家 工作 故事 朋友 音乐 历史 的 了
    是 在 和 有 很 都 到 说 看 走 来 去 给 把 从 就 也 还 一个 这个 那个 因为 所以 但是 面馆
    桂花 站台 图书馆 报纸 渔船 码头 山坡 石桥 院子 椅子 窗户 手表 雨伞 晚饭 早晨 中午 建成 开始 离开
    写信 打开 记得 介绍 认识 准备 发现 参加 成立 担任 出版 位于 属于 包括 主要 1998年 三十年 五月
    第二次 London 约翰 上海 北京 南京 长江 亚洲 欧洲
"""


def invented(count: int, seed: int = 1) -> list[str]:
    """Passages of some 600 characters in sentences."""
    draw = random.Random(seed)
    vocabulary = _WORDS.split()
    texts = []
    for _ in range(count):
        sentences = []
        while sum(map(len, sentences)) < 600:
            words = draw.choices(vocabulary, k=draw.randint(8, 20))
            words.insert(len(words) // 2, "，")
            sentences.append("".join(words) + "。")
        texts.append("".join(sentences))
    return texts


def rate(work: Callable[[], object], size: float) -> float:
    """Megabytes a second of processor time: the median of some rounds, the first left out."""
    found = []
    for _ in range(ROUNDS + 1):
        began = time.process_time()
        work()
        found.append(size / (time.process_time() - began))
    return statistics.median(found[1:])


def rates(texts: Sequence[str], what: str) -> list[Figure]:
    """The character rules alone, and every check with words and sketches."""
    settings = load_config().languages["zh"]
    characters = {name: one for name, one in settings.items() if CHECKS[name].characters_only}
    megabytes = sum(len(text.encode()) for text in texts) / 1e6
    sketcher = Sketcher()
    pairs = [("zh", text) for text in texts]
    batches = [pairs[at : at + BATCH] for at in range(0, len(pairs), BATCH)]

    def looked(checks: Settings, sketching: Sketcher | None) -> Callable[[], list[list[Examined]]]:
        return lambda: [examine({"zh": checks}, sketching, batch) for batch in batches]

    unit = "MB/s"
    return [
        Figure(
            f"character rules, {what}",
            rate(looked(characters, None), megabytes),
            unit,
            least=60,
        ),
        Figure(
            f"all checks with words and sketches, {what}",
            rate(looked(settings, sketcher), megabytes),
            unit,
            least=4,
        ),
    ]


def growth(quick: bool) -> list[Figure]:
    """How the time of near-duplicates grows when there are four times as many texts."""
    small = 1_000 if quick else 4_000
    texts = invented(4 * small, seed=7)
    copies = [
        text[:300] + "某" + text[300:] if at % 10 == 0 else text for at, text in enumerate(texts)
    ]

    def seconds(count: int) -> float:
        named = [
            (str(at), text) for at, text in enumerate(texts[: count // 2] + copies[: count // 2])
        ]
        began = time.process_time()
        near_duplicates(lambda: iter(named))
        return time.process_time() - began

    seconds(100)
    ratio = seconds(4 * small) / seconds(small)
    return [
        Figure(
            f"near-duplicates of {4 * small:,} texts against {small:,}",
            ratio,
            "times as long",
            most=8,
        )
    ]


def templated(quick: bool) -> list[Figure]:
    """Pages that share 260 characters of 360, and have a resemblance of 0.56, against others."""
    count = 1_500 if quick else 6_000
    draw = random.Random(3)
    han = [chr(point) for point in range(0x4E00, 0x9FA0)]

    def pages(shared: int) -> list[tuple[str, str]]:
        base = "".join(draw.choices(han, k=shared))
        return [(str(at), base + "".join(draw.choices(han, k=360 - shared))) for at in range(count)]

    def seconds(named: list[tuple[str, str]]) -> float:
        began = time.process_time()
        near_duplicates(lambda: iter(named))
        return time.process_time() - began

    seconds(pages(0)[:100])
    return [
        Figure(
            f"near-duplicates of {count:,} pages from a template against unlike ones",
            seconds(pages(260)) / seconds(pages(0)),
            "times as long",
            most=3,
        )
    ]


def write(path: Path, texts: Sequence[str], times: int) -> None:
    """A test file of the texts, repeated, each a little different."""
    with path.open("w", encoding="utf-8") as stream:
        stream.write(json.dumps({"readmark": 1, "kind": "comprehension", "language": "zh"}) + "\n")
        draw = random.Random(5)
        for turn in range(times):
            for at, text in enumerate(texts):
                words = list(text)
                draw.shuffle(words) if turn else None
                record = {"id": f"{turn}-{at}", "text": "".join(words)}
                stream.write(json.dumps(record, ensure_ascii=False) + "\n")


_CHILD = """
import json, re, resource, sys
from readmark.cli.main import main
try:
    main()
except SystemExit as end:
    if end.code:
        raise
own, others = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
peak = re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())
told = {"peak": int(peak[1]) / 1024, "own": own.ru_utime + own.ru_stime}
told["workers"] = others.ru_utime + others.ru_stime
print(json.dumps(told), file=sys.stderr)
"""
"""The command, then what it used. Not by wait4: that counts this process's memory as well."""


@dataclass(frozen=True, slots=True)
class Used:
    """What one run of the command used."""

    wall: float
    peak: float
    """The most memory of the first process, in MB."""
    own: float
    workers: float
    """Seconds of processor time, of the first process and of those that it started."""


def screened(path: Path, folder: Path, workers: int) -> Used:
    """The command in a process of its own."""
    arguments = ["set", "screen", str(path), "-o", str(folder / "out.jsonl"), "--json"]
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", _CHILD, *arguments, "--workers", str(workers)],
        capture_output=True,
        text=True,
        check=True,
    )
    wall = time.monotonic() - began
    told = json.loads(done.stderr.splitlines()[-1])
    return Used(wall, told["peak"], told["own"], told["workers"])


def command_figures(texts: Sequence[str], quick: bool) -> list[Figure]:
    """The command: memory on ten times the text, and two workers against one."""
    few = texts[:600] if quick else texts[:3_000]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder / "one.jsonl", few, 1)
        write(folder / "ten.jsonl", few, 10)
        write(folder / "shared.jsonl", few, SHARED)
        small = screened(folder / "one.jsonl", folder, 1)
        large = screened(folder / "ten.jsonl", folder, 1).peak
        size = (folder / "shared.jsonl").stat().st_size / 1e6
        alone, both = [], []
        for _ in range(1 if quick else TURNS):  # in turns: what else runs disturbs both alike
            alone.append(screened(folder / "shared.jsonl", folder, 1))
            both.append(screened(folder / "shared.jsonl", folder, 2))
    one, two = (min(runs, key=lambda run: run.wall) for runs in (alone, both))
    print(f"memory {small.peak:.0f} MB, on ten times the text {large:.0f} MB")
    print(
        f"{size:.0f} MB, one worker: {one.wall:.1f} s, of the processor {one.own:.1f} s; "
        f"two: {two.wall:.1f} s, of the processor {two.own:.1f} s and {two.workers:.1f} s; "
        f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    )
    figures = [
        Figure("memory on ten times the text", large / small.peak, "times as much", most=1.3)
    ]
    if (os.cpu_count() or 1) > 1:
        figures.append(
            Figure(
                f"two workers against one, {size:.0f} MB",
                one.wall / two.wall,
                "times as fast",
                least=1.7,
            )
        )
    return figures


def labelled(folder: Path) -> Iterator[tuple[dict[str, str], str]]:
    """Each labelled passage with its text."""
    wanted: dict[tuple[str, str], list[dict[str, str]]] = defaultdict(list)
    with LABELS.open(encoding="utf-8", newline="") as stream:
        for row in csv.DictReader(stream):
            wanted[row["file"], row["article"]].append(row)
    for name, file in FILES.items():
        for chunk in chunks(folder / file):
            for article in filter(lambda one: isinstance(one, Article), articles_in(chunk)):
                for row in wanted.pop((name, article.id), ()):
                    text = article.text[int(row["start"]) : int(row["end"])]
                    if not hashlib.sha256(text.encode()).hexdigest().startswith(row["sha256"]):
                        raise SystemExit(f"article {article.id} is not the one that was labelled")
                    yield row, text
    if wanted:
        raise SystemExit(f"{len(wanted)} labelled articles are not in {folder}")


def rightness(folder: Path) -> list[Figure]:
    """Precision and recall of each rule, on each draw of passages."""
    settings = load_config("cmrc").languages["zh"]
    counts: Counter[tuple[str, str, bool, bool]] = Counter()
    for row, text in labelled(folder):
        reading = ScreenedText(text)
        for rule, checks in RULES.items():
            fires = any(
                CHECKS[name].measures["zh"](reading, settings[name]).verdict == "discard"
                for name in checks
            )
            counts[rule, row["half"], fires, rule in row["labels"].split()] += 1
    figures = []
    for rule in RULES:
        for draw in DRAWS:
            right, wrong = counts[rule, draw, True, True], counts[rule, draw, True, False]
            labels = right + counts[rule, draw, False, True]
            shares = {"precision": right / max(1, right + wrong), "recall": right / max(1, labels)}
            print(
                f"{rule}, {draw}: {labels} labelled, discards {right + wrong}, {right} of them "
                f"rightly; " + ", ".join(f"{name} {share:.2f}" for name, share in shares.items())
            )
            if right + wrong >= FIRES:
                figures += [
                    Figure(f"{rule}, {draw}, {name}", share, "", least=LEAST_RIGHT)
                    for name, share in shares.items()
                ]
    return figures


def measure(quick: bool = False, file: str | None = None) -> list[Figure]:
    """Every figure."""
    texts = invented(600 if quick else PASSAGES)
    figures = rates(texts, "invented text")
    if file is not None:
        real = [record.text for record in open_test(file).records()]
        figures += rates(real, Path(file).name)
    return figures + growth(quick) + templated(quick) + command_figures(texts, quick)


def main() -> int:
    """Print each figure; status 1 when one is not reached."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", help="a Chinese test file")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--labels", type=Path, metavar="FOLDER", help="measure rules by labels")
    options = parser.parse_args()
    if options.labels is not None:
        figures = rightness(options.labels)
    else:
        figures = measure(options.quick, options.file)
    for figure in figures:
        print(figure)
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    raise SystemExit(main())
