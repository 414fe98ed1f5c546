// One unit: the question, the key, every answer, and the text they stand in.

const ICONS = { r: "✓", p: "◐", w: "✕", u: "–", e: "!", a: "·", n: "·" };

function shownMark(value, scale) {
  if (typeof value !== "number") return "–";
  return (value * scale).toFixed(scale > 1 ? 2 : 3).replace("-", "−");
}

function sign(data, who) {
  const [colour, glyph] = data.looks[who];
  return element("span", { class: `sign c-${colour}`, "aria-hidden": "true" }, glyph);
}

function words(text) {
  return text === "" || text === undefined
    ? element("span", { class: "empty" }, say("browser.empty"))
    : text;
}

function candidateName(data, who) {
  return inLanguage(data.candidates[who]);
}

function chip(data, unit, who) {
  const answered = unit.a[who];
  const value = answered.m ? shownMark(answered.m[data.main], data.scales[data.main]) : "";
  const told = `${isolated(candidateName(data, who))}: ${say(`verdict.${answered.v}`)} ${value}`;
  return element(
    "span",
    { class: "chip", title: told },
    sign(data, who),
    element("span", { class: `v-${answered.v}`, "aria-hidden": "true" }, ICONS[answered.v]),
    element("span", { class: "value", "aria-hidden": "true" }, value),
    element("span", { class: "unseen" }, told),
  );
}

// Each line of a derivation stands as deep as it is indented.
function derivationOf(one) {
  if (!one.d) return null;
  const list = element("ul", { class: "tree", dir: "auto" });
  for (const line of one.d.flatMap((told) => told.split("\n"))) {
    const bare = line.trimStart();
    const depth = (line.length - bare.length) / 2;
    list.append(element("li", { style: `--depth:${depth}` }, bare));
  }
  return element("details", {}, element("summary", {}, say("browser.derivation")), list);
}

// What a person's answer is worth against the other people's.
function leftOut(data, unit, who) {
  const values = (unit.l || [])[who];
  if (!values || values.every((value) => value === null)) return null;
  const marks = values
    .map((value, at) => `${inLanguage(data.metrics[at])} ${shownMark(value, data.scales[at])}`)
    .join(" · ");
  return element("span", { class: "whose" }, say("browser.left_out", { marks }));
}

function goldList(data, unit) {
  const list = element("ul", { class: "gold" });
  if (!unit.g.flat().length) return element("p", { class: "empty" }, say("browser.no_gold"));
  unit.g.forEach((person, who) => {
    person.forEach((gold, at) => {
      const said = element("span", { class: "said", dir: "auto", lang: data.language }, words(gold.t));
      const whose = gold.w ? element("span", { class: "whose" }, gold.w) : null;
      list.append(element("li", {}, said, whose, at === 0 ? leftOut(data, unit, who) : null, derivationOf(gold)));
    });
  });
  return list;
}

function shownSeconds(seconds) {
  const shown = seconds < 0.001 ? "< 0.001" : Number(seconds.toPrecision(3));
  return `${shown} ${say("browser.seconds")}`;
}

// Repeats that said the same are shown once.
function byAnswer(rows) {
  const found = new Map();
  for (const row of rows) {
    const said = JSON.stringify([row.t, row.x, row.at]);
    if (!found.has(said)) found.set(said, []);
    found.get(said).push(row);
  }
  return [...found.values()];
}

const EXCHANGES = new Map();

// Prompts and raw replies of a test, unpacked when somebody wants to read one.
function exchangesOf(test) {
  const block = document.querySelector(`script.exchanges[data-test="${test}"]`);
  if (!EXCHANGES.has(test)) EXCHANGES.set(test, unpack(block));
  return EXCHANGES.get(test);
}

function exchangeOf(data, row) {
  if (row.q === undefined) return "";
  const made = element("details", { class: "exchange" }, element("summary", {}, say("browser.exchange")));
  made.ontoggle = async () => {
    if (!made.open || made.querySelector("pre")) return;
    const [prompt, reply] = (await exchangesOf(data.number))[row.q];
    for (const [name, text] of [["prompt", prompt], ["reply", reply]]) {
      if (text !== null) made.append(element("h4", {}, say(`browser.${name}`)), element("pre", { class: `raw ${name}`, dir: "auto" }, text));
    }
  };
  return made;
}

function answerRow(data, rows, several) {
  const [row] = rows;
  const made = element("div", {});
  const said = row.x !== undefined ? `${say("verdict.e")}${say("browser.colon")}${row.x}` : words(row.t);
  made.append(element("div", { class: "said", dir: "auto", lang: data.language }, said));
  const more = [];
  const repeats = rows.map((one) => (one.k || 0) + 1).join(", ");
  if (several) more.push(say("browser.repeat", { n: repeats }));
  if (row.sc !== undefined) more.push(`${say("browser.score")} ${Number(row.sc.toPrecision(4))}`);
  if (row.se !== undefined) more.push(shownSeconds(row.se));
  if (row.us) more.push(say("browser.tokens", { input: row.us[0].toLocaleString("en"), output: row.us[1].toLocaleString("en") }));
  if (row.co !== undefined) more.push(say("browser.cost", { cost: Number(row.co.toPrecision(3)) }));
  for (const line of row.el || []) more.push(`${say("browser.evidence")}${say("browser.colon")}${evidenceWords(line)}`);
  if (more.length) made.append(element("div", { class: "more", dir: "auto" }, more.join(" · ")));
  made.append(derivationOf(row) || "", exchangeOf(data, row));
  return made;
}

