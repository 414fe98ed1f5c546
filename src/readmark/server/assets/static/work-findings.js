// Findings: what the library says of the work in progress, with the way to each object.

import { button, element, fill } from "./elements.js";

const PAUSE = 700; // milliseconds after the last change until the work is checked
const TIMEOUT = 15000; // handing in does not wait longer for an answer
const ICONS = { error: "✖", warning: "⚠", hint: "ℹ" };
const FEEDBACK = /^practice/;

/** Findings that are feedback on a practice item are shown only after the annotator asked for them. */
export class FindingPanel extends EventTarget {
  #desk; #timer = 0; #asked = 0; #position = -1; #showsFeedback = false;
  all = [];

  constructor(desk) {
    super();
    this.#desk = desk;
    const { words } = desk;
    this.#count = element("span", { class: "soft" });
    this.#list = element("ul", { class: "findings" });
    this.#state = element("p", { class: "hint", role: "status" }, words.checking);
    this.element = element("section", { class: "part", id: "findings", "aria-label": words.findings },
      element("div", { class: "part-head" }, element("h2", {}, words.findings), this.#count), this.#state, this.#list);
  }

  #count; #list; #state;

  schedule() {
    this.#showsFeedback = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.check(), PAUSE);
  }

  /** Ask the server now. `withFeedback`: also compare a practice item with its answer. */
  async check({ withFeedback = false } = {}) {
    clearTimeout(this.#timer);
    if (this.#desk.view.assignment.lock === "preview") return [];
    this.#showsFeedback ||= withFeedback;
    const asked = (this.#asked += 1);
    const signal = AbortSignal.timeout(TIMEOUT);
    try {
      let response;
      do {
        // The hall is busy, perhaps with this person's last check: come again when it says.
        if (response) await new Promise((resolve) => setTimeout(resolve, 1000 * (Number(response.headers.get("retry-after")) || 2)));
        if (asked !== this.#asked) return this.all;
        response = await fetch(`/api/assignments/${encodeURIComponent(this.#desk.view.assignment.id)}/check`, {
          method: "POST", headers: { "content-type": "application/json" }, signal,
          body: JSON.stringify({ objects: Object.fromEntries(this.#desk.store.objects) }),
        });
      } while (response.status === 429);
      if (!response.ok) throw new Error(String(response.status));
      const { findings } = await response.json();
      if (asked !== this.#asked) return this.all;
      this.all = findings.filter((finding) => this.#showsFeedback || !FEEDBACK.test(finding.code));
      this.#draw(withFeedback);
    } catch {
      if (asked === this.#asked) this.#state.textContent = this.#desk.words.check_later;
      this.#state.hidden = false;
    }
    this.dispatchEvent(new Event("change"));
    return this.all;
  }

  of(id) { return this.all.filter((finding) => finding.object === id); }

  #draw(withFeedback) {
    const { words } = this.#desk;
    const open = new Set([...this.#list.querySelectorAll("details[open]")].map((details) => details.dataset.key));
    this.#list.replaceChildren(...this.all.map((finding, index) => this.#item(finding, index, open)));
    this.#count.textContent = this.all.length ? String(this.all.length) : "";
    const isRight = withFeedback && !this.all.some((finding) => FEEDBACK.test(finding.code));
    this.#state.textContent = isRight ? words.feedback_right : words.nothing_found;
    this.#state.classList.toggle("praise", isRight);
    this.#state.hidden = this.all.length > 0 && !isRight;
    this.#position = -1;
  }

  /** The findings of an object as a list to show with it. */
  listOf(id) {
    const own = this.of(id);
    return own.length ? element("ul", { class: "findings" }, own.map((finding) => this.#item({ ...finding, object: null }, -1, new Set()))) : "";
  }

  #item(finding, index, open) {
    const { words } = this.#desk;
    const severity = ICONS[finding.severity] ? finding.severity : "warning";
    const key = `${finding.code} ${finding.object} ${finding.message}`;
    const where = finding.object && this.#desk.nameOf(finding.object);
    const text = [element("span", { class: "severity" }, element("span", { "aria-hidden": "true" }, ICONS[severity], " "), words[`severity_${severity}`]), " ",
      element("span", { class: "message" }, finding.message), where && element("span", { class: "where" }, where)];
    return element("li", { class: `finding ${severity}`, data: { code: finding.code } },
      finding.object ? button(text, () => this.show(index), { class: "finding-head" }) : element("div", { class: "finding-head" }, text),
      finding.detail && element("details", { data: { key }, open: open.has(key) }, element("summary", {}, words.why), element("p", {}, finding.detail)));
  }

  show(index) {
    this.#position = index;
    const finding = this.all[index];
    if (finding?.object) this.#desk.showObject(finding.object);
    if (finding) this.#desk.announce(finding.message);
  }

  /** Go to the next finding that is about an object. */
  next() {
    const places = this.all.map((finding, index) => (finding.object ? index : -1)).filter((index) => index >= 0);
    if (places.length === 0) { this.#desk.announce(this.#desk.words.nothing_found); return; }
    this.show(places.find((index) => index > this.#position) ?? places[0]);
  }

  /** How much there is to look at, in a few words. */
  get summary() {
    const { words } = this.#desk;
    const hints = this.all.filter((finding) => finding.severity === "hint").length;
    if (this.all.length > hints) return fill(words.findings_count, { count: this.all.length - hints });
    return hints ? fill(words.hints_count, { count: hints }) : words.no_findings;
  }
}
