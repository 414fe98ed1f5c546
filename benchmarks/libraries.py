"""What libraries would cost in place of code of our own: CPU time, memory, other results.

    pip install --only-binary :all: conllu==6.0.0 json-repair==0.64.4 datasketch==2.0.0 ijson==3.6.0
    python benchmarks/libraries.py [conllu|json_repair|datasketch|ijson]...

Ours and the library's work in turns on the same invented input; the least of the rounds counts. A
library that is not installed is passed over. ``libraries.md`` has the figures and the decisions.
"""

from __future__ import annotations

import io
import json
import random
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from readmark.core.large_json import LargeArray, read_large
from readmark.core.problems import fail
from readmark.formats.conllu.blocks import blocks
from readmark.text.answers.loose_json import loose_objects
from readmark.text.near_duplicates import near_duplicates

ROUNDS = 3
_SYLLABLES = ("ka", "lo", "mer", "vin", "tas", "dor", "eli", "han", "bru", "sto", "wen", "gar")


def main() -> None:
    """Each library that is asked for and installed."""
    for name in sys.argv[1:] or [*RACES]:
        try:
            RACES[name]()
        except ImportError as error:
            print(f"{name}: {error}")


def race_conllu() -> None:
    """Sentences of 20 words, only cut into rows, which is all that the library does."""
    from conllu import parse_incr

    draw = random.Random(1)
    text = "".join(
        "".join(
            f"{number}\t{word}\t{word}\tNOUN\tNN\t_\t{number - 1}\tdep\t_\tSpaceAfter=No\n"
            for number, word in enumerate(words(draw, 20), 1)
        )
        + "\n"
        for _ in range(3_000)
    )
    compare(
        "conllu, 3,000 sentences of 20 words",
        lambda: sum(len(block.words) for block in blocks(text, "", fail)),
        lambda: sum(map(len, parse_incr(io.StringIO(text)))),
    )


def race_json_repair() -> None:
    """Replies with an object among words, a quarter of them broken; then one that is hostile."""
    from json_repair import loads

    draw = random.Random(1)
    replies = []
    for index in range(2_000):
        answer = json.dumps({"answer": " ".join(words(draw, 8)), "confidence": draw.random()})
        replies.append(f"So: {answer if index % 4 else answer[:-9]}")

    def members(reply: str) -> Any:
        return [found.members.get("answer") for found in loose_objects(reply)]

    def repaired(reply: str) -> Any:
        value = loads(reply, skip_json_loads=True)
        listed = value if isinstance(value, list) else [value]
        return [one.get("answer") for one in listed if isinstance(one, dict)]

    compare(
        "json-repair, 2,000 replies",
        lambda: [members(reply) for reply in replies],
        lambda: [repaired(reply) for reply in replies],
    )
    for name, hostile in (
        ("quotes without an end", '{"a": "' + '"b ' * 2_000),
        ("open braces", '{"a":' * 2_000),
    ):
        compare(
            f"json-repair, {len(hostile):,} characters of {name}",
            lambda hostile=hostile: members(hostile),
            lambda hostile=hostile: repaired(hostile),
            rounds=1,
        )


def race_datasketch() -> None:
    """Texts of 600 characters, a tenth of them nearly another; both find pairs."""
    from datasketch import MinHash, MinHashLSH

    from readmark.text.shingles import resemblance, shingles

    draw = random.Random(1)
    texts: list[str] = []
    for index in range(1_500):
        some = words(draw, 100)
        if index % 10 == 9:
            some = texts[-1].split()
            some[draw.randrange(len(some))] = "changed"
        texts.append(" ".join(some))

    def listed() -> Iterator[tuple[int, str]]:
        yield from enumerate(texts)

    def by_datasketch() -> set[tuple[int, int]]:
        index = MinHashLSH(threshold=0.8, num_perm=128, weights=(0.02, 0.98))
        sets, pairs = [], set()
        for number, text in enumerate(texts):
            one = shingles(text)
            sketch = MinHash(num_perm=128, seed=1)
            sketch.update_batch([shingle.encode() for shingle in one])
            pairs |= {
                (int(other), number)
                for other in index.query(sketch)
                if resemblance(sets[int(other)], one) >= 0.8
            }
            index.insert(number, sketch)
            sets.append(one)
        return pairs

    compare(
        "datasketch, 1,500 texts of 600 characters",
        lambda: {(pair.first, pair.second) for pair in near_duplicates(listed)},
        by_datasketch,
        with_memory=True,
    )


def race_ijson() -> None:
    """A SQuAD document of 48 MB, paragraph by paragraph."""
    import ijson

    draw = random.Random(1)
    paragraph = {
        "context": " ".join(words(draw, 120)),
        "qas": [
            {"id": "q", "question": "What?", "answers": [{"text": "ka", "answer_start": 7}]}
            for _ in range(4)
        ],
    }
    article = {"title": "t", "paragraphs": [paragraph] * 40}
    count = (48 << 20) // len(json.dumps(article))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.json"
        path.write_text(json.dumps({"version": "1", "data": [article] * count}), "utf-8")

        def ours() -> int:
            document = read_large(path, ("data", "[]", "paragraphs", "[]"))
            assert isinstance(document["data"], LargeArray)
            return sum(len(one["paragraphs"]) for one in document["data"])

        def theirs() -> int:
            with path.open("rb") as stream:
                items = ijson.items(stream, "data.item.paragraphs.item", use_float=True)
                return sum(1 for _ in items)

        compare(f"ijson ({ijson.backend}), 48 MB", ours, theirs, with_memory=True)


def words(draw: random.Random, count: int) -> list[str]:
    """Invented words."""
    return ["".join(draw.choices(_SYLLABLES, k=draw.randint(1, 4))) for _ in range(count)]


def compare(
    name: str,
    ours: Callable[[], Any],
    theirs: Callable[[], Any],
    *,
    rounds: int = ROUNDS,
    with_memory: bool = False,
) -> None:
    """Print the library's time over ours, and whether both found the same."""
    seconds: dict[str, list[float]] = {"ours": [], "theirs": []}
    found: dict[str, Any] = {}
    for _ in range(rounds):
        for side, work in (("ours", ours), ("theirs", theirs)):
            began = time.process_time()
            try:
                found[side] = work()
            except (RecursionError, ValueError) as error:
                found[side] = type(error).__name__
            seconds[side].append(time.process_time() - began)
    own, other = min(seconds["ours"]), min(seconds["theirs"])
    same = "the same" if found["ours"] == found["theirs"] else "not the same"
    line = f"{name}: {own:.2f} s to {other:.2f} s, {other / max(own, 1e-9):.1f} times; {same}"
    if with_memory:
        own, other = peak(ours), peak(theirs)
        line += f"; {own:.0f} MB to {other:.0f} MB"
    print(line)


def peak(work: Callable[[], Any]) -> float:
    """The most that Python held meanwhile."""
    tracemalloc.start()
    work()
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most / 2**20


RACES = {
    "conllu": race_conllu,
    "json_repair": race_json_repair,
    "datasketch": race_datasketch,
    "ijson": race_ijson,
}


if __name__ == "__main__":
    main()
