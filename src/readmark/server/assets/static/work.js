// The annotator's page. It is made of an assignment's JSON alone: texts, forms, categories, what was done so far.

import { button, element, fill, kbd, memory, openDialog, prose, setValue, shorten, withKeys, withLabels } from "./elements.js";
import { Store } from "./store.js";
import { ConflictDialog } from "./work-conflicts.js";
import { EntryPanel, formOf, missingFields } from "./work-entries.js";
import { FindingPanel } from "./work-findings.js";
import { Keyboard } from "./work-keys.js";
import { MarkPanel, missingOfMark } from "./work-marks.js";
import { TextPanes } from "./work-texts.js";

const COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#e08020", "#777777"];

function withColours(categories) {
  return Object.fromEntries(Object.entries(categories).map(([name, category], index) =>
    [name, { ...category, colour: category.colour || COLOURS[index % COLOURS.length] }]));
}

export class Desk {
  #announcer = document.getElementById("announcer");
  #banners = document.getElementById("banners");

  constructor(view, { words, language, textKeys }) {
    this.view = { ...view, categories: withColours(withLabels(view.categories, ["attributes", "relations"])), entries: withLabels(view.entries, ["fields"]) };
    this.words = words;
    this.language = language;
    this.textKeys = textKeys;
    this.store = new Store({ assignment: view.assignment.id, view });
    this.findings = new FindingPanel(this);
    this.entries = new EntryPanel(this);
    this.marks = new MarkPanel(this);
    this.conflicts = new ConflictDialog(this);
    this.keyboard = new Keyboard(this);
    this.texts = new TextPanes(this);
    this.#drawTools();
    this.#drawBar();
    this.entries.draw();
    this.marks.lock();
    this.texts.draw();
    this.drawStatus();
    this.#listen();
    this.findings.check({ withFeedback: this.isDone && view.project.purpose !== "work" });
    if (this.store.conflicts.length) this.conflicts.open();
  }

  get isDone() { return Boolean(this.store.objects.get("status")?.done); }
  /** Why nothing can be changed, not even taken back; an organiser can reopen what was handed in. */
  get lock() {
    const { lock } = this.view.assignment;
    if (lock && lock !== "handed_in") return lock;
    return this.view.project.is_final && this.isDone ? "handed_in" : null;
  }
  get isReadOnly() { return this.isDone || this.lock !== null || this.store.status === "read_only"; }
  get fieldContext() {
    return {
      words: this.words, isReadOnly: () => this.isReadOnly,
      useSelection: () => this.texts.takeSelection(),
      showSpan: (span) => this.texts.show(span),
      askForSpan: (field) => { this.texts.focus(); this.announce(fill(this.words.select_for, { name: field.label })); },
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
      if (!definition) return value.entry; // no longer in the configuration
      const number = this.entries.numberOf(id, value);
      return definition.single ? definition.label : `${definition.label} ${number}`;
    }
    return id === "note" ? this.words.work_note : id === "status" ? this.words.hand_in : undefined;
  }

  showSelection(span) {
    this.#picked.replaceChildren(...(span ? [element("span", { class: "soft" }, this.words.selected, " "), element("q", {}, shorten(span.quote, 40))] : []));
    document.body.classList.toggle("has-selection", Boolean(span));
  }

  showObject(id) {
    const value = this.store.objects.get(id);
    if (value?.type === "mark") { this.texts.activate(id); this.marks.edit(); }
    else if (value?.type === "entry" || this.entries.all.some(([other]) => other === id)) this.entries.activate(id);
    else if (id === "note") this.note.focus();
  }

  // The bar, the panel, banners

  #drawBar() {
    const { words, view } = this;
    const { assignment, project } = view;
    const step = (id, label, arrow, keys) => (id
      ? element("a", { class: "button quiet icon", href: `/assignments/${encodeURIComponent(id)}`, "aria-label": label, title: `${label} (${keys})` }, arrow)
      : element("span", { class: "button quiet icon off", "aria-hidden": "true" }, arrow));
    this.#undo = button("↶", () => this.undo(), { class: "quiet icon", "aria-label": words.undo, title: `${words.undo} (Ctrl+Z)` });
    this.#redo = button("↷", () => this.redo(), { class: "quiet icon", "aria-label": words.redo, title: `${words.redo} (Ctrl+Shift+Z)` });
    this.#status = element("span", { class: "save-status", role: "status", id: "save-status" });
    this.#found = button("", () => this.findings.element.scrollIntoView(), { class: "link found" });
    this.#picked = element("span", { class: "picked" });
    this.#submit = button("", () => (this.isDone ? this.takeBack() : this.handIn()), { class: "hand-in", id: "hand-in" });
    const due = assignment.due && element("span", { class: "soft due" }, words.due, " ",
      new Intl.DateTimeFormat(this.language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(assignment.due * 1000)));
    const check = project.purpose === "practice" && button([words.check_answer], () => this.checkAnswer(), { class: "quiet", id: "check-answer" });
    document.getElementById("bar").append(
      element("div", { class: "steps" }, step(assignment.previous, words.previous, "‹", "Alt+P"),
        element("span", { class: "place" }, `${assignment.position} / ${assignment.count}`), step(assignment.next, words.next, "›", "Alt+N")),
      element("h1", {}, element("span", { class: "project-name" }, project.name), project.purpose !== "work" && element("span", { class: "badge" }, words[`purpose_${project.purpose}`]),
        element("span", { class: "soft item-name" }, assignment.item)),
      due || "", this.#picked, this.#found, this.#status,
      element("div", { class: "group" }, this.#undo, this.#redo, this.texts.switch ?? "",
        button("?", () => this.keyboard.show(), { class: "quiet icon", "aria-label": words.keys, title: `${words.keys} (?)` })),
      check || "", this.#submit);
  }

