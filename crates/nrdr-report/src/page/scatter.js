// The plots together: controls, and everything that is linked between them.

const plots = [];
const visible = () => plots.filter((plot) => plot.isShown);
const coloringNow = () => colorings.find(({ key }) => key === state.color) || colorings[0];

/// What was so before anybody changed it.
const usual = { ...state, show: "" };
/// Elements beside the plots that are drawn again when colours or the selection change, and how.
const followers = new Map();
const follow = onceAFrame(() => {
  for (const [host, draw] of followers) {
    if (host.isConnected) draw();
    else followers.delete(host);
  }
});

/// Writes what is shown into the address, when it has rested.
let writing = 0;
function remember() {
  clearTimeout(writing);
  writing = setTimeout(writeAddress, 250);
}
function writeAddress() {
  clearTimeout(writing);
  const words = stateWords(plots, usual);
  if (words !== location.hash.slice(1)) history.replaceState(null, "", words ? `#${words}` : location.pathname + location.search);
}

function setColor(key) {
  state.color = key;
  isolated.clear();
  repaint();
  remember();
}

/// Colours again: after another choice, or in another theme.
function repaint() {
  paint(coloringNow(), colors);
  drawLegend(coloringNow(), isolate);
  pressCategories();
  for (const plot of plots) plot.setColors();
  follow();
}

function setAxes(axes) {
  Object.assign(state, axes);
  hover(null, -1);
  for (const plot of plots) plot.chooseAxes();
  syncControls();
  remember();
}

function hover(plot, point, withTooltip = true) {
  if (point === state.hover) return;
  state.hover = plot ? point : -1;
  showTooltip(plot, plot && withTooltip ? point : -1, coloringNow());
  for (const each of visible()) each.invalidate(true);
}

function pin(point) {
  if (point === state.pinned) return;
  state.pinned = point;
  drawSide(pin);
  for (const each of visible()) each.invalidate(true);
  remember();
}

/// Tells everyone that `chosen` has changed.
function selectionChanged() {
  state.selected = chosen.reduce((sum, flag) => sum + flag, 0);
  byId("count").textContent = state.selected
    ? `${grouped(state.selected)} of ${counted(shown, "point")} selected` : isolated.size ? "" : "No points selected";
  for (const id of ["clear", "copy-rows"]) byId(id).hidden = state.selected === 0;
  byId("save-csv").textContent = state.selected ? "Save selection (CSV)" : "Save coordinates (CSV)";
  drawGallery();
  drawSide(pin);
  for (const plot of plots) plot.setChosen();
  follow();
  remember();
}

function clearSelection() {
  chosen.fill(0);
  selectionChanged();
}

function selectArea(plot, polygon, adds) {
  if (!adds) chosen.fill(0);
  plot.view.mark(plot.points, colors, polygon, chosen);
  selectionChanged();
}

function choosePoints(points) {
  chosen.fill(0);
  for (const point of points) chosen[point] = 1;
  selectionChanged();
}

/// Shows a class alone, or together with those that are shown already; again, or by null, all.
function isolate(category, adds = false) {
  const wasOnly = isolated.size === 1 && isolated.has(category);
  if (!adds) {
    isolated.clear();
    if (category !== null && !wasOnly) isolated.add(category);
  } else if (isolated.has(category)) isolated.delete(category);
  else isolated.add(category);
  paint(coloringNow(), colors);
  pressCategories();
  for (const plot of plots) plot.setColors();
  follow();
  remember();
}

