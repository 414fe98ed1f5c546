"""``readmark set text``: passages of raw text, streamed; only counts stay in memory."""

from __future__ import annotations

import functools
import itertools
import re
import signal
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import click
import msgspec

from readmark import console as options
from readmark.console import OUTPUT_FILE, WORDS, Ticker
from readmark.core.counts import counted
from readmark.core.distinct_files import require_distinct_files
from readmark.core.errors import DataError, ReadmarkError, UsageError
from readmark.core.json_lines import json_line
from readmark.core.language import language_of, primary
from readmark.core.numbers import first_ids
from readmark.core.source import default_name, suffixes_of
from readmark.core.streams import is_standard, shown_name
from readmark.core.test import Header
from readmark.core.writing import own_output, writing
from readmark.making.sources.cuts import (
    BOUNDS,
    FEW_ARTICLES,
    TOO_LONG,
    TOO_SHORT,
    fit_to_articles,
    profile_of,
    recipe,
)
from readmark.making.sources.passages import (
    KEEP,
    NO_PASSAGE,
    SIMPLIFIED,
    ArticleOutcome,
    Built,
    Counts,
    CuttingPlan,
    PieceOutcome,
    counter,
    make,
    renamed,
    unit_name,
)
from readmark.making.sources.shapes import (
    SHAPES,
    UNSOUND,
    Chunk,
    NotTaken,
    chunks,
    made_out,
    name_without_kind,
)
from readmark.sitting import Cluster, map_with_workers
from readmark.text.cleaning import VERSION
from readmark.text.variants import ORDER

# Where passages may be written: never onto a source, nor a part in the place of a whole.


def require_writable(sources: Sequence[str], outputs: Sequence[str]) -> None:
    """Refuse outputs that are sources or in them, each other, or in no folder; missing sources."""
    require_distinct_files(outputs, sources)
    for output in outputs:
        if is_standard(output):
            continue
        for source in sources:
            with suppress(OSError):
                inside = Path(output).resolve().is_relative_to(Path(source).resolve())
                if Path(source).is_dir() and inside and Path(output).is_file():
                    raise UsageError(f"{output} is in the folder that is being read")
        if not Path(output).resolve().parent.is_dir():
            raise DataError("cannot be written (no such folder)", file=output)
    for source in sources:
        if not is_standard(source) and not Path(source).exists():  # else seen after all before it
            raise DataError("no such file", file=source)


def incomplete_path(output: str) -> str:
    """Where an incomplete result goes: the output, or a name next to an existing one."""
    path = Path(output)
    if not path.is_file() or own_output(path) is not None:
        return output
    stem = name_without_kind(path.name)
    return str(path.with_name(f"{stem}.incomplete{path.name.removeprefix(stem)}"))


# Which ids have been seen, in little memory: a bit each for numbers, as wikis give to pages.


MOST = 1 << 30
"""Numbers up to this have a bit: at most 128 MB, and a wiki of ten million pages takes 1.3."""


class Seen:
    """A set of ids that grows by a bit an id where ids are numbers that are given out in turn."""

    def __init__(self) -> None:
        self._bits = bytearray()
        self._others: set[str] = set()

    def add(self, id: str) -> bool:
        """Take an id in; False when it was there."""
        if not (id.isascii() and id.isdigit()) or id[0] == "0" or len(id) > 10 or int(id) >= MOST:
            before = len(self._others)
            self._others.add(id)
            return len(self._others) > before
        at, bit = int(id) >> 3, 1 << (int(id) & 7)
        if at >= len(self._bits):
            self._bits.extend(bytes(at + 1 - len(self._bits)))
        new = not self._bits[at] & bit
        self._bits[at] |= bit
        return new


