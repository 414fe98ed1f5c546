// Places in texts. Readmark counts code points, JavaScript counts UTF-16: this is where they meet.

function toUtf16(text, points) {
  if (!/[\ud800-\udbff]/.test(text)) return points;
  let at = 0;
  let seen = 0;
  while (seen < points && at < text.length) {
    at += text.codePointAt(at) > 0xffff ? 2 : 1;
    seen += 1;
  }
  return at;
}

function codePoints(text) {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text.codePointAt(at) > 0xffff) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

// [start, end] in code points as a stretch of the text, or null where it lies outside.
function stretch(text, place) {
  const [start, end] = place;
  if (!(start >= 0 && start < end && end <= codePoints(text))) return null;
  return { start: toUtf16(text, start), end: toUtf16(text, end) };
}

// Where an answer stands: at its offsets when its words are there, else at a place of the key that
// holds some of them, else where they come first.
function placeOf(text, words, offsets, near) {
  const given = offsets && stretch(text, offsets);
  if (given && (!words || text.slice(given.start, given.end) === words)) return given;
  if (!words) return null;
  let first = null;
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const place = { start: at, end: at + words.length, found: true };
    if ((near || []).some((one) => one.start < place.end && place.start < one.end)) return place;
    first = first || place;
  }
  return first;
}

// The stretches of a text between all bounds of the highlights, each with those that cover it.
function segments(text, highlights) {
  const bounds = new Set([0, text.length]);
  for (const one of highlights) bounds.add(one.start).add(one.end);
  const sorted = [...bounds].sort((a, b) => a - b);
  const found = [];
  for (let at = 0; at + 1 < sorted.length; at += 1) {
    const [start, end] = [sorted[at], sorted[at + 1]];
    const over = highlights.filter((one) => one.start <= start && one.end >= end);
    found.push({ start, end, over });
  }
  return found;
}
