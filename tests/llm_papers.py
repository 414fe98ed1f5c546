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


PRICE = "{ input = 10, output = 1000 }"


def configure(folder: Path, url: str, *lines: str, price: str = PRICE) -> None:
    """A readmark.toml with the model m at an address."""
    text = "\n".join(("[models.m]", f'base_url = "{url}"', f"price = {price}", *lines, ""))
    (folder / "readmark.toml").write_text(text, "utf-8")


def sit_paper(
    paper: Path, endpoint: Endpoint, out: Path, *more: str, **traffic: Any
) -> dict[str, Any]:
    name = ",".join((f'model=m,base_url="{endpoint.url}"', *more))
    return sit_by_name(paper, f"llm({name})", out, **traffic)


def sit_by_name(paper: Path, name: str, out: Path, **traffic: Any) -> dict[str, Any]:
    """The rows of a sitting by a candidate."""
    sit(str(paper), name, str(out), traffic=Traffic(**{"attempts": 3, **traffic}))
    sat = open_sitting(out, COMPREHENSION)
    return {id: sat.of(id)[0] for id in sorted(sat)}


def says(answer: str, evidence: str = "") -> str:
    return json.dumps({"answer": answer, "evidence": evidence})
