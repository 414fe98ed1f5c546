"""Passages of raw text, streamed into a test; only counts stay in memory."""

from __future__ import annotations

import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import msgspec

from readmark.core.counts import counted
from readmark.core.errors import DataError, UsageError
from readmark.core.json_lines import json_line
from readmark.core.language import primary
from readmark.core.numbers import first_ids
from readmark.core.source import default_name, suffixes_of
from readmark.core.streams import is_standard, shown_name
from readmark.core.test import Header
from readmark.core.writing import writing
from readmark.making.sources.article_names import name_without_kind
from readmark.making.sources.articles import UNSOUND, NotTaken
from readmark.making.sources.built import Built, Counts
from readmark.making.sources.cuts import TOO_LONG, TOO_SHORT
from readmark.making.sources.first_articles import read_first_articles
from readmark.making.sources.outputs import incomplete_path, open_spool, require_writable
from readmark.making.sources.passages import (
    KEEP,
    NO_PASSAGE,
    SIMPLIFIED,
    ArticleOutcome,
    CuttingPlan,
    PieceOutcome,
    counter,
    make,
    renamed,
    unit_name,
)
from readmark.making.sources.recipes import (
    BOUNDS,
    FEW_ARTICLES,
    fit_to_articles,
    profile_of,
    recipe,
)
from readmark.making.sources.seen_ids import SeenIds
from readmark.making.sources.shapes import chunks
from readmark.sitting import Cluster, map_with_workers
from readmark.text.cleaning import VERSION
from readmark.text.variants import ORDER

_CODE = re.compile("[a-z]{2,3}")
_OTHER_CODES = {"zho": "zh", "chi": "zh", "cmn": "zh", "eng": "en", "cn": "zh"}
"""Codes that would be taken for another language, and what is meant."""
REPEATED = "repeated"
SHOWN_UNSOUND = 3
"""Articles that could not be read whose reasons are kept for a message."""


@dataclass(frozen=True, slots=True)
class TextSettings:
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


def build(
    sources: Sequence[str],
    output: str,
    settings: TextSettings,
    *,
    skipped: str | None = None,
    progress: WatchCounts | None = None,
) -> Built:
    """Write the passages of sources to a file, and what was ``skipped`` to another.

    If a source breaks off or the work is interrupted, the passages made so far are written with the
    reason in the header, and then the error is raised.
    """
    require_writable(sources, [output, *([skipped] if skipped else [])])
    if not is_standard(output) and suffixes_of(output)[-1:] not in ((), (".jsonl",)):
        raise UsageError(f"{output}: passages are written as JSON Lines: name a file in .jsonl")
    in_sources = itertools.chain.from_iterable(
        chunks(source, shape=settings.shape) for source in sources
    )
    # Without a recipe, the lengths of the first articles decide which ones are long enough.
    sample = 1 if settings.recipe else FEW_ARTICLES
    language, texts, all_chunks = read_first_articles(in_sources, sample)
    plan, why = _cutting_plan(settings, language, texts)
    builder = _Builder(sources, output, settings, plan, skipped, why)
    with ExitStack() as stack:
        spool = stack.enter_context(open_spool(output))
        rows = stack.enter_context(writing(skipped)) if skipped else None
        try:
            results = map_with_workers(
                functools.partial(make, plan),
                all_chunks,
                workers=settings.workers,
                engine=settings.engine,
            )
            with closing(results):
                builder.take(results, spool, rows, progress)
            return builder.finish(spool)
        except BaseException as error:  # an interruption keeps what is done as well
            if not builder.counts.articles:
                raise
            failure = builder.save_incomplete(error, spool)
    raise failure


def _cutting_plan(
    settings: TextSettings, source_language: str, texts: Sequence[str]
) -> tuple[CuttingPlan, str]:
    """How articles are cut; and why so, in a line, where that depends on the first ``texts``."""
    language = source_language
    if settings.language is not None:
        language = _language_code(settings.language)
    script = settings.script or (SIMPLIFIED if language == "zh" else KEEP)
    if script == SIMPLIFIED and language != "zh":
        raise UsageError(f"--script simplified is for Chinese, and this is {language!r}")
    bounds = {name: getattr(settings, name) for name in BOUNDS}
    chosen = recipe(settings.recipe or "smart", language, unit=settings.unit, **bounds)
    why = ""
    if settings.recipe is None:
        count = counter(chosen, language) or (lambda text: len(text) - text.count("\n"))
        fixed = {name for name, value in bounds.items() if value is not None}
        chosen, why = fit_to_articles(chosen, [*map(count, texts)], fixed=fixed)
    return CuttingPlan(chosen, language, script), why


def _language_code(language: str) -> str:
    """A language that was asked for by its code: zh for zh-CN and ZH."""
    code = primary(language)
    if _CODE.fullmatch(code) is None or code in _OTHER_CODES:
        hint = _OTHER_CODES.get(code) or "a code such as en or zh"
        raise UsageError(f"no language {language!r}: use {hint}")
    return code


