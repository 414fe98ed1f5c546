// The browser of units: search, filters, a paged list, and the unit that was chosen.

const PAGE = 40;
const OWN = ["test", "search", "verdict", "candidate", "error_class", "right", "wrong", "sort"];
const SELECTED = ["verdict", "candidate", "class", "right", "wrong"];

function option(value, text, selected = false) {
  return element("option", { value, selected }, text);
}

class Browser {
  constructor(place, tests, message) {
    this.place = place;
    this.tests = tests;
    this.message = message;
    this.test = 0;
    this.unpacked = [];
    this.wanted = this.nothingWanted();
    this.page = 0;
    this.current = null;
  }

  nothingWanted() {
    return {
      text: "", verdict: "", candidate: "", class: "", right: "", wrong: "",
      differ: false, sort: "test", fields: {},
    };
  }

  async open(test) {
    this.message.textContent = say("browser.loading");
    try {
      if (!this.unpacked[test]) {
        const data = await unpack(this.tests[test]);
        this.unpacked[test] = { data, index: new Index(data) };
      }
    } catch (error) {
      if (!(error instanceof CannotUnpack)) throw error;
      this.message.textContent = say(error.message);
      return false;
    }
    this.message.textContent = "";
    this.test = test;
    this.data = this.unpacked[test].data;
    this.index = this.unpacked[test].index;
    this.build();
    return true;
  }

  build() {
    this.place.hidden = false;
    this.list = element("ol", { class: "list", "aria-label": say("browser.list") });
    this.count = element("span", { role: "status" });
    this.pager = element("span", { class: "pager" });
    this.detail = element("div", {
      class: "detail", tabindex: "-1", role: "region", "aria-label": say("browser.detail"),
    });
    this.left = element("div", { class: "left" });
    this.left.append(element("div", { class: "found" }, this.count, this.pager), this.list);
    this.panes = element("div", { class: "panes" }, this.left, this.detail);
    this.place.replaceChildren(this.filters(), this.panes);
    this.place.onkeydown = (event) => this.key(event);
    this.refresh();
    const wide = getComputedStyle(this.detail).position === "sticky";
    if (!this.fitting.includes(this.current)) this.current = wide && this.fitting.length ? this.fitting[0] : null;
    this.showList();
    this.fit();
    this.showDetail();
  }

  // The chosen unit's pane reaches to the foot of the window wherever it begins, so that its text is
  // in sight; it is never lower than what can be read.
  fit() {
    if (!this.detail) return;
    const least = Math.min(420, innerHeight - 32);
    const room = innerHeight - 16 - Math.max(16, this.detail.getBoundingClientRect().top);
    this.detail.style.setProperty("--room", `${Math.max(least, room)}px`);
  }

  control(label, input, wide = false) {
    return element("label", { class: wide ? "wide" : null }, element("span", {}, say(`browser.${label}`)), input);
  }

  // A field of the test that is called like a control of the page's own is told apart from it.
  fieldLabel(name) {
    const own = OWN.map((one) => say(`browser.${one}`).toLowerCase());
    const label = named("field", name);
    return own.includes(label.toLowerCase()) ? say("browser.in_test", { name: label }) : label;
  }

  select(name, options, value, change) {
    const made = element("select", { name });
    for (const [key, text] of options) made.append(option(key, text, key === value));
    made.onchange = () => change(made.value);
    return made;
  }

