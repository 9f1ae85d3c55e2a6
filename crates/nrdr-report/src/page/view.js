// Where a point is on the screen: one affine map, in two dimensions and in three, for drawing and for picking.

const MARGIN = { left: 76, right: 14, top: 12, bottom: 44 };
const NO_MARGIN = { left: 0, right: 0, top: 0, bottom: 0 };
const USUAL_TURN = [-0.6, 0.42];

/// The map from data to pixels of a plot: rows of `matrix` give x, y and depth (-1 is near) of (x, y, z, 1).
/// Points may cover `area` only.
class View {
  constructor() {
    this.matrix = new Float32Array(12);
    this.ranges = [[0, 1], [0, 1], [0, 1]];
    this.solid = false;
    this.width = this.height = 1;
    this.margin = MARGIN;
    this.reset();
  }

  reset() {
    [this.zoom, this.shiftX, this.shiftY] = [1, 0, 0];
    [this.yaw, this.pitch] = USUAL_TURN;
    this.update();
  }

  /// How it is looked at, as a word; nothing if that is as usual.
  word() {
    const turn = this.solid ? [this.yaw, this.pitch] : [];
    const numbers = [this.zoom, this.shiftX / this.width, this.shiftY / this.height, ...turn];
    const usual = [1, 0, 0, ...USUAL_TURN];
    const isUsual = numbers.every((number, k) => Math.abs(number - usual[k]) < 1e-6);
    return isUsual ? "" : numbers.map((number) => Number(number.toPrecision(5))).join("_");
  }

  /// Looks as a word says, if it says something.
  look(word) {
    const [zoom, x, y, yaw = USUAL_TURN[0], pitch = USUAL_TURN[1]] = word.split("_").map(Number);
    if (![zoom, x, y, yaw, pitch].every(Number.isFinite) || !(zoom > 0)) return;
    Object.assign(this, { zoom, shiftX: x * this.width, shiftY: y * this.height, yaw, pitch });
    this.update();
  }

  /// Turned as another one is.
  turnAs(other) {
    const [x, y] = [other.shiftX / other.width, other.shiftY / other.height];
    const { zoom, yaw, pitch } = other;
    Object.assign(this, { zoom, shiftX: x * this.width, shiftY: y * this.height, yaw, pitch });
    this.update();
  }

  resize(width, height) {
    this.shiftX *= width / this.width;
    this.shiftY *= height / this.height;
    this.width = width;
    this.height = height;
    this.update();
  }

  update() {
    const margin = this.solid ? NO_MARGIN : this.margin;
    const [left, top] = [margin.left, margin.top];
    const [right, bottom] = [this.width - margin.right, this.height - margin.bottom];
    this.area = { left, top, right, bottom };
    if (this.solid) this.updateSolid(right, bottom);
    else {
      // Points fill the area but for a rim of 5 %.
      this.flatRow(0, 0, left, right, 0.05);
      this.flatRow(1, 1, bottom, top, 0.05);
      this.matrix.fill(0, 8);
    }
    for (const row of [0, 4]) {
      for (let k = 0; k < 4; k++) this.matrix[row + k] *= this.zoom;
    }
    this.matrix[3] += this.shiftX;
    this.matrix[7] += this.shiftY;
  }

  flatRow(row, axis, from, to, rim) {
    const [low, high] = this.ranges[axis];
    const slope = ((to - from) * (1 - 2 * rim)) / (high - low);
    this.matrix.fill(0, 4 * row, 4 * row + 4);
    this.matrix[4 * row + axis] = slope;
    this.matrix[4 * row + 3] = from + (to - from) * rim - slope * low;
  }

  /// A turned cube around the points, seen from far away; the third axis points up.
  updateSolid(width, height) {
    const [sy, cy, sp, cp] = [Math.sin(this.yaw), Math.cos(this.yaw), Math.sin(this.pitch), Math.cos(this.pitch)];
    const reach = Math.min(width, height) / 2 / 1.82;
    this.solidRow(0, [cy, sy, 0], reach, width / 2);
    this.solidRow(1, [sp * sy, -sp * cy, -cp], reach, height / 2);
    this.solidRow(2, [-sy * cp, cy * cp, -sp], 1 / 1.75, 0);
  }

