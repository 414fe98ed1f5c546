"""Trains a shipped span reader from its encoder, step by step; a step that is done is not repeated.

    python benchmarks/span_data.py ../shared/data out/span
    python benchmarks/span_encoders.py out/span/wheels out/span
    python -m training.span.recipes zh out/span out/zh --model MODEL.gguf --model-tokenizer JSON

Clozes of raw passages teach the encoder to read. A language model asks questions of the same
passages (a small network without ``--model``), a first reader sorts them out, and three readers
of the pupil's size teach it. In Chinese the language model does more: it learns to read from
people's questions, sorts out those that it and the small network asked, and teaches pupils that
differ by their seeds. The mean of their weights is the reader. ``--begin FOLDER`` has the pupils go
on from an earlier reader, as those of the reader that ships did.

A twentieth of all passages is held out, to choose by. Steps that stop by the clock give another
reader each time. ``--pace 0.5`` gives every step half its time.
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
from typing import Any

from readmark.comprehension.span.batches import batch, batches, to_device
from readmark.comprehension.span.epoch_marks import marked
from readmark.comprehension.span.lessons import pack, pack_apart, sample_windows
from readmark.comprehension.span.network import (
    copy_tokenizer,
    load_network,
    save_network,
    torch_scorer,
)
from readmark.comprehension.span.onnx.export import export
from readmark.comprehension.span.optimisation import learn, span_loss
from readmark.comprehension.span.settings import SpanPlan, SpanSettings
from readmark.comprehension.span.shape import SpanShape, read_shape, write_shape
from readmark.comprehension.span.tokens import TOKENS_FILE, load_tokenizer
from readmark.comprehension.span.training import SHOWN, train_span
from readmark.core.test import Header, in_memory
from readmark.formats.registry import open_test, save_test
from training.span.clozes.articles import clozes_of, read_articles, records
from training.span.language_model import CachedTeacher, Translator, load_model, make_reader
from training.span.questions import cloze_of, lessons_of, recovered

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
    minutes: dict[str, float]
    judged: bool = False
    """Whether the language model also sorts out the asked questions and teaches."""


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
        1.5e-4,
        {"clozes": 2.0, "first": 0.8, "ask": 0.5, "write": 2.2, "teach": 2.5}
        | {"learn": 6.0, "model": 7.5, "model writes": 4.0},
        judged=True,
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
        {"clozes": 2.6, "first": 1.0, "ask": 0.5, "write": 4.7, "teach": 1.7, "learn": 1.9},
    ),
}
TEACHERS = 3
"""Readers of the pupil's size that teach it where no language model does."""
PUPILS = 3
"""Pupils of the language model; the mean of their weights is the reader."""
ASKED = ("model", "network")
"""Who asks questions."""
SCORES = "scores.npz"
LEAST = 0.4
"""F1 in tokens of what the language model finds for an asked question that is kept."""
FEWER = 10_000
"""Passages that the small network asks questions of, where the language model asks as well."""
MODEL_RATE = 1.5e-5


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
        begin: Path | None = None,
    ) -> None:
        self.language, self.recipe = language, RECIPES[language]
        self.data, self.out, self.pace = data, out, pace
        self.model, self.model_tokenizer, self.begin = model, model_tokenizer, begin
        self.judges = model is not None and self.recipe.judged
        for folder in (out, out / "people", out / "held"):
            folder.mkdir(parents=True, exist_ok=True)

    def peoples(self) -> list[tuple[float, str]]:
        """Tests of people's questions, without what is held out."""
        folder = self.out / "people"
        return [(weight, str(folder / name)) for weight, name in self.recipe.peoples]

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
        teachers: Sequence[Any] = (),
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
            teachers=teachers,
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

    def asked(self, *, model: bool) -> Path:
        """Questions asked of the raw passages, by the language model or by a small network.

        Where the model does not sort them out later, those that the first reader can answer.
        """
        name = "asked.model" if model else "asked.network"
        out = self.out / f"{name}.jsonl"
        if out.is_file():
            return out
        recipe, minutes = self.recipe, self.recipe.minutes
        part = self.out / f"{name}.part.jsonl"
        command = [sys.executable, "benchmarks/span_asking.py"]
        command += [str(self.data / f"{self.language}.passages.xz"), str(part)]
        command += ["--encoder", str(self.data / recipe.encoder), "--language", self.language]
        command += ["--from", str(self.out / "people" / recipe.first)]
        others = [name for _, name in recipe.peoples if name != recipe.first]
        command += ["--also", *(str(self.out / "people" / name) for name in others)]
        command += ["--minutes", str(minutes["ask"] * self.pace)]
        more = minutes.get("model writes", minutes["write"]) if model else minutes["write"]
        command += ["--more", str(more * self.pace)]
        if model:
            command += ["--model", str(self.model), "--model-tokenizer", str(self.model_tokenizer)]
        elif self.judges:
            command += ["--limit", str(FEWER), "--seed", "2"]
        if not self.judges:
            command += ["--reader", str(self.out / "first")]
        subprocess.run(command, check=True)
        part.rename(out)
        log(f"{name}: done")
        return out

    def all(self) -> Path:
        """Every step; the folder of the last."""
        self.hold_out()
        if self.judges:
            self._together("plain", "first", "asked.model", "asked.network", "judged")
            return self.taught_by_model()
        name = "asked.model" if self.model else "asked.network"
        self._together("first", name)
        divide(self.out / f"{name}.jsonl", self.out / "asked.jsonl", self._held("asked.jsonl"))
        self._together(*(f"teacher{number}" for number in range(TEACHERS)))
        teachers: list[Any] = [str(self.out / f"teacher{number}") for number in range(TEACHERS)]
        asked = ["asked.jsonl", "clozes.0.jsonl", "clozes.1.jsonl"]
        tests = [str(self.out / test) for test in asked]
        return self.pupil("pupil", 5, Path(teachers[0]), tests, teachers, epochs=6)

    def taught_by_model(self) -> Path:
        """The mean of the language model's pupils, in 8 bits as well."""
        if self.begin is None:  # clozes may also make an encoder forget
            begun = {"plain": self.data / self.recipe.encoder, "first": self.out / "read"}
            self.begin = begun[max(begun, key=lambda name: self.look(self.out / name))]
        log(f"the pupils begin at {self.begin}")
        names = [f"pupil{number}" for number in range(PUPILS)]
        self._together(*names)
        folder = self.mean([self.out / name for name in names])
        self.look(folder)
        return folder

    def scores(self) -> CachedTeacher:
        """What the language model thinks of every window."""
        return CachedTeacher().load(self.out / SCORES)

    def kept(self, source: str) -> str:
        """The questions of a source that the language model could answer."""
        return str(self.out / f"kept.{source}.jsonl")

    def pupil(
        self,
        name: str,
        seed: int,
        encoder: Path,
        asked: Sequence[str],
        teachers: Sequence[Any],
        *,
        epochs: int = 12,
        rate: float | None = None,
        batch: int | None = None,
    ) -> Path:
        """A reader of asked and of people's questions, with teachers."""
        (_, main), *also = self.peoples()
        folder = self.train(
            name,
            [*asked, main],
            encoder,
            self.recipe.minutes["learn"],
            rate=rate or self.recipe.rate,
            batch=batch or self.recipe.batch,
            seed=seed,
            epochs=epochs,
            also=also,
            teachers=teachers,
            distil=0.85,
        )
        self.look(folder)
        return folder

    def ablation(self, without: str) -> Path:
        """A pupil from the bare encoder in some 2,000 steps, without the questions of a source.

        Without ``asked`` it has people's questions alone.
        """
        asked = [self.kept(source) for source in ASKED if without not in (source, "asked")]
        return self.pupil(
            f"without.{without}",
            9,
            self.data / self.recipe.encoder,
            asked,
            [self.scores()],
            epochs=5 if asked else 11,
            rate=0.7 * self.recipe.rate,
            batch=96,
        )

    def mean(self, readers: Sequence[Path]) -> Path:
        """The mean of readers' weights, with the notes of the last."""
        folder = self.out / "mean"
        folder.mkdir(exist_ok=True)
        copy_tokenizer(str(readers[-1]), folder)
        network = load_network(str(readers[-1]))
        each = [load_network(str(reader)).state_dict() for reader in readers]
        network.load_state_dict({key: sum(one[key] for one in each) / len(each) for key in each[0]})
        save_network(network, folder)
        shape = read_shape(readers[-1])
        write_shape(shape, folder)
        (_, main), *_ = self.peoples()
        tokenizer = load_tokenizer(folder, simplify=shape.simplify)
        packed = pack(list(lessons_of(main))[::25], shape, tokenizer)
        export(folder, folder, list(sample_windows(packed, SHOWN)))
        return folder

    def judged(self) -> None:
        """The language model learns to read from people's questions, keeps the asked ones whose
        answers it finds, and says what it thinks of every window that the pupil will read."""
        if (self.out / SCORES).is_file():
            return
        import torch

        while not self.model.is_file():
            time.sleep(1)
        device = "cuda" if torch.cuda.is_available() else "cpu"
        source = self.data / self.recipe.encoder
        shape = SpanShape(
            language=self.language,
            simplify=self.language == "zh",
            length=self.recipe.length,
            answer=self.recipe.answer,
        )
        tokenizer = load_tokenizer(source, simplify=shape.simplify)
        translator = Translator(self.model_tokenizer, source / TOKENS_FILE, self.language)
        reader = make_reader(load_model(self.model, device), translator).float()
        reader.encoder.embed_tokens.requires_grad_(False)
        lessons = [one for weight, name in self.peoples() for one in lessons_of(name, weight)]
        packed = pack_apart(lessons, shape, tokenizer, processes=PROCESSES, seed=3)
        log(f"model: {len(packed)} windows to learn to read from")
        torch.set_float32_matmul_precision("high")
        reader.half = reader.half and has_finite_gradient(reader, packed, device)
        log(f"model: half precision {reader.half}")
        plan = SpanPlan(
            rate=MODEL_RATE,
            batch=16,
            mixed=reader.half,
            epochs=3,
            average=0.998,
            minutes=self.recipe.minutes["model"] * self.pace,
            seed=3,
        )
        learn(reader, packed, plan, progress=lambda said: log(f"model: {said}"))
        self._look(reader, shape, tokenizer, "model")
        teacher = CachedTeacher(reader)
        for source in ASKED:
            path = self.out / f"asked.{source}.jsonl"
            while not path.is_file():
                time.sleep(1)
            asked = list(lessons_of(path))
            found = recovered(teacher, asked, shape, tokenizer, least=LEAST, size=192)
            kept = [one for one, right in zip(asked, found, strict=True) if right]
            log(f"asked.{source}: {len(kept)} of {len(asked)} questions kept")
            made = list(records(cloze_of(one) for one in kept))
            whole = self.out / f"kept.whole.{source}.jsonl"
            header = Header(name="asked questions", language=self.language)
            save_test(in_memory(header, made), whole)
            divide(whole, Path(self.kept(source)), self._held(f"kept.{source}.jsonl"))
        everything = pack_apart(
            lessons, shape, tokenizer, processes=PROCESSES, blank_share=1.0, seed=3
        )
        with torch.inference_mode():
            data = to_device(torch, everything, device)
            for places in batches(everything, 192, 1):
                one = batch(torch, data, places, device)
                teacher(one["ids"], one["types"], one["mask"])
        teacher.save(self.out / SCORES)
        log("judged: done")

    def look(self, folder: Path) -> float:
        """Mark a reader on what is held out."""
        shape = read_shape(folder)
        network = load_network(str(folder))
        tokenizer = load_tokenizer(folder, simplify=shape.simplify)
        return self._look(network, shape, tokenizer, folder.name)

    def _look(self, network: Any, shape: SpanShape, tokenizer: Any, name: str) -> float:
        """The mean F1, having said the marks on each test."""
        import torch

        network.to("cuda" if torch.cuda.is_available() else "cpu")
        found = []
        for _, test in self.recipe.peoples:
            held = open_test(self._held(test))
            marks = marked(held, list(held.units()), shape, tokenizer, torch_scorer(network))
            said = ", ".join(f"{metric} {value:.2f}" for metric, value in marks.items())
            log(f"{name}: held out of {test}: {said}")
            found.append(marks["f1"])
        return sum(found) / len(found)

    def _held(self, name: str) -> Path:
        return self.out / "held" / name

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

    def _together(self, *steps: str) -> None:
        """Steps at the same time, each in a process of its own."""
        with ThreadPoolExecutor(len(steps)) as pool:
            list(pool.map(self._apart, steps))

    def _apart(self, step: str) -> None:
        command = [sys.executable, "-m", "training.span.recipes", self.language]
        command += [str(self.data), str(self.out), "--pace", str(self.pace), "--step", step]
        if self.model:
            command += ["--model", str(self.model), "--model-tokenizer", str(self.model_tokenizer)]
        if self.begin:
            command += ["--begin", str(self.begin)]
        subprocess.run(command, check=True)

    def one(self, step: str) -> None:
        """A step that another process waits for."""
        if step == "hold_out":
            self.hold_out()
        elif step == "plain":
            encoder = self.data / self.recipe.encoder
            self.reader("plain", encoder, self.recipe.minutes["first"], 7)
        elif step == "first":
            self.reader("first", self.clozes(), self.recipe.minutes["first"], 7)
        elif step.startswith("asked."):
            self.asked(model=step == "asked.model")
        elif step == "judged":
            self.judged()
        elif step == "taught":
            self.taught_by_model()
        elif step.startswith("without."):
            self.ablation(step.removeprefix("without."))
        elif step.startswith("pupil"):
            asked = [self.kept(source) for source in ASKED]
            self.pupil(step, 5 + int(step[-1]), self.begin, asked, [self.scores()])
        else:
            self.teacher(int(step.removeprefix("teacher")))


def has_finite_gradient(reader: Any, lessons: Any, device: str) -> bool:
    """Whether a few windows give a reader a gradient of numbers."""
    import torch

    reader.to(device).train()
    places = next(iter(batches(lessons, 8, 1)))
    one = batch(torch, to_device(torch, lessons, device), places, device)
    scores = reader(one["ids"], one["types"], one["mask"])
    span_loss(torch, scores, one).backward()
    sizes = [float(each.grad.norm()) for each in reader.parameters() if each.grad is not None]
    reader.zero_grad(set_to_none=True)
    return all(size < 1e30 for size in sizes)  # nothing is less than no number


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
    parser.add_argument("--begin", type=Path, help="reader that the model's pupils go on from")
    given = parser.parse_args()
    run = RecipeRun(
        given.language,
        given.data,
        given.out,
        given.pace,
        given.model,
        given.model_tokenizer,
        given.begin,
    )
    if given.step:
        run.one(given.step)
    else:
        log(f"{run.all()}: done")


if __name__ == "__main__":
    main()
