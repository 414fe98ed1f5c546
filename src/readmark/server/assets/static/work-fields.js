// The controls of a form: one for each widget of a configuration. A control shows a value, and reports changes.

import { button, element, elementId, fill, kbd, setValue, shorten } from "./elements.js";

/** Whether a field still needs a value. */
export function isMissing(field, value) {
  if (field.optional || field.widget === "flag") return false;
  return value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
}

/**
 * The control of a field. `context` has `words`, `useSelection()` (the selected span or null), `showSpan(span)`,
 * `askForSpan(field)` (lead to the text), `focusAfter(field)` and `isReadOnly()`. `onchange(value)` is called at every key.
 * The result has `element`, `set(value)`, `focus()`, and for choices `choose(key)`.
 */
export function fieldControl(field, value, onchange, context) {
  const make = {
    text: textControl,
    long_text: textControl,
    number: numberControl,
    choice: choiceControl,
    choices: choiceControl,
    flag: flagControl,
    span: spanControl,
    spans: spanControl,
  }[field.widget];
  return make(field, value, onchange, context);
}

function labelled(field, context, tag, properties, ...children) {
  const optional = field.optional && field.widget !== "flag";
  const shown = optional ? `(${context.words.field_optional})` : "";
  const name = element(tag, { class: "field-label", ...properties }, field.label, " ", kbd(field.shortcut), " ", optional && element("small", {}, shown));
  const guideline = field.guideline && element("p", { class: "hint" }, field.guideline);
  return element("div", { class: `field ${field.widget}` }, name, guideline, ...children);
}

function textControl(field, value, onchange, context) {
  const id = elementId();
  const input = element("textarea", {
    id, rows: field.widget === "text" ? 1 : 4, lang: context.language,
    spellcheck: "false", oninput: (event) => event.isComposing || onchange(input.value), oncompositionend: () => onchange(input.value),
  });
  input.value = value ?? "";
  if (field.widget === "text") {
    input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      context.focusAfter(field);
    });
  }
  const drafts = context.draftsOf?.(field) ?? [];
  const take = (text) => {
    if (context.isReadOnly()) return;
    const lines = input.value.split("\n").filter((line) => line.trim());
    if (field.widget === "text") input.value = text;
    else input.value = [...lines, ...text.split("\n").filter((line) => !lines.includes(line))].join("\n");
    input.focus();
    input.setSelectionRange(input.value.length, input.value.length);
    onchange(input.value);
  };
  return {
    element: labelled(field, context, "label", { for: id }, input, draftList(drafts, take, context, field.offers ? context.words.offers : context.words.drafts)),
    set: (next) => setValue(input, next ?? ""),
    focus: () => input.focus(),
    hasDrafts: drafts.length > 0,
    choose: (key) => {
      const draft = drafts[Number(key) - 1];
      if (draft) take(draft.text);
      return Boolean(draft);
    },
  };
}

/** Texts that a click or a key takes into the field; nothing of them is saved before. */
function draftList(drafts, take, { language }, name) {
  return drafts.length > 0 && element("div", { class: "drafts", role: "group", "aria-label": name }, element("span", { class: "hint" }, name),
    drafts.map(({ label, text }, index) => button([kbd(`Alt+${index + 1}`), " ", element("span", { class: "soft" }, label), " ", element("bdi", { lang: language }, text)],
      () => take(text), { class: "quiet draft" })));
}

function numberControl(field, value, onchange, context) {
  const id = elementId();
  const read = () => (input.value.trim() === "" || Number.isNaN(input.valueAsNumber) ? null : input.valueAsNumber);
  const input = element("input", {
    id, type: "number", step: "any", value: value ?? "",
    oninput: () => onchange(read()),
  });
  return {
    element: labelled(field, context, "label", { for: id }, input),
    set: (next) => { if (read() !== (next ?? null)) input.value = next ?? ""; },
    focus: () => input.focus(),
  };
}

const MOST_BUTTONS = 12;