  solidRow(row, direction, scale, offset) {
    let constant = offset;
    for (let axis = 0; axis < 3; axis++) {
      const [low, high] = this.ranges[axis];
      const slope = (2 * scale * direction[axis]) / (high - low);
      this.matrix[4 * row + axis] = slope;
      constant -= slope * (low + high) / 2;
    }
    this.matrix[4 * row + 3] = constant;
  }

  zoomAt(x, y, factor) {
    const zoom = Math.min(1e4, Math.max(0.2, this.zoom * factor));
    const applied = zoom / this.zoom;
    this.shiftX = x - (x - this.shiftX) * applied;
    this.shiftY = y - (y - this.shiftY) * applied;
    this.zoom = zoom;
    this.update();
  }

  pan(dx, dy) {
    this.shiftX += dx;
    this.shiftY += dy;
    this.update();
  }

  turn(dx, dy) {
    this.yaw += dx * 0.008;
    this.pitch = Math.min(Math.PI / 2, Math.max(-Math.PI / 2, this.pitch + dy * 0.008));
    this.update();
  }

  /// Pixels of a place in the data.
  place(x, y, z) {
    const m = this.matrix;
    return [m[0] * x + m[1] * y + m[2] * z + m[3], m[4] * x + m[5] * y + m[6] * z + m[7]];
  }

  /// The data at a pixel of a flat plot.
  value(axis, pixel) {
    return (pixel - this.matrix[4 * axis + 3]) / this.matrix[5 * axis];
  }

  /// The point nearest to a pixel, not farther than `reach`; of points under the pixel the front one. What is transparent
  /// is not there.
  nearest(points, rgba, px, py, reach, radius) {
    const { left, right, top, bottom } = this.area;
    if (px < left || px > right || py < top || py > bottom) return -1;
    const m = this.matrix;
    const [xs, ys, zs] = points;
    const covered = this.solid ? radius * radius : 0;
    let best = -1;
    let bestScore = Infinity;
    for (let i = 0; i < xs.length; i++) {
      const x = xs[i], y = ys[i], z = zs[i];
      const dx = m[0] * x + m[1] * y + m[2] * z + m[3] - px;
      const dy = m[4] * x + m[5] * y + m[6] * z + m[7] - py;
      const square = dx * dx + dy * dy;
      if (!(square <= reach * reach) || rgba[4 * i + 3] === 0) continue;
      // Depth is between -1 and 1: a covered pixel always wins over a near miss.
      const score = square <= covered ? m[8] * x + m[9] * y + m[10] * z + m[11] - 2 : square;
      if (score < bestScore) {
        bestScore = score;
        best = i;
      }
    }
    return best;
  }

  /// Marks the points inside a polygon of pixels (x0, y0, x1, y1, ...); points already marked stay so.
  mark(points, rgba, polygon, flags) {
    const m = this.matrix;
    const [xs, ys, zs] = points;
    const { left, right, top, bottom } = this.area;
    for (let i = 0; i < xs.length; i++) {
      const x = m[0] * xs[i] + m[1] * ys[i] + m[2] * zs[i] + m[3];
      const y = m[4] * xs[i] + m[5] * ys[i] + m[6] * zs[i] + m[7];
      if (x < left || x > right || y < top || y > bottom || rgba[4 * i + 3] === 0) continue;
      if (isInside(polygon, x, y)) flags[i] = 1;
    }
  }
}

/// Whether a ray to the right crosses the outline an odd number of times.
function isInside(polygon, x, y) {
  let inside = false;
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const ya = polygon[i + 1], yb = polygon[j + 1];
    if (ya > y !== yb > y && x < polygon[i] + ((y - ya) / (yb - ya)) * (polygon[j] - polygon[i])) inside = !inside;
  }
  return inside;
}
