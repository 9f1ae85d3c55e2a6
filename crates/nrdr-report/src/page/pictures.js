// Pictures of points: beside the cursor, on the plots, of a selection, and along a coordinate.

/// A sheet of pictures side by side.
function sheetOf(found) {
  if (!found) return null;
  const image = new Image();
  image.src = found.png;
  return Object.assign(image, { sheet: found });
}

const atlas = sheetOf(data.images);

/// Picture number k of a sheet, every pixel of it sharp.
function drawPicture(context, image, k, x, y, width, height) {
  const { width: w, height: h, across } = image.sheet;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, (k % across) * w, Math.floor(k / across) * h, w, h, x, y, width, height);
}

/// How much pictures are enlarged: by a whole number when they are small.
function enlargement(image, side) {
  const scale = side / Math.max(image.sheet.width, image.sheet.height);
  return scale >= 1 ? Math.floor(scale) : scale;
}

/// Picture number k of a sheet as an element about so large.
function picture(image, k, side, name) {
  const scale = enlargement(image, side);
  const { width, height } = image.sheet;
  const canvas = el("canvas", {
    width: Math.round(width * scale), height: Math.round(height * scale), role: "img", "aria-label": name, title: name,
  });
  const draw = () => drawPicture(canvas.getContext("2d"), image, k, 0, 0, canvas.width, canvas.height);
  if (image.complete) draw();
  else image.addEventListener("load", draw, { once: true });
  return canvas;
}

/// Pictures on the plot at their points, as many as fit without covering each other.
function drawThumbnails(context, plot) {
  const side = plot.view.width > 620 ? 34 : 26;
  const scale = side / Math.max(atlas.sheet.width, atlas.sheet.height);
  const [width, height] = [atlas.sheet.width * scale, atlas.sheet.height * scale];
  const [cellWidth, cellHeight] = [width * 1.25, height * 1.25];
  const { left, right, top, bottom } = plot.view.area;
  const columns = Math.ceil(plot.view.width / cellWidth) + 1;
  const taken = new Set();
  for (const point of drawingOrder()) {
    if (colors[4 * point + 3] === 0 || (state.selected > 0 && !chosen[point])) continue;
    const [x, y] = plot.placeOf(point);
    if (!(x >= left && x <= right && y >= top && y <= bottom)) continue;
    const [column, row] = [Math.floor(x / cellWidth), Math.floor(y / cellHeight)];
    const near = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => (row + dy) * columns + column + dx));
    if (near.some((cell) => taken.has(cell))) continue;
    taken.add(row * columns + column);
    const [px, py] = [x - width / 2, y - height / 2];
    context.fillStyle = css([0, 1, 2].map((k) => colors[4 * point + k]));
    context.fillRect(px - 2, py - 2, width + 4, height + 4);
    drawPicture(context, atlas, point, px, py, width, height);
  }
}

/// Pictures of the first selected points, in rows, and how many of how many these are.
function drawGallery() {
  if (!atlas) return;
  const canvas = byId("gallery");
  const [scale, gap] = [enlargement(atlas, 48), 4];
  const [width, height] = [Math.round(atlas.sheet.width * scale) + gap, Math.round(atlas.sheet.height * scale) + gap];
  const across = Math.max(1, Math.min(40, Math.floor((canvas.parentElement.clientWidth - 8) / width)));
  const points = [];
  for (let i = 0; i < shown && points.length < 3 * across; i++) if (chosen[i]) points.push(i);
  canvas.hidden = byId("gallery-count").hidden = points.length === 0;
  byId("gallery-count").textContent = points.length < state.selected
    ? `Pictures of ${grouped(points.length)} of ${grouped(state.selected)} selected points` : `Pictures of all ${grouped(points.length)}`;
  canvas.width = across * width;
  canvas.height = Math.ceil(points.length / across) * height;
  const context = canvas.getContext("2d");
  points.forEach((point, k) => {
    drawPicture(context, atlas, point, (k % across) * width, Math.floor(k / across) * height, width - gap, height - gap);
  });
}
