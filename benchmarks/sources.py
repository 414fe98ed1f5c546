"""What making passages costs: cleaning and cutting, script conversion, workers, and memory.

Rates are of plain text in UTF-8, on one core, from pieces that are already in memory, by processor
time; with the character rules of `set screen` and without. Workers are measured from file to file,
starting them included; memory is the peak of `readmark set text` in processes of their own, at one
size and at ten times that.

Run: python benchmarks/sources.py [--quick] [--wiki FILE]
"""

from __future__ import annotations

import argparse
import bz2
import itertools
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
from figures import Figure

from readmark.making.screening.checks import CHECKS
from readmark.making.screening.config import load_config
from readmark.making.screening.examination import BATCH, examine
from readmark.making.sources.articles import Chunk
from readmark.making.sources.build import TextSettings, build
from readmark.making.sources.passages import CuttingPlan, make
from readmark.making.sources.recipes import recipe
from readmark.making.sources.shapes import chunks

ROUNDS = 5
MEGABYTES = 6
LEAST_RATE, LEAST_GAIN, MOST_GROWTH = 20.0, 1.7, 1.15
PAGES, SHARED_PAGES = 300, 5_000
"""Of the dumps that memory is measured on, and of the one that workers share."""

_CLAUSES = (
    "河邊的老風車在村子的東頭",
    "孩子们常常在那里玩到天黑才回家",
    "它是一位木匠在三十岁那年建造的",
    "木匠的名字叫林守田（，生于河西）",
    "每年秋天人們都把穀子送到這裡",
    "后来镇上修了新的磨坊（）",
    "2011年的春天又有人把它修好了",
    "The Old Mill是它的英文名字",
    "如今那里是一座小小的-{zh-hans:博物馆;zh-hant:博物館}-",
)


def paragraph(random_: random.Random) -> str:
    """A paragraph of own words, about as long as Wikipedia's."""
    sentences = (
        "，".join(random_.choices(_CLAUSES, k=random_.randint(2, 5))) + "。"
        for _ in range(random_.randint(1, 5))
    )
    return "".join(sentences)


def articles(size: int, seed: int = 1) -> Iterator[tuple[int, str, list[str]]]:
    """Articles up to a number of bytes: a number, a title, paragraphs."""
    random_ = random.Random(seed)
    made = number = 0
    while made < size:
        number += 1
        found = [paragraph(random_) for _ in range(random_.randint(2, 30))]
        made += sum(len(one.encode()) for one in found)
        yield number, f"風車{number}", found


def write_documents(path: Path, size: int) -> None:
    """WikiExtractor's output of that size."""
    with path.open("w", encoding="utf-8") as stream:
        for number, title, found in articles(size):
            head = f'<doc id="{number}" url="https://a.example/{number}" title="{title}">'
            stream.write("\n\n".join([f"{head}\n{title}", *found]) + "\n\n</doc>\n")


def write_dump(path: Path, pages: int) -> int:
    """Write a packed dump of some pages; return its bytes of XML."""
    size = 0
    with bz2.open(path, "wb") as stream:
        size += stream.write(b'<mediawiki xml:lang="zh">\n')
        for number, title, found in itertools.islice(articles(1 << 40), pages):
            marked = (f"'''{title}'''是[[河|小河]]边的{{{{注|{title}}}}}{one}" for one in found)
            text = "\n\n".join(marked)
            page = (
                f"<page><title>{title}</title><ns>0</ns><id>{number}</id><revision>"
                f"<id>{number}</id><text>{text}</text></revision></page>\n"
            )
            size += stream.write(page.encode())
        size += stream.write(b"</mediawiki>\n")
    return size


def rate(pieces: list[Chunk], plan: CuttingPlan, *, screened: bool = False) -> float:
    """Megabytes a second on one core, the best of some rounds; with the character rules or not."""
    settings = load_config().languages["zh"]
    rules = {name: one for name, one in settings.items() if CHECKS[name].characters_only}
    size = sum(piece.size for piece in pieces) / 1e6
    best = 0.0
    for _ in range(ROUNDS):
        spent = 0.0
        for piece in pieces:
            begun = time.process_time()
            made = make(plan, piece)
            spent += time.process_time() - begun
            if not screened:
                continue
            lines = [line for outcome in made.outcomes for line in outcome.lines.splitlines()]
            texts = [("zh", msgspec.json.decode(line)["text"]) for line in lines]
            begun = time.process_time()  # reading the lines is no part of either
            for at in range(0, len(texts), BATCH):
                examine({"zh": rules}, None, texts[at : at + BATCH])
            spent += time.process_time() - begun
        best = max(best, size / spent)
    return best


