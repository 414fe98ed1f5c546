"""The rewriters that come with Readmark: none, append, guided and learned."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from readmark.core.counts import counted
from readmark.core.errors import UsageError
from readmark.core.language import primary
from readmark.core.records import Unit
from readmark.core.sitting import Row, one_by_one
from readmark.hooks import Kind
from readmark.series.records import OTHER, Series

if TYPE_CHECKING:
    from readmark.series.guided.edits import Rewrite
    from readmark.series.learned import Setting


@dataclass
class Unchanged:
    """Returns every question unchanged."""

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, lambda unit: Row(id=unit.id, rewrite=unit.item.text))

    def signature(self) -> Mapping[str, str]:
        return {}


@dataclass
class AppendTarget:
    """Appends the target after the question, as the TREC question series document does.

    An OTHER question asks about the target already and stays as it is, as do all without one.
    """

    _without_target: int = field(default=0, init=False, repr=False)

    def prepare(self, kind: Kind, language: str) -> None:
        """Nothing is needed."""

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def signature(self) -> Mapping[str, str]:
        return {"append": "space"}

    def _reply(self, unit: Unit) -> Row:
        if unit.item.category == OTHER:
            return Row(id=unit.id, rewrite=unit.item.text)
        if not unit.record.target.strip():
            self._without_target += 1
            evidence = {"unchanged": "the series has no target"}
            return Row(id=unit.id, rewrite=unit.item.text, evidence=evidence)
        return Row(id=unit.id, rewrite=f"{unit.item.text} {unit.record.target}")

    def closing_notes(self) -> Iterator[str]:
        """How many questions there was nothing to append to."""
        if self._without_target:
            questions = counted(self._without_target, "question is", "questions are")
            yield f"{questions} unchanged: their series have no target to append"


LANGUAGES = ("en", "zh")
RULES = "guided-5"


@dataclass
class SeriesRewriter(ABC):
    """Rewrites a whole series at once: a question's meaning depends on those before it."""

    _language: str = field(default="en", init=False, repr=False)
    _last: tuple[Any, dict[str, Any]] | None = field(default=None, init=False, repr=False)

    name: ClassVar[str]

    @abstractmethod
    def rewritten(self, record: Series) -> Sequence[Any]:
        """What is made of each question, with its ``text`` and how ``sure`` it is."""

    @abstractmethod
    def evidence(self, made: Any, record: Series) -> dict[str, Any]:
        """What decided a rewrite."""

    def prepare(self, kind: Kind, language: str) -> None:
        if primary(language) not in LANGUAGES:
            raise UsageError(
                f"{self.name} rewrites English and Chinese, this test is in {language!r}"
            )
        self._language = primary(language)
        self._last = None
        if self._language == "en":
            from readmark.series.guided.parses import parse_all

            parse_all(["Who is it?"])  # loads the pipeline

    def answer(self, units: Iterable[Unit]) -> Iterator[Row]:
        return one_by_one(units, self._reply)

    def _reply(self, unit: Unit) -> Row:
        if (unit.item.category or "").upper() == OTHER:
            kept = {"kept": "an OTHER question is not rewritten"}
            return Row(id=unit.id, rewrite=unit.item.text, score=1.0, evidence=kept)
        record: Series = unit.record
        if self._last is None or self._last[0] is not record:
            ids = (question.id for question in record.questions)
            self._last = record, dict(zip(ids, self.rewritten(record), strict=True))
        made = self._last[1][unit.id]
        evidence = self.evidence(made, record)
        return Row(id=unit.id, rewrite=made.text, score=made.sure, evidence=evidence)


