// Keys: what the configuration declares comes first, the page's own keys follow.

import { element, isTyping, kbd, openDialog } from "./elements.js";

export class Keyboard {
  #desk; #configured;
  /** The keys that pick the target of a mark's first relation, of its second, … */
  relationKeys;

  constructor(desk) {
    this.#desk = desk;
    const { entries, categories } = desk.view;
    const fields = Object.values(entries).flatMap((entry) => Object.values(entry.fields));
    this.#configured = new Set([...Object.values(entries), ...Object.values(categories), ...fields].map((described) => described.shortcut).filter(Boolean));
    this.relationKeys = [..."rtyuiop"].filter((key) => !this.#configured.has(key));
    document.addEventListener("keydown", (event) => this.#press(event));
    document.getElementById("texts").addEventListener("keydown", (event) => this.#takeAnswer(event), { capture: true });
  }

  #press(event) {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const act = event.ctrlKey || event.metaKey ? this.#withControl(event) : event.altKey ? this.#withAlt(event) : this.#plain(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  /** Enter in a text gives the selection to the open form, before the text sees the key. */
  #takeAnswer(event) {
    const desk = this.#desk;
    if (event.key !== "Enter" || event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (desk.isReadOnly || !desk.texts.selection || !desk.entries.takesSpan) return;
    event.preventDefault();
    event.stopPropagation();
    desk.entries.useSelection();
  }

  #withControl(event) {
    const desk = this.#desk;
    const key = event.key.toLowerCase();
    if (key === "enter") return () => (desk.isDone ? desk.takeBack() : desk.handIn());
    if (isTyping(event.target)) return null;
    if (key === "z") return () => (event.shiftKey ? desk.redo() : desk.undo());
    return key === "y" ? () => desk.redo() : null;
  }

  #withAlt(event) {
    const desk = this.#desk;
    const { previous, next } = desk.view.assignment;
    // Where Alt writes characters, as on a Mac, they are text.
    if (isTyping(event.target) && event.code.startsWith("Key") && event.key.toLowerCase() !== event.code.slice(3).toLowerCase()) return null;
    const digit = /^Digit([1-9])$/.exec(event.code)?.[1];
    if (digit && desk.entries.choose(digit, { isInFocus: isTyping(event.target), isDraft: true })) return () => {};
    const go = (id) => id && (() => { location.href = `/assignments/${encodeURIComponent(id)}`; });
    return { ArrowDown: () => this.#walker.walk(1), ArrowUp: () => this.#walker.walk(-1), KeyN: go(next), KeyP: go(previous) }[event.code];
  }

  get #walker() { return Object.keys(this.#desk.view.entries).length ? this.#desk.entries : this.#desk.marks; }

  #plain(event) {
    const desk = this.#desk;
    const { key } = event;
    if (key === "Escape") return () => desk.texts.focus();
    if (isTyping(event.target)) return null;
    return this.#configuredAct(key) ?? this.#ownAct(event);
  }

  #configuredAct(key) {
    const desk = this.#desk;
    if (!this.#configured.has(key)) return null;
    const { entries, categories } = desk.view;
    const named = (table) => Object.keys(table).find((name) => table[name].shortcut === key);
    if (desk.entries.active && this.#isFieldOfActive(key)) return () => desk.entries.useShortcut(key);
    if (named(entries)) return () => desk.entries.add(named(entries));
    if (named(categories)) return () => desk.texts.create(named(categories));
    return null;
  }

  #isFieldOfActive(key) {
    const value = this.#desk.store.objects.get(this.#desk.entries.active) ?? this.#desk.entries.all.find(([id]) => id === this.#desk.entries.active)?.[1];
    const fields = value ? this.#desk.view.entries[value.entry].fields : {};
    return Object.values(fields).some((field) => field.shortcut === key);
  }

  #ownAct(event) {
    const desk = this.#desk;
    const { key } = event;
    const isButton = event.target instanceof HTMLElement && event.target.closest("button, a, summary, input");
    if (key === "?" || key === "？") return () => this.show();
    if (key === "Enter" && event.target instanceof HTMLInputElement && desk.entries.next()) return () => {};
    if ((key === "Enter" && !isButton) || (key === "a" && !this.#configured.has("a"))) {
      return desk.texts.selection && desk.entries.takesSpan ? () => desk.entries.useSelection() : null;
    }
    if (/^\d$/.test(key)) {
      if (desk.marks.active && desk.marks.choose(key)) return () => {};
      return desk.entries.choose(key) ? () => {} : null;
    }
    if (this.#configured.has(key)) return null;
    if (this.relationKeys.includes(key)) return this.#pickRelation(this.relationKeys.indexOf(key));
    return {
      j: () => this.#walker.walk(1), k: () => this.#walker.walk(-1), f: () => desk.findings.next(), n: () => desk.note && this.#openNote(),
      g: () => desk.guidelines && (desk.guidelines.open = !desk.guidelines.open),
      c: () => desk.marks.active && desk.confirm(desk.marks.active),
      d: () => desk.entries.toggleDetail(),
      s: () => desk.entries.toggleSuggestion(),
      e: () => desk.marks.edit(),
    }[key];
  }

  #openNote() {
    this.#desk.note.closest("details").open = true;
    this.#desk.note.focus();
  }

  #pickRelation(index) {
    const { marks, store, view } = this.#desk;
    const mark = store.objects.get(marks.active);
    const relation = mark && Object.keys(view.categories[mark.category]?.relations ?? {})[index];
    return relation && !this.#desk.isReadOnly ? () => this.#desk.texts.pickTarget(marks.active, relation) : null;
  }

