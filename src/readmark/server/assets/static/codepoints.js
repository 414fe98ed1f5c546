// Offsets in code points, as Python and the files count them, from and to UTF-16 as browsers count.
// This is the only place that converts. A lone surrogate counts as one code point.

const PAIR = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Converts offsets of one text; finding the surrogate pairs is done once. */
export class CodePoints {
  constructor(text) {
    this.pairs = Array.from(text.matchAll(PAIR), (match) => match.index);
    this.length = text.length - this.pairs.length;
    this.utf16Length = text.length;
  }

  /** The code point that a UTF-16 index is at; inside a pair, that pair's own. */
  toCodePoints(index) {
    const bounded = Math.min(Math.max(index, 0), this.utf16Length);
    return bounded - countBelow(this.pairs, (place) => place < bounded);
  }

  toUtf16(offset) {
    const bounded = Math.min(Math.max(offset, 0), this.length);
    return bounded + countBelow(this.pairs, (place, order) => place - order < bounded);
  }
}

/** How many leading members of a sorted list pass a test. */
function countBelow(list, passes) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(list[middle], middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export function toCodePoints(text, index) {
  return new CodePoints(text).toCodePoints(index);
}

export function toUtf16(text, offset) {
  return new CodePoints(text).toUtf16(offset);
}
