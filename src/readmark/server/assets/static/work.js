// The annotator's page. It is made of an assignment's JSON alone: texts, forms, categories, what was done so far.

import { button, element, fill, kbd, openDialog, shorten, withKeys } from "./elements.js";
import { Store } from "./store.js";
import { TextTool } from "./text-tool.js";
import { ConflictDialog } from "./work-conflicts.js";
import { EntryPanel, missingFields } from "./work-entries.js";
import { FindingPanel } from "./work-findings.js";
import { Keyboard } from "./work-keys.js";
import { MarkPanel, missingOfMark } from "./work-marks.js";

const COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#e08020", "#777777"];

function withColours(categories) {
  return Object.fromEntries(Object.entries(categories).map(([name, category], index) =>
    [name, { ...category, colour: category.colour || COLOURS[index % COLOURS.length] }]));
}

/** What has no label is called by its name. */
function withLabels(table, parts = []) {
  return Object.fromEntries(Object.entries(table ?? {}).map(([name, described]) => {
    const inner = parts.map((part) => [part, withLabels(described[part])]);
    return [name, { ...described, ...Object.fromEntries(inner), label: described.label || name }];
  }));
}

/** What a browser remembers for a person; it works without. */
const memory = {
  get(name) { try { return localStorage.getItem(`readmark.${name}`); } catch { return null; } },
  set(name, value) { try { localStorage.setItem(`readmark.${name}`, value); } catch { /* not kept */ } },
};

export class Desk {
  #announcer = document.getElementById("announcer");
  #banners = document.getElementById("banners");
  #lastTool = null;
  #isActivating = false;
  #relation; // that a target is being picked for
  tools = new Map();

  constructor(view, words, language) {
    this.view = { ...view, categories: withColours(withLabels(view.categories, ["attributes", "relations"])), entries: withLabels(view.entries, ["fields"]) };
    this.words = words;
    this.language = language;
    this.store = new Store({ assignment: view.assignment.id, view });
    this.findings = new FindingPanel(this);
    this.entries = new EntryPanel(this);
    this.marks = new MarkPanel(this);
    this.conflicts = new ConflictDialog(this);
    this.keyboard = new Keyboard(this);
    this.#drawTexts();
    this.#drawTools();
    this.#drawBar();
    this.entries.draw();
    this.marks.redraw();
    this.drawMarks();
    this.drawStatus();
    this.#listen();
    this.findings.check({ withFeedback: this.isDone && view.project.purpose !== "work" });
    if (this.store.conflicts.length) this.conflicts.open();
  }

  get isDone() { return Boolean(this.store.objects.get("status")?.done); }
  get isReadOnly() { return this.isDone || this.store.status === "read_only"; }
  get fieldContext() {
    return {
      words: this.words, isReadOnly: this.isReadOnly,
      useSelection: () => this.takeSelection(),
      showSpan: (span) => this.showSpan(span),
      askForSpan: (field) => { this.focusText(); this.announce(fill(this.words.select_for, { name: field.label })); },
      languageOf: (id) => this.view.texts.find((text) => text.id === id)?.language,
    };
  }

