// The marks of a text in order, the lane of each, and which of them a new list changes.
// Offsets are UTF-16 indices.

/** The lane of each mark: shorter marks nearer to the text, every mark below those inside it. */
export function assignLanes(marks) {
  const lanes = new Map();
  const placed = [];
  const shortestFirst = [...marks].sort(
    (a, b) => a.end - a.start - (b.end - b.start) || a.start - b.start || (a.id < b.id ? -1 : 1),
  );
  for (const mark of shortestFirst) {
    const taken = new Set();
    let lane = 0;
    for (const other of placed) {
      if (other.start >= mark.end || mark.start >= other.end) continue;
      taken.add(other.lane);
      if (other.start >= mark.start && other.end <= mark.end) lane = Math.max(lane, other.lane + 1);
    }
    while (taken.has(lane)) lane += 1;
    lanes.set(mark.id, lane);
    placed.push({ start: mark.start, end: mark.end, lane });
  }
  return lanes;
}

/** The arrows of a mark: [{from, to, name}]. */
export function linksOf(mark) {
  return Object.entries(mark.relations ?? {}).flatMap(([name, targets]) =>
    [targets].flat().filter(Boolean).map((to) => ({ from: mark.id, to, name })),
  );
}

export class MarkList {
  constructor(isTile) {
    this.isTile = isTile;
    this.byId = new Map();
    this.ordered = []; // by start, outer marks first
    this.lanes = new Map(); // tiles have none
  }

  get(id) {
    return this.byId.get(id);
  }

  /** Take a new list; returns the marks, old and new, that have to be drawn again. */
  replace(marks) {
    const next = new Map(marks.map((mark) => [mark.id, mark]));
    const touched = [];
    for (const [id, mark] of this.byId) if (!next.has(id)) touched.push(mark);
    for (const [id, mark] of next) {
      const before = this.byId.get(id);
      if (before && isSame(before, mark)) {
        before.relations = mark.relations; // the object stays, as what is drawn is the same
        next.set(id, before);
      } else touched.push(...(before ? [before, mark] : [mark]));
    }
    this.byId = next;
    this.ordered = [...next.values()].sort((a, b) => a.start - b.start || b.end - a.end || (a.id < b.id ? -1 : 1));
    const lanes = assignLanes(this.ordered.filter((mark) => !this.isTile(mark)));
    for (const [id, lane] of lanes) {
      if (this.lanes.has(id) && this.lanes.get(id) !== lane) touched.push(next.get(id));
    }
    this.lanes = lanes;
    return touched;
  }

  /** The marks around a character, the innermost first. */
  at(offset) {
    return this.ordered
      .filter((mark) => mark.start <= offset && (offset < mark.end || mark.start === mark.end))
      .sort((a, b) => a.end - a.start - (b.end - b.start));
  }

  /** The marks that have to be drawn in a line. */
  inLine({ start, end }) {
    return this.ordered.filter((mark) => mark.start < Math.max(end, start + 1) && (mark.end > start || mark.start === start));
  }

  tiles() {
    return this.ordered.filter(this.isTile);
  }

  /** The beginning of the next or previous tile, or null. */
  nextTile(offset, direction) {
    const starts = this.tiles().map((tile) => tile.start);
    const found = direction > 0 ? starts.find((start) => start > offset) : starts.findLast((start) => start < offset);
    return found ?? null;
  }

  /** What a person can do with tiles at an offset: "split", "join" or nothing. */
  tileChange(offset) {
    const tiles = this.tiles();
    if (tiles.some((tile) => tile.start < offset && offset < tile.end)) return "split";
    const isBoundary = tiles.some((tile) => tile.end === offset) && tiles.some((tile) => tile.start === offset);
    return isBoundary ? "join" : null;
  }
}

function isSame(a, b) {
  return ["start", "end", "category", "label", "given", "proposed", "isCurrent"].every((name) => a[name] === b[name]);
}
