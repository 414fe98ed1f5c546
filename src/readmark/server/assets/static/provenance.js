// The page works without this: it adds folding of everything, and shows what belongs together.

const folding = document.querySelector(".folding");
const folds = [...document.querySelectorAll(".tree details")];

if (folds.length > 0) {
  folding.hidden = false;
  folding.addEventListener("click", (event) => {
    const how = event.target.dataset.fold;
    if (how) {
      for (const fold of folds) fold.open = how === "open";
    }
  });
}

function reveal() {
  const name = decodeURIComponent(location.hash.slice(1));
  const target = name && document.getElementById(name);
  if (!target) return;
  for (let place = target.parentElement; place; place = place.parentElement) {
    if (place.tagName === "DETAILS") place.open = true;
  }
  target.scrollIntoView({ block: "nearest" });
}

function connect(line) {
  const place = document.getElementById(line.dataset.place);
  if (!place) return;
  const both = [line, place];
  for (const part of both) {
    for (const name of ["mouseenter", "focusin"]) {
      part.addEventListener(name, () => both.forEach((each) => each.classList.add("shown")));
    }
    for (const name of ["mouseleave", "focusout"]) {
      part.addEventListener(name, () => both.forEach((each) => each.classList.remove("shown")));
    }
  }
}

document.querySelectorAll("[data-place]").forEach(connect);
addEventListener("hashchange", reveal);
reveal();
