// What each coordinate means: the columns it tells, the classes it sets apart, and pictures along it.

/// Coordinates that are described, at most.
const MOST_MEANINGS = 12;

/// Two bars for each column or class: what the coordinate tells alone and, unless it is the first, beyond the earlier ones.
function toldBars(entries, isFirst) {
  const bar = (share, kind) => el("i", { class: `told ${kind}`, style: `width:${(100 * share).toFixed(1)}%` });
  return el("ul", { class: "tells" }, ...entries.map(({ name, alone, beyond, note, color }) => el("li", {},
    el("span", { class: "tells-name", title: name }, color ? el("i", { class: "swatch", style: `background:${color}` }) : null, name,
      note ? el("span", { class: "muted" }, ` ${note}`) : null),
    el("span", { class: "tells-bars", "aria-hidden": "true" }, bar(alone, "alone"), isFirst ? null : bar(beyond, "beyond")),
    el("span", { class: "tells-number" }, inPercent(alone), isFirst ? null : el("span", { class: "muted" }, ` / ${inPercent(beyond)}`)))));
}

const direction = (correlation) => (correlation > 0.5 ? "\u2197 rises" : correlation < -0.5 ? "\u2198 falls" : "");
const standing = (place) => (place < 0.25 ? "at the low end" : place > 0.75 ? "at the high end" : "");

/// Where the points of each class are along a coordinate, as small hills.
function classHills(embedding, i, classes) {
  const coloring = colorings.find(({ key }) => key === `label:${classes[0].label}`);
  if (!coloring) return null;
  const bins = 60;
  const draw = (width) => {
    const step = 26;
    const name = Math.min(130, width * 0.3);
    const height = step * classes.length + 8;
    const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}` });
    const values = embedding.values[i]();
    const { ranks } = ranked[embedding.number][i]();
    classes.forEach(({ class: one }, k) => {
      const code = coloring.names.indexOf(one);
      const counts = new Float32Array(bins);
      for (let p = 0; p < shown; p++) {
        if (coloring.codes[p] === code && !Number.isNaN(values[p])) counts[Math.min(bins - 1, Math.floor(ranks[p] * bins))]++;
      }
      const smooth = counts.map((_, b) => (counts[b - 1] ?? counts[b]) * 0.25 + counts[b] * 0.5 + (counts[b + 1] ?? counts[b]) * 0.25);
      const most = Math.max(...smooth, 1e-9);
      const base = step * (k + 1);
      const across = (b) => name + ((b + 0.5) / bins) * (width - name - 4);
      const path = [...smooth].map((count, b) => `${across(b).toFixed(1)} ${(base - (step - 5) * (count / most)).toFixed(1)}`).join("L");
      const color = css(categoryColor(code));
      picture.append(svg("path", { class: "hill", style: `fill:${color};stroke:${color}`, d: `M${across(0)} ${base}L${path}L${across(bins - 1)} ${base}Z` }),
        svg("text", { class: "strong", x: name - 8, y: base - 4, "text-anchor": "end" },
          one.length > 16 ? `${one.slice(0, 15)}\u2026` : one, svg("title", {}, one)));
    });
    return picture;
  };
  const names = classes.map((one) => one.class).join(", ");
  return chart(`Where the points of ${names} are along coordinate ${i + 1}, by rank`, draw, true);
}

/// Pictures along a coordinate, the means of its ends at either side.
function pictureStrip(embedding, i) {
  const strip = data.strips?.coordinates?.[embedding.number]?.[i];
  if (!strip || !strip.rows.length) return null;
  const { first, rows, end } = strip;
  const side = 40;
  const mean = (k, which) => el("figure", {}, picture(stripSheet, k, side, `mean of the ${end} ${which}`),
    el("figcaption", {}, which));
  return el("div", { class: "strip" }, mean(first, "lowest"),
    el("div", { class: "along" }, ...rows.map((row, k) => picture(stripSheet, first + 1 + k, side, `row ${row + 1}`))),
    mean(first + rows.length + 1, "highest"));
}

const stripSheet = sheetOf(data.strips?.sheet);

function meaningOf(embedding, i) {
  const meaning = embedding.meaning[i] || { columns: [], classes: [] };
  const strip = pictureStrip(embedding, i);
  const columnsTold = meaning.columns.map(({ name, alone, beyond, correlation }) =>
    ({ name, alone, beyond, note: direction(correlation) }));
  const classesTold = meaning.classes.map(({ label, class: one, alone, beyond, place }) => {
    const coloring = colorings.find(({ key }) => key === `label:${label}`);
    const code = coloring ? coloring.names.indexOf(one) : -1;
    return { name: labels.length > 1 ? `${label}: ${one}` : one, alone, beyond, note: standing(place),
      color: code >= 0 ? css(categoryColor(code)) : null };
  });
  const plots = meaning.columns.slice(0, 3).flatMap(({ name, alone }) => {
    const column = columns.find((each) => each.name === name);
    if (!column) return [];
    const description = `${name} against coordinate ${i + 1}, told by ${inPercent(alone)}`;
    const scale = scaleOf(embedding, i, isHeavy(embedding, i));
    const across = `${axisName(i)}${isHeavy(embedding, i) ? ", by rank" : ""}`;
    return [miniPlot({ x: () => scale.values, y: column.values, names: [across, name], height: 150, description })];
  });
  const first = meaning.classes.filter(({ label }) => label === meaning.classes[0].label);
  const parts = [
    columnsTold.length ? el("div", {}, el("h4", {}, "Columns it tells"), toldBars(columnsTold, i === 0)) : null,
    classesTold.length ? el("div", {}, el("h4", {}, "Classes it sets apart"), toldBars(classesTold, i === 0), classHills(embedding, i, first)) : null,
    plots.length ? el("div", { class: "minis" }, ...plots) : null,
  ].filter(Boolean);
  const nothing = parts.length || strip ? null
    : el("p", { class: "muted" }, "No single column or class: it is a mixture of many.");
  return el("article", { class: "meaning" }, el("h3", {}, `Coordinate ${i + 1}`), strip, nothing, el("div", { class: "meaning-parts" }, ...parts));
}

function meaningSection() {
  const has = (embedding) => embedding.meaning.length > 0 || data.strips?.coordinates?.[embedding.number]?.length > 0;
  const among = embeddings.filter(has);
  if (!among.length) return null;
  let embedding = among.includes(ours) ? ours : among[0];
  const host = el("div", { class: "meanings" });
  const draw = () => host.replaceChildren(...times(Math.min(MOST_MEANINGS, embedding.size), (i) => meaningOf(embedding, i)));
  draw();
  const pick = among.length > 1 ? el("div", { class: "controls" }, choice("Embedding",
    among.map(({ title, number }) => option([number, title])), embedding.number, (number) => {
      embedding = embeddings[Number(number)];
      draw();
    }).element) : null;
  const bars = among.some(({ meaning }) => meaning.some(({ columns: told, classes }) => told.length + classes.length > 0));
  const key = bars ? el("ul", { class: "keys" }, el("li", {}, el("i", { class: "told alone" }), "alone"),
    el("li", {}, el("i", { class: "told beyond" }), "beyond the earlier coordinates")) : null;
  const made = section("What each coordinate means",
    bars ? "How much of a column, or of whether a point is of a class, can be told from the coordinate: in percent of the variance, "
      + "predicted by the 10 nearest points with the point itself left out."
      : "Pictures from the low end of each coordinate to the high one; at either side the mean of the 5 % that are lowest, and highest.", pick, key, host);
  made.id = "meaning";
  return made;
}