  filters() {
    const { data, wanted } = this;
    const made = element("form", { class: "filters", role: "search" });
    made.onsubmit = (event) => event.preventDefault();
    if (this.tests.length > 1) {
      const names = [...this.tests].map((one, at) => [String(at), one.dataset.name]);
      const choose = (value) => this.change(Number(value));
      made.append(this.control("test", this.select("test", names, String(this.test), choose)));
    }
    const search = element("input", {
      type: "search", name: "search", value: wanted.text, placeholder: say("browser.search_hint"),
      autocomplete: "off", spellcheck: "false",
    });
    let waiting = 0;
    search.oninput = () => {
      clearTimeout(waiting);
      waiting = setTimeout(() => this.want({ text: search.value }), 120);
    };
    made.append(this.control("search", search, true));
    const more = element("button", { type: "button", class: "plain more-filters", "aria-expanded": "false" });
    this.more = more;
    more.onclick = () => more.setAttribute("aria-expanded", String(made.classList.toggle("all")));
    made.append(more);
    const any = ["", say("browser.any")];
    const verdicts = ["r", "p", "w", "u", "e"].map((one) => [one, say(`verdict.${one}`)]);
    if (data.candidates.length) {
      made.append(this.control("verdict", this.select("verdict", [any, ...verdicts], wanted.verdict,
        (verdict) => this.want({ verdict }))));
    }
    if (data.classes.length) {
      const classes = data.classes.map((name) => [name, named("error_class", name)]);
      made.append(this.control("error_class", this.select("class", [any, ...classes], wanted.class,
        (chosenClass) => this.want({ class: chosenClass }))));
    }
    if (data.candidates.length > 1) {
      const names = data.candidates.map((_, at) => [String(at), candidateName(data, at)]);
      made.append(this.control("candidate", this.select("candidate",
        [["", say("browser.anyone")], ...names], wanted.candidate,
        (candidate) => this.want({ candidate }))));
      for (const side of ["right", "wrong"]) {
        made.append(this.control(side, this.select(side, [any, ...names], wanted[side],
          (who) => this.want({ [side]: who }))));
      }
    }
    for (const [name, values] of data.filters) {
      const options = values.map((one) => [one, valueWords(name, one)]);
      const input = this.select(`field-${name}`, [any, ...options], wanted.fields[name] || "",
        (value) => this.want({ fields: { ...this.wanted.fields, [name]: value } }));
      made.append(element("label", {}, element("span", {}, this.fieldLabel(name)), input));
    }
    const orders = ["test", "low", ...(data.candidates.length > 1 ? ["gap"] : [])];
    made.append(this.control("sort", this.select("sort",
      orders.map((one) => [one, say(`browser.sort_${one}`)]), wanted.sort,
      (sort) => this.want({ sort }))));
    if (data.candidates.length > 1) {
      const differ = element("input", { type: "checkbox", name: "differ" });
      differ.checked = wanted.differ;
      differ.onchange = () => this.want({ differ: differ.checked });
      made.append(element("label", { class: "check" }, differ, say("browser.differ")));
    }
    const clear = element("button", { type: "button", class: "plain", name: "clear" }, say("browser.clear"));
    clear.onclick = () => {
      this.wanted = this.nothingWanted();
      this.page = 0;
      this.build();
      this.settle();
    };
    made.append(clear);
    return made;
  }

  // How many filters are set, for the button that hides them on a phone.
  active() {
    const values = [...SELECTED.map((name) => this.wanted[name]), ...Object.values(this.wanted.fields), this.wanted.differ];
    return values.filter(Boolean).length;
  }

  async change(test) {
    this.wanted = this.nothingWanted();
    this.current = null;
    this.page = 0;
    history.replaceState(null, "", "#units");
    await this.open(test);
  }

  want(more) {
    Object.assign(this.wanted, more);
    this.page = 0;
    this.refresh();
    this.settle();
  }

