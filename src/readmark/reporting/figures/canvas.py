"""A drawing surface in pixels over matplotlib: places, texts in both languages, then SVG.

Texts are put in as short tokens and set in place after drawing. So no font of the machine and no
``$`` of a candidate's name has a say in the layout, and equal data give equal bytes.
"""

from __future__ import annotations

import io
import logging
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from readmark.core.label_widths import COLUMN, columns, lines
from readmark.reporting.page.words import LANGUAGES, Both, Text

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def width(text: Text) -> float:
    """About how wide a text is, in pixels."""
    sides = (text.en, text.zh) if isinstance(text, Both) else (text,)
    return max(map(columns, sides)) * COLUMN


def wrapped(text: Text, width: float, most: int) -> tuple[list[str], ...]:
    """The lines of a label that fit a width, for each language where they differ."""
    if isinstance(text, Both) and text.en != text.zh:
        return lines(text.en, width, most), lines(text.zh, width, most)
    return (lines(text.en if isinstance(text, Both) else text, width, most),)


SHAPES = ("o", "s", "D", "^", "v", "P")
SIGNS = ("●", "■", "◆", "▲", "▼", "✚")
LOOKS = len(SHAPES)


@dataclass(frozen=True, slots=True)
class Look:
    """One candidate's look: a colour of the style sheet, a marker, and its sign in text."""

    colour: str
    marker: str
    sign: str
    hollow: bool = False


PEOPLE = Look("people", "o", "○", hollow=True)


def series(at: int) -> Look:
    """The look of a candidate; the seventh has the first one's colour and a hollow shape."""
    one = at % LOOKS
    return Look(f"s{one + 1}", SHAPES[one], SIGNS[one], hollow=(at // LOOKS) % 2 == 1)


# matplotlib's SVG made fit for a page: small, themed by CSS, accessible, equal for equal data.


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


COLOURS = {
    "ink": "#000001",
    "muted": "#000002",
    "rule": "#000003",
    "paper": "#000004",
    "people": "#000005",
    **{f"s{n}": f"#00001{n}" for n in range(1, 7)},
}
"""The style sheet's variables, and the stand-ins that matplotlib draws with."""

WIDTH = 360.0
SMALL, PLAIN = 10.0, 11.5

_RC: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "readmark",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "path.simplify": False,
    "axes.unicode_minus": True,
    "text.parse_math": False,
}


class Canvas:
    """One plot; ``x`` grows to the right and ``y`` downwards, in pixels."""

    def __init__(self, name: str, height: float, *, width: float = WIDTH) -> None:
        logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells of its font cache
        from matplotlib.figure import Figure

        self.name = name
        self.width, self.height = width, height
        self.figure = Figure(figsize=(width / 72, height / 72), dpi=72)
        self.figure.patch.set_visible(False)
        self._texts: list[Text] = []

    def axes(self, left: float, top: float, right: float, bottom: float) -> Axes:
        """A plotting area between four edges, bare but for a rule at its foot."""
        where = (
            left / self.width,
            1 - bottom / self.height,
            (right - left) / self.width,
            (bottom - top) / self.height,
        )
        axes = self.figure.add_axes(where)
        axes.patch.set_visible(False)
        for side in ("top", "left", "right"):
            axes.spines[side].set_visible(False)
        axes.spines["bottom"].set_color(COLOURS["muted"])
        axes.spines["bottom"].set_linewidth(0.8)
        axes.tick_params(
            length=3,
            width=0.8,
            labelsize=SMALL,
            color=COLOURS["muted"],
            labelcolor=COLOURS["muted"],
        )
        return axes

    def text(
        self,
        x: float,
        y: float,
        text: Text,
        *,
        align: str = "left",
        colour: str = "ink",
        size: float = PLAIN,
        turned: bool = False,
    ) -> None:
        """A text whose baseline starts, ends or has its middle at a place."""
        self.figure.text(
            x / self.width,
            1 - y / self.height,
            self.token(text),
            ha=align,
            va="baseline",
            color=COLOURS[colour],
            fontsize=size,
            rotation=90 if turned else 0,
            rotation_mode="anchor",
        )

    def token(self, text: Text) -> str:
        """A stand-in for a text."""
        self._texts.append(text)
        return f"@{len(self._texts) - 1}@"

    def svg(self, title: Text, description: Text) -> str:
        """The plot as an SVG element that says what it shows."""
        import matplotlib
        from matplotlib.backends.backend_svg import FigureCanvasSVG

        stream = io.BytesIO()
        with matplotlib.rc_context(_RC):
            FigureCanvasSVG(self.figure)
            undated = {"Date": None, "Creator": None, "Format": None, "Type": None}
            self.figure.savefig(stream, format="svg", metadata=undated)
        return finished(
            stream.getvalue(),
            name=self.name,
            colours=COLOURS,
            texts=self._texts,
            title=title,
            description=description,
        )


def ticks(axis: Any, values: Sequence[float], spell: Callable[[float], str]) -> None:
    """Ticks at these values."""
    axis.set_ticks(list(values), labels=[spell(value) for value in values])


def nice(low: float, high: float, *, most: int = 5) -> list[float]:
    """Round values that cover a range."""
    from matplotlib.ticker import MaxNLocator

    locator = MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10])
    return [float(value) for value in locator.tick_values(low, high)]
