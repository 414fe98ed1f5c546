"""Trains a shipped span reader from its encoder, step by step; a step that is done is not repeated.

    python benchmarks/span_data.py ../shared/data out/span
    python benchmarks/span_encoders.py out/span/wheels out/span
    python -m training.span.recipes zh out/span out/zh --model MODEL.gguf --model-tokenizer JSON

Clozes of raw passages teach the encoder to read; a first reader sorts out questions that a language
model asks of the same passages (a small network without ``--model``); readers of those and of
people's questions teach the pupil, which may read one test more at the end. A twentieth of all
passages is held out, to choose by. Steps that stop by the clock give another reader each time.
``--pace 0.5`` gives every step half its time.
"""

from __future__ import annotations

import argparse
import hashlib
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
from readmark.formats.registry import open_test, save_test
from training.span.clozes.articles import clozes_of, read_articles, records

BEGUN = time.monotonic()
SLICES = 12
PROCESSES = 8
HELD = 0.05
"""Share of passages that no step learns from."""


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
    clozes_rate: float
    last: tuple[tuple[float, str], ...]
    """What the last step learns from; none where the pupil is the last."""
    minutes: dict[str, float]


_CHINESE = ((1.0, "cmrc_train.jsonl.gz"), (0.5, "drcd_dev.jsonl.gz"), (0.5, "drcd_subset.jsonl.gz"))
_ENGLISH = ((1.0, "qed.jsonl.gz"), (0.7, "fairytaleqa.jsonl.gz"), (0.5, "policyqa.jsonl.gz"))
RECIPES = {
    "zh": Recipe(
        "roformer-sim-small",
        _CHINESE,
        "cmrc_train.jsonl.gz",
        512,
        100,
        3e-4,
        160,
        4.5e-4,
        _CHINESE[:1],
        {"clozes": 4.0, "first": 0.8, "ask": 0.7, "write": 5.0, "teach": 2.5}
        | {"learn": 3.4, "last": 1.2},
    ),
    "en": Recipe(
        "minilm-l12",
        _ENGLISH,
        "qed.jsonl.gz",
        384,
        32,
        1.5e-4,
        128,
        1e-4,
        (),
        {"clozes": 2.6, "first": 1.0, "ask": 0.5, "write": 4.7, "teach": 1.7, "learn": 1.9},
    ),
}
TEACHERS = 3


def log(message: str) -> None:
    print(f"{time.monotonic() - BEGUN:.0f} s: {message}", flush=True)


