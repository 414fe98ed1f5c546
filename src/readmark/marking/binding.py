"""What is marked: a test with a sitting, a panel and metrics, bound before the first unit."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from readmark.core.binding import part_sat
from readmark.core.marksheet import LEAVE_ONE_OUT, PANEL, Method
from readmark.core.sitting import Sitting
from readmark.core.test import Test
from readmark.hooks import Metric
from readmark.marking.fields import UnitFields, known_fields
from readmark.marking.kind_extras import ClassesErrors, ErrorClassifier
from readmark.marking.metrics import build_metrics
from readmark.marking.settings import MarkSettings
from readmark.marking.tally import Tally
from readmark.marking.unit_marker import UnitMarker


@dataclass(frozen=True, slots=True)
class Marking:
    """A test with who sat it and what marks it. Without a sitting people alone are marked."""

    test: Test
    """The splits that were sat: only those are marked."""
    sitting: Sitting | None
    panel: Sequence[Sitting]
    metrics: Mapping[str, Metric]
    fields: UnitFields
    """The fields that slices were asked by."""
    leave_one_out: bool
    """Whether people's answers in the key are marked against each other."""
    classifier: ErrorClassifier | None
    """What sorts wrong answers into classes; None where that was not asked, or there are none."""

    @property
    def method(self) -> Method | None:
        """Where people's figure comes from; None where there are no people."""
        if self.panel:
            return PANEL
        return LEAVE_ONE_OUT if self.leave_one_out else None

    def empty_tally(self, *, each: bool = False) -> Tally:
        """A tally of no unit yet; ``each`` holds the vectors of single people too."""
        tally = Tally.empty(
            self.metrics,
            None if self.sitting is None else self.sitting.header.repeats,
            by=self.fields.names,
            members=[member.candidate for member in self.panel],
            leave_one_out=self.leave_one_out,
            each=each,
            classifier=self.classifier,
        )
        tally.field_of = self.fields.value
        return tally

    def marker(self) -> UnitMarker:
        """What marks the units; sittings of which no id is the test's are refused."""
        return UnitMarker.of_test(
            self.test,
            self.sitting,
            self.metrics,
            panel=self.panel,
            leave_one_out=self.leave_one_out,
            classifier=self.classifier,
        )


def bind(
    whole: Test,
    sitting: Sitting | None,
    panel: Sequence[Sitting],
    settings: MarkSettings,
    *,
    classes: bool,
    watch: Callable[[str, int, int], None] | None = None,
) -> Marking:
    """Find the part of the test that was sat, and build what marks it.

    ``watch`` is told of the replies that a metric waits for.
    """
    test = part_sat(whole, panel if sitting is None else [sitting])
    fields = UnitFields(test, known_fields(test, settings.by))
    names = settings.metrics or test.kind.metrics(test.header, test.facts)
    metrics = build_metrics(names, test, traffic=settings.traffic, watch=watch)
    classifier = None
    if classes and isinstance(test.kind, ClassesErrors):
        classifier = test.kind.error_classes(test)
    return Marking(
        test,
        sitting,
        panel,
        metrics,
        fields,
        leave_one_out=not panel and test.kind.people_from_key and test.facts.several > 0,
        classifier=classifier,
    )
