// One scatter plot: a frame with axes below, the points, pictures and marks above them, each on a canvas of its own.

/// Colours of the theme, read once per change of theme since asking costs a layout.
const themeColors = {};
function readThemeColors() {
  const style = getComputedStyle(document.documentElement);
  for (const name of ["card", "ink", "muted", "line", "grid", "accent"]) {
    themeColors[name] = style.getPropertyValue(`--${name}`).trim();
  }
  themeColors.background = times(3, (k) => parseInt(themeColors.card.slice(1 + 2 * k, 3 + 2 * k), 16));
}

const FONT = "12px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
/// While points move, a frame should take so long at most, in milliseconds, and so many points are drawn at least.
const SMOOTH = 28;
const LEAST_MOVING = 4000;

class Plot {
  constructor(embedding, hooks) {
    this.embedding = embedding;
    this.hooks = hooks;
    this.view = new View();
    this.isShown = true;
    this.drawn = 0;
    this.outline = [];
    this.share = 1;
    this.build();
    this.renderer = (!onCanvas && webglRenderer(this.canvas)) || this.fallBack();
    this.renderer.onRestored = () => this.upload();
    this.look = {
      count: shown, ratio: 1, diameter: 4, opacity: 1, dimmed: 0.1, someChosen: false, background: [0, 0, 0],
    };
    this.needsPoints = this.isScheduled = this.isSized = this.isMoving = false;
    this.drawSoon = this.drawNow.bind(this);
    new ResizeObserver(() => this.resize()).observe(this.stage);
    this.chooseAxes();
    this.upload();
  }

  build() {
    const { title } = this.embedding;
    this.about = el("p", { class: "about" });
    this.scaleChoice = button("", () => this.chooseScale(!this.isRanked), { class: "quiet" });
    const keep = (kind) => button(kind.toUpperCase(), () => exportPlot(this, kind), {
      class: "quiet", "data-save": kind, title: `Save this plot as ${kind.toUpperCase()}`,
      "aria-label": `Save the plot ${title} as ${kind.toUpperCase()}`,
    });
    const layers = ["frame", "points", "pictures", "marks"].map((name) => el("canvas", { class: name }));
    [this.frame, this.canvas, this.pictures, this.marks] = layers;
    this.stage = el("div", { class: "stage", tabindex: "0", role: "application" }, ...layers);
    const tools = el("div", { class: "tools" }, this.scaleChoice, keep("png"), keep("svg"));
    const head = el("div", { class: "plot-head" }, el("h3", {}, title), tools);
    this.element = el("article", { class: "plot" }, head, this.about, this.stage);
  }

  /// A canvas that was asked for WebGL gives nothing else, so there must be a new one.
  fallBack() {
    const canvas = el("canvas", { class: "points" });
    this.canvas.replaceWith(canvas);
    this.canvas = canvas;
    return canvasRenderer(canvas);
  }

  /// The shared axes, as far as this embedding has them; never the same coordinate twice unless asked for.
  chooseAxes() {
    const { size } = this.embedding;
    if (size === 1) this.axes = [0, state.y === ROW ? ROW : SPREAD, null];
    else {
      const wanted = [state.x, state.y, size > 2 ? state.z : null];
      this.axes = [];
      wanted.forEach((axis, k) => {
        let index = axis === null ? null : Math.min(axis, size - 1);
        const isRepeated = (i) => this.axes.includes(i) && !wanted.slice(0, k).includes(axis);
        while (index !== null && index > 0 && isRepeated(index)) index--;
        this.axes.push(index);
      });
    }
    this.cancel?.();
    this.view.solid = this.axes[2] !== null;
    this.wouldBeRanked = !this.view.solid && ranksShowMore(this.embedding, this.axes[0], this.axes[1]);
    this.isRanked = this.wouldBeRanked;
    this.scale();
    this.view.reset();
    this.describe();
  }

  /// Axes by value or by rank.
  chooseScale(isRanked) {
    this.isRanked = isRanked;
    this.scale();
    this.view.reset();
    this.describe();
    this.hooks.changed();
  }