def rates(path: Path, label: str) -> list[Figure]:
    """How fast each recipe is; only what counts characters has a bound."""
    pieces = list(chunks(path))
    figures = []
    for name, unit, script, bound in (
        ("smart", "characters", "keep", True),
        ("cmrc", "characters", "keep", True),
        ("cmrc", "words", "keep", False),
        ("smart", "characters", "simplified", False),
    ):
        found = rate(pieces, CuttingPlan(recipe(name, "zh", unit=unit), "zh", script))
        print(f"  {label}: {name} by {unit}, script {script}: {found:.1f} MB/s", flush=True)
        if bound:
            figure = f"cleaning and cutting, {name} by {unit}, {label}"
            figures.append(Figure(figure, found, "MB/s", least=LEAST_RATE))
            both = rate(
                pieces, CuttingPlan(recipe(name, "zh", unit=unit), "zh", script), screened=True
            )
            figure = f"the same with the character rules, {name} by {unit}, {label}"
            figures.append(Figure(figure, both, "MB/s", least=LEAST_RATE))
    return figures


def gain(path: Path, label: str, wanted: str) -> Figure:
    """How many times as fast two workers are as one, from file to file."""
    best = 0.0
    for _ in range(3):
        seconds, used = [], []
        for workers in (1, 2):
            begun, before = time.perf_counter(), _processor()
            options = TextSettings(recipe=wanted, workers=workers)
            build([str(path)], str(path.with_suffix(".out.jsonl")), options)
            seconds.append(time.perf_counter() - begun)
            used.append([now - then for now, then in zip(_processor(), before, strict=True)])
        best = max(best, seconds[0] / seconds[1])
        print(
            f"  {label}: one {seconds[0]:.2f} s, two {seconds[1]:.2f} s: "
            f"{seconds[0] / seconds[1]:.2f} times (load {os.getloadavg()[0]:.1f}); of the "
            f"processor {used[0][0]:.2f} s, and {used[1][0]:.2f} s + {used[1][1]:.2f} s by workers",
            flush=True,
        )
    return Figure(f"two workers against one, {label}", best, "times", least=LEAST_GAIN)


def _processor() -> tuple[float, float]:
    """Seconds of this process, and of its workers that have ended."""
    own, others = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime


def peak(source: Path, output: Path) -> int:
    """The most memory that the command had, in bytes; wait4 reports this child alone."""
    command = [sys.executable, "-m", "readmark", "set", "text", str(source), "-o", str(output)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"readmark ended with status {child.returncode}")
    return usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)


def memory(folder: Path, *, quick: bool) -> list[Figure]:
    """Peak memory at ten times the size against that at one."""
    figures = []
    sizes = [("wikiextractor", MEGABYTES * 10**6, write_documents)]
    if not quick:
        sizes.append(("dump", PAGES, write_dump))
    for label, size, write in sizes:
        peaks = []
        for times in (1, 10):
            source = folder / f"{label}-{times}{'.xml.bz2' if label == 'dump' else '.txt'}"
            write(source, size * times)
            peaks.append(peak(source, folder / "out.jsonl"))
            source.unlink()
        print(
            f"  {label}: {peaks[0] / 1e6:.1f} MB, at ten times {peaks[1] / 1e6:.1f} MB", flush=True
        )
        name = f"memory at 10 times the size, {label}"
        figures.append(Figure(name, peaks[1] / peaks[0], "times", most=MOST_GROWTH))
    return figures


def measure(*, quick: bool = False, wiki: Path | None = None) -> list[Figure]:
    """Print what was measured; the figures that are wanted come back."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        # First, while this process is small: what it holds would count as its child's memory.
        print("readmark set text, peak memory:")
        grown = memory(folder, quick=quick)
        documents, dump = folder / "documents.txt", folder / "dump.xml.bz2"
        write_documents(documents, MEGABYTES * 10**6)
        print(f"one core, {MEGABYTES} MB, the best of {ROUNDS}:")
        figures = rates(documents, "own text")
        if wiki is not None:
            figures += rates(wiki, wiki.name)
        print("two workers:")
        size = write_dump(dump, SHARED_PAGES)
        print(f"  the dump is {size / 1e6:.1f} MB of XML")
        figures.append(gain(dump, f"dump of {SHARED_PAGES:,} pages", "smart"))
        figures += grown
    print(*(f"  {figure}" for figure in figures), sep="\n")
    return figures


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="leave the memory of dumps out")
    parser.add_argument("--wiki", type=Path, help="WikiExtractor's output, measured as well")
    given = parser.parse_args()
    wanted = measure(quick=given.quick, wiki=given.wiki)
    raise SystemExit(0 if all(figure.ok for figure in wanted) else 1)