// Somebody's answer: the name, what it is worth, and what was said.
function answerOf(data, answered, { name, mark, colour }) {
  const head = element("div", { class: "who" });
  head.append(element("span", {}, mark, element("b", { dir: "auto" }, name)));
  const verdict = `${ICONS[answered.v]} ${say(`verdict.${answered.v}`)}`;
  head.append(element("span", { class: `v-${answered.v}` }, verdict));
  (answered.m || []).forEach((value, at) => {
    const mark = `${inLanguage(data.metrics[at])} ${shownMark(value, data.scales[at])}`;
    head.append(element("span", {}, mark));
  });
  const rows = answered.a || [];
  const said = byAnswer(rows).map((same) => answerRow(data, same, rows.length > 1));
  if (answered.c && answered.v !== "r") head.append(element("span", { class: "class" }, named("error_class", answered.c)));
  return element("div", { class: `answer c-${colour}` }, head, ...said);
}

function candidateAnswer(data, unit, who) {
  const look = { name: candidateName(data, who), mark: sign(data, who), colour: data.looks[who][0] };
  return answerOf(data, unit.a[who], look);
}

// What the members of a panel answered, where the marksheet has it.
function peopleAnswers(data, unit) {
  const answers = element("div", { class: "answers" });
  data.people.forEach((name, who) => {
    const answered = (unit.p || [])[who];
    if (!answered || answered.v === "n") return;
    const mark = element("span", { class: "sign c-people hollow", "aria-hidden": "true" }, "○");
    answers.append(answerOf(data, answered, { name, mark, colour: "people" }));
  });
  return answers.childElementCount ? [element("h3", {}, say("browser.people")), answers] : [];
}

function labelled(shown, make) {
  return shown.map(([label, text], at) =>
    element(
      "div",
      { class: "labelled" },
      element("span", { class: "label" }, named("label", label)),
      make(text, at),
    ),
  );
}

// Whose sign is whose is seen in the answers above.
function legendOf(highlights) {
  const keys = element("ul", { class: "keys" });
  if (highlights.some((one) => one.sort === "key")) {
    keys.append(element("li", {}, element("span", { class: "key" }, say("browser.legend_gold"))));
  }
  if (highlights.some((one) => one.found)) {
    keys.append(element("li", {}, say("browser.legend_found")));
  }
  if (highlights.some((one) => one.sort === "evidence")) {
    keys.append(element("li", {}, say("browser.legend_evidence")));
  }
  return keys;
}

// Which of the record's texts offsets count in: the one that quotes stand in, else the longest.
function mainText(shown, unit) {
  const quotes = [...unit.g.flat(), ...unit.a.flatMap((one) => one.a || [])];
  const stands = (text, one) => {
    const place = one.at && stretch(text, one.at);
    return place && text.slice(place.start, place.end) === one.t;
  };
  const quoted = shown.findIndex(([, text]) => quotes.some((one) => stands(text, one)));
  if (quoted >= 0) return quoted;
  const lengths = shown.map(([, text]) => text.length);
  return lengths.lastIndexOf(Math.max(...lengths));
}

function recordOf(data, unit) {
  if (unit.r < 0) return [];
  const all = [];
  const main = mainText(data.records[unit.r], unit);
  const texts = labelled(data.records[unit.r], (text, at) => {
    const highlights = at === main ? highlightsIn(text, unit, data) : [];
    all.push(...highlights);
    return textWith(text, highlights, data, data.language);
  });
  const head = element("h3", {}, say("browser.record"), " ");
  head.append(element("span", {}, say("browser.record_id", { id: data.recordIds[unit.r] })));
  const box = element("div", { class: "record-text", tabindex: "0", role: "group", "aria-label": say("browser.record") });
  box.append(...texts);
  return [element("div", { class: "record" }, head, legendOf(all), box)];
}

// A long text is shown from a little above what the key, or else a candidate, points at.
function reveal(detail) {
  const box = detail.querySelector(".record-text");
  const target = box && (box.querySelector(".key") || box.querySelector(".hl"));
  if (!target) return;
  const below = target.getBoundingClientRect().top - box.getBoundingClientRect().top;
  if (below > box.clientHeight * 0.6) box.scrollTop += below - box.clientHeight * 0.3;
}

// What is true is named, what is false is not worth a word.
function fieldsOf(unit) {
  const shown = Object.entries(unit.f).filter(([, value]) => value !== false).map(([name, value]) =>
    element("span", { dir: "auto" }, named("field", name),
      ...(value === true ? [] : [" ", element("b", {}, labelsOf(value).map((one) => valueWords(name, one)).join(say("browser.comma")))])),
  );
  return element("div", { class: "chips" }, ...shown);
}

function unitDetail(data, unit) {
  const [first, ...rest] = unit.s;
  const asked = first
    ? [element("p", { class: "asked-whole", dir: "auto", lang: data.language }, first[1])]
    : [];
  const others = labelled(rest, (text) => element("span", { dir: "auto", lang: data.language }, text));
  const answers = element("div", { class: "answers" });
  data.candidates.forEach((_, who) => answers.append(candidateAnswer(data, unit, who)));
  const about = element(
    "div",
    { class: "about", tabindex: "0", role: "group", "aria-label": say("browser.answers") },
    ...asked,
    ...others,
    fieldsOf(unit),
    element("h3", {}, say("browser.gold")),
    goldList(data, unit),
    ...(data.candidates.length ? [element("h3", {}, say("browser.answers")), answers] : []),
    ...peopleAnswers(data, unit),
  );
  return [about, ...recordOf(data, unit)];
}
