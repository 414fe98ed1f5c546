// What every page of work has: a bar, banners, tools with guidelines and a note, undoing and handing in.

import { button, element, fill, kbd, memory, openDialog, prose, setValue, withKeys } from "./elements.js";
import { Store } from "./store.js";
import { ConflictDialog } from "./work-conflicts.js";
import { FindingPanel } from "./work-findings.js";

const MOST_LINES = 8; // of what is open before something is handed in
const ICONS = { saved: "✓", saving: "…", offline: "⚠", read_only: "✖", signed_out: "✖", refused: "✖" };

const pathOf = (assignment) => `/assignments/${encodeURIComponent(assignment)}`;

/**
 * A page on an assignment. Its own class has `show(ids)`, which draws changed objects and the status, `nameOf(id)`,
 * `missing` (what is not filled in, in words), `undo`, `redo`, `handIn` and `focusWork`.
 */
export class Desk {
  #announcer = document.getElementById("announcer");
  #banners = document.getElementById("banners");
  #bannerKey = "";
  #changed = new Set();
  #isHandingIn = false;
  #undo; #redo; #status; #found; #submit;

  constructor(view, { words, language }) {
    this.view = view;
    this.words = words;
    this.language = language;
    this.store = new Store({ assignment: view.assignment.id, view });
    this.findings = new FindingPanel(this);
    this.conflicts = new ConflictDialog(this);
  }

  get isDone() { return Boolean(this.store.objects.get("status")?.done); }
  get isFinal() { return Boolean(this.view.project.is_final); }
  /** Why nothing can be changed, not even taken back; an organiser can reopen what was handed in. */
  get lock() {
    const { lock } = this.view.assignment;
    if (lock && lock !== "handed_in") return lock;
    return this.isFinal && this.isDone ? "handed_in" : null;
  }
  get isReadOnly() { return this.isDone || this.lock !== null || this.store.status === "read_only"; }

