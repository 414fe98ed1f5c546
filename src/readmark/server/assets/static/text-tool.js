// The tool for work on a text: a caret, a selection, marks with an active one, links, tiles.
// It shows what it is given and reports what the person wants as events; it changes no mark itself.
// Offsets are code points in the interface and UTF-16 indices inside.

import { CodePoints } from "./codepoints.js";
import { addHelp, addToggle } from "./text-bar.js";
import { TextLinks } from "./text-links.js";
import { MarkList, linksOf } from "./text-marks.js";
import { TextUnits } from "./text-units.js";
import { TextView, make } from "./text-view.js";

const COLOURS = ["#1f6fb2", "#b3541e", "#2c7a3f", "#8a3ea8", "#a8283a", "#0f7c7c", "#8a6d00", "#5a5fd0"];
const BY_WORD = /^(?!zh|ja|ko|th)/i;
const KEYS = new Map(
  Object.entries({
    "[": "previous", "【": "previous", "]": "next", "】": "next",
    ",": "startBack", "，": "startBack", ".": "startOn", "。": "startOn",
    "<": "endBack", "《": "endBack", ">": "endOn", "》": "endOn",
    "-": "link", "－": "link", "=": "selectMark", "＝": "selectMark",
    Enter: "enter", Delete: "remove", Backspace: "remove", Escape: "escape", " ": "tile",
  }),
);
const painted = globalThis.Highlight ? new Highlight() : null;
if (painted) CSS.highlights.set("tt-selection", painted);

export class TextTool extends EventTarget {
  #marks = new MarkList((mark) => this.mode === "tiles" && Boolean(this.categories[mark.category]?.tiles));
  #anchor = 0;
  #focus = 0;
  #after = false; // the caret is at the end of a wrapped row, not at the beginning of the next
  #column = null; // where arrows up and down aim at
  #active = null;
  #target = null; // while linking: the mark that Enter links to, or undefined for none yet
  #isLinking = false;
  #allLinks = false;
  #pressed = null; // where a drag began
  #range = null;

  constructor(element, { id, text, language, categories = {}, mode = "marks", words = {}, isEditable = true }) {
    super();
    this.id = id;
    this.text = text;
    this.mode = mode;
    this.categories = categories;
    this.words = words;
    this.isEditable = isEditable;
    this.colours = new Map(
      Object.entries(categories).map(([name, { colour }], number) => [name, colour || COLOURS[number % COLOURS.length]]),
    );
    this.unit = mode === "marks" && BY_WORD.test(language) ? "word" : "character";
    this.points = new CodePoints(text);
    this.units = new TextUnits(text, language);
    this.#build(element, language);
    this.view = new TextView(this.content, this.units);
    this.links = new TextLinks(this.view.page);
    this.#listen();
  }

  #build(element, language) {
    this.element = element;
    element.classList.add("text-tool", `tt-mode-${this.mode}`);
    const bar = make("div", "tt-bar", element);
    const say = (name) => this.#say(name);
    addToggle(bar, say("text_by_character"), this.unit === "character", (isOn) => {
      this.unit = isOn ? "character" : "word";
    });
    if (Object.values(this.categories).some((category) => Object.keys(category.relations ?? {}).length)) {
      this.linksButton = addToggle(bar, say("text_all_links"), false, (isOn) => this.showAllLinks(isOn));
    }
    addHelp(bar, say, this.mode);
    this.content = make("div", "tt-content", element);
    this.content.tabIndex = 0;
    this.content.lang = language === "zh" ? "zh-Hans" : language;
    this.content.setAttribute("role", "application");
    this.content.setAttribute("aria-roledescription", this.#say("text_role"));
    this.content.setAttribute("aria-label", this.#say("text_label"));
    const hint = make("div", "tt-live", element);
    hint.textContent = this.#say("text_hint");
    hint.id = `tt-hint-${this.id}`;
    this.content.setAttribute("aria-describedby", hint.id);
    this.live = make("div", "tt-live", element);
    this.live.setAttribute("aria-live", "polite");
  }

  #say(name, values = {}) {
    return (this.words[name] ?? name).replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
  }