SAMPLE = 20_000
"""Characters from which the language is detected."""
MOST_BUFFERED = 32 << 20
"""Most bytes of a source that are buffered until the language is detected."""
_CODE = re.compile("[a-z]{2,3}")
_OTHER_CODES = {"zho": "zh", "chi": "zh", "cmn": "zh", "eng": "en", "cn": "zh"}
"""Codes that would be taken for another language, and what is meant."""
REPEATED = "repeated"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The options of `build`; None stands for the recipe's or the source's own value."""

    recipe: str | None = None
    """None is SMART's, with bounds for the articles that are there."""
    language: str | None = None
    script: str | None = None
    unit: str | None = None
    shortest: int | None = None
    longest: int | None = None
    shortest_article: int | None = None
    longest_article: int | None = None
    limit: int | None = None
    """Articles to take passages from."""
    shape: str | None = None
    name: str | None = None
    licence: str | None = None
    source: str | None = None
    workers: int = 1
    engine: str | Cluster = "local"


WatchCounts = Callable[[Counts], None]
SHOWN_UNSOUND = 3


def build(
    sources: Sequence[str],
    output: str,
    wanted: Wanted,
    *,
    skipped: str | None = None,
    progress: WatchCounts | None = None,
) -> Built:
    """Write the passages of sources to a file, and what was ``skipped`` to another.

    A source that breaks off leaves the passages made so far, with the reason in the header, and is
    raised then; so does an interruption.
    """
    require_writable(sources, [output, *([skipped] if skipped else [])])
    if not is_standard(output) and suffixes_of(output)[-1:] not in ((), (".jsonl",)):
        raise UsageError(f"{output}: passages are written as JSON Lines: name a file in .jsonl")
    every = itertools.chain.from_iterable(chunks(source, shape=wanted.shape) for source in sources)
    language, texts, pieces = _language_and_pieces(every, FEW_ARTICLES if not wanted.recipe else 1)
    plan, chosen = _plan(wanted, language, texts)
    builder = _Builder(sources, output, wanted, plan, skipped, chosen)
    with ExitStack() as stack:
        spool = stack.enter_context(_spool(output))
        rows = stack.enter_context(writing(skipped)) if skipped else None
        try:
            results = map_with_workers(
                functools.partial(make, plan),
                pieces,
                workers=wanted.workers,
                engine=wanted.engine,
            )
            with closing(results):
                builder.take(results, spool, rows, progress)
            return builder.finish(spool)
        except BaseException as error:  # an interruption keeps what is done as well
            if not builder.counts.articles:
                raise
            failed = builder.save_incomplete(error, spool)
    raise failed


