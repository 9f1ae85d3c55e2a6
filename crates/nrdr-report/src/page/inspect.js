// Which point is which: beside the cursor, and at the side of the plots for the one that was clicked and for a selection.

/// Numbers that are listed of a point, by the keys of their colourings.
const MOST_CHOICES = 300;
const listed = new Set();

/// At first: what the coordinates tell most of, what stands beside the points, and then other columns.
function chooseNumbers() {
  const told = ours.meaning.flatMap(({ columns: told }) => told.slice(0, 2).map(({ name }) => name));
  const names = [...told, ...columns.map(({ name }) => name)];
  for (const name of names.slice(0, 40)) {
    const coloring = colorings.find(({ key }) => key === `column:${name}`);
    if (coloring && listed.size < 6) listed.add(coloring.key);
  }
}

const list = (facts) => el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)]));

/// All that is known of a point in words.
const wordsOf = (point) => [
  ...(ids ? [["row", grouped(rowOf[point] + 1)]] : []),
  ...[...labels, ...otherTexts].map((label) => [label.name, textOf(label, point) || "\u2013"]),
];

/// Shows a point of a plot next to it, or nothing.
function showTooltip(plot, point, coloring) {
  const tooltip = byId("tooltip");
  tooltip.hidden = point < 0;
  if (point < 0) return;
  const facts = labels.slice(0, 3).map((label) => [label.name, textOf(label, point) || "\u2013"]);
  plot.axes.forEach((axis) => {
    if (axis !== null && axis >= 0) facts.push([axisName(axis), brief(plot.embedding.values[axis]()[point])]);
  });
  if (coloring.values && coloring.key !== "row") {
    facts.push([coloring.long || coloring.name, brief(coloring.values()[point])]);
  }
  tooltip.replaceChildren(
    ...(atlas && atlas.complete ? [picture(atlas, point, 112, nameOf(point))] : []),
    el("b", {}, nameOf(point)), ...(ids ? [el("span", { class: "muted" }, `row ${grouped(rowOf[point] + 1)}`)] : []), list(facts),
  );
  const box = plot.stage.getBoundingClientRect();
  const [x, y] = plot.placeOf(point);
  const { offsetWidth: width, offsetHeight: height } = tooltip;
  const right = box.left + x + 16;
  const left = right + width > innerWidth - 8 ? box.left + x - width - 16 : right;
  const top = Math.min(innerHeight - height - 8, Math.max(8, box.top + y - height / 2));
  tooltip.style.transform = `translate(${Math.round(Math.max(4, left))}px, ${Math.round(top)}px)`;
}

/// The point that was clicked, with everything that is known of it.
function pinnedPart(point, unpin) {
  const numbers = colorings.filter(({ key }) => listed.has(key));
  const coordinates = ours.values.slice(0, 12).map((values, i) => [`coordinate ${i + 1}`, brief(values()[point])]);
  return el("section", { "aria-label": "The point that was clicked" },
    el("div", { class: "side-head" }, el("h3", {}, nameOf(point)), button("\u00d7", unpin, { class: "quiet", "aria-label": "Close" })),
    atlas && atlas.complete ? picture(atlas, point, 160, nameOf(point)) : null,
    list([...wordsOf(point), ...numbers.map(({ name, values }) => [name, brief(values()[point])])]),
    el("h4", {}, ours.title), list(coordinates));
}

/// How often each class is among the selected points.
function classCounts() {
  const coloring = coloringNow();
  const label = coloring.codes ? coloring : colorings.find(({ codes }) => codes);
  if (!label) return null;
  const counts = new Map();
  for (let i = 0; i < shown; i++) if (chosen[i]) counts.set(label.codes[i], (counts.get(label.codes[i]) || 0) + 1);
  const most = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 8);
  return el("div", {}, el("h4", {}, label.name), list(most.map(([code, count]) =>
    [label.names[code] ?? "\u2013", `${grouped(count)} (${inPercent(count / state.selected)})`])));
}

const MOST_LISTED = 60;

/// The selected points: how many of which class, and their names.
function selectionPart(pin) {
  const points = [];
  for (let i = 0; i < shown && points.length < MOST_LISTED; i++) if (chosen[i]) points.push(i);
  const names = points.map((point) => el("li", {}, button(nameOf(point), () => pin(point), {
    class: "link", onmouseenter: () => hover(visible()[0], point, false), onmouseleave: () => hover(null, -1),
  })));
  const more = state.selected - points.length;
  return el("section", { "aria-label": "Selected points" },
    el("div", { class: "side-head" }, el("h3", {}, `${grouped(state.selected)} selected`)),
    classCounts(), el("ul", { class: "names", tabindex: "0" }, ...names),
    more > 0 ? el("p", { class: "muted" }, `and ${grouped(more)} more`) : null);
}

/// Which numbers are listed.
function numberChoice(changed) {
  const choices = colorings.filter(({ group }) => group === "Numbers").slice(0, MOST_CHOICES);
  if (!choices.length) return null;
  const boxes = choices.map(({ key, name }) => {
    const box = el("input", { type: "checkbox", onchange: () => {
      if (box.checked) listed.add(key);
      else listed.delete(key);
      changed();
    } });
    box.checked = listed.has(key);
    return el("label", {}, box, name);
  });
  return el("details", { class: "choose" }, el("summary", {}, "Numbers to list"), el("div", { class: "boxes", tabindex: "0" }, ...boxes));
}

/// The side of the plots.
function drawSide(pin) {
  const host = byId("side");
  const parts = [];
  if (state.pinned >= 0) parts.push(pinnedPart(state.pinned, () => pin(-1)));
  if (state.selected > 0) parts.push(selectionPart(pin));
  byId("side-points").replaceChildren(...parts);
  host.classList.toggle("busy", state.pinned >= 0 || state.selected > 0);
}
