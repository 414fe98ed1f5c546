// The texts of an item: one tool each, the selection, and what its events do to marks and tiles.

import { button, element, fill, shorten } from "./elements.js";
import { TextTool } from "./text-tool.js";

const ANSWER_COLOUR = "#2b7de0";

/** Texts by language, side by side; two texts of one language too. */
function columnsOf(texts) {
  const languages = [...new Set(texts.map((text) => text.language))];
  if (languages.length > 1) return languages.map((language) => texts.filter((text) => text.language === language));
  return texts.length === 2 ? texts.map((text) => [text]) : [texts];
}

export class TextPanes {
  #desk; #tools = new Map(); #last = null; #answers; #isActivating = false;
  #relation; // that a target is being picked for

  constructor(desk) {
    this.#desk = desk;
    const { words, view } = desk;
    const categories = Object.values(view.categories);
    this.mode = categories.length && categories.every((category) => category.tiles) ? "tiles" : "marks";
    this.#answers = Object.fromEntries(Object.entries(view.entries).map(([name, entry]) =>
      [`entry:${name}`, { label: entry.label, shortcut: "", colour: ANSWER_COLOUR, attributes: {}, relations: {}, is_entry: true }]));
    const host = document.getElementById("texts");
    const fields = Object.values(view.entries).flatMap((entry) => Object.values(entry.fields));
    const columns = columnsOf(view.texts);
    host.classList.toggle("several", columns.length > 1);
    host.classList.toggle("plain", categories.length === 0 && !fields.some((field) => field.widget.startsWith("span")));
    for (const texts of columns) {
      const column = element("div", { class: "text-column" });
      host.append(column);
      for (const text of texts) {
        const place = element("div");
        const title = text.title || (columns.length > 1 ? words[`language_${text.language.slice(0, 2)}`] : "");
        column.append(element("article", { class: "text-pane", "aria-label": title || words.text }, title && element("h2", { lang: text.title ? text.language : undefined }, title), place));
        this.#build(text, place);
      }
    }
    if (this.mode === "marks" && categories.some((category) => category.tiles)) {
      this.switch = button(words.edit_tiles, () => this.#switchMode(), { class: "quiet small", "aria-pressed": "false" });
    }
  }

  tool(id) { return this.#tools.get(id).tool; }

  #build(text, place) {
    const desk = this.#desk;
    const shown = Object.fromEntries(Object.entries(desk.view.categories).filter(([, category]) => category.tiles === (this.mode === "tiles")));
    const inner = element("div");
    this.#tools.get(text.id)?.tool.destroy();
    place.replaceChildren(inner);
    const tool = new TextTool(inner, { id: text.id, text: text.text, language: text.language, categories: { ...shown, ...this.#answers, ...desk.view.given },
      mode: text.is_editable === false ? "marks" : this.mode, words: desk.words, isEditable: text.is_editable !== false });
    this.#tools.set(text.id, { tool, text, place, points: Array.from(text.text) });
    const on = (name, act) => tool.addEventListener(name, (event) => act(event.detail));
    on("select", (range) => { if (range) this.#last = text.id; desk.showSelection(this.selection); });
    on("activate", ({ id }) => this.#activated(id));
    on("create", ({ start, end, category }) => this.#create(text.id, category, start, end));
    on("change", ({ id, start, end }) => this.#move(id, start, end));
    on("remove", ({ id }) => { if (desk.store.objects.get(id)?.type === "mark") desk.marks.remove(id); });
    on("link", ({ from, to }) => this.#link(from, to));
    on("split", ({ offset }) => this.#split(text.id, offset));
    on("join", ({ offset }) => this.#join(text.id, offset));
  }

  #switchMode() {
    this.mode = this.mode === "tiles" ? "marks" : "tiles";
    this.switch.setAttribute("aria-pressed", String(this.mode === "tiles"));
    for (const { text, place } of [...this.#tools.values()]) this.#build(text, place);
    this.draw();
    this.focus();
  }

  #quote(id, start, end) { return this.#tools.get(id).points.slice(start, end).join(""); }

  /** The selected span, of the text in which something was selected last. */
  get selection() {
    for (const [id, { tool, text }] of [...this.#tools].sort(([a], [b]) => (b === this.#last) - (a === this.#last))) {
      const range = tool.selection;
      if (range && text.is_editable !== false) return { text: id, start: range.start, end: range.end, quote: this.#quote(id, range.start, range.end) };
    }
    return null;
  }

  /** The selected span, which is then no longer selected. */
  takeSelection() {
    const span = this.selection;
    if (span) this.tool(span.text).clearSelection();
    return span;
  }

  /** The text that was used last, else the first that can be edited. */
  focus(options) {
    const all = [...this.#tools.values()];
    (this.#tools.get(this.#last) ?? all.find(({ text }) => text.is_editable !== false) ?? all[0])?.tool.content.focus(options);
  }

  show(span) {
    if (!this.#tools.has(span.text)) return;
    this.#last = span.text;
    this.focus();
    this.tool(span.text).select(span.start, span.end);
  }

  /** Bring a place into view; the focus stays where it is. */
  reveal(place) {
    const tool = this.#tools.get(place.text)?.tool;
    tool?.select(place.start, place.start);
    tool?.view.caret.scrollIntoView({ block: "nearest" });
  }

  /** Show the marks of the store, and the answers of forms. */
  draw() {
    const { marks, entries, view } = this.#desk;
    const all = marks.all.filter(([, mark]) => Boolean(view.categories[mark.category]?.tiles) === (this.mode === "tiles"));
    for (const [id, { tool, text }] of this.#tools) {
      const own = all.filter(([, mark]) => mark.text === id).map(([mark, value]) => ({ ...value, id: mark, proposed: this.#desk.isProposed(mark) }));
      const given = (text.marks ?? []).map((mark, index) => ({ attributes: {}, relations: {}, id: `given-${id}-${index}`, ...mark, given: true }));
      tool.setMarks(this.mode === "tiles" ? [...own, ...(text.is_editable === false ? [] : this.#gaps(id, own))] : [...given, ...own, ...entries.marks(id)]);
    }
  }

  /** What no tile covers yet, so that it can be split too. */
  #gaps(id, tiles) {
    const { points } = this.#tools.get(id);
    const gaps = [];
    let before = 0;
    for (const { start, end } of [...tiles, { start: points.length, end: points.length }]) {
      if (points.slice(before, start).join("").trim()) gaps.push({ id: `gap-${before}`, category: this.#tileCategory, start: before, end: start, attributes: {}, relations: {}, given: true });
      before = Math.max(before, end);
    }
    return gaps;
  }

  get #tileCategory() { return Object.entries(this.#desk.view.categories).find(([, category]) => category.tiles)?.[0]; }

  /** Mark the selection. */
  create(category) {
    const span = this.selection;
    if (span) this.#create(span.text, category, span.start, span.end);
    else {
      this.#desk.announce(this.#desk.words.select_first);
      this.focus();
    }
  }

  #create(text, category, start, end) {
    const { view, marks, words, isReadOnly } = this.#desk;
    if (isReadOnly || !view.categories[category]) return;
    const quote = this.#quote(text, start, end);
    const id = marks.make(text, category, start, end, quote);
    this.#desk.settle();
    this.tool(text).clearSelection();
    this.activate(id);
    this.#desk.announce(fill(words.marked, { category: view.categories[category].label, quote: shorten(quote, 40) }));
  }

  #move(id, start, end) {
    const { store, isReadOnly } = this.#desk;
    const mark = store.objects.get(id);
    if (mark?.type === "mark" && !isReadOnly) store.put(id, { ...mark, start, end, quote: this.#quote(mark.text, start, end) });
  }

  #tiles(text) {
    return this.#desk.marks.all.filter(([, mark]) => mark.text === text && this.#desk.view.categories[mark.category]?.tiles);
  }

  #split(text, offset) {
    const { store, marks, words, isReadOnly } = this.#desk;
    if (isReadOnly) return;
    const tiles = this.#tiles(text);
    const [id, tile] = tiles.find(([, mark]) => mark.start < offset && offset < mark.end) ?? [null, null];
    const gap = !tile && this.#gaps(text, tiles.map(([, mark]) => mark)).find(({ start, end }) => start < offset && offset < end);
    const { start, end, category } = tile ?? gap ?? {};
    if (!category) return;
    store.change(() => {
      if (tile) this.#move(id, start, offset);
      else marks.make(text, category, start, offset, this.#quote(text, start, offset));
      marks.make(text, category, offset, end, this.#quote(text, offset, end));
    }, words.split);
  }

  #join(text, offset) {
    const { store, words, isReadOnly } = this.#desk;
    const before = this.#tiles(text).find(([, mark]) => mark.end === offset);
    const after = this.#tiles(text).find(([, mark]) => mark.start === offset);
    if (isReadOnly || !before || !after) return;
    store.change(() => {
      store.remove(after[0]);
      this.#move(before[0], before[1].start, after[1].end);
    }, words.join);
  }

  /** A mark got the focus in a text: edit it in the list, or open the form whose answer it is. */
  #activated(id) {
    if (this.#isActivating) return;
    const { entries, marks } = this.#desk;
    const entry = id && entries.all.find(([entry]) => id.startsWith(`${entry}/`));
    if (entry) entries.activate(entry[0], false);
    else if (marks.active !== id) marks.activate(id);
  }

  /** Give a mark the focus in its text and in the list; null takes it away. */
  activate(id) {
    const mark = id && this.#desk.store.objects.get(id);
    if (mark) this.#last = mark.text;
    this.#isActivating = true;
    for (const [text, { tool }] of this.#tools) tool.activate(mark?.text === text ? id : null);
    this.#isActivating = false;
    this.#desk.marks.activate(id);
  }

  /** Let the annotator choose the target of a relation in the text. */
  pickTarget(from, relation) {
    const tool = this.tool(this.#desk.store.objects.get(from).text);
    this.#relation = relation;
    tool.content.focus();
    tool.activate(from);
    tool.startLinking();
  }

  #link(from, to) {
    const { marks, words } = this.#desk;
    const isLinked = marks.link(from, to, this.#relation) || marks.link(from, to);
    this.#relation = undefined;
    this.#desk.announce(isLinked ? fill(words.linked, { target: this.#desk.nameOf(to) }) : words.cannot_link);
  }
}
