// Entries: the forms of a configuration, one open at a time. The chosen spans are marks in the text.

import { button, element, fill, kbd, shorten } from "./elements.js";
import { fieldControl, isMissing } from "./work-fields.js";
import { newId } from "./store.js";

const OTHER = "other"; // the field for a version of one's own, and the choice of it

/** What a form misses, as labels of fields. That there is no answer is one. */
export function missingFields(definition, value) {
  if (definition.fields.unanswerable && value?.fields?.unanswerable === true) return [];
  return Object.entries(definition.fields)
    .filter(([name, field]) => isMissing(field, value?.fields?.[name]))
    .map(([, field]) => field.label);
}

/** The form of one entry: a fixed entry may have only some of the fields, and its own labels and choices. */
export function formOf(definition, value) {
  const { only, labels, choices, optional, offers } = value ?? {};
  if (!only && !labels && !choices && !optional && !offers) return definition;
  const fields = Object.entries(definition.fields).filter(([name]) => !only || only.includes(name)).map(([name, field]) => [name, {
    ...field, label: labels?.[name] ?? field.label, optional: field.optional || Boolean(optional?.includes(name)),
    choices: choices?.[name] ? Object.entries(choices[name]).map(([value, label]) => ({ value, label: label || labelOf(field, value) })) : field.choices,
    offers: offers?.[name]?.map((text) => ({ label: "", text })),
  }]);
  return { ...definition, fields: Object.fromEntries(fields) };
}

function labelOf(field, value) { return field.choices?.find((choice) => choice.value === value)?.label ?? String(value); }

/** An open form of an entry. `onchange(fields)` gets all fields at every change. */
export class EntryForm {
  #definition; #fields; #onchange; #context;
  controls = new Map();

  constructor(definition, value, onchange, context) {
    this.#definition = definition;
    this.#fields = { ...value?.fields };
    this.#onchange = onchange;
    const first = Object.values(definition.fields).find((field) => ["text", "long_text"].includes(field.widget));
    this.#context = { ...context, focusAfter: (field) => this.focusAfter(field), askForSpan: (field) => context.askForSpan(field),
      draftsOf: (field) => field.offers ?? (field === first ? context.drafts : null) };
    for (const [name, field] of Object.entries(definition.fields)) {
      const control = fieldControl(field, this.#fields[name], (changed) => this.#change(name, changed), this.#context);
      this.controls.set(name, control);
    }
    this.element = element("div", { class: "fields" }, [...this.controls.values()].map((control) => control.element));
    this.lock();
  }