  isProposed(id) { return this.store.isProposal(id); }
  findingsOf(id) { return this.findings.of(id); }
  announce(text) { this.#announcer.textContent = ""; this.#announcer.textContent = text; }

  confirm(id) {
    const value = this.store.objects.get(id);
    if (value && !this.isReadOnly) this.store.put(id, { ...value });
  }

  /** An object in a few words. */
  nameOf(id) {
    const value = this.store.objects.get(id);
    if (value?.type === "mark") return `${this.view.categories[value.category]?.label ?? value.category} “${shorten(value.quote, 30)}”`;
    if (value?.type === "entry") {
      const definition = this.view.entries[value.entry];
      const number = this.entries.list(value.entry).findIndex(([other]) => other === id) + 1;
      return definition.single ? definition.label : `${definition.label} ${number}`;
    }
    return id === "note" ? this.words.note : id === "status" ? this.words.hand_in : undefined;
  }

  // Texts

  #drawTexts() {
    const { texts, categories, entries } = this.view;
    const host = document.getElementById("texts");
    const names = Object.values(categories);
    this.mode = names.length && names.every((category) => category.tiles) ? "tiles" : "marks";
    this.#answers = Object.fromEntries(Object.entries(entries).map(([name, entry]) =>
      [`entry:${name}`, { label: entry.label, shortcut: "", colour: "#2b7de0", attributes: {}, relations: {}, is_entry: true }]));
    host.classList.toggle("several", texts.length > 1);
    for (const text of texts) {
      const place = element("div", { class: "text-place" });
      const title = text.title || (texts.length > 1 ? this.words[`language_${text.language.slice(0, 2)}`] : "");
      host.append(element("article", { class: "text-pane", lang: text.language, "aria-label": title || this.words.text },
        title && element("h2", {}, title), place));
      this.#buildTool(text, place);
    }
    if (names.some((category) => category.tiles) && this.mode === "marks") {
      this.switch = button(this.words.edit_tiles, () => this.#switchMode(), { class: "quiet small", "aria-pressed": "false" });
    }
  }

  #answers;

  #buildTool(text, place) {
    const { categories } = this.view;
    const shown = this.mode === "tiles" ? Object.fromEntries(Object.entries(categories).filter(([, category]) => category.tiles)) : categories;
    const inner = element("div");
    place.replaceChildren(inner);
    const tool = new TextTool(inner, { id: text.id, text: text.text, language: text.language, categories: { ...shown, ...this.#answers },
      mode: this.mode, words: this.words, isEditable: text.is_editable !== false });
    this.tools.set(text.id, { tool, text, place, points: Array.from(text.text) });
    const on = (name, act) => tool.addEventListener(name, (event) => act(event.detail));
    on("select", (range) => { if (range) this.#lastTool = text.id; this.#showSelection(); });
    on("activate", ({ id }) => this.#activated(id));
    on("create", ({ start, end, category }) => this.#create(text.id, category, start, end));
    on("change", ({ id, start, end }) => this.#move(id, start, end));
    on("remove", ({ id }) => { if (this.store.objects.get(id)?.type === "mark") this.marks.remove(id); });
    on("link", ({ from, to }) => this.#link(from, to));
    on("split", ({ offset }) => this.#split(text.id, offset));
    on("join", ({ offset }) => this.#join(text.id, offset));
  }

  #switchMode() {
    this.mode = this.mode === "tiles" ? "marks" : "tiles";
    this.switch.setAttribute("aria-pressed", String(this.mode === "tiles"));
    for (const { text, place } of [...this.tools.values()]) this.#buildTool(text, place);
    this.drawMarks();
    this.focusText();
  }

  quote(textId, start, end) { return this.tools.get(textId).points.slice(start, end).join(""); }

  /** The selected span, of the text in which something was selected last. */
  get selection() {
    for (const [id, { tool, text }] of [...this.tools].sort(([a], [b]) => (b === this.#lastTool) - (a === this.#lastTool))) {
      const range = tool.selection;
      if (range && range.end > range.start && text.is_editable !== false) return { text: id, start: range.start, end: range.end, quote: this.quote(id, range.start, range.end) };
    }
    return null;
  }

  takeSelection() {
    const span = this.selection;
    if (span) this.tools.get(span.text).tool.clearSelection();
    return span;
  }

  #showSelection() {
    const span = this.selection;
    this.picked.replaceChildren(...(span ? [element("span", { class: "soft" }, this.words.selected, " "), element("q", {}, shorten(span.quote, 40))] : []));
    document.body.classList.toggle("has-selection", Boolean(span));
  }

  focusText() {
    (this.tools.get(this.#lastTool) ?? [...this.tools.values()][0])?.tool.content.focus();
  }

  drawMarks() {
    for (const [id, { tool, text }] of this.tools) {
      const own = this.marks.all.filter(([, mark]) => mark.text === id && (this.mode !== "tiles" || this.view.categories[mark.category]?.tiles))
        .map(([mark, value]) => ({ ...value, id: mark, proposed: this.isProposed(mark) }));
      const given = (text.marks ?? []).map((mark, index) => ({ attributes: {}, relations: {}, id: `given-${id}-${index}`, ...mark, given: true }));
      tool.setMarks(this.mode === "tiles" ? own : [...given, ...own, ...this.entries.marks(id)]);
    }
  }

  // Marks

  create(category) {
    const span = this.selection;
    if (!span) { this.announce(this.words.select_first); this.focusText(); return; }
    this.#create(span.text, category, span.start, span.end);
  }

  #create(text, category, start, end) {
    if (this.isReadOnly || !this.view.categories[category]) return;
    const id = this.marks.make(text, category, start, end, this.quote(text, start, end));
    this.settle();
    this.tools.get(text).tool.clearSelection();
    this.activateMark(id);
    this.announce(fill(this.words.marked, { category: this.view.categories[category].label, quote: shorten(this.quote(text, start, end), 40) }));
  }

  #move(id, start, end) {
    const mark = this.store.objects.get(id);
    if (mark?.type === "mark" && !this.isReadOnly) this.store.put(id, { ...mark, start, end, quote: this.quote(mark.text, start, end) });
  }

  #tiles(text) {
    return this.marks.all.filter(([, mark]) => mark.text === text && this.view.categories[mark.category]?.tiles);
  }

  #split(text, offset) {
    if (this.isReadOnly) return;
    const tiles = this.#tiles(text);
    const length = this.tools.get(text).points.length;
    const inside = tiles.find(([, mark]) => mark.start < offset && offset < mark.end);
    const category = inside?.[1].category ?? tiles[0]?.[1].category ?? Object.keys(this.view.categories).find((name) => this.view.categories[name].tiles);
    const start = inside?.[1].start ?? Math.max(0, ...tiles.map(([, mark]) => mark.end).filter((end) => end <= offset));
    const end = inside?.[1].end ?? Math.min(length, ...tiles.map(([, mark]) => mark.start).filter((other) => other >= offset));
    if (!(start < offset && offset < end)) return;
    this.store.change(() => {
      if (inside) this.#move(inside[0], start, offset);
      else this.marks.make(text, category, start, offset, this.quote(text, start, offset));
      this.marks.make(text, category, offset, end, this.quote(text, offset, end));
    }, this.words.split);
  }

  #join(text, offset) {
    if (this.isReadOnly) return;
    const tiles = this.#tiles(text);
    const before = tiles.find(([, mark]) => mark.end === offset);
    const after = tiles.find(([, mark]) => mark.start === offset);
    if (!before || !after) return;
    this.store.change(() => {
      this.store.remove(after[0]);
      this.#move(before[0], before[1].start, after[1].end);
    }, this.words.join);
  }

  /** A mark got the focus in a text: edit it in the list, or open the form whose answer it is. */
  #activated(id) {
    if (this.#isActivating) return;
    const entry = id && this.entries.all.find(([entry]) => id.startsWith(`${entry}/`));
    if (entry) this.entries.activate(entry[0], false);
    else if (this.marks.active !== id) this.marks.activate(id);
  }

  activateMark(id) {
    const mark = id && this.store.objects.get(id);
    this.#isActivating = true;
    for (const [text, { tool }] of this.tools) tool.activate(mark?.text === text ? id : null);
    this.#isActivating = false;
    this.marks.activate(id);
  }

  /** Let the annotator choose the target of a relation in the text. */
  pickTarget(from, relation) {
    const { tool } = this.tools.get(this.store.objects.get(from).text);
    this.#relation = relation;
    tool.content.focus();
    tool.activate(from);
    tool.startLinking();
  }

  #link(from, to) {
    const isLinked = this.marks.link(from, to, this.#relation) || this.marks.link(from, to);
    this.#relation = undefined;
    this.announce(isLinked ? fill(this.words.linked, { target: this.nameOf(to) }) : this.words.cannot_link);
  }

  showSpan(span) {
    const { tool } = this.tools.get(span.text) ?? {};
    if (!tool) return;
    this.#lastTool = span.text;
    tool.content.focus();
    tool.select(span.start, span.end);
  }

  showObject(id) {
    const value = this.store.objects.get(id);
    if (value?.type === "mark") { this.activateMark(id); this.marks.edit(); }
    else if (value?.type === "entry" || this.entries.all.some(([other]) => other === id)) this.entries.activate(id);
    else if (id === "note") this.note.focus();
  }

  // The bar, the panel, banners

  #drawBar() {
    const { words, view } = this;
    const { assignment, project } = view;
    const step = (id, label, arrow, keys) => (id
      ? element("a", { class: "button quiet icon", href: `/work/${encodeURIComponent(id)}`, "aria-label": label, title: `${label} (${keys})` }, arrow)
      : element("span", { class: "button quiet icon off", "aria-hidden": "true" }, arrow));
    this.#undo = button("↶", () => this.undo(), { class: "quiet icon", "aria-label": words.undo, title: `${words.undo} (Ctrl+Z)` });
    this.#redo = button("↷", () => this.redo(), { class: "quiet icon", "aria-label": words.redo, title: `${words.redo} (Ctrl+Shift+Z)` });
    this.#status = element("span", { class: "save-status", role: "status", id: "save-status" });
    this.#found = button("", () => this.findings.element.scrollIntoView(), { class: "link found" });
    this.picked = element("span", { class: "picked" });
    this.#submit = button("", () => (this.isDone ? this.takeBack() : this.handIn()), { class: "hand-in", id: "hand-in" });
    const due = assignment.due && element("span", { class: "soft due" }, words.due, " ",
      new Intl.DateTimeFormat(this.language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(assignment.due * 1000)));
    const check = project.purpose === "practice" && button([words.check_answer], () => this.checkAnswer(), { class: "quiet", id: "check-answer" });
    document.getElementById("bar").append(
      element("div", { class: "steps" }, step(assignment.previous, words.previous, "‹", "Alt+P"),
        element("span", { class: "place" }, `${assignment.position} / ${assignment.count}`), step(assignment.next, words.next, "›", "Alt+N")),
      element("h1", {}, element("span", { class: "project-name" }, project.name), project.purpose !== "work" && element("span", { class: "badge" }, words[`purpose_${project.purpose}`]),
        element("span", { class: "soft item-name" }, assignment.item)),
      due || "", this.picked, this.#found, this.#status,
      element("div", { class: "group" }, this.#undo, this.#redo, this.switch ?? "",
        button("?", () => this.keyboard.show(), { class: "quiet icon", "aria-label": words.keys, title: `${words.keys} (?)` })),
      check || "", this.#submit);
  }

  #undo; #redo; #status; #found; #submit;

  #drawTools() {
    const { words, view } = this;
    const { project } = view;
    const seen = memory.get(`seen.${project.slug}`);
    const tools = document.getElementById("tools");
    if (Object.keys(view.categories).length) tools.append(this.marks.palette);
    if (seen === null) tools.append(this.#hints());
    if (project.guidelines || project.examples.length) {
      this.guidelines = element("details", { class: "part guidelines", open: seen !== String(project.version) },
        element("summary", {}, words.guidelines, " ", kbd("g")),
        project.guidelines && element("div", { class: "prose" }, project.guidelines),
        project.examples.map((example) => element("figure", { class: "example" },
          example.title && element("figcaption", {}, example.title), element("blockquote", {}, example.text), example.comment && element("p", {}, example.comment))));
      tools.append(this.guidelines);
    }
    memory.set(`seen.${project.slug}`, String(project.version));
    if (Object.keys(view.entries).length) tools.append(this.entries.element);
    if (Object.keys(view.categories).length) tools.append(this.marks.element);
    tools.append(this.findings.element);
    const save = () => this.store.put("note", { type: "note", value: this.note.value });
    this.note = element("textarea", { rows: 2, id: "note", "aria-label": words.note, oninput: (event) => event.isComposing || save(), oncompositionend: save });
    this.#setNote();
    tools.append(element("details", { class: "part note", open: Boolean(this.note.value) }, element("summary", {}, words.note),
      element("p", { class: "hint" }, words.note_hint), this.note));
    const sheet = button("", () => document.body.classList.toggle("tall-tools"), { class: "grip", "aria-label": words.resize_tools });
    tools.prepend(sheet);
  }

  #setNote() {
    const value = this.store.objects.get("note")?.value ?? "";
    if (this.note.value !== value) this.note.value = value;
  }

  /** The first steps for somebody who has not been in this project before. */
  #hints() {
    const { words, view } = this;
    const steps = [];
    for (const definition of Object.values(view.entries)) {
      const span = Object.values(definition.fields).find((field) => field.widget === "span" || field.widget === "spans");
      const values = { name: definition.label, key: definition.shortcut, field: span?.label };
      if (!definition.fixed && !definition.single) steps.push(fill(definition.shortcut ? words.hint_new_key : words.hint_new, values));
      else if (definition.fixed) steps.push(fill(words.hint_fixed, values));
      if (span) steps.push(fill(words.hint_span, values));
    }
    if (Object.keys(view.categories).length) steps.push(this.mode === "tiles" ? words.hint_tiles : words.hint_marks);
    steps.push(words.hint_saved, words.hint_hand_in);
    const box = element("section", { class: "hints", "aria-label": words.first_steps }, element("h2", {}, words.first_steps),
      element("ol", {}, steps.map((step) => element("li", {}, withKeys(step)))),
      button(words.understood, () => { box.remove(); this.focusText(); }, { class: "" }));
    return box;
  }

  #bannerKey = "";

  drawBanners() {
    const { words, store } = this;
    const banners = [];
    const key = JSON.stringify([store.status, store.message, store.conflicts.length, store.refused, this.isDone]);
    if (key === this.#bannerKey) return;
    this.#bannerKey = key;
    const banner = (kind, text, ...more) => banners.push(element("div", { class: `banner ${kind}`, role: "status" }, element("span", {}, text), ...more));
    if (store.status === "offline") banner("warn", words.banner_offline);
    if (store.status === "read_only") banner("bad", [words.banner_read_only, store.message].filter(Boolean).join(" "));
    for (const { object, message } of store.refused) banner("bad", fill(words.banner_refused, { name: this.nameOf(object) ?? object, message }));
    if (store.status === "signed_out") banner("bad", words.banner_signed_out, element("a", { class: "button", href: `/login?next=${encodeURIComponent(location.pathname)}`, target: "_blank" }, words.log_in_again));
    if (store.conflicts.length) banner("warn", fill(words.banner_conflicts, { count: store.conflicts.length }), button(words.show_conflicts, () => this.conflicts.open(), { class: "" }));
    if (this.isDone) {
      const next = this.view.assignment.next;
      banner("good", `✓ ${words.banner_done}`, next ? element("a", { class: "button", id: "go-on", href: `/work/${encodeURIComponent(next)}` }, words.next, " →") : element("a", { class: "button", id: "go-on", href: "/work" }, words.back_to_work));
    }
    this.#banners.replaceChildren(...banners);
  }

  drawStatus() {
    const { words, store } = this;
    const icons = { saved: "✓", saving: "…", offline: "⚠", read_only: "✖", signed_out: "✖", refused: "✖" };
    this.#status.replaceChildren(element("span", { "aria-hidden": "true" }, icons[store.status]), " ", words[`status_${store.status}`]);
    this.#status.dataset.status = store.status;
    this.#undo.disabled = !store.canUndo || this.isReadOnly;
    this.#redo.disabled = !store.canRedo || this.isReadOnly;
    this.#submit.textContent = this.isDone ? words.take_back : words.hand_in;
    this.#submit.classList.toggle("quiet", this.isDone);
    this.#submit.hidden = this.isDone && this.view.project.purpose === "qualifying";
    this.#found.textContent = this.findings.summary;
    this.note.readOnly = this.isReadOnly;
    document.body.classList.toggle("read-only", this.isReadOnly);
    this.drawBanners();
  }

  #listen() {
    const { store, findings } = this;
    let wasReadOnly = this.isReadOnly;
    const redrawIfLocked = () => {
      if (wasReadOnly === this.isReadOnly) return;
      wasReadOnly = this.isReadOnly;
      this.entries.draw();
      this.marks.redraw();
    };
    store.addEventListener("change", ({ detail }) => {
      if (this.#changed.size === 0) queueMicrotask(() => this.settle());
      for (const id of detail.ids) this.#changed.add(id);
    });
    this.#redrawIfLocked = redrawIfLocked;
    store.addEventListener("status", () => { redrawIfLocked(); this.drawStatus(); });
    store.addEventListener("conflict", ({ detail }) => { this.drawStatus(); if (!detail.isSettled) this.conflicts.open(); });
    store.addEventListener("refused", () => this.drawStatus());
    findings.addEventListener("change", () => { this.entries.relabel(); this.#found.textContent = findings.summary; });
  }

  #changed = new Set();
  #redrawIfLocked = () => {};

  /** Show all changes of the store that are not shown yet. */
  settle() {
    if (this.#changed.size === 0) return;
    const ids = this.#changed;
    this.#changed = new Set();
    this.entries.update(ids);
    this.marks.update(ids);
    this.#setNote();
    this.#redrawIfLocked();
    this.drawMarks();
    this.drawStatus();
    this.findings.schedule();
  }

  undo() { if (!this.isReadOnly && this.store.canUndo) { this.store.undo(); this.announce(this.words.undone); } }
  redo() { if (!this.isReadOnly && this.store.canRedo) { this.store.redo(); this.announce(this.words.redone); } }

  // Handing in

  async checkAnswer() {
    await this.findings.check({ withFeedback: true });
    this.findings.element.scrollIntoView({ block: "nearest" });
    this.announce(this.findings.summary);
  }

  /** What is not filled in, in words. */
  get missing() {
    const lines = [];
    for (const [id, value] of this.entries.all) {
      const labels = missingFields(this.view.entries[value.entry], value);
      if (labels.length) lines.push(`${this.nameOf(id) ?? this.view.entries[value.entry].label}: ${labels.join(this.words.list_comma)}`);
    }
    for (const [id, mark] of this.marks.all) {
      const labels = missingOfMark(this.view.categories[mark.category] ?? {}, mark);
      if (labels.length) lines.push(`${this.nameOf(id)}: ${labels.join(this.words.list_comma)}`);
    }
    return lines;
  }

  async handIn() {
    if (this.isReadOnly) return;
    const found = await this.findings.check();
    const errors = found.filter((finding) => finding.severity === "error").map((finding) => finding.message);
    const lines = [...this.missing, ...errors];
    if (lines.length === 0) { this.#finish(); return; }
    const shown = lines.slice(0, 8);
    const dialog = openDialog({
      title: this.words.hand_in_anyway,
      content: element("div", {}, element("p", {}, this.words.still_open), element("ul", {}, shown.map((line) => element("li", {}, line)),
        lines.length > shown.length && element("li", {}, `+ ${lines.length - shown.length}`))),
      actions: [button(this.words.go_back, () => dialog.close(), { class: "", autofocus: true }),
        button(this.words.hand_in, () => { dialog.close(); this.#finish(); })],
    });
  }

  #finish() {
    this.store.put("status", { type: "status", done: true });
    this.announce(this.words.banner_done);
    document.getElementById("go-on")?.focus();
    const { purpose } = this.view.project;
    if (purpose !== "work") this.store.flush().then(() => this.findings.check({ withFeedback: true }), () => {});
  }

  takeBack() {
    this.store.put("status", { type: "status", done: false });
    this.announce(this.words.taken_back);
  }
}

async function start() {
  const { assignment, words, language } = JSON.parse(document.getElementById("page-data").textContent);
  const response = await fetch(`/api/assignments/${encodeURIComponent(assignment)}`).catch(() => null);
  if (!response?.ok) {
    document.getElementById("banners").append(element("div", { class: "banner bad", role: "alert" }, words.cannot_load,
      button(words.try_again, () => location.reload(), { class: "" })));
    return;
  }
  const view = await response.json();
  window.desk = new Desk(view, words, language);
  document.body.classList.add("ready");
}

start();
