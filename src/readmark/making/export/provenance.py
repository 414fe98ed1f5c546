"""Where a published test comes from and what was done to it, for ``provenance.json``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from readmark.core.records import AS_WRITTEN
from readmark.core.test import SCHEMA, Facts, Test
from readmark.core.version import __version__
from readmark.making.export.about import About
from readmark.making.export.published_parts import PublishedPart
from readmark.making.export.reports import Reports


def provenance(
    test: Test,
    about: About,
    facts: Facts,
    parts: Sequence[PublishedPart],
    reports: Reports,
    losses: Mapping[str, Sequence[str]],
    faults: Mapping[str, Sequence[str]],
) -> dict[str, Any]:
    """The document. ``facts`` are those of the whole test, ``test`` is what is published."""
    header = test.header
    return {
        "made_with": {"readmark": __version__, "schema": SCHEMA},
        "test": {
            "name": about.name,
            "kind": header.kind,
            "language": test.language,
            "licence": about.licence.name,
            "source": header.source,
            "profile": header.profile,
            "fields": {name: value for name, value in header.fields.items() if name != AS_WRITTEN},
        },
        "fingerprints": {
            "whole": {"paper": facts.paper, "key": facts.key},
            **{
                part.name: {"paper": part.test.facts.paper, "key": part.test.facts.key}
                for part in parts
            },
        },
        "withheld": [part.name for part in parts if part.hidden],
        "screening": asdict(reports.screened) if reports.screened is not None else None,
        "agreement": [asdict(agreed) for agreed in reports.agreed],
        "agreement_covers": asdict(reports.reach) if reports.reach is not None else None,
        "known_faults": faults,
        "not_held": losses,
    }