class _Builder:
    """Takes results in order and adds them up."""

    def __init__(
        self,
        sources: Sequence[str],
        output: str,
        wanted: Wanted,
        plan: CuttingPlan,
        skipped: str | None,
        chosen: str = "",
    ) -> None:
        self.counts = Counts()
        self._chosen = chosen
        self._skipped = skipped
        self._sources = sources
        self._output = output
        self._wanted = wanted
        self._plan = plan
        self._seen = Seen()
        self._made_up: set[str] = set()
        self._licences: set[str | None] = set()
        self._shapes: dict[str, None] = {}
        self._about: dict[str, str] = {}
        self._unsound: list[NotTaken] = []

    def take(
        self,
        results: Iterable[PieceOutcome],
        spool: IO[bytes],
        rows: IO[bytes] | None,
        progress: WatchCounts | None,
    ) -> None:
        for made in results:
            self.counts.bytes += made.size
            self._shapes[made.shape] = None
            self._about.update(made.about)
            for outcome in made.outcomes:
                if self.counts.used == self._wanted.limit:
                    return
                self._add(outcome, spool, rows)
            if progress is not None:
                progress(self.counts)

    def _add(self, outcome: ArticleOutcome, spool: IO[bytes], rows: IO[bytes] | None) -> None:
        counts = self.counts
        counts.articles += 1
        if outcome.passages:
            outcome = self._once(outcome)
        counts.passages += outcome.passages
        counts.used += outcome.passages > 0
        counts.characters += outcome.characters
        counts.converted += outcome.converted
        counts.mixed += outcome.mixed
        counts.other_language += outcome.other_language
        counts.cleaned.update(outcome.cleaned)
        if outcome.passages:
            self._licences.add(outcome.licence)
            spool.write(outcome.lines)
        for not_taken in outcome.not_taken:
            (counts.left_out if not_taken.is_stretch else counts.not_taken)[not_taken.reason] += 1
            if rows is not None:
                rows.write(json_line(not_taken.row()))
            if not_taken.reason in UNSOUND and len(self._unsound) < SHOWN_UNSOUND:
                self._unsound.append(not_taken)

    def _once(self, outcome: ArticleOutcome) -> ArticleOutcome:
        """An article whose id is new, one that was there before, or one that needs another id."""
        id = outcome.article
        if self._seen.add(id):
            if not outcome.given:
                self._made_up.add(id)
            return outcome
        if outcome.given and id not in self._made_up:
            not_taken = NotTaken(REPEATED, id, outcome.title, outcome.file, outcome.where)
            return ArticleOutcome(id, not_taken=(not_taken,))
        folder = Path(outcome.file).resolve().parent.name
        others = itertools.chain([f"{folder}/{id}"], (f"{id}~{at}" for at in itertools.count(2)))
        another = next(other for other in others if self._seen.add(other))
        self._made_up.add(another)
        return renamed(outcome, another)

    def save_incomplete(self, error: BaseException, spool: IO[bytes]) -> BaseException:
        """The error, after what was made before it is written; it says so, or its note does."""
        spool.seek(0)
        count = sum(1 for _ in spool)  # an interruption may come between counting and writing
        if not count:
            return error
        place = incomplete_path(self._output)
        self.write(spool, place, incomplete=str(error) or "interrupted")
        made = f"{counted(count, 'passage')} made before that: {place}"
        if place != self._output:
            made += f" ({self._output} is as it was)"
        if not isinstance(error, DataError):
            error.add_note(made)
            return error
        return DataError(f"{error.message}; {made}", file=error.file, where=error.where)

    def finish(self, spool: IO[bytes]) -> Built:
        if not self.counts.passages:
            raise self._nothing()
        return self.write(spool, self._output)

    def write(self, spool: IO[bytes], output: str, *, incomplete: str | None = None) -> Built:
        header = self._header(incomplete)
        spool.seek(0)
        with writing(output) as stream:
            stream.write(
                json_line({"readmark": 1, **msgspec.to_builtins(header), "kind": header.kind})
            )
            while block := spool.read(1 << 20):
                stream.write(block)
        return Built(output, header, self.counts, tuple(self._unsound), self._skipped, self._chosen)

    def _nothing(self) -> DataError:
        counts = self.counts
        if self._unsound and counts.articles == sum(map(counts.not_taken.__getitem__, UNSOUND)):
            first = self._unsound[0]
            return DataError(first.detail or first.reason, file=first.file, where=first.where)
        reasons = counts.not_taken + counts.left_out
        said = ", ".join(f"{name} {count}" for name, count in reasons.most_common())
        return DataError(
            f"no passage was made: {counts.articles} read ({said or 'nothing was found'})"
            + self._bounds(reasons),
            file=first_ids(self._sources, SHOWN_UNSOUND),
        )

    def _bounds(self, reasons: Counter[str]) -> str:
        """The bounds that left nothing over, and the options that change them."""
        recipe, said = self._plan.recipe, ""
        least, most = recipe.shortest_article, recipe.longest_article
        if reasons[TOO_SHORT] and least is not None:
            said += f"; an article needs {least:,} {recipe.unit} or more (--article-min)"
        if reasons[TOO_LONG] and most is not None:
            said += f"; an article has {most:,} {recipe.unit} at most (--article-max)"
        if reasons[NO_PASSAGE]:
            said += f"; a passage has {recipe.shortest:,} to {recipe.longest:,} {recipe.unit}"
            said += " (--min, --max)"
        return said

    def _header(self, incomplete: str | None) -> Header:
        plan, counts = self._plan, self.counts
        licences = self._licences - {None}
        said = next(iter(licences)) if len(self._licences) == len(licences) == 1 else None
        named = self._sources[0] if is_standard(self._output) else self._output
        name = self._wanted.name or name_without_kind(shown_name(named))
        if self._wanted.name is None and not is_standard(named):
            name = default_name(name, named)
        names = ", ".join(map(shown_name, self._sources))
        site = self._about.get("sitename")
        bounds = asdict(plan.recipe)
        fields: dict[str, Any] = {
            "recipe": {**bounds, "unit": unit_name(plan.recipe, plan.language)},
            "script": _script_fields(plan),
            "cleaning": {"version": VERSION, "changes": dict(sorted(counts.cleaned.items()))},
            "shapes": list(self._shapes),
            "counts": {
                "articles": counts.articles,
                "used": counts.used,
                "passages": counts.passages,
                "converted": counts.converted,
                "mixed": counts.mixed,
                "not_taken": dict(sorted(counts.not_taken.items())),
                "left_out": dict(sorted(counts.left_out.items())),
            },
        }
        if incomplete is not None:
            fields["incomplete"] = incomplete
        return Header(
            name=name,
            language=plan.language,
            licence=self._wanted.licence or said,
            source=self._wanted.source or (f"{site}: {names}" if site else names),
            profile=profile_of(plan.recipe, plan.language),
            fields=fields,
        )


