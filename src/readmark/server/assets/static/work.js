// The annotator's page. It is made of an assignment's JSON alone: texts, forms, categories, what was done so far.

import { Desk, openDesk } from "./desk.js";
import { button, element, fill, shorten, withLabels } from "./elements.js";
import { EntryPanel, formOf, missingFields } from "./work-entries.js";
import { Keyboard } from "./work-keys.js";
import { MarkPanel, missingOfMark } from "./work-marks.js";
import { TextPanes } from "./work-texts.js";

const COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#e08020", "#777777"];

function withColours(categories) {
  return Object.fromEntries(Object.entries(categories).map(([name, category], index) =>
    [name, { ...category, colour: category.colour || COLOURS[index % COLOURS.length] }]));
}

class WorkDesk extends Desk {
  #picked = element("span", { class: "picked" });
  #wasReadOnly = this.isReadOnly;

  constructor(view, data) {
    super({ ...view, categories: withColours(withLabels(view.categories, ["attributes", "relations"])), entries: withLabels(view.entries, ["fields"]) }, data);
    this.textKeys = data.textKeys;
    this.entries = new EntryPanel(this);
    this.marks = new MarkPanel(this);
    this.keyboard = new Keyboard(this);
    this.texts = new TextPanes(this);
    this.#drawTools();
    this.#drawBar();
    this.entries.draw();
    this.marks.lock();
    this.texts.draw();
    this.drawStatus();
    this.findings.addEventListener("change", () => { this.entries.relabel(); this.marks.relabel(); });
    this.listen();
  }

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
  focusWork() { this.texts.focus(); }

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

  // The bar and the tools

  #drawBar() {
    const { words } = this;
    const { assignment, project } = this.view;
    const due = assignment.due && element("span", { class: "soft due" }, words.due, " ",
      new Intl.DateTimeFormat(this.language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(assignment.due * 1000)));
    this.drawBar({
      place: `${assignment.position} / ${assignment.count}`, title: element("span", { class: "soft item-name" }, assignment.item),
      before: [due, this.#picked], group: this.texts.switch, showKeys: () => this.keyboard.show(),
      after: project.purpose === "practice" && button([words.check_answer], () => this.checkAnswer(), { class: "quiet", id: "check-answer" }),
    });
  }

  #drawTools() {
    const { entries, marks } = this;
    const { categories } = this.view;
    const hasMarks = Object.values(categories).some((category) => !category.tiles || Object.keys({ ...category.attributes, ...category.relations }).length);
    this.drawTools({
      steps: this.#firstSteps(),
      before: [button("", () => document.body.classList.toggle("tall-tools"), { class: "grip", "aria-label": this.words.resize_tools }),
        ...(marks.palette.childElementCount ? [marks.palette] : [])],
      parts: [...(Object.keys(this.view.entries).length ? [entries.element] : []), ...(hasMarks ? [marks.element] : [])],
    });
  }

  #firstSteps() {
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
    return [...steps, words.hint_saved, words.hint_hand_in];
  }

  // Changes

  show(ids) {
    this.entries.update(ids);
    this.marks.update(ids);
    this.#lockIfNeeded();
    this.texts.draw();
    this.drawStatus();
  }

  drawStatus() {
    this.#lockIfNeeded();
    super.drawStatus();
  }

  #lockIfNeeded() {
    if (this.#wasReadOnly === this.isReadOnly) return;
    this.#wasReadOnly = this.isReadOnly;
    this.entries.lock();
    this.marks.lock();
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

  handIn() { this.askToHandIn((finding) => finding.severity === "error"); }
}

/** The desk when it is there; nothing if it cannot be loaded. */
export const ready = openDesk(WorkDesk);
