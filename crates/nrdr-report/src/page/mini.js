// Small plots of some of the points, drawn by themselves: one coordinate against another, or against a column.

/// Points that a small plot has, at most.
const FEW = 3000;

/// A small plot: names of its axes, the values, a curve through them if there is one, and the words for who cannot see it.
function miniPlot({ x, y, names, curve = null, height = 220, description, ofX = (value) => value, ofY = (value) => value }) {
  const canvas = el("canvas", { class: "mini", role: "img", "aria-label": description });
  const host = el("div", { class: "mini-host", style: `height:${height}px` }, canvas);
  const points = someOf(FEW);
  const draw = () => {
    const { clientWidth: width } = host;
    if (!width) return;
    const ratio = Math.min(2, window.devicePixelRatio || 1);
    [canvas.width, canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const context = canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    drawMini(context, { width, height, x: x(), y: y(), names, curve, points, ofX, ofY });
  };
  new ResizeObserver(draw).observe(host);
  followers.set(host, draw);
  return host;
}

function drawMini(context, { width, height, x, y, names, curve, points, ofX, ofY }) {
  const area = { left: names ? 20 : 1, right: width - 1, top: 1, bottom: height - (names ? 18 : 1) };
  const [xs, ys] = [extent(x), extent(y)];
  const rim = 4;
  const across = (value) => area.left + rim + ((value - xs[0]) / (xs[1] - xs[0])) * (area.right - area.left - 2 * rim);
  const up = (value) => area.bottom - rim - ((value - ys[0]) / (ys[1] - ys[0])) * (area.bottom - area.top - 2 * rim);
  context.strokeStyle = themeColors.line;
  context.lineWidth = 1;
  context.strokeRect(area.left + 0.5, area.top + 0.5, area.right - area.left - 1, area.bottom - area.top - 1);
  const size = width < 130 ? 1.6 : points.length > 1000 ? 2.2 : 3;
  drawDots(context, points, (i) => [across(x[i]), up(y[i])], size);
  if (curve) {
    context.beginPath();
    curve.x.forEach((at, k) => context.lineTo(across(ofX(at)), up(ofY(curve.y[k]))));
    for (const [stroke, thick] of [[themeColors.card, 5], [themeColors.ink, 2.4]]) {
      [context.strokeStyle, context.lineWidth] = [stroke, thick];
      context.stroke();
    }
  }
  if (!names) return;
  context.font = FONT;
  context.fillStyle = themeColors.muted;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(shortened(context, names[0], width - 30), (area.left + area.right) / 2, height - 1);
  context.save();
  context.translate(3, (area.top + area.bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "top";
  context.fillText(shortened(context, names[1], height - 30), 0, 0);
  context.restore();
}

/// Dots of the colours that points have on the plots; those that are not selected fade.
function drawDots(context, points, place, size) {
  const isSelecting = state.selected > 0;
  for (const pass of isSelecting ? [0, 1] : [1]) {
    context.globalAlpha = pass ? 0.75 : 0.15;
    for (const i of points) {
      if (colors[4 * i + 3] === 0 || (isSelecting && chosen[i] !== pass)) continue;
      const [px, py] = place(i);
      if (Number.isNaN(px + py)) continue;
      context.fillStyle = `rgb(${colors[4 * i]},${colors[4 * i + 1]},${colors[4 * i + 2]})`;
      context.fillRect(px - size / 2, py - size / 2, size, size);
    }
  }
  context.globalAlpha = 1;
}

/// The curve by which coordinate i is predicted from coordinate j, if the page has it.
const decodedCurves = new Map();
function curveOf(embedding, i, j) {
  const found = i >= 0 && j >= 0 ? embedding.curves?.[i]?.[j] : null;
  if (!found) return null;
  const key = `${embedding.number}:${i}:${j}`;
  if (!decodedCurves.has(key)) {
    decodedCurves.set(key, { x: decode(found.x, Float32Array), y: decode(found.y, Float32Array) });
  }
  return decodedCurves.get(key);
}

/// Each embedding beside the others: is a coordinate predictable from another?
function predictionSection() {
  const among = embeddings.filter(({ curves, size }) => curves && size > 1);
  if (!among.length) return null;
  const most = Math.min(10, Math.max(...among.map(({ size }) => size)));
  const host = el("div", { class: "pair" });
  let [target, source] = [1, 0];
  const draw = () => {
    const parts = among.filter(({ size }) => target < size && source < size).map((embedding) => {
      const error = embedding.pairwise?.[target]?.[source];
      const told = isNumber(error) ? `${percent(error)} of its variance` : "not measured";
      const curve = curveOf(embedding, target, source);
      const isRanked = ranksShowMore(embedding, source, target);
      const [from, to] = [source, target].map((axis) => scaleOf(embedding, axis, isRanked));
      const names = [source, target].map((axis) => `${axisName(axis)}${isRanked ? ", by rank" : ""}`);
      const description = `${embedding.title}: coordinate ${target + 1} against coordinate ${source + 1}, predicted by ${told}`;
      return el("div", {}, el("h3", {}, embedding.title),
        el("p", { class: "about" }, `Coordinate ${source + 1} predicts ${told}.`),
        miniPlot({ x: () => from.values, y: () => to.values, ofX: from.of, ofY: to.of, names, curve, height: 280, description }));
    });
    host.replaceChildren(...parts);
  };
  const pick = (text, value, set) => choice(text, times(most, (i) => option([i, axisName(i)])), value, (index) => {
    set(Number(index));
    draw();
  }).element;
  draw();
  const controls = most > 2 ? el("div", { class: "controls" }, pick("Predicted", target, (i) => (target = i)), pick("From", source, (i) => (source = i))) : null;
  return section("See it: is a coordinate predictable?",
    "The line predicts one coordinate from the other as well as can be. Where the dots follow it, the coordinate says nothing new; "
      + "where they fill the area around it, it does.", controls, host);
}

/// Every pair of coordinates, colours and selection as on the plots.
function matrixSection() {
  const among = embeddings.filter(({ size }) => size > 3);
  if (!among.length) return null;
  const MOST = 8;
  let embedding = among.includes(ours) ? ours : among[among.length - 1];
  const host = el("div", { class: "matrix" });
  const draw = () => {
    const size = Math.min(MOST, embedding.size);
    host.style.setProperty("--count", size - 1);
    const cells = [];
    for (let i = 1; i < size; i++) {
      for (let j = 0; j < size - 1; j++) {
        if (j >= i) {
          cells.push(el("span"));
          continue;
        }
        const error = embedding.pairwise?.[i]?.[j];
        const told = isNumber(error) ? `, predicted by ${percent(error)}` : "";
        const description = `coordinate ${i + 1} against coordinate ${j + 1}${told}`;
        const isRanked = ranksShowMore(embedding, j, i);
        const [x, y] = [j, i].map((axis) => scaleOf(embedding, axis, isRanked));
        const plot = miniPlot({ x: () => x.values, y: () => y.values, height: 110, description });
        cells.push(button("", () => {
          setAxes({ x: j, y: i, z: null });
          byId("scatter-title").scrollIntoView({ block: "start" });
        }, { class: "cell", title: `Show ${description} above`, "aria-label": `${i + 1} / ${j + 1}: show ${description} above` }));
        cells[cells.length - 1].append(plot, el("span", { class: "cell-name", "aria-hidden": "true" }, `${i + 1} / ${j + 1}`));
      }
    }
    host.replaceChildren(...cells);
  };
  draw();
  const many = embedding.size > MOST ? ` The first ${MOST} coordinates are shown.` : "";
  const pick = among.length > 1 ? el("div", { class: "controls" }, choice("Embedding",
    among.map(({ title, number }) => option([number, title])), embedding.number, (number) => {
      embedding = embeddings[Number(number)];
      draw();
    }).element) : null;
  return section("All pairs of coordinates",
    `Each small plot shows one coordinate against an earlier one; click it to see it above.${many}`, pick, host);
}
