// A text with what was wanted and what was said shown in it.

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((one) => one !== null && one !== undefined));
  return made;
}

// Everything to show in a text: the key behind it, evidence and answers under it.
function highlightsIn(text, unit, data) {
  const found = [];
  unit.g.forEach((person) => {
    for (const gold of person) {
      const place = gold.at ? placeOf(text, gold.t, gold.at) : null;
      if (place && !place.found) found.push({ ...place, sort: "key" });
      for (const span of gold.ex || []) {
        const there = stretch(text, span);
        if (there) found.push({ ...there, sort: "key" });
      }
    }
  });
  const near = found.slice();
  unit.a.forEach((answered, who) => {
    const seen = new Set();
    for (const row of answered.a || []) {
      const place = placeOf(text, row.t, row.at, near);
      if (place && !seen.has(`${place.start}-${place.end}`)) {
        seen.add(`${place.start}-${place.end}`);
        found.push({ ...place, sort: "answer", who });
      }
      for (const span of row.ev || []) {
        const there = stretch(text, span);
        if (there && !(place && there.start === place.start && there.end === place.end)) {
          found.push({ ...there, sort: "evidence", who });
        }
      }
    }
  });
  found.forEach((one, at) => { one.name = `${one.sort}-${one.who ?? "key"}-${at}`; });
  return found;
}

function lanesOf(highlights) {
  const lanes = new Map();
  for (const one of highlights) {
    const lane = `${one.sort}-${one.who}`;
    if (one.sort !== "key" && !lanes.has(lane)) lanes.set(lane, lanes.size);
  }
  return lanes;
}

function textWith(text, highlights, data, lang) {
  const lanes = lanesOf(highlights);
  const made = element("p", { class: "text", dir: "auto", lang, style: `--lanes:${lanes.size}` });
  for (const { start, end, over } of segments(text, highlights)) {
    let node = document.createTextNode(text.slice(start, end));
    const under = over.filter((one) => one.sort !== "key");
    if (under.length) node = element("span", { class: "ink" }, node);
    for (const one of under) {
      const [colour, sign] = data.looks[one.who];
      const sort = one.sort === "evidence" ? "ev" : one.found ? "found-there" : "";
      node = element(
        "span",
        {
          class: `hl c-${colour} ${sort}`.trim(),
          style: `--lane:${lanes.get(`${one.sort}-${one.who}`)}`,
          "data-h": one.name,
          "data-sign": one.end === end && one.sort === "answer" ? sign : null,
          title: candidateName(data, one.who),
        },
        node,
      );
    }
    const keys = over.filter((one) => one.sort === "key").map((one) => one.name);
    if (keys.length) node = element("span", { class: "key", "data-h": keys.join(" ") }, node);
    made.append(node);
  }
  return made;
}
