"""Trains a shipped span reader from its encoder, step by step; a step that is done is not repeated.

    python benchmarks/span_data.py ../shared/data out/span
    python benchmarks/span_encoders.py out/span/wheels out/span
    python -m training.span.recipes zh out/span out/zh

Clozes of raw passages teach the encoder to read; a first reader sorts out questions that a network
asks of the same passages; four readers of those and of people's questions teach the last one. Steps
that stop by the clock give another reader each time. ``--pace 0.5`` gives every step half its time.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

from readmark.comprehension.span.optimisation import SpanPlan
from readmark.comprehension.span.training import SpanSettings, train_span
from readmark.core.test import Header, in_memory
from readmark.formats.registry import save_test
from training.span.clozes.articles import clozes_of, read_articles, records

BEGUN = time.monotonic()
SLICES = 12


@dataclass(frozen=True, slots=True)
class Recipe:
    """What a language's reader is made from; rates are those of its encoder."""

    encoder: str
    peoples: tuple[tuple[float, str], ...]
    first: str
    """The test that the asker learns what to ask for from."""
    length: int
    answer: int
    rate: float
    batch: int
    minutes: dict[str, float]
    asks: bool = True
    """Whether a network asks questions; else some of the clozes stand in for them."""


RECIPES = {
    "zh": Recipe(
        "roformer-sim-small",
        ((1.0, "cmrc_train.jsonl.gz"), (0.5, "drcd_dev.jsonl.gz"), (0.5, "drcd_subset.jsonl.gz")),
        "cmrc_train.jsonl.gz",
        512,
        100,
        3e-4,
        160,
        {"clozes": 4.2, "first": 0.9, "ask": 0.7, "write": 1.6, "asked": 2.6, "teach": 1.8}
        | {"learn": 3.4, "last": 1.2},
    ),
    "en": Recipe(
        "minilm-l12",
        ((1.0, "qed.jsonl.gz"), (0.7, "fairytaleqa.jsonl.gz"), (0.5, "policyqa.jsonl.gz")),
        "qed.jsonl.gz",
        384,
        32,
        2e-4,
        128,
        {"clozes": 5.0, "teach": 2.2, "learn": 4.0, "last": 1.2},
        asks=False,
    ),
}


def log(message: str) -> None:
    print(f"{time.monotonic() - BEGUN:.0f} s: {message}", flush=True)


