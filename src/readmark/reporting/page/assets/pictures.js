// "Save picture" under every figure: the plot as an SVG file that stands alone, for slides.

const HIDDEN_LANGUAGE = { en: ".zh", zh: ".en" };

const SVG = "http://www.w3.org/2000/svg";
const LINE = 18;

// The page's colours stand for its variables, and what is not shown in this language is left out.
// The caption stands over the plot, and the part's legend under it.
function standalonePlot(figure) {
  const plot = figure.querySelector(".plot");
  const copy = plot.cloneNode(true);
  for (const other of copy.querySelectorAll(HIDDEN_LANGUAGE[language()])) other.remove();
  for (const link of copy.querySelectorAll("a")) link.replaceWith(...link.childNodes);
  const [, , width, height] = copy.getAttribute("viewBox").split(" ").map(Number);
  const part = figure.closest(".part, .overview");
  const keys = part ? [...part.querySelectorAll(".legend li")] : [];
  const drawn = document.createElementNS(SVG, "g");
  drawn.setAttribute("transform", `translate(0 ${LINE + 6})`);
  drawn.append(...[...copy.childNodes].filter((node) => !/^(title|desc)$/i.test(node.nodeName)));
  const whole = LINE + 6 + height + keys.length * LINE + 6;
  const paper = document.createElementNS(SVG, "rect");
  paper.setAttribute("width", width);
  paper.setAttribute("height", whole);
  paper.setAttribute("style", `fill:${getComputedStyle(document.body).backgroundColor}`);
  copy.prepend(paper);
  copy.append(lineOfText(caption(figure), LINE - 4, "var(--ink)", "600"), drawn);
  keys.forEach((key, index) => {
    const sign = key.querySelector(".sign");
    const y = LINE + 6 + height + (index + 1) * LINE - 4;
    const words = [...key.children].map((child) => child.innerText).join(" ");
    copy.append(lineOfText(words, y, sign ? getComputedStyle(sign).color : "var(--ink)", "400"));
  });
  copy.removeAttribute("class");
  copy.setAttribute("viewBox", `0 0 ${width} ${whole}`);
  copy.setAttribute("height", whole);
  copy.setAttribute("style", `font-family:${getComputedStyle(plot).fontFamily}`);
  const root = getComputedStyle(document.documentElement);
  return new XMLSerializer().serializeToString(copy).replace(/var\((--[\w-]+)\)/g,
    (whole, name) => root.getPropertyValue(name).trim() || whole);
}

function lineOfText(words, y, colour, weight) {
  const text = document.createElementNS(SVG, "text");
  text.setAttribute("x", 4);
  text.setAttribute("y", y);
  text.setAttribute("style", `font-size:12px;font-weight:${weight};fill:${colour}`);
  text.textContent = words.replace(/\s+/g, " ").trim();
  return text;
}

function caption(figure) {
  return figure.querySelector("figcaption").innerText;
}

// A file's name out of a caption; what no system allows in one is left out.
function pictureName(words) {
  return `${words.trim().replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "") || "picture"}.svg`;
}

function savePicture(figure) {
  const address = URL.createObjectURL(
    new Blob([standalonePlot(figure)], { type: "image/svg+xml" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = pictureName(caption(figure));
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

function addSaveButtons(place) {
  for (const button of place.querySelectorAll("figure > .save[hidden]")) {
    button.hidden = false;
    button.addEventListener("click", () => savePicture(button.closest("figure")));
  }
}