  announce(text) { this.#announcer.textContent = ""; this.#announcer.textContent = text; }

  // Drawing

  /** The bar; `title`, `before`, `group` and `after` are what it has besides, null for nothing. */
  drawBar({ place, showKeys, title = null, before = [], group = null, after = null }) {
    const { words } = this;
    const { assignment, project } = this.view;
    const step = (id, label, arrow, keys) => (id
      ? element("a", { class: "button quiet icon", href: pathOf(id), "aria-label": label, title: `${label} (${keys})` }, arrow)
      : element("span", { class: "button quiet icon off", "aria-hidden": "true" }, arrow));
    const icon = (sign, onclick, label, keys) => button(sign, onclick, { class: "quiet icon", "aria-label": label, title: `${label} (${keys})` });
    this.#undo = icon("↶", () => this.undo(), words.undo, "Ctrl+Z");
    this.#redo = icon("↷", () => this.redo(), words.redo, "Ctrl+Shift+Z");
    this.#status = element("span", { class: "save-status", role: "status", id: "save-status" });
    this.#found = button("", () => this.findings.element.scrollIntoView(), { class: "link found" });
    this.#submit = button("", () => (this.isDone ? this.takeBack() : this.handIn()), { class: "hand-in", id: "hand-in" });
    const parts = [
      element("div", { class: "steps" }, step(assignment.previous, words.previous, "‹", "Alt+P"),
        element("span", { class: "place" }, place), step(assignment.next, words.next, "›", "Alt+N")),
      element("h1", {}, element("span", { class: "project-name" }, project.name), project.purpose !== "work" && element("span", { class: "badge" }, words[`purpose_${project.purpose}`]), title),
      ...before, this.#found, this.#status,
      element("div", { class: "group" }, this.#undo, this.#redo, group, icon("?", showKeys, words.keys, "?")),
      after, this.#submit];
    document.getElementById("bar").append(...parts.filter(Boolean));
  }

  /** The tools: for somebody who is new in this project the first `steps`, guidelines, `parts`, findings and a note. */
  drawTools({ steps, before = [], parts = [] }) {
    const { words } = this;
    const { project } = this.view;
    const { guidelines, examples = [] } = project;
    const seen = memory.get(`seen.${project.slug}`);
    const tools = document.getElementById("tools");
    tools.append(...before);
    if (seen === null) {
      const box = element("section", { class: "hints", "aria-label": words.first_steps }, element("h2", {}, words.first_steps),
        element("ol", {}, steps.map((line) => element("li", {}, withKeys(line)))),
        button(words.understood, () => { box.remove(); this.focusWork(); }, { class: "" }));
      tools.append(box);
    }
    if (guidelines || examples.length) {
      this.guidelines = element("details", { class: "part guidelines", open: seen !== String(project.version) },
        element("summary", {}, words.guidelines, " ", kbd("g")),
        prose(guidelines),
        examples.map((example) => element("figure", { class: "example" },
          example.title && element("figcaption", {}, example.title), element("blockquote", {}, example.text), example.comment && element("p", {}, example.comment))));
      tools.append(this.guidelines);
    }
    memory.set(`seen.${project.slug}`, String(project.version));
    const save = () => this.store.put("note", { type: "note", value: this.note.value });
    this.note = element("textarea", { rows: 2, id: "note", "aria-label": words.work_note, oninput: (event) => event.isComposing || save(), oncompositionend: save });
    this.#setNote();
    tools.append(...parts, this.findings.element, element("details", { class: "part note", open: Boolean(this.note.value) },
      element("summary", {}, words.work_note), element("p", { class: "hint" }, words.work_note_hint), this.note));
  }

  #setNote() { setValue(this.note, this.store.objects.get("note")?.value ?? ""); }

  drawBanners() {
    const { words, store } = this;
    const key = JSON.stringify([store.status, store.message, store.conflicts.length, store.refused, this.isDone, this.lock]);
    if (key === this.#bannerKey) return;
    this.#bannerKey = key;
    const banners = [];
    const banner = (kind, text, ...more) => banners.push(element("div", { class: `banner ${kind}`, role: "status" }, element("span", {}, text), ...more));
    if (store.status === "offline") banner("warn", words.banner_offline);
    const reason = words[`lock_${store.reason}`];
    if (store.status === "read_only") banner("bad", reason ? [reason, words.lock_unsent].join(" ") : [words.banner_read_only, store.message].filter(Boolean).join(" "));
    else if (this.lock && this.lock !== "handed_in") banner("warn", words[`lock_${this.lock}`]);
    for (const { object, message } of store.refused) banner("bad", fill(words.banner_refused, { name: this.nameOf(object) ?? object, message }));
    if (store.status === "signed_out") banner("bad", words.banner_signed_out, element("a", { class: "button", href: `/login?next=${encodeURIComponent(location.pathname)}`, target: "_blank" }, words.log_in_again));
    if (store.conflicts.length) banner("warn", fill(words.banner_conflicts, { count: store.conflicts.length }), button(words.show_conflicts, () => this.conflicts.open(), { class: "" }));
    if (this.isDone) {
      const { next } = this.view.assignment;
      banner("good", `✓ ${this.lock === "handed_in" ? words.lock_handed_in : words.banner_done}`,
        element("a", { class: "button", id: "go-on", href: next ? pathOf(next) : "/assignments" }, next ? `${words.next} →` : words.back_to_work));
    }
    const isGoingOn = document.activeElement?.id === "go-on"; // saving draws it anew
    this.#banners.replaceChildren(...banners);
    if (isGoingOn) document.getElementById("go-on")?.focus();
  }

  drawStatus() {
    const { words, store } = this;
    this.#status.replaceChildren(element("span", { "aria-hidden": "true" }, ICONS[store.status]), " ", words[`status_${store.status}`]);
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

  // Changes

  /** Follow the store and the findings, once everything is drawn. */
  listen() {
    const { store, findings } = this;
    store.addEventListener("change", ({ detail }) => {
      if (this.#changed.size === 0) queueMicrotask(() => this.settle());
      for (const id of detail.ids) this.#changed.add(id);
    });
    store.addEventListener("status", () => this.drawStatus());
    store.addEventListener("conflict", ({ detail }) => { this.drawStatus(); if (!detail.isSettled) this.conflicts.open(); });
    store.addEventListener("refused", () => this.drawStatus());
    findings.addEventListener("change", () => { this.#found.textContent = findings.summary; });
    findings.check({ withFeedback: this.isDone && this.view.project.purpose !== "work" });
    if (store.conflicts.length) this.conflicts.open();
  }

  /** Show all changes of the store that are not shown yet. */
  settle() {
    if (this.#changed.size === 0) return;
    const ids = this.#changed;
    this.#changed = new Set();
    this.#setNote();
    this.show(ids);
    this.findings.schedule();
  }

  // Handing in

  /** Hand in, at once or after a question that shows what is missing and the findings that weigh enough. */
  async askToHandIn(isShown) {
    if (this.isReadOnly || this.#isHandingIn) return;
    this.#isHandingIn = true;
    const found = await this.findings.check().finally(() => { this.#isHandingIn = false; });
    const { words, missing } = this;
    const noticed = found.filter(isShown).map((finding) => finding.message);
    if (!missing.length && !noticed.length && !this.isFinal) { this.#finish(); return; }
    const list = (title, lines) => lines.length > 0 && [element("p", {}, title), element("ul", {}, lines.slice(0, MOST_LINES).map((line) => element("li", {}, line)),
      lines.length > MOST_LINES && element("li", {}, `+ ${lines.length - MOST_LINES}`))];
    const dialog = openDialog({ title: words.hand_in_anyway,
      content: element("div", {}, this.isFinal && element("p", {}, words.hand_in_final), list(words.still_open, missing), list(words.findings, noticed)),
      actions: [button(words.go_back, () => dialog.close(), { class: "", autofocus: true }), button(words.hand_in, () => { dialog.close(); this.#finish(); }, { id: "hand-in-now" })] });
  }

  #finish() {
    this.store.put("status", { type: "status", done: true });
    this.settle();
    this.announce(this.words.banner_done);
    document.getElementById("go-on")?.focus();
    if (this.view.project.purpose !== "work") this.store.flush().then(() => this.findings.check({ withFeedback: true }), () => {});
  }

  takeBack() {
    if (this.lock) return;
    this.store.put("status", { type: "status", done: false });
    this.announce(this.words.taken_back);
  }
}

/** Open the page's assignment at a desk of a class; nothing if it cannot be loaded. */
export async function openDesk(OwnDesk) {
  const data = JSON.parse(document.getElementById("page-data").textContent);
  const { words } = data;
  const response = await fetch(data.address).catch(() => null);
  if (!response?.ok) {
    document.getElementById("banners").append(element("div", { class: "banner bad", role: "alert" }, words.cannot_load,
      button(words.try_again, () => location.reload(), { class: "" })));
    return undefined;
  }
  window.desk = new OwnDesk(await response.json(), data);
  if (desk.lock === "preview") desk.store.close();
  document.body.classList.add("ready");
  return window.desk;
}
