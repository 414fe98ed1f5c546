// Start: the switches, folded parts, links to units, and the browser of units.

for (const button of document.querySelectorAll("[data-set-language]")) {
  button.addEventListener("click", () => setLanguage(button.dataset.setLanguage));
}

// A metric chosen in one part is chosen in every part of the section. Plots and tables of the others
// are templates until they are wanted: a page may have hundreds.
for (const button of document.querySelectorAll("[data-set-metric]")) {
  button.addEventListener("click", () => {
    const section = button.closest(".test");
    for (const one of section.querySelectorAll("[data-set-metric]")) {
      one.setAttribute("aria-pressed", String(one.dataset.setMetric === button.dataset.setMetric));
    }
    for (const one of section.querySelectorAll("[data-metric]")) {
      one.hidden = one.dataset.metric !== button.dataset.setMetric;
      const template = !one.hidden && one.querySelector(":scope > template");
      if (template) {
        template.replaceWith(template.content);
        showLanguage(one);
        equipWithin(one);
      }
    }
  });
}

for (const button of document.querySelectorAll("[data-set-theme]")) {
  button.addEventListener("click", () => {
    setTheme(button.dataset.setTheme);
    try {
      localStorage.setItem("readmark-theme", button.dataset.setTheme);
    } catch (error) {
      // A browser that keeps nothing shows the theme until the page is closed.
    }
  });
}
setTheme(rememberedTheme());

const foldAll = document.querySelector("[data-fold]");
foldAll.hidden = false;
foldAll.addEventListener("click", () => {
  const open = foldAll.getAttribute("aria-pressed") !== "true";
  foldAll.setAttribute("aria-pressed", String(open));
  for (const one of document.querySelectorAll("details.fold")) one.open = open;
});

equipWithin(document);
document.addEventListener("toggle", (event) => {
  if (event.target.open) equipWithin(event.target);
}, true);

// A link to a part opens it.
function openPart(hash) {
  const target = /^#[\w-]+$/.test(hash) && document.getElementById(hash.slice(1));
  const fold = target && target.querySelector(":scope > details.fold");
  if (!fold) return;
  fold.open = true;
  target.scrollIntoView({ block: "start" });
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
window.addEventListener("hashchange", () => {
  openPart(location.hash);
  browser.follow(location.hash);
});
// The address may be that of the units shown already: then there is no change of it.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[href^='#']");
  const hash = link && (link.getAttribute("href") || "");
  if (hash && hash === location.hash) {
    openPart(hash);
    browser.follow(hash);
  }
});

setLanguage(language());
openPart(location.hash);
browser.open(0).then(() => browser.follow(location.hash));
