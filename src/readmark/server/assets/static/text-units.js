// Where a caret can stop in a text: lines, words, characters (grapheme clusters), code points.
// All offsets here are UTF-16 indices into the text.

const BREAK = /\r\n|[\n\r\u2028\u2029]/g;
const INVISIBLE = "[\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2069\\ufeff]+";
const INVISIBLE_START = new RegExp(`^${INVISIBLE}`);
const INVISIBLE_END = new RegExp(`${INVISIBLE}$`);
const BLANK = /^[\s\p{Cf}]*$/u;

export class TextUnits {
  constructor(text, language) {
    this.text = text;
    this.characters = new Intl.Segmenter(language, { granularity: "grapheme" });
    this.words = new Intl.Segmenter(language, { granularity: "word" });
    this.lines = []; // {start, stop, end}: the line break, if any, is between stop and end
    let start = 0;
    for (const match of text.matchAll(BREAK)) {
      const end = match.index + match[0].length;
      this.lines.push({ start, stop: match.index, end });
      start = end;
    }
    this.lines.push({ start, stop: text.length, end: text.length });
  }

  /** The number of the line that an offset is on; an offset after a line break is on the next. */
  lineAt(offset) {
    let low = 0;
    let high = this.lines.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.lines[middle].start <= offset) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** Where the characters of a line begin, then where its text stops. */
  stops(line) {
    if (!line.stops) {
      const segments = this.characters.segment(this.text.slice(line.start, line.stop));
      line.stops = Array.from(segments, (segment) => line.start + segment.index);
      line.stops.push(line.stop);
    }
    return line.stops;
  }

  /** The words and punctuation marks of a line, as [start, end]. */
  tokens(line) {
    if (!line.tokens) {
      line.tokens = [];
      for (const { index, segment } of this.words.segment(this.text.slice(line.start, line.stop))) {
        if (BLANK.test(segment)) continue;
        const start = line.start + index;
        line.tokens.push([start, start + segment.replace(INVISIBLE_END, "").length]);
      }
    }
    return line.tokens;
  }

  /** The next place for the caret; with an anchor, for the end of a selection that began there. */
  step(offset, direction, unit, anchor = null) {
    if (unit === "word") return this.#wordStep(offset, direction, anchor);
    if (unit === "point") return this.#pointStep(offset, direction);
    const number = this.lineAt(offset);
    const line = this.lines[number];
    if (direction > 0) return first(this.stops(line), (stop) => stop > offset) ?? line.end;
    if (offset === line.start) return number ? this.lines[number - 1].stop : 0;
    return last(this.stops(line), (stop) => stop < offset) ?? line.start;
  }

  #pointStep(offset, direction) {
    const next = offset + direction;
    const splits = isTrail(this.text.charCodeAt(next)) && isLead(this.text.charCodeAt(next - 1));
    return Math.min(Math.max(splits ? next + direction : next, 0), this.text.length);
  }

  /** A plain caret goes to the beginnings of words; a selection grows and shrinks by whole words. */
  #wordStep(offset, direction, anchor) {
    const edge = anchor === null || (direction > 0 ? offset < anchor : offset <= anchor) ? 0 : 1;
    let number = this.lineAt(offset);
    let target = null;
    while (target === null && number >= 0 && number < this.lines.length) {
      const edges = this.tokens(this.lines[number]).map((token) => token[edge]);
      target =
        direction > 0 ? first(edges, (place) => place > offset) : last(edges, (place) => place < offset);
      number += direction;
    }
    target ??= direction > 0 ? this.text.length : 0;
    if (anchor === null || offset === anchor) return target;
    if (direction > 0 && offset < anchor) return Math.min(target, anchor);
    if (direction < 0 && offset > anchor) return Math.max(target, anchor);
    return target;
  }

  /** A dragged range, widened to whole units; without blanks or invisible characters at its ends. */
  snap(start, end, unit) {
    if (unit === "point" || start >= end) return [start, end];
    const wide = [this.#stopBefore(start), this.#stopAfter(end)];
    if (unit === "character") return this.#visible(...wide);
    let low = null;
    let high = null;
    for (let number = this.lineAt(start); low === null && number < this.lines.length; number++) {
      low = this.tokens(this.lines[number]).find((token) => token[1] > start)?.[0] ?? null;
    }
    for (let number = this.lineAt(end); high === null && number >= 0; number--) {
      high = last(this.tokens(this.lines[number]), (token) => token[0] < end)?.[1] ?? null;
    }
    return low !== null && high !== null && low < high ? [low, high] : this.#visible(...wide);
  }

  #visible(start, end) {
    const low = this.lines[this.lineAt(start)];
    if (start >= low.stop && low.end < end) start = low.end;
    const number = this.lineAt(end);
    if (end === this.lines[number].start && end > start && number) end = this.lines[number - 1].stop;
    const quote = this.text.slice(start, Math.max(start, end));
    const shown = quote.replace(INVISIBLE_END, "").replace(INVISIBLE_START, "");
    if (!shown) return [start, start + quote.length];
    start += quote.length - quote.replace(INVISIBLE_START, "").length;
    return [start, start + shown.length];
  }

  #stopBefore(offset) {
    return last(this.stops(this.lines[this.lineAt(offset)]), (stop) => stop <= offset) ?? offset;
  }

  #stopAfter(offset) {
    const line = this.lines[this.lineAt(offset)];
    return first(this.stops(line), (stop) => stop >= offset) ?? line.end;
  }

  /** The word that an offset is in or at the end of; else the character there. */
  wordAt(offset) {
    const line = this.lines[this.lineAt(offset)];
    const token = last(this.tokens(line), ([start]) => start <= offset);
    if (token && offset <= token[1]) return token;
    return [offset, Math.min(this.step(offset, 1, "character"), line.stop)];
  }

  /** The word at an offset, else the character: what a screen reader speaks for the caret. */
  unitAt(offset, unit) {
    const line = this.lines[this.lineAt(offset)];
    const token = unit === "word" && this.tokens(line).find(([start, end]) => start <= offset && offset < end);
    if (token) return this.text.slice(...token);
    return this.text.slice(offset, Math.min(this.step(offset, 1, "character"), line.stop));
  }
}

function isLead(unit) {
  return unit >= 0xd800 && unit < 0xdc00;
}

function isTrail(unit) {
  return unit >= 0xdc00 && unit < 0xe000;
}

/** The first member of a list that passes a test which all later members pass too. */
export function first(list, passes) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(list[middle])) high = middle;
    else low = middle + 1;
  }
  return low < list.length ? list[low] : null;
}

/** The last member of a list that passes a test which all earlier members pass too. */
export function last(list, passes) {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passes(list[middle])) low = middle + 1;
    else high = middle;
  }
  return low > 0 ? list[low - 1] : null;
}
