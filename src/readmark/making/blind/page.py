"""The page that an annotator reads: instructions, passages and questions, in any browser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

from readmark.core.language import primary
from readmark.core.records import Passage

_WORDS = {
    "en": {"passage": "Passage {} of {}", "sheet": "Questions", "title": "Reading"},
    "zh": {"passage": "第 {} 篇，共 {} 篇", "sheet": "问题", "title": "阅读"},
}
_ITEM = re.compile(r"^- ", re.MULTILINE)


def reading_page(papers: Sequence[Passage], name: str, language: str, guide: str) -> str:
    """The passages of an annotator, each with its questions under the ids of the sheet."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("readmark.making.blind", "data"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["coded"] = lambda text: text.split("`")
    first, *items = _ITEM.split(guide)
    heading, _, introduction = first.partition("\n")
    return environment.get_template("page.html").render(
        papers=papers,
        name=name,
        language=language,
        words=_WORDS[_page_language(language)],
        heading=heading.removeprefix("# "),
        introduction=introduction.strip(),
        items=[item.strip() for item in items],
        primary=primary,
    )


def instructions(language: str, *, page: str, sheet: str) -> str:
    """The instructions, in Chinese for Chinese tests and in English for all others."""
    name = f"instructions.{_page_language(language)}.md"
    data = files("readmark.making.blind").joinpath("data", name)
    return data.read_text(encoding="utf-8").format(page=page, sheet=sheet)


def _page_language(language: str) -> str:
    return "zh" if language == "zh" else "en"
