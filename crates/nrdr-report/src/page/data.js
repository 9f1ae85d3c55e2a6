// The data inside the page, and small helpers that everything else uses.

const data = JSON.parse(document.getElementById("data").textContent);

const byId = (id) => document.getElementById(id);

/// An element; strings among the children become text, never markup.
function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

const button = (text, onclick, attributes = {}) => el("button", { type: "button", onclick, ...attributes }, text);

/// Numbers written as base64 of their little-endian bytes.
function decode(text, Numbers) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
  return new Numbers(bytes.buffer);
}

/// Computes a value when it is first asked for: a page with fifty coordinates opens after decoding two.
function lazily(compute) {
  let value;
  return () => (value === undefined ? (value = compute()) : value);
}

/// Runs something at the next frame, once, however often it was asked for before.
function onceAFrame(run) {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    requestAnimationFrame(() => {
      isScheduled = false;
      run();
    });
  };
}

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
const times = (n, make) => Array.from({ length: n }, (_, i) => make(i));

/// 1234567 as "1 234 567", with spaces that do not break.
const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, "\u202f");

/// "1 point", "3 points".
const counted = (count, one, many = `${one}s`) => `${grouped(count)} ${count === 1 ? one : many}`;

/// A number with as many digits as a reader wants.
function brief(value, digits = 4) {
  if (!isNumber(value)) return "\u2013";
  if (Number.isInteger(value) && Math.abs(value) < 1e7) return String(value).replace("-", "\u2212");
  const size = Math.abs(value);
  const isOdd = size >= 1e7 || size < 1e-3;
  const text = isOdd ? Number(value.toPrecision(digits - 1)).toExponential() : String(Number(value.toPrecision(digits)));
  return text.replace("-", "\u2212").replace("e+", "e");
}

/// A share as percent.
const inPercent = (share) => `${Math.round(100 * share)}\u202f%`;
/// The share of the variance that is predicted, from the error of predicting it.
const predictable = (error) => Math.min(1, Math.max(0, 1 - error * error));
/// The same in words: 94 %.
const percent = (error) => inPercent(predictable(error));

const shown = data.shown;
/// Rows of the input, from 0; people count from 1.
const rowOf = data.rows ? decode(data.rows, Uint32Array) : Uint32Array.from({ length: shown }, (_, i) => i);
const rowNumbers = lazily(() => Float32Array.from(rowOf, (row) => row + 1));

const embeddings = data.embeddings.map((embedding, number) => ({
  ...embedding,
  number,
  size: embedding.coordinates.length,
  values: embedding.coordinates.map((text) => lazily(() => decode(text, Float32Array))),
}));
const ours = embeddings[data.ours] || embeddings[embeddings.length - 1];
const mostCoordinates = Math.max(...embeddings.map((embedding) => embedding.size));

/// Texts of the points, each text once.
const textual = (label) => label && { ...label, codes: decode(label.codes, Uint32Array) };
const labels = data.labels.map(textual);
const ids = textual(data.ids);
const otherTexts = data.texts.map(textual);
const textOf = ({ values, codes }, point) => values[codes[point]] ?? "";

const columns = data.columns.map(({ name, values }) => ({
  name,
  values: lazily(() => decode(values, Float32Array)),
}));

/// What a point is called.
const nameOf = (point) => (ids && textOf(ids, point)) || `row ${grouped(rowOf[point] + 1)}`;

/// Least and greatest of the finite values, apart from each other even when all are equal.
function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value < low && value !== -Infinity) low = value;
    if (value > high && value !== Infinity) high = value;
  }
  if (low > high) return [0, 1];
  if (low === high) return [low - 0.5, high + 0.5];
  return [low, high];
}

/// Round numbers between two ends, about `wanted` of them.
function ticks(low, high, wanted) {
  const rough = (high - low) / Math.max(1, wanted);
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((factor) => factor * power >= rough * 0.999);
  const first = Math.ceil(low / step - 1e-9);
  const count = Math.max(0, Math.floor(high / step + 1e-9) - first + 1);
  return times(Math.min(count, 200), (i) => Number(((first + i) * step).toPrecision(12)));
}

/// At most `most` of the points, the same ones each time, spread over all.
function someOf(most) {
  const every = Math.max(1, Math.ceil(shown / most));
  return times(Math.ceil(shown / every), (k) => k * every);
}

/// Copies text even where the clipboard is closed to pages opened from disk; says so on the button.
async function copy(text, control) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = el("textarea", { "aria-hidden": "true", style: "position:fixed;opacity:0" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
  flash(control, "Copied");
}

/// Says something on a button for a moment.
function flash(control, text) {
  const before = control.dataset.text || control.textContent;
  control.dataset.text = before;
  control.textContent = text;
  setTimeout(() => (control.textContent = before), 1200);
}

/// Hands a file to the reader.
function save(name, content, type) {
  const url = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/// A name for a file about this page.
const fileName = (what, ending) => {
  const stem = data.title.replace(/\.[A-Za-z0-9]{1,8}$/, "").replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^-+|-+$/g, "");
  return `${(stem || "embedding").slice(0, 60)}-${what.replace(/[^A-Za-z0-9._-]+/g, "-")}.${ending}`;
};
