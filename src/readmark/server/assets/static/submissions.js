// Follows submissions while they are marked: the list is replaced, what somebody types stays.

const EVERY = 3000;
let timer = 0;

async function refresh() {
  const shown = document.querySelector("#submissions");
  if (document.hidden || shown.contains(document.activeElement)) return;
  try {
    const response = await fetch(shown.dataset.address, { redirect: "error" });
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    const fresh = page.querySelector("#submissions");
    if (fresh === null) return clearInterval(timer);
    if (!("address" in fresh.dataset)) clearInterval(timer);
    if (!shown.isEqualNode(fresh)) shown.replaceWith(document.importNode(fresh, true));
  } catch {
    // The server cannot be reached, or somebody logged out: the next attempt may work.
  }
}

timer = setInterval(refresh, EVERY);
