// Draws points without WebGL: stamps discs into the pixels of an ordinary canvas. Slower, but it looks the same.

const DEPTHS = 256;

function canvasRenderer(canvas) {
  const context = canvas.getContext("2d");
  const order = new Uint32Array(shown);
  const depths = new Uint8Array(shown);
  const starts = new Uint32Array(DEPTHS + 1);
  let points, rgba, flags, image;

  /// How much of each pixel a disc of this diameter covers, row by row.
  function stamp(diameter) {
    const side = Math.ceil(diameter) + 1;
    const middle = (side - 1) / 2;
    const cover = Float32Array.from({ length: side * side }, (_, k) => {
      const distance = Math.hypot((k % side) - middle, Math.floor(k / side) - middle);
      return Math.min(1, Math.max(0, diameter / 2 - distance + 0.5));
    });
    return { side, cover };
  }

  /// The first so many in drawing order, the farthest of them first, by counting; in two dimensions all have the same depth
  /// and keep their order.
  function sortByDepth(m, count) {
    const [xs, ys, zs] = points;
    const drawn = drawingOrder();
    starts.fill(0);
    for (let k = 0; k < count; k++) {
      const i = drawn[k];
      const depth = m[8] * xs[i] + m[9] * ys[i] + m[10] * zs[i] + m[11];
      depths[i] = Math.min(DEPTHS - 1, Math.max(0, Math.floor((1 - depth) * 0.5 * DEPTHS)));
      starts[depths[i] + 1]++;
    }
    for (let k = 0; k < DEPTHS; k++) starts[k + 1] += starts[k];
    for (let k = 0; k < count; k++) order[starts[depths[drawn[k]]]++] = drawn[k];
  }

  function blend(at, red, green, blue, alpha) {
    const pixels = image.data;
    const under = (pixels[at + 3] / 255) * (1 - alpha);
    const total = alpha + under;
    pixels[at] = (red * alpha + pixels[at] * under) / total;
    pixels[at + 1] = (green * alpha + pixels[at + 1] * under) / total;
    pixels[at + 2] = (blue * alpha + pixels[at + 2] * under) / total;
    pixels[at + 3] = 255 * total;
  }

  function pass(view, look, only, opacity, { side, cover }) {
    const m = view.matrix;
    const [xs, ys, zs] = points;
    const { ratio, background } = look;
    const area = view.area;
    const [left, right] = [Math.ceil(area.left * ratio), Math.floor(area.right * ratio)];
    const [top, bottom] = [Math.ceil(area.top * ratio), Math.floor(area.bottom * ratio)];
    for (let k = 0; k < look.count; k++) {
      const i = order[k];
      if (rgba[4 * i + 3] === 0 || (only >= 0 && flags[i] !== only)) continue;
      const x0 = Math.round((m[0] * xs[i] + m[1] * ys[i] + m[2] * zs[i] + m[3]) * ratio - side / 2);
      const y0 = Math.round((m[4] * xs[i] + m[5] * ys[i] + m[6] * zs[i] + m[7]) * ratio - side / 2);
      if (!(x0 + side >= left && x0 <= right && y0 + side >= top && y0 <= bottom)) continue;
      const fade = view.solid ? 0.5 * (1 - depths[i] / DEPTHS) : 0;
      const red = rgba[4 * i] + fade * (background[0] - rgba[4 * i]);
      const green = rgba[4 * i + 1] + fade * (background[1] - rgba[4 * i + 1]);
      const blue = rgba[4 * i + 2] + fade * (background[2] - rgba[4 * i + 2]);
      for (let row = 0; row < side; row++) {
        const y = y0 + row;
        if (y < top || y >= bottom) continue;
        for (let column = 0; column < side; column++) {
          const x = x0 + column;
          const alpha = opacity * cover[row * side + column];
          if (alpha > 0 && x >= left && x < right) blend(4 * (y * image.width + x), red, green, blue, alpha);
        }
      }
    }
  }

  return {
    kind: "canvas",
    setPoints: (values) => (points = values),
    setColors: (values) => (rgba = values),
    setChosen: (values) => (flags = values),
    draw(view, look) {
      if (!image || image.width !== canvas.width || image.height !== canvas.height) {
        image = context.createImageData(canvas.width, canvas.height);
      } else image.data.fill(0);
      sortByDepth(view.matrix, look.count);
      const disc = stamp(look.diameter * look.ratio);
      if (look.someChosen) {
        pass(view, look, 0, look.dimmed, disc);
        pass(view, look, 1, Math.max(look.opacity, 0.9), disc);
      } else pass(view, look, -1, look.opacity, disc);
      context.putImageData(image, 0, 0);
    },
  };
}
