"""Golds and the guidelines, as the library checks and explains them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from readmark.core.test import Header, in_memory
from readmark.making.blind.golds import GoldFinding, ReturnedGolds, gold_findings
from readmark.making.hall.series_items import paper_series, series_language
from readmark.series import gold_explanation
from readmark.works import WorkFinding, WorkItem

_QUOTED = re.compile(r"""(?<!\w)(?:'((?:[^'\\]|\\.)+)'|"((?:[^"\\]|\\.)+)")(?!\w)""")
"""Words that a message quotes, in single or double quotation marks."""


def findings_of_golds(item: WorkItem, golds: Sequence[ReturnedGolds]) -> Iterator[GoldFinding]:
    """What the guidelines say of an item's golds; questions without a gold are left out."""
    written = {gold.id for gold in golds}
    test = in_memory(Header(kind="series", language=series_language(item)), [paper_series(item)])
    for finding in gold_findings(golds, test):
        if finding.id in written:
            yield finding


def explained_gold(finding: GoldFinding, object: str) -> WorkFinding:
    """A finding with its reason in both languages; the words that it quotes need no translation."""
    en, zh = (gold_explanation(finding.code, language) for language in ("en", "zh"))
    if en is None or zh is None:
        return WorkFinding(finding.code, finding.message, finding.severity, object)
    quoted = "，".join(
        f"“{single or double}”" for single, double in _QUOTED.findall(finding.message)
    )
    message = {
        "en": f"{en[0]}: {finding.message}",
        "zh": f"{zh[0]}：{quoted}" if quoted else zh[0],
    }
    detail = {"en": en[1], "zh": zh[1]}
    return WorkFinding(finding.code, message, finding.severity, object, detail)
