"""matplotlib's SVG made fit for a page: small, themed by CSS, accessible, equal for equal data."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from readmark.reporting.page.words import LANGUAGES, Both, Text

if TYPE_CHECKING:
    pass


_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+\.\d+")
_TOKEN = re.compile(r"@(\d+)@")
_PLAIN_STYLES = ("font-family", "stroke-linejoin", "stroke-miterlimit")


def finished(
    drawn: bytes,
    *,
    name: str,
    colours: Mapping[str, str],
    texts: Sequence[Text],
    title: Text,
    description: Text,
) -> str:
    """The SVG element: colours by variable, texts in both languages, title and description."""
    root = ET.fromstring(drawn)
    variables = {code: f"var(--{variable})" for variable, code in colours.items()}
    ids: dict[str, str] = {}
    for one in root.iter():
        _clean(one, variables)
        link = one.attrib.pop(_LINK, None)
        if link is not None:
            used = ids.setdefault(link.removeprefix("#"), f"{name}-m{len(ids)}")
            one.set("href", f"#{used}")
    body = [part for child in root for part in _flat(child, ids)]
    _set_texts(body, texts)
    _, _, width, height = (float(number) for number in root.attrib["viewBox"].split())
    return labelled_svg(name, (width, height), body, title, description)


def labelled_svg(
    name: str,
    size: tuple[float, float],
    body: Sequence[ET.Element],
    title: Text,
    description: Text,
) -> str:
    """An SVG element of some size, with its title and description."""
    width, height = (f"{number:.2f}".rstrip("0").rstrip(".") for number in size)
    frame = {
        "class": "plot",
        "viewBox": f"0 0 {width} {height}",
        "width": width,
        "height": height,
        "role": "img",
        "aria-labelledby": f"{name}-t {name}-d",
    }
    element = ET.Element("svg", frame)
    element.append(_labelling("title", f"{name}-t", title))
    element.append(_labelling("desc", f"{name}-d", description))
    element.extend(body)
    for one in element.iter():
        one.tag = one.tag.removeprefix(_SVG)
    return ET.tostring(element, encoding="unicode", short_empty_elements=True)


def _labelling(tag: str, id: str, text: Text) -> ET.Element:
    """Title and description have no children, so the page's script changes their language."""
    element = ET.Element(tag, {"id": id})
    if isinstance(text, Both):
        element.set("data-en", text.en)
        element.set("data-zh", text.zh)
        element.text = text.en
    else:
        element.text = text
    return element


def _clean(one: ET.Element, variables: Mapping[str, str]) -> None:
    style = one.attrib.pop("style", "")
    kept = []
    for part in filter(None, (part.strip() for part in style.split(";"))):
        key, _, value = part.partition(": ")
        if key not in _PLAIN_STYLES:
            kept.append(f"{key}:{variables.get(value, value)}")
    if kept:
        one.set("style", ";".join(kept))
    if one.get("transform", "").startswith("rotate(-0 "):
        del one.attrib["transform"]
    for key in ("d", "x", "y", "transform", "points"):
        if key in one.attrib:
            short = _NUMBER.sub(_short, one.attrib[key])
            one.set(key, " ".join(short.split()))
    one.text = (one.text or "").strip() or None
    one.tail = None


def _short(found: re.Match[str]) -> str:
    return f"{float(found[0]):.2f}".rstrip("0").rstrip(".")


def _flat(one: ET.Element, ids: Mapping[str, str]) -> Iterator[ET.Element]:
    """An element without wrappers that say nothing, style sheets and ids that nothing uses."""
    tag = one.tag.removeprefix(_SVG)
    if tag in ("style", "metadata", "clipPath"):
        return  # everything is drawn within its bounds, so nothing has to be cut off
    one.attrib.pop("clip-path", None)
    id = one.attrib.pop("id", None)
    if id is not None and id in ids:
        one.set("id", ids[id])
    parts = [part for child in list(one) for part in _flat(child, ids)]
    if tag in ("g", "defs") and (tag == "g" or not parts) and not one.attrib:
        yield from parts
        return
    one[:] = parts
    yield one


def _set_texts(parts: list[ET.Element], texts: Sequence[Text]) -> None:
    """Every token becomes its text; one in both languages becomes two, of which one is shown."""
    holders: list[list[ET.Element] | ET.Element] = [parts]
    holders += [element for part in parts for element in part.iter()]
    for holder in holders:
        for index in range(len(holder) - 1, -1, -1):
            match = _TOKEN.fullmatch(holder[index].text or "")
            if match is not None:
                holder[index : index + 1] = list(spelt(holder[index], texts[int(match[1])]))


def spelt(one: ET.Element, text: Text) -> Iterator[ET.Element]:
    """A text element for each language in which a text differs; an empty side has none."""
    if not isinstance(text, Both) or text.en == text.zh:
        said = text if isinstance(text, str) else text.en
        yield _text(one, said, None)
        return
    for language in filter(text.in_language, LANGUAGES):
        yield _text(one, text.in_language(language), language)


def _text(one: ET.Element, said: str, language: str | None) -> ET.Element:
    made = ET.Element(one.tag, dict(one.attrib))
    if language is not None:
        made.set("class", language)
        made.set("lang", "zh-Hans" if language == "zh" else language)
    made.text = said
    return made
