"use strict";
const frame = document.getElementById("graph");
const svg = frame.querySelector("svg");
const nodes = JSON.parse(document.getElementById("nodes").textContent);
const size = { width: svg.viewBox.baseVal.width, height: svg.viewBox.baseVal.height };
let view = { x: 0, y: 0, scale: 1 }; // where the picture's corner is in the frame, in pixels

// The whole picture is moved, not what is in it: nothing is laid out anew.
function show() {
  svg.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
}

function fit() {
  const scale = Math.min(frame.clientWidth / size.width, frame.clientHeight / size.height, 2);
  view = { x: (frame.clientWidth - size.width * scale) / 2, y: 0, scale };
  show();
}

// Shows a node at this size, `down` of the frame's height below its top.
function center(number, scale, down) {
  const group = svg.querySelector(`[data-node="${number}"]`);
  if (!group) return fit();
  const box = group.getBoundingClientRect(), all = svg.getBoundingClientRect();
  const x = (box.left + box.width / 2 - all.left) / view.scale;
  const y = (box.top + box.height / 2 - all.top) / view.scale;
  view = { x: frame.clientWidth / 2 - x * scale, y: frame.clientHeight * down - y * scale, scale };
  show();
}

// Where the first input is; a picture that fits is shown as a whole.
function start() {
  show();
  const scale = Math.min(frame.clientWidth / size.width, frame.clientHeight / size.height);
  if (scale > 0.75) return fit();
  center(Math.max(0, nodes.findIndex((node) => node.kind === "input")), 0.8, 0.12);
}

frame.addEventListener("wheel", (event) => {
  event.preventDefault();
  const box = frame.getBoundingClientRect();
  const x = event.clientX - box.left, y = event.clientY - box.top;
  const factor = Math.exp(-Math.max(-60, Math.min(60, event.deltaY)) * 0.004);
  const scale = Math.max(0.005, Math.min(8, view.scale * factor));
  const by = scale / view.scale;
  view = { x: x - (x - view.x) * by, y: y - (y - view.y) * by, scale };
  show();
}, { passive: false });

let grip = null;
frame.addEventListener("pointerdown", (event) => {
  grip = { x: event.clientX, y: event.clientY, view, moved: false };
});
window.addEventListener("pointermove", (event) => {
  if (!grip) return;
  const dx = event.clientX - grip.x, dy = event.clientY - grip.y;
  grip.moved = grip.moved || Math.hypot(dx, dy) > 4;
  if (!grip.moved) return;
  view = { ...view, x: grip.view.x + dx, y: grip.view.y + dy };
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
  center(number, 1, 0.5);
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