  scale() {
    this.scales = this.axes.map((axis) => scaleOf(this.embedding, axis, this.isRanked));
    this.points = this.scales.map(({ values }) => values);
    this.view.ranges = this.scales.map(({ range }) => range);
    const names = this.axes[1] === SPREAD ? (labels[0]?.values || []) : [];
    const longest = Math.max(0, ...names.slice(0, 30).map((name) => name.length));
    this.view.margin = { ...MARGIN, left: names.length ? Math.min(150, 24 + 7 * longest) : MARGIN.left };
    this.renderer.setPoints(this.points);
    this.invalidate();
  }

  describe() {
    const [x, y] = this.axes;
    const canRank = x >= 0 || y >= 0;
    const error = x >= 0 && y >= 0 && x !== y ? this.embedding.pairwise?.[y]?.[x] : null;
    const words = isNumber(error)
      ? [`Coordinate ${y + 1} is predictable from coordinate ${x + 1} by ${percent(error)} of its variance.`] : [];
    if (this.isRanked) words.push("Axes are by rank, evenly spread: by value most points sit in a corner.");
    this.about.textContent = words.join(" ");
    this.scaleChoice.hidden = !canRank;
    this.scaleChoice.textContent = this.isRanked ? "Axes: rank" : "Axes: value";
    this.scaleChoice.title = this.isRanked ? "Show coordinates as they are" : "Spread points evenly, by rank";
    this.scaleChoice.setAttribute("aria-pressed", String(this.isRanked));
    const axes = this.axes.filter((axis) => axis !== null && axis !== SPREAD).map(axisName).join(", ");
    const keys = "Arrow keys move or turn, plus and minus zoom, 0 resets, Escape clears the selection.";
    this.stage.setAttribute("aria-label", `Scatter plot, ${this.embedding.title}: ${axes}. ${this.about.textContent} ${keys}`);
  }

  upload() {
    this.renderer.setPoints(this.points);
    this.renderer.setColors(colors);
    this.renderer.setChosen(chosen);
    this.invalidate();
  }

  setColors() {
    this.renderer.setColors(colors);
    this.invalidate();
  }

  setChosen() {
    this.renderer.setChosen(chosen);
    this.invalidate();
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    this.look.ratio = Math.min(2, window.devicePixelRatio || 1);
    for (const canvas of [this.frame, this.canvas, this.pictures, this.marks]) {
      canvas.width = Math.round(width * this.look.ratio);
      canvas.height = Math.round(height * this.look.ratio);
    }
    this.view.resize(width, height);
    this.isSized = true;
    // At once: a canvas that changed its size is empty until the next frame otherwise.
    this.needsPoints = true;
    this.drawNow();
  }

  /// Draws everything again, or the marks only, at the next frame.
  invalidate(marksOnly = false) {
    this.needsPoints ||= !marksOnly;
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(this.drawSoon);
  }

