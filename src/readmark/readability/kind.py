"""Readability: a unit is a passage, the answer a rating from 1 (hardest) to 5 (easiest to read).

The experts' ratings are the key; each novice, like each machine, is a sitting.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from readmark.core.errors import DataError
from readmark.core.kinds import Finding
from readmark.core.language import language_of, primary
from readmark.core.numbers import listed_ids
from readmark.core.problems import WarningCode
from readmark.core.records import Labelled, Layers, Unit, Value, visible
from readmark.core.spans import layer_findings, misplaced_layers
from readmark.formats.people_names import folded_name
from readmark.readability.scale import HIGHEST, LOWEST

if TYPE_CHECKING:
    from readmark.core.sitting import Row, Sitting
    from readmark.core.test import Facts, Header, Test
    from readmark.llm import LlmForm
    from readmark.marking import DerivedField


class Rating(Value, frozen=True):
    """How easily a passage reads, 1 to 5, by one judge: stars, and the rank within the round."""

    rating: float
    annotator: str
    rank: int | None = None
    round: int | None = None
    seconds: float | None = None


class RatingKey(Value, frozen=True):
    """What the experts said of a passage; their mean is what a rating is marked against."""

    ratings: tuple[Rating, ...] = ()
    layers: Layers = {}
    fields: dict[str, Any] = {}


class RatedPassage(Value, frozen=True):
    """A passage to be rated for how easily it reads."""

    id: str
    text: str
    language: str | None = None
    genre: str | None = None
    topic: str | None = None
    split: str | None = None
    article: str | None = None
    parallel: str | None = None
    layers: Layers = {}
    fields: dict[str, Any] = {}
    key: RatingKey | None = None


_NAMES = {"en": "English", "zh": "Chinese"}


def language_findings(record: RatedPassage, language: str) -> Iterator[Finding]:
    """A passage in another script than its language, or the test's, has: judges could not read it.

    English represents any language that is not written in Han characters.
    """
    declared = primary(record.language or language)
    detected = language_of([record.text])
    if (detected == "zh") != (declared == "zh") and any(map(str.isalpha, record.text)):
        what = _NAMES.get(declared, declared)
        yield (
            record.id,
            WarningCode("wrong_language"),
            f"looks {_NAMES[detected]} in a test in {what}",
        )


def expert_names(test: Test) -> dict[str, str]:
    """Who rated as an expert, by the folded name."""
    ratings = (rating for record in test.records() if record.key for rating in record.key.ratings)
    return {folded_name(rating.annotator): rating.annotator for rating in ratings}


class Readability:
    """Passages to be rated."""

    name = "readability"
    record = RatedPassage
    record_noun = "passage"
    unit_noun = "passage"
    answer = "rating"
    answer_type = float
    parts = ("passage",)
    people_from_key = False
    main_metric = "pearson"

    def metrics(self, header: Header, facts: Facts) -> Sequence[str]:
        """The three metrics of the DARPA evaluation, and the rank correlations."""
        return ("score_difference", "proportional_target", "pearson", "spearman", "kendall")

    def paper(self, record: RatedPassage) -> RatedPassage:
        """The passage without its ratings."""
        return msgspec.structs.replace(record, key=None, layers=visible(record.layers))

    def leave_out(self, record: RatedPassage, part: str) -> RatedPassage:
        """The passage left blank: what is rated then is its genre."""
        return msgspec.structs.replace(record, text="", layers={})

    def units(self, record: RatedPassage) -> Iterator[Unit]:
        """The passage is its own unit and its own cluster."""
        yield Unit(record.id, record.id, record, record)

    def references(self, unit: Unit) -> Sequence[Sequence[Rating]]:
        """The rating of each expert, in a list of its own."""
        return tuple((rating,) for rating in unit.key.ratings) if unit.key is not None else ()

    def unit_facts(self, unit: Unit) -> Collection[str]:
        """None: nothing of a passage is counted."""
        return ()

    def read_answer(self, row: Row) -> Rating:
        """The rating of a row; without a number, marking ends."""
        rating = row.answer
        if isinstance(rating, msgspec.UnsetType) or not math.isfinite(rating):
            raise DataError(f"{row.id}: the row has no rating")
        return Rating(rating=rating, annotator="")

    def paper_part(self, record: RatedPassage) -> Any:
        """Id and text."""
        return record.id, record.text

    def key_part(self, record: RatedPassage) -> Any:
        """The ratings in the order of the experts' names."""
        ratings = record.key.ratings if record.key is not None else ()
        return record.id, sorted((rating.annotator, rating.rating) for rating in ratings)

    def texts(self, record: RatedPassage) -> Iterator[str]:
        """The passage."""
        yield record.text

    def findings(self, record: RatedPassage) -> Iterator[Finding]:
        """Empty texts, ratings out of range, an expert who rated twice, too few experts."""
        if not record.text.strip():
            yield record.id, "empty_text", "the passage has no text"
        yield from misplaced_layers(record.id, record.layers)
        yield from layer_findings(record.id, record.text, record.layers)
        if record.key is None:
            return
        seen: set[str] = set()
        for rating in record.key.ratings:
            if not LOWEST <= rating.rating <= HIGHEST:
                text = f"{rating.annotator} rated {rating.rating:g}, expected 1 to 5"
                yield record.id, "rating", text
            if rating.annotator in seen:
                yield record.id, "rated_twice", f"{rating.annotator} rated the passage twice"
            seen.add(rating.annotator)
        if not seen:
            yield record.id, "no_answer", "has a key without ratings"
        elif len(seen) == 1:
            message = "has one expert: the gold is one person's opinion"
            yield record.id, WarningCode("one_expert"), message

    def test_findings(self, record: RatedPassage, test: Test) -> Iterator[Finding]:
        """A passage that is not in the language of the test."""
        return language_findings(record, test.language)

    def derived_fields(self, test: Test) -> Mapping[str, DerivedField]:
        """The length of the passage."""
        from readmark.marking import DerivedField
        from readmark.text.lengths import LENGTHS, length_unit

        unit = length_unit(test.language)
        size = LENGTHS[unit]
        length = DerivedField(
            lambda passage: size(passage.record.text), f"unit:{unit}", quartiles=True
        )
        return {"passage_length": length}

    def notes(self, test: Test) -> Iterable[str]:
        """Experts' ratings that should not be part of a gold, and are."""
        ids_by_code: dict[str, dict[str, None]] = {}  # in order, each id once
        for record in test.records():
            for id, code, _ in self.findings(record):
                ids_by_code.setdefault(code, {})[id] = None
        reasons = {
            "rating": "experts' ratings outside 1 to 5, taken as given",
            "rated_twice": "an expert rated twice, and both ratings count",
        }
        for code, reason in reasons.items():
            if code in ids_by_code:
                yield f"{test.file}: {reason}: {listed_ids(list(ids_by_code[code]))}"

    def answer_notes(self, test: Test, sitting: Sitting, *, of_person: bool) -> Iterable[str]:
        """A person of the panel who is an expert too."""
        if of_person and folded_name(sitting.candidate) in expert_names(test):
            yield (
                f"{sitting.candidate} is one of the experts too: the gold holds the same "
                "person's ratings"
            )

    def llm_form(self) -> LlmForm:
        """A language model is asked for a rating."""
        from readmark.readability.prompts import RATING_FORM

        return RATING_FORM

    def show_record(self, record: RatedPassage) -> Sequence[Labelled]:
        """The passage."""
        return (Labelled("passage", record.text),)

    def show(self, unit: Unit) -> Sequence[Labelled]:
        """Nothing but the passage."""
        return ()


READABILITY = Readability()
