// Elements from plain values: text is always text, never markup.

/** An element with properties (`class`, `on…`, `data`, `aria`, anything else as attribute or property) and children. */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name === "data") Object.assign(made.dataset, value);
    else if (name === "class") made.className = value;
    else if (name === "colour") made.style.setProperty("--colour", value);
    else if (name === "value" || name === "checked" || name === "disabled") made[name] = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

export function button(label, onclick, properties = {}) {
  return element("button", { type: "button", class: "quiet", onclick, ...properties }, label);
}

export function kbd(keys) {
  return keys ? element("kbd", {}, keys) : null;
}

/** A text of the interface with `{name}` replaced. */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? String(values[name]) : whole));
}

/** A text of the interface in which `keys` between backticks look like keys. */
export function withKeys(text) {
  return text.split("`").map((part, index) => (index % 2 ? kbd(part) : part));
}

/** Whether keys typed at a place are text and no shortcuts. */
export function isTyping(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["radio", "checkbox", "button"].includes(target.type);
}

const composed = new WeakSet();
document.addEventListener("compositionstart", ({ target }) => composed.add(target), true);
document.addEventListener("compositionend", ({ target }) => composed.delete(target), true);

/** Give a text field another value, but never while an input method is composing in it. */
export function setValue(input, value) {
  if (input.value !== value && !composed.has(input)) input.value = value;
}

export function shorten(text, length = 60) {
  const flat = text.replace(/\s+/g, " ");
  const points = Array.from(flat);
  return points.length > length ? points.slice(0, length - 1).join("") + "…" : flat;
}

let lastNumber = 0;

/** An id for a label and its control. */
export function elementId() {
  lastNumber += 1;
  return `c${lastNumber}`;
}

/** A modal question in a native dialog; `close(value)` ends it. */
export function openDialog({ title, content, actions, kind = "", onclose = () => {} }) {
  const heading = element("h2", { id: elementId() }, title);
  const dialog = element("dialog", { class: `sheet ${kind}`, "aria-labelledby": heading.id }, heading, content);
  if (actions) dialog.append(element("div", { class: "actions" }, actions));
  const before = document.activeElement;
  dialog.addEventListener("close", () => {
    dialog.remove();
    const isFree = document.activeElement === null || document.activeElement === document.body; // an action may have moved on
    if (isFree && before instanceof HTMLElement && before.isConnected) before.focus();
    onclose(dialog.returnValue);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Plain text with paragraphs, lists, headings, **bold** words and `keys`. */
export function prose(text) {
  const inline = (line) => line.split(/\*\*(.+?)\*\*/).map((part, index) => (index % 2 ? element("strong", {}, part) : withKeys(part)));
  const blocks = text.trim().split(/\n\s*\n/).filter(Boolean).map((block) => {
    const lines = block.split("\n");
    const isList = lines.every((line) => /^\s*[-*•] /.test(line));
    if (/^#+ .*$/.test(block)) return element("h3", {}, block.replace(/^#+ /, ""));
    return isList ? element("ul", {}, lines.map((line) => element("li", {}, inline(line.replace(/^\s*[-*•] /, ""))))) : element("p", {}, inline(block));
  });
  return element("div", { class: "prose" }, blocks);
}

/** What has no label is called by its name. */
export function withLabels(table, parts = []) {
  return Object.fromEntries(Object.entries(table ?? {}).map(([name, described]) => {
    const inner = parts.map((part) => [part, withLabels(described[part])]);
    return [name, { ...described, ...Object.fromEntries(inner), label: described.label || name }];
  }));
}

/** What a browser remembers for a person; it works without. */
export const memory = {
  get(name) { try { return localStorage.getItem(`readmark.${name}`); } catch { return null; } },
  set(name, value) { try { localStorage.setItem(`readmark.${name}`, value); } catch { /* not kept */ } },
};