/// One camera for all plots in three dimensions.
function moved(plot) {
  if (plot.view.solid) {
    for (const other of visible()) {
      if (other === plot || !other.view.solid) continue;
      other.view.turnAs(plot.view);
      other.move();
    }
  }
  remember();
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

/// Puts the controls where the state is.
let syncControls = () => {};

function axisControls() {
  if (mostCoordinates === 1) return [];
  const names = times(mostCoordinates, (i) => [i, axisName(i)]);
  const others = [[ROW, "row number"], [SPREAD, "spread out"]];
  const x = choice("Across", [...names, others[0]].map(option), state.x, (value) => setAxes({ x: Number(value) }));
  const y = choice("Up", [...names, ...others].map(option), state.y, (value) => setAxes({ y: Number(value) }));
  const parts = [x.element, y.element];
  const apply = (value) => setAxes({ z: value === "" ? null : Number(value) });
  const z = mostCoordinates > 2 ? choice("Third axis", [["", "none"], ...names].map(option), "", apply) : null;
  const free = () => names.map(([i]) => i).find((i) => i !== state.x && i !== state.y);
  const toggle = z && button("3-D", () => apply(state.z === null ? String(free()) : ""), { id: "solid", "aria-pressed": "false" });
  syncControls = () => {
    x.select.value = state.x;
    y.select.value = state.y;
    if (!z) return;
    z.select.value = state.z === null ? "" : state.z;
    toggle.setAttribute("aria-pressed", String(state.z !== null));
  };
  return z ? [...parts, z.element, toggle] : parts;
}

function toolControl() {
  const tools = [["move", "Move"], ["rectangle", "Select"], ["lasso", "Lasso"]];
  const buttons = tools.map(([tool, name]) => el("button", { type: "button", "aria-pressed": String(tool === state.tool),
    "data-tool": tool, onclick: () => {
      state.tool = tool;
      buttons.forEach((each) => each.setAttribute("aria-pressed", String(each.dataset.tool === tool)));
      plots.forEach((plot) => (plot.stage.dataset.tool = tool));
    } }, name));
  return el("fieldset", {}, el("legend", {}, "Dragging"), el("div", { class: "segments" }, ...buttons));
}

/// What is drawn on the plots beside the points.
function overlayControl() {
  const redraw = () => {
    for (const plot of plots) plot.invalidate();
    remember();
  };
  const box = (name, text) => {
    const input = el("input", { type: "checkbox", id: `show-${name}`, onchange: () => {
      state[name] = input.checked;
      redraw();
    } });
    input.checked = state[name];
    return el("label", {}, input, text);
  };
  const hasCurves = embeddings.some(({ curves }) => curves);
  const boxes = [atlas ? box("pictures", "pictures") : null, hasCurves ? box("curve", "prediction") : null].filter(Boolean);
  return boxes.length ? el("fieldset", {}, el("legend", {}, "On the plots"), el("div", { class: "checks" }, ...boxes)) : null;
}

function embeddingControl() {
  if (plots.length < 3) return null;
  const boxes = plots.map((plot) => {
    const box = el("input", { type: "checkbox", onchange: () => {
      plot.isShown = box.checked;
      showPlots();
      remember();
    } });
    box.checked = plot.isShown;
    return el("label", {}, box, plot.embedding.title);
  });
  return el("fieldset", {}, el("legend", {}, "Embeddings"), el("div", { class: "checks" }, ...boxes));
}

function showPlots() {
  byId("plots").replaceChildren(...visible().map((plot) => plot.element));
}

/// Takes from the address what it tells; what it does not tell stays as it is.
function restore(words) {
  const axis = (name, or) => {
    const found = words.has(name) ? axisOf(words.get(name)) : undefined;
    return found === undefined ? or : found;
  };
  state.x = axis("x", usual.x);
  state.y = axis("y", usual.y);
  const z = axis("z", null);
  state.z = z !== null && z >= 0 && mostCoordinates > 2 ? z : null;
  if (colorings.some(({ key }) => key === words.get("color"))) state.color = words.get("color");
  const numbers = (words.get("show") || usual.show).split(".").map(Number);
  for (const plot of plots) plot.isShown = numbers.includes(plot.embedding.number + 1);
  if (!visible().length) plots[0].isShown = true;
  state.pictures = words.has("pictures") ? words.get("pictures") === "yes" : usual.pictures;
  state.curve = words.get("curve") === "yes";
  isolated.clear();
  for (const code of (words.get("only") || "").split(".")) if (code !== "") isolated.add(Number(code));
  select(words.get("rows") || "");
  const row = Number(words.get("point") || 0);
  state.pinned = row > 0 ? rowOf.indexOf(row - 1) : -1;
  for (const plot of plots) {
    plot.chooseAxes();
    const number = plot.embedding.number + 1;
    const scale = words.get(`axes${number}`);
    if (scale) {
      plot.isRanked = scale === "rank";
      plot.scale();
      plot.describe();
    }
    plot.view.look(words.get(`view${number}`) || "");
  }
}

function startScatter() {
  plots.push(...embeddings.map((embedding) => new Plot(embedding, { changed: remember })));
  // Of many the original and ours.
  for (const plot of plots) plot.isShown = plots.length < 3 || plot.embedding.number === 0 || plot.embedding === ours;
  usual.show = visible().map((plot) => plot.embedding.number + 1).join(".");
  plots.forEach((plot) => listen(plot, { hover, select: selectArea, clear: clearSelection, pin, moved }));
  chooseNumbers();
  restore(addressWords());
  const color = choice("Colour by", groupedOptions(), state.color, setColor);
  const reset = button("Reset view", () => {
    plots.forEach((plot) => {
      plot.view.reset();
      plot.invalidate();
    });
    remember();
  });
  const parts = [...axisControls(), color.element, toolControl(), overlayControl(), reset,
    findControl({ hover, pin, choose: choosePoints }), embeddingControl()];
  byId("controls").append(...parts.filter(Boolean));
  syncControls();
  byId("side-numbers").append(numberChoice(() => drawSide(pin)) || "");
  byId("clear").addEventListener("click", clearSelection);
  byId("copy-rows").addEventListener("click", (event) => {
    copy(Array.from(rowOf).filter((_, i) => chosen[i]).map((row) => row + 1).join("\n"), event.currentTarget);
  });
  byId("save-csv").addEventListener("click", saveTable);
  byId("copy-link").addEventListener("click", (event) => {
    writeAddress();
    copy(location.href, event.currentTarget);
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const plot of plots) plot.cancel();
    clearSelection();
    pin(-1);
    if (isolated.size) isolate(null);
  });
  addEventListener("hashchange", () => {
    restore(addressWords());
    color.select.value = state.color;
    syncControls();
    showPlots();
    repaint();
    selectionChanged();
  });
  addEventListener("scroll", () => hover(null, -1), { passive: true });
  byId("hint").textContent = "Wheel zooms, drag moves (in 3-D: turns, with Ctrl it moves), double click resets. Click a dot to "
    + "read about it. Shift and drag selects, with Ctrl it adds; Escape clears. Rows are counted from 1.";
  showPlots();
  repaint();
  selectionChanged();
  if (atlas) atlas.addEventListener("load", () => plots.forEach((plot) => plot.invalidate()));
}
