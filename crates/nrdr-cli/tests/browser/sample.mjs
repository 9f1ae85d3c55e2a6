// A report from the page's files and made-up data, put together the way the program does it.

import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const folder = new URL("../../../nrdr-report/src/page/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");

/// The scripts in the order in which the program joins them.
export const SCRIPTS = [...read("mod.rs").matchAll(/include_str!\("(\w+\.js)"\)/g)].map((match) => match[1]);

export const HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)>/*JS*/$&";

/// The page around this data. The data come last: a label that reads like a placeholder stays a label.
export function assemble(data) {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return read("page.html")
    .replace("/*CSS*/", () => read("page.css"))
    .replace("/*JS*/", () => SCRIPTS.map(read).join("\n"))
    .replace("/*DATA*/", () => json);
}

export const codeSize = () => assemble({}).length;

const base64 = (numbers) => Buffer.from(numbers.buffer).toString("base64");
const floats = (n, value) => base64(Float32Array.from({ length: n }, (_, i) => value(i)));

/// Numbers between 0 and 1 that are the same every time.
function dice(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const list = (length, value) => Array.from({ length }, (_, i) => value(i));
const TITLES = ["original", "non-redundant", "orthogonal to powers", "local regression", "functional"];
const NAMES = ["orthogonal", "unpredictable", "powers", "lleigs", "functional"];

/// A long strip: the original coordinates are all functions of its length, ours find its breadth second.
export function sample({
  n = 800, dims = 3, count = 2, images = false, total = n, labels = ["setosa", "versicolor", HOSTILE], ids = true, heavy = false,
} = {}) {
  const random = dice(7);
  const along = Float64Array.from({ length: n }, random);
  const across = Float64Array.from({ length: n }, random);
  const noise = Float64Array.from({ length: n }, () => 0.01 * (random() - 0.5));
  // Heavy tails: most values near zero, a few far away.
  const tail = (value) => (heavy ? Math.sign(value) * Math.abs(value) ** 9 * 1e9 : value);
  const wave = (values, k) => floats(n, (i) => tail(0.05 * Math.cos(Math.PI * k * values[i]) + 0.05 * noise[i]));
  const ours = (k) => (k % 2 ? wave(across, (k + 1) / 2) : wave(along, k + 1));
  const coordinate = (e, k) => (e % 2 ? ours(k) : wave(along, k + 1));
  const category = (i) => Math.min(labels.length - 1, Math.floor(along[i] * labels.length));
  const error = (e, i, j) => (i === j ? 0 : e % 2 === 0 ? (j < i ? 0.04 + 0.03 * j : 0.7) : 0.95 - 0.02 * i);
  const arch = (t) => 0.05 * (2 * (t / 0.05) ** 2 - 1);
  const curve = (e, i, j) => {
    const x = list(48, (k) => -0.05 + (0.1 * k) / 47);
    return i === j ? null : { x: floats(48, (k) => x[k]), y: floats(48, (k) => (e % 2 ? 0 : arch(x[k]))) };
  };
  const told = (name, alone, beyond, correlation = 0.9) => ({ name, alone, beyond, correlation });
  const meaning = (e, i) => ({
    columns: [told(e % 2 && i === 1 ? "breadth" : "length", 0.97, i === 0 || (e % 2 && i === 1) ? 0.96 : 0.02, i === 0 ? -0.98 : 0.1)],
    classes: labels ? [{ label: "species", class: labels[0], alone: 0.8, beyond: i === 0 ? 0.8 : 0.01, place: 0.9 }] : [],
  });
  const embedding = (e) => ({
    name: NAMES[e], title: TITLES[e],
    coordinates: list(dims, (k) => coordinate(e, k)),
    redundancy: list(dims, (i) => (i === 0 ? 1 : e % 2 === 0 ? 0.06 : 0.97 - 0.02 * i)),
    pairwise: list(dims, (i) => list(dims, (j) => error(e, i, j))),
    curves: dims > 1 ? list(Math.min(10, dims), (i) => list(Math.min(10, dims), (j) => curve(e, i, j))) : null,
    meaning: list(dims, (i) => meaning(e, i)),
    // Equal but for rounding, as those of two pieces are.
    eigenvalues: list(dims, (i) => (e === 4 ? 1 - 1e-15 * i : 0.999 - 0.013 * (i + 1) ** 1.3 - 0.01 * e * i)),
    singular: list(dims, (i) => (e % 2 && i > 0 ? list(20 + 5 * i, (k) => Math.exp(-k / (4 + 2 * i))) : null)),
    rank: list(dims, (i) => (e % 2 && i > 0 ? 7 + 2 * i : null)),
    alpha: list(dims, (i) => (e % 2 && i > 0 ? 0.3 : null)),
    residual: list(dims, () => 1e-9), seconds: 0.12 + 0.9 * e,
    warnings: ["the neighbour graph had 2 components", ...(e === 1 ? ["coordinate 3 converged slowly (residual 3e-6)"] : [])],
  });
  const codes = (code) => base64(Uint32Array.from({ length: n }, (_, i) => code(i)));
  return {
    version: "0.1.0", title: "strip.csv",
    headline: "Coordinates 2 and 3 are new: 8 % predictable on average, in the original 100 %.",
    answers: [
      { question: "Is it less redundant?", answer: "Yes", text: "On average 8 % can be predicted; in the original 100 %.", lines: [],
        bars: [{ name: "coordinate 2 predictable", values: list(count, (e) => [e, TITLES[e], e % 2 ? 8 : 99.6]) }] },
      { question: "Are neighbourhoods kept?", answer: "Yes, better", text: "97.3 % trustworthy, the original 96.4 %.", lines: [],
        bars: [{ name: "seen neighbours are real", values: list(count, (e) => [e, TITLES[e], 96.4 + 0.9 * e]) }] },
      { question: "What do I see?", answer: "Length", text: "What each coordinate tells:", bars: [],
        lines: ["Coordinate 1 tells length (97 %)", "Coordinate 2 tells breadth (96 %)"] },
    ],
    verdict: "Coordinate 2 is new: 3 % of its variance is predictable from coordinate 1 (original: 94 %).",
    command: `nrdr embed strip.csv -d ${dims} --label species --report report.html`,
    facts: [
      ["points", String(total)], ["columns", "64"], ["method", "Laplacian eigenmaps (Belkin & Niyogi 2003)"],
      ["coordinates", String(dims)], ["solver", "shift-invert"],
    ],
    parameters: [
      ["neighbors", "10"], ["alpha", "0.3, 0.2 (found)"], ["bandwidth", "0.31"], ["smoother", "locally linear"], ["seed", "0"],
    ],
    shown: n, total, ours: count - 1 ? 1 : 0,
    rows: total > n ? base64(Uint32Array.from({ length: n }, (_, i) => Math.floor((i * total) / n))) : null,
    embeddings: list(count, embedding),
    labels: labels ? [
      { name: "species", values: labels, codes: codes(category) },
      { name: "side", values: ["left", "right"], codes: codes((i) => (across[i] < 0.5 ? 0 : 1)) },
    ] : [],
    ids: ids ? { name: "specimen", values: list(n, (i) => `S-${i}`), codes: codes((i) => i) } : null,
    texts: [{ name: "remark", values: ["checked twice", "torn"], codes: codes((i) => (i % 10 ? 4294967295 : (i / 10) % 2)) }],
    columns: [
      { name: "length", values: floats(n, (i) => 8 * along[i]) },
      { name: "breadth", values: floats(n, (i) => across[i]) },
    ],
    images: images ? pictures(n) : null,
    strips: images ? strips(count, dims, n) : null,
    palette: { light: palette(labels ? labels.length : 0, 0), dark: palette(labels ? labels.length : 0, 40) },
    times: [
      ["reading", 0.002], ["neighbour search", 0.031], ["eigenvectors, original", 0.12], ["smoother", 0.44],
      ["eigenvectors, ours", 0.38], ["redundancy", 0.09],
    ],
    peak_memory_mb: 120.5, notes: ["column(s) of text are left out: \"remark\""],
    warnings: ["3 points were left out: they are not connected to the rest"],
    dimension: {
      dims: 2, reason: "the next is a function of these", resolution: 0.003,
      evidence: [
        { unexplained: 0.28, redundancy: 1, eigenvalue: 0.99 },
        { unexplained: 0.012, redundancy: 0.95, eigenvalue: 0.96 },
        { unexplained: 0.011, redundancy: 0.22, eigenvalue: 0.94 },
      ],
    },
  };
}

/// Colours for classes, all around the wheel, and from violet to yellow.
function palette(classes, lift) {
  const wheel = (k, phase) => Math.round(108 + lift + 100 * Math.sin(2.4 * k + phase));
  return {
    classes: list(Math.min(200, classes), (k) => [wheel(k, 0), wheel(k, 2), wheel(k, 4)]),
    ramp: [[72, 40, 120], [38, 130, 142], [222, 205, 30]].map((color) => color.map((part) => Math.min(255, part + lift))),
  };
}

/// Five pictures along each coordinate, and the means of its ends.
function strips(count, dims, n) {
  const strip = (e, i) => ({ first: 7 * (e * dims + i), rows: list(5, (k) => Math.floor((k * (n - 1)) / 4)), end: 40 });
  return { sheet: pictures(7 * count * dims), coordinates: list(count, (e) => list(dims, (i) => strip(e, i))) };
}

/// An atlas of 8 x 8 grey pictures: a bar that moves with the number of the point.
function pictures(n) {
  const [width, height] = [8, 8];
  const across = Math.ceil(Math.sqrt(n));
  const down = Math.ceil(n / across);
  const grey = (x, y) => {
    const point = Math.floor(y / height) * across + Math.floor(x / width);
    return x % width === point % width ? 255 : 16 * (y % height);
  };
  const image = png(across * width, down * height, grey).toString("base64");
  return { width, height, across, png: `data:image/png;base64,${image}` };
}

function checksum(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let k = 0; k < 8; k++) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum >>> 0;
}

function chunk(name, content) {
  const named = Buffer.concat([Buffer.from(name, "latin1"), content]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(content.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(checksum(named), named.length + 4);
  return framed;
}

function png(width, height, grey) {
  const rows = Buffer.alloc(height * (width + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = grey(x, y);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8; // bits, of one grey channel
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk("IHDR", head), chunk("IDAT", deflateSync(rows)), chunk("IEND", Buffer.alloc(0))]);
}
