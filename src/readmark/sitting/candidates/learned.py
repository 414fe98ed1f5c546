"""The learned rewriter: edits of each question, ranked by a small network trained on rewrites."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from readmark.corpus.errors import UsageError
from readmark.corpus.kinds import Kind
from readmark.corpus.language import primary
from readmark.corpus.sitting import Row
from readmark.corpus.values import Series, Unit
from readmark.sitting.candidates import one_by_one
from readmark.sitting.candidates.guided import RULES

if TYPE_CHECKING:
    from readmark.models.rewriting.learned.rewriter import Chosen

LANGUAGES = ("en", "zh")


@dataclass
class Learned:
    """Rewrites with the likeliest edits, says what decided and what came second."""

    model: str = field(default="", metadata={"help": "a model's file; the one that ships"})
    style: str = field(
        default="auto",
        metadata={
            "help": "whether golds follow the guidelines, and so their rewrite is left only for "
            "a much likelier one; auto: in a series with a target that tells few answers",
            "choices": ("auto", "conversation", "guidelines"),
        },
    )
    _language: str = field(default="en", init=False, repr=False)
    _ranker: Any = field(default=None, init=False, repr=False)
    _last: tuple[Any, dict[str, Any]] | None = field(default=None, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        from readmark.models.evidence.lexicon import lexicon
        from readmark.models.rewriting.learned.ranker import load_ranker

        if primary(language) not in LANGUAGES:
            raise UsageError(f"learned rewrites English and Chinese, this test is in {language!r}")
        self._language = primary(language)
        self._last = None
        self._ranker = load_ranker(self.model or None)
        lexicon(self._language)
        if self._language == "en":
            from readmark.models.rewriting.parsing import parse_all

            parse_all(["Who is it?"])  # loads the pipeline

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, str]:
        from readmark.models.rewriting.learned.ranker import fingerprint, load_ranker

        said = {"model": fingerprint(load_ranker(self.model or None)), "rules": RULES}
        if self._language == "zh":
            from importlib.metadata import version

            return {**said, "words": f"rjieba {version('rjieba')}"}
        from readmark.models.rewriting.parsing import signature

        return {**said, "analyser": signature()}

    def _reply(self, unit: Unit) -> Row:
        if (unit.item.category or "").upper() == "OTHER":
            kept = {"kept": "an OTHER question is not rewritten"}
            return Row(id=unit.id, rewrite=unit.item.text, score=1.0, evidence=kept)
        if self._last is None or self._last[0] is not unit.record:
            self._last = unit.record, self._rewritten(unit.record)
        made = self._last[1][unit.id]
        evidence = {"steps": [step.shown() for step in made.steps]}
        return Row(id=unit.id, rewrite=made.text, score=made.sure, evidence=evidence)

    def _rewritten(self, record: Series) -> dict[str, Chosen]:
        """Every question of a series: what one means hangs on those before it."""
        from readmark.models.rewriting.learned.rewriter import rewrite_learned

        done = rewrite_learned(
            record.target,
            [question.text for question in record.questions],
            self._ranker,
            known=[question.previous for question in record.questions],
            topic=record.topic,
            type=record.target_type,
            language=self._language,
            style=self.style,
        )
        return {question.id: made for question, made in zip(record.questions, done, strict=True)}
