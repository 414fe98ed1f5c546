// Which units fit the search and the filters.

const SPLIT = /\s+/u;

function folded(text) {
  return text.normalize("NFKC").toLowerCase();
}

// Everything of a unit that can be searched; the record's own text is folded once for all of it.
class Index {
  constructor(data) {
    this.data = data;
    this.records = data.records.map(() => null);
    this.units = data.units.map(() => null);
  }

  record(at) {
    if (at < 0) return "";
    if (this.records[at] === null) {
      const shown = this.data.records[at].map((one) => one[1]);
      this.records[at] = folded([this.data.recordIds[at], ...shown].join("\n"));
    }
    return this.records[at];
  }

  unit(at) {
    if (this.units[at] === null) {
      const unit = this.data.units[at];
      const golds = unit.g.flat().map((one) => one.t);
      const answers = [...unit.a, ...(unit.p || [])].flatMap((one) => (one.a || []).map((row) => row.t || row.x || ""));
      const shown = unit.s.map((one) => one[1]);
      this.units[at] = folded([unit.id, ...shown, ...golds, ...answers].join("\n"));
    }
    return this.units[at];
  }

  holds(at, words) {
    const record = this.data.units[at].r;
    return words.every((word) => this.unit(at).includes(word) || this.record(record).includes(word));
  }
}

function labelsOf(value) {
  if (value === undefined || value === null) return ["-"];
  return Array.isArray(value) ? value.map(String) : [String(value)];
}

function verdictsDiffer(unit) {
  const sat = unit.a.map((one) => one.v).filter((one) => one !== "n");
  return sat.some((one) => one !== sat[0]);
}

function fits(unit, wanted) {
  for (const [name, value] of Object.entries(wanted.fields)) {
    if (value && !labelsOf(unit.f[name]).includes(value)) return false;
  }
  const whose = wanted.candidate === "" ? unit.a : [unit.a[Number(wanted.candidate)]];
  if (wanted.verdict || wanted.class) {
    const fitting = (one) => (!wanted.verdict || one.v === wanted.verdict) && (!wanted.class || one.c === wanted.class);
    if (!whose.some(fitting)) return false;
  }
  if (wanted.right !== "" && unit.a[Number(wanted.right)].v !== "r") return false;
  if (wanted.wrong !== "" && ["r", "n"].includes(unit.a[Number(wanted.wrong)].v)) return false;
  return !wanted.differ || verdictsDiffer(unit);
}

function chosen(data, index, wanted) {
  const words = folded(wanted.text).split(SPLIT).filter(Boolean);
  const found = [];
  data.units.forEach((unit, at) => {
    if (fits(unit, wanted) && (!words.length || index.holds(at, words))) found.push(at);
  });
  return ordered(data, found, wanted.sort);
}

function ordered(data, found, how) {
  if (how === "test") return found;
  const marks = (at) =>
    data.units[at].a.map((one) => one.m && one.m[data.main]).filter((one) => typeof one === "number");
  const least = (at) => Math.min(Infinity, ...marks(at));
  const gap = (at) => Math.max(0, ...marks(at)) - Math.min(Infinity, ...marks(at));
  return how === "low"
    ? found.sort((a, b) => least(a) - least(b) || a - b)
    : found.sort((a, b) => gap(b) - gap(a) || a - b);
}
