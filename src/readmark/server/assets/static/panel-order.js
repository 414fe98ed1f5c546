// The order of a round's passages, from the easiest to the hardest: by keys, by buttons or by dragging.
//
// The order is a list of places, each with the passages that share it. Dragging is done with pointer events: a library
// for it would be ten times as long as these few lines, and would know nothing of shared places.

import { button, element, fill, shorten, withKeys } from "./elements.js";

/** The places in an order such as `p03 < p01 = p07`. */
function placesIn(words, codes) {
  const left = new Set(codes);
  return (words ?? "").split("<").map((place) => place.split("=").map((code) => code.trim()).filter((code) => left.delete(code))).filter((place) => place.length);
}

export class PlaceList {
  #desk; #active = null; #open = new Set(); #drag = null;

  constructor(desk) { this.#desk = desk; }

  get #rated() { return this.#desk.codes.filter((code) => this.#desk.stars(code)); }
  get #stored() { return placesIn(this.#desk.fields("order").order, this.#rated); }

  /** Whether the judge has put all rated passages in order; a single one needs none. */
  get isDecided() { return this.#rated.length === 1 || (this.#rated.length > 1 && this.#stored.flat().length === this.#rated.length); }

  /** What the judge has decided; passages that are new in it are where their stars put them. */
  get places() {
    const places = this.#stored;
    const known = new Set(places.flat());
    const stars = (code) => this.#desk.stars(code);
    for (const code of this.#rated.filter((rated) => !known.has(rated)).sort((a, b) => stars(b) - stars(a))) {
      const same = places.find((place) => place.every((other) => !known.has(other)) && stars(place[0]) === stars(code));
      const index = places.findIndex((place) => Math.max(...place.map(stars)) < stars(code));
      if (same) same.push(code);
      else places.splice(index < 0 ? places.length : index, 0, [code]);
    }
    return places;
  }

  draw() {
    const { words, codes, isReadOnly } = this.#desk;
    const places = this.places;
    const shown = places.flat();
    if (!shown.includes(this.#active)) this.#active = shown[0] ?? null;
    let rank = 1;
    const groups = places.map((place) => {
      const group = element("li", { class: `place-group ${place.length > 1 ? "shared" : ""}` },
        element("span", { class: "rank", "aria-label": fill(words.panel_place, { rank }) }, place.length > 1 ? `${rank} =` : String(rank)),
        element("div", { class: "cards" }, place.map((code) => this.#card(code, place))));
      rank += place.length;
      return group;
    });
    const unrated = codes.filter((code) => !this.#desk.isJudged(code)).length;
    return element("section", { class: "step", id: "order", "aria-label": words.panel_order },
      element("p", { class: "hint" }, words.panel_order_hint),
      shown.length < 2 && element("p", { class: "notice" }, words.panel_nothing_rated),
      unrated > 0 && shown.length > 1 && element("p", { class: "notice warn" }, fill(words.panel_unrated_left, { count: unrated })),
      shown.length > 1 && !this.isDecided && element("p", { class: "notice" }, words.panel_order_start),
      element("ol", { class: "places" }, groups),
      shown.length > 1 && element("div", { class: "step-actions" },
        this.isDecided ? element("span", { class: "state good", role: "status" }, `✓ ${words.panel_order_saved}`)
          : button(words.panel_confirm_order, () => this.confirm(), { id: "confirm-order", class: "", disabled: isReadOnly }),
        this.isDecided && this.#desk.isExpert && button(`${words.panel_criteria} →`, () => this.#desk.go("criteria"), { class: "" })),
      shown.length > 1 && element("p", { class: "hint" }, withKeys(words.panel_order_keys)));
  }

  #card(code, place) {
    const { words, isReadOnly } = this.#desk;
    const name = this.#desk.nameOf(code);
    const stars = this.#desk.stars(code);
    const { text, language } = this.#desk.text(code);
    const isOpen = this.#open.has(code);
    const labelled = (label) => ({ class: "quiet", tabindex: "-1", disabled: isReadOnly, "aria-label": fill(label, { name }), title: fill(label, { name }) });
    const about = button([element("span", { class: "number" }, name), element("span", { class: "stars", "aria-label": this.#desk.starWords(stars) }, "★".repeat(stars)),
      !isOpen && element("span", { class: "start", lang: language }, shorten(text, 90))], () => this.#toggle(code),
      { class: "quiet about", id: `place-${code}`, tabindex: code === this.#active ? "0" : "-1", "aria-expanded": String(isOpen), title: fill(words.panel_read, { name }), onfocus: () => this.#focused(code) });
    const grab = element("span", { class: "grab button quiet", title: fill(words.panel_drag, { name }), "aria-hidden": "true", onpointerdown: (event) => this.#grab(event, code) }, "⠿");
    return element("div", { class: "place-card", data: { code } }, !isReadOnly && grab, about,
      element("span", { class: "tools-of" }, button("↑", () => this.move(code, -1), labelled(words.panel_easier)), button("↓", () => this.move(code, 1), labelled(words.panel_harder)),
        button("=", () => this.share(code), { ...labelled(place.length > 1 ? words.panel_apart : words.panel_same), "aria-pressed": String(place.length > 1) })),
      isOpen && element("p", { class: "passage-text", lang: language }, text));
  }

  #focused(code) {
    if (this.#active === code) return;
    document.getElementById(`place-${this.#active}`)?.setAttribute("tabindex", "-1");
    this.#active = code;
    document.getElementById(`place-${code}`)?.setAttribute("tabindex", "0");
  }

  #toggle(code) {
    if (!this.#open.delete(code)) this.#open.add(code);
    this.#desk.draw();
    this.#focus(code);
  }

  #focus(code) {
    this.#focused(code);
    const card = document.getElementById(`place-${code}`);
    card?.focus({ preventScroll: true });
    card?.scrollIntoView({ block: "nearest" });
  }

  // Changes

  confirm() {
    this.#save(this.places);
    this.#desk.announce(this.#desk.words.panel_order_saved);
    if (this.#desk.isExpert) this.#desk.go("criteria");
    else document.getElementById("hand-in").focus();
  }

  #save(places) { this.#desk.put("order", { order: places.filter((place) => place.length).map((place) => place.join(" = ")).join(" < ") }); }

  /** Places without a passage, and the index of the place that it was in. */
  #without(code) {
    const places = this.places;
    const index = places.findIndex((place) => place.includes(code));
    places[index] = places[index].filter((other) => other !== code);
    return [places, index];
  }

  /** One place up or down; out of a shared place it goes to a place of its own next to it. */
  move(code, by) {
    if (this.#desk.isReadOnly) return;
    const [places, index] = this.#without(code);
    const wasShared = places[index].length > 0;
    if (!wasShared && !places[index + by]) return;
    places.splice(wasShared ? index + (by > 0 ? 1 : 0) : by > 0 ? index + 2 : index - 1, 0, [code]);
    this.#finish(places, code);
  }

  /** Share the place before, or the one after for the first; or leave a shared place. */
  share(code) {
    if (this.#desk.isReadOnly) return;
    const [places, index] = this.#without(code);
    if (places[index].length) places.splice(index + 1, 0, [code]);
    else (places[index - 1] ?? places[index + 1])?.push(code);
    this.#finish(places, code);
  }

  #finish(places, code) {
    this.#active = code;
    this.#save(places);
    const { words } = this.#desk;
    let rank = 1;
    for (const place of this.places) {
      if (place.includes(code)) this.#desk.announce(fill(place.length > 1 ? words.panel_shared : words.panel_moved, { name: this.#desk.nameOf(code), rank }));
      rank += place.length;
    }
    this.#desk.draw();
    this.#focus(code);
  }

  // Keys

  withAlt(event) {
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    return by && this.#active ? () => this.move(this.#active, by) : null;
  }

  plain(event) {
    const shown = this.places.flat();
    const step = (by) => () => { const code = shown[shown.indexOf(this.#active) + by]; if (code) this.#focus(code); };
    return { ArrowDown: step(1), ArrowUp: step(-1), j: step(1), k: step(-1), "=": () => this.#active && this.share(this.#active) }[event.key];
  }

  // Dragging

  #grab(event, code) {
    if (this.#desk.isReadOnly || event.button !== 0) return;
    event.preventDefault();
    const handle = event.currentTarget;
    const card = handle.closest(".place-card");
    handle.setPointerCapture(event.pointerId);
    card.classList.add("dragged");
    this.#drag = { code, target: null, isAfter: false };
    const move = (moved) => this.#dragOver(moved);
    const end = (ended) => {
      handle.removeEventListener("pointermove", move);
      const { target, isAfter } = this.#drag;
      this.#drag = null;
      card.classList.remove("dragged");
      this.#clearTarget();
      if (ended.type === "pointerup" && target) this.#drop(code, target, isAfter);
    };
    handle.addEventListener("pointermove", move);
    handle.addEventListener("pointerup", end, { once: true });
    handle.addEventListener("pointercancel", end, { once: true });
  }

  #clearTarget() { for (const card of document.querySelectorAll(".place-card")) card.classList.remove("drop-before", "drop-after"); }

  #dragOver({ clientX, clientY }) {
    const card = document.elementFromPoint(clientX, clientY)?.closest(".place-card");
    this.#clearTarget();
    this.#drag.target = card && card.dataset.code !== this.#drag.code ? card.dataset.code : null;
    if (!this.#drag.target) return;
    const { top, height } = card.getBoundingClientRect();
    this.#drag.isAfter = clientY > top + height / 2;
    card.classList.add(this.#drag.isAfter ? "drop-after" : "drop-before");
  }

  /** Put a passage on a place of its own before or after that of another. */
  #drop(code, target, isAfter) {
    const [places] = this.#without(code);
    const index = places.findIndex((place) => place.includes(target));
    places.splice(isAfter ? index + 1 : index, 0, [code]);
    this.#finish(places, code);
  }
}
