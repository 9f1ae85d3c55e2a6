// Plots as pictures and coordinates as a table, for papers and for other programs.

/// More points than this are a picture inside the picture.
const MOST_CIRCLES = 20_000;

const xml = (text) => String(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
  // Control characters are no XML.
  .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "\ufffd");

/// Draws what a canvas would, as SVG: as far as the axes of a plot need it.
class Pen {
  constructor() {
    Object.assign(this, { parts: [], path: "", strokeStyle: "#000", fillStyle: "#000", lineWidth: 1, textAlign: "start", textBaseline: "alphabetic", turns: [] });
    this.measure = el("canvas").getContext("2d");
    this.measure.font = FONT;
  }

  beginPath() {
    this.path = "";
  }

  moveTo(x, y) {
    this.path += `M${x.toFixed(2)} ${y.toFixed(2)}`;
  }

  lineTo(x, y) {
    if (Number.isNaN(x + y)) return;
    this.path += `${this.path ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`;
  }

  rect() {}

  clip() {}

  stroke() {
    this.parts.push(`<path d="${this.path}" fill="none" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}"${this.turn()}/>`);
  }

  fillText(text, x, y) {
    const anchor = { center: "middle", right: "end", left: "start" }[this.textAlign] || "start";
    const shift = { top: 0.85, middle: 0.33, bottom: -0.25 }[this.textBaseline] ?? 0;
    this.parts.push(`<text x="${x.toFixed(2)}" y="${(y + 12 * shift).toFixed(2)}" text-anchor="${anchor}" fill="${this.fillStyle}"${this.turn()}>${xml(text)}</text>`);
  }

  measureText(text) {
    return this.measure.measureText(text);
  }

  turn() {
    return this.turns.length ? ` transform="${this.turns.join(" ")}"` : "";
  }

  save() {}

  restore() {
    this.turns = [];
  }

  translate(x, y) {
    this.turns.push(`translate(${x} ${y})`);
  }

  rotate(angle) {
    this.turns.push(`rotate(${(angle * 180) / Math.PI})`);
  }
}

/// The points of a plot as circles, the farthest first, or as a picture if they are many.
function pointsAsSvg(plot) {
  const { view, look } = plot;
  const { left, top, right, bottom } = view.area;
  if (shown > MOST_CIRCLES) {
    plot.drawNow();
    return `<image x="0" y="0" width="${view.width}" height="${view.height}" href="${plot.canvas.toDataURL("image/png")}"/>`;
  }
  const m = view.matrix;
  const depth = (i) => m[8] * plot.points[0][i] + m[9] * plot.points[1][i] + m[10] * plot.points[2][i];
  const order = Array.from(drawingOrder());
  if (view.solid) order.sort((a, b) => depth(b) - depth(a));
  if (look.someChosen) order.sort((a, b) => chosen[a] - chosen[b]);
  const circles = [];
  for (const i of order) {
    const [x, y] = plot.placeOf(i);
    if (colors[4 * i + 3] === 0 || !(x >= left && x <= right && y >= top && y <= bottom)) continue;
    const opacity = look.someChosen ? (chosen[i] ? Math.max(look.opacity, 0.9) : look.dimmed) : look.opacity;
    circles.push(`<circle cx="${x.toFixed(2)}" cy="${y.toFixed(2)}" r="${(look.diameter / 2).toFixed(2)}" fill="rgb(${colors[4 * i]},${colors[4 * i + 1]},${colors[4 * i + 2]})" fill-opacity="${opacity.toFixed(2)}"/>`);
  }
  return circles.join("\n");
}

/// The legend below a plot, and how high it is.
function legendAsSvg(width, top) {
  const coloring = coloringNow();
  const pen = new Pen();
  pen.fillStyle = themeColors.ink;
  pen.textBaseline = "middle";
  const title = coloring.long || coloring.name;
  if (!coloring.codes) {
    const [low, high] = extent(coloring.values());
    const stops = times(11, (k) => `<stop offset="${k * 10}%" stop-color="${css(ramp(k / 10)).replaceAll(" ", ",")}"/>`).join("");
    const wide = Math.min(260, width - 120);
    pen.fillText(title, 10, top + 10);
    pen.textAlign = "center";
    for (const mark of ticks(low, high, 4)) pen.fillText(brief(mark), 10 + (wide * (mark - low)) / (high - low), top + 44);
    const bar = `<defs><linearGradient id="ramp">${stops}</linearGradient></defs><rect x="10" y="${top + 21}" width="${wide}" height="11" rx="2" fill="url(#ramp)"/>`;
    return { markup: bar + pen.parts.join(""), height: 56 };
  }
  pen.fillText(title, 10, top + 10);
  let [x, y] = [10, top + 30];
  const MOST = 60;
  const swatches = [];
  const shownAlone = coloring.names.flatMap((name, k) => (isolated.size && !isolated.has(k) ? [] : [[name, k]]));
  for (const [name, k] of shownAlone.slice(0, MOST)) {
    const text = shortened(pen, name, 180);
    const taken = pen.measureText(text).width + 30;
    if (x + taken > width - 6 && x > 10) [x, y] = [10, y + 20];
    swatches.push(`<circle cx="${x + 5}" cy="${y}" r="5" fill="rgb(${categoryColor(k).join(",")})"/>`);
    pen.fillText(text, x + 15, y);
    x += taken;
  }
  if (shownAlone.length > MOST) pen.fillText(`and ${grouped(shownAlone.length - MOST)} more`, x, y);
  return { markup: swatches.join("") + pen.parts.join(""), height: y - top + 18 };
}

