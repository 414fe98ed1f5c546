// Relations between marks, drawn as arrows over a text.

const SVG = "http://www.w3.org/2000/svg";
let made = 0;

function draw(tag, attributes, parent) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  parent?.append(element);
  return element;
}

export class TextLinks {
  constructor(page) {
    this.arrow = `tt-arrow-${(made += 1)}`;
    this.svg = draw("svg", { class: "tt-links", "aria-hidden": "true" }, page);
    const marker = draw(
      "marker",
      { id: this.arrow, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto", markerUnits: "userSpaceOnUse" },
      draw("defs", {}, this.svg),
    );
    draw("path", { d: "M0 0L8 4L0 8z", class: "tt-arrowhead" }, marker);
    this.group = draw("g", {}, this.svg);
    this.signature = "";
  }

  /** Draw arrows: [{from, to, label, classes}], where from and to are boxes of marks. */
  show(arrows) {
    const signature = JSON.stringify(arrows);
    if (signature === this.signature) return;
    this.signature = signature;
    this.group.replaceChildren();
    for (const { from, to, label, classes } of arrows) {
      const rise = Math.min(40, 18 + Math.abs(to.x - from.x) * 0.06);
      const d = `M${from.x} ${from.top}C${from.x} ${from.top - rise} ${to.x} ${to.top - rise} ${to.x} ${to.top - 1}`;
      draw("path", { d, class: `tt-link ${classes}`, "marker-end": `url(#${this.arrow})` }, this.group);
      const text = draw(
        "text",
        { x: (from.x + to.x) / 2, y: (from.top + to.top) / 2 - rise * 0.75 + 4, class: "tt-link-label" },
        this.group,
      );
      text.textContent = label;
    }
  }
}
