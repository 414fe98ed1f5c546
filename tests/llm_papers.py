"""Tests that `llm` sits against an endpoint on loopback."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from llm_endpoint import Endpoint
from readmark.comprehension.kind import COMPREHENSION
from readmark.core.traffic import Traffic
from readmark.formats.registry import open_sitting
from readmark.sitting.runner import sit

BUNDLE = Path(__file__).resolve().parents[1] / "src" / "readmark" / "bundle"
SECRET = "sk-never-to-be-seen-4711"


def sit_paper(
    paper: Path, endpoint: Endpoint, out: Path, *more: str, **traffic: Any
) -> dict[str, Any]:
    name = ",".join((f'model=m,base_url="{endpoint.url}"', *more))
    sit(str(paper), f"llm({name})", str(out), traffic=Traffic(**{"attempts": 3, **traffic}))
    sat = open_sitting(out, COMPREHENSION)
    return {id: sat.of(id)[0] for id in sorted(sat)}


def says(answer: str, evidence: str = "") -> str:
    return json.dumps({"answer": answer, "evidence": evidence})
