"use strict";
// The theme that was chosen last, before anything is drawn: auto follows the system.

function rememberedTheme() {
  try {
    return localStorage.getItem("readmark-theme") || "auto";
  } catch (error) {
    return "auto";
  }
}

function setTheme(chosen) {
  const root = document.documentElement;
  if (chosen === "auto") delete root.dataset.theme;
  else root.dataset.theme = chosen;
  for (const button of document.querySelectorAll("[data-set-theme]")) {
    button.setAttribute("aria-pressed", String(button.dataset.setTheme === chosen));
  }
}

setTheme(rememberedTheme());
