// The charts below the plots, each with one sentence on how to read it.

function section(title, explanation, ...content) {
  return el("section", { class: "card" }, el("h2", {}, title), el("p", { class: "explain" }, explanation),
    ...content.filter((part) => part != null));
}

const wide = (element) => {
  element.classList.add("full");
  return element;
};

const kindOf = (e) => `s${e % 5}`;
const seriesOf = (field) => embeddings
  .map(({ title, [field]: values }, e) => ({ name: title, kind: kindOf(e), values: values || [] }))
  .filter(({ values }) => values.some(isNumber));

function redundancySection() {
  const inPercent = (values) => values.map((error) => (isNumber(error) ? 100 * predictable(error) : error));
  const series = seriesOf("redundancy").map((each) => ({ ...each, values: inPercent(each.values) }));
  if (!series.length) return null;
  const names = ["coordinate", "% of its variance"];
  return section("Is each coordinate new?",
    "How much of a coordinate all earlier ones predict, in percent of its variance: 0 is new, 100 is a mere "
      + "function of them. Coordinate 1 has none before it.",
    keys(series), chart("Bars of redundancy by coordinate", groupedBars(series, mostCoordinates, names)));
}

function eigenvalueSection() {
  const series = seriesOf("eigenvalues");
  if (!series.length) return null;
  const all = series.flatMap(({ values }) => values.filter(isNumber));
  const [low, high] = [Math.min(...all), Math.max(...all)];
  return section("Eigenvalues",
    "How well each coordinate fulfils the method's own criterion. "
      + "A non-redundant coordinate pays a little of it for being new.",
    keys(series), chart("Eigenvalues by coordinate",
      curves(series, ["coordinate", "eigenvalue"], { isLog: low > 0 && high / low > 100 })));
}

function pairwiseSection() {
  const maps = embeddings.filter(({ pairwise }) => pairwise && pairwise.length > 1);
  if (!maps.length) return null;
  const each = ({ title, pairwise }) => el("div", {}, el("h3", {}, title),
    chart(`Heat map of predictability, ${title}`, heatMap(pairwise)));
  return section("Which coordinate predicts which?",
    "Each cell says how much of the coordinate of its row the coordinate of its column alone predicts, "
      + "in percent of its variance: dark is a repetition.",
    el("div", { class: "pair" }, ...maps.map(each)));
}

/// A colour of middle lightness for curve k of n, legible in both themes.
const curveColor = (k, n) => `oklch(0.58 0.14 ${290 - (n > 1 ? (k / (n - 1)) * 230 : 0)})`;

function singularSection() {
  const blocks = embeddings.flatMap(({ title, singular, rank }) => {
    const curved = (singular || []).flatMap((values, i) => (values && values.length ? [{ i, values }] : []));
    const series = curved.map(({ i, values }, k) => ({
      name: `coordinate ${i + 1}`, color: curveColor(k, curved.length), values, marked: rank?.[i],
    }));
    if (!series.length) return [];
    const some = [0, Math.floor(series.length / 2), series.length - 1];
    const listed = series.length <= 12 ? series : some.map((k) => series[k]);
    return [el("div", {}, el("h3", {}, title), keys(listed),
      chart(`Singular values, ${title}`, curves(series, ["number", "singular value"], { isLog: true, hasDots: false })))];
  });
  if (!blocks.length) return null;
  return section("What each coordinate had to avoid",
    "Singular values of the smoother, which predicts from the earlier coordinates. The ring marks the last "
      + "direction that the coordinate was kept apart from; the curve beyond it was ignored.",
    el("div", { class: "pair" }, ...blocks));
}

