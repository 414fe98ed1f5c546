// Keeps the figures of the overview up to date while the page is open and can be seen.

const EVERY = 30000;
const figures = document.querySelector("#figures");
const note = document.querySelector("[data-refreshed]");
let timer = 0;
let isFetching = false;

async function refresh() {
  if (isFetching || document.hidden) return;
  isFetching = true;
  try {
    const response = await fetch(figures.dataset.address, { redirect: "error" });
    if (response.status === 401 || response.status === 404) return stop();
    if (!response.ok) return;
    show(new DOMParser().parseFromString(await response.text(), "text/html").body);
    const language = document.documentElement.lang;
    const time = new Date().toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hour12: false });
    note.textContent = `${note.dataset.refreshed} ${time} ·`;
  } catch {
    // The server cannot be reached, or somebody logged out: the next attempt may work.
  } finally {
    isFetching = false;
  }
}

/** Replaces what differs, piece by piece: what somebody has opened, or reads, stays as it is. */
function show(body) {
  const fresh = [...body.children];
  const shown = [...figures.children];
  if (fresh.length !== shown.length || fresh.some((part, index) => part.tagName !== shown[index].tagName)) {
    if (!figures.contains(document.activeElement)) figures.replaceChildren(...fresh);
    return;
  }
  fresh.forEach((part, index) => {
    const old = shown[index];
    old.querySelectorAll("details[open]").forEach((details, place) => part.querySelectorAll("details")[place]?.setAttribute("open", ""));
    if (!old.isEqualNode(part) && !old.contains(document.activeElement)) old.replaceWith(part);
  });
}

function start() {
  stop();
  timer = setInterval(refresh, EVERY);
}

function stop() {
  clearInterval(timer);
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return stop();
  refresh();
  start();
});
if (!document.hidden) start();
if ("partial" in figures.dataset) refresh();
