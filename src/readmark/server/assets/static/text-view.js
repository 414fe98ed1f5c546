// A text on the page: a block for each line with plain text in it, and marks drawn behind the text.
// The text's own nodes never change, so an offset is a node and a place in it; marks are boxes that
// are measured once and drawn again only where something changed. Offsets are UTF-16 indices.

import { last } from "./text-units.js";

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const LONGEST_NODE = 160; // browsers measure ranges in short text nodes much faster
const HAS_DIRECTION = /[\p{L}\p{N}]/u;

export function make(tag, name, parent) {
  const element = document.createElement(tag);
  element.className = name;
  parent?.append(element);
  return element;
}

export class TextView {
  constructor(parent, units) {
    this.units = units;
    this.text = units.text;
    this.page = make("div", "tt-page", parent);
    this.blocks = units.lines.map((line) => {
      const element = make("div", "tt-line", this.page);
      const marks = make("div", "tt-marks", element);
      marks.setAttribute("aria-hidden", "true");
      const holder = make("span", "tt-text", element);
      const { start, stop, end } = line;
      const nodes = this.#makeNodes(line);
      holder.append(...nodes.map(({ node }) => node));
      // rects: what is measured, by mark; drawn: elements by mark
      return { start, stop, end, line, element, holder, marks, nodes, lanes: 0, rects: new Map(), drawn: new Map() };
    });
    this.startOf = new Map(this.blocks.flatMap(({ nodes }) => nodes.map(({ node, start }) => [node, start])));
    this.caret = make("div", "tt-caret");
  }