class RecipeRun:
    """A recipe with its folders, and the way to make one step of it."""

    def __init__(self, language: str, data: Path, out: Path, pace: float) -> None:
        self.language, self.recipe = language, RECIPES[language]
        self.data, self.out, self.pace = data, out, pace
        out.mkdir(parents=True, exist_ok=True)

    def peoples(self) -> list[tuple[float, str]]:
        return [(weight, str(self.data / name)) for weight, name in self.recipe.peoples]

    def train(
        self,
        name: str,
        tests: Sequence[str],
        encoder: Path,
        minutes: float,
        *,
        rate: float,
        batch: int,
        seed: int,
        epochs: int = 40,
        average: float = 0.998,
        dropout: float = 0.1,
        masked: float = 0.0,
        also: Sequence[tuple[float, str]] = (),
        teachers: Sequence[Path] = (),
        distil: float = 0.8,
    ) -> Path:
        """A step: a network trained on tests, in a folder of its name."""
        folder = self.out / name
        if (folder / "training.json").is_file():
            return folder
        recipe = self.recipe
        plan = SpanPlan(
            rate=rate,
            batch=batch,
            epochs=epochs,
            minutes=minutes * self.pace,
            average=average,
            seed=seed,
            distil=distil,
        )
        settings = SpanSettings(
            plan=plan,
            language=self.language,
            length=recipe.length,
            answer=recipe.answer,
            dropout=dropout,
            masked=masked,
            teachers=[str(one) for one in teachers],
            export=False,
        )
        train_span(
            tests,
            folder,
            encoder=str(encoder),
            also=also,
            settings=settings,
            progress=lambda said: log(f"{name}: {said}"),
        )
        log(f"{name}: done")
        return folder

    # The steps.

    def clozes(self) -> Path:
        """The encoder after clozes and hidden words of raw passages."""
        passages = self.data / f"{self.language}.passages.xz"
        files = [self.out / f"clozes.{number}.jsonl" for number in range(SLICES)]
        with ProcessPoolExecutor(SLICES) as pool:
            made = [
                pool.submit(make_clozes, passages, file, self.language, number)
                for number, file in enumerate(files)
                if not file.is_file()
            ]
            for one in made:
                one.result()
        log(f"{SLICES} files of clozes")
        return self.train(
            "read",
            [str(file) for file in files],
            self.data / self.recipe.encoder,
            self.recipe.minutes["clozes"],
            rate=1.5 * self.recipe.rate,
            batch=2 * self.recipe.batch,
            seed=1,
            epochs=3,
            average=0.999,
            dropout=0.0,
            masked=0.15,
        )

    def reader(self, name: str, encoder: Path, minutes: float, seed: int) -> Path:
        """A reader of people's questions."""
        (_, main), *also = self.peoples()
        rate = 0.5 * self.recipe.rate
        return self.train(
            name, [main], encoder, minutes, rate=rate, batch=48, seed=seed, epochs=7, also=also
        )

    def asked(self, reader: Path) -> Path:
        """Questions that a network asks of the raw passages, and the reader can answer."""
        out = self.out / "asked.jsonl"
        if out.is_file():
            return out
        recipe, minutes = self.recipe, self.recipe.minutes
        command = [sys.executable, "benchmarks/span_asking.py"]
        command += [str(self.data / f"{self.language}.passages.xz"), str(out)]
        command += ["--encoder", str(self.data / recipe.encoder), "--reader", str(reader)]
        command += ["--from", str(self.data / recipe.first), "--language", self.language]
        others = [str(self.data / name) for _, name in recipe.peoples if name != recipe.first]
        command += ["--also", *others, "--each", "3"]
        command += ["--minutes", str(minutes["ask"] * self.pace)]
        command += ["--more", str(minutes["write"] * self.pace)]
        subprocess.run(command, check=True)
        log("asked: done")
        return out

    def all(self) -> Path:
        """Every step; the folder of the last."""
        minutes, rate = self.recipe.minutes, self.recipe.rate
        (_, main), *also = self.peoples()
        learnt = self.out / "read"
        if self.recipe.asks:
            with ThreadPoolExecutor(2) as both:
                list(both.map(self._apart, ("clozes", "asked")))
            questions = [str(self.out / "asked.jsonl"), main]
            learnt = self.train(
                "asked",
                questions,
                learnt,
                minutes["asked"],
                rate=rate,
                batch=self.recipe.batch,
                seed=3,
                epochs=4,
                also=also,
            )
        else:
            self._apart("clozes")
            questions = [*(str(self.out / f"clozes.{number}.jsonl") for number in range(4)), main]
        with ThreadPoolExecutor(4) as four:
            list(four.map(lambda number: self._apart(f"teacher{number}"), range(1, 5)))
        teachers = [self.out / f"teacher{number}" for number in range(1, 5)]
        pupil = self.train(
            "pupil",
            questions,
            learnt,
            minutes["learn"],
            rate=rate,
            batch=self.recipe.batch,
            seed=5,
            epochs=6,
            also=also,
            teachers=teachers,
            distil=0.85,
        )
        return self.train(
            "last",
            [main],
            pupil,
            minutes["last"],
            rate=0.4 * rate,
            batch=48,
            seed=8,
            epochs=10,
            also=also,
            teachers=teachers,
            distil=0.7,
        )

    def _apart(self, step: str) -> None:
        """A step in a process of its own, next to others."""
        command = [sys.executable, "-m", "training.span.recipes", self.language]
        command += [str(self.data), str(self.out), "--pace", str(self.pace), "--step", step]
        subprocess.run(command, check=True)

    def one(self, step: str) -> None:
        """A step that another process waits for."""
        minutes = self.recipe.minutes
        if step == "clozes":
            self.clozes()
        elif step == "asked":
            encoder = self.data / self.recipe.encoder
            self.asked(self.reader("first", encoder, minutes["first"], 7))
        else:
            number = int(step.removeprefix("teacher"))
            encoder = self.out / ("asked" if self.recipe.asks else "read")
            self.reader(step, encoder, minutes["teach"], 20 + number)


def make_clozes(passages: Path, out: Path, language: str, number: int) -> None:
    """Every twelfth passage's clozes as a test."""
    draw = Random(number)
    made = (
        cloze
        for article in read_articles(passages)[number::SLICES]
        for cloze in clozes_of(article, language, draw, 5)
    )
    part = out.with_suffix(".part.jsonl")
    save_test(in_memory(Header(name="clozes", language=language), list(records(made))), part)
    part.rename(out)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("language", choices=tuple(RECIPES))
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--pace", type=float, default=1.0, help="of every step's minutes")
    parser.add_argument("--step", help="one step alone")
    given = parser.parse_args()
    run = RecipeRun(given.language, given.data, given.out, given.pace)
    if given.step:
        run.one(given.step)
    else:
        log(f"{run.all()}: done")


if __name__ == "__main__":
    main()