  /// The same while something is dragged: only as many points as can be drawn in time, and all of them when it rests.
  move() {
    this.isMoving = true;
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      this.isMoving = false;
      this.lastMove = 0;
      this.invalidate();
    }, 160);
    this.invalidate();
  }

  drawNow() {
    this.isScheduled = false;
    // Nothing to draw on before the first layout.
    if (!this.isSized || !this.stage.clientWidth) return;
    if (this.needsPoints) {
      this.drawFrame();
      this.drawPoints();
      this.drawPictures();
    }
    this.drawMarks();
    this.needsPoints = false;
  }

  /// How many points are drawn now. The time between frames tells what can be done.
  pace() {
    if (!this.isMoving) return shown;
    const now = performance.now();
    const taken = now - (this.lastMove || now);
    this.lastMove = now;
    if (taken > SMOOTH) this.share *= Math.max(0.3, SMOOTH / taken);
    else if (taken > 0 && taken < 0.7 * SMOOTH) this.share = Math.min(1, 1.15 * this.share);
    this.share = Math.max(this.share, LEAST_MOVING / shown);
    return Math.min(shown, Math.round(this.share * shown));
  }

  drawPoints() {
    const { look, view } = this;
    // Few points are large and opaque, many small and translucent.
    const room = Math.sqrt((view.width * view.height) / Math.max(1, shown));
    const base = Math.min(9, Math.max(1.9, 0.5 * room));
    look.diameter = Math.min(14, base * Math.min(2.5, Math.max(1, view.zoom) ** 0.35));
    look.opacity = view.solid ? 1 : Math.min(0.88, Math.max(0.4, 1.35 - 0.19 * Math.log10(Math.max(10, shown))));
    look.dimmed = shown > 30000 ? 0.05 : 0.12;
    look.someChosen = state.selected > 0;
    look.background = themeColors.background;
    look.count = this.pace();
    this.renderer.draw(view, look);
    this.drawn = look.count;
  }

  context(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(this.look.ratio, 0, 0, this.look.ratio, 0, 0);
    context.clearRect(0, 0, this.view.width, this.view.height);
    context.font = FONT;
    return context;
  }

  drawFrame(context = this.context(this.frame)) {
    if (this.view.solid) drawCube(context, this.view, this.scales, this.axes.map(axisName));
    else drawAxes(context, this.view, this.scales, this.axes.slice(0, 2).map(axisName));
    if (state.curve) this.drawCurve(context);
  }

  /// The curve that predicts one coordinate from the other.
  drawCurve(context) {
    const [x, y] = this.axes;
    const curve = this.view.solid ? null : curveOf(this.embedding, y, x);
    if (!curve) return;
    const { left, top, right, bottom } = this.view.area;
    context.save();
    context.beginPath();
    context.rect(left, top, right - left, bottom - top);
    context.clip();
    context.beginPath();
    curve.x.forEach((at, k) => {
      const place = this.view.place(this.scales[0].of(at), this.scales[1].of(curve.y[k]), 0);
      context.lineTo(...place);
    });
    context.lineWidth = 2.5;
    context.strokeStyle = themeColors.ink;
    context.stroke();
    context.restore();
  }

  drawPictures() {
    if (!atlas) return;
    const context = this.context(this.pictures);
    if (state.pictures && !this.isMoving && atlas.complete) drawThumbnails(context, this);
  }

  /// The hovered and the pinned point, and the outline of a selection in progress.
  drawMarks() {
    const context = this.context(this.marks);
    if (this.outline.length > 2) {
      context.beginPath();
      for (let i = 0; i < this.outline.length; i += 2) context.lineTo(this.outline[i], this.outline[i + 1]);
      context.closePath();
      context.strokeStyle = themeColors.accent;
      context.fillStyle = themeColors.accent;
      context.lineWidth = 1.5;
      context.globalAlpha = 0.12;
      context.fill();
      context.globalAlpha = 1;
      context.stroke();
    }
    if (state.pinned >= 0) this.drawRing(context, state.pinned, themeColors.accent);
    if (state.hover >= 0) this.drawRing(context, state.hover, themeColors.ink);
  }

  drawRing(context, point, color) {
    const [x, y] = this.placeOf(point);
    const { left, right, top, bottom } = this.view.area;
    if (!(x >= left && x <= right && y >= top && y <= bottom)) return;
    for (const [width, stroke] of [[5, themeColors.card], [2.5, color]]) {
      context.beginPath();
      context.arc(x, y, this.look.diameter / 2 + 4, 0, 2 * Math.PI);
      context.lineWidth = width;
      context.strokeStyle = stroke;
      context.stroke();
    }
  }

  /// Where a point is in the stage.
  placeOf(point) {
    return this.view.place(...this.points.map((values) => values[point]));
  }

  /// Whether anything but background was drawn.
  hasPixels() {
    const copy = el("canvas");
    copy.width = this.canvas.width;
    copy.height = this.canvas.height;
    const context = copy.getContext("2d");
    context.drawImage(this.canvas, 0, 0);
    return context.getImageData(0, 0, copy.width, copy.height).data.some((value) => value > 0);
  }
}