class RecipeRun:
    """A recipe with its folders, and the way to make one step of it."""

    def __init__(
        self,
        language: str,
        data: Path,
        out: Path,
        pace: float,
        model: Path | None = None,
        model_tokenizer: Path | None = None,
    ) -> None:
        self.language, self.recipe = language, RECIPES[language]
        self.data, self.out, self.pace = data, out, pace
        self.model, self.model_tokenizer = model, model_tokenizer
        for folder in (out, out / "people", out / "held"):
            folder.mkdir(parents=True, exist_ok=True)

    def weighted(self, names: Sequence[tuple[float, str]]) -> list[tuple[float, str]]:
        """Tests of people's questions, without what is held out."""
        return [(weight, str(self.out / "people" / name)) for weight, name in names]

    def peoples(self) -> list[tuple[float, str]]:
        return self.weighted(self.recipe.peoples)

    def hold_out(self) -> None:
        """Divide the tests of people's questions."""
        for _, name in self.recipe.peoples:
            if not (self.out / "people" / name).is_file():
                divide(self.data / name, self.out / "people" / name, self.out / "held" / name)

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
            processes=PROCESSES,
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
            rate=self.recipe.clozes_rate,
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

    def asked(self) -> Path:
        """Questions asked of the raw passages that the first reader can answer."""
        out = self.out / "asked.jsonl"
        if out.is_file():
            return out
        recipe, minutes = self.recipe, self.recipe.minutes
        whole = self.out / "asked.whole.jsonl"
        command = [sys.executable, "benchmarks/span_asking.py"]
        command += [str(self.data / f"{self.language}.passages.xz"), str(whole)]
        command += ["--encoder", str(self.data / recipe.encoder)]
        command += ["--reader", str(self.out / "first"), "--language", self.language]
        command += ["--from", str(self.out / "people" / recipe.first)]
        others = [name for _, name in recipe.peoples if name != recipe.first]
        command += ["--also", *(str(self.out / "people" / name) for name in others)]
        command += ["--minutes", str(minutes["ask"] * self.pace)]
        command += ["--more", str(minutes["write"] * self.pace)]
        if self.model:
            command += ["--model", str(self.model), "--model-tokenizer", str(self.model_tokenizer)]
        subprocess.run(command, check=True)
        divide(whole, out, self.out / "held" / "asked.jsonl")
        log("asked: done")
        return out

    def all(self) -> Path:
        """Every step; the folder of the last."""
        minutes, rate = self.recipe.minutes, self.recipe.rate
        self.hold_out()
        (_, main), *also = self.peoples()
        with ThreadPoolExecutor(2) as both:
            list(both.map(self._apart, ("first", "asked")))
        with ThreadPoolExecutor(TEACHERS) as pool:
            list(pool.map(lambda number: self._apart(f"teacher{number}"), range(TEACHERS)))
        teachers = [self.out / f"teacher{number}" for number in range(TEACHERS)]
        clozes = [str(self.out / f"clozes.{number}.jsonl") for number in range(2)]
        pupil = self.train(
            "pupil",
            [str(self.out / "asked.jsonl"), main, *clozes],
            teachers[0],
            minutes["learn"],
            rate=rate,
            batch=self.recipe.batch,
            seed=5,
            epochs=6,
            also=also,
            teachers=teachers,
            distil=0.85,
        )
        if not self.recipe.last:
            return pupil
        (_, last), *others = self.weighted(self.recipe.last)
        return self.train(
            "last",
            [last],
            pupil,
            minutes["last"],
            rate=0.4 * rate,
            batch=48,
            seed=8,
            epochs=10,
            also=others,
            teachers=teachers,
            distil=0.7,
        )

    def teacher(self, number: int) -> Path:
        """A reader of asked and of people's questions."""
        (_, main), *also = self.peoples()
        return self.train(
            f"teacher{number}",
            [str(self.out / "asked.jsonl"), main],
            self.out / "read",
            self.recipe.minutes["teach"],
            rate=self.recipe.rate,
            batch=96,
            seed=20 + number,
            epochs=5,
            also=also,
        )

    def _apart(self, step: str) -> None:
        """A step in a process of its own, next to others."""
        command = [sys.executable, "-m", "training.span.recipes", self.language]
        command += [str(self.data), str(self.out), "--pace", str(self.pace), "--step", step]
        if self.model:
            command += ["--model", str(self.model), "--model-tokenizer", str(self.model_tokenizer)]
        subprocess.run(command, check=True)

    def one(self, step: str) -> None:
        """A step that another process waits for."""
        minutes = self.recipe.minutes
        if step == "hold_out":
            self.hold_out()
        elif step == "first":
            self.reader("first", self.clozes(), minutes["first"], 7)
        elif step == "asked":
            self.asked()
        else:
            self.teacher(int(step.removeprefix("teacher")))


def divide(source: Path, rest: Path, held: Path) -> None:
    """A test's passages without and with those that are held out, drawn by their texts."""
    test = open_test(source)
    records = list(test.records())
    out = [record for record in records if _share(record.text) < HELD]
    save_test(in_memory(test.header, out), held)
    part = rest.with_name(f"part.{rest.name}")
    kept = [record for record in records if _share(record.text) >= HELD]
    save_test(in_memory(test.header, kept), part)
    part.rename(rest)


def _share(text: str) -> float:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4]) / 2**32


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
    parser.add_argument("--model", type=Path, help="language model in GGUF that asks questions")
    parser.add_argument("--model-tokenizer", type=Path, help="its tokenizer.json")
    given = parser.parse_args()
    run = RecipeRun(
        given.language, given.data, given.out, given.pace, given.model, given.model_tokenizer
    )
    if given.step:
        run.one(given.step)
    else:
        log(f"{run.all()}: done")


if __name__ == "__main__":
    main()