  /** Allow or forbid changes, and leave the focus where it is. */
  lock() {
    const isLocked = this.#context.isReadOnly();
    for (const [name, control] of this.controls) if (control.takesSpan) control.set(this.#fields[name]);
    for (const input of this.element.querySelectorAll("input, select, textarea, .take, .draft")) {
      if ("readOnly" in input && !["radio", "checkbox"].includes(input.type)) input.readOnly = isLocked;
      else input.disabled = isLocked;
    }
  }

  #change(name, value) {
    if (Object.is(this.#fields[name], value)) return;
    this.#fields = { ...this.#fields, [name]: value };
    if (name === OTHER && [value].flat().filter(Boolean).length) this.#chooseOther();
    this.#onchange(this.#fields);
  }

  get fields() { return this.#fields; }

  /** A version of one's own is a decision for it. */
  #chooseOther() {
    const name = Object.keys(this.#definition.fields).find((name) => this.#definition.fields[name].choices?.some(({ value }) => value === OTHER));
    if (!name || name === OTHER || this.#fields[name] === OTHER) return;
    this.#fields = { ...this.#fields, [name]: OTHER };
    this.controls.get(name).set(OTHER);
  }

  /** Show a value that came from elsewhere. */
  set(value) {
    this.#fields = { ...value?.fields };
    for (const [name, control] of this.controls) control.set(this.#fields[name]);
  }

  focus() {
    const missing = Object.entries(this.#definition.fields).find(([name, field]) => isMissing(field, this.#fields[name]));
    this.#focusField(missing?.[0] ?? [...this.controls.keys()][0]);
  }

  focusAfter(field) {
    const names = Object.keys(this.#definition.fields);
    const rest = names.slice(names.findIndex((name) => this.#definition.fields[name] === field) + 1);
    const isComplete = this.#definition.advance && missingFields(this.#definition, { fields: this.#fields }).length === 0
      && rest.every((name) => this.#definition.fields[name].widget === "flag");
    if (rest.length && !isComplete) this.#focusField(rest[0]);
    else this.#context.onlast?.();
  }

  #focusField(name) {
    const control = this.controls.get(name);
    if (control?.takesSpan && control.isEmpty() && !this.#context.isReadOnly()) this.#context.askForSpan(this.#definition.fields[name]);
    else control?.focus();
  }

  /** Put the selection into the first span field that is empty, else into the last that takes several, else the first. */
  useSelection(wanted) {
    const spans = [...this.controls].filter(([, control]) => control.takesSpan);
    const several = spans.filter(([name]) => this.#definition.fields[name].widget === "spans");
    const [name, control] = spans.find(([name]) => name === wanted) ?? spans.find(([, control]) => control.isEmpty()) ?? several.at(-1) ?? spans[0] ?? [];
    if (!control?.use()) return false;
    this.focusAfter(this.#definition.fields[name]);
    return true;
  }

  /**
   * Choose by a key in the field that has the focus, else in the first that knows the key. `isInFocus`: only in the former;
   * `isDraft`: drafts come before choices.
   */
  choose(key, { isInFocus = false, isDraft = false } = {}) {
    const controls = [...this.controls.values()].filter((control) => control.choose && (!isInFocus || control.element.contains(document.activeElement)));
    if (isDraft) controls.sort((a, b) => Boolean(b.hasDrafts) - Boolean(a.hasDrafts));
    else controls.sort((a, b) => b.element.contains(document.activeElement) - a.element.contains(document.activeElement));
    return controls.some((control) => control.choose(key));
  }

  /** Go to the field of a shortcut: spans take the selection, flags change. */
  useShortcut(key) {
    const found = Object.entries(this.#definition.fields).find(([, field]) => field.shortcut === key);
    if (!found) return false;
    const control = this.controls.get(found[0]);
    if (found[0] === OTHER && !this.#context.isReadOnly()) { this.#chooseOther(); this.#onchange(this.#fields); }
    if (control.takesSpan) this.useSelection(found[0]);
    else if (control.toggle) control.toggle();
    else control.focus();
    return true;
  }
}

/** All entries of the item, as cards. */
export class EntryPanel {
  #desk; #sections = new Map(); #cards = new Map(); #form = null; #confirm; #actions = element("div"); #isPointed = false;
  active = null;

  constructor(desk) {
    this.#desk = desk;
    this.element = element("div", { class: "entries" });
    for (const [name, definition] of Object.entries(desk.view.entries)) {
      const list = element("div", { class: "cards" });
      const canAdd = !definition.single && !definition.fixed;
      const add = canAdd && button([element("span", { "aria-hidden": "true" }, "+ "), fill(desk.words.new_entry, { name: definition.label }), " ", kbd(definition.shortcut)],
        () => this.add(name), { class: "add" });
      this.#sections.set(name, { definition, list, add, count: element("span", { class: "soft" }) });
      this.element.append(element("section", { class: "part", "aria-label": definition.label },
        element("div", { class: "part-head" }, element("h2", {}, definition.label), this.#sections.get(name).count, add),
        definition.guideline && element("p", { class: "hint" }, definition.guideline), list));
    }
  }

  /** Objects of a form in order; a single form is there before it is filled in. */
  list(name) {
    const { definition } = this.#sections.get(name);
    const listed = [...this.#desk.store.objects].filter(([, value]) => value.type === "entry" && value.entry === name);
    listed.sort(([a, first], [b, second]) => (first.order ?? 0) - (second.order ?? 0) || (a < b ? -1 : 1));
    if (definition.single && listed.length === 0) listed.push([`single-${name}`, { type: "entry", entry: name, order: 1, fields: defaults(definition) }]);
    return listed;
  }

  /** The number of an entry; further answers to a prompt have that of the first. */
  numberOf(id, value) {
    const base = (name) => (value.more ? name.split(".")[0] : name);
    const bases = new Set(this.list(value.entry).map(([other]) => base(other)));
    return [...bases].indexOf(base(id)) + 1;
  }

  get all() { return [...this.#sections.keys()].flatMap((name) => this.list(name)); }

  /** Cards for all entries; those that are there stay, with what is being typed in them. */
  draw() {
    const known = new Set(this.all.map(([id]) => id));
    for (const [id, card] of this.#cards) {
      if (known.has(id)) continue;
      card.element.remove();
      this.#cards.delete(id);
      if (this.active === id) this.active = this.#form = null;
    }
    for (const [name, { list }] of this.#sections) {
      let before = null;
      for (const [id, value] of this.list(name)) {
        if (!this.#cards.has(id)) this.#makeCard(id);
        this.#label(id, value);
        const { element: card } = this.#cards.get(id);
        const place = before ? before.nextSibling : list.firstChild;
        if (card !== place) list.insertBefore(card, place);
        before = card;
      }
    }
    this.#count();
    if (this.active) return;
    const isOpen = ([, value]) => this.#definition(value).fixed || this.#definition(value).single;
    const first = this.all.filter(isOpen).find(([, value]) => missingFields(this.#definition(value), value).length) ?? this.all.find(isOpen);
    if (first) this.activate(first[0], false);
  }

  /** Allow or forbid changes. */
  lock() {
    this.#form?.lock();
    this.#actions.hidden = this.#desk.isReadOnly;
    this.#count();
  }

  #definition(value) { return formOf(this.#desk.view.entries[value.entry], value); }

  #count() {
    for (const [name, { definition, count, add }] of this.#sections) {
      const listed = this.list(name);
      const complete = listed.filter(([, value]) => missingFields(this.#definition(value), value).length === 0).length;
      count.textContent = definition.single ? "" : definition.fixed ? `${complete} / ${listed.length}` : String(listed.length || "");
      if (add) add.disabled = this.#desk.isReadOnly;
    }
  }

  #makeCard(id) {
    const head = button([], () => this.activate(this.active === id ? null : id), { class: "card-head", "aria-expanded": "false" });
    const body = element("div", { class: "card-body", hidden: true, onpointerdown: () => { this.#isPointed = true; }, onkeydown: () => { this.#isPointed = false; } });
    const card = { head, body, findings: element("div"), element: element("article", { class: "card entry", data: { id } }, head, body) };
    this.#cards.set(id, card);
  }

  #label(id, value) {
    const { words } = this.#desk;
    const card = this.#cards.get(id);
    const definition = this.#definition(value);
    const number = this.numberOf(id, value);
    const missing = missingFields(definition, value);
    const findings = this.#desk.findingsOf(id);
    const isProposed = this.#desk.isProposed(id) && !definition.fixed && !definition.single;
    card.element.classList.toggle("proposed", isProposed);
    card.element.classList.toggle("single", definition.single);
    const state = findings.some((finding) => finding.severity !== "hint")
      ? element("span", { class: "state warn" }, "⚠ ", element("span", { class: "unseen" }, words.has_findings))
      : missing.length === 0 && element("span", { class: "state good" }, "✓ ", element("span", { class: "unseen" }, words.complete));
    const title = value.prompt ?? (id === this.active ? definition.label : this.#title(definition, value));
    card.head.replaceChildren(...[
      element("span", { class: "card-number" }, definition.single ? "" : String(number)),
      element("span", { class: "card-title" }, title ?? element("em", {}, fill(words.empty_entry, { name: definition.label }))),
      isProposed && element("span", { class: "badge" }, words.proposed), state,
    ].filter(Boolean));
    const summary = id === this.active ? [] : this.#summary(definition, value);
    if (summary.length) card.head.append(element("span", { class: "card-summary" }, summary));
    if (definition.single && !value.prompt) card.head.hidden = true;
    const shown = JSON.stringify(findings);
    if (card.shown !== shown) card.findings.replaceChildren(this.#desk.findings.listOf(id));
    card.shown = shown;
  }

  #title(definition, value) {
    const name = Object.keys(definition.fields).find((name) => ["text", "long_text"].includes(definition.fields[name].widget));
    return name && value.fields?.[name] ? shorten(value.fields[name], 120) : null;
  }

  #summary(definition, value) {
    const parts = [];
    for (const [name, field] of Object.entries(definition.fields)) {
      if (["text", "long_text"].includes(field.widget) && !value.prompt) continue;
      const shown = describeField(field, value.fields?.[name], this.#desk.words);
      if (shown) parts.push(element("span", { class: field.widget }, shown));
    }
    return parts;
  }

  /** Open the form of an entry, and close the one that was open. */
  activate(id, focus = true) {
    const { words } = this.#desk;
    const before = this.active;
    this.#form = null;
    this.active = id;
    if (before && this.#cards.has(before)) this.#close(before);
    const value = id && this.#find(id);
    this.#desk.texts.draw();
    if (!value) return;
    const card = this.#cards.get(id);
    const definition = this.#definition(value);
    this.#form = new EntryForm(definition, value, (fields) => this.#put(id, fields), {
      ...this.#desk.fieldContext, language: this.#desk.view.texts[0]?.language, drafts: this.#desk.view.drafts?.[id],
      onlast: () => (definition.fixed ? this.walk(1) : this.#sections.get(value.entry).add || card.head).focus?.(),
    });
    const canConfirm = this.#desk.isProposed(id) && !definition.single && !definition.fixed;
    this.#confirm = button(words.confirm, () => this.#desk.confirm(id), { hidden: !canConfirm });
    const canRemove = value.more ? id.includes(".") : !definition.fixed && !definition.single;
    this.#actions = element("div", { class: "card-actions", hidden: this.#desk.isReadOnly }, this.#confirm,
      value.more && button(words.another_answer, () => this.#addMore(id, value), { class: "quiet more" }),
      canRemove && button(words.remove_entry, () => this.remove(id), { class: "link danger" }));
    card.body.replaceChildren(...[
      value.what && element("p", { class: "hint" }, words[`what_${value.what}`] ?? value.what),
      value.context && element("p", { class: "context" }, value.context),
      this.#form.element,
      value.detail && element("details", { class: "detail" }, element("summary", {}, words.entry_detail, " ", kbd("d")), element("p", {}, value.detail)),
      value.suggestion && this.#suggestion(definition, value),
      card.findings,
      this.#actions,
    ].filter(Boolean));
    card.body.hidden = false;
    card.head.setAttribute("aria-expanded", "true");
    card.element.classList.add("active");
    this.#label(id, value);
    card.element.scrollIntoView({ block: "nearest" });
    if (value.places?.length) this.#desk.texts.reveal(value.places[0]);
    if (focus) this.#form.focus();
  }

  /** What the library suggests and why: folded until the person has decided, or asks for it. */
  #suggestion(definition, value) {
    const { words, language } = this.#desk;
    const { value: chosen, why } = value.suggestion;
    const field = Object.values(definition.fields).find(({ choices }) => choices?.some((choice) => choice.value === chosen));
    return element("details", { class: "detail suggestion", open: missingFields(definition, value).length === 0 }, element("summary", {}, words.suggestion, " ", kbd("s")),
      field && element("p", {}, element("strong", {}, labelOf(field, chosen))), element("p", {}, typeof why === "string" ? why : why[language] ?? why.en));
  }

  /** Fold or unfold the suggestion of the open form. */
  toggleSuggestion(isOpen) {
    const box = this.#cards.get(this.active)?.body.querySelector("details.suggestion");
    if (box) box.open = isOpen ?? !box.open;
  }

  /** From a form with everything in it to the next, or to handing in. */
  next() {
    const value = this.#find(this.active);
    if (!value || !this.#definition(value).fixed || missingFields(this.#definition(value), value).length) return false;
    const ids = this.all.map(([id]) => id);
    if (ids.at(-1) === this.active) document.getElementById("hand-in")?.focus();
    else this.walk(1);
    return true;
  }

  #close(id) {
    const card = this.#cards.get(id);
    card.body.replaceChildren();
    card.body.hidden = true;
    card.head.setAttribute("aria-expanded", "false");
    card.element.classList.remove("active");
    const value = this.#find(id);
    if (value) this.#label(id, value);
  }

  #find(id) { return this.all.find(([other]) => other === id)?.[1]; }

  #put(id, fields) {
    const value = this.#find(id);
    if (!value) return;
    this.#desk.store.put(id, { ...value, fields });
    const isChoice = ([name, field]) => field.widget === "choice" && !Object.is(fields[name], value.fields?.[name]);
    if (this.#isPointed && Object.entries(this.#definition(value).fields).some(isChoice)) this.#advance();
  }

  /** After a choice that completes a form with `advance`: the next incomplete one, or the way to hand in. */
  #advance() {
    const value = this.#find(this.active);
    if (!value || !this.#definition(value).advance || missingFields(this.#definition(value), value).length) return;
    const { all } = this;
    const index = all.findIndex(([id]) => id === this.active);
    const next = [...all.slice(index + 1), ...all.slice(0, index)].find(([, other]) => missingFields(this.#definition(other), other).length);
    if (next) this.activate(next[0]);
    else document.getElementById("hand-in")?.focus();
  }

  /** Fold or unfold what is beneath the open form. */
  toggleDetail() {
    const detail = this.#cards.get(this.active)?.body.querySelector("details.detail");
    if (detail) detail.open = !detail.open;
  }

  add(name) {
    if (this.#desk.isReadOnly) return;
    const { definition } = this.#sections.get(name);
    if (definition.single || definition.fixed) {
      const target = this.list(name).find(([, value]) => missingFields(this.#definition(value), value).length) ?? this.list(name)[0];
      if (target) this.activate(target[0]);
      return;
    }
    const id = newId("e");
    const order = Math.max(0, ...this.list(name).map(([, value]) => value.order ?? 0)) + 1;
    this.#desk.store.put(id, { type: "entry", entry: name, order, fields: defaults(definition) });
    this.#desk.settle();
    this.activate(id);
    this.#desk.announce(fill(this.#desk.words.entry_added, { name: definition.label }));
  }

  /** One more answer to the same prompt: `q-1.2` after `q-1`. */
  #addMore(id, value) {
    const base = id.split(".")[0];
    const numbers = this.all.map(([other]) => other.split(".")).filter(([other]) => other === base).map(([, number]) => Number(number ?? 1));
    const last = Math.max(...numbers);
    const next = `${base}.${last + 1}`;
    this.#desk.store.put(next, { ...value, order: Math.floor(value.order) + last / 1000, fields: {} });
    this.#desk.settle();
    this.activate(next);
  }

  remove(id) {
    this.#form = null;
    this.active = null;
    this.#desk.store.remove(id);
    this.#desk.announce(this.#desk.words.removed_undo);
    this.#desk.texts.focus();
  }

  /** Go to the next or previous entry. */
  walk(step) {
    const ids = this.all.map(([id]) => id);
    const index = ids.indexOf(this.active);
    const next = ids[index < 0 ? (step > 0 ? 0 : ids.length - 1) : index + step];
    if (next) this.activate(next);
    return { focus: () => {} };
  }

  update(ids) {
    const known = new Set(this.all.map(([id]) => id));
    const isShape = [...ids].some((id) => known.has(id) !== this.#cards.has(id)) || [...this.#cards.keys()].some((id) => !known.has(id));
    if (isShape) this.draw();
    else {
      for (const id of ids) if (this.#cards.has(id)) this.#label(id, this.#find(id));
      this.#count();
    }
    if (!this.#form || !ids.has(this.active)) return;
    const value = this.#find(this.active);
    this.#form.set(value);
    if (value.suggestion && missingFields(this.#definition(value), value).length === 0) this.toggleSuggestion(true);
    this.#confirm.hidden ||= !this.#desk.isProposed(this.active);
  }

  /** Labels again, as findings changed. */
  relabel() { for (const [id, value] of this.all) if (this.#cards.has(id)) this.#label(id, value); }

  useSelection() { return this.#form?.useSelection() ?? false; }
  choose(key, options) {
    this.#isPointed = false;
    const isChosen = this.#form?.choose(key, options) ?? false;
    if (isChosen) this.#advance();
    return isChosen;
  }

  useShortcut(key) { return this.#form?.useShortcut(key) ?? false; }
  get takesSpan() { return Boolean(this.#form && [...this.#form.controls.values()].some((control) => control.takesSpan)); }

  /** The chosen spans as marks of a text, and the places that the open form is about. */
  marks(textId) {
    const marks = [];
    for (const [id, value] of this.all) {
      (id === this.active ? value.places ?? [] : []).forEach((place, index) => {
        if (place.text === textId) marks.push({ id: `${id}/place/${index}`, category: `entry:${value.entry}`, start: place.start, end: place.end,
          attributes: {}, relations: {}, label: "", isCurrent: true });
      });
      for (const [name, field] of Object.entries(this.#definition(value).fields)) {
        if (field.widget !== "span" && field.widget !== "spans") continue;
        const spans = [value.fields?.[name] ?? []].flat();
        spans.forEach((span, index) => {
          if (span.text !== textId) return;
          const number = this.numberOf(id, value);
          marks.push({ id: `${id}/${name}/${index}`, category: `entry:${value.entry}`, start: span.start, end: span.end,
            attributes: {}, relations: {}, label: `${field.label} ${number}`, isCurrent: id === this.active });
        });
      }
    }
    return marks;
  }
}

function defaults(definition) {
  const fields = {};
  for (const [name, field] of Object.entries(definition.fields)) if (field.default !== null && field.default !== undefined) fields[name] = field.default;
  return fields;
}

/** A field's value in words. */
export function describeField(field, value, words) {
  if (value === null || value === undefined || value === "") return "";
  if (field.widget === "flag") return value ? field.label : "";
  if (field.widget === "choice") return labelOf(field, value);
  if (field.widget === "choices") return value.map((chosen) => labelOf(field, chosen)).join(words.list_comma);
  if (field.widget === "span") return `“${shorten(value.quote, 80)}”`;
  if (field.widget === "spans") return value.map((span) => `“${shorten(span.quote, 60)}”`).join(words.list_comma);
  return String(value);
}