  #undo; #redo; #status; #found; #submit; #picked;

  #drawTools() {
    const { words, view } = this;
    const { project } = view;
    const seen = memory.get(`seen.${project.slug}`);
    const tools = document.getElementById("tools");
    const hasMarks = Object.values(view.categories).some((category) => !category.tiles || Object.keys({ ...category.attributes, ...category.relations }).length);
    if (this.marks.palette.childElementCount) tools.append(this.marks.palette);
    if (seen === null) tools.append(this.#hints());
    if (project.guidelines || project.examples.length) {
      this.guidelines = element("details", { class: "part guidelines", open: seen !== String(project.version) },
        element("summary", {}, words.guidelines, " ", kbd("g")),
        prose(project.guidelines),
        project.examples.map((example) => element("figure", { class: "example" },
          example.title && element("figcaption", {}, example.title), element("blockquote", {}, example.text), example.comment && element("p", {}, example.comment))));
      tools.append(this.guidelines);
    }
    memory.set(`seen.${project.slug}`, String(project.version));
    if (Object.keys(view.entries).length) tools.append(this.entries.element);
    if (hasMarks) tools.append(this.marks.element);
    tools.append(this.findings.element);
    const save = () => this.store.put("note", { type: "note", value: this.note.value });
    this.note = element("textarea", { rows: 2, id: "note", "aria-label": words.work_note, oninput: (event) => event.isComposing || save(), oncompositionend: save });
    this.#setNote();
    tools.append(element("details", { class: "part note", open: Boolean(this.note.value) }, element("summary", {}, words.work_note),
      element("p", { class: "hint" }, words.work_note_hint), this.note));
    const sheet = button("", () => document.body.classList.toggle("tall-tools"), { class: "grip", "aria-label": words.resize_tools });
    tools.prepend(sheet);
  }

