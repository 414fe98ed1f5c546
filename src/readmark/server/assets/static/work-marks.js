// Marks: the palette of categories, and the list in which attributes and relations are edited in place.

import { button, element, elementId, fill, kbd, shorten } from "./elements.js";
import { EntryForm } from "./work-entries.js";
import { newId } from "./store.js";

/** An attribute of a category as a field of a form. */
function fieldOf(attribute, quote, words) {
  const widget = attribute.choices?.length ? "choice" : { flag: "flag", boolean: "flag", integer: "number", number: "number" }[attribute.type] ?? "text";
  const hint = attribute.words ? fill(words.words_say, { quote: shorten(quote, 30) }) : "";
  return {
    widget, label: attribute.label, guideline: [attribute.guideline, hint].filter(Boolean).join(" "), choices: attribute.choices ?? [], shortcut: "",
    optional: attribute.optional || attribute.words || (attribute.default !== null && attribute.default !== undefined), default: attribute.default,
  };
}

/** What a mark misses, as labels. */
export function missingOfMark(category, mark) {
  const attributes = Object.entries(category.attributes ?? {}).filter(([name, attribute]) =>
    !attribute.optional && !attribute.words && (attribute.default ?? null) === null && attribute.type !== "flag" && (mark.attributes?.[name] ?? "") === "");
  const relations = Object.entries(category.relations ?? {}).filter(([name, relation]) => !relation.optional && targetsOf(mark, name).length === 0);
  return [...attributes, ...relations].map(([, described]) => described.label);
}

export function targetsOf(mark, relation) {
  return [mark.relations?.[relation] ?? []].flat();
}

export class MarkPanel {
  #desk; #rows = new Map(); #form = null; #filter = "";
  active = null;

