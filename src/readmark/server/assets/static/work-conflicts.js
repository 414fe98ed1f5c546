// Conflicts: an object was changed in two places. Both versions are shown, and the annotator decides.

import { button, element, elementId, fill, openDialog } from "./elements.js";
import { EntryForm, describeField } from "./work-entries.js";

/** An object in words, as a list of labels and values. */
export function describeObject(value, desk) {
  const { words, view } = desk;
  if (value === null || value === undefined) return element("p", { class: "removed" }, words.version_removed);
  const rows = [];
  if (value.type === "entry") {
    if (value.prompt) rows.push([view.entries[value.entry]?.label ?? value.entry, value.prompt]);
    for (const [name, field] of Object.entries(view.entries[value.entry]?.fields ?? {})) {
      const shown = field.widget === "flag" ? (value.fields?.[name] ? words.yes : words.no) : describeField(field, value.fields?.[name], words);
      rows.push([field.label, shown || "—"]);
    }
  } else if (value.type === "mark") {
    rows.push([view.categories[value.category]?.label ?? value.category, `“${value.quote}”`]);
    for (const part of desk.marks.describe(value)) rows.push(["", part]);
  } else if (value.type === "status") rows.push([words.hand_in, value.done ? words.yes : words.no]);
  else rows.push([words.work_note, String(value.value ?? "")]);
  return element("dl", {}, rows.map(([label, shown]) => [element("dt", {}, label), element("dd", {}, shown)]));
}

function isSame(a, b) { return JSON.stringify(a) === JSON.stringify(b); }

/** An editor of an object inside the dialog; the result has `element` and `value()`. */
function editorOf(value, desk) {
  const context = { ...desk.fieldContext, isReadOnly: () => false, useSelection: () => null, askForSpan: () => {}, showSpan: () => {} };
  if (value.type === "entry" && desk.view.entries[value.entry]) {
    const form = new EntryForm(desk.view.entries[value.entry], value, () => {}, context);
    for (const control of form.controls.values()) if (control.takesSpan) control.element.querySelector(".take").hidden = true;
    return { element: form.element, value: () => ({ ...value, fields: form.fields }) };
  }
  if (value.type === "mark") {
    let attributes = value.attributes;
    const form = desk.marks.attributeForm(value, (changed) => { attributes = changed; });
    return { element: form.element, value: () => ({ ...value, attributes }) };
  }
  if (value.type === "note") {
    const input = element("textarea", { rows: 4, "aria-label": desk.words.work_note });
    input.value = value.value ?? "";
    return { element: input, value: () => ({ ...value, value: input.value }) };
  }
  return null;
}

export class ConflictDialog {
  #desk; #dialog = null;

  constructor(desk) { this.#desk = desk; }

  get isOpen() { return this.#dialog !== null; }

  /** Show the first open conflict; closing the dialog leaves it open, and the banner stays. */
  open() {
    if (this.#dialog) return;
    const conflict = this.#desk.store.conflicts[0];
    if (!conflict) return;
    const { words, store } = this.#desk;
    const later = conflict.value;
    const earlier = conflict.current_value ?? null;
    const settle = (value) => {
      store.resolve(conflict.event, value);
      this.#desk.announce(words.conflict_settled);
      this.#dialog.close();
    };
    const version = (title, value, other) => {
      const id = elementId();
      return element("section", { class: "version", "aria-labelledby": id }, element("h3", { id }, title), describeObject(value, this.#desk),
        button(words.keep_version, () => settle(value), { class: isSame(value, other) ? "quiet" : "" }));
    };
    const editing = element("div", { class: "editing" });
    const source = later ?? earlier;
    const edit = source && editorOf(source, this.#desk) && button(words.edit_version, () => {
      const editor = editorOf(source, this.#desk);
      editing.replaceChildren(element("h3", {}, words.edited_version), editor.element, button(words.save_edited, () => settle(editor.value()), { class: "" }));
      edit.hidden = true;
      editing.querySelector("textarea, input, select")?.focus();
    });
    const left = store.conflicts.length;
    this.#dialog = openDialog({
      title: words.conflict_title,
      content: element("div", { class: "conflict", data: { event: conflict.event } },
        element("p", {}, fill(words.conflict_text, { name: this.#desk.nameOf(conflict.object) ?? "" }), left > 1 && ` ${fill(words.conflicts_left, { count: left })}`),
        element("div", { class: "versions" }, version(words.version_saved, earlier, later), version(words.version_other, later, earlier)), editing),
      actions: [edit, button(words.decide_later, () => this.#dialog.close(), { autofocus: true })].filter(Boolean),
      onclose: () => {
        const isSettled = !store.conflicts.some((other) => other.event === conflict.event);
        this.#dialog = null;
        this.#desk.drawBanners();
        if (isSettled && store.conflicts.length) this.open();
      },
    });
  }
}
