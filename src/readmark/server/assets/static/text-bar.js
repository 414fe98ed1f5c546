// The small bar above a text: its switches, and the list of keys.

import { make } from "./text-view.js";

const HELP = ["move", "unit", "extend", "tile", "create", "walk", "enter", "edges", "again", "link", "remove", "escape"];

/** A button that stays pressed. */
export function addToggle(bar, label, isOn, change) {
  const button = make("button", "quiet", bar);
  button.type = "button";
  button.textContent = label;
  button.setAttribute("aria-pressed", String(isOn));
  button.addEventListener("click", () => {
    const next = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(next));
    change(next);
  });
  return button;
}

export function addHelp(bar, say, mode) {
  const help = make("details", "tt-help", bar);
  make("summary", "", help).textContent = say("text_keys");
  const list = make("dl", "", help);
  for (const name of HELP) {
    if (name === "tile" && mode !== "tiles") continue;
    const [keys, meaning] = say(`text_keys_${name}`).split(" | ");
    make("dt", "", list).textContent = keys;
    make("dd", "", list).textContent = meaning ?? "";
  }
}
