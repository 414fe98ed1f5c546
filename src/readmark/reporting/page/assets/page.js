// Start: the switches, the numbers under the plots when printing, and the browser of units.

for (const button of document.querySelectorAll("[data-set-language]")) {
  button.addEventListener("click", () => setLanguage(button.dataset.setLanguage));
}

// A metric chosen in one part is chosen in every part of the section.
for (const button of document.querySelectorAll("[data-set-metric]")) {
  button.addEventListener("click", () => {
    const section = button.closest(".test");
    for (const one of section.querySelectorAll("[data-set-metric]")) {
      one.setAttribute("aria-pressed", String(one.dataset.setMetric === button.dataset.setMetric));
    }
    for (const one of section.querySelectorAll("[data-metric]")) {
      one.hidden = one.dataset.metric !== button.dataset.setMetric;
    }
  });
}

const closed = [];
window.addEventListener("beforeprint", () => {
  for (const one of document.querySelectorAll("details:not([open])")) {
    one.open = true;
    closed.push(one);
  }
});
window.addEventListener("afterprint", () => {
  for (const one of closed.splice(0)) one.open = false;
});

const browser = new Browser(
  document.getElementById("browser"),
  document.querySelectorAll("script.units"),
  document.getElementById("browser-message"),
);
document.addEventListener("readmark:language", () => {
  if (browser.data) browser.build();
});
for (const event of ["scroll", "resize"]) {
  window.addEventListener(event, () => requestAnimationFrame(() => browser.fit()), { passive: true });
}
window.addEventListener("hashchange", () => browser.follow(location.hash));

setLanguage(language());
browser.open(0).then(() => browser.follow(location.hash));
