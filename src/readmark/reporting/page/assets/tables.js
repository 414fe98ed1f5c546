// Tables: sorted by a click on a head, copied as Markdown or CSV.

const MINUS = "\u2212";

// The text of a cell in the language that is shown, without the line under it.
function cellText(cell) {
  const label = cell.querySelector(":scope > span:not(.sign), :scope > a");
  return label ? shownText(label).replace(/\s+/g, " ").trim() : "";
}

function underText(cell) {
  const under = cell.querySelector(":scope > small");
  return under ? shownText(under).replace(/\s+/g, " ").trim() : "";
}

// Like innerText, but also within parts that are folded.
function shownText(element) {
  const other = language() === "zh" ? "en" : "zh";
  const copy = element.cloneNode(true);
  for (const hidden of copy.querySelectorAll(`.${other}`)) hidden.remove();
  return copy.textContent;
}

function cellNumber(text) {
  const plain = text.replaceAll(MINUS, "-").replaceAll(",", "").replace(/^[<>n\s]+/, "");
  const found = /^[+-]?\d+(\.\d+)?/.exec(plain);
  return found ? Number(found[0]) : null;
}

// What has no number comes last, whichever way the others are sorted.
function compareCells(a, b, direction) {
  const [x, y] = [cellNumber(a), cellNumber(b)];
  if (x !== null && y !== null) return direction * (x - y);
  if (x !== null || y !== null) return x !== null ? -1 : 1;
  return direction * a.localeCompare(b, language());
}

function sortTable(table, at, direction) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row, place) => ({ row, place, text: cellText(row.cells[at]) }));
  rows.sort((a, b) => compareCells(a.text, b.text, direction) || a.place - b.place);
  body.append(...rows.map(({ row }) => row));
  [...table.tHead.rows[0].cells].forEach((head, place) => {
    if (place === at) head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
    else head.removeAttribute("aria-sort");
  });
}

// Numbers are most useful from the largest down, words from the first letter on.
function sortBy(table, at) {
  const head = table.tHead.rows[0].cells[at];
  const was = head.getAttribute("aria-sort");
  const first = head.classList.contains("num") ? -1 : 1;
  sortTable(table, at, was === null ? first : was === "ascending" ? -1 : 1);
}

// Rows of texts; a line under a cell is a column of its own where any row has one.
function tableRows(table, { apart }) {
  const rows = [...table.rows];
  const body = [...table.tBodies[0].rows];
  const unders = [...table.tHead.rows[0].cells].map((_, at) => body.some((row) => underText(row.cells[at])));
  return rows.map((row, number) => [...row.cells].flatMap((cell, at) => {
    const [text, under] = [cellText(cell), underText(cell)];
    const joined = under ? `${text} (${under})` : text;
    if (!apart) return [joined];
    if (!unders[at]) return [joined];
    return number === 0 ? [joined, say("table_tools.below", { head: joined })] : [text, under];
  }));
}

function asMarkdown(table) {
  const line = (cells) => `| ${cells.map((text) => text.replaceAll("|", "\\|")).join(" | ")} |`;
  const [head, ...rows] = tableRows(table, { apart: false });
  const rule = [...table.tHead.rows[0].cells].map((cell) => (cell.classList.contains("num") ? "---:" : "---"));
  return `${[line(head), line(rule), ...rows.map(line)].join("\n")}\n`;
}

// A true minus is no number to a spreadsheet, and a text that begins like a formula would be run.
function csvCell(text) {
  const plain = /^[\u2212+]?[\d.,]+%?$/.test(text) ? text.replace(MINUS, "-").replaceAll(",", "") : text;
  const safe = /^[=+\-@\t\r]/.test(plain) && !/^[+-]?[\d.]+%?$/.test(plain) ? `'${plain}` : plain;
  return /[",\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function asCsv(table) {
  return tableRows(table, { apart: true }).map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch (error) {
    const area = element("textarea", { class: "unseen", readonly: true });
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

function copyButton(table, name, make) {
  const button = element("button", { type: "button", "data-copy": name });
  const label = () => { button.textContent = say(`table_tools.${name}`); };
  label();
  document.addEventListener("readmark:language", label);
  button.onclick = async () => {
    const done = await copyText(make(table));
    button.textContent = say(done ? "table_tools.copied" : "table_tools.failed");
    setTimeout(label, 1500);
  };
  return button;
}

// Each head gets a button after its words.
function makeSortable(table) {
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const label = head.querySelector(":scope > span:not(.sign), :scope > a");
    const arrow = element("button", { type: "button", class: "arrow" });
    const rename = () => arrow.setAttribute("aria-label", say("table_tools.sort", { head: cellText(head) }));
    arrow.onclick = () => sortBy(table, at);
    rename();
    document.addEventListener("readmark:language", rename);
    if (label.tagName === "A") {
      const both = element("span", {});
      label.replaceWith(both);
      both.append(label, arrow);
    } else label.append(arrow);
  });
}

function equip(table) {
  if (table.tBodies[0].rows.length > 1) makeSortable(table);
  const tools = element("div", { class: "copy" },
    copyButton(table, "markdown", asMarkdown), copyButton(table, "csv", asCsv));
  table.closest(".table").after(tools);
}

// Tables within closed parts are equipped when the part is opened: a page may have hundreds.
function equipWithin(place) {
  addSaveButtons(place);
  for (const table of place.querySelectorAll(".table > table:not([data-equipped])")) {
    const closed = table.closest("details:not([open])");
    if (closed && closed !== place) continue;
    table.dataset.equipped = "";
    equip(table);
  }
}
