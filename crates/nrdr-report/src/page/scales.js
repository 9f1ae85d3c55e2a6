// What stands on an axis: a coordinate as it is or by rank, the number of the row, or points spread out.

/// An axis is the number of a coordinate from 0, or one of these.
const ROW = -1;
const SPREAD = -2;

const axisName = (axis) => (axis === ROW ? "row number" : axis === SPREAD ? "" : `coordinate ${axis + 1}`);

/// Where each value stands in their order, from 0 to 1; equal ones share the middle of their places. NaN has none.
function ranksOf(values) {
  const order = Uint32Array.from({ length: values.length }, (_, i) => i).filter((i) => !Number.isNaN(values[i]));
  order.sort((a, b) => values[a] - values[b]);
  const ranks = new Float32Array(values.length).fill(NaN);
  const last = Math.max(1, order.length - 1);
  for (let start = 0; start < order.length;) {
    let end = start + 1;
    while (end < order.length && values[order[end]] === values[order[start]]) end++;
    for (let k = start; k < end; k++) ranks[order[k]] = (start + end - 1) / 2 / last;
    start = end;
  }
  return { ranks, sorted: Float32Array.from(order, (i) => values[i]) };
}

/// The value at a place in the order, and the place of a value.
const quantile = (sorted, place) => sorted[Math.round(Math.min(1, Math.max(0, place)) * (sorted.length - 1))];
function placeIn(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  const before = sorted[low - 1] ?? sorted[0];
  const after = sorted[low] ?? sorted[sorted.length - 1];
  const between = after > before ? (value - before) / (after - before) : 0;
  return Math.min(1, Math.max(0, (low - 1 + between) / Math.max(1, sorted.length - 1)));
}

/// Ranks are made when they are first asked for, once for each coordinate.
const ranked = embeddings.map(({ values }) => values.map((values) => lazily(() => ranksOf(values()))));

/// Spread evenly, in a fixed order; classes, where there are some, in rows of their own.
const spreadOut = lazily(() => {
  const label = labels[0];
  const rows = label && label.values.length <= 30 ? label.values.length : 1;
  return Float32Array.from({ length: shown }, (_, i) => {
    const turn = (i * 0.6180339887) % 1;
    if (rows === 1) return turn;
    const code = label.codes[i];
    return (code < rows ? code : rows) + 0.14 + 0.72 * turn;
  });
});

const zeros = new Float32Array(shown);

/// The values of an axis as they are drawn, its range, and the marks between two ends of it.
function scaleOf(embedding, axis, isRanked) {
  const plain = (values) => ({
    values, range: extent(values), of: (value) => value,
    marks: (low, high, wanted) => ticks(low, high, wanted).map((at) => ({ at, text: brief(at, 5) })),
  });
  if (axis === null) return { ...plain(zeros), marks: () => [] };
  if (axis === ROW) return plain(rowNumbers());
  if (axis === SPREAD) {
    const values = spreadOut();
    const names = labels[0]?.values || [];
    const count = Math.max(1, Math.ceil(extent(values)[1]));
    const marks = () => (count > 1 ? names.map((text, k) => ({ at: k + 0.5, text })) : []);
    return { values, range: [0, count], of: (value) => value, marks };
  }
  if (!isRanked) return plain(embedding.values[axis]());
  const { ranks, sorted } = ranked[embedding.number][axis]();
  const marks = (low, high, wanted) => {
    const places = ticks(Math.max(0, low), Math.min(1, high), wanted);
    return places.map((at) => ({ at, text: brief(quantile(sorted, at), 2) }));
  };
  return { values: ranks, range: [0, 1], of: (value) => placeIn(sorted, value), marks };
}

/// Cells along each side of the grid on which points are counted.
const CELLS = 40;
/// Ranks must fill so many times as many cells to be the better choice.
const SHOWS_MORE = 2;

/// How many cells of a grid have points in them.
function cellsFilled(scales, points) {
  const filled = new Uint8Array(CELLS * CELLS);
  const [x, y] = scales;
  const cell = ({ values, range: [low, high] }, i) => Math.floor((CELLS * 0.999 * (values[i] - low)) / (high - low));
  for (const i of points) {
    const [column, row] = [cell(x, i), cell(y, i)];
    if (column >= 0 && row >= 0) filled[row * CELLS + column] = 1;
  }
  return filled.reduce((sum, flag) => sum + flag, 0);
}

/// Whether most values of a coordinate sit together in a small part of its range: half of them in an eighth of it.
function isHeavy(embedding, axis) {
  const { values, range: [low, high] } = scaleOf(embedding, axis, false);
  const some = Float32Array.from(someOf(4000), (i) => values[i]).filter((value) => !Number.isNaN(value)).sort();
  return some.length > 0 && quantile(some, 0.75) - quantile(some, 0.25) < (high - low) / 8;
}

/// Whether ranks show more of these coordinates than their values do: most points may sit in a corner of the plot. Where one
/// is a function of the other neither fills an area, and each is looked at by itself.
function ranksShowMore(embedding, x, y) {
  if (x < 0 || y < 0 || x === y) return false;
  if (isHeavy(embedding, x) && isHeavy(embedding, y)) return true;
  const points = someOf(4000);
  const [plain, byRank] = [false, true].map((isRanked) =>
    cellsFilled([scaleOf(embedding, x, isRanked), scaleOf(embedding, y, isRanked)], points));
  return byRank > SHOWS_MORE * plain;
}