  #setNote() {
    setValue(this.note, this.store.objects.get("note")?.value ?? "");
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
    if (Object.keys(view.categories).length) steps.push(this.texts.mode === "tiles" ? words.hint_tiles : words.hint_marks);
    steps.push(words.hint_saved, words.hint_hand_in);
    const box = element("section", { class: "hints", "aria-label": words.first_steps }, element("h2", {}, words.first_steps),
      element("ol", {}, steps.map((step) => element("li", {}, withKeys(step)))),
      button(words.understood, () => { box.remove(); this.texts.focus(); }, { class: "" }));
    return box;
  }

  #bannerKey = "";

  drawBanners() {
    const { words, store } = this;
    const banners = [];
    const key = JSON.stringify([store.status, store.message, store.conflicts.length, store.refused, this.isDone, this.lock]);
    if (key === this.#bannerKey) return;
    this.#bannerKey = key;
    const banner = (kind, text, ...more) => banners.push(element("div", { class: `banner ${kind}`, role: "status" }, element("span", {}, text), ...more));
    if (store.status === "offline") banner("warn", words.banner_offline);
    const reason = words[`lock_${store.reason}`];
    if (store.status === "read_only") banner("bad", reason ? [reason, words.lock_unsent].join(" ") : [words.banner_read_only, store.message].filter(Boolean).join(" "));
    else if (this.lock && this.lock !== "handed_in") banner("warn", words[`lock_${this.lock}`]);
    for (const { object, message } of store.refused) banner("bad", fill(words.banner_refused, { name: this.nameOf(object) ?? object, message }));
    if (store.status === "signed_out") banner("bad", words.banner_signed_out, element("a", { class: "button", href: `/login?next=${encodeURIComponent(location.pathname)}`, target: "_blank" }, words.log_in_again));
    if (store.conflicts.length) banner("warn", fill(words.banner_conflicts, { count: store.conflicts.length }), button(words.show_conflicts, () => this.conflicts.open(), { class: "" }));
    if (this.isDone) {
      const next = this.view.assignment.next;
      banner("good", `✓ ${this.lock === "handed_in" ? words.lock_handed_in : words.banner_done}`, next ? element("a", { class: "button", id: "go-on", href: `/assignments/${encodeURIComponent(next)}` }, words.next, " →") : element("a", { class: "button", id: "go-on", href: "/assignments" }, words.back_to_work));
    }
    const isGoingOn = document.activeElement?.id === "go-on"; // saving draws it anew
    this.#banners.replaceChildren(...banners);
    if (isGoingOn) document.getElementById("go-on")?.focus();
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
    this.#submit.hidden = this.lock !== null;
    this.#found.textContent = this.findings.summary;
    this.note.readOnly = this.isReadOnly;
    document.body.classList.toggle("read-only", this.isReadOnly);
    this.drawBanners();
  }

  #listen() {
    const { store, findings } = this;
    let wasReadOnly = this.isReadOnly;
    const lockIfNeeded = () => {
      if (wasReadOnly === this.isReadOnly) return;
      wasReadOnly = this.isReadOnly;
      this.entries.lock();
      this.marks.lock();
    };
    store.addEventListener("change", ({ detail }) => {
      if (this.#changed.size === 0) queueMicrotask(() => this.settle());
      for (const id of detail.ids) this.#changed.add(id);
    });
    this.#lockIfNeeded = lockIfNeeded;
    store.addEventListener("status", () => { lockIfNeeded(); this.drawStatus(); });
    store.addEventListener("conflict", ({ detail }) => { this.drawStatus(); if (!detail.isSettled) this.conflicts.open(); });
    store.addEventListener("refused", () => this.drawStatus());
    findings.addEventListener("change", () => { this.entries.relabel(); this.marks.relabel(); this.#found.textContent = findings.summary; });
  }

  #changed = new Set();
  #lockIfNeeded = () => {};

  /** Show all changes of the store that are not shown yet. */
  settle() {
    if (this.#changed.size === 0) return;
    const ids = this.#changed;
    this.#changed = new Set();
    this.entries.update(ids);
    this.marks.update(ids);
    this.#setNote();
    this.#lockIfNeeded();
    this.texts.draw();
    this.drawStatus();
    this.findings.schedule();
  }

  undo() { this.#step("canUndo", () => this.store.undo(), this.words.undone); }
  redo() { this.#step("canRedo", () => this.store.redo(), this.words.redone); }

  /** A step back or forth; handing in and taking back are no steps. */
  #step(canStep, step, text) {
    if (this.isReadOnly || !this.store[canStep]) return;
    let before;
    do {
      before = this.store.objects.get("status")?.done;
      step();
    } while (before !== this.store.objects.get("status")?.done && this.store[canStep]);
    this.announce(text);
  }

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
      const labels = missingFields(formOf(this.view.entries[value.entry], value), value);
      if (labels.length) lines.push(`${this.nameOf(id) ?? this.view.entries[value.entry].label}: ${labels.join(this.words.list_comma)}`);
    }
    for (const [id, mark] of this.marks.all) {
      const labels = missingOfMark(this.view.categories[mark.category] ?? {}, mark);
      if (labels.length) lines.push(`${this.nameOf(id)}: ${labels.join(this.words.list_comma)}`);
    }
    return lines;
  }

  #isHandingIn = false;

  async handIn() {
    if (this.isReadOnly || this.#isHandingIn) return;
    this.#isHandingIn = true;
    const found = await this.findings.check().finally(() => { this.#isHandingIn = false; });
    const errors = found.filter((finding) => finding.severity === "error").map((finding) => finding.message);
    const lines = [...this.missing, ...errors];
    const isFinal = this.view.project.is_final;
    if (lines.length === 0 && !isFinal) { this.#finish(); return; }
    const shown = lines.slice(0, 8);
    const dialog = openDialog({
      title: this.words.hand_in_anyway,
      content: element("div", {}, isFinal && element("p", {}, this.words.hand_in_final), lines.length > 0 && element("p", {}, this.words.still_open),
        element("ul", {}, shown.map((line) => element("li", {}, line)), lines.length > shown.length && element("li", {}, `+ ${lines.length - shown.length}`))),
      actions: [button(this.words.go_back, () => dialog.close(), { class: "", autofocus: true }),
        button(this.words.hand_in, () => { dialog.close(); this.#finish(); })],
    });
  }

  #finish() {
    this.store.put("status", { type: "status", done: true });
    this.settle();
    this.announce(this.words.banner_done);
    document.getElementById("go-on")?.focus();
    const { purpose } = this.view.project;
    if (purpose !== "work") this.store.flush().then(() => this.findings.check({ withFeedback: true }), () => {});
  }

  takeBack() {
    if (this.lock) return;
    this.store.put("status", { type: "status", done: false });
    this.announce(this.words.taken_back);
  }
}

async function start() {
  const data = JSON.parse(document.getElementById("page-data").textContent);
  const { words } = data;
  const response = await fetch(data.address).catch(() => null);
  if (!response?.ok) {
    document.getElementById("banners").append(element("div", { class: "banner bad", role: "alert" }, words.cannot_load,
      button(words.try_again, () => location.reload(), { class: "" })));
    return undefined;
  }
  const view = await response.json();
  window.desk = new Desk(view, data);
  if (view.assignment.lock === "preview") desk.store.close();
  document.body.classList.add("ready");
  return window.desk;
}

/** The desk when it is there; nothing if it cannot be loaded. */
export const ready = start();
