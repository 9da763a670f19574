"use strict";
const svg = document.querySelector("#graph svg");
const nodes = JSON.parse(document.getElementById("nodes").textContent);
const whole = svg.viewBox.baseVal;
const size = [whole.width, whole.height];
let view = { x: 0, y: 0, width: size[0], height: size[1] };

function show() {
  svg.setAttribute("viewBox", `${view.x} ${view.y} ${view.width} ${view.height}`);
}

// What a pixel of the screen is in the picture, whose proportions differ from the window's.
function scale() {
  return Math.max(view.width / svg.clientWidth, view.height / svg.clientHeight);
}

function pointAt(event) {
  const box = svg.getBoundingClientRect();
  const s = scale();
  return [
    view.x + view.width / 2 + (event.clientX - box.left - box.width / 2) * s,
    view.y + view.height / 2 + (event.clientY - box.top - box.height / 2) * s,
  ];
}

function fit() {
  view = { x: 0, y: 0, width: size[0], height: size[1] };
  show();
}

// Where the first input is, at a size that can be read.
function start() {
  const first = Math.max(0, nodes.findIndex((node) => node.kind === "input"));
  const width = Math.min(size[0], 1.3 * Math.max(svg.clientWidth, 400));
  const height = (width * svg.clientHeight) / Math.max(svg.clientWidth, 1);
  const group = svg.querySelector(`[data-node="${first}"]`);
  const box = group ? group.getBBox() : { x: size[0] / 2, y: 0, width: 0, height: 0 };
  const x = Math.max(0, Math.min(size[0] - width, box.x + box.width / 2 - width / 2));
  view = { x, y: Math.max(0, box.y - height / 3), width, height };
  show();
}

svg.addEventListener("wheel", (event) => {
  event.preventDefault();
  const [x, y] = pointAt(event);
  const factor = Math.exp(Math.max(-60, Math.min(60, event.deltaY)) * 0.004);
  const width = Math.max(60, Math.min(4 * Math.max(...size), view.width * factor));
  const by = width / view.width;
  view = { x: x + (view.x - x) * by, y: y + (view.y - y) * by, width, height: view.height * by };
  show();
}, { passive: false });

let grip = null;
svg.addEventListener("pointerdown", (event) => {
  grip = { x: event.clientX, y: event.clientY, view: { ...view }, moved: false };
});
window.addEventListener("pointermove", (event) => {
  if (!grip) return;
  const dx = event.clientX - grip.x, dy = event.clientY - grip.y;
  grip.moved = grip.moved || Math.hypot(dx, dy) > 4;
  if (!grip.moved) return;
  view = { ...grip.view, x: grip.view.x - dx * scale(), y: grip.view.y - dy * scale() };
  show();
});
window.addEventListener("pointerup", (event) => {
  const moved = grip && grip.moved;
  grip = null;
  const group = event.target.closest && event.target.closest("[data-node]");
  if (!moved && group && svg.contains(group)) choose(Number(group.dataset.node));
});

function choose(number) {
  for (const old of svg.querySelectorAll(".chosen")) old.classList.remove("chosen");
  svg.querySelector(`[data-node="${number}"]`).classList.add("chosen");
  for (const edge of svg.querySelectorAll(`[data-from="${number}"], [data-to="${number}"]`)) {
    edge.classList.add("chosen");
  }
  const table = document.createElement("table");
  for (const [name, value] of nodes[number].rows) {
    const row = table.insertRow();
    row.insertCell().textContent = name;
    row.insertCell().textContent = value;
  }
  const heading = document.createElement("h2");
  heading.textContent = nodes[number].title;
  document.getElementById("node").replaceChildren(heading, table);
}

function goTo(number) {
  const box = svg.querySelector(`[data-node="${number}"]`).getBBox();
  const width = Math.min(size[0], Math.max(900, box.width * 3));
  const height = (width * svg.clientHeight) / Math.max(svg.clientWidth, 1);
  view = { x: box.x + box.width / 2 - width / 2, y: box.y + box.height / 2 - height / 2, width, height };
  show();
  choose(number);
}

let last = "", hits = [], at = 0;
document.getElementById("search").addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  const wanted = event.target.value.trim().toLowerCase();
  if (wanted !== last) {
    last = wanted;
    hits = nodes.flatMap((node, number) => (wanted && node.title.toLowerCase().includes(wanted) ? [number] : []));
    at = 0;
  } else if (hits.length) {
    at = (at + 1) % hits.length;
  }
  document.getElementById("found").textContent = wanted ? `${hits.length ? at + 1 : 0} of ${hits.length}` : "";
  if (hits.length) goTo(hits[at]);
});
document.getElementById("fit").addEventListener("click", fit);
start();
