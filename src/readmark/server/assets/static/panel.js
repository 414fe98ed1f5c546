// A round of a readability panel: passages one at a time with stars, then their order, then the criteria of experts.
//
// Everything that a judge gives is an object of the store: a form for each passage, the order as `p03 < p01 = p07`
// (the easiest first, `=` shares a place), and the criteria.

import { Desk, openDesk } from "./desk.js";
import { button, element, elementId, fill, kbd, openDialog, isTyping, setValue, withLabels } from "./elements.js";
import { PlaceList } from "./panel-order.js";

const MOST_STARS = 5;
const LONGEST_PAUSE = 300; // seconds without a sign of the judge that still count as reading
const HASTE = 400; // milliseconds in which a passage that has just opened takes no stars: a key or click was doubled
const starsText = (stars) => "★".repeat(stars) + "☆".repeat(MOST_STARS - stars);

/** How long a passage is read: only while its page is visible, and not during a break. */
class ReadingClock {
  #code = null; #since = null; #spent = new Map(); #isPaused = false;

  /** `onhide` is called while the page is being hidden or closed, so that the time can be kept. */
  constructor(onhide) {
    document.addEventListener("visibilitychange", () => {
      this.#restart();
      if (document.visibilityState === "hidden") onhide();
    });
    addEventListener("pagehide", onhide);
    for (const name of ["pointerdown", "pointermove", "keydown", "wheel", "scroll"])
      document.addEventListener(name, () => this.#restart(), { passive: true, capture: true });
  }

  get watched() { return this.#code; }

  /** Count for another passage; null counts for none. */
  watch(code) {
    if (code === this.#code) return;
    this.#restart(() => { this.#code = code; });
  }

  pause(isPaused) { this.#restart(() => { this.#isPaused = isPaused; }); }

  /** Seconds that have not been taken yet. */
  read(code) { return (this.#spent.get(code) ?? 0) + (code === this.#code && this.#since !== null ? Math.min((performance.now() - this.#since) / 1000, LONGEST_PAUSE) : 0); }

  /** Take what has been counted: it is in the store now. */
  take(code) {
    this.#restart();
    this.#spent.delete(code);
  }

  /** Add up what has been counted so far, and count from now on if there is something to count. */
  #restart(change = () => {}) {
    if (this.#since !== null) this.#spent.set(this.#code, this.read(this.#code));
    this.#since = null;
    change();
    if (this.#code !== null && !this.#isPaused && document.visibilityState === "visible") this.#since = performance.now();
  }
}

class PanelDesk extends Desk {
  #lastGiven = "";
  #advanced = -HASTE;

  constructor(view, data) {
    super({ ...view, entries: withLabels(view.entries, ["fields"]) }, data);
    const { words } = this;
    this.isExpert = this.store.objects.has("criteria");
    this.clock = new ReadingClock(() => this.#keepTime());
    this.order = new PlaceList(this);
    this.current = this.codes.find((code) => !this.isJudged(code)) ?? this.codes[0];
    this.step = this.codes.some((code) => !this.isJudged(code)) ? "rate" : this.isExpert && this.order.isDecided ? "criteria" : "order";
    this.drawBar({ place: fill(words.panel_round, view.assignment), showKeys: () => this.showKeys(),
      after: button(words.panel_break, () => this.takeBreak(), { class: "quiet", id: "break", title: `${words.panel_break} (b)` }) });
    this.drawTools({ steps: [words.panel_hint_rate, words.panel_hint_order, words.panel_hint_break, words.hint_saved, words.hint_hand_in] });
    this.draw();
    this.listen();
    document.addEventListener("keydown", (event) => this.#press(event));
  }

  get codes() { return this.view.texts.map((text) => text.id); }
  get fieldContext() {
    return { words: this.words, isReadOnly: () => this.isReadOnly, useSelection: () => null, showSpan: () => {}, askForSpan: () => {}, languageOf: () => this.view.texts[0]?.language };
  }

  fields(id) { return this.store.objects.get(id)?.fields ?? {}; }
  stars(code) { return Number(this.fields(code).stars) || 0; }
  isSkipped(code) { return !this.stars(code) && Boolean(this.fields(code).skip); }
  isJudged(code) { return this.stars(code) > 0 || this.isSkipped(code); }
  text(code) { return this.view.texts.find((text) => text.id === code); }
  starWords(count) { return count === 1 ? this.words.panel_star : fill(this.words.panel_star_count, { count }); }

  /** An object in a few words. */
  nameOf(id) {
    const { words } = this;
    const number = this.codes.indexOf(id) + 1;
    if (number) return fill(words.panel_passage, { number });
    return { order: words.panel_order, criteria: words.panel_criteria, note: words.work_note, status: words.hand_in }[id];
  }

  showObject(id) {
    if (this.codes.includes(id)) this.open(id);
    else if (id === "order" || id === "criteria") this.go(id);
    else if (id === "note") this.note.focus();
  }

  put(id, fields) {
    const value = this.store.objects.get(id);
    if (value && !this.isReadOnly) this.store.put(id, { ...value, fields: { ...value.fields, ...fields } });
  }

  focusWork() { document.getElementById("passage")?.focus(); }
  show() { this.draw(); }

  // The steps

  go(step) {
    this.#keepTime();
    this.step = step;
    this.draw();
    document.getElementById(`step-${step}`)?.focus();
  }

  open(code) {
    this.#keepTime();
    this.current = code;
    this.step = "rate";
    this.draw();
    document.getElementById("passage")?.focus();
    document.getElementById("texts").scrollTop = 0;
    if (matchMedia("(max-width: 48rem)").matches) scrollTo(0, 0);
  }

  draw() {
    const { words } = this;
    const judged = this.codes.filter((code) => this.isJudged(code)).length;
    const names = ["rate", "order", ...(this.isExpert ? ["criteria"] : [])];
    const counts = { rate: `${judged} / ${this.codes.length}`, order: this.order.isDecided ? "✓" : "", criteria: this.fields("criteria").criteria?.trim() ? "✓" : "" };
    const steps = element("ol", { class: "round-steps", "aria-label": words.panel_steps }, names.map((name, index) => element("li", {}, button(
      [`${index + 1} `, words[`panel_${name}`], " ", element("span", { class: "count" }, counts[name])], () => this.go(name), { id: `step-${name}`, "aria-current": this.step === name && "step" }))));
    const texts = document.getElementById("texts");
    const typed = this.step === "criteria" ? document.getElementById("criteria") : null;
    if (typed) { // an input method may be composing in it
      texts.firstElementChild.replaceWith(steps);
      setValue(typed, this.fields("criteria").criteria ?? "");
      typed.readOnly = this.isReadOnly;
      this.drawStatus();
      return;
    }
    const active = document.activeElement?.id;
    const content = { rate: () => this.#drawPassage(), order: () => this.order.draw(), criteria: () => this.#drawCriteria() }[this.step]();
    texts.replaceChildren(steps, content);
    if (active && active !== document.activeElement?.id) document.getElementById(active)?.focus({ preventScroll: true });
    this.clock.watch(this.step === "rate" && !this.isReadOnly ? this.current : null);
    this.drawStatus();
  }

  #drawPassage() {
    const { words, current, isReadOnly } = this;
    const text = this.text(current);
    const number = this.codes.indexOf(current) + 1;
    const given = this.stars(current);
    const state = (code) => (this.stars(code) ? this.starWords(this.stars(code)) : this.isSkipped(code) ? words.panel_skipped : words.panel_not_rated);
    const list = element("ol", { class: "passage-list", "aria-label": words.panel_passages }, this.codes.map((code, index) => element("li", {}, button(
      [String(index + 1), element("span", { class: "mark", "aria-hidden": "true" }, this.stars(code) ? `${this.stars(code)}★` : this.isSkipped(code) ? "–" : "·")],
      () => this.open(code), { class: `quiet ${this.isJudged(code) ? "rated" : ""}`, "aria-current": code === current && "true", "aria-label": `${fill(words.panel_passage, { number: index + 1 })}: ${state(code)}` }))));
    const star = (count) => button([String(count), element("span", { class: "glyph", "aria-hidden": "true" }, starsText(count))], () => this.rate(count),
      { id: `star-${count}`, class: "quiet star", disabled: isReadOnly, "aria-pressed": String(given === count), "aria-label": this.starWords(count) });
    const walk = (by, label, arrow, keys) => button(arrow, () => this.walk(by), { class: "quiet icon", disabled: !this.codes[number - 1 + by], "aria-label": label, title: `${label} (${keys})` });
    return element("section", { class: "step", "aria-label": words.panel_rate }, list, element("p", { class: "last-given" }, this.#lastGiven),
      element("article", { id: "passage", tabindex: "-1", "aria-label": fill(words.panel_passage, { number }) },
        element("h2", {}, fill(words.panel_passage, { number })), element("p", { class: "passage-text", lang: text.language }, text.text)),
      element("div", { class: "rating-bar" },
        element("fieldset", {}, element("legend", {}, words.panel_stars), element("span", { class: "end" }, words.panel_hardest), [1, 2, 3, 4, 5].map(star), element("span", { class: "end" }, words.panel_easiest)),
        element("div", { class: "more" }, button(words.panel_skip, () => this.skip(), { id: "skip", class: "quiet", disabled: isReadOnly, title: `${words.panel_skip} (s)` }),
          walk(-1, words.panel_previous, "←", "←"), walk(1, words.panel_next, "→", "→")),
        this.isSkipped(current) && element("p", { class: "reason" }, fill(words.panel_skipped_because, { reason: this.fields(current).skip }))));
  }

  #drawCriteria() {
    const { words } = this;
    const { label, guideline } = this.view.entries.criteria.fields.criteria;
    const id = elementId();
    const save = (event) => this.put("criteria", { criteria: event.target.value });
    const input = element("textarea", { id: "criteria", rows: 6, "aria-labelledby": id, oninput: (event) => event.isComposing || save(event), oncompositionend: save });
    input.value = this.fields("criteria").criteria ?? "";
    input.readOnly = this.isReadOnly;
    return element("section", { class: "step criteria", "aria-label": words.panel_criteria }, element("h2", { id }, label), guideline && element("p", { class: "hint" }, guideline), input,
      element("p", { class: "hint" }, words.panel_criteria_saved));
  }

  // Rating

  walk(by) {
    const code = this.codes[this.codes.indexOf(this.current) + by];
    if (code) this.open(code);
  }

  rate(count) {
    if (this.isReadOnly || performance.now() - this.#advanced < HASTE) return;
    this.#judge({ stars: count, skip: "" }, this.starWords(count));
  }

  #judge(fields, what) {
    const { current, words } = this;
    const seconds = this.#seconds(current);
    this.clock.take(current);
    this.put(current, { ...fields, seconds });
    this.#lastGiven = fill(words.panel_given, { name: this.nameOf(current), stars: what });
    this.announce(this.#lastGiven);
    const later = this.codes.slice(this.codes.indexOf(current) + 1);
    const next = [...later, ...this.codes].find((code) => !this.isJudged(code));
    if (next) this.open(next);
    else this.go("order");
    this.#advanced = performance.now();
  }

  skip() {
    if (this.isReadOnly) return;
    const { words } = this;
    const label = elementId();
    const input = element("input", { type: "text", id: "skip-reason", maxlength: 300, required: true, "aria-labelledby": label, autofocus: true });
    const finish = (event) => {
      event.preventDefault();
      const reason = input.value.trim();
      if (!reason) { input.focus(); return; }
      dialog.close();
      this.#judge({ stars: null, skip: reason }, words.panel_skipped);
    };
    const dialog = openDialog({ title: words.panel_skip_title, content: element("form", { onsubmit: finish }, element("label", { id: label, for: "skip-reason" }, words.panel_skip_reason), input,
      element("div", { class: "actions" }, button(words.go_back, () => dialog.close()), element("button", { type: "submit" }, words.panel_skip_now))) });
  }

  /** The time that a passage has been read for, all visits included. */
  #seconds(code) { return Math.round(((Number(this.fields(code).seconds) || 0) + this.clock.read(code)) * 10) / 10; }

  #keepTime() {
    const code = this.clock.watched;
    if (!code || this.isReadOnly || this.clock.read(code) < 1) return;
    const seconds = this.#seconds(code);
    this.clock.take(code);
    this.put(code, { seconds });
  }

  takeBreak() {
    const { words } = this;
    this.#keepTime();
    this.clock.pause(true);
    const dialog = openDialog({ title: words.panel_break_title, kind: "break", content: element("p", {}, words.panel_break_text),
      actions: [button(words.panel_resume, () => dialog.close(), { class: "", id: "resume", autofocus: true })], onclose: () => this.clock.pause(false) });
  }

  // Undo, redo and handing in

  /** A step back or forth. Time that was recorded, handing in and taking back are no steps. */
  #step(canStep, step, text) {
    if (this.isReadOnly || !this.store[canStep]) return;
    const seen = () => new Map([...this.store.objects].filter(([id]) => id !== "status").map(([id, value]) => [id, JSON.stringify([value.value, { ...value.fields, seconds: null }])]));
    const before = seen();
    let changed;
    do {
      step();
      changed = [...seen()].find(([id, value]) => before.get(id) !== value)?.[0];
    } while (!changed && this.store[canStep]);
    this.#lastGiven = "";
    if (changed) this.showObject(changed);
    this.announce(text);
  }

  undo() { this.#step("canUndo", () => this.store.undo(), this.words.undone); }
  redo() { this.#step("canRedo", () => this.store.redo(), this.words.redone); }

  get missing() {
    const { words } = this;
    const lines = this.codes.filter((code) => !this.isJudged(code)).map((code) => fill(words.panel_no_stars, { name: this.nameOf(code) }));
    if (!this.order.isDecided) lines.push(words.panel_no_order);
    if (this.isExpert && !this.fields("criteria").criteria?.trim()) lines.push(words.panel_no_criteria);
    return lines;
  }

  handIn() {
    if (this.isReadOnly) return;
    this.#keepTime();
    this.askToHandIn((finding) => finding.severity !== "hint");
  }

  // Keys

  #press(event) {
    if (event.defaultPrevented || event.isComposing || document.querySelector("dialog[open]")) return;
    const act = event.ctrlKey || event.metaKey ? this.#withControl(event) : event.altKey ? this.#withAlt(event) : isTyping(event.target) ? null : this.#plain(event);
    if (!act) return;
    event.preventDefault();
    act();
  }

  #withControl(event) {
    const key = event.key.toLowerCase();
    if (key === "enter") return () => (this.isDone ? this.takeBack() : this.handIn());
    if (isTyping(event.target)) return null;
    if (key === "z") return () => (event.shiftKey ? this.redo() : this.undo());
    return key === "y" ? () => this.redo() : null;
  }

  #withAlt(event) {
    const { previous, next } = this.view.assignment;
    const go = (id) => id && (() => { location.href = `/assignments/${encodeURIComponent(id)}`; });
    return { KeyN: go(next), KeyP: go(previous) }[event.code] ?? (this.step === "order" ? this.order.withAlt(event) : null);
  }

  #plain(event) {
    const { key } = event;
    if (this.step === "rate" && /^[1-5]$/.test(key)) return () => event.repeat || this.rate(Number(key));
    const own = this.step === "order" ? this.order.plain(event) : this.step === "rate"
      ? { s: () => this.skip(), j: () => this.walk(1), k: () => this.walk(-1), ArrowRight: () => this.walk(1), ArrowLeft: () => this.walk(-1) }[key] : null;
    return own ?? {
      b: () => this.takeBreak(), r: () => this.go("rate"), o: () => this.go("order"), c: this.isExpert && (() => this.#openCriteria()),
      f: () => this.findings.next(), g: () => this.guidelines && (this.guidelines.open = !this.guidelines.open),
      n: () => { this.note.closest("details").open = true; this.note.focus(); }, "?": () => this.showKeys(), "？": () => this.showKeys(),
    }[key];
  }

  #openCriteria() { this.go("criteria"); document.getElementById("criteria").focus(); }

  showKeys() {
    const { words } = this;
    const table = (title, rows) => element("section", {}, element("h3", {}, title), element("dl", { class: "keys" }, rows.map(([keys, label]) => [element("dt", {}, keys.split(", ").map((key) => kbd(key))), element("dd", {}, label)])));
    const dialog = openDialog({ title: words.keys, kind: "wide", content: element("div", { class: "key-tables" },
      table(words.panel_rate, [["1 – 5", words.panel_key_stars], ["s", words.panel_skip], ["←, →, j, k", words.panel_key_walk], ["b", words.panel_break]]),
      table(words.panel_order, [["↑, ↓, j, k", words.panel_key_choose], ["Alt+↑, Alt+↓", words.panel_key_move], ["=", fill(words.panel_same, { name: "" }).replace(/[:：]\s*$/, "")], ["Enter", words.panel_key_read]]),
      table(words.keys_page, [[this.isExpert ? "r, o, c" : "r, o", words.panel_key_steps], ["f", words.key_finding], ["g", words.guidelines], ["n", words.work_note], ["Ctrl+Z", words.undo], ["Ctrl+Shift+Z", words.redo],
        ["Ctrl+Enter", words.hand_in], ["Alt+P, Alt+N", words.key_items], ["?", words.keys]])),
      actions: [element("button", { type: "button", autofocus: true, onclick: () => dialog.close() }, words.close)] });
  }
}

openDesk(PanelDesk);
