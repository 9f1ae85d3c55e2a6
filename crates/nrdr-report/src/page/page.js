// Puts the page together: the head, the theme, and what tests can ask.

function factList(facts) {
  const longs = ([name, value]) => String(name).length + String(value).length > 26;
  return el("dl", { class: "facts" }, ...facts.map((fact) => el("div", { class: longs(fact) ? "long" : null },
    el("dt", {}, String(fact[0])), el("dd", {}, String(fact[1])))));
}

function startHead() {
  document.title = `${data.title} \u2013 nrdr report`;
  byId("title").textContent = data.title;
  // A number and its percent sign stay on one line.
  byId("verdict").textContent = (data.verdict || "").replace(/(\d) %/g, "$1\u202f%");
  byId("verdict").hidden = !data.verdict;
  const notes = [];
  if (data.shown < data.total) {
    notes.push(`A random sample of ${grouped(data.shown)} of ${grouped(data.total)} points is drawn.`);
  }
  const count = allWarnings().length;
  byId("notes").append(...notes);
  if (count) {
    const link = el("a", { href: "#warnings" }, count === 1 ? "1 warning" : `${count} warnings`);
    byId("notes").append(notes.length ? " " : "", link);
  }
  if (data.facts?.length) byId("facts").append(factList(data.facts));
  if (data.parameters?.length) {
    byId("facts").append(el("p", { class: "caption" }, "Parameters"), factList(data.parameters));
  }
  byId("footer").textContent = `nrdr ${data.version}. This file is complete in itself and sends nothing anywhere.`;
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const button = byId("theme");
  button.textContent = theme === "dark" ? "Light" : "Dark";
  button.setAttribute("aria-label", theme === "dark" ? "Use light colours" : "Use dark colours");
  button.setAttribute("aria-pressed", String(theme === "dark"));
  readThemeColors();
  if (plots.length) repaint();
}

function startTheme() {
  const system = matchMedia("(prefers-color-scheme: dark)");
  let isChosen = false;
  setTheme(system.matches ? "dark" : "light");
  byId("theme").addEventListener("click", () => {
    isChosen = true;
    setTheme(isDark() ? "light" : "dark");
  });
  system.addEventListener("change", () => !isChosen && setTheme(system.matches ? "dark" : "light"));
  // Paper is white.
  let before = null;
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    setTheme("light");
    for (const plot of visible()) plot.drawNow();
  });
  addEventListener("afterprint", () => before && setTheme(before));
}

startHead();
startTheme();
startScatter();
startSections();

window.nrdr = {
  drawn: () => visible().map((plot) => plot.drawn),
  pixels: (i) => visible()[i].hasPixels(),
  renderer: () => visible().map((plot) => plot.renderer.kind),
  state: () => ({
    x: state.x,
    y: state.y,
    z: state.z,
    color: state.color,
    selected: state.selected,
    hover: state.hover < 0 ? null : rowOf[state.hover],
    theme: document.documentElement.dataset.theme,
  }),
  /// Where a point is on the screen.
  place: (i, point) => {
    const plot = visible()[i];
    const box = plot.stage.getBoundingClientRect();
    const [x, y] = plot.view.place(...plot.points.map((values) => values[point]));
    return [box.left + plot.stage.clientLeft + x, box.top + plot.stage.clientTop + y];
  },
};