  #listen() {
    const signal = (this.stop = new AbortController()).signal;
    this.content.addEventListener("keydown", (event) => this.#onKey(event), { signal });
    this.content.addEventListener("mousedown", (event) => this.#onMouseDown(event), { signal });
    this.content.addEventListener("click", (event) => this.#onClick(event), { signal });
    this.content.addEventListener("copy", (event) => this.#onCopy(event), { signal });
    this.content.addEventListener("focus", () => this.#drawCaret(false), { signal });
    document.addEventListener("pointermove", (event) => this.#onPointerMove(event), { signal, passive: true });
    document.addEventListener("pointerup", (event) => this.#onPointerUp(event), { signal });
    document.addEventListener("selectionchange", () => this.#onNativeSelection(), { signal });
    let width = this.view.page.clientWidth;
    this.resizing = new ResizeObserver(() => {
      if (this.view.page.clientWidth === width) return;
      width = this.view.page.clientWidth;
      this.#redrawAll();
    });
    this.resizing.observe(this.view.page);
    if (document.fonts?.status === "loading") document.fonts.ready.then(() => this.#redrawAll());
  }

  destroy() {
    this.stop.abort();
    this.resizing.disconnect();
    if (this.#range) painted?.delete(this.#range);
    this.element.replaceChildren();
  }

  // Marks

  setMarks(marks) {
    const converted = marks.map((mark) => {
      const start = this.points.toUtf16(mark.start);
      return { ...mark, start, end: Math.max(start, this.points.toUtf16(mark.end)) };
    });
    const touched = this.#marks.replace(converted);
    if (this.#active !== null && !this.#marks.get(this.#active)) this.#setActive(null);
    if (this.#target && !this.#marks.get(this.#target)) this.#target = undefined;
    this.#drawMarks(touched);
  }

  #blocksOf(marks) {
    const blocks = new Set();
    for (const mark of marks) {
      const last = this.units.lineAt(Math.max(mark.start, mark.end - 1));
      for (let number = this.units.lineAt(mark.start); number <= last; number++) blocks.add(this.view.blocks[number]);
    }
    return blocks;
  }

  #drawMarks(marks) {
    const blocks = this.#blocksOf(marks);
    this.view.draw(blocks, this.#marks, (mark) => this.#look(mark));
    this.#drawLinks();
    if (blocks.size) this.#drawCaret(false);
  }

  #look(mark) {
    const category = this.categories[mark.category] ?? {};
    const isTile = this.#marks.isTile(mark);
    const classes = [
      isTile && "tt-tile",
      mark.given && "tt-given",
      mark.proposed && "tt-proposed",
      mark.isCurrent && "tt-current",
      mark.id === this.#active && "tt-active",
      this.#isLinking && mark.id === this.#target && "tt-target",
    ];
    return {
      label: mark.label ?? (isTile ? "" : category.label || mark.category),
      colour: this.colours.get(mark.category) ?? COLOURS[0],
      classes: classes.filter(Boolean).join(" "),
    };
  }

  #redrawAll() {
    this.view.forgetBoxes();
    this.#drawMarks(this.#marks.ordered);
    this.#drawCaret(false);
  }

  #drawLinks() {
    const shown = [];
    for (const mark of this.#marks.ordered) {
      for (const link of linksOf(mark)) {
        const isNear = link.from === this.#active || link.to === this.#active;
        if (isNear || this.#allLinks) shown.push({ ...link, classes: isNear ? "tt-near" : "" });
      }
    }
    if (this.#isLinking && this.#target) shown.push({ from: this.#active, to: this.#target, name: "", classes: "tt-draft" });
    const arrows = shown.flatMap(({ from, to, name, classes }) => {
      const source = this.#marks.get(from);
      const target = this.#marks.get(to);
      const ends = source && target && [this.view.anchor(source), this.view.anchor(target)];
      if (!ends?.[0] || !ends[1]) return [];
      const label = name && (this.categories[source.category]?.relations?.[name]?.label || name);
      return [{ from: ends[0], to: ends[1], label, classes }];
    });
    this.links.show(arrows);
  }

  focus() {
    this.content.focus({ preventScroll: true });
  }

  showAllLinks(isOn) {
    this.#allLinks = isOn;
    this.linksButton?.setAttribute("aria-pressed", String(isOn));
    this.#drawLinks();
  }

  // The active mark

  get active() {
    return this.#active;
  }

  activate(id) {
    const mark = id === null ? null : this.#marks.get(id);
    if (mark === undefined) return;
    if (mark) this.#setSelection(mark.start, mark.start, { keepsActive: true });
    this.#setActive(id);
  }

  #setActive(id) {
    if (id === this.#active) return;
    const before = this.#marks.get(this.#active);
    this.#stopLinking();
    this.#active = id;
    const mark = this.#marks.get(id);
    this.#drawMarks([before, mark].filter(Boolean));
    if (mark) this.#announceMark(mark);
    this.#emit("activate", { id });
  }

  #announceMark(mark) {
    const number = this.#marks.ordered.indexOf(mark) + 1;
    const links = linksOf(mark).map(({ to, name }) => {
      const target = this.#marks.get(to);
      const label = this.categories[mark.category]?.relations?.[name]?.label || name;
      return target ? `${label}: ${this.text.slice(target.start, target.end)}` : label;
    });
    const label = this.#look(mark).label || this.categories[mark.category]?.label || mark.category;
    const quote = this.text.slice(mark.start, mark.end);
    this.#announce([this.#say("text_mark", { label, quote, number, count: this.#marks.ordered.length }), ...links].join("; "));
  }

  #walk(direction) {
    const marks = this.#isLinking ? this.#candidates() : this.#marks.ordered;
    if (!marks.length) return;
    const current = this.#isLinking ? this.#target : this.#active;
    let index = marks.findIndex((mark) => mark.id === current);
    if (index >= 0) index += direction;
    else {
      const place = this.#isLinking ? this.#marks.get(this.#active).start : this.#focus;
      index = marks.findIndex((mark) => mark.start >= place);
      if (index < 0) index = marks.length;
      if (direction < 0) index -= 1;
    }
    const mark = marks[Math.min(Math.max(index, 0), marks.length - 1)];
    if (this.#isLinking) this.#setTarget(mark.id);
    else this.activate(mark.id);
  }

  /** Activate the innermost mark at the caret; then, again and again, the marks around it. */
  #activateHere() {
    const here = this.#marks.at(this.#focus);
    if (!here.length) return false;
    const index = here.findIndex((mark) => mark.id === this.#active);
    this.#setActive(here[(index + 1) % here.length].id);
    return true;
  }

  /** Marks that the item brings, and answers that forms hold, can be activated only. */
  #canChange(mark) {
    return Boolean(mark) && this.isEditable && !mark.given && !this.categories[mark.category]?.is_entry;
  }

  #moveEdge(edge, direction, unit) {
    const mark = this.#marks.get(this.#active);
    if (!this.#canChange(mark)) return;
    let { start, end } = mark;
    if (edge === "start") start = this.units.step(start, direction, unit, end);
    else end = this.units.step(end, direction, unit, start);
    if (start >= end || (start === mark.start && end === mark.end)) return;
    this.#emit("change", { id: mark.id, ...this.#span(start, end) });
    this.#announce(this.text.slice(start, end));
  }

  // Links

  #relationsTo(category) {
    const from = this.#marks.get(this.#active);
    const relations = Object.entries(this.categories[from?.category]?.relations ?? {});
    return relations.filter(([, relation]) => !relation.to?.length || relation.to.includes(category)).map(([name]) => name);
  }

  #candidates() {
    return this.#marks.ordered.filter((mark) => mark.id !== this.#active && this.#relationsTo(mark.category).length);
  }

  /** Let the person choose the mark that the active one is linked to. */
  startLinking() {
    if (!this.#canChange(this.#marks.get(this.#active)) || !this.#candidates().length) {
      this.#announce(this.#say("text_no_link"));
      return;
    }
    this.#isLinking = true;
    this.#target = undefined;
    this.element.classList.add("tt-linking");
    this.#announce(this.#say("text_linking"));
    this.#walk(-1);
  }

  #setTarget(id) {
    const before = this.#marks.get(this.#target);
    const mark = this.#marks.get(id);
    this.#target = id;
    this.#drawMarks([before, mark].filter(Boolean));
    if (!mark) return;
    this.view.showCaret(mark.start, false, true);
    this.#announceMark(mark);
  }

  #stopLinking() {
    if (!this.#isLinking) return;
    this.#isLinking = false;
    this.element.classList.remove("tt-linking");
    this.#setTarget(null);
  }

  #linkTarget() {
    if (this.#target) this.#link(this.#target);
  }

  #link(to) {
    const from = this.#active;
    const relations = this.#relationsTo(this.#marks.get(to).category);
    this.#stopLinking();
    this.#drawCaret(false);
    if (to !== from && relations.length) this.#emit("link", { from, to, relations });
  }

  // Selection

  get selection() {
    if (this.#anchor === this.#focus) return null;
    return this.#span(Math.min(this.#anchor, this.#focus), Math.max(this.#anchor, this.#focus));
  }

  #span(start, end) {
    const quote = this.text.slice(start, end);
    return { start: this.points.toCodePoints(start), end: this.points.toCodePoints(end), quote };
  }

  select(start, end) {
    this.#setSelection(this.points.toUtf16(start), this.points.toUtf16(end));
  }

  clearSelection() {
    this.#setSelection(this.#focus, this.#focus);
  }

  #setSelection(anchor, focus, { after = false, keepsActive = false, isScrolling = true, isNative = false } = {}) {
    const before = this.selection;
    [this.#anchor, this.#focus, this.#after] = [anchor, focus, after];
    this.#paint(isNative);
    this.#drawCaret(isScrolling);
    const active = this.#marks.get(this.#active);
    const [low, high] = anchor < focus ? [anchor, focus] : [focus, anchor];
    if (active && !keepsActive && !this.#isLinking && (low < active.start || high > active.end)) this.#setActive(null);
    const selection = this.selection;
    if (before?.start === selection?.start && before?.end === selection?.end) return;
    this.#emit("select", selection);
    if (selection) this.#announce(this.#say("text_selected", { quote: this.text.slice(low, high) }));
  }

  /** Show the selection; the browser's own follows, for copying and for screen readers. */
  #paint(isNative) {
    const [low, high] = [this.#anchor, this.#focus].sort((a, b) => a - b);
    if (this.#range) painted?.delete(this.#range);
    this.#range = null;
    if (low < high) {
      this.#range = this.view.range(low, high);
      painted?.add(this.#range);
    }
    if (!isNative && this.content.contains(document.activeElement)) {
      const [node, place] = this.view.position(this.#anchor);
      document.getSelection().setBaseAndExtent(node, place, ...this.view.position(this.#focus));
    }
  }

  #drawCaret(isScrolling) {
    this.view.showCaret(this.#focus, this.#after, isScrolling);
  }

  #emit(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Speak to screen readers, a moment later so that quick keys stay quick. */
  #announce(text) {
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => (this.live.textContent = text), 120);
  }

  // Keys

  #unitFor(event) {
    if (event.ctrlKey && event.altKey) return "point";
    const isOther = event.ctrlKey || event.altKey || event.metaKey;
    return isOther ? (this.unit === "word" ? "character" : "word") : this.unit;
  }

  #onKey(event) {
    if (event.isComposing) return;
    if (this.#onMove(event) || this.#onCommand(event) || this.#onShortcut(event)) event.preventDefault();
  }

  #onMove(event) {
    const direction = { ArrowLeft: -1, ArrowUp: -1, PageUp: -1, Home: -1, ArrowRight: 1, ArrowDown: 1, PageDown: 1, End: 1 }[event.key];
    if (event.key.toLowerCase() === "a" && (event.ctrlKey || event.metaKey) && !event.altKey) {
      this.#setSelection(0, this.text.length, { isScrolling: false });
      return true;
    }
    const isUpright = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (!direction || (isUpright && event.altKey)) return false;
    const unit = this.#unitFor(event);
    const target = this.#targetOf(event.key, direction, unit, event.shiftKey, event.ctrlKey || event.metaKey);
    if (!target) return true;
    this.#setSelection(event.shiftKey ? this.#anchor : target.offset, target.offset, { after: target.after });
    if (!event.shiftKey) this.#announce(this.units.unitAt(target.offset, unit) || this.#say("text_line_end"));
    return true;
  }

  #targetOf(key, direction, unit, isExtending, isWhole) {
    const isAcross = key === "ArrowLeft" || key === "ArrowRight";
    if (isAcross || key === "Home" || key === "End") this.#column = null;
    if (isAcross) {
      const hasSelection = this.#anchor !== this.#focus;
      if (!isExtending && hasSelection) {
        const ends = [this.#anchor, this.#focus].sort((a, b) => a - b);
        return { offset: ends[direction > 0 ? 1 : 0], after: false };
      }
      const tiles = this.mode === "tiles" && unit === "word";
      const offset = tiles
        ? (this.#marks.nextTile(this.#focus, direction) ?? (direction > 0 ? this.text.length : 0))
        : this.units.step(this.#focus, direction, unit, isExtending ? this.#anchor : null);
      return { offset, after: false };
    }
    if (key === "Home" || key === "End") {
      if (isWhole) return { offset: direction > 0 ? this.text.length : 0, after: false };
      return this.view.rowEdge(this.#focus, direction, this.#after);
    }
    this.#column ??= this.view.caretBox(this.#focus, this.#after).left;
    return this.#rowsAway(key.startsWith("Page"), direction);
  }

  #rowsAway(isPage, direction) {
    let target = { offset: this.#focus, after: this.#after };
    const from = this.view.caretBox(target.offset, target.after).top;
    for (let count = 0; count < (isPage ? 40 : 1); count++) {
      const next = this.view.vertical(target.offset, direction, this.#column, target.after);
      if (!next) return count ? target : { offset: direction > 0 ? this.text.length : 0, after: false };
      target = next;
      const box = this.view.caretBox(target.offset, target.after);
      if (Math.abs(box.top - from) > window.innerHeight * 0.75) break;
    }
    return target;
  }

  #onCommand(event) {
    const command = KEYS.get(event.key);
    const isEdge = /^(start|end)/.test(command);
    if (!command || (!isEdge && (event.ctrlKey || event.altKey || event.metaKey))) return false;
    const unit = this.#unitFor(event);
    const commands = {
      previous: () => this.#walk(-1),
      next: () => this.#walk(1),
      startBack: () => this.#moveEdge("start", -1, unit),
      startOn: () => this.#moveEdge("start", 1, unit),
      endBack: () => this.#moveEdge("end", -1, unit),
      endOn: () => this.#moveEdge("end", 1, unit),
      link: () => this.startLinking(),
      selectMark: () => this.#selectActive(),
      enter: () => (this.#isLinking ? this.#linkTarget() : this.#activateHere()),
      remove: () => this.#remove(),
      escape: () => this.#escape(),
    };
    if (command === "tile") {
      if (this.mode !== "tiles" || !this.isEditable) return false;
      this.#toggleTile(this.#focus);
      return true;
    }
    return commands[command]() !== false;
  }

  #selectActive() {
    const mark = this.#marks.get(this.#active);
    if (mark) this.#setSelection(mark.start, mark.end, { keepsActive: true });
  }

  #remove() {
    const mark = this.#marks.get(this.#active);
    if (this.#canChange(mark)) this.#emit("remove", { id: mark.id });
  }

  #escape() {
    if (this.#isLinking) {
      this.#stopLinking();
      this.#drawCaret(true);
    } else if (this.#anchor !== this.#focus) this.clearSelection();
    else if (this.#active !== null) this.activate(null);
    else return false; // for the page to use
    return true;
  }

  #onShortcut(event) {
    if (event.key.length > 2 || event.ctrlKey || event.altKey || event.metaKey) return false;
    const selection = this.selection;
    if (!selection || !this.isEditable) return false;
    const names = Object.keys(this.categories);
    const category =
      names.find((name) => this.categories[name].shortcut === event.key) ??
      names.find((name) => this.categories[name].shortcut === event.key.toLowerCase());
    if (!category) return false;
    this.#emit("create", { ...selection, category });
    if (this.#anchor !== this.#focus) this.#setSelection(this.#focus, this.#focus, { keepsActive: true });
    return true;
  }

  // Tiles

  #toggleTile(offset) {
    const change = this.#marks.tileChange(offset);
    if (change) this.#emit(change, { offset: this.points.toCodePoints(offset) });
  }

  // Mouse, touch and the browser's own selection

  /** The mouse: the tool follows it, since the browser's selection misses invisible characters. */
  #onMouseDown(event) {
    if (event.button !== 0 || event.target.closest(".tt-label")) return;
    const offset = this.view.offsetAt(event.clientX, event.clientY);
    this.#column = null;
    this.element.classList.add("tt-dragging");
    const line = this.units.lines[this.units.lineAt(offset)];
    // A drag that begins inside a selection makes a new one; it does not carry the old one away.
    if (!event.shiftKey) document.getSelection().removeAllRanges();
    if (event.detail === 1) {
      this.#pressed = event.shiftKey ? this.#anchor : offset;
      this.#dragTo(event);
    } else {
      this.#pressed = null;
      const ends = event.detail === 2 ? this.units.wordAt(offset) : [line.start, line.stop];
      this.#setSelection(...ends, { isScrolling: false, isNative: true });
    }
  }

  #onPointerMove(event) {
    if (this.#isDragging() && event.pointerType === "mouse") this.#dragTo(event);
  }

  #isDragging() {
    return this.element.classList.contains("tt-dragging");
  }

  #dragTo(event) {
    if (this.#pressed === null) return;
    this.#take(this.#pressed, this.view.offsetAt(event.clientX, event.clientY), this.#unitFor(event));
  }

  /** Select from one place to another, in whole units. */
  #take(anchor, focus, unit) {
    const [low, high] = this.units.snap(Math.min(anchor, focus), Math.max(anchor, focus), unit);
    const ends = anchor <= focus ? [low, high] : [high, low];
    if (ends[0] === this.#anchor && ends[1] === this.#focus) return;
    this.#setSelection(...ends, { isScrolling: false, isNative: true });
  }

  /** After a drag the browser's selection gets the ends that the tool snapped to. */
  #onPointerUp(event) {
    if (!this.#isDragging()) return;
    this.#dragTo(event);
    this.element.classList.remove("tt-dragging");
    this.#paint(false);
  }

  /** Touch and assistive technology change the browser's selection: the tool follows. */
  #onNativeSelection() {
    const native = document.getSelection();
    if (this.#isDragging() || !native.rangeCount || !this.view.page.contains(native.anchorNode) || !this.view.page.contains(native.focusNode)) return;
    const anchor = this.view.offsetOf(native.anchorNode, native.anchorOffset);
    const focus = this.view.offsetOf(native.focusNode, native.focusOffset);
    if (anchor === null || focus === null) return;
    const isOwn = this.#isShown(native.anchorNode, native.anchorOffset, this.#anchor) && this.#isShown(native.focusNode, native.focusOffset, this.#focus);
    if (isOwn) return;
    this.#take(anchor, focus, this.unit);
  }

  #isShown(node, place, offset) {
    const shown = this.view.position(offset);
    return shown[0] === node && shown[1] === place;
  }

  #onClick(event) {
    const id = event.target.closest?.(".tt-label")?.parentElement.dataset.mark;
    if (id) {
      this.#choose(id);
      return;
    }
    if (this.#anchor !== this.#focus) return;
    if (event.pointerType === "touch") {
      const offset = this.view.offsetAt(event.clientX, event.clientY);
      this.#take(offset, offset, this.unit);
    }
    if (this.mode === "tiles" && this.isEditable && this.#isBetween(event)) {
      this.#toggleTile(this.#focus);
      return;
    }
    const under = this.#marks.at(this.#offsetUnder(event));
    if (!under.length) {
      if (!this.#isLinking) this.activate(null);
      return;
    }
    const index = under.findIndex((mark) => mark.id === this.#active);
    this.#choose(under[(index + 1) % under.length].id);
  }

  #choose(id) {
    const { start, end } = this.#marks.get(id);
    if (this.#isLinking) this.#link(id);
    else if (start <= this.#focus && this.#focus <= end) this.#setActive(id);
    else this.activate(id);
  }

  /** The character that was clicked: the caret is before or behind it. */
  #offsetUnder(event) {
    const before = this.units.step(this.#focus, -1, "character");
    const isBefore = this.view.measure(this.view.blockAt(before), before, this.#focus).some((box) => this.#isInside(box, before, event));
    return isBefore && this.view.blockAt(before) === this.view.blockAt(this.#focus) ? before : this.#focus;
  }

  #isInside(box, offset, event) {
    const origin = this.view.blockAt(offset).element.getBoundingClientRect();
    const [x, y] = [event.clientX - origin.left, event.clientY - origin.top];
    return x >= box.left && x <= box.right && y >= box.top - 2 && y <= box.bottom + 2;
  }

  /** Whether a click was nearer to the gap between two characters than to a character's middle. */
  #isBetween(event) {
    const box = this.view.caretBox(this.#focus, false);
    return Math.abs(event.clientX - box.left) <= (box.bottom - box.top) * 0.3;
  }

  #onCopy(event) {
    const ends = [this.#anchor, this.#focus].sort((a, b) => a - b);
    if (ends[0] === ends[1]) return;
    event.clipboardData.setData("text/plain", this.text.slice(...ends));
    event.preventDefault();
  }
}
