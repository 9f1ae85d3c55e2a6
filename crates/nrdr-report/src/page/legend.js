// What the colours mean, what is under the cursor, and what is selected.

const MOST_BUTTONS = 200;

/// The colour bar, or a button for each category that highlights its points.
function drawLegend(coloring, highlight) {
  const host = byId("legend");
  host.replaceChildren();
  const title = coloring.long || coloring.name;
  if (!coloring.codes) {
    const [low, high] = extent(coloring.values());
    const meaning = `${title}, from ${brief(low)} to ${brief(high)}`;
    const bar = el("canvas", { width: "256", height: "1", role: "img", "aria-label": meaning });
    const context = bar.getContext("2d");
    for (let i = 0; i < 256; i++) {
      context.fillStyle = css(ramp(i / 255));
      context.fillRect(i, 0, 1, 1);
    }
    host.append(el("div", { class: "bar" }, el("span", { class: "name muted" }, title),
      el("span", {}, brief(low)), bar, el("span", {}, brief(high))));
    return;
  }
  const { names } = coloring;
  const button = (name, k) => el("button", {
    type: "button", title: `Highlight ${name}`, "aria-pressed": "false", "data-category": k,
    onclick: (event) => highlight(k, event.shiftKey || event.ctrlKey || event.metaKey),
  }, el("i", { class: "swatch", style: `background:${css(categoryColor(k))}` }), el("span", {}, name));
  const hint = names.length > 8
    ? ` \u2013 ${grouped(names.length)} categories: some colours are close, click a name to highlight it`
    : " \u2013 click a name to highlight it";
  host.append(el("span", { class: "muted" }, title, hint),
    el("div", { class: "categories" }, ...names.slice(0, MOST_BUTTONS).map(button),
      names.length > MOST_BUTTONS
        ? el("span", { class: "muted" }, `and ${grouped(names.length - MOST_BUTTONS)} more`) : null));
}

/// Buttons of highlighted categories look pressed.
function pressCategories(highlighted) {
  for (const button of document.querySelectorAll("[data-category]")) {
    button.setAttribute("aria-pressed", String(highlighted.has(Number(button.dataset.category))));
  }
}

const atlas = data.images && new Image();
if (atlas) atlas.src = data.images.png;

/// The picture of a point, every pixel of it sharp.
function drawPicture(context, point, x, y, width, height) {
  const { width: w, height: h, across } = data.images;
  context.imageSmoothingEnabled = false;
  context.drawImage(atlas, (point % across) * w, Math.floor(point / across) * h, w, h, x, y, width, height);
}

/// How much pictures are enlarged: by a whole number when they are small.
function enlargement(side) {
  const scale = side / Math.max(data.images.width, data.images.height);
  return scale >= 1 ? Math.floor(scale) : scale;
}

function picture(point) {
  const scale = enlargement(112);
  const { width, height } = data.images;
  const canvas = el("canvas", { width: Math.round(width * scale), height: Math.round(height * scale) });
  drawPicture(canvas.getContext("2d"), point, 0, 0, canvas.width, canvas.height);
  return canvas;
}

/// Shows a point of a plot next to it, or nothing.
function showTooltip(plot, point, coloring) {
  const tooltip = byId("tooltip");
  tooltip.hidden = point < 0;
  if (point < 0) return;
  const facts = [];
  plot.axes.forEach((axis, k) => {
    if (axis !== null && axis !== ROW) facts.push([axisName(axis), brief(plot.points[k][point])]);
  });
  if (coloring.values && coloring.key !== "row") {
    facts.push([coloring.long || coloring.name, brief(coloring.values()[point])]);
  }
  tooltip.replaceChildren(
    ...(atlas && atlas.complete ? [picture(point)] : []),
    el("b", {}, `row ${rowOf[point]}`),
    ...(label ? [el("span", {}, `${label.name}: ${label.values[label.codes[point]] ?? "\u2013"}`)] : []),
    el("dl", {}, ...facts.flatMap(([name, value]) => [el("dt", {}, name), el("dd", {}, value)])),
  );
  const box = plot.stage.getBoundingClientRect();
  const [x, y] = plot.view.place(...plot.points.map((values) => values[point]));
  const { offsetWidth: width, offsetHeight: height } = tooltip;
  const right = box.left + x + 16;
  const left = right + width > innerWidth - 8 ? box.left + x - width - 16 : right;
  const top = Math.min(innerHeight - height - 8, Math.max(8, box.top + y - height / 2));
  tooltip.style.transform = `translate(${Math.round(Math.max(4, left))}px, ${Math.round(top)}px)`;
}

/// Pictures of the first selected points, in rows.
function drawGallery() {
  if (!atlas) return;
  const canvas = byId("gallery");
  const [scale, gap] = [enlargement(48), 4];
  const [width, height] = [Math.round(data.images.width * scale) + gap, Math.round(data.images.height * scale) + gap];
  const across = Math.max(1, Math.min(24, Math.floor((canvas.parentElement.clientWidth - 44) / width)));
  const points = [];
  for (let i = 0; i < shown && points.length < 2 * across; i++) if (chosen[i]) points.push(i);
  canvas.hidden = points.length === 0;
  canvas.width = across * width;
  canvas.height = Math.ceil(points.length / across) * height;
  const context = canvas.getContext("2d");
  points.forEach((point, k) => {
    drawPicture(context, point, (k % across) * width, Math.floor(k / across) * height, width - gap, height - gap);
  });
}
