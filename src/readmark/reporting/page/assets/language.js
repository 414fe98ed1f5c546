// The page's language: texts stand in the page in both, and one attribute says which is shown.

const WORDS = JSON.parse(document.getElementById("words").textContent);

function language() {
  return document.documentElement.dataset.lang;
}

function say(key, values = {}) {
  const [group, name] = key.split(".");
  const said = WORDS[group] && WORDS[group][name];
  if (!said) return key;
  const text = said[language() === "zh" ? 1 : 0];
  return text.replace(/\{(\w+)\}/g, (whole, value) => (value in values ? String(values[value]) : whole));
}

// What the page calls something that the test names; itself when it is unknown.
function named(group, name) {
  const told = Object.prototype.hasOwnProperty.call(WORDS[group] || {}, name);
  return told ? inLanguage(WORDS[group][name]) : name;
}

const WORTHS = Object.assign(Object.create(null), { "-": "slices.absent", true: "slices.yes", false: "slices.no" });

// A field's value: those of the bundled tests, true, false and none in words.
function valueWords(field, value) {
  return value in WORTHS ? say(WORTHS[value]) : named(`value_${field}`, value);
}

// A line of evidence, "shared: old, man", in the page's language.
function evidenceWords(line) {
  const [, name, rest] = /^(\w+): (.*)$/s.exec(line) || [];
  if (name === undefined || named("evidence", name) === name && language() !== "zh") return line;
  const parts = rest.split(", ").map((part) => (name === "decided" ? cueWords(part) : part));
  return `${named("evidence", name)}${say("browser.colon")}${parts.join(say("browser.comma"))}`;
}

// A feature of the evidence reader by its parts: "only here", or "same rare".
function cueWords(cue) {
  const whole = named("cue", cue);
  if (whole !== cue || language() !== "zh") return whole;
  const parts = cue.split(" ");
  const told = parts.map((part) => named("cue", part));
  return told.every((one, at) => one !== parts[at]) ? told.join("") : cue;
}

// Of a text in both languages the one that is shown.
function inLanguage([english, chinese]) {
  return language() === "zh" ? chinese : english;
}

// A name among other words, whichever way it runs.
function isolated(name) {
  return `\u2068${name}\u2069`;
}

// Titles and descriptions of plots hold text alone, so theirs is exchanged.
function showLanguage(place) {
  for (const told of place.querySelectorAll("[data-en]")) told.textContent = told.dataset[language()];
}

function setLanguage(chosen) {
  const root = document.documentElement;
  root.dataset.lang = chosen;
  root.lang = chosen === "zh" ? "zh-Hans" : chosen;
  for (const button of document.querySelectorAll("[data-set-language]")) {
    button.setAttribute("aria-pressed", String(button.dataset.setLanguage === chosen));
  }
  showLanguage(document);
  for (const group of document.querySelectorAll("[data-label]")) {
    group.setAttribute("aria-label", say(group.dataset.label));
  }
  document.dispatchEvent(new CustomEvent("readmark:language"));
}
