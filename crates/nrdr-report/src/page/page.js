// Puts the page together: the head, the theme, and what tests can ask.

function factList(facts) {
  const longs = ([name, value]) => String(name).length + String(value).length > 26;
  return el("dl", { class: "facts" }, ...facts.map((fact) => el("div", { class: longs(fact) ? "long" : null },
    el("dt", {}, String(fact[0])), el("dd", {}, String(fact[1])))));
}

/// A number and its percent sign stay on one line.
const unbroken = (text) => text.replace(/(\d) %/g, "$1\u202f%");

/// A question, its answer, and the figures behind it as bars from 0 to 100 %.
function answerCard({ question, answer, text, bars, lines }) {
  const digits = bars.some(({ values }) => values.some(([, , a]) => values.some(([, , b]) => a !== b && Math.abs(a - b) < 2))) ? 1 : 0;
  const written = (value) => value.toFixed(value >= 99.95 || value < 0.05 ? 0 : digits);
  const track = ([number, title, value]) => el("i", {
    class: kindOf(number), title: `${title}: ${written(value)} %`, style: `width:${Math.min(100, Math.max(0, value)).toFixed(1)}%`,
  });
  // Two stand beside each other in one line, more below each other.
  const group = ({ name, values }) => (values.length <= 2 ? [[name, values]] : values.slice(0, 8).map((each) => [each[1], [each]]))
    .map(([text, some]) => el("li", {}, el("span", { class: "answer-name", title: text }, text),
      el("span", { class: "answer-track", "aria-hidden": "true" }, ...some.map(track)),
      el("span", { class: "answer-value" }, ...some.flatMap(([number, , value], k) => [k ? " / " : "", el("b", { class: `ink ${kindOf(number)}` }, written(value))]), "\u202f%")));
  return el("section", { class: "answer" }, el("h2", {}, question), el("p", { class: "answer-word" }, unbroken(answer)),
    el("p", { class: "answer-text" }, unbroken(text)),
    lines.length ? el("ul", { class: "answer-lines" }, ...lines.map((line) => el("li", {}, unbroken(line)))) : null,
    el("ul", { class: "answer-bars" }, ...bars.flatMap(group)));
}

/// A curve that repeats its axis, and a cloud that fills the plane.
function redundancyPicture() {
  const dots = times(60, (i) => (i * 0.6180339887) % 1);
  const frame = (left) => svg("rect", { class: "cell", x: left + 0.5, y: 0.5, width: 119, height: 79, rx: 4 });
  const dot = (x, y, kind) => svg("circle", { class: `fill ${kind}`, cx: x.toFixed(1), cy: y.toFixed(1), r: 2.2 });
  const arch = dots.map((t) => dot(12 + 96 * t, 68 - 56 * (1 - (2 * t - 1) ** 2), "s0"));
  const cloud = dots.map((t, i) => dot(152 + 96 * t, 12 + 56 * ((i * 0.7548776662) % 1), "s1"));
  return svg("svg", { viewBox: "0 0 260 98", width: 260, height: 98, role: "img", "aria-label": "Left: dots along an arch; right: dots all over an area" },
    frame(0), frame(140), ...arch, ...cloud,
    svg("text", { x: 60, y: 94, "text-anchor": "middle" }, "redundant"), svg("text", { x: 200, y: 94, "text-anchor": "middle" }, "new"));
}

function startHead() {
  document.title = `${data.title} \u2013 nrdr report`;
  byId("title").textContent = data.title;
  byId("headline").textContent = unbroken(data.headline || "");
  byId("headline").hidden = !data.headline;
  byId("answers").append(...data.answers.map(answerCard));
  if (embeddings.length > 1 && embeddings.length < 6) byId("answer-keys").append(keys(embeddings.map(({ title, number }) => ({ name: title, kind: kindOf(number) }))));
  byId("verdict").textContent = unbroken(data.verdict || "");
  byId("about-picture").append(redundancyPicture());
  const notes = [];
  if (shown < data.total) {
    notes.push(`A random sample of ${grouped(shown)} of ${grouped(data.total)} points is drawn.`);
  }
  const count = allWarnings().length;
  byId("notes").append(...notes);
  if (count) {
    const link = el("a", { href: "#warnings", onclick: (event) => {
      event.preventDefault();
      byId("warnings").scrollIntoView();
    } }, counted(count, "warning"));
    byId("notes").append(notes.length ? " " : "", link);
  }
  if (data.facts?.length) byId("facts").append(factList(data.facts));
  if (data.parameters?.length) byId("facts").append(el("p", { class: "caption" }, "Parameters"), factList(data.parameters));
  byId("run").hidden = !(data.facts?.length || data.parameters?.length || data.verdict);
  byId("footer").textContent = `nrdr ${data.version}. This file is complete in itself and sends nothing anywhere.`;
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  const control = byId("theme");
  control.textContent = theme === "dark" ? "Light" : "Dark";
  control.setAttribute("aria-label", theme === "dark" ? "Use light colours" : "Use dark colours");
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
  // Paper is white, and what is folded on a screen is told on it.
  let before = null;
  let folded = [];
  addEventListener("beforeprint", () => {
    before = document.documentElement.dataset.theme;
    setTheme("light");
    folded = [...document.querySelectorAll("details#run:not([open])")];
    folded.forEach((details) => (details.open = true));
    addDrawings();
    for (const draw of followers.values()) draw();
  });
  addEventListener("afterprint", () => {
    removeDrawings();
    folded.forEach((details) => (details.open = false));
    if (before) setTheme(before);
  });
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
    hover: state.hover < 0 ? null : rowOf[state.hover] + 1,
    pinned: state.pinned < 0 ? null : rowOf[state.pinned] + 1,
    ranked: visible().map((plot) => plot.isRanked),
    views: visible().map((plot) => plot.view.word()),
    only: [...isolated],
    theme: document.documentElement.dataset.theme,
  }),
  /// Where a point is on the screen.
  place: (i, point) => {
    const plot = visible()[i];
    const box = plot.stage.getBoundingClientRect();
    const [x, y] = plot.placeOf(point);
    return [box.left + plot.stage.clientLeft + x, box.top + plot.stage.clientTop + y];
  },
  svg: (i) => plotAsSvg(visible()[i]).markup,
  table: tableText,
};