/** Radio buttons for one choice, boxes for several, a menu for very many. Keys choose by value where it is a digit, else by place. */
function choiceControl(described, value, onchange, context) {
  const several = described.widget === "choices";
  const none = described.optional && !several ? [{ value: null, label: context.words.no_choice }] : [];
  const field = { ...described, choices: [...described.choices, ...none] };
  if (!several && field.choices.length > MOST_BUTTONS) return menuControl(field, value, onchange, context);
  const name = elementId();
  const keys = choiceKeys(described.choices).concat(none.map(() => "0"));
  const inputs = field.choices.map(() => element("input", {
    type: several ? "checkbox" : "radio", name, onchange: () => onchange(read()),
  }));
  const read = () => {
    const chosen = field.choices.filter((_, index) => inputs[index].checked).map((choice) => choice.value);
    return several ? chosen : chosen[0] ?? null;
  };
  const set = (next) => {
    const values = several ? next ?? [] : [next ?? null];
    field.choices.forEach((choice, index) => { inputs[index].checked = values.includes(choice.value); });
  };
  set(value);
  const options = field.choices.map((choice, index) => element("label", { class: "option" },
    inputs[index], element("span", {}, choice.label), kbd(keys[index])));
  const legend = elementId();
  return {
    element: labelled(field, context, "span", { id: legend },
      element("div", { class: "options", role: several ? "group" : "radiogroup", "aria-labelledby": legend }, options)),
    set,
    focus: () => (inputs.find((input) => input.checked) ?? inputs[0])?.focus(),
    choose: (key) => {
      const index = keys.indexOf(key);
      if (index < 0 || context.isReadOnly()) return false;
      inputs[index].checked = several ? !inputs[index].checked : true;
      inputs[index].focus();
      onchange(read());
      return true;
    },
  };
}

function menuControl(field, value, onchange, context) {
  const id = elementId();
  const select = element("select", { id, onchange: () => onchange(field.choices[select.selectedIndex - 1]?.value ?? null) },
    element("option", {}, "—"), field.choices.filter((choice) => choice.value !== null).map((choice) => element("option", {}, choice.label)));
  const set = (next) => { select.selectedIndex = field.choices.findIndex((choice) => choice.value === (next ?? undefined)) + 1; };
  set(value);
  return { element: labelled(field, context, "label", { for: id }, select), set, focus: () => select.focus() };
}

/** The key of each choice: its own value if all are single digits, else 1, 2, 3 … */
export function choiceKeys(choices) {
  const own = choices.map((choice) => String(choice.value));
  if (own.every((key) => /^\d$/.test(key))) return own;
  return choices.map((_, index) => (index < 9 ? String(index + 1) : ""));
}

function flagControl(field, value, onchange, context) {
  const input = element("input", { type: "checkbox", checked: Boolean(value),
    onchange: () => onchange(input.checked) });
  return {
    element: element("div", { class: "field flag" },
      element("label", { class: "option" }, input, element("span", {}, field.label), kbd(field.shortcut)),
      field.guideline && element("p", { class: "hint" }, field.guideline)),
    set: (next) => { input.checked = Boolean(next); },
    focus: () => input.focus(),
    toggle: () => {
      if (context.isReadOnly()) return;
      input.checked = !input.checked;
      onchange(input.checked);
    },
  };
}

/** A span of a text, or several: chosen with the selection, shown as its words. */
function spanControl(field, value, onchange, context) {
  const { words } = context;
  const several = field.widget === "spans";
  const legend = elementId();
  const box = element("div", { class: "spans" });
  let spans = [];
  const report = () => onchange(several ? spans : spans[0] ?? null);
  const use = () => {
    if (context.isReadOnly()) return false;
    const span = context.useSelection();
    if (!span) { context.askForSpan(field); return false; }
    spans = several ? [...spans, span] : [span];
    draw();
    report();
    return true;
  };
  const take = button([words.use_selection, " ", kbd("Enter")], () => use() && context.focusAfter(field), { class: "quiet take", "aria-describedby": legend, onmousedown: (event) => event.preventDefault() });
  const draw = () => {
    box.replaceChildren(...spans.map((span) => element("div", { class: "chosen" },
      button(`“${shorten(span.quote, 90)}”`, () => context.showSpan(span), { class: "quote", title: words.show_in_text, lang: context.languageOf?.(span.text) }),
      !context.isReadOnly() && button("✕", () => {
        spans = spans.filter((other) => other !== span);
        draw();
        report();
        take.focus();
      }, { class: "quiet icon", "aria-label": fill(words.remove_named, { name: shorten(span.quote, 30) }) }))));
    if (spans.length === 0) box.append(element("p", { class: "hint" }, words.select_then_use));
  };
  const set = (next) => {
    spans = several ? [...(next ?? [])] : next ? [next] : [];
    draw();
  };
  set(value);
  return {
    element: labelled(field, context, "span", { id: legend }, box, take),
    set, use, focus: () => take.focus(), takesSpan: true, isEmpty: () => spans.length === 0,
  };
}