@dataclass
class Guided(SeriesRewriter):
    """Rewrites by the guidelines of the document on TREC question series."""

    previous: str = field(
        default="variable",
        metadata={
            "help": "what stands for an earlier answer: PREVIOUS_ANSWER, the known answer, or "
            "the earlier question; what is not there falls back, to the variable at last",
            "choices": ("variable", "answer", "question"),
        },
    )
    persons: str = field(
        default="topic",
        metadata={
            "help": "whom he and she mean where a person target and a previous answer both agree: "
            "the target that the question before was about, or always the answer",
            "choices": ("topic", "answer"),
        },
    )

    name: ClassVar[str] = "guided"

    def prepare(self, kind: Kind, language: str) -> None:
        super().prepare(kind, language)
        if self._language == "zh":
            from readmark.series.guided.chinese_questions import read

            read("他是谁？")  # loads the dictionary

    def signature(self) -> Mapping[str, str]:
        if self._language == "zh":
            from readmark.text.segmenter import segmenter

            return {"rules": RULES, "segmenter": segmenter(hmm=False).signature()}
        from readmark.series.guided.parses import signature

        return {"rules": RULES, "analyser": signature()}

    def evidence(self, made: Any, record: Series) -> dict[str, Any]:
        if not made.edits:
            return {"kept": made.why}
        ids = tuple(question.id for question in record.questions)
        return {"edits": [edit.shown(ids) for edit in made.edits]}

    def rewritten(self, record: Series) -> list[Any]:
        return guided_rewrites(record, self._language, previous=self.previous, persons=self.persons)


def guided_rewrites(
    record: Series, language: str, *, previous: str = "variable", persons: str = "topic"
) -> list[Rewrite]:
    """What the guidelines as code make of every question of a series."""
    from readmark.series.guided.chinese import rewrite_chinese
    from readmark.series.guided.edits import KnownAnswers
    from readmark.series.guided.rewriter import rewrite_series

    texts = [question.text for question in record.questions]
    places = {question.id: index for index, question in enumerate(record.questions)}
    known = KnownAnswers(
        [
            question.previous if question.previous_of in (None, *places) else ()
            for question in record.questions
        ],
        [places.get(question.previous_of or "") for question in record.questions],
    )
    about: dict[str, Any] = {"known": known, "type": record.target_type}
    if language == "zh":
        return rewrite_chinese(record.target, texts, previous=previous, **about)
    return rewrite_series(record.target, texts, previous=previous, persons=persons, **about)


# The learned rewriter: guided's rewrites, with how likely each is right.


@dataclass(frozen=True, slots=True)
class WeighedRewrite:
    """A rewrite with the probability that it is right, and the signs of it."""

    made: Rewrite
    sure: float
    signs: Mapping[str, float]

    @property
    def text(self) -> str:
        return self.made.text


def setting_of(record: Series) -> Setting:
    """What the confidence in the rewrites of a series depends on."""
    from readmark.series.learned import Setting

    known = [bool(question.previous) for question in record.questions[1:]]
    conversation = not record.target.strip() or 2 * sum(known) > len(known)
    return Setting(record.target, record.target_type, conversation)


@dataclass
class Learned(Guided):
    """Rewrites as guided does, and states how likely each rewrite is right."""

    model: str = field(default="", metadata={"help": "a model's file; the one that ships"})
    _confidence: Any = field(default=None, init=False, repr=False)

    name: ClassVar[str] = "learned"

    def prepare(self, kind: Kind, language: str) -> None:
        from readmark.series.learned import load_confidence

        super().prepare(kind, language)
        self._confidence = load_confidence(self.model or None)

    def training_record(self) -> Any:
        """The series that the confidence in rewrites was learnt from."""
        from readmark.series.learned import shipped_confidence
        from readmark.text.training_record import recorded_in

        return recorded_in(self.model or shipped_confidence())

    def signature(self) -> Mapping[str, str]:
        from readmark.series.learned import fingerprint, load_confidence

        model = fingerprint(load_confidence(self.model or None))
        return {**super().signature(), "model": model}

    def evidence(self, made: Any, record: Series) -> dict[str, Any]:
        reasons = self._confidence.of(setting_of(record)).reasons(made.signs)
        return {**super().evidence(made.made, record), **reasons}

    def rewritten(self, record: Series) -> list[Any]:
        from readmark.series.learned import signs_of

        made = super().rewritten(record)
        texts = [question.text for question in record.questions]
        weighed = []
        setting = setting_of(record)
        regression = self._confidence.of(setting)
        for index, rewrite in enumerate(made):
            signs = signs_of(setting, texts, made, index)
            sure = round(regression.probability(signs), 4)
            weighed.append(WeighedRewrite(rewrite, sure, signs))
        return weighed