def _script_fields(plan: CuttingPlan) -> dict[str, Any]:
    if plan.language != "zh":
        return {"wanted": plan.script}
    found: dict[str, Any] = {"wanted": plan.script, "variants": list(ORDER)}
    if plan.script == SIMPLIFIED:
        from readmark.text.script_conversion import converter_name

        found["converter"] = converter_name()
    return found


def _plan(wanted: Wanted, told: str, texts: Sequence[str]) -> tuple[CuttingPlan, str]:
    """How articles are cut; and why so, in a line, where that depends on the first ``texts``."""
    language = told if wanted.language is None else _language_code(wanted.language)
    script = wanted.script or (SIMPLIFIED if language == "zh" else KEEP)
    if script == SIMPLIFIED and language != "zh":
        raise UsageError(f"--script simplified is for Chinese, and this is {language!r}")
    bounds = {name: getattr(wanted, name) for name in BOUNDS}
    chosen, why = recipe(wanted.recipe or "smart", language, unit=wanted.unit, **bounds), ""
    if wanted.recipe is None:
        count = counter(chosen, language) or (lambda text: len(text) - text.count("\n"))
        fixed = {name for name, value in bounds.items() if value is not None}
        chosen, why = fit_to_articles(chosen, [*map(count, texts)], fixed=fixed)
    return CuttingPlan(chosen, language, script), why


def _language_code(language: str) -> str:
    """A language that was asked for by its code: zh for zh-CN and ZH."""
    code = primary(language)
    if _CODE.fullmatch(code) is None or code in _OTHER_CODES:
        hint = _OTHER_CODES.get(code) or "a code such as en or zh"
        raise UsageError(f"no language {language!r}: say {hint}")
    return code


def _language_and_pieces(
    pieces: Iterator[Chunk], enough: int
) -> tuple[str, list[str], Iterator[Chunk]]:
    """The language that the source states or its first articles are in, ``enough`` of their texts,
    and all its pieces.

    Pieces without an article, such as a picture, are passed over. What fails to be read fails again
    when its turn comes.
    """
    held: list[Chunk] = []
    texts: list[str] = []
    language: str | None = None
    failed: ReadmarkError | None = None
    try:
        while len(texts) < enough and sum(chunk.size for chunk in held) < MOST_BUFFERED:
            held.append(next(pieces))
            language = language or held[-1].about.get("language") or None
            if language and enough == 1:
                break
            for article in made_out(held[-1]):
                if isinstance(article, NotTaken):
                    continue
                language = language or article.language
                texts.append(article.text)
                if len(texts) >= enough and (language or sum(map(len, texts)) >= SAMPLE):
                    break
    except StopIteration:
        pass
    except ReadmarkError as error:
        failed = error

    def rest() -> Iterator[Chunk]:
        if failed is not None:  # not after the sources that follow
            raise failed
        yield from pieces

    if not language:
        language = language_of(["".join(texts)[:SAMPLE]])
    return primary(language), texts[:enough], itertools.chain(held, rest())


def _spool(output: str) -> IO[bytes]:
    """Where passages wait for the header, which records how it ended; a file without a name."""
    folder = Path(output).resolve().parent
    usable = folder.is_dir() and (not Path(output).exists() or Path(output).is_file())
    with suppress(OSError):
        if usable:
            return tempfile.TemporaryFile(dir=folder)
    return tempfile.TemporaryFile()


