"""What a question on a long passage costs a reader or a mark, against one on a short passage.

Both tests have as many questions; one passage has 27,000 characters, the other 270. A reader that
reads its passage once per question, not once, takes a hundred times as long on the first. The
ratio is of processor seconds in one run, so that a busy machine counts little.

An answer that occurs in each of 460 sentences is the worst that humsent meets.

Run: python benchmarks/long_passage.py
"""

from __future__ import annotations

import json
import tempfile
import time
from pathlib import Path
from typing import Any

from figures import Figure

from readmark import mark, sit

QUESTIONS = 2_000
MARKED = 300
SENTENCE = "On day {} the old kiln at the river was fired before noon. "
READERS = ("lead", "longest_overlap", "bow")


def measure() -> list[Figure]:
    """Print the seconds of every reader; the ratios come back."""
    figures = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tests = {size: _test(folder, size) for size in (270, 27_000)}
        for reader in READERS:
            sit(tests[270], reader)  # what is loaded once counts for neither
            seconds = {}
            for size, test in tests.items():
                begun = time.process_time()
                sit(test, reader)
                seconds[size] = time.process_time() - begun
            rate = QUESTIONS / seconds[27_000]
            print(f"{reader}: {rate:,.0f} questions a second on 27,000 characters")
            ratio = seconds[27_000] / seconds[270]
            figures.append(Figure(f"{reader}, long against short passage", ratio, "times", most=10))
        begun = time.process_time()
        answers = {f"q{number}": SENTENCE.format(number).strip() for number in range(MARKED)}
        mark(_test(folder, 27_000, key="noon"), answers, metrics=["humsent"])
        seconds_of_marks = time.process_time() - begun
        figures.append(Figure("humsent, 300 answers", seconds_of_marks, "CPU s", most=4))
    for figure in figures:
        print(f"  {figure}")
    return figures


def _test(folder: Path, size: int, key: str = "") -> Path:
    """One passage of so many characters, with questions on its days; with a key, fewer of them."""
    days = size // len(SENTENCE) + 1
    text = "".join(SENTENCE.format(day) for day in range(days))[:size]
    questions: list[dict[str, Any]] = [
        {"id": f"q{number}", "text": f"What was fired on day {number % days}?"}
        for number in range(MARKED if key else QUESTIONS)
    ]
    if key:
        for question in questions:
            question["key"] = {"answers": [{"text": key}]}
    record = {"id": "p", "text": text, "questions": questions}
    path = folder / f"{size}.jsonl"
    path.write_text('{"readmark": 1, "language": "en"}\n' + json.dumps(record) + "\n", "utf-8")
    return path


if __name__ == "__main__":
    measure()