  #makeNodes(line) {
    const nodes = [];
    let start = line.start;
    const add = (stop) => {
      nodes.push({ start, node: document.createTextNode(this.text.slice(start, stop)) });
      start = stop;
    };
    if (line.stop - line.start > LONGEST_NODE) {
      for (const stop of this.units.stops(line)) if (stop - start >= LONGEST_NODE) add(stop);
    }
    if (start < line.stop || !nodes.length) add(line.stop);
    return nodes;
  }

  blockAt(offset) {
    return this.blocks[this.units.lineAt(offset)];
  }

  /** The node and the place in it for an offset. */
  position(offset) {
    const block = this.blockAt(offset);
    return this.#place(block, Math.min(offset, block.stop));
  }

  /** An offset at the end of a node is in that node if asked for, else at the start of the next. */
  #place(block, offset, isEnd = false) {
    const { node, start } = last(block.nodes, (piece) => (isEnd ? piece.start < offset : piece.start <= offset)) ?? block.nodes[0];
    return [node, offset - start];
  }

  #rangeIn(block, start, end) {
    const range = document.createRange();
    range.setStart(...this.#place(block, start));
    range.setEnd(...this.#place(block, end, end > start));
    return range;
  }

  /** The offset for a place in the document, or null outside the text. */
  offsetOf(node, place) {
    const start = this.startOf.get(node);
    if (start !== undefined) return start + place;
    if (!this.page.contains(node)) return null;
    if (node === this.page) return this.blocks[place]?.start ?? this.text.length;
    const block = this.blocks.find((candidate) => candidate.element.contains(node));
    return block ? (place === 0 ? block.start : block.stop) : null;
  }

  range(start, end) {
    const range = document.createRange();
    range.setStart(...this.position(start));
    range.setEnd(...this.position(end));
    return range;
  }

  /** Boxes of a range within a block, relative to the block; touching boxes of a row are joined. */
  measure(block, start, end, origin = block.element.getBoundingClientRect()) {
    const low = Math.min(Math.max(start, block.start), block.stop);
    const range = this.#rangeIn(block, low, Math.max(low, Math.min(end, block.stop)));
    const rects = [];
    for (const { left, right, top, bottom } of range.getClientRects()) {
      const rect = { left: left - origin.left, right: right - origin.left, top: top - origin.top, bottom: bottom - origin.top };
      const before = rects.at(-1);
      const joins = before && Math.abs(before.top - rect.top) < 3;
      if (joins && Math.abs(before.right - rect.left) < 1) before.right = rect.right;
      else if (joins && Math.abs(before.left - rect.right) < 1) before.left = rect.left;
      else rects.push(rect);
    }
    const wide = rects.filter((rect) => rect.right - rect.left > 0.5);
    return wide.length ? wide : rects.slice(0, 1);
  }

  /** The box of the character at an offset, in the window. */
  #character(offset) {
    const block = this.blockAt(offset);
    const next = Math.min(this.units.step(offset, 1, "character"), block.stop);
    return { block, rect: this.#rangeIn(block, offset, next).getClientRects()[0] ?? null };
  }

  /** Whether a character runs from right to left; blanks and punctuation do between two that do. */
  #isReversed(offset) {
    const { line } = this.blockAt(offset);
    const directionFrom = (place, step) => {
      while (place >= line.start && place < line.stop) {
        if (RIGHT_TO_LEFT.test(this.text[place])) return true;
        if (HAS_DIRECTION.test(this.text[place])) return false;
        place += step;
      }
      return false;
    };
    return directionFrom(offset, 1) && directionFrom(offset, -1);
  }

  /** The place between two characters that is nearest to a point of the window. */
  offsetAt(x, y) {
    const isAbove = (block) => block.element.getBoundingClientRect().top <= y;
    const block = last(this.blocks, isAbove) ?? this.blocks[0];
    const stops = this.units.stops(block.line).slice(0, -1);
    const start = last(stops, (stop) => (this.#character(stop).rect?.top ?? 0) - 6 <= y) ?? block.start;
    const row = this.row(start);
    let best = block.start;
    let distance = Infinity;
    for (const stop of stops) {
      if (stop < row.start || stop >= row.end) continue;
      const { rect } = this.#character(stop);
      if (!rect || rect.width < 0.5) continue;
      const away = Math.max(rect.left - x, x - rect.right, 0);
      if (away >= distance) continue;
      distance = away;
      const isBehind = x > (rect.left + rect.right) / 2 !== this.#isReversed(stop);
      best = isBehind ? Math.min(this.units.step(stop, 1, "character"), block.stop) : stop;
    }
    return best;
  }

  /** Where the caret is drawn, in the window. `after` draws it behind the character before it. */
  caretBox(offset, after = false) {
    const block = this.blockAt(offset);
    const place = Math.min(offset, block.stop);
    const useBefore = place > block.start && (after || place === block.stop);
    const from = useBefore ? this.units.step(place, -1, "character") : place;
    const { rect } = this.#character(from);
    if (!rect) {
      const box = block.holder.getBoundingClientRect();
      const outer = block.element.getBoundingClientRect();
      return { left: outer.left, top: box.height ? box.top : outer.top, bottom: box.height ? box.bottom : outer.bottom };
    }
    const isReversed = this.#isReversed(from);
    return { left: useBefore !== isReversed ? rect.right : rect.left, top: rect.top, bottom: rect.bottom };
  }

  showCaret(offset, after, isScrolling) {
    const block = this.blockAt(offset);
    const box = this.caretBox(offset, after);
    const origin = block.element.getBoundingClientRect();
    if (this.caret.parentNode !== block.element) block.element.append(this.caret);
    this.caret.style.left = `${box.left - origin.left - 1}px`;
    this.caret.style.top = `${box.top - origin.top}px`;
    this.caret.style.height = `${box.bottom - box.top}px`;
    if (isScrolling && (box.top < 48 || box.bottom > window.innerHeight - 24)) {
      this.caret.scrollIntoView({ block: "center", inline: "nearest" });
    }
  }

  /** The row of a wrapped line that an offset is on: [start, end) and its top. */
  row(offset, after = false) {
    const block = this.blockAt(offset);
    const stops = this.units.stops(block.line);
    let place = Math.min(offset, block.stop);
    if (place > block.start && (after || place === block.stop)) place = this.units.step(place, -1, "character");
    const top = this.#character(place).rect?.top ?? block.element.getBoundingClientRect().top;
    const topOf = (stop) => this.#character(stop).rect?.top ?? top;
    let low = 0;
    let high = Math.max(0, stops.length - 2);
    const count = high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (topOf(stops[middle]) < top - 3) low = middle + 1;
      else high = middle;
    }
    const start = stops[low];
    high = count;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (topOf(stops[middle]) > top + 3) high = middle - 1;
      else low = middle;
    }
    return { start, end: stops[Math.min(low + 1, stops.length - 1)], stop: block.stop, top };
  }

  /** The place on the row above or below that is nearest to x; null past the ends of the text. */
  vertical(offset, direction, x, after) {
    const row = this.row(offset, after);
    const block = this.blockAt(offset);
    let target;
    if (direction > 0) target = row.end < block.stop ? row.end : this.blocks[this.units.lineAt(offset) + 1]?.start;
    else target = row.start > block.start ? row.start - 1 : this.blocks[this.units.lineAt(offset) - 1]?.stop;
    if (target === undefined) return null;
    return this.#nearest(this.row(target), x);
  }

  #nearest(row, x) {
    const stops = this.units.stops(this.blockAt(row.start).line);
    let best = { offset: row.start, after: false };
    let distance = Infinity;
    for (const stop of stops) {
      if (stop < row.start || stop > row.end) continue;
      const after = stop === row.end && stop > row.start;
      const away = Math.abs(this.caretBox(stop, after).left - x);
      if (away < distance) [best, distance] = [{ offset: stop, after: after && stop < row.stop }, away];
    }
    return best;
  }

  /** The ends of a row for Home and End; blanks where the row wraps stay behind the end. */
  rowEdge(offset, direction, after) {
    const row = this.row(offset, after);
    if (direction < 0) return { offset: row.start, after: false };
    let end = row.end;
    while (end < row.stop && end > row.start && /\s/.test(this.text[end - 1])) end -= 1;
    return { offset: end, after: end === row.end && end < row.stop };
  }

  /** Draw marks again in these blocks. `style(mark)` gives its label, colour and classes. */
  draw(blocks, marks, style) {
    const { lanes } = marks;
    for (const block of blocks) {
      block.shown = marks.inLine(block);
      const count = block.shown.reduce((most, mark) => Math.max(most, (lanes.get(mark.id) ?? -1) + 1), 0);
      if (count !== block.lanes) {
        block.lanes = count;
        block.element.style.setProperty("--lanes", count);
        block.rects.clear();
      }
    }
    for (const block of blocks) this.#measureMarks(block);
    for (const block of blocks) this.#drawBlock(block, lanes, style);
  }

  #measureMarks(block) {
    const origin = block.element.getBoundingClientRect();
    block.width = origin.width;
    for (const mark of block.shown) {
      const known = block.rects.get(mark.id);
      if (known && known.start === mark.start && known.end === mark.end) continue;
      const boxes = this.measure(block, mark.start, mark.end, origin);
      block.rects.set(mark.id, { start: mark.start, end: mark.end, boxes });
    }
  }

  #drawBlock(block, lanes, style) {
    const gone = new Set(block.drawn.keys());
    const rooms = labelRooms(block, lanes);
    for (const mark of block.shown) {
      gone.delete(mark.id);
      const { boxes } = block.rects.get(mark.id);
      const look = style(mark);
      const lane = lanes.get(mark.id) ?? -1;
      const begins = mark.start >= block.start;
      const ends = mark.end <= block.end;
      const room = rooms.get(mark.id);
      const known = block.drawn.get(mark.id);
      const now = { mark, boxes, lane, room, classes: look.classes };
      if (known && Object.keys(now).every((key) => known[key] === now[key])) continue;
      const group = known?.element ?? make("div", "tt-mark", block.marks);
      group.className = `tt-mark ${look.classes}`;
      group.dataset.mark = mark.id;
      group.style.setProperty("--mark", look.colour);
      group.style.setProperty("--lane", Math.max(lane, 0));
      group.replaceChildren();
      const isReversed = this.#isReversed(mark.start);
      boxes.forEach((box, index) => {
        const bar = make("div", "tt-box", group);
        place(bar, box);
        if (begins && index === 0) bar.classList.add(isReversed ? "tt-right" : "tt-left");
        if (ends && index === boxes.length - 1) bar.classList.add(isReversed ? "tt-left" : "tt-right");
      });
      if (begins && look.label && boxes.length) {
        const label = make("span", "tt-label", group);
        label.textContent = look.label;
        const box = boxes[0];
        label.style.top = `${box.bottom}px`;
        if (room !== undefined) label.style.maxWidth = `${Math.max(room, 8)}px`;
        if (isReversed) {
          label.classList.add("tt-reversed");
          label.style.left = `${box.right}px`;
        } else label.style.left = `${box.left}px`;
      }
      block.drawn.set(mark.id, { ...now, element: group });
    }
    for (const id of gone) {
      block.drawn.get(id).element.remove();
      block.drawn.delete(id);
      block.rects.delete(id);
    }
  }

  /** The first box of a mark, relative to the page of lines; for the ends of arrows. */
  anchor(mark) {
    const block = this.blockAt(mark.start);
    const box = block.rects.get(mark.id)?.boxes[0];
    if (!box) return null;
    return {
      x: block.element.offsetLeft + (box.left + Math.min(box.right, box.left + 24)) / 2,
      top: block.element.offsetTop + box.top,
      bottom: block.element.offsetTop + box.bottom,
    };
  }

  forgetBoxes() {
    for (const block of this.blocks) block.rects.clear();
  }
}

function place(element, box) {
  element.style.left = `${box.left}px`;
  element.style.top = `${box.top}px`;
  element.style.width = `${Math.max(box.right - box.left, 2)}px`;
  element.style.height = `${box.bottom - box.top}px`;
}

/** How wide the label of each mark may be: up to the next mark in its lane and row. */
function labelRooms(block, lanes) {
  const rows = new Map();
  const rooms = new Map();
  for (const mark of block.shown) {
    const lane = lanes.get(mark.id);
    if (lane === undefined) continue;
    block.rects.get(mark.id).boxes.forEach((box, index) => {
      const key = `${lane} ${Math.round(box.top)}`;
      if (!rows.has(key)) rows.set(key, []);
      rows.get(key).push({ id: index ? null : mark.id, left: box.left });
    });
  }
  for (const row of rows.values()) {
    row.sort((a, b) => a.left - b.left);
    row.forEach(({ id, left }, index) => {
      if (id !== null) rooms.set(id, Math.round((row[index + 1]?.left ?? block.width) - left - 3));
    });
  }
  return rooms;
}