  // The pane shows a unit of the list: the one chosen if it is there, else the first.
  settle() {
    if (this.fitting.includes(this.current)) return;
    const wide = getComputedStyle(this.detail).position === "sticky";
    this.current = wide && this.fitting.length ? this.fitting[0] : null;
    if (this.current === null) this.place.classList.remove("open");
    this.showList();
    this.showDetail();
    if (/^#unit=/.test(location.hash)) history.replaceState(null, "", this.current === null ? "#units" : this.address());
  }

  refresh() {
    this.fitting = chosen(this.data, this.index, this.wanted);
    const [found, all] = [this.fitting.length, this.data.units.length];
    this.count.textContent = say("browser.found", {
      found: found.toLocaleString("en"), all: all.toLocaleString("en"),
    });
    const active = this.active();
    this.more.textContent = `${say("browser.filters")}${active ? ` (${active})` : ""}`;
    this.pages = Math.max(1, Math.ceil(found / PAGE));
    this.page = Math.min(this.page, this.pages - 1);
    this.showList();
  }

  showList() {
    const from = this.page * PAGE;
    const rows = this.fitting.slice(from, from + PAGE).map((at) => this.row(at));
    if (!rows.length) rows.push(element("li", { class: "empty" }, say("browser.none")));
    this.list.replaceChildren(...rows);
    this.showPager();
  }

  row(at) {
    const unit = this.data.units[at];
    const asked = unit.s.length ? unit.s[0][1] : unit.id;
    const button = element(
      "button",
      { type: "button", class: "row", "data-at": at, "aria-current": at === this.current ? "true" : null },
      element("span", { class: "asked", dir: "auto", lang: this.data.language }, asked),
      element("span", { class: "id" }, unit.id),
      element("span", { class: "marks" }, ...this.data.candidates.map((_, who) => chip(this.data, unit, who))),
    );
    button.onclick = () => this.choose(at, true);
    return element("li", {}, button);
  }

  showPager() {
    const turn = (by, name) => {
      const to = this.page + by;
      const button = element("button", {
        type: "button", class: "plain", disabled: to < 0 || to >= this.pages,
      }, say(`browser.${name}`));
      button.onclick = () => {
        this.page = to;
        this.showList();
        this.list.querySelector(".row")?.focus({ preventScroll: true });
        this.left.scrollIntoView({ block: "start" });
      };
      return button;
    };
    const where = say("browser.page", { page: this.page + 1, pages: this.pages });
    const parts = this.pages > 1 ? [turn(-1, "previous"), where, turn(1, "next")] : [];
    this.pager.replaceChildren(...parts);
  }

  // Choose a unit; the address names it, so that it can be linked to.
  choose(at, moved) {
    this.current = at;
    history.replaceState(null, "", this.address());
    for (const row of this.list.querySelectorAll(".row")) {
      if (Number(row.dataset.at) === at) row.setAttribute("aria-current", "true");
      else row.removeAttribute("aria-current");
    }
    this.showDetail();
    this.place.classList.add("open");
    reveal(this.detail);
    if (moved && getComputedStyle(this.left).display === "none") {
      this.place.scrollIntoView({ block: "start" });
      this.detail.focus({ preventScroll: true });
    }
  }

  address() {
    const id = encodeURIComponent(this.data.units[this.current].id);
    return `#unit=${id}${this.tests.length > 1 ? `&test=${this.test + 1}` : ""}`;
  }

  showDetail() {
    if (this.current === null) {
      this.detail.replaceChildren(element("p", { class: "note" }, say("browser.choose")));
      return;
    }
    const unit = this.data.units[this.current];
    const bar = element("div", { class: "detail-bar" });
    const back = element("button", { type: "button", class: "plain back" }, say("browser.back"));
    back.onclick = () => {
      this.place.classList.remove("open");
      this.list.querySelector('[aria-current="true"]')?.focus();
    };
    const link = element("a", { class: "grow", href: this.address(), title: say("browser.link") }, unit.id);
    bar.append(back, link, this.step(-1, "before"), this.step(1, "after"));
    this.detail.replaceChildren(bar, ...unitDetail(this.data, unit));
    this.detail.scrollTop = 0;
    reveal(this.detail);
  }

  step(by, name) {
    const to = this.fitting[this.fitting.indexOf(this.current) + by];
    const button = element("button", {
      type: "button", class: "plain", disabled: to === undefined, "aria-label": say(`browser.${name}`),
      title: say(`browser.${name}`),
    }, by < 0 ? "←" : "→");
    button.onclick = () => {
      const at = this.fitting.indexOf(to);
      this.page = Math.floor(at / PAGE);
      this.showList();
      this.choose(to, false);
      this.list.querySelector('[aria-current="true"]')?.scrollIntoView({ block: "nearest" });
      this.detail.querySelector(`[aria-label="${say(`browser.${name}`)}"]`)?.focus();
    };
    return button;
  }

  key(event) {
    if (!event.target.classList.contains("row")) return;
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!by) return;
    const rows = [...this.list.querySelectorAll(".row")];
    const to = rows[rows.indexOf(event.target) + by];
    if (to) {
      event.preventDefault();
      to.focus();
    }
  }

  // The units that an address asks for: #units?test=1&candidate=0&class=boundary&field.level=2.
  async show(asked) {
    const test = Number(asked.get("test") || 1) - 1;
    if (!(test in this.tests)) return;
    this.wanted = this.nothingWanted();
    this.page = 0;
    this.place.classList.remove("open");
    if (test !== this.test) this.current = null;
    if (!(await this.open(test))) return;
    for (const name of SELECTED) {
      const value = asked.get(name) || "";
      const whose = ["candidate", "right", "wrong"].includes(name);
      this.wanted[name] = whose && !(value in this.data.candidates) ? "" : value;
    }
    for (const [name, value] of asked) {
      if (name.startsWith("field.")) this.wanted.fields[name.slice(6)] = value;
    }
    this.build();
    document.getElementById("units").scrollIntoView({ block: "start", behavior: "instant" });
    this.fit();
    this.list.querySelector(".row")?.focus({ preventScroll: true });
  }

  // The unit that an address names: #unit=ID, and the test where there are several.
  async follow(hash) {
    if (hash.startsWith("#units?")) {
      await this.show(new URLSearchParams(hash.slice(7)));
      return;
    }
    const asked = new URLSearchParams(hash.replace(/^#/, ""));
    if (!asked.has("unit")) return;
    const tests = asked.has("test") ? [Number(asked.get("test")) - 1] : [...this.tests].map((_, at) => at);
    for (const test of tests) {
      if (!(test in this.tests) || !(await this.open(test))) continue;
      const at = this.data.units.findIndex((unit) => unit.id === asked.get("unit"));
      if (at < 0) continue;
      if (!this.fitting.includes(at)) {
        this.wanted = this.nothingWanted();
        this.current = at;
        this.build();
      }
      this.page = Math.floor(this.fitting.indexOf(at) / PAGE);
      this.showList();
      this.choose(at, false);
      const row = this.list.querySelector('[aria-current="true"]');
      if (getComputedStyle(this.left).display === "none") this.place.scrollIntoView({ block: "start" });
      else {
        this.panes.scrollIntoView({ block: "start", behavior: "instant" });
        row.scrollIntoView({ block: "nearest", behavior: "instant" });
      }
      this.fit();
      reveal(this.detail);
      return;
    }
  }
}
