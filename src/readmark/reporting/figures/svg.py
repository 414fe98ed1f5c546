"""matplotlib's SVG made fit for a page: small, themed by CSS, accessible, equal for equal data."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping, Sequence

from readmark.reporting.page.bilingual import LANGUAGES, Bilingual, Text

_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_NUMBER = re.compile(r"-?\d+\.\d+")
_TOKEN = re.compile(r"@(\d+)@")
_PLAIN_STYLES = ("font-family", "stroke-linejoin", "stroke-miterlimit")
"""What matplotlib says of every element, and the page's style sheet says once."""


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
    for element in root.iter():
        _clean(element, variables)
        link = element.attrib.pop(_LINK, None)
        if link is not None:
            # A page has many plots, and matplotlib's ids are distinct within one of them only.
            id = ids.setdefault(link.removeprefix("#"), f"{name}-m{len(ids)}")
            element.set("href", f"#{id}")
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
    width, height = map(short_number, size)
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
    for part in element.iter():
        part.tag = part.tag.removeprefix(_SVG)
    return ET.tostring(element, encoding="unicode", short_empty_elements=True)


def _labelling(tag: str, id: str, text: Text) -> ET.Element:
    """Title and description have no children, so the page's script changes their language."""
    element = ET.Element(tag, {"id": id})
    if isinstance(text, Bilingual):
        element.set("data-en", text.en)
        element.set("data-zh", text.zh)
        element.text = text.en
    else:
        element.text = text
    return element


def short_number(value: float) -> str:
    """A length in pixels: a hundredth of one cannot be seen, and pages hold thousands of them."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _clean(element: ET.Element, variables: Mapping[str, str]) -> None:
    """Colours become variables, numbers short, and what the style sheet says is left out."""
    styles = []
    for style in filter(None, map(str.strip, element.attrib.pop("style", "").split(";"))):
        key, _, value = style.partition(": ")
        if key not in _PLAIN_STYLES:
            styles.append(f"{key}:{variables.get(value, value)}")
    if styles:
        element.set("style", ";".join(styles))
    if element.get("transform", "").startswith("rotate(-0 "):
        del element.attrib["transform"]
    for key in ("d", "x", "y", "transform", "points"):
        if key in element.attrib:
            short = _NUMBER.sub(lambda match: short_number(float(match[0])), element.attrib[key])
            element.set(key, " ".join(short.split()))
    element.text = (element.text or "").strip() or None
    element.tail = None


def _flat(element: ET.Element, ids: Mapping[str, str]) -> Iterator[ET.Element]:
    """An element without wrappers that say nothing, style sheets and ids that nothing uses."""
    tag = element.tag.removeprefix(_SVG)
    if tag in ("style", "metadata", "clipPath"):
        return  # everything is drawn within its bounds, so nothing has to be cut off
    element.attrib.pop("clip-path", None)
    id = element.attrib.pop("id", None)
    if id is not None and id in ids:
        element.set("id", ids[id])
    parts = [part for child in list(element) for part in _flat(child, ids)]
    if tag in ("g", "defs") and (tag == "g" or not parts) and not element.attrib:
        yield from parts
        return
    element[:] = parts
    yield element


def _set_texts(parts: list[ET.Element], texts: Sequence[Text]) -> None:
    """Every token becomes its text; one in both languages becomes two, of which one is shown."""
    holders: list[list[ET.Element] | ET.Element] = [parts]
    holders += [element for part in parts for element in part.iter()]
    for holder in holders:
        for index in range(len(holder) - 1, -1, -1):
            match = _TOKEN.fullmatch(holder[index].text or "")
            if match is not None:
                holder[index : index + 1] = list(spelt(holder[index], texts[int(match[1])]))


def spelt(bare: ET.Element, text: Text) -> Iterator[ET.Element]:
    """A text element for each language in which a text differs; an empty side has none.

    ``bare`` has the place and the style of all of them.
    """
    if not isinstance(text, Bilingual) or text.en == text.zh:
        element = ET.Element(bare.tag, dict(bare.attrib))
        element.text = text if isinstance(text, str) else text.en
        yield element
        return
    for language in filter(text.in_language, LANGUAGES):
        element = ET.Element(bare.tag, dict(bare.attrib))
        element.set("class", language)
        element.set("lang", "zh-Hans" if language == "zh" else language)
        element.text = text.in_language(language)
        yield element