class _Builder:
    """Takes results in order and adds them up."""

    def __init__(
        self,
        sources: Sequence[str],
        output: str,
        settings: TextSettings,
        plan: CuttingPlan,
        skipped: str | None,
        why: str = "",
    ) -> None:
        self.counts = Counts()
        self._why = why
        self._skipped = skipped
        self._sources = sources
        self._output = output
        self._settings = settings
        self._plan = plan
        self._seen = SeenIds()
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
        for piece in results:
            self.counts.bytes += piece.size
            self._shapes[piece.shape] = None
            self._about.update(piece.about)
            for outcome in piece.outcomes:
                if self.counts.used == self._settings.limit:
                    return
                self._add(outcome, spool, rows)
            if progress is not None:
                progress(self.counts)

    def _add(self, outcome: ArticleOutcome, spool: IO[bytes], rows: IO[bytes] | None) -> None:
        counts = self.counts
        counts.articles += 1
        if outcome.passages:
            outcome = self._with_new_id(outcome)
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

    def _with_new_id(self, outcome: ArticleOutcome) -> ArticleOutcome:
        """The article; another id where we made its own up, or not taken where it is repeated.

        A source that gives an article's id twice repeats the article. Ids that are made up from
        names of files may be the same by chance.
        """
        id = outcome.article
        if self._seen.add(id):
            if not outcome.has_own_id:
                self._made_up.add(id)
            return outcome
        if outcome.has_own_id and id not in self._made_up:
            not_taken = NotTaken(REPEATED, id, outcome.title, outcome.file, outcome.where)
            return ArticleOutcome(id, not_taken=(not_taken,))
        folder = Path(outcome.file).resolve().parent.name
        candidates = itertools.chain(
            [f"{folder}/{id}"], (f"{id}~{number}" for number in itertools.count(2))
        )
        new_id = next(candidate for candidate in candidates if self._seen.add(candidate))
        self._made_up.add(new_id)
        return renamed(outcome, new_id)

    def finish(self, spool: IO[bytes]) -> Built:
        if not self.counts.passages:
            raise self._nothing_made()
        return self._write(spool, self._output)

    def save_incomplete(self, error: BaseException, spool: IO[bytes]) -> BaseException:
        """Write the passages made so far, and return the error with a note of where they are."""
        spool.seek(0)
        count = sum(1 for _ in spool)  # an interruption may come between counting and writing
        if not count:
            return error
        path = incomplete_path(self._output)
        self._write(spool, path, incomplete=str(error) or "interrupted")
        saved = f"{counted(count, 'passage')} made before that: {path}"
        if path != self._output:
            saved += f" ({self._output} is as it was)"
        if not isinstance(error, DataError):
            error.add_note(saved)
            return error
        return DataError(f"{error.message}; {saved}", file=error.file, where=error.where)

    def _write(self, spool: IO[bytes], output: str, *, incomplete: str | None = None) -> Built:
        header = self._header(incomplete)
        spool.seek(0)
        with writing(output) as stream:
            stream.write(
                json_line({"readmark": 1, **msgspec.to_builtins(header), "kind": header.kind})
            )
            while block := spool.read(1 << 20):
                stream.write(block)
        return Built(output, header, self.counts, tuple(self._unsound), self._skipped, self._why)

    def _nothing_made(self) -> DataError:
        counts = self.counts
        if self._unsound and counts.articles == sum(map(counts.not_taken.__getitem__, UNSOUND)):
            first = self._unsound[0]
            return DataError(first.detail or first.reason, file=first.file, where=first.where)
        reasons = counts.not_taken + counts.left_out
        listed = ", ".join(f"{name} {count}" for name, count in reasons.most_common())
        return DataError(
            f"no passage was made: {counts.articles} read ({listed or 'nothing was found'})"
            + self._bounds(reasons),
            file=first_ids(self._sources, SHOWN_UNSOUND),
        )

    def _bounds(self, reasons: Counter[str]) -> str:
        """The bounds that left nothing over, and the options that change them."""
        recipe, bounds = self._plan.recipe, ""
        least, most = recipe.shortest_article, recipe.longest_article
        if reasons[TOO_SHORT] and least is not None:
            bounds += f"; an article needs {least:,} {recipe.unit} or more (--article-min)"
        if reasons[TOO_LONG] and most is not None:
            bounds += f"; an article has {most:,} {recipe.unit} at most (--article-max)"
        if reasons[NO_PASSAGE]:
            bounds += f"; a passage has {recipe.shortest:,} to {recipe.longest:,} {recipe.unit}"
            bounds += " (--min, --max)"
        return bounds

    def _header(self, incomplete: str | None) -> Header:
        plan, counts, settings = self._plan, self.counts, self._settings
        # Articles of several licences, or some without one, give the test none.
        licences = self._licences - {None}
        shared_licence = next(iter(licences)) if len(self._licences) == len(licences) == 1 else None
        named_after = self._sources[0] if is_standard(self._output) else self._output
        name = settings.name or name_without_kind(shown_name(named_after))
        if settings.name is None and not is_standard(named_after):
            name = default_name(name, named_after)
        source_names = ", ".join(map(shown_name, self._sources))
        site = self._about.get("sitename")
        fields: dict[str, Any] = {
            "recipe": {**asdict(plan.recipe), "unit": unit_name(plan.recipe, plan.language)},
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
            licence=settings.licence or shared_licence,
            source=settings.source or (f"{site}: {source_names}" if site else source_names),
            profile=profile_of(plan.recipe, plan.language),
            fields=fields,
        )


def _script_fields(plan: CuttingPlan) -> dict[str, Any]:
    if plan.language != "zh":
        return {"wanted": plan.script}
    fields: dict[str, Any] = {"wanted": plan.script, "variants": list(ORDER)}
    if plan.script == SIMPLIFIED:
        from readmark.text.script_conversion import converter_name

        fields["converter"] = converter_name()
    return fields