  /** All keys of this page, in a dialog. */
  show() {
    const { words, view } = this.#desk;
    const own = [];
    for (const entry of Object.values(view.entries)) {
      if (entry.shortcut) own.push([entry.shortcut, entry.label]);
      for (const field of Object.values(entry.fields)) if (field.shortcut) own.push([field.shortcut, field.label]);
    }
    for (const category of Object.values(view.categories)) if (category.shortcut) own.push([category.shortcut, category.label]);
    const hasEntries = Object.keys(view.entries).length > 0;
    const hasMarks = Object.keys(view.categories).length > 0;
    const hasDetail = this.#desk.entries.all.some(([, value]) => value.detail);
    const relations = Math.max(0, ...Object.values(view.categories).map((category) => Object.keys(category.relations).length));
    const page = [
      hasEntries && ["Enter, a", words.key_use_selection], ["1 – 9, Alt+1 – 9", words.key_choose],
      ["Alt+↓, Alt+↑, j, k", words.key_walk], hasMarks && ["e", words.key_edit_mark], relations > 0 && [this.relationKeys.slice(0, relations).join(", "), words.key_relation], hasMarks && ["c", words.key_confirm],
      hasDetail && ["d", words.entry_detail], this.#desk.entries.all.some(([, value]) => value.suggestion) && ["s", words.suggestion], ["f", words.key_finding], ["g", words.guidelines], ["n", words.work_note], ["Esc", words.key_to_text], ["Ctrl+Z", words.undo], ["Ctrl+Shift+Z", words.redo],
      ["Ctrl+Enter", words.hand_in], ["Alt+P, Alt+N", words.key_items], ["?", words.keys],
    ].filter(Boolean).filter(([key]) => key.length > 1 || !this.#configured.has(key));
    const categories = Object.values(view.categories);
    const other = [...(categories.some((category) => category.tiles) ? [] : ["tile"]),
      ...(categories.some((category) => !category.tiles) ? [] : ["create", "edges", "again", "link", "remove"])].map((name) => words[`text_keys_${name}`]);
    const text = this.#desk.textKeys.filter((line) => !other.includes(line)).map((line) => line.split(" | "));
    const table = (title, rows, isKeys = true) => rows.length > 0 && element("section", {}, element("h3", {}, title), element("dl", { class: "keys" },
      rows.map(([keys, label]) => [element("dt", {}, isKeys ? keys.split(", ").map((key) => kbd(key)) : keys), element("dd", {}, label)])));
    const dialog = openDialog({ title: words.keys, kind: "wide", content: element("div", { class: "key-tables" }, table(words.keys_project, own), table(words.keys_text, text, false), table(words.keys_page, page)),
      actions: [element("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, words.close)] });
  }
}
