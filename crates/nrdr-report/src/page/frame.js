// Axes of a flat plot and the cube of a solid one, drawn by anything that draws as a canvas does.

function line(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/// Half pixels keep hair lines sharp.
const sharp = (pixel) => Math.round(pixel) + 0.5;

/// A text that fits, or its beginning.
function shortened(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let end = text.length;
  while (end > 1 && context.measureText(`${text.slice(0, end)}\u2026`).width > room) end--;
  return `${text.slice(0, end)}\u2026`;
}

function drawAxes(context, view, scales, [nameX, nameY]) {
  const { left, right, top, bottom } = view.area;
  context.lineWidth = 1;
  context.strokeStyle = themeColors.grid;
  context.fillStyle = themeColors.muted;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const { at, text } of scales[0].marks(view.value(0, left), view.value(0, right), (right - left) / 90)) {
    const x = sharp(view.place(at, 0, 0)[0]);
    line(context, x, top, x, bottom);
    context.fillText(text, x, bottom + 6);
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const { at, text } of scales[1].marks(view.value(1, bottom), view.value(1, top), (bottom - top) / 60)) {
    const y = sharp(view.place(0, at, 0)[1]);
    if (y < top - 1 || y > bottom + 1) continue;
    line(context, left, y, right, y);
    context.fillText(shortened(context, text, left - 10), left - 7, y);
  }
  context.strokeStyle = themeColors.line;
  line(context, sharp(left), top, sharp(left), bottom);
  line(context, left, sharp(bottom), right, sharp(bottom));
  context.fillStyle = themeColors.ink;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(nameX, (left + right) / 2, view.height - 6);
  if (!nameY) return;
  context.save();
  context.translate(6, (top + bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "top";
  context.fillText(nameY, 0, 0);
  context.restore();
}

/// The edges of the cube around the points; each axis has its ticks and its name at the edge that lies outermost.
function drawCube(context, view, scales, names) {
  const corner = (signs) => view.place(...signs.map((sign, axis) => view.ranges[axis][sign]));
  const middle = view.place(...view.ranges.map(([low, high]) => (low + high) / 2));
  context.lineWidth = 1;
  const written = [];
  names.forEach((name, axis) => {
    const others = [0, 1, 2].filter((other) => other !== axis);
    let outermost = null;
    for (let k = 0; k < 4; k++) {
      const signs = [0, 0, 0];
      signs[others[0]] = k & 1;
      signs[others[1]] = k >> 1;
      const from = corner(signs);
      const low = [...signs];
      signs[axis] = 1;
      const to = corner(signs);
      context.strokeStyle = themeColors.line;
      line(context, ...from, ...to);
      const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      // The upright axis is named at the left, the others below.
      const rank = axis === 2 ? middle[0] - x : y - middle[1];
      if (!outermost || rank > outermost.rank) outermost = { rank, x, y, from, to, low };
    }
    drawEdge(context, view, scales[axis], axis, outermost, middle, name, written);
  });
}

/// Numbers that would lie on others, which are `written` at a corner where edges meet, are left out.
function drawEdge(context, view, scale, axis, { x, y, from, to, low }, middle, name, written) {
  const [dx, dy] = outward([x, y], from, to, middle);
  context.textAlign = dx < -0.3 ? "right" : dx > 0.3 ? "left" : "center";
  context.textBaseline = "middle";
  context.fillStyle = themeColors.muted;
  context.strokeStyle = themeColors.line;
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  let widest = 0;
  for (const { at, text } of scale.marks(...view.ranges[axis], Math.min(5, length / 45))) {
    const place = low.map((sign, other) => (other === axis ? at : view.ranges[other][sign]));
    const [px, py] = view.place(...place);
    line(context, px, py, px + 5 * dx, py + 5 * dy);
    // Of an edge that is seen from its end there is no room for numbers.
    if (length < 60) continue;
    const width = context.measureText(text).width;
    const shift = { right: -width, left: 0, center: -width / 2 }[context.textAlign];
    const box = { left: px + 9 * dx + shift, y: py + 11 * dy, width };
    const overlaps = (other) => Math.abs(other.y - box.y) < 13 && box.left < other.left + other.width + 3 && other.left < box.left + width + 3;
    if (written.some(overlaps)) continue;
    written.push(box);
    context.fillText(text, px + 9 * dx, py + 11 * dy);
    widest = Math.max(widest, width);
  }
  context.fillStyle = themeColors.ink;
  if (axis === 2) {
    // Above the upper end: beside the edge are its numbers.
    const [end] = [from, to].sort((a, b) => a[1] - b[1]);
    const half = context.measureText(name).width / 2 + 4;
    context.textAlign = "center";
    context.fillText(name, Math.min(view.width - half, Math.max(half, end[0])), Math.max(9, end[1] - 12));
    return;
  }
  const away = 18 + Math.abs(dx) * (widest + 6) + Math.abs(dy) * 14;
  const width = context.measureText(name).width + 4;
  let at = x + away * dx;
  if (context.textAlign === "right") at = Math.max(at, width);
  if (context.textAlign === "left") at = Math.min(at, view.width - width);
  context.fillText(name, at, Math.min(view.height - 9, Math.max(9, y + away * dy)));
}

/// The direction away from the middle, at a right angle to an edge.
function outward([x, y], from, to, middle) {
  const [ex, ey] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(ex, ey);
  const [mx, my] = [x - middle[0], y - middle[1]];
  const along = length ? (mx * ex + my * ey) / (length * length) : 0;
  const [ox, oy] = [mx - along * ex, my - along * ey];
  const size = Math.hypot(ox, oy) || 1;
  return [ox / size, oy / size];
}
