"use strict";
const given = JSON.parse(document.getElementById("given").textContent);
const root = document.documentElement;
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const touched = matchMedia("(pointer: coarse)").matches;
const PAPER_WIDTH = 680; // pixels between the margins of A4
const DASHES = { dash: "7 3", dot: "2 3", dashdot: "7 3 2 3", longdash: "11 4", longdashdot: "11 4 2 4" };
const MARKS = {
  circle: "M6.5 6a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0 -9 0z",
  square: "M7 2h8v8h-8z",
  diamond: "M11 0.5l5.5 5.5l-5.5 5.5l-5.5 -5.5z",
  "triangle-up": "M11 1l5 9h-10z",
  "triangle-down": "M11 11l5 -9h-10z",
  cross: "M9.5 1.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
  x: "M7.5 0.5l3.5 3.5l3.5 -3.5l2 2l-3.5 3.5l3.5 3.5l-2 2l-3.5 -3.5l-3.5 3.5l-2 -2l3.5 -3.5l-3.5 -3.5z",
};
let printing = false;

const mode = () => (printing ? "light" : root.dataset.theme || (prefersDark.matches ? "dark" : "light"));

// "$main/0.2" is the theme's colour `main`, a fifth of it
function colour(name) {
  const [plain, share] = name.slice(1).split("/");
  const hex = given.themes[mode()][plain];
  if (!share) return hex;
  return `rgba(${[1, 3, 5].map(i => parseInt(hex.slice(i, i + 2), 16)).join(",")},${share})`;
}

function filled(value, key = "") {
  if (Array.isArray(value)) return value.map(v => filled(v, key));
  if (value && typeof value === "object")
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, filled(v, k)]));
  return typeof value === "string" && value[0] === "$" && /color(scale)?$/.test(key) ? colour(value) : value;
}

function draw(chart) {
  const div = document.getElementById(chart.name);
  if (!div.offsetParent && !printing) return; // not chosen: it has no size to be drawn in
  const width = printing ? PAPER_WIDTH : div.clientWidth;
  const layout = { ...filled(chart.layout), template: filled(given.template), autosize: !printing };
  if (chart.square) {
    layout.width = Math.min(width, printing ? 420 : 540);
    layout.height = layout.width;
    layout.autosize = false;
    div.style.height = layout.height + "px";
  } else {
    layout.height = printing ? 0.8 * chart.height : chart.height;
    if (printing) layout.width = width;
    div.style.height = layout.height + "px";
  }
  if (touched) layout.dragmode = false; // a finger scrolls the page
  const data = filled(chart.data);
  if (width < chart.written_from) for (const trace of data) delete trace.texttemplate;
  Plotly.react(div, data, layout, given.config);
  key(chart);
}

// -- the key below a chart: what is drawn how, and a switch for each ------------------------------------------------

function key(chart) {
  const traces = chart.data.filter(t => t.name && t.showlegend !== false);
  const box = document.querySelector(`.key[data-of=${chart.name}]`);
  box.replaceChildren(...(chart.data.length > 1 ? traces.map(trace => entry(chart, trace)) : []));
}

function entry(chart, trace) {
  const button = document.createElement("button");
  button.type = "button";
  button.setAttribute("aria-pressed", trace.visible !== "legendonly");
  button.innerHTML = swatch(trace);
  const name = document.createElement("span");
  const decoder = document.createElement("textarea"); // names are escaped once, for plotly
  decoder.innerHTML = trace.name;
  name.textContent = decoder.value;
  button.append(name);
  button.addEventListener("click", () => {
    const visible = trace.visible === "legendonly" ? true : "legendonly";
    const group = chart.data.filter(t => t === trace || (trace.legendgroup && t.legendgroup === trace.legendgroup));
    for (const member of group) member.visible = visible;
    draw(chart);
    document.querySelectorAll(`.key[data-of=${chart.name}] button`)[
      chart.data.filter(t => t.name && t.showlegend !== false).indexOf(trace)].focus();
  });
  return button;
}

function swatch(trace) {
  const of = name => (typeof name === "string" && name[0] === "$" ? colour(name) : colour("$main"));
  const line = trace.line && trace.line.width !== 0 && (trace.mode || "lines").includes("lines");
  const marks = trace.type === "bar" || (trace.mode || "").includes("markers");
  let inside = "";
  if (trace.fillcolor) inside += `<rect width="22" height="12" y="0" fill="${of(trace.fillcolor)}"/>`;
  if (line)
    inside += `<line x1="0" x2="22" y1="6" y2="6" stroke-width="2" stroke="${of(trace.line.color)}" ` +
      `stroke-dasharray="${DASHES[trace.line.dash] || ""}"/>`;
  if (marks) {
    const symbol = trace.type === "bar" ? "square" : trace.marker.symbol || "circle";
    const paint = of(trace.marker.color);
    const inner = symbol.endsWith("-open") ? "none" : paint;
    inside += `<path d="${MARKS[symbol.replace("-open", "")]}" fill="${inner}" stroke="${paint}" stroke-width="1.5"/>`;
  }
  return `<svg width="22" height="12" aria-hidden="true">${inside}</svg>`;
}

// -- light and dark, paper, choices ---------------------------------------------------------------------------------

const button = document.getElementById("theme");
const relabel = () => { button.textContent = mode() === "dark" ? "☀ Light" : "☾ Dark"; };

function drawAll() {
  relabel();
  for (const chart of given.charts) draw(chart);
}

function choose(select) {
  for (const panel of document.querySelectorAll(`.panel[data-of=${select.id}]`)) {
    panel.hidden = panel.dataset.value !== select.value;
    if (!panel.hidden)
      for (const chart of given.charts) if (panel.querySelector(`#${chart.name}`)) draw(chart);
  }
}

function onPaper(yes) {
  printing = yes;
  for (const table of document.querySelectorAll(".wide table"))
    table.style.zoom = yes ? Math.min(1, PAPER_WIDTH / Math.max(table.scrollWidth, 1)) : "";
  for (const chart of given.charts) {
    const panel = document.getElementById(chart.name).closest(".panel");
    if (!panel || !panel.hidden) draw(chart);
  }
}

async function load() {
  const packed = Uint8Array.from(atob(document.getElementById("plotly").textContent), c => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const script = document.createElement("script");
  script.textContent = await new Response(stream).text();
  document.head.append(script);
}

load().then(() => {
  drawAll();
  prefersDark.addEventListener("change", drawAll);
  addEventListener("beforeprint", () => onPaper(true));
  addEventListener("afterprint", () => onPaper(false));
  button.addEventListener("click", () => {
    root.dataset.theme = mode() === "dark" ? "light" : "dark";
    drawAll();
  });
  for (const select of document.querySelectorAll(".choice select"))
    select.addEventListener("change", () => choose(select));
  let width = innerWidth;
  addEventListener("resize", () => {
    if (innerWidth !== width) { width = innerWidth; drawAll(); }
  });
  root.dataset.ready = "yes";
});
