// Sitting a test: the annotator's page with a clock, and one way on: the next page, then everything is handed in.

import { element, fill } from "./elements.js";
import { ready } from "./work.js";

const WARNINGS = [10, 5, 1]; // minutes before the end

const data = JSON.parse(document.getElementById("page-data").textContent);
const { words } = data;
const overview = `/assignments/${encodeURIComponent(data.assignment)}/sitting`;

/** Show the time that is left, and go to the overview when there is none. */
function startClock(desk, left) {
  const end = Date.now() + left * 1000;
  const shown = element("span", {});
  const clock = element("span", { class: "clock", id: "clock", title: words.sit_clock },
    element("span", { class: "unseen" }, words.sit_clock, " "), shown);
  document.getElementById("bar").prepend(clock);
  const warning = element("div", { class: "banner warn", hidden: true });
  document.getElementById("banners").before(warning);
  const warned = new Set(WARNINGS.filter((minutes) => left <= minutes * 60));
  const tick = async () => {
    const seconds = Math.max(0, Math.ceil((end - Date.now()) / 1000));
    shown.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    clock.classList.toggle("soon", seconds <= 300);
    const minutes = WARNINGS.find((count) => seconds <= count * 60 && !warned.has(count));
    if (minutes) {
      const text = fill(words.sit_warning, { count: minutes });
      warned.add(minutes);
      desk.announce(text);
      warning.textContent = `⚠ ${text}`;
      warning.hidden = false;
    }
    if (seconds > 0) return;
    clearInterval(timer);
    await desk.store.flush().catch(() => {});
    location.assign(overview);
  };
  const timer = setInterval(tick, 1000);
  document.addEventListener("visibilitychange", tick);
  tick();
}

function start(desk) {
  if (desk.view.assignment.lock === "preview") return;
  const { next } = desk.view.assignment;
  desk.words = { ...desk.words, hand_in: next ? words.sit_next : words.sit_to_end };
  desk.handIn = async () => {
    await desk.store.flush().catch(() => {});
    location.assign(next ? `/assignments/${encodeURIComponent(next)}` : overview);
  };
  const list = element("a", { class: "button quiet", id: "overview", href: overview }, words.sit_overview);
  document.getElementById("hand-in").before(list);
  desk.drawStatus();
  const { left } = desk.view.assignment;
  if (left !== null && !desk.isReadOnly) startClock(desk, left);
}

const desk = await ready;
if (desk) start(desk);
