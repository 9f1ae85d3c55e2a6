// The plots together: controls, and everything that is linked between them.

const plots = [];
const visible = () => plots.filter((plot) => plot.element.isConnected);
const coloringNow = () => colorings.find(({ key }) => key === state.color);
const highlighted = new Set();

function setColor(key) {
  state.color = key;
  highlighted.clear();
  repaint();
}

/// Colours again: after another choice, or in another theme.
function repaint() {
  paint(coloringNow(), colors);
  drawLegend(coloringNow(), highlight);
  pressCategories(highlighted);
  for (const plot of plots) plot.setColors();
}

function setAxes(axes) {
  Object.assign(state, axes);
  hover(null, -1);
  for (const plot of plots) plot.chooseAxes();
}

function hover(plot, point) {
  if (point === state.hover) return;
  state.hover = plot ? point : -1;
  showTooltip(plot, point, coloringNow());
  for (const each of visible()) each.invalidate(true);
}

/// Tells everyone that `chosen` has changed.
function selectionChanged() {
  state.selected = chosen.reduce((sum, flag) => sum + flag, 0);
  pressCategories(highlighted);
  byId("count").textContent = state.selected
    ? `${grouped(state.selected)} of ${grouped(shown)} points selected` : "No points selected";
  byId("clear").hidden = byId("copy-rows").hidden = state.selected === 0;
  drawGallery();
  for (const plot of plots) plot.setChosen();
}

function clearSelection() {
  highlighted.clear();
  chosen.fill(0);
  selectionChanged();
}

function select(plot, polygon, adds) {
  highlighted.clear();
  if (!adds) chosen.fill(0);
  plot.view.mark(plot.points, polygon, chosen);
  selectionChanged();
}

function highlight(category, adds) {
  const wasOn = highlighted.has(category);
  if (!adds) highlighted.clear();
  if (wasOn) highlighted.delete(category);
  else highlighted.add(category);
  const { codes } = coloringNow();
  for (let i = 0; i < shown; i++) chosen[i] = highlighted.has(codes[i]) ? 1 : 0;
  selectionChanged();
}

function choice(text, options, value, onchange) {
  const select = el("select", { onchange: () => onchange(select.value) }, ...options);
  select.value = value;
  return { element: el("label", {}, text, select), select };
}

const option = ([value, text]) => el("option", { value }, text);

/// Options under headings; groups keep the order in which they first appear.
function groupedOptions() {
  const groups = [...new Set(colorings.map(({ group }) => group))];
  return groups.map((group) => el("optgroup", { label: group },
    ...colorings.filter((each) => each.group === group).map(({ key, name }) => option([key, name]))));
}

function axisControls() {
  if (mostCoordinates === 1) return [];
  const names = times(mostCoordinates, (i) => [i, axisName(i)]);
  const withRow = [...names, [ROW, "row number"]];
  const x = choice("Across", withRow.map(option), state.x, (value) => setAxes({ x: Number(value) }));
  const y = choice("Up", withRow.map(option), state.y, (value) => setAxes({ y: Number(value) }));
  if (mostCoordinates < 3) return [x.element, y.element];
  const apply = (value) => {
    const isSolid = value !== "";
    z.select.value = value;
    toggle.setAttribute("aria-pressed", String(isSolid));
    setAxes({ z: isSolid ? Number(value) : null });
  };
  const z = choice("Third axis", [["", "none"], ...names].map(option), "", apply);
  const free = () => names.map(([i]) => i).find((i) => i !== state.x && i !== state.y);
  const toggle = el("button", { type: "button", id: "solid", "aria-pressed": "false",
    onclick: () => apply(state.z === null ? String(free()) : "") }, "3-D");
  return [x.element, y.element, z.element, toggle];
}

function toolControl() {
  const tools = [["move", "Move"], ["rectangle", "Select"], ["lasso", "Lasso"]];
  const buttons = tools.map(([tool, name]) => el("button", { type: "button", "aria-pressed": String(tool === state.tool),
    "data-tool": tool, onclick: () => {
      state.tool = tool;
      buttons.forEach((button) => button.setAttribute("aria-pressed", String(button.dataset.tool === tool)));
      plots.forEach((plot) => (plot.stage.dataset.tool = tool));
    } }, name));
  return el("fieldset", {}, el("legend", {}, "Dragging"), el("div", { class: "segments" }, ...buttons));
}

/// Marks the point of a row, for readers who know which one they look for.
function findControl() {
  const input = el("input", { type: "number", min: "0", id: "find", placeholder: "number", oninput: () => {
    const point = input.value === "" ? -1 : rowOf.indexOf(Number(input.value));
    input.setAttribute("aria-invalid", String(input.value !== "" && point < 0));
    input.title = input.value !== "" && point < 0 ? "This row is not among the points drawn" : "";
    hover(visible()[0], point);
  }, onblur: () => hover(null, -1) });
  return el("label", {}, "Find row", input);
}

function embeddingControl(show) {
  const boxes = plots.map((plot, i) => {
    const box = el("input", { type: "checkbox", onchange: show });
    box.checked = i < 2;
    return box;
  });
  const labels = plots.map((plot, i) => el("label", {}, boxes[i], plot.embedding.title));
  const element = el("fieldset", {}, el("legend", {}, "Embeddings"), el("div", { class: "checks" }, ...labels));
  return { element, boxes };
}

function startScatter() {
  plots.push(...embeddings.map((embedding) => new Plot(embedding)));
  plots.forEach((plot) => listen(plot, { hover, select, clear: clearSelection }));
  const show = () => {
    const wanted = plots.filter((_, i) => (embedding ? embedding.boxes[i].checked : true));
    byId("plots").replaceChildren(...wanted.map((plot) => plot.element));
  };
  const embedding = plots.length > 2 ? embeddingControl(show) : null;
  const color = choice("Colour by", groupedOptions(), state.color, setColor);
  const reset = el("button", { type: "button", onclick: () => plots.forEach((plot) => {
    plot.view.reset();
    plot.invalidate();
  }) }, "Reset view");
  byId("controls").append(...axisControls(), color.element, toolControl(), reset, findControl());
  if (embedding) byId("controls").append(embedding.element);
  byId("clear").addEventListener("click", clearSelection);
  byId("copy-rows").addEventListener("click", (event) => {
    copy(Array.from(rowOf).filter((_, i) => chosen[i]).join("\n"), event.currentTarget);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && clearSelection());
  addEventListener("scroll", () => hover(null, -1), { passive: true });
  byId("hint").textContent = "Wheel zooms, drag moves (in 3-D: turns, with Ctrl it moves), double click resets. "
    + "Shift and drag selects, with Ctrl it adds; Escape clears. Rows are counted from 0.";
  show();
  repaint();
  selectionChanged();
}