  constructor(desk) {
    this.#desk = desk;
    const { words, view } = desk;
    this.palette = element("div", { class: "palette", role: "group", "aria-label": words.categories });
    for (const [name, category] of Object.entries(view.categories)) {
      if (category.tiles) continue;
      this.palette.append(button([element("span", { class: "swatch", colour: category.colour, "aria-hidden": "true" }), category.label, " ", kbd(category.shortcut)],
        () => desk.texts.create(name), { class: "category", title: category.guideline || undefined, data: { category: name }, onmousedown: (event) => event.preventDefault() }));
    }
    this.#count = element("span", { class: "soft" });
    this.#confirmAll = button(words.confirm_all, () => this.confirmAll(), { class: "link" });
    this.#select = element("select", { "aria-label": words.show_only, onchange: () => { this.#filter = this.#select.value; this.draw(); } },
      element("option", { value: "" }, words.all_categories),
      Object.entries(view.categories).map(([name, category]) => element("option", { value: name }, category.label)));
    this.#list = element("ol", { class: "mark-list" });
    this.element = element("section", { class: "part", "aria-label": words.marks },
      element("div", { class: "part-head" }, element("h2", {}, words.marks), this.#count, this.#confirmAll, this.#select), this.#list);
  }

  #count; #confirmAll; #select; #list; #relations; #confirm; #actions = element("div");

  /** The marks of the item in reading order; plain tiles are in the text only. */
  get all() {
    const order = new Map(this.#desk.view.texts.map((text, index) => [text.id, index]));
    const marks = [...this.#desk.store.objects].filter(([, value]) => value.type === "mark");
    return marks.sort(([, a], [, b]) => (order.get(a.text) ?? 0) - (order.get(b.text) ?? 0) || a.start - b.start || b.end - a.end);
  }

  #isListed(mark) {
    const category = this.#desk.view.categories[mark.category];
    if (this.#filter && mark.category !== this.#filter) return false;
    return !category?.tiles || Object.keys({ ...category.attributes, ...category.relations }).length > 0;
  }

  draw() {
    const listed = this.all.filter(([, mark]) => this.#isListed(mark));
    const kept = new Set(listed.map(([id]) => id));
    for (const [id, row] of this.#rows) if (!kept.has(id)) { row.element.remove(); this.#rows.delete(id); }
    let before = null;
    for (const [id, mark] of listed) {
      if (!this.#rows.has(id)) this.#rows.set(id, this.#row(id));
      const row = this.#rows.get(id);
      if (row.mark !== mark || row.isProposed !== this.#desk.isProposed(id)) this.#label(id, mark);
      const expected = before ? before.nextSibling : this.#list.firstChild;
      if (row.element !== expected) this.#list.insertBefore(row.element, expected);
      before = row.element;
    }
    const all = this.all;
    this.#count.textContent = listed.length ? String(listed.length) : "";
    this.#select.hidden = !this.#filter && listed.length < 12;
    this.#confirmAll.hidden = this.#desk.isReadOnly || !all.some(([id]) => this.#desk.isProposed(id));
    this.#list.classList.toggle("none", listed.length === 0);
    if (listed.length === 0) this.#list.replaceChildren(element("li", { class: "hint" }, this.#desk.words.no_marks));
    else this.#list.querySelector(":scope > li.hint")?.remove();
    if (this.active && !kept.has(this.active)) { this.active = null; this.#form = null; }
  }

  /** Allow or forbid changes. */
  lock() {
    const { isReadOnly } = this.#desk;
    for (const category of this.palette.children) category.disabled = isReadOnly;
    this.#form?.lock();
    this.#actions.hidden = isReadOnly;
    if (this.#form) this.#drawRelations();
    this.draw();
  }

  #row(id) {
    // After a click the keys of the text work on the mark; by keyboard the focus stays in the list.
    const show = (event) => {
      this.#desk.texts.activate(this.active === id ? null : id);
      if (event.detail && this.active === id) this.#desk.texts.focus({ preventScroll: true });
    };
    const head = button([], show, { class: "mark-head", "aria-expanded": "false" });
    const body = element("div", { class: "card-body", hidden: true });
    return { head, body, element: element("li", { class: "mark-row", data: { id } }, head, body) };
  }

  #label(id, mark) {
    const { words, view } = this.#desk;
    const row = this.#rows.get(id);
    const category = view.categories[mark.category] ?? { label: mark.category, colour: "#888888", attributes: {}, relations: {} };
    row.mark = mark;
    row.isProposed = this.#desk.isProposed(id);
    row.element.classList.toggle("proposed", row.isProposed);
    const details = this.describe(mark);
    const missing = missingOfMark(category, mark);
    const text = view.texts.find((text) => text.id === mark.text);
    row.head.replaceChildren(
      element("span", { class: "swatch", colour: category.colour, "aria-hidden": "true" }),
      element("span", { class: "mark-category" }, category.label),
      element("q", { class: "mark-quote", lang: text?.language }, shorten(mark.quote, 70)),
      row.isProposed ? element("span", { class: "badge" }, words.proposed) : "",
      this.#desk.findingsOf(id).some((finding) => finding.severity !== "hint") ? element("span", { class: "state warn" }, "⚠", element("span", { class: "unseen" }, words.has_findings)) : "",
      missing.length ? element("span", { class: "state warn" }, "⚠ ", fill(words.is_missing, { names: missing.join(words.list_comma) })) : "",
      details.length ? element("span", { class: "mark-details" }, details.join(" · ")) : "");
  }

  /** Attributes and relations of a mark in words. */
  describe(mark) {
    const { words, view, store } = this.#desk;
    const category = view.categories[mark.category];
    const parts = [];
    for (const [name, attribute] of Object.entries(category?.attributes ?? {})) {
      const value = mark.attributes?.[name];
      if (value === undefined || value === null || value === "" || value === false) continue;
      const label = attribute.choices?.find((choice) => choice.value === value)?.label ?? value;
      parts.push(value === true ? attribute.label : fill(words.label_value, { label: attribute.label, value: label }));
    }
    for (const [name, relation] of Object.entries(category?.relations ?? {})) {
      for (const target of targetsOf(mark, name)) {
        const quote = store.objects.get(target)?.quote;
        parts.push(fill(words.relation_to, { label: relation.label, quote: quote === undefined ? words.lost_target : shorten(quote, 30) }));
      }
    }
    return parts;
  }

  activate(id) {
    if (id && !this.#rows.has(id) && this.#filter) { this.#filter = this.#select.value = ""; this.draw(); }
    const before = this.#rows.get(this.active);
    if (before) {
      before.body.hidden = true;
      before.body.replaceChildren();
      before.head.setAttribute("aria-expanded", "false");
      before.element.classList.remove("active");
    }
    this.#form = null;
    this.active = id;
    const row = this.#rows.get(id);
    const mark = this.#desk.store.objects.get(id);
    if (!row || !mark) return;
    this.#edit(row, id, mark);
    row.body.hidden = false;
    row.head.setAttribute("aria-expanded", "true");
    row.element.classList.add("active");
    row.element.scrollIntoView({ block: "nearest" });
  }

  #edit(row, id, mark) {
    const { words, view, isReadOnly } = this.#desk;
    const category = view.categories[mark.category];
    this.#form = this.attributeForm(mark, (attributes) => this.#put(id, { attributes }));
    this.#confirm = button([words.confirm, " ", kbd("c")], () => this.#desk.confirm(id), { hidden: !this.#desk.isProposed(id) });
    this.#actions = element("div", { class: "card-actions", hidden: isReadOnly }, this.#confirm, button(words.remove_mark, () => this.remove(id), { class: "link danger" }));
    this.#relations = element("div");
    this.#drawRelations();
    row.body.replaceChildren(...[
      category?.guideline && element("p", { class: "hint" }, category.guideline),
      this.#form.element, this.#relations,
      this.#actions,
    ].filter(Boolean));
  }

  /** The form of a mark's attributes; `onchange` gets those that have a value. */
  attributeForm(mark, onchange) {
    const { words, view } = this.#desk;
    const attributes = view.categories[mark.category]?.attributes ?? {};
    const fields = Object.fromEntries(Object.entries(attributes).map(([name, attribute]) => [name, fieldOf(attribute, mark.quote, words)]));
    const given = (values) => Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== "" && value !== undefined && value !== false));
    return new EntryForm({ fields }, { fields: mark.attributes }, (values) => onchange(given(values)),
      { ...this.#desk.fieldContext, language: view.texts.find((text) => text.id === mark.text)?.language });
  }

  /** The relations of the active mark; the control that has the focus keeps it. */
  #drawRelations() {
    const mark = this.#desk.store.objects.get(this.active);
    const focused = this.#relations.querySelector(":focus");
    const place = focused && [...this.#relations.querySelectorAll("select, button")].indexOf(focused);
    this.#relations.replaceChildren(...Object.entries(this.#desk.view.categories[mark.category]?.relations ?? {})
      .map(([name, relation]) => this.#relation(this.active, mark, name, relation)));
    if (focused) [...this.#relations.querySelectorAll("select, button")][place]?.focus();
  }

  #relation(id, mark, name, relation) {
    const { words, isReadOnly, store } = this.#desk;
    const targets = targetsOf(mark, name);
    const key = this.#desk.keyboard.relationKeys[Object.keys(this.#desk.view.categories[mark.category].relations).indexOf(name)];
    const candidates = this.all.filter(([other, value]) => other !== id && relation.to.includes(value.category));
    const set = (next) => this.#put(id, { relations: withTargets(store.objects.get(id), name, next) });
    const selects = [...targets, ...(targets.length ? [] : [""])].map((target, index) => {
      const select = element("select", { id: elementId(), disabled: isReadOnly, "aria-label": relation.label,
        onchange: () => set(Object.assign([...targets], { [index]: select.value }).filter(Boolean)) },
      element("option", { value: "" }, words.no_target),
      target && !store.objects.has(target) && element("option", { value: target }, words.lost_target),
      candidates.map(([other, value]) => element("option", { value: other }, `${this.#desk.view.categories[value.category].label} “${shorten(value.quote, 40)}”`)));
      select.value = target;
      return select;
    });
    return element("div", { class: "field relation" }, element("span", { class: "field-label" }, relation.label, relation.optional && element("small", {}, ` (${words.field_optional})`)),
      relation.guideline && element("p", { class: "hint" }, relation.guideline), selects,
      !isReadOnly && button([words.pick_in_text, " ", kbd(key)], () => this.#desk.texts.pickTarget(id, name), { class: "link" }));
  }

  #put(id, changed) {
    const mark = this.#desk.store.objects.get(id);
    if (mark) this.#desk.store.put(id, { ...mark, ...changed });
  }

  /** Lead a relation of a mark to a target; whether that is allowed. */
  link(from, to, name) {
    const { store, view } = this.#desk;
    const [mark, target] = [store.objects.get(from), store.objects.get(to)];
    if (!mark || !target || from === to || this.#desk.isReadOnly) return false;
    const relations = Object.entries(view.categories[mark.category]?.relations ?? {});
    const fitting = relations.filter(([other, relation]) => (!name || other === name) && relation.to.includes(target.category));
    const chosen = fitting.find(([other]) => targetsOf(mark, other).length === 0) ?? fitting[0];
    if (!chosen) return false;
    this.#put(from, { relations: withTargets(mark, chosen[0], [to]) });
    return true;
  }

  /** A new mark with the defaults of its category. */
  make(text, category, start, end, quote) {
    const attributes = {};
    for (const [name, attribute] of Object.entries(this.#desk.view.categories[category].attributes ?? {})) {
      if (attribute.default !== null && attribute.default !== undefined) attributes[name] = attribute.default;
    }
    const id = newId("m");
    this.#desk.store.put(id, { type: "mark", text, category, start, end, quote, attributes, relations: {} });
    return id;
  }

  /** Remove a mark, and every relation to it, as one step. */
  remove(id) {
    if (this.#desk.isReadOnly) return;
    this.#form = null;
    this.#desk.store.change(() => {
      for (const [other, mark] of this.all) {
        let left = mark;
        for (const name of Object.keys(mark.relations ?? {})) {
          const targets = targetsOf(mark, name);
          if (targets.includes(id)) left = { ...left, relations: withTargets(left, name, targets.filter((target) => target !== id)) };
        }
        if (left !== mark) this.#desk.store.put(other, left);
      }
      this.#desk.store.remove(id);
    }, this.#desk.words.remove_mark);
    this.#desk.announce(this.#desk.words.removed_undo);
    this.#desk.texts.focus();
  }

  confirmAll() {
    this.#desk.store.change(() => {
      for (const [id, mark] of this.all) if (this.#desk.isProposed(id)) this.#desk.store.put(id, mark);
    }, this.#desk.words.confirm_all);
  }

  update(ids) {
    const isRelevant = [...ids].some((id) => this.#rows.has(id) || this.#desk.store.objects.get(id)?.type === "mark");
    if (!isRelevant) return;
    for (const row of this.#rows.values()) if (row.mark && Object.keys(row.mark.relations ?? {}).length) row.mark = null;
    this.draw();
    const active = this.#form && this.#desk.store.objects.get(this.active);
    if (!active) return;
    if (ids.has(this.active)) this.#form.set({ fields: active.attributes });
    this.#confirm.hidden = !this.#desk.isProposed(this.active);
    this.#drawRelations();
  }

  /** Labels again, as findings changed. */
  relabel() { for (const [id, row] of this.#rows) if (row.mark) this.#label(id, row.mark); }

  edit() {
    const row = this.#rows.get(this.active);
    row?.body.querySelector("input, textarea, select, button")?.focus();
    return Boolean(row);
  }

  walk(step) {
    const ids = [...this.#list.querySelectorAll(":scope > li[data-id]")].map((row) => row.dataset.id);
    const index = ids.indexOf(this.active);
    const next = ids[index < 0 ? (step > 0 ? 0 : ids.length - 1) : index + step];
    if (next) this.#desk.texts.activate(next);
  }

  choose(key) { return this.#form?.choose(key) ?? false; }
}

function withTargets(mark, name, targets) {
  const { [name]: _, ...others } = mark.relations ?? {};
  return targets.length === 0 ? others : { ...others, [name]: targets.length === 1 ? targets[0] : targets };
}
