// A report from the page's files and made-up data, put together the way the program does it.

import { readFileSync } from "node:fs";
import { deflateSync } from "node:zlib";

const folder = new URL("../../../nrdr-report/src/page/", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");

/// The scripts in the order in which they are joined.
export const SCRIPTS = [
  "data", "colors", "view", "webgl", "canvas", "frame", "plot", "gestures", "legend", "scatter",
  "charts", "sections", "page",
].map((name) => `${name}.js`);

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

/// A long strip: the original coordinates are all functions of its length, ours find its breadth second.
export function sample({
  n = 800, dims = 3, count = 2, images = false, total = n, labels = ["setosa", "versicolor", HOSTILE],
} = {}) {
  const random = dice(7);
  const along = Float64Array.from({ length: n }, random);
  const across = Float64Array.from({ length: n }, random);
  const noise = Float64Array.from({ length: n }, () => 0.01 * (random() - 0.5));
  const wave = (values, k) => floats(n, (i) => 0.05 * Math.cos(Math.PI * k * values[i]) + 0.05 * noise[i]);
  const ours = (k) => (k % 2 ? wave(across, (k + 1) / 2) : wave(along, k + 1));
  const coordinate = (e, k) => (e % 2 ? ours(k) : wave(along, k + 1));
  const category = (i) => Math.min(labels.length - 1, Math.floor(along[i] * labels.length));
  const error = (e, i, j) => (i === j ? 0 : e % 2 === 0 ? (j < i ? 0.04 + 0.03 * j : 0.7) : 0.95 - 0.02 * i);
  const names = ["original", "non-redundant", "orthogonal to powers", "local regression", "functional"];
  const embedding = (e) => ({
    name: ["orthogonal", "unpredictable", "powers", "lleigs", "functional"][e], title: names[e],
    coordinates: list(dims, (k) => coordinate(e, k)),
    redundancy: list(dims, (i) => (i === 0 ? 1 : e % 2 === 0 ? 0.06 : 0.97 - 0.02 * i)),
    pairwise: list(dims, (i) => list(dims, (j) => error(e, i, j))),
    eigenvalues: list(dims, (i) => 0.999 - 0.013 * (i + 1) ** 1.3 - 0.01 * e * i),
    singular: list(dims, (i) => (e % 2 && i > 0 ? list(20 + 5 * i, (k) => Math.exp(-k / (4 + 2 * i))) : null)),
    rank: list(dims, (i) => (e % 2 && i > 0 ? 7 + 2 * i : null)),
    alpha: list(dims, (i) => (e % 2 && i > 0 ? 0.3 : null)),
    residual: list(dims, () => 1e-9), seconds: 0.12 + 0.9 * e,
    warnings: e === 1 ? ["coordinate 3 converged slowly (residual 3e-6)"] : [],
  });
  return {
    version: "0.1.0", title: "strip.csv",
    verdict: "Coordinate 2 is new: 3 % of its variance is predictable from coordinate 1 (original: 94 %).",
    command: `nrdr embed strip.csv -d ${dims} --label species --report report.html`,
    facts: [
      ["points", String(total)], ["columns", "64"], ["method", "Laplacian eigenmaps (Belkin & Niyogi 2003)"],
      ["coordinates", String(dims)], ["solver", "shift-invert"],
    ],
    parameters: [
      ["neighbors", "10"], ["alpha", "auto"], ["bandwidth", "0.31"], ["smoother", "locally linear"], ["seed", "0"],
    ],
    shown: n, total,
    rows: total > n ? base64(Uint32Array.from({ length: n }, (_, i) => Math.floor((i * total) / n))) : null,
    embeddings: list(count, embedding),
    labels: labels ? [{
      name: "species", values: labels, codes: base64(Uint32Array.from({ length: n }, (_, i) => category(i))),
    }] : [],
    ids: null, texts: [],
    columns: [
      { name: "length", values: floats(n, (i) => 8 * along[i]) },
      { name: "breadth", values: floats(n, (i) => across[i]) },
    ],
    images: images ? pictures(n) : null,
    palette: palette(labels ? labels.length : 0),
    times: [
      ["reading", 0.002], ["neighbour search", 0.031], ["eigenvectors, original", 0.12], ["smoother", 0.44],
      ["eigenvectors, ours", 0.38], ["redundancy", 0.09],
    ],
    peak_memory_mb: 120.5, warnings: ["3 points were left out: they are not connected to the rest"],
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
function palette(classes) {
  const wheel = (k, phase) => Math.round(128 + 100 * Math.sin(2.4 * k + phase));
  const ground = {
    classes: list(classes, (k) => [wheel(k, 0), wheel(k, 2), wheel(k, 4)]),
    ramp: [[72, 40, 120], [38, 130, 142], [222, 205, 30]],
  };
  return { light: ground, dark: ground };
}

const list = (length, value) => Array.from({ length }, (_, i) => value(i));

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
