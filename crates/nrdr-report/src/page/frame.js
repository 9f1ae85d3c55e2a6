// Axes of a flat plot and the cube of a solid one.

function line(context, x0, y0, x1, y1) {
  context.beginPath();
  context.moveTo(x0, y0);
  context.lineTo(x1, y1);
  context.stroke();
}

/// Half pixels keep hair lines sharp.
const sharp = (pixel) => Math.round(pixel) + 0.5;

function drawAxes(context, view, [nameX, nameY]) {
  const { left, right, top, bottom } = view.area;
  context.lineWidth = 1;
  context.strokeStyle = themeColors.grid;
  context.fillStyle = themeColors.muted;
  context.textAlign = "center";
  context.textBaseline = "top";
  for (const tick of ticks(view.value(0, left), view.value(0, right), (right - left) / 90)) {
    const x = sharp(view.place(tick, 0, 0)[0]);
    line(context, x, top, x, bottom);
    context.fillText(brief(tick, 5), x, bottom + 6);
  }
  context.textAlign = "right";
  context.textBaseline = "middle";
  for (const tick of ticks(view.value(1, bottom), view.value(1, top), (bottom - top) / 60)) {
    const y = sharp(view.place(0, tick, 0)[1]);
    line(context, left, y, right, y);
    context.fillText(brief(tick, 5), left - 7, y);
  }
  context.strokeStyle = themeColors.line;
  line(context, sharp(left), top, sharp(left), bottom);
  line(context, left, sharp(bottom), right, sharp(bottom));
  context.fillStyle = themeColors.ink;
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillText(nameX, (left + right) / 2, view.height - 6);
  context.save();
  context.translate(6, (top + bottom) / 2);
  context.rotate(-Math.PI / 2);
  context.textBaseline = "top";
  context.fillText(nameY, 0, 0);
  context.restore();
}

/// The edges of the cube around the points; each axis is named at the edge that lies outermost.
function drawCube(context, view, names) {
  const corner = (signs) => view.place(...signs.map((sign, axis) => view.ranges[axis][sign]));
  const [middleX, middleY] = view.place(...view.ranges.map(([low, high]) => (low + high) / 2));
  context.lineWidth = 1;
  names.forEach((name, axis) => {
    const others = [0, 1, 2].filter((other) => other !== axis);
    let outermost = null;
    for (let k = 0; k < 4; k++) {
      const signs = [0, 0, 0];
      signs[others[0]] = k & 1;
      signs[others[1]] = k >> 1;
      const from = corner(signs);
      signs[axis] = 1;
      const to = corner(signs);
      context.strokeStyle = themeColors.line;
      line(context, ...from, ...to);
      const [x, y] = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
      // The upright axis is named at the left, the others below.
      const rank = axis === 2 ? middleX - x : y - middleY;
      if (!outermost || rank > outermost.rank) outermost = { rank, x, y };
    }
    const away = Math.hypot(outermost.x - middleX, outermost.y - middleY) || 1;
    context.fillStyle = themeColors.ink;
    context.textBaseline = "middle";
    const dx = (outermost.x - middleX) / away;
    context.textAlign = dx < -0.3 ? "right" : dx > 0.3 ? "left" : "center";
    const width = context.measureText(name).width + 4;
    let x = outermost.x + 16 * dx;
    if (context.textAlign === "right") x = Math.max(x, width);
    if (context.textAlign === "left") x = Math.min(x, view.width - width);
    context.fillText(name, x, outermost.y + (16 * (outermost.y - middleY)) / away);
  });
}