positive = click.IntRange(min=1)


@click.command("text")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@click.option(
    "-o",
    "--output",
    required=True,
    metavar="OUT",
    help="Test to write, with the passages.",
    type=OUTPUT_FILE,
)
@click.option(
    "--recipe",
    type=click.Choice(["smart", "cmrc"]),
    help="How to cut: smart takes whole paragraphs of medium-length articles; cmrc "
    "takes up to 500 words and cuts at sentence boundaries  [default: smart; articles of other "
    "lengths are used too if there are fewer than 100, or if the first 100 have no other]",
)
@click.option(
    "--unit",
    type=click.Choice(["characters", "words"]),
    help="Unit of all lengths  [default: from the recipe]",
)
@click.option(
    "--min",
    "shortest",
    type=positive,
    help="Minimum length of a passage  [default: from the recipe]",
)
@click.option(
    "--max",
    "longest",
    type=positive,
    help="Maximum length of a passage  [default: from the recipe]",
)
@click.option(
    "--article-min",
    "shortest_article",
    type=positive,
    help="Minimum length of an article  [default: from the recipe]",
)
@click.option(
    "--article-max",
    "longest_article",
    type=positive,
    help="Maximum length of an article  [default: from the recipe]",
)
@click.option(
    "--script",
    type=click.Choice(["keep", "simplified"]),
    help="Chinese script: convert to simplified and keep a copy of the original, or "
    "keep as is  [default: simplified]",
)
@click.option(
    "--language",
    metavar="LANG",
    help="Language of the text, en or zh  [default: detected from the source]",
)
@click.option(
    "--limit",
    type=positive,
    help="Stop after this many articles with passages  [default: no limit]",
)
@click.option(
    "--shape",
    type=click.Choice(list(SHAPES)),
    help="Type of the source  [default: detected from its content]",
)
@click.option(
    "--skipped",
    metavar="FILE",
    help="Write everything that was skipped to this file, as JSON Lines.",
    type=OUTPUT_FILE,
)
@click.option(
    "--name", metavar="TEXT", help="Name of the test  [default: from OUT's name]", type=WORDS
)
@click.option(
    "--licence", metavar="TEXT", help="Licence of the text, recorded in the header.", type=WORDS
)
@click.option(
    "--source",
    metavar="TEXT",
    help="Description of where the text comes from, recorded in the header.",
    type=WORDS,
)
@options.workers_option
@options.engine_option
@options.json_option
def text_command(
    sources: tuple[str, ...], output: str, skipped: str | None, as_json: bool, **wanted: Any
) -> None:
    """Cut raw text into passages: a test without questions, one passage per line.

    A SOURCE is a file, a folder, or - for standard input: plain text, HTML, WikiExtractor
    output or a MediaWiki XML dump. Files ending in .gz, .bz2, .xz and .zst are decompressed.
    Each passage records its article and its position there. A truncated source is an error; OUT
    then has the passages made so far, and its header states that it is incomplete.
    """

    began = time.monotonic()

    def words(counts: Counts) -> str:
        size = counts.bytes / 1e6
        rate = size / max(time.monotonic() - began, 1e-6)
        return (
            f"{counted(counts.articles, 'article')}, {counted(counts.passages, 'passage')}, "
            f"{size:.0f} MB, {rate:.1f} MB/s"
        )

    _interrupt_on_hangup()
    try:
        with Ticker() as ticker:
            built = build(
                sources,
                output,
                Wanted(**wanted),
                skipped=skipped,
                progress=(lambda counts: ticker.say(lambda: words(counts)))
                if ticker.is_terminal
                else None,
            )
    except BaseException as error:
        options.notify(getattr(error, "__notes__", ()))  # what was saved
        raise
    options.print_result(built, as_json=as_json)
    options.notify(built.notes)


def _interrupt_on_hangup() -> None:
    """A terminal that is closed interrupts, as Ctrl-C does, unless nohup says that it shall not."""
    hangup = getattr(signal, "SIGHUP", None)  # Windows has none
    if hangup is not None and signal.getsignal(hangup) is not signal.SIG_IGN:
        signal.signal(hangup, signal.default_int_handler)
