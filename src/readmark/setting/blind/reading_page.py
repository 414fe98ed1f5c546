"""The page that an annotator reads: instructions, passages and questions, in any browser.

It has no scripts and asks nothing of any network.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib.resources import files

from readmark.corpus.language import primary
from readmark.corpus.values import Passage

_WORDS = {
    "en": {"passage": "Passage {} of {}", "sheet": "Questions", "title": "Reading"},
    "zh": {"passage": "第 {} 篇，共 {} 篇", "sheet": "问题", "title": "阅读"},
}
_ITEM = re.compile(r"^- ", re.MULTILINE)


def reading_page(papers: Sequence[Passage], name: str, language: str, told: str) -> str:
    """The passages that somebody reads, each with its questions under the ids of the sheet."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("readmark.setting.blind", "data"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["coded"] = lambda text: text.split("`")
    heading, introduction, *items = _parts(told)
    return environment.get_template("page.html").render(
        papers=papers,
        name=name,
        language=language,
        words=_WORDS[_spoken(language)],
        heading=heading,
        introduction=introduction,
        items=items,
        primary=primary,
    )


def instructions(language: str, *, page: str, sheet: str) -> str:
    """What to do, in the language of the test."""
    data = files("readmark.setting.blind").joinpath("data", f"instructions.{_spoken(language)}.md")
    return data.read_text(encoding="utf-8").format(page=page, sheet=sheet)


def _parts(told: str) -> list[str]:
    """The heading, the paragraph under it, and the items of the instructions."""
    first, *items = _ITEM.split(told)
    heading, _, introduction = first.partition("\n")
    return [heading.removeprefix("# "), introduction.strip(), *(one.strip() for one in items)]


def _spoken(language: str) -> str:
    return "zh" if language == "zh" else "en"