/// A plot as it is on the screen, with its title and the legend.
function plotAsSvg(plot) {
  const { width, height } = plot.view;
  const pen = new Pen();
  plot.drawFrame(pen);
  const legend = legendAsSvg(width, height + 38);
  const whole = height + 38 + legend.height;
  const title = `${data.title}: ${plot.embedding.title}`;
  const { left, top, right, bottom } = plot.view.area;
  const pictures = atlas && state.pictures
    ? `<image x="0" y="0" width="${width}" height="${height}" href="${plot.pictures.toDataURL("image/png")}"/>` : "";
  const markup = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${whole}" viewBox="0 0 ${width} ${whole}" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif" font-size="12">
<title>${xml(title)}</title>
<rect width="100%" height="100%" fill="${themeColors.card}"/>
<text x="10" y="19" font-size="14" font-weight="600" fill="${themeColors.ink}">${xml(title)}</text>
<g transform="translate(0 30)">
<clipPath id="area${plot.embedding.number}"><rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"/></clipPath>
${pen.parts.join("\n")}
<g clip-path="url(#area${plot.embedding.number})">
${pointsAsSvg(plot)}
${pictures}
</g>
</g>
${legend.markup}
</svg>
`;
  return { markup, width, height: whole };
}

/// On paper plots are drawings: what is on several canvases, some of them WebGL's, is not printed by every browser.
function addDrawings() {
  for (const plot of visible()) {
    const drawing = new DOMParser().parseFromString(plotAsSvg(plot).markup, "image/svg+xml").documentElement;
    drawing.setAttribute("class", "printed");
    plot.stage.append(document.importNode(drawing, true));
  }
}

function removeDrawings() {
  for (const drawing of document.querySelectorAll("svg.printed")) drawing.remove();
}

/// Twice as many pixels as on an ordinary screen.
const FINE = 2;

async function exportPlot(plot, kind) {
  const { markup, width, height } = plotAsSvg(plot);
  const name = fileName(`${plot.embedding.title}-${plot.axes.filter((axis) => axis !== null && axis >= 0).map((axis) => axis + 1).join("-")}`, kind);
  if (kind === "svg") {
    save(name, markup, "image/svg+xml");
    return;
  }
  const picture = new Image();
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(markup)}`;
  await picture.decode();
  const canvas = el("canvas");
  [canvas.width, canvas.height] = [FINE * width, FINE * height];
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  canvas.toBlob((blob) => blob && save(name, blob), "image/png");
}

/// A field of a table in text.
const field = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/// Rows, names, classes and coordinates of the selected points, or of all.
function tableText() {
  const several = visible().length > 1;
  const prefix = ({ embedding }) => (several ? `${embedding.name}_` : "");
  const coordinates = visible().flatMap((plot) => plot.embedding.values.map((values, i) => [`${prefix(plot)}f${i + 1}`, values()]));
  const texts = [ids, ...labels].filter(Boolean);
  const head = ["row", ...texts.map(({ name }) => name), ...coordinates.map(([name]) => name)];
  const lines = [head.map(field).join(",")];
  for (let i = 0; i < shown; i++) {
    if (state.selected && !chosen[i]) continue;
    const numbers = coordinates.map(([, values]) => (Number.isNaN(values[i]) ? "" : String(values[i])));
    lines.push([rowOf[i] + 1, ...texts.map((label) => field(textOf(label, i))), ...numbers].join(","));
  }
  return `${lines.join("\n")}\n`;
}

const saveTable = () => save(fileName(state.selected ? "selection" : "coordinates", "csv"), tableText(), "text/csv");