function dimensionSection() {
  const found = data.dimension;
  if (!found || !found.evidence) return null;
  const { dims, reason, evidence, resolution } = found;
  // Coordinates that were kept have been measured: one quantity has one value on this page.
  const measured = ours.redundancy || [];
  const left = evidence.map((each) => 100 * each.unexplained);
  const known = evidence.map((each, i) => 100 * predictable(isNumber(measured[i]) ? measured[i] : each.redundancy));
  const series = [["left unexplained", "s0", left], ["predictable", "s1", known]]
    .map(([name, kind, values]) => ({ name, kind, values }));
  const head = ["coordinate", "left unexplained", "predictable", "eigenvalue"];
  const whole = (value) => `${Math.round(value)}\u202f%`;
  const cells = (each, i) => [String(i + 1), whole(left[i]), whole(known[i]), brief(each.eigenvalue)];
  const table = el("table", { tabindex: "0" }, el("thead", {}, el("tr", {}, ...head.map((name) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...evidence.map((each, i) => el("tr", { class: i >= dims ? "beyond" : null },
      ...cells(each, i).map((text) => el("td", {}, text))))));
  const unresolved = isNumber(resolution)
    ? ` Neighbours differ by ${brief(100 * resolution, 2)}\u202f% of the variance; less than that cannot be resolved.` : "";
  const most = Math.max(100, ...series.flatMap(({ values }) => values.filter(isNumber)));
  return section(`How many coordinates? ${dims}`,
    `${dims === 1 ? "One is" : `${dims} are`} worth having: ${reason}. A coordinate is worth having when it is new `
      + `and leaves less of the points unexplained; both in percent of the variance.${unresolved}`,
    el("div", { class: "pair" }, el("div", { class: "scroll" }, table),
      el("div", {}, keys(series), chart("Evidence by coordinate",
        curves(series, ["coordinate", "% of the variance"], { low: 0, high: most, mark: dims, markName: `${dims} worth having` })))));
}

function seconds(value) {
  if (value < 0.001) return "< 1 ms";
  return value < 1 ? `${Math.round(1000 * value)} ms` : `${brief(value, 3)} s`;
}

function timeSection() {
  const stages = (data.times || []).filter(([, value]) => isNumber(value));
  const whole = ({ title, seconds: value }, e) => (isNumber(value) ? [[title, value, kindOf(e)]] : []);
  const wholes = embeddings.flatMap(whole);
  if (!stages.length && !wholes.length) return null;
  const memory = isNumber(data.peak_memory_mb) ? ` At most ${brief(data.peak_memory_mb, 3)} MB of memory were used.` : "";
  const block = (title, entries) => entries.length
    ? el("div", {}, el("h3", {}, title), chart(title, barList(entries, seconds))) : null;
  return section("Where the time went", `Seconds spent in each stage, and for each embedding as a whole.${memory}`,
    el("div", { class: "pair" }, ...[block("Stages", stages), block("Embeddings", wholes)].filter(Boolean)));
}

/// Warnings of the run, then those of embeddings, each once; under their names, unless all have it.
function allWarnings() {
  const owners = new Map();
  for (const { title, warnings } of embeddings) {
    for (const text of new Set(warnings || [])) owners.set(text, [...(owners.get(text) || []), title]);
  }
  const own = [...owners].map(([text, titles]) => (titles.length === embeddings.length ? text : `${titles.join(", ")}: ${text}`));
  return [...new Set([...data.warnings, ...own])];
}

function warningSection() {
  const warnings = allWarnings();
  if (!warnings.length) return null;
  const items = el("ul", { class: "warnings" }, ...warnings.map((text) => el("li", {}, text)));
  const element = section(warnings.length === 1 ? "A warning" : "Warnings",
    "What the program noticed while it worked; the result may need a second look.", items);
  element.id = "warnings";
  return element;
}

function noteSection() {
  if (!data.notes.length) return null;
  const items = el("ul", { class: "notes" }, ...data.notes.map((text) => el("li", {}, text)));
  const element = section("Notes", "What was done with the data on the way.", items);
  element.id = "notes-list";
  return element;
}

function commandSection() {
  if (!data.command) return null;
  const control = button("Copy", () => copy(data.command, control), { id: "copy-command" });
  return section("Make it again", "The command that made this report.",
    el("div", { class: "command" }, el("pre", { tabindex: "0" }, data.command), control));
}

function startSections() {
  // Bars, eigenvalues and times share a row when they are short enough; everything else takes a whole one.
  const half = (part) => (mostCoordinates <= 16 ? part : part && wide(part));
  const whole = (part) => part && wide(part);
  const parts = [whole(warningSection()), whole(predictionSection()), whole(meaningSection()), whole(matrixSection()),
    half(redundancySection()), half(eigenvalueSection()), whole(dimensionSection()), whole(pairwiseSection()),
    whole(singularSection()), whole(timeSection()), whole(noteSection()), whole(commandSection())];
  byId("sections").append(...parts.filter(Boolean));
}
